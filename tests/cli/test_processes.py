"""The command as a process: pipes that close, full disks, signals, terminals, memory."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs signals and terminals of POSIX", allow_module_level=True)

import pty

from tests.cli.processes import (
    ELEMENT,
    FULL_AFTER_300_BYTES,
    OLD,
    PATIENCE,
    TEXT,
    assert_untouched,
    command,
    halfway,
    old_output,
    run,
    wait_until,
)
from tests.paths import BUNDLE


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return old_output(tmp_path)


# Pipes


def test_the_module_runs_as_the_command() -> None:
    ran = run("split", BUNDLE)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout)["page_content"] == TEXT.strip()


def test_the_first_chunks_are_written_while_more_is_read() -> None:
    """Rule: L7."""
    elements = 600  # more than is read at once, and less than two pipes hold: none waits for the other
    with subprocess.Popen(
        command("split", "-", "--chunk-size", "200"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(ELEMENT * elements)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["metadata"]["start_line"] == 1
        process.stdin.close()
        assert process.stdout.read().count(b"\n") == elements - 1


@pytest.mark.parametrize(
    "arguments", [["split", "-"], ["stats", "-"], ["view", "-", "-o", "-"], ["--help"], ["-V"]], ids=" ".join
)
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed:
        ran = subprocess.run(
            command(*arguments), input=ELEMENT * 100, stdout=closed, stderr=subprocess.PIPE, check=False
        )
    assert ran.stderr == b""
    assert ran.returncode == 128 + signal.SIGPIPE


def test_a_reader_of_the_first_line_gets_it(tmp_path: Path) -> None:
    bundle = tmp_path / "b.xml"
    bundle.write_bytes(ELEMENT * 2_000)
    with subprocess.Popen(
        command("split", bundle, "--chunk-size", "200"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 128 + signal.SIGPIPE


@pytest.mark.parametrize(
    ("redirected", "arguments", "said"),
    [("<&-", "split -", "standard input"), (">&-", "split x", "standard output"), ("2>&-", "split none", "")],
)
def test_a_closed_stream_is_an_error(redirected: str, arguments: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(TEXT, encoding="utf-8")
    shell = f"exec {sys.executable} -m langchain_semantic_xml {arguments} {redirected}"
    ran = subprocess.run(shell, shell=True, capture_output=True, cwd=tmp_path, check=False)  # noqa: S602 - it closes
    assert ran.returncode == 1
    assert ran.stderr.decode().count("\n") == bool(said)
    assert said in ran.stderr.decode()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_output_is_utf_8_whatever_the_terminal_speaks(encoding: str, tmp_path: Path) -> None:
    bundle = tmp_path / "b.xml"
    bundle.write_text('<file path="茶.py">\n' + "x = 1\n" * 99 + "</file>\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for arguments in ("stats --chunk-size 200", "view -o -"):
        ran = subprocess.run(command(*arguments.split(), bundle), capture_output=True, env=environment, check=False)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert "茶.py" in ran.stdout.decode("utf-8")
    ran = subprocess.run(command("split", "茶"), capture_output=True, env=environment, check=False)
    assert (ran.returncode, ran.stderr.count(b"\n")) == (1, 1)


# Faults


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")  # noqa: PTH110
@pytest.mark.parametrize(
    "arguments", [["split"], ["split", "-o", "/dev/full"], ["stats"], ["view", "-o", "-"], ["split", "--help"]]
)
def test_a_full_device_is_an_error_in_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        ran = subprocess.run(command(*arguments, BUNDLE), stdout=full, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == 1
    assert ran.stderr.count(b"\n") == 1
    assert b"No space left on device" in ran.stderr


@pytest.mark.parametrize("name", ["chunks.jsonl", "chunks.jsonl.gz"])
def test_a_full_disk_leaves_the_old_output(output: Path, name: str) -> None:
    target = output.rename(output.with_name(name))
    ran = run("split", BUNDLE, "-o", target, before=FULL_AFTER_300_BYTES)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"semantic-xml: {target}: cannot be written: File too large;".encode())
    assert ran.stderr.count(b"\n") == 1
    assert_untouched(target)


@pytest.mark.parametrize(
    ("name", "contents", "said"),
    [
        ("late.xml", ELEMENT * 10_000 + b"\xff", "line 230001: byte 0xff is not utf-8"),
        ("short.xml.gz", gzip.compress(ELEMENT * 10_000)[:-9], "ends too early"),
        ("big.xml", ELEMENT * 10_000 + b"<file path='b'>\n" + b"x" * 201 + b"\n</file>", "--oversized split"),
    ],
    ids=["undecodable", "cut", "oversized"],  # pytest puts an id into the environment, and some releases all of it
)
def test_a_bundle_that_fails_late_leaves_the_old_output(
    output: Path, tmp_path: Path, name: str, contents: bytes, said: str
) -> None:
    bundle = tmp_path / name
    bundle.write_bytes(contents)
    ran = run("split", bundle, "--oversized", "error", "--chunk-size", "200", "-o", output)
    assert ran.returncode == 1
    assert ran.stderr.count(b"\n") == 1
    assert str(bundle) in ran.stderr.decode()
    assert said in ran.stderr.decode()
    assert_untouched(output)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no such file")
def test_a_file_that_fails_to_be_read_is_named() -> None:
    ran = run("split", "/proc/self/mem")  # its first page is never there
    assert ran.returncode == 1
    assert ran.stderr == b"semantic-xml: /proc/self/mem: Input/output error; see that the file can be read\n"


def test_a_bundle_that_fails_leaves_no_output_where_there_was_none(tmp_path: Path) -> None:
    bundle = tmp_path / "b.xml"
    bundle.write_bytes(b"\xff")
    assert run("split", BUNDLE, bundle, "-o", tmp_path / "chunks.jsonl").returncode == 1
    assert list(tmp_path.iterdir()) == [bundle]


# Signals


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_to_stop_leaves_the_old_output(output: Path, name: str) -> None:
    number = signal.Signals[name]
    # Whoever runs the tests may ignore a signal, as nohup does, and processes inherit that.
    handler = "signal.default_int_handler" if name == "SIGINT" else "signal.SIG_DFL"
    with halfway(output, before=f"import signal; signal.signal(signal.{name}, {handler})") as process:
        process.send_signal(number)
        assert process.wait(PATIENCE) == 128 + number
        assert process.stderr is not None
        said = "interrupted" if name == "SIGINT" else "stopped"
        assert process.stderr.read() == f"semantic-xml: {said}\n".encode()
    assert_untouched(output)


def test_a_killed_split_leaves_the_old_output(output: Path) -> None:
    with halfway(output) as process:
        process.kill()
        assert process.wait(PATIENCE) == -signal.SIGKILL
    assert output.read_text(encoding="utf-8") == OLD


def test_a_signal_that_is_ignored_stays_ignored(output: Path) -> None:
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with halfway(output, before=ignored) as process:
        process.send_signal(signal.SIGHUP)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
    assert output.read_bytes().count(b"\n") == 10_000


# The terminal


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Open a terminal; yield its two ends, ours and the process's."""
    ours, theirs = pty.openpty()
    try:
        yield ours, theirs
    finally:
        os.close(ours)


def test_a_bar_is_shown_on_a_terminal_and_taken_away(output: Path) -> None:
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with (
        terminal() as (ours, theirs),
        subprocess.Popen(
            command("split", "-", "-o", output), stdin=subprocess.PIPE, stderr=theirs, env=environment
        ) as process,
    ):
        os.close(theirs)
        os.set_blocking(ours, False)
        seen = b""
        assert process.stdin is not None

        def shown() -> bool:
            nonlocal seen
            assert process.stdin is not None
            process.stdin.write(ELEMENT * 1_000)
            process.stdin.flush()
            seen += read_terminal(ours)
            return b"Reading" in seen

        wait_until(shown)
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        seen += read_terminal(ours)
    assert seen.rfind(b"\x1b[?25h") > seen.rfind(b"\x1b[?25l"), "the cursor must be shown again"
    assert output.read_text(encoding="utf-8") != OLD


def read_terminal(ours: int) -> bytes:
    """Read what is there now; a terminal whose other end is closed fails when all was read."""
    seen = b""
    with suppress(OSError):
        while piece := os.read(ours, 1 << 16):
            seen += piece
    return seen


# Memory


def peak_of(bundle: Iterator[bytes], *arguments: str) -> int:
    """Return the most memory, in bytes, that the command had while it read the bundle from a pipe."""
    process = subprocess.Popen(command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin is not None
    with process.stdin as stdin:
        stdin.writelines(bundle)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["split", "-"], ["stats", "-"]], ids=" ".join)
def test_memory_does_not_grow_with_the_bundle(arguments: list[str]) -> None:
    """Rule: L7."""
    element = b'<file path="a.py">\n' + b"x = 1\n" * 1_000 + b"</file>\n\n"
    small = peak_of((element for _ in range(300)), *arguments)
    large = peak_of((element for _ in range(9_000)), *arguments)
    assert large - small < len(element) * 9_000 / 2
