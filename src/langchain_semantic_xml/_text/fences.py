"""Markdown code fences: which lines of a stretch of text are code.

Knows how CommonMark pairs fence lines, and nothing of headings, tags or blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

# CommonMark 0.31, 4.5: a code fence is a run of at least three backticks or tildes, indented by up to three
# spaces. The info string follows on its line. Nothing here can fail after the run, so nothing is tried twice.
FENCE = r"[ ]{0,3}(?P<run>`{3,}|~{3,})(?P<info>[^\n]*)"
"""Source text of a pattern: a fence line, from its start on."""
_FENCE_HERE = re.compile(FENCE)
_FENCE_AHEAD = re.compile("\n" + FENCE)


class Fence(NamedTuple):
    """A line that may open or close fenced code.

    Attributes:
        start: Where its backticks or tildes begin.
        end: Where the line ends, before its line end.
        mark: Its character.
        width: How often the character stands there.
        opens: Whether it may open fenced code: after backticks, the info string holds none.
        closes: Whether it may close fenced code: it has no info string.
    """

    start: int
    end: int
    mark: str
    width: int
    opens: bool
    closes: bool


def read_fence(match: re.Match[str]) -> Fence:
    """Return the fence line that a pattern made of `FENCE` has matched."""
    run, info = match["run"], match["info"]
    closes = not info.strip(" \t\r")
    opens = run[0] == "~" or "`" not in info
    return Fence(match.start("run"), match.end(), run[0], len(run), opens, closes)


def closing_fence(mark: str, width: int) -> re.Pattern[str]:
    """Compile the pattern that finds the lines that close a fence of `width` times `mark`."""
    return re.compile(rf"^[ ]{{0,3}}{mark}{{{width},}}[ \t\r]*$", re.MULTILINE)


def fenced_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    r"""Return the spans of fenced code in `text[start:end]`, from opening to closing fence line.

    A fence that nothing closes before `end` hides nothing; the next fence line is then looked at instead.
    O((end - start) log k) for at most k different fence widths.

    Args:
        text: Any string.
        start: The index where a line begins.
        end: The index where the stretch ends.

    Returns:
        Disjoint spans in order; the line end after a closing fence is outside.

    Example:
        >>> fenced_spans("a\n```py\n# no heading\n```\nb", 0, 27)
        [(2, 24)]

    Source:
        CommonMark 0.31, section 4.5, except that there an unclosed fence reaches to the end of the document.
    """
    fences = _find_fences(text, start, end)
    closings = _pair_fences(fences)
    spans = []
    at = 0
    while at < len(fences):
        closing = closings[at]
        if closing is None:
            at += 1
        else:
            spans.append((fences[at].start, fences[closing].end))
            at = closing + 1
    return spans


def _find_fences(text: str, start: int, end: int) -> list[Fence]:
    """Return the fence lines of `text[start:end]`, in order."""
    first = _FENCE_HERE.match(text, start, end)
    matches = chain([first] if first else [], _FENCE_AHEAD.finditer(text, start, end))
    return [read_fence(match) for match in matches]


def _pair_fences(fences: list[Fence]) -> list[int | None]:
    """Return, for each fence line, the index of the line that would close it; `None` where it opens nothing.

    It opens nothing without a line that closes it, either.

    Walks backwards. Per mark, a stack holds the closing lines ahead that can still be the nearest wide enough one:
    the nearest on top, each wider than those above it.
    """
    ahead: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    found: list[int | None] = [None] * len(fences)
    for index in range(len(fences) - 1, -1, -1):
        fence = fences[index]
        stack = ahead[fence.mark]  # of (-width, index): ascending, so that bisect finds the nearest wide enough
        if fence.opens:
            wide_enough = bisect_right(stack, -fence.width, key=itemgetter(0))
            found[index] = stack[wide_enough - 1][1] if wide_enough else None
        if fence.closes:
            while stack and stack[-1][0] >= -fence.width:
                stack.pop()
            stack.append((-fence.width, index))
    return found
