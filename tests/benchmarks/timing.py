"""How much processor time a call takes: what other processes do at the same time is not counted.

The garbage collector is off, so that no call pays for the objects of another.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")


@contextmanager
def _no_collection() -> Iterator[None]:
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _timed(call: Callable[[], Result]) -> tuple[float, Result]:
    """Return the processor's seconds of one call, and its result; freeing the result is not counted."""
    with _no_collection():
        start = time.process_time()
        result = call()
        return time.process_time() - start, result


def best(call: Callable[[], object], *, rounds: int) -> float:
    """Return the seconds of the fastest of several calls: noise only ever adds."""
    return min(_timed(call)[0] for _ in range(rounds))


class Sample(NamedTuple):
    """What several calls told: their median seconds, and the size of what they returned."""

    seconds: float
    size: int


def medians(calls: Mapping[str, Callable[[], Sized]], *, rounds: int, patience: float = 5.0) -> dict[str, Sample]:
    """Time each call in every round, so that a slow minute hits all alike; what takes longer than `patience`, once."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    sizes: dict[str, int] = {}
    for _ in range(rounds):
        for name, call in calls.items():
            if not taken[name] or taken[name][0] <= patience:
                seconds, result = _timed(call)
                taken[name].append(seconds)
                sizes[name] = len(result)
                del result
    return {name: Sample(median(times), sizes[name]) for name, times in taken.items()}
