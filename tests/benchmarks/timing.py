"""How long a call takes: with the garbage collector off, so that no call pays for the objects of another."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median

Call = Callable[[], object]


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


def seconds(call: Call) -> float:
    """Return the seconds of one call; throwing the result away is not counted."""
    with _no_collection():
        start = time.perf_counter()
        result = call()
        taken = time.perf_counter() - start
    del result
    return taken


def best(call: Call, *, rounds: int) -> float:
    """Return the seconds of the fastest of several calls: noise only ever adds."""
    return min(seconds(call) for _ in range(rounds))


def medians(calls: Mapping[str, Call], *, rounds: int) -> dict[str, float]:
    """Return the median seconds of each call; every round runs all of them, so that a slow minute hits all alike."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            taken[name].append(seconds(call))
    return {name: median(times) for name, times in taken.items()}
