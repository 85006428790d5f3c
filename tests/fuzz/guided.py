"""Fuzz with coverage as the guide: `python -m tests.fuzz.guided --target blocks|splitter --seconds N [--corpus DIR]`.

Atheris mutates bytes, keeps those that reach new branches of the package, and mutates these further; `encoding` says
what input bytes stand for. Texts of `tests/data` are where it begins. What breaks a law is shrunk and printed as a
test, once for each kind, and the run goes on. Needs `pip install atheris`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

_LONGEST_INPUT = {"blocks": 320, "splitter": 512}
"""In bytes; the reference, which blocks are compared with, takes time that grows with the square."""
_SLOWEST_INPUT = 300
"""In seconds; one that takes longer ends the run. Shrinking a failure is counted too."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; ends the process with 1 if an input broke a law."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("--target", choices=list(_LONGEST_INPUT), default="splitter", help="%(default)s by default")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long; %(default)s by default")
    parser.add_argument("--seed", type=int, default=1, help="%(default)s by default")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what reached new branches for the next run")
    options = parser.parse_args(arguments)
    if options.corpus:
        _fuzz(options, options.corpus)
    else:
        with TemporaryDirectory() as corpus:
            _fuzz(options, Path(corpus))


def _fuzz(options: argparse.Namespace, corpus: Path) -> None:
    atheris = _atheris()
    # Only what is imported in here is watched, and this module imports nothing of the package above.
    with atheris.instrument_imports(include=["langchain_semantic_xml"]):
        targets = importlib.import_module("tests.fuzz.targets")
    target = targets.Target(options.target, options.seconds, end=os._exit)
    corpus.mkdir(parents=True, exist_ok=True)
    for name, data in targets.seeds():
        (corpus / name).write_bytes(data)
    flags = {
        "max_total_time": int(options.seconds) + 1,
        "max_len": _LONGEST_INPUT[options.target],
        "seed": options.seed,
        "timeout": _SLOWEST_INPUT,
        "rss_limit_mb": 4096,
        "print_final_stats": 1,
    }
    command = [sys.argv[0], *(f"-{flag}={value}" for flag, value in flags.items()), str(corpus)]
    atheris.Setup(command, target.check)
    atheris.Fuzz()


def _atheris() -> ModuleType:
    try:
        return importlib.import_module("atheris")
    except ImportError as error:
        msg = "guided fuzzing needs atheris: pip install atheris"
        raise ImportError(msg) from error


if __name__ == "__main__":
    main()
