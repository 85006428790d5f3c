"""Make a failing input small: first its text, then its options, then its text again.

Nothing here knows what fails; the one thing asked is whether a smaller input still fails in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from time import monotonic

from langchain_semantic_xml.typing import SplitterOptions
from tests.fuzz.inputs import Input

StillFails = Callable[[Input], bool]


def shrink(found: Input, still_fails: StillFails, *, seconds: float = 60.0) -> Input:
    """Return a smaller input that fails as `found` does, the smallest that is found in time.

    Args:
        found: An input that fails.
        still_fails: Tells whether another one fails in the same way.
        seconds: How long to look.
    """
    deadline = monotonic() + seconds

    def fails_in_time(smaller: Input) -> bool:
        return monotonic() < deadline and still_fails(smaller)

    smallest = None
    while smallest != found:
        smallest = found
        found = _with_less_text(found, fails_in_time)
        found = _with_fewer_options(found, fails_in_time)
        found = _with_plainer_text(found, fails_in_time)
    return found


def _with_less_text(found: Input, still_fails: StillFails) -> Input:
    """Delete stretches: halves, quarters, ... then lines, then characters."""
    size = len(found.text) // 2
    while size > 64:
        found = _without_stretches(found, size, still_fails)
        size //= 2
    found = _without_lines(found, still_fails)
    for short in (16, 4, 2, 1):
        found = _without_stretches(found, short, still_fails)
    return found


def _without_stretches(found: Input, size: int, still_fails: StillFails) -> Input:
    start = 0
    while start < len(found.text):
        smaller = replace(found, text=found.text[:start] + found.text[start + size :])
        if still_fails(smaller):
            found = smaller
        else:
            start += size
    return found


def _without_lines(found: Input, still_fails: StillFails) -> Input:
    lines = found.text.split("\n")
    number = 0
    while number < len(lines):
        smaller = replace(found, text="\n".join(lines[:number] + lines[number + 1 :]))
        if still_fails(smaller):
            found = smaller
            del lines[number]
        else:
            number += 1
    return found


def _with_plainer_text(found: Input, still_fails: StillFails) -> Input:
    """Put a letter in the place of each character that need not be what it is."""
    for at, character in enumerate(found.text):
        if character == "x":
            continue
        plainer = replace(found, text=f"{found.text[:at]}x{found.text[at + 1 :]}")
        if still_fails(plainer):
            found = plainer
    return found


def _with_fewer_options(found: Input, still_fails: StillFails) -> Input:
    """Give options their defaults, and numbers smaller values."""
    if found.metadata and still_fails(plain := replace(found, metadata={})):
        found = plain
    for option in tuple(found.options):
        fewer = replace(
            found, options=_options({name: value for name, value in found.options.items() if name != option})
        )
        if still_fails(fewer):
            found = fewer
    for option, value in tuple(found.options.items()):
        if type(value) is int:
            found = _with_smaller_number(found, option, value, still_fails)
    return found


def _with_smaller_number(found: Input, option: str, value: int, still_fails: StillFails) -> Input:
    for smaller in _below(value):
        candidate = replace(found, options=_options({**found.options, option: smaller}))
        if still_fails(candidate):
            return candidate
    return found


def _below(value: int) -> Iterator[int]:
    """Yield numbers from 0 up to `value`, the small ones first, then ever closer ones."""
    yield from range(min(value, 20))
    gap = value // 2
    while gap and value - gap > 20:
        yield value - gap
        gap //= 2


def _options(options: Mapping[str, object]) -> SplitterOptions:
    made = SplitterOptions()
    made.update(options)  # type: ignore[typeddict-item]
    return made
