"""A file that the command writes is there whole or not at all, whatever becomes of the disk, the folder or the process.

Pipes, signals and devices are in `test_processes`.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typing_extensions import Buffer, override

if sys.platform == "win32":
    pytest.skip("needs signals and limits of POSIX", allow_module_level=True)

from langchain_semantic_xml._cli.reading import _ReportingStream as reporting
from tests.cli.processes import OLD, assert_untouched, halfway, old_output, run

KILLED_AT_EVENT = """
import os, signal, sys
seen = 0
def hook(event, arguments):
    global seen
    if event.startswith({events!r}) and {name!r} in str(arguments):
        seen += 1
        if seen == {number}:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
"""
KILLED_AT_CALL = """
import os, signal, sys
calls = 0
def count(frame, event, argument):
    global calls
    calls += 1
    if calls == {number}:
        os.kill(os.getpid(), signal.SIGKILL)
sys.setprofile(count)
"""
COUNTED = """
import atexit, sys
calls = 0
def count(frame, event, argument):
    global calls
    calls += 1
sys.setprofile(count)
atexit.register(lambda: (sys.setprofile(None), print(calls, file=sys.stderr)))
"""


def written(path: Path) -> Path:
    path.write_text(f"<file path='a.py'>\n{'x = 1' * 99}\n</file>\n" * 100, encoding="utf-8")
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return the path of an output that is there already, alone in its folder."""
    return old_output(tmp_path)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("bundle") / "bundle.xml")


@pytest.fixture(scope="module")
def whole(bundle: Path) -> bytes:
    """Return what a run that nothing disturbs writes."""
    return run("split", bundle, "--chunk-size", "200").stdout


@pytest.fixture(scope="module")
def calls_of_a_run(bundle: Path) -> int:
    """Count the calls of functions in a run, imports included."""
    counted = run("split", bundle, "--chunk-size", "200", "-o", bundle.with_name("chunks.jsonl"), before=COUNTED)
    return int(counted.stderr.split()[-1])


def split_to(target: Path, bundle: Path, before: str = "") -> int:
    return run("split", bundle, "--chunk-size", "200", "-o", target, before=before).returncode


def assert_old_or_whole(target: Path, whole: bytes, bundle: Path) -> bool:
    """Assert that no half of an output stands under its name, and that another run puts it right; tell whether new."""
    found = target.read_bytes()
    assert found in (OLD.encode(), whole)
    for left in target.parent.iterdir():
        assert left == target or (left.name.startswith(".") and left.suffix == ".tmp"), "no name that a pattern takes"
    assert split_to(target, bundle) == 0
    assert target.read_bytes() == whole
    return found == whole


@pytest.mark.parametrize(
    ("events", "number", "is_new"),
    [("open", 1, False), ("os.chmod", 1, False), ("os.rename", 1, False), ("os.remove", 1, True)],
    ids=["before it is opened", "when it is written", "before it is renamed", "after it was renamed"],
)
def test_a_process_that_is_killed_at_a_step_of_writing_leaves_the_old_output_or_the_whole_new_one(
    target: Path, bundle: Path, whole: bytes, events: str, number: int, *, is_new: bool
) -> None:
    killing = KILLED_AT_EVENT.format(events=events, name=".tmp", number=number)
    assert split_to(target, bundle, killing) == -signal.SIGKILL
    assert assert_old_or_whole(target, whole, bundle) is is_new


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99])
def test_a_process_that_is_killed_anywhere_leaves_the_old_output_or_the_whole_new_one(
    target: Path, bundle: Path, whole: bytes, calls_of_a_run: int, share: float
) -> None:
    assert split_to(target, bundle, KILLED_AT_CALL.format(number=int(calls_of_a_run * share))) == -signal.SIGKILL
    assert_old_or_whole(target, whole, bundle)


class Dribble(io.RawIOBase):
    """Gives one byte for each call of the system, as a terminal gives lines."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        self.calls += 1
        memoryview(buffer)[:1] = b"x"
        return 1


def test_standard_input_is_read_by_one_call_of_the_system_at_a_time_so_that_signals_are_handled_between() -> None:
    dribble = Dribble()
    reported: list[int] = []
    assert reporting(io.BufferedReader(dribble), reported.append).read(100) == b"x"
    assert (dribble.calls, reported) == (1, [1])


LIMITED = """
import atexit, resource
limits = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, limits[1]))
atexit.register(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
"""


@pytest.mark.parametrize("short_by", [1, 2, 1000, None], ids=["1 byte", "2 bytes", "1,000 bytes", "all"])
def test_a_disk_that_is_full_at_any_byte_leaves_the_old_output(
    target: Path, bundle: Path, whole: bytes, short_by: int | None
) -> None:
    limit = 0 if short_by is None else len(whole) - short_by
    assert split_to(target, bundle, LIMITED.format(limit=limit)) == 1
    assert_untouched(target)


def test_a_disk_with_just_enough_room_is_enough(target: Path, bundle: Path, whole: bytes) -> None:
    assert split_to(target, bundle, LIMITED.format(limit=len(whole))) == 0
    assert target.read_bytes() == whole


def test_an_output_whose_folder_goes_away_is_an_error_that_names_it(target: Path) -> None:
    with halfway(target) as process:
        shutil.rmtree(target.parent)
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.close()
        assert process.wait(60) == 1
        said = process.stderr.read().decode()
    assert said.count("\n") == 1
    assert f"{target}: cannot be written: No such file or directory" in said


def test_a_bundle_that_goes_away_while_another_is_read_is_an_error_that_names_it(target: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.xml", written(tmp_path / "second.xml")
    os.mkfifo(first)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, "split", first, second, "-o", target)
        with first.open("wb") as pipe:  # opens when the command has begun to read
            second.unlink()
            pipe.write(b"<file path='a'>\nx\n</file>\n")
        ran = running.result()
    assert (ran.returncode, ran.stderr.count(b"\n")) == (1, 1)
    assert f"{second}: No such file or directory" in ran.stderr.decode()
    assert_untouched(target)
