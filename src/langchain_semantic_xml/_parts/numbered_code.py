"""Code behind printed line numbers: its boundaries and definitions, with offsets of the numbered text.

The numbers stay in the text; only offsets are translated. `numbering` says what a printed number is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from langchain_semantic_xml._parts.attached import move_above_attached
from langchain_semantic_xml._parts.keywords import NEW_LINE, SPACE
from langchain_semantic_xml._parts.levels import InnerBoundaries, KnownCuts, Level
from langchain_semantic_xml._parts.numbering import read_numbers
from langchain_semantic_xml._parts.outlines import Definition, Outline
from langchain_semantic_xml._text.blanks import first_visible

_FARTHEST_ATTACHED = 2000
"""How far above a definition its comments may begin."""


class NumberedCode(NamedTuple):
    """A content whose lines begin with their numbers.

    Args:
        code: The content without the numbers.
        plain_starts: Where each line begins in `code`.
        starts: Where each line begins in the text, with its number.
        prefixes: How many characters each number and its mark have.
        end: Where the content ends in the text.
    """

    code: str
    plain_starts: list[int]
    starts: list[int]
    prefixes: list[int]
    end: int

    def locate(self, offset: int) -> int:
        """Return the offset in the text of an offset in `code`; the start of a line is before its number."""
        if offset >= len(self.code):
            return self.end
        line = bisect_right(self.plain_starts, offset) - 1
        column = offset - self.plain_starts[line]
        return self.starts[line] + self.prefixes[line] + column if column else self.starts[line]

    def locate_cut(self, offset: int) -> int:
        """Return the offset in the text of a cut in `code`: lines that are blank but for their number are before it."""
        if offset == 0 or self.code[offset - 1] != "\n":
            return self.locate(offset)
        visible = first_visible(self.code, offset, len(self.code))
        return self.locate(self.code.rfind("\n", 0, visible) + 1 if visible < len(self.code) else visible)

    def locate_outline(self, outline: Outline) -> Outline:
        """Return an outline of `code` with offsets of the text."""
        locate, locate_cut = self.locate, self.locate_cut
        return Outline(
            tuple(
                Definition(
                    locate(each.start),
                    locate_cut(each.end),
                    (locate(each.signature[0]), locate(each.signature[1])),
                    each.name,
                    each.parent,
                    each.is_callable,
                )
                for each in outline.definitions
            ),
            tuple(
                KnownCuts(_in_order(map(locate_cut, level.cuts)), structure=level.structure) for level in outline.levels
            ),
            _in_order(map(locate_cut, outline.edges)),
            outline.complete,
        )

    def locate_boundaries(self, boundaries: InnerBoundaries) -> InnerBoundaries:
        """Return the boundaries of `code` that begin lines, with offsets of the text; then lines and words.

        Rule: P8.
        """
        levels = [level for kind in boundaries.kinds if kind.may_occur_in(self.code, 0, len(self.code))
                  for level in self._known_levels(kind)]  # fmt: skip
        return InnerBoundaries((*levels, NEW_LINE, SPACE))

    def _known_levels(self, kind: Level) -> list[KnownCuts]:
        levels = []
        for group in kind.find(self.code, 1, len(self.code) - 1):
            cuts = {cut for cut in group if self.code[cut - 1] == "\n"}
            if kind.structure and kind.attached:
                cuts = {move_above_attached(self.code, kind, cut, max(0, cut - _FARTHEST_ATTACHED), 0) for cut in cuts}
            located = _in_order(self.locate_cut(cut) for cut in cuts if cut > 0)
            if located:
                levels.append(KnownCuts(located, structure=kind.structure))
        return levels


def _in_order(cuts: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(cuts)))


def see_through_numbers(text: str, start: int, end: int) -> NumberedCode | None:
    r"""Return the code of `text[start:end]` behind its line numbers, or `None` if its lines are not numbered.

    O(end - start), and O(1) if the first line does not begin with a number.

    Example:
        >>> see_through_numbers(" 9: def f():\n10:     return 1\n", 0, 30).code
        'def f():\n    return 1\n'
        >>> see_through_numbers("1: a\n3: b\n", 0, 10) is None
        True

    Rule: P8.
    """
    numbers = read_numbers(text, start, end)
    if numbers is None:
        return None
    pieces: list[str] = []
    plain_starts, starts, prefixes = [], [], []
    plain, line_start = 0, start
    for number_end in numbers.ends:
        line_end = text.find("\n", number_end, end) + 1 or end
        pieces.append(text[number_end:line_end])
        plain_starts.append(plain)
        starts.append(line_start)
        prefixes.append(number_end - line_start)
        plain += line_end - number_end
        line_start = line_end
    return NumberedCode("".join(pieces), plain_starts, starts, prefixes, end)
