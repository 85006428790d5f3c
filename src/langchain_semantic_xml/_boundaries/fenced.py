"""Markdown code fences in the text between elements: an element in one is an example (boundary rule 9)."""

from __future__ import annotations

import re

from langchain_semantic_xml._boundaries.scan import Undecided
from langchain_semantic_xml._text.window import Window

_LONGEST = 200  # lines; a longer fence is a pasted bundle and hides nothing
_LENGTHS = 16  # fences longer than this count as this long, so that the searches for their ends stay few

# CommonMark 0.31, 4.5: up to three spaces, three or more backticks or tildes, an info string (without backticks after
# backticks); the closing line has the same character at least as often, and no info string.
# A byte-order mark at the start of the text counts as blank.
_FENCE = re.compile(r"(?:^|\A\ufeff) {0,3}(`{3,}|~{3,})", re.MULTILINE)
_INFO_STRING = re.compile(r"[^`\n]*(?:\n|\Z)")


class Examples:
    """Says which elements stand in a fence, asked in the order of the text, in time linear in the text.

    Args:
        text: The whole text; a fence's closing line may stand after the element.
        complete: Whether the text ends where `text` does.
    """

    def __init__(self, text: str, *, complete: bool = True) -> None:
        self._text = text
        self._complete = complete
        self._gap = self._position = self._closing = -1
        self._opened = Window(text)
        self._closers: dict[tuple[str, int], _Closers] = {}

    def hide(self, gap: int, start: int, end: int) -> bool:
        """Say whether the element `[start, end)` is in a fence that begins in the text from `gap` on.

        Args:
            gap: Where the text after the last element begins; fences are counted from there.
            start: The element's start.
            end: The element's end; an element that the fence does not contain is none of its examples.

        Raises:
            Undecided: If what is still to come may change the answer.
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

    def _next_opening(self, position: int, limit: int) -> re.Match[str] | None:
        # A search for the characters alone is quick, and mostly all.
        text = self._text
        if text.find("```", position, limit) < 0 and text.find("~~~", position, limit) < 0:
            return None
        opening = _FENCE.search(text, position, limit)
        while opening and opening[1][0] == "`" and not _INFO_STRING.match(text, opening.end()):
            opening = _FENCE.search(text, opening.end(), limit)
        return opening

    def _close(self, opening: re.Match[str]) -> tuple[int, int]:
        """Return where the closing line of a fence begins (-1 if none hides anything), and where to look on."""
        fence = opening[1]
        key = fence[0], min(len(fence), _LENGTHS)
        closers = self._closers.get(key) or self._closers.setdefault(key, _Closers(self._text, *key))
        start, end, line = closers.after(opening.end())
        if not self._complete and (start < 0 or end == len(self._text)) and self._is_near_the_end(opening.end()):
            raise Undecided
        if start < 0 or line - self._opened.line_of(opening.start()) > _LONGEST:
            return -1, opening.end()
        return start, end

    def _is_near_the_end(self, position: int) -> bool:
        """Say whether the text has no more lines after `position` than a fence may have."""
        for _ in range(_LONGEST + 2):
            position = self._text.find("\n", position) + 1
            if not position:
                return True
        return False


class _Closers:
    """Finds the closing lines of fences of one character and length; quick when asked in ascending order."""

    def __init__(self, text: str, character: str, length: int) -> None:
        self._text = text
        self._pattern = re.compile(rf"^ {{0,3}}{character}{{{length},}}[ \t\r]*$", re.MULTILINE)
        self._lines = Window(text)
        self._asked = 0
        self._found: tuple[int, int, int] = (0, 0, 0)

    def after(self, position: int) -> tuple[int, int, int]:
        """Return start, end and line of the next closing line that begins after `position`; -1 where there is none."""
        if 0 <= self._found[0] <= position or position < self._asked:
            match = self._pattern.search(self._text, position)
            self._found = (*match.span(), self._lines.line_of(match.start())) if match else (-1, -1, -1)
        self._asked = position
        return self._found
