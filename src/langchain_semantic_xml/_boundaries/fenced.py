"""Markdown code fences in the text between elements: an element in one is an example."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cached_property

from langchain_semantic_xml._boundaries.horizon import Horizon, Undecided
from langchain_semantic_xml._boundaries.tags import ANY_OPENING
from langchain_semantic_xml._text.blanks import BYTE_ORDER_MARK, first_visible, skip_byte_order_mark
from langchain_semantic_xml._text.fences import FENCE, Fence, closing_fence, read_fence
from langchain_semantic_xml._text.window import Window

_LONGEST = 200
"""In lines; a longer fence is a pasted bundle and hides nothing."""
_WIDTHS = 16
"""Fences wider than this count as this wide, so that the searches for their closing lines stay few."""

# A byte-order mark at the start of the text counts as blank.
_FENCE_LINE = re.compile(rf"(?:^|\A{BYTE_ORDER_MARK}){FENCE}", re.MULTILINE)
# The first visible line after the opening line of a fence, if it is an opening tag alone on its line.
_OPENING_LINE = re.compile(rf"\s* {ANY_OPENING} [ \t\r]* (?:\n|\Z)", re.VERBOSE)


class FencedExamples:
    """Tells which elements stand in a fence; asked in the order of the text, in time linear in the text.

    Args:
        horizon: The whole text, since a fence's closing line may stand after the element.
        elements: The names of elements.

    Rule: B9.
    """

    def __init__(self, horizon: Horizon, elements: Container[str]) -> None:
        self._text = horizon.text
        self._complete = horizon.complete
        self._elements = elements
        self._gap = self._position = self._closing = -1
        self._opened = Window(self._text)
        self._closers: dict[tuple[str, int], _Closers] = {}

    def hide(self, gap: int, start: int, end: int) -> bool:
        """Return whether the element `[start, end)` is in a fence that begins in the text from `gap` on.

        Args:
            gap: Where the text after the last element begins; fences are counted from there.
            start: The element's start.
            end: The element's end; an element that goes on after the fence is no example.

        Raises:
            Undecided: If characters that have not been read may change the answer.
        """
        if gap != self._gap:
            self._gap = self._position = gap
            self._closing = -1
        while self._closing < start:
            opening = self._next_opening(self._position, start)
            if opening is None:
                self._position = start
                return False
            self._closing, self._position = self._close(opening)
        return end <= self._closing

    def _next_opening(self, position: int, limit: int) -> Fence | None:
        # A search for the characters alone is quick, and mostly all.
        text = self._text
        if text.find("```", position, limit) < 0 and text.find("~~~", position, limit) < 0:
            return None
        line = _FENCE_LINE.search(text, position, limit)
        while line and not (fence := read_fence(line)).opens:
            line = _FENCE_LINE.search(text, line.end(), limit)
        return fence if line else None

    def _close(self, opening: Fence) -> tuple[int, int]:
        """Return where the closing line of a fence begins (-1 if it hides nothing), and where to look on."""
        key = opening.mark, min(opening.width, _WIDTHS)
        closers = self._closers.get(key) or self._closers.setdefault(key, _Closers(self._text, *key))
        start, end, line = closers.after(opening.end)
        if not self._complete and (start < 0 or end == len(self._text)) and self._is_near_the_end(opening.end):
            raise Undecided
        if start < 0 or line - self._opened.line_of(opening.start) > _LONGEST or self._is_pasted_bundle(opening, end):
            return -1, opening.end
        return start, end

    def _is_pasted_bundle(self, opening: Fence, end: int) -> bool:
        """Return whether a fence holds a bundle that was sent as one code block.

        It begins the text, and either a container's opening line comes first in it, or its closing line, which ends at
        `end`, is the last visible line of the text.
        """
        text = self._text
        if self._gap != 0 or opening.start != self._first_visible:
            return False
        container = _OPENING_LINE.match(text, opening.end)
        if container and container["name"] not in self._elements:
            return True
        after = first_visible(text, end, len(text))
        if after == len(text) and not self._complete:
            raise Undecided
        return after == len(text)

    @cached_property
    def _first_visible(self) -> int:
        return first_visible(self._text, skip_byte_order_mark(self._text), len(self._text))

    def _is_near_the_end(self, position: int) -> bool:
        """Return whether the text has no more lines after `position` than a fence may have."""
        for _ in range(_LONGEST + 2):
            position = self._text.find("\n", position) + 1
            if not position:
                return True
        return False


class _Closers:
    """Finds the closing lines of fences of one character and width; quick when asked in ascending order."""

    def __init__(self, text: str, mark: str, width: int) -> None:
        self._text = text
        self._pattern = closing_fence(mark, width)
        self._lines = Window(text)
        self._asked = 0
        self._found: tuple[int, int, int] = (0, 0, 0)

    def after(self, position: int) -> tuple[int, int, int]:
        """Return start, end and line of the next closing line that begins after `position`; -1 without one."""
        if 0 <= self._found[0] <= position or position < self._asked:
            match = self._pattern.search(self._text, position)
            self._found = (*match.span(), self._lines.line_of(match.start())) if match else (-1, -1, -1)
        self._asked = position
        return self._found
