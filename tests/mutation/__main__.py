"""Run mutation testing: `python -m tests.mutation [MODULE ...]`; `--help` tells of the options."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.mutation.running import Outcome, judge
from tests.mutation.targets import TARGETS, Target

_GOAL = 0.85


def _report(module: str, outcome: Outcome) -> str:
    statuses = ", ".join(f"{count} {status}" for status, count in outcome.statuses.most_common())
    judged = outcome.statuses.total()
    drawn = "" if judged == outcome.made else f", drawn by a fixed seed from {outcome.made},"
    first = (
        f"{module}: {outcome.killed} of {judged} mutants{drawn} killed ({outcome.share:.1%}), "
        f"{len(outcome.explained)} explained, {len(outcome.unexplained)} not [{statuses}]"
    )
    lines = [first, *(f"  lives: {name}\n    {change}" for name, change in outcome.unexplained.items())]
    lines += [f"  explained, but no mutant that lives: {change}" for change in outcome.outdated]
    return "\n".join(lines) + "\n"


def _target(module: str) -> Target:
    if module not in TARGETS:
        msg = f"{module!r} is not mutated; name one of {', '.join(TARGETS)}"
        raise argparse.ArgumentTypeError(msg)
    return TARGETS[module]


def main() -> int:
    """Run the command; return 1 if too few mutants were killed, or one lives that is not explained."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Judge the mutants of modules.")
    parser.add_argument(
        "targets", nargs="*", type=_target, metavar="MODULE", help=f"{', '.join(TARGETS)}; all by default"
    )
    parser.add_argument("--living", action="store_true", help="judge those alone that lived in the last run")
    parser.add_argument("--sample", type=int, metavar="N", help="judge N mutants of each module, the same each time")
    parser.add_argument("--processes", type=int, default=1, help="how many at a time; %(default)s by default")
    parser.add_argument(
        "--folder", type=Path, default=Path("build", "mutation"), help="for the copies; %(default)s by default"
    )
    options = parser.parse_args()
    good = True
    for target in options.targets or TARGETS.values():
        folder = options.folder / target.module
        outcome = judge(target, folder, processes=options.processes, living_only=options.living, sample=options.sample)
        sys.stdout.write(_report(target.module, outcome))
        good = good and outcome.share >= _GOAL and not outcome.unexplained
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
