"""A bundle that no one holds: how fast a stream is split, when the first Document comes, and how much memory it takes.

Run it alone, since what is told is the most that the process ever took.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator

from langchain_semantic_xml import SemanticXmlSplitter
from tests.benchmarks.corpus import EMOJI, LARGE_FILES, SMALL_FILES, Kind, bundle_text
from tests.benchmarks.tables import Table, say, say_header

_PATTERN_SIZE = 4_000_000
_PIECE = 1 << 16
_CHUNK_SIZE = 4_000


def run(*, megabytes: int) -> None:
    """Print the figures for bundles of so many megabytes."""
    say_header(f"streams: {megabytes:,} MB, never held as a whole")
    say(f"{_resident():.0f} MiB resident before the first.")
    table = Table(["", "Documents", "MB/s", "first, ms", "most MiB"], [30, 10, 8, 10, 9])
    for kind in (SMALL_FILES, LARGE_FILES):
        for emoji in (False, True):
            _measure(table, kind, megabytes, emoji=emoji)
    say()


def _measure(table: Table, kind: Kind, megabytes: int, *, emoji: bool) -> None:
    start = time.perf_counter()
    first, count = 0.0, 0
    for _ in SemanticXmlSplitter(_CHUNK_SIZE).lazy_split_text(_pieces(kind, megabytes * 1_000_000, emoji=emoji)):
        first = first or time.perf_counter() - start
        count += 1
    seconds = time.perf_counter() - start
    name = f"{kind.name}, {'emoji' if emoji else 'ASCII'}"
    table.row(name, f"{count:,}", f"{megabytes / seconds:.1f}", f"{first * 1e3:.1f}", f"{_resident():.0f}")


def _pieces(kind: Kind, size: int, *, emoji: bool) -> Iterator[str]:
    """Yield the pieces of a bundle: the same files again and again, each time with other tags around."""
    text = bundle_text(kind, _PATTERN_SIZE, emoji=False)
    if emoji:
        text = text.replace("\n\n<file", f"\n{EMOJI}\n<file")
    given = 0
    while given < size:
        for start in range(0, len(text), _PIECE):
            yield text[start : start + _PIECE]
        given += len(text)


def _resident() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
