"""A bundle that no one holds: how fast a stream is split, when its first Document comes, and what memory it takes."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from langchain_semantic_xml import SemanticXmlSplitter
from tests.benchmarks.corpus import EMOJI, LARGE_FILES, SMALL_FILES, Kind, bundle_text
from tests.benchmarks.tables import Table, say, say_header

_PATTERN_SIZE = 4_000_000
_PIECE = 1 << 16
_CHUNK_SIZE = 4_000


class _Figures(NamedTuple):
    """What splitting one stream told: memory is the process's own, in MiB, before and at most."""

    documents: int
    seconds: float
    first: float
    before: float
    most: float


def run(*, megabytes: int) -> None:
    """Print the figures for bundles of so many megabytes."""
    say_header(f"streams: {megabytes:,} MB, never held as a whole")
    say("Each in a process of its own; resident memory before the splitter's first and at most, with the pattern that")
    say("the stream repeats.")
    table = Table(["", "Documents", "MB/s", "first, ms", "MiB before", "MiB at most"], [24, 10, 8, 10, 11, 12])
    for kind in (SMALL_FILES, LARGE_FILES):
        for emoji in (False, True):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                figures = process.submit(_measure, kind, megabytes * 1_000_000, emoji=emoji).result()
            table.row(
                f"{kind.name}, {'emoji' if emoji else 'ASCII'}",
                f"{figures.documents:,}",
                f"{megabytes / figures.seconds:.1f}",
                f"{figures.first * 1e3:.1f}",
                f"{figures.before:.0f}",
                f"{figures.most:.0f}",
            )
    say()


def _measure(kind: Kind, size: int, *, emoji: bool) -> _Figures:
    pattern = bundle_text(kind, _PATTERN_SIZE, emoji=False)
    if emoji:
        pattern = pattern.replace("\n\n<file", f"\n{EMOJI}\n<file")
    before = _resident()
    start = time.perf_counter()
    first, count = 0.0, 0
    for _ in SemanticXmlSplitter(_CHUNK_SIZE).lazy_split_text(_pieces(pattern, size)):
        first = first or time.perf_counter() - start
        count += 1
    return _Figures(count, time.perf_counter() - start, first, before, _resident())


def _pieces(pattern: str, size: int) -> Iterator[str]:
    """Yield the pieces of a text of at least so many characters: the pattern again and again."""
    for _ in range(0, size, len(pattern)):
        for start in range(0, len(pattern), _PIECE):
            yield pattern[start : start + _PIECE]


def _resident() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
