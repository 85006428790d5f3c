"""Run the benchmarks that are named, or all of them: `python -m tests.benchmarks [--large] [--write] [NAME ...]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import (
    definitions,
    fill,
    giants,
    growth,
    growth_search,
    linear,
    measured,
    nested,
    page,
    scaling,
    speed,
    streams,
    syntax,
)
from tests.benchmarks.retrieval import command as retrieval

BENCHMARKS: dict[str, Callable[[argparse.Namespace], None]] = {
    "definitions": lambda options: definitions.run(options.folder),
    "fill": lambda _: fill.run(),
    "growth": lambda _: growth.run(),
    "growth-search": lambda options: (
        giants.run() if options.large else growth_search.run(options.seconds, options.seed)
    ),
    "linear": lambda options: linear.run(options.shape),
    "measured": lambda _: measured.run(),
    "nested": lambda _: nested.run(),
    "retrieval": retrieval.run,
    "scaling": lambda _: scaling.run(),
    "speed": lambda options: speed.run(large=options.large),
    "streams": lambda options: streams.run(megabytes=options.megabytes),
    "syntax": lambda _: syntax.run(),
}
"""What each name runs. A new benchmark is a module with a function `run`, a line here, and one in `page.SECTIONS`."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "name", nargs="*", choices=[*BENCHMARKS, []], help=f"any of {', '.join(BENCHMARKS)}; all by default"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="write what is printed into docs/benchmarks.md, a section for each",
    )
    parser.add_argument(
        "--large", action="store_true", help="speed: bundles of 100 MB too; growth-search: 100 MB of known shapes"
    )
    parser.add_argument(
        "--shape", action="append", default=[], help="linear: only shapes whose name holds this; repeatable"
    )
    parser.add_argument(
        "--folder",
        action="append",
        default=[],
        type=Path,
        help="definitions: a folder with sources, beside the installed packages; repeatable",
    )
    parser.add_argument("--megabytes", type=int, default=200, help="streams: how long each is; 200 by default")
    retrieval.add_options(parser)
    parser.add_argument("--seconds", type=float, default=60.0, help="growth-search: how long; 60 by default")
    parser.add_argument("--seed", type=int, default=1, help="growth-search: what it begins with; 1 by default")
    options = parser.parse_args()
    flags = [argument for argument in sys.argv[1:] if argument not in {"--write", *BENCHMARKS}]
    for name in options.name or BENCHMARKS:
        with page.record_output() as output:
            BENCHMARKS[name](options)
        if options.write:
            page.write_section(name, flags, output.getvalue())


if __name__ == "__main__":
    main()
