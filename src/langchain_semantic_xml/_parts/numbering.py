r"""Printed line numbers: where each line of a content begins with its number.

Bundlers and agents print them: `repomix --output-show-line-numbers`, `files-to-prompt -n`, `cat -n`, Cline, Roo. They
are part of the content and stay in it; whoever reads the content as code must look behind them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A line's number, and the mark after it. After ":", "|" and "→" a blank belongs to the mark; it may be missing at the
# end of the line. Blanks alone may come by chance, so they need more lines and an order (see `read_numbers`).
_NUMBERED = re.compile(
    r"""
    (?P<blanks>[ \t]*) (?P<number>[0-9]{1,9})
    (?: (?P<mark> : | [ ]\| ) (?: [ ] | (?=\r?\n|\Z) )
      | (?P<arrow> → )
      | (?P<gap> [ ]{2} | \t ) )
    """,
    re.VERBOSE,
)
_LEAST = 2
_LEAST_WITH_BLANKS = 3


class Numbers(NamedTuple):
    """The printed numbers of a content.

    Attributes:
        first: The number of the first line.
        ends: For each line, the index in the text where its number and mark end.
    """

    first: int
    ends: tuple[int, ...]


def read_numbers(text: str, start: int, end: int) -> Numbers | None:
    r"""Return the numbers that begin the lines of `text[start:end]`; `None` where the lines are not numbered.

    Every line begins with its number, and the numbers count on by one. `12: `, `12 | ` and `12→` count from two lines
    on; `12  ` and `12` with a tab from three lines on, and only if the numbers are aligned on the right or begin at 1.
    A line end at the very end begins no further line. Stops at the first line that is not numbered.

    Args:
        text: Any string.
        start: The index where the content begins, at the start of a line.
        end: The index where it ends.

    Example:
        >>> read_numbers("7: a\n8:\n9: b\n", 0, 13)
        Numbers(first=7, ends=(3, 7, 11))
        >>> read_numbers("1: a\n3: b\n", 0, 10) is None
        True
    """
    ends: list[int] = []
    rights: set[int] = set()
    first, style, position = 0, "", start
    while position < end:
        match = _NUMBERED.match(text, position, end)
        if not match:
            return None
        number, line_style = int(match["number"]), match["mark"] or match["arrow"] or match["gap"]
        if not ends:
            first, style = number, line_style
        if number != first + len(ends) or line_style != style:
            return None
        ends.append(match.end())
        rights.add(match.end("number") - position)
        position = text.find("\n", match.end(), end) + 1 or end
    is_gap = style.isspace()
    if len(ends) < (_LEAST_WITH_BLANKS if is_gap else _LEAST):
        return None
    if is_gap and first != 1 and len(rights) > 1:
        return None
    return Numbers(first, tuple(ends))
