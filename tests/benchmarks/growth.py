"""How time and memory grow with the text: the exponents over bundles of 1, 10 and 100 MB."""

from __future__ import annotations

import gc
import math
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator, Mapping

from langchain_semantic_xml import SemanticXmlSplitter, iter_blocks
from tests.benchmarks.corpus import LARGE_FILES, SMALL_FILES, Kind, bundle_text
from tests.benchmarks.tables import Table, say, say_header
from tests.benchmarks.timing import best

_MEGABYTES = (1, 10, 100)
_ROUNDS = {1: 5, 10: 3, 100: 1}
_MEMORY_MEGABYTES = (1, 4, 16)
"""Counting memory makes everything several times slower."""
_SPLITTER = SemanticXmlSplitter(4_000)
_PIECE = 1 << 16


def run() -> None:
    """Print a table for bundles of large files and one for those of small ones."""
    say_header("growth: seconds and peak memory, and the exponent with which each grows")
    say("Of memory, what Python allocates while the results are taken one by one and let go, the text itself apart.")
    say(f"Time at {_list(_MEGABYTES)} MB, memory at {_list(_MEMORY_MEGABYTES)} MB. The goal is at most 1.05.")
    for kind in (LARGE_FILES, SMALL_FILES):
        say()
        say(f"-- {kind.name}")
        table = Table(["", *(f"{size} MB" for size in _MEGABYTES), "exponent"], [26, 10, 10, 10, 9])
        times = _measured(kind, _MEGABYTES, _seconds)
        peaks = _measured(kind, _MEMORY_MEGABYTES, _peak)
        for name, seconds in times.items():
            table.row(f"{name}, s", *(f"{value:.3f}" for value in seconds), f"{exponent(_MEGABYTES, seconds):.3f}")
        table = Table(["", *(f"{size} MB" for size in _MEMORY_MEGABYTES), "exponent"], [26, 10, 10, 10, 9])
        for name, peak in peaks.items():
            shown = (f"{value / 1e6:.2f}" for value in peak)
            table.row(f"{name}, MB", *shown, f"{exponent(_MEMORY_MEGABYTES, peak):.3f}")
    say()


def exponent(sizes: tuple[int, ...], values: list[float]) -> float:
    """Return the slope of the line of least squares through the logarithms: 1 where values grow as sizes do."""
    xs, ys = [math.log(size) for size in sizes], [math.log(value) for value in values]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return covariance / sum((x - x_mean) ** 2 for x in xs)


def _list(sizes: tuple[int, ...]) -> str:
    return ", ".join(map(str, sizes))


def _jobs(text: str) -> Mapping[str, Callable[[], Iterator[object]]]:
    return {
        "iter_blocks": lambda: iter_blocks(text),
        "Documents": lambda: _SPLITTER.lazy_split_text(text),
        "Documents of a stream": lambda: _SPLITTER.lazy_split_text(_pieces(text)),
    }


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))


def _measured(
    kind: Kind, sizes: tuple[int, ...], measure: Callable[[Callable[[], Iterator[object]], int], float]
) -> dict[str, list[float]]:
    measured: dict[str, list[float]] = {}
    for size in sizes:
        text = bundle_text(kind, size * 1_000_000, emoji=False)
        for name, job in _jobs(text).items():
            measured.setdefault(name, []).append(measure(job, size))
    return measured


def _seconds(job: Callable[[], Iterator[object]], size: int) -> float:
    return best(lambda: deque(job(), maxlen=0), rounds=_ROUNDS[size])


def _peak(job: Callable[[], Iterator[object]], size: int) -> float:  # noqa: ARG001 - as for seconds
    gc.collect()
    tracemalloc.start()
    try:
        deque(job(), maxlen=0)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
