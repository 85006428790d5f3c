"""The tags of other names around a run of elements: a container of the run's own."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container
from functools import cached_property

from langchain_semantic_xml._boundaries.tags import ANY_CLOSING, ANY_OPENING

_NEAREST = 64

_OPENING = re.compile(ANY_OPENING, re.VERBOSE)
_OPENING_LINE = re.compile(rf"^[ \t]* {ANY_OPENING}", re.MULTILINE | re.VERBOSE)
_CLOSING = re.compile(ANY_CLOSING, re.VERBOSE)


class Wrappers:
    """The tags of other names that may wrap a run of elements, found in one pass when they are first asked for.

    Args:
        text: The text.
        elements: The names of elements, which no wrapper has.

    Rule: B5.
    """

    def __init__(self, text: str, elements: Container[str]) -> None:
        self._text = text
        self._elements = elements

    def enclose(self, head: tuple[int, int], tail: tuple[int, int]) -> bool:
        """Return whether a wrapper opens in the span `head` and closes in the span `tail`.

        It opens at the start of a line, or at the start of `head`: content may be glued to the tag before it. Of many
        openings the last ones are looked at: a wrapper stands close to the run that it wraps.
        """
        glued = _OPENING.match(self._text, head[0], head[1])
        if glued and glued["name"] not in self._elements and self._closes(glued["name"], tail):
            return True
        first, last = (bisect_left(self._openings, (offset, 0, "")) for offset in head)
        return any(
            end <= head[1] and self._closes(name, tail)
            for _, end, name in self._openings[max(first, last - _NEAREST) : last]
        )

    def _closes(self, name: str, tail: tuple[int, int]) -> bool:
        closings = self._closings.get(name, [])
        place = bisect_left(closings, tail[0])
        return place < len(closings) and closings[place] < tail[1]

    @cached_property
    def _openings(self) -> list[tuple[int, int, str]]:
        matches = _OPENING_LINE.finditer(self._text)
        return [(match.start(), match.end(), match["name"]) for match in matches if match["name"] not in self._elements]

    @cached_property
    def _closings(self) -> dict[str, list[int]]:
        closings: dict[str, list[int]] = {}
        for match in _CLOSING.finditer(self._text):
            closings.setdefault(match["name"], []).append(match.start())
        return closings
