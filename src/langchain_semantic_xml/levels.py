"""Inner boundaries: which kinds a text has, and where they are in a stretch of it.

Knows patterns and positions. Does not know which languages there are, nor what becomes of a boundary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LOOK_AHEAD = 200
"""How far a pattern may look past its cut: enough for the modifiers before a definition's keyword."""
LOOK_BEHIND = 400
"""How long a comment line may be that is recognised above a definition."""
_RARE = 2
"""A literal of fewer characters is not worth a search of its own."""


@dataclass(frozen=True, slots=True)
class Level:
    r"""One kind of inner boundary: given by a literal, or else by a pattern.

    Args:
        literal: A cut is after the first character of each occurrence: `"\n# "` cuts before the line.
        pattern: A cut is where a match ends. Several levels may share one, so that it is searched for once.
        groups: Of the matches, those whose last group is one of these; `None` stands for no group.
        attached: A line directly above a cut that matches this belongs to what is below it.
        in_fence: Whether the boundary counts inside fenced code that is too long for one part.
        needs: A text without a match of this has no such boundary, so that it is not looked for in every window.
    """

    literal: str = ""
    pattern: re.Pattern[str] | None = None
    groups: tuple[int | None, ...] = (None,)
    attached: re.Pattern[str] | None = None
    in_fence: bool = True
    needs: re.Pattern[str] | None = None

    def occurs_in(self, text: str, start: int, end: int) -> bool:
        """Tell whether the boundary may occur in `text[start:end]`, at the price of a plain search."""
        if self.needs is not None:
            return self.needs.search(text, start, end) is not None
        return len(self.literal) < _RARE or text.find(self.literal, start, end) != -1


@dataclass(frozen=True, slots=True)
class Levels:
    """The inner boundaries of a text, coarsest first.

    Args:
        levels: The kinds of boundary; code points, the last resort, are not among them.
        fences: Whether fenced code is kept whole where it fits in a part, as in Markdown.
    """

    levels: tuple[Level, ...]
    fences: bool = False


class Stretch:
    r"""The boundaries of all levels in `text[low : high + 1]`; each pattern is searched for once.

    Args:
        text: The text.
        low: The first position where a boundary may be; at least 1.
        high: The last one.

    Example:
        >>> stretch = Stretch("one\n# two\n# three\nfour", 1, 20)
        >>> list(stretch.boundaries(Level(literal="\n# "))), list(stretch.boundaries(Level(literal="\n")))
        ([10, 4], [18, 10, 4])
    """

    __slots__ = ("_found", "high", "low", "text")

    def __init__(self, text: str, low: int, high: int) -> None:
        self.text = text
        self.low = low
        self.high = high
        self._found: dict[re.Pattern[str], list[tuple[int, int | None]]] = {}

    def boundaries(self, level: Level) -> Iterator[int] | Sequence[int]:
        """Return the boundaries of a level from the last to the first, without regard to what is attached to them.

        A level with something attached is also looked for further on, where what is attached may begin in the stretch.
        """
        pattern = level.pattern
        if pattern is None:
            return self._occurrences(level.literal)
        found = self._found.get(pattern)
        if found is None:
            found = self._found[pattern] = self._search(pattern, self._end_for(level))
        return [end for end, group in found if group in level.groups] if found else ()

    def _occurrences(self, literal: str) -> Iterator[int]:
        at = self.text.rfind(literal, self.low - 1, self.high - 1 + len(literal))
        while at >= 0:
            yield at + 1
            at = self.text.rfind(literal, self.low - 1, at)

    def _search(self, pattern: re.Pattern[str], high: int) -> list[tuple[int, int | None]]:
        matches = pattern.finditer(self.text, self.low - 1, high + _LOOK_AHEAD)
        found = [(match.end(), match.lastindex) for match in matches]
        while found and found[-1][0] > high:
            found.pop()
        if found and found[0][0] < self.low:
            del found[0]
        found.reverse()
        return found

    def _end_for(self, level: Level) -> int:
        """Return how far to look: if the last line is attached to what is below it, to where that must begin."""
        if not level.attached:
            return self.high
        line = self.text.rfind("\n", self.low - 1, self.high) + 1
        return self.high + LOOK_BEHIND if line and level.attached.match(self.text, line) else self.high
