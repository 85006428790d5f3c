"""The command inside a process: signals, threads, and the bar."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from langchain_semantic_xml._cli import progress as cli_progress
from langchain_semantic_xml._cli.progress import ReadingBar
from tests.cli.running import Ran, Run
from tests.paths import BUNDLE


def test_signals_are_handled_as_before_when_the_command_is_over(run: Run) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run("split", BUNDLE)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_the_command_runs_in_a_thread_too(run: Run) -> None:
    ran: list[Ran] = []
    thread = threading.Thread(target=lambda: ran.append(run("split", BUNDLE)))
    thread.start()
    thread.join()
    assert [len(each.documents) for each in ran] == [1]


@pytest.mark.parametrize(
    ("delay", "quiet", "shown"),
    [(0.0, False, True), (1e9, False, False), (0.0, True, False)],
    ids=["at-work", "soon-over", "quiet"],
)
def test_a_bar_shows_how_much_was_read(monkeypatch: pytest.MonkeyPatch, delay: float, quiet: bool, shown: bool) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    monkeypatch.setattr(cli_progress, "_DELAY", delay)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with open(theirs, "w", encoding="utf-8") as terminal:  # noqa: PTH123 - a descriptor
        monkeypatch.setattr("sys.stderr", terminal)
        with ReadingBar(2000, quiet=quiet) as bar:
            bar.advance(500)
            bar.advance()
        terminal.write("end")
    seen = b""
    while not seen.endswith(b"end"):
        seen += os.read(ours, 4096)
    os.close(ours)
    assert (b"Reading" in seen) == shown
    assert (b"0.5/2.0 kB" in seen) == shown
