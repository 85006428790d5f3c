"""What the tests of the command as a process share: starting it, holding it, and looking at its output."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.paths import BUNDLE

TEXT = BUNDLE.read_text(encoding="utf-8")
ELEMENT = b'<file path="a.py">\n' + b"x = 1\n" * 20 + b"</file>\n\n"
OLD = "what was there before\n"
PATIENCE = 60
"""Seconds after which a test gives up; none is expected to wait."""

FULL_AFTER_300_BYTES = """
import atexit, resource
limits = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (300, limits[1]))
atexit.register(resource.setrlimit, resource.RLIMIT_FSIZE, limits)  # what measures coverage writes its file then
"""
RUN = "import sys; from langchain_semantic_xml._cli.main import main; sys.exit(main())"


def command(*arguments: str | Path, before: str = "") -> list[str]:
    """Return what runs the command, in a process that first executes `before`."""
    start = ["-c", f"{before}\n{RUN}"] if before else ["-m", "langchain_semantic_xml"]
    return [sys.executable, *start, *map(str, arguments)]


def run(*arguments: str | Path, before: str = "", stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command(*arguments, before=before), input=stdin, capture_output=True, timeout=PATIENCE, check=False
    )


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def old_output(folder: Path) -> Path:
    """Return the path of an output that is there already, alone in a folder of its own."""
    path = folder / "out" / "chunks.jsonl"
    path.parent.mkdir()
    path.write_text(OLD, encoding="utf-8")
    return path


def assert_untouched(output: Path) -> None:
    assert output.read_text(encoding="utf-8") == OLD
    assert list(output.parent.iterdir()) == [output], "something was left behind"


@contextmanager
def halfway(output: Path, *, before: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """Start a split to a file, and hold it when it has written some of it and waits for more."""
    started = subprocess.Popen(
        command("split", "-", "--chunk-size", "200", "-o", output, before=before),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with started as process:
        assert process.stdin is not None
        process.stdin.write(ELEMENT * 10_000)
        process.stdin.flush()
        wait_until(lambda: any(path.stat().st_size for path in output.parent.glob(".*.tmp")))
        try:
            yield process
        finally:
            process.kill()
