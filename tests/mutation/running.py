"""Make the mutants of a module in a copy of the package, judge them with mutmut, and read what it found."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.mutation.explained import Change, explained_changes
from tests.mutation.targets import Target

_ROOT = Path(__file__).parents[2]
_FOLDERS = ("src", "tests")
_FILES = ("pyproject.toml", "README.md")
_KILLED = ("killed", "timeout", "segfault")
# Endless loops are ended by `pytest_plugin`, which counts CPU time; mutmut counts the time that passes.
_SETTINGS = """\
[mutmut]
source_paths = src
only_mutate = src/langchain_semantic_xml/{module}.py
timeout_multiplier = 10.0
timeout_constant = 5.0
pytest_add_cli_args =
    -p
    tests.mutation.pytest_plugin
    --hypothesis-profile=mutation{deselected}
pytest_add_cli_args_test_selection =
    {tests}
"""
_MUTMUT = "from mutmut.__main__ import cli; cli(prog_name='mutmut')"
# What `mutmut run` does first; there is no command that does no more.
_MAKE = """\
from mutmut import __main__ as mutmut
mutmut.set_mutant_under_test("mutant_generation")
mutmut.makedirs("mutants", exist_ok=True)
mutmut.copy_src_dir()
mutmut.copy_also_copy_files()
mutmut.setup_source_paths()
mutmut.create_mutants(1)
"""
_SEED = 20261130
_RESULT = re.compile(r" *(\S+__mutmut_\d+): (.+)")
_FUNCTION = re.compile(r"x(?:_|ǁ(?P<owner>\w+?)ǁ)(?P<name>\w+)__mutmut_\d+")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the mutants of a module.

    Args:
        made: How many mutants there are.
        statuses: How many of those that were judged were killed, timed out, survived, and so on, in mutmut's words.
        explained: The names of the mutants that live for a known reason.
        unexplained: The names of the other mutants that live, and what they change.
        outdated: Changes that are explained, but no living mutant makes; none are known where only some were judged.
    """

    made: int
    statuses: Counter[str]
    explained: tuple[str, ...]
    unexplained: dict[str, Change]
    outdated: tuple[Change, ...]

    @property
    def killed(self) -> int:
        """How many mutants the tests noticed."""
        return sum(self.statuses[status] for status in _KILLED)

    @property
    def share(self) -> float:
        """Which share of the judged mutants the tests noticed."""
        return self.killed / self.statuses.total()


def judge(
    target: Target, folder: Path, *, processes: int, living_only: bool = False, sample: int | None = None
) -> Outcome:
    """Judge the mutants of `target` in a copy of the package.

    Args:
        target: The module and its tests.
        folder: Where the copy is, or will be.
        processes: How many mutants are judged at a time.
        living_only: Whether those that were killed in the last run stay killed.
        sample: How many are judged; the same ones in every run. `None` means all.

    Raises:
        subprocess.CalledProcessError: If mutmut fails, most often because a test fails without any mutant.
    """
    if not living_only:
        shutil.rmtree(folder, ignore_errors=True)
    _prepare(target, folder)
    made = _statuses(folder)
    judged = _sample(made, sample)
    _run(folder, processes, [name for name in judged if made[name] not in _KILLED])
    statuses = _statuses(folder)
    living = {name: _change_of(name, folder) for name in judged if statuses[name] not in _KILLED}
    reasons = explained_changes(target.module)
    complete = len(judged) == len(made)
    return Outcome(
        len(made),
        Counter(statuses[name] for name in judged),
        tuple(name for name, change in living.items() if change in reasons),
        {name: change for name, change in living.items() if change not in reasons},
        tuple(change for change in reasons if complete and change not in living.values()),
    )


def _prepare(target: Target, folder: Path) -> None:
    for name in _FOLDERS:
        shutil.copytree(
            _ROOT / name, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    for name in _FILES:
        shutil.copy2(_ROOT / name, folder / name)
    tests = "\n    ".join(f"tests/{name}.py" for name in target.tests)
    deselected = "".join(f"\n    --deselect=tests/{name}" for name in target.without)
    settings = _SETTINGS.format(module=target.module, tests=tests, deselected=deselected)
    (folder / "setup.cfg").write_text(settings, encoding="utf-8")
    subprocess.run([sys.executable, "-c", _MAKE], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _sample(names: Iterable[str], size: int | None) -> list[str]:
    """Return the names in order, or as many of them as are wanted, drawn by a fixed seed."""
    ordered = sorted(names)
    if size is None or size >= len(ordered):
        return ordered
    return sorted(random.Random(_SEED).sample(ordered, size))  # noqa: S311 - nothing secret


def _run(folder: Path, processes: int, names: list[str]) -> None:
    with (folder / "mutmut.log").open("w", encoding="utf-8") as log:
        _mutmut(folder, "run", "--max-children", str(processes), *names, stdout=log)


def _mutmut(folder: Path, *arguments: str, stdout: IO[str] | int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _MUTMUT, *arguments],
        cwd=folder,
        check=True,
        stdout=stdout,
        encoding="utf-8",
    )


def _statuses(folder: Path) -> dict[str, str]:
    """Return the status of each mutant by its name."""
    listed = _mutmut(folder, "results", "--all", "true", stdout=subprocess.PIPE).stdout
    return {match[1]: match[2] for match in map(_RESULT.fullmatch, listed.splitlines()) if match}


def _change_of(name: str, folder: Path) -> Change:
    function = _FUNCTION.fullmatch(name.rpartition(".")[2])
    if function is None:
        msg = f"{name!r} is no name that mutmut 3 gives to a mutant; see whether it names them differently now"
        raise ValueError(msg)
    lines = _mutmut(folder, "show", name, stdout=subprocess.PIPE).stdout.splitlines()
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign) and not line.startswith(sign * 3))
        for sign in "-+"
    )
    return Change(".".join(filter(None, function.group("owner", "name"))), before, after)
