"""Run the fuzzer: `python -m tests.fuzz --inputs N --seed S [--seconds T] [--processes P] [--only NUMBER]`."""

from __future__ import annotations

import argparse
import sys
from time import monotonic

from tests.fuzz.running import Run, Tally, fuzz, write


def _summary(tally: Tally, seconds: float) -> str:
    slowest, number = tally.slowest
    lines = [
        f"inputs            {tally.inputs:,}",
        f"over 1 MB         {tally.large:,}",
        f"characters        {tally.characters:,}",
        f"seconds           {seconds:,.1f} ({tally.inputs / max(seconds, 1e-9):,.0f} inputs a second)",
        f"slowest input     {number:,} ({slowest:.2f} s)",
        f"failures          {tally.kinds.total():,}",
        f"distinct kinds    {len(tally.kinds):,}",
        *(f"  {times:,} x {kind}" for kind, times in tally.kinds.most_common()),
    ]
    return "\n".join(lines) + "\n"


def _whole_number(text: str) -> int:
    value = int(text)
    if value < 1:
        msg = f"{text} is too small; give a whole number >= 1"
        raise argparse.ArgumentTypeError(msg)
    return value


def main() -> int:
    """Run the command; return 1 if an input broke a law."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=_whole_number, default=10_000, help="how many; %(default)s by default")
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed gives the same inputs; %(default)s by default"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first input; %(default)s by default")
    parser.add_argument("--seconds", type=float, help="begin no further input after so long")
    parser.add_argument(
        "--processes",
        type=_whole_number,
        default=1,
        help="that share the inputs, a thousand at a time; %(default)s by default",
    )
    parser.add_argument("--only", type=int, metavar="NUMBER", help="check the input of this number alone")
    options = parser.parse_args()
    first, inputs = (options.first, options.inputs) if options.only is None else (options.only, 1)

    began = monotonic()
    tally = fuzz(Run(options.seed, first, first + inputs, options.processes, options.seconds))
    write(sys.stdout, _summary(tally, monotonic() - began))
    return 1 if tally.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
