"""Make the mutants of a module in a copy of the package, judge them with mutmut, and read what it found."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
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
    --hypothesis-profile=mutation
pytest_add_cli_args_test_selection =
    {tests}
"""
_MUTMUT = "from mutmut.__main__ import cli; cli(prog_name='mutmut')"
_RESULT = re.compile(r" *(\S+__mutmut_\d+): (.+)")
_FUNCTION = re.compile(r"x(?:_|ǁ(?P<owner>\w+?)ǁ)(?P<name>\w+)__mutmut_\d+")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the mutants of a module.

    Args:
        statuses: How many mutants were killed, timed out, survived, and so on, in mutmut's words.
        explained: The names of the mutants that live for a known reason.
        unexplained: The names of the other mutants that live, and what they change.
        outdated: Changes that are explained, but no living mutant makes.
    """

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
        """Which share of all mutants the tests noticed."""
        return self.killed / self.statuses.total()


def judge(target: Target, folder: Path, *, processes: int, living_only: bool) -> Outcome:
    """Judge the mutants of `target` in a copy of the package.

    Args:
        target: The module and its tests.
        folder: Where the copy is, or will be.
        processes: How many mutants are judged at a time.
        living_only: Whether those that were killed in the last run stay killed.

    Raises:
        subprocess.CalledProcessError: If mutmut fails, most often because a test fails without any mutant.
    """
    if not living_only:
        shutil.rmtree(folder, ignore_errors=True)
    known = folder.is_dir()
    _prepare(target, folder)
    _run(folder, processes, _living(folder) if known else [])
    living = {name: _change_of(name, folder) for name in _living(folder)}
    reasons = explained_changes(target.module)
    return Outcome(
        Counter(_statuses(folder).values()),
        tuple(name for name, change in living.items() if change in reasons),
        {name: change for name, change in living.items() if change not in reasons},
        tuple(change for change in reasons if change not in living.values()),
    )


def _prepare(target: Target, folder: Path) -> None:
    for name in _FOLDERS:
        shutil.copytree(
            _ROOT / name, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    for name in _FILES:
        shutil.copy2(_ROOT / name, folder / name)
    tests = "\n    ".join(f"tests/{name}.py" for name in target.tests)
    (folder / "setup.cfg").write_text(_SETTINGS.format(module=target.module, tests=tests), encoding="utf-8")


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


def _living(folder: Path) -> list[str]:
    return [name for name, status in _statuses(folder).items() if status not in _KILLED]


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
