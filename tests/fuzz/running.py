"""Check the inputs of a run, in one process or several, and count what was done."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from time import monotonic
from typing import TextIO

from langchain_semantic_xml import SemanticXmlSplitter
from tests.fuzz.inputs import LARGE_EVERY, Input, fits_something, is_large, make_input
from tests.fuzz.reports import Failure, as_test, failure_of
from tests.fuzz.shrinking import shrink

_SHOWN_EVERY = 60.0


@dataclass(slots=True)
class Tally:
    """What was done.

    Args:
        inputs: How many inputs were checked.
        large: How many of them had more than a million characters.
        characters: How many characters they had together.
        kinds: How many inputs failed, by the kind of failure.
        slowest: The seconds of the slowest input, and its number.
    """

    inputs: int = 0
    large: int = 0
    characters: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)

    def add(self, other: Tally) -> None:
        """Take over what another process did."""
        self.inputs += other.inputs
        self.large += other.large
        self.characters += other.characters
        self.kinds += other.kinds
        self.slowest = max(self.slowest, other.slowest)


@dataclass(frozen=True, slots=True)
class Run:
    """Which inputs to check, and for how long.

    Args:
        seed: What the inputs are made with.
        first: The number of the first input.
        end: The number after the last one.
        processes: How many processes share them.
        seconds: After so long no further input is begun; `None` for no limit.
        splitter: The class that is checked.
    """

    seed: int
    first: int
    end: int
    processes: int = 1
    seconds: float | None = None
    splitter: type[SemanticXmlSplitter] = SemanticXmlSplitter


def fuzz(run: Run, *, quiet: bool = False) -> Tally:
    """Check the inputs of a run, in one process or several; print each new kind of failure as a test."""
    if run.processes == 1:
        return _share(run, quiet, 0)
    total = Tally()
    with get_context("spawn").Pool(run.processes) as pool:
        for tally in pool.imap_unordered(partial(_share, run, quiet), range(run.processes)):
            total.add(tally)
    return total


def _share(run: Run, quiet: bool, share: int) -> Tally:
    """Check the inputs of one process: a thousand of them, of which one is large, then the thousand after the next."""
    tally = Tally()
    began = shown = monotonic()
    for number in range(run.first, run.end):
        if number // LARGE_EVERY % run.processes != share:
            continue
        start = monotonic()
        if run.seconds is not None and start - began > run.seconds:
            break
        if not quiet and share == 0 and start - shown > _SHOWN_EVERY:
            shown = start
            write(sys.stderr, f"{tally.inputs:,} inputs after {start - began:.0f} s in the first process\n")
        found = make_input(run.seed, number)
        tally.inputs += 1
        tally.large += is_large(found.text)
        tally.characters += len(found.text)
        failure = failure_of(found, run.splitter)
        tally.slowest = max(tally.slowest, (monotonic() - start, number))
        if failure is None:
            continue
        tally.kinds[failure.kind] += 1
        if not quiet and tally.kinds[failure.kind] == 1:
            name = f"seed_{run.seed}_input_{number}"
            write(sys.stdout, f"\n{as_test(shrunk(found, failure, run.splitter), name, failure)}\n\n")
    return tally


def shrunk(found: Input, failure: Failure, splitter: type[SemanticXmlSplitter] = SemanticXmlSplitter) -> Input:
    """Make an input as small as it can be while it fails in the same way."""

    def still_fails(smaller: Input) -> bool:
        other = failure_of(smaller, splitter) if fits_something(smaller.options) else None
        return other is not None and other.kind == failure.kind

    return shrink(found, still_fails)


def write(stream: TextIO, text: str) -> None:
    """Write at once, so that what several processes print is not mixed and nobody waits for it."""
    stream.write(text)
    stream.flush()
