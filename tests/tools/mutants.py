"""Mutation testing: small changes are made to the modules that hold rules, and the tests must notice them.

`python -m tests.tools.mutants` makes and judges all mutants with mutmut, for hours; `--tenth` judges one in ten, always
the same ones. Patterns choose by name: `python -m tests.tools.mutants '*_sections.units*'`. It works in the folder
`mutants`, prints each mutant that lives with what it changes, and ends with 1 if fewer than 85 % were noticed. Some
mutants do the same as the original, for example faster or slower, so that no test can notice them.

`[tool.mutmut]` in pyproject.toml says which modules are mutated and which tests judge them: those of the same folders.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter

_GOAL = 0.85
_TENTH = "*__mutmut_*7"  # the numbers that end in 7
_RESULT = re.compile(r"^ *(\S+__mutmut_\d+): (.+)$", re.MULTILINE)
_NOTICED = {"killed", "timeout", "segfault", "caught by type check"}


def _mutmut(*arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def main() -> int:
    """Judge the mutants; return 1 if too few of them were noticed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="names of mutants, with *; all by default")
    parser.add_argument("--tenth", action="store_true", help="judge one in ten")
    parser.add_argument("--processes", type=int, default=2, help="how many at a time; %(default)s by default")
    options = parser.parse_args()
    patterns = [*options.patterns, *([_TENTH] if options.tenth else [])]
    _mutmut("run", "--max-children", str(options.processes), *patterns)
    results = [
        match.groups() for match in map(_RESULT.fullmatch, _mutmut("results", "--all", "true").splitlines()) if match
    ]
    judged = {name: status for name, status in results if status != "not checked"}
    living = {name: status for name, status in judged.items() if status not in _NOTICED}
    for name, status in living.items():
        sys.stdout.write(f"{status}: {_mutmut('show', name)}\n")
    share = 1 - len(living) / len(judged)
    statuses = ", ".join(f"{count} {status}" for status, count in Counter(judged.values()).most_common())
    sys.stdout.write(f"{share:.1%} of {len(judged)} mutants were noticed ({statuses})\n")
    return 0 if share >= _GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
