"""A text without its blanks: what splitters keep, whatever they do to white space, and what is therefore counted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range."""

    start: int
    end: int


def without_blanks(text: str) -> str:
    """Return `text` without its blanks."""
    return "".join(text.split())


class Ink:
    """The characters of a text that are not blank, and where they were.

    Args:
        text: Any string.

    Attributes:
        text: Its characters that are not blank.

    Example:
        >>> ink = Ink("a = b")
        >>> ink.text, ink.span(2, 5)
        ('a=b', Span(start=1, end=3))
    """

    def __init__(self, text: str) -> None:
        self.text = without_blanks(text)
        self._before = [0, *accumulate(not character.isspace() for character in text)]

    def span(self, start: int, end: int) -> Span:
        """Return the range of ink that a range of the text holds."""
        return Span(self._before[start], self._before[end])


def overlap(span: Span, others: Iterable[Span]) -> int:
    """Return how much of a span is in any of others, each character counted once.

    Example:
        >>> overlap(Span(10, 20), [Span(18, 30), Span(0, 12), Span(11, 13)])
        5
    """
    covered = 0
    reached = span.start
    for start, end in sorted(others):
        begin, stop = max(start, reached), min(end, span.end)
        if begin < stop:
            covered += stop - begin
            reached = stop
    return covered
