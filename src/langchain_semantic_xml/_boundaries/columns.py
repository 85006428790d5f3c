"""The tags of one name at one indentation: which closing each opening meets.

One pass forward with a stack and passes backward, each made when it is first asked for, answer every question in
constant time. A place is the index of a tag in its column.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container
from functools import cached_property
from itertools import accumulate, pairwise

from langchain_semantic_xml._boundaries.scan import CLOSE, OPEN, Tag
from langchain_semantic_xml._boundaries.tag_table import TagTable
from langchain_semantic_xml._boundaries.tags import ANY_CLOSING, ANY_OPENING
from langchain_semantic_xml._text.blanks import NOT_BLANK

_NEAREST = 64
_MANY = 3
"""A nesting over more elements than this is doubted if it contradicts an earlier closing."""

_WRAPPER_OPENING = re.compile(rf"^[ \t]* {ANY_OPENING}", re.MULTILINE | re.VERBOSE)
_WRAPPER_CLOSING = re.compile(ANY_CLOSING, re.VERBOSE)


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
        """Return whether a wrapper opens at a line start in the span `head` and closes in the span `tail`.

        Of many openings the last ones are looked at: a wrapper stands close to the run that it wraps.
        """
        first, last = (bisect_left(self._openings, (offset, 0, "")) for offset in head)
        for _, end, name in self._openings[max(first, last - _NEAREST) : last]:
            closings = self._closings.get(name, [])
            place = bisect_left(closings, tail[0])
            if end <= head[1] and place < len(closings) and closings[place] < tail[1]:
                return True
        return False

    @cached_property
    def _openings(self) -> list[tuple[int, int, str]]:
        matches = _WRAPPER_OPENING.finditer(self._text)
        return [(match.start(), match.end(), match["name"]) for match in matches if match["name"] not in self._elements]

    @cached_property
    def _closings(self) -> dict[str, list[int]]:
        closings: dict[str, list[int]] = {}
        for match in _WRAPPER_CLOSING.finditer(self._text):
            closings.setdefault(match["name"], []).append(match.start())
        return closings


class Column:
    """The openings and closings of one name and one indentation that fill their lines.

    Args:
        table: The tags of the text.
        wrappers: The wrappers of the text.

    Attributes:
        tags: The tags of the column, in order.
    """

    def __init__(self, table: TagTable, wrappers: Wrappers) -> None:
        self.tags: list[Tag] = []
        self._table = table
        self._wrappers = wrappers

    def find_closing(self, place: int) -> Tag | None:
        """Return the closing that ends the element opened at `place`; `None` where the column has none.

        Raises:
            Undecided: If a tag that has not been read may change the answer.

        Rule: B2, B3, B4, B5.
        """
        balanced = self._balanced[place]
        self._table.horizon.need(settled=balanced >= 0 and self._run_end[balanced] < len(self.tags) - 1)
        if balanced < 0:
            followed = self._next_followed[place]
            end = followed if followed >= 0 else self._next_closing[place]
        elif self._is_doubtful(place, balanced):
            end = self._next_followed[place]
        else:
            end = self._run_end[balanced]
        return self.tags[end] if end >= 0 else None

    def _is_doubtful(self, place: int, balanced: int) -> bool:
        """Return whether a nesting contradicts an earlier followed closing, and nothing speaks for the nesting.

        Rule: B5.
        """
        inner = (balanced - place) // 2
        if inner <= _MANY or not 0 <= self._next_followed[place] < balanced:
            return False
        if self._texts_before[balanced] > self._texts_before[place + 1]:
            return False
        head = self.tags[place].end, self.tags[place + 1].start
        tail = self.tags[balanced - 1].end, self.tags[balanced].start
        return not self._wrappers.enclose(head, tail)

    @cached_property
    def _balanced(self) -> list[int]:
        """For each opening the closing that brings the depth back; -1 where none does.

        Rule: B2.
        """
        balanced = [-1] * len(self.tags)
        stack: list[int] = []
        for place, tag in enumerate(self.tags):
            if tag.kind is OPEN:
                stack.append(place)
            elif stack:
                balanced[stack.pop()] = place
        return balanced

    @cached_property
    def _run_end(self) -> list[int]:
        """For each closing the last one before the next opening.

        Rule: B3.
        """
        run_end = list(range(len(self.tags)))
        for place in range(len(self.tags) - 2, -1, -1):
            if self.tags[place].kind is CLOSE and self.tags[place + 1].kind is CLOSE:
                run_end[place] = run_end[place + 1]
        return run_end

    @cached_property
    def _next_closing(self) -> list[int]:
        """For each place the next closing; -1 where there is none."""
        return _next_where([tag.kind is CLOSE for tag in self.tags])

    @cached_property
    def _next_followed(self) -> list[int]:
        """For each place the next closing that is followed as the closing of an element is; -1 where there is none.

        Rule: B4.
        """
        return _next_where([tag.kind is CLOSE and self._table.is_followed(tag) for tag in self.tags])

    @cached_property
    def _texts_before(self) -> list[int]:
        """For each place how many openings up to it come after a closing and some text.

        Rule: B5.
        """
        text = self._table.text
        after_text = (
            first.kind is CLOSE and second.kind is OPEN and bool(NOT_BLANK.search(text, first.end, second.start))
            for first, second in pairwise(self.tags)
        )
        return list(accumulate(after_text, initial=0))


def _next_where(wanted: list[bool]) -> list[int]:
    """Return, for each place, the next place that is wanted; -1 where there is none."""
    following = [-1] * len(wanted)
    for place in range(len(wanted) - 2, -1, -1):
        following[place] = place + 1 if wanted[place + 1] else following[place + 1]
    return following
