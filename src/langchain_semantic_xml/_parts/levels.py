"""Inner boundaries: which kinds a text has, and where they are in a stretch of it.

Knows patterns and positions. Does not know which languages there are, nor what becomes of a boundary.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

LOOK_BEHIND = 400
"""How long a comment line may be that is recognised above a definition."""
_LOOK_AHEAD = 200
"""How far a pattern may look past its cut: enough for the modifiers before a definition's keyword."""
_TAB = 4
"""How many columns a tab is compared as; in no file that is indented in one way does it matter."""


@dataclass(frozen=True, slots=True)
class Level:
    r"""One kind of inner boundary: given by a literal, or else by a pattern.

    Args:
        literal: What stands around a cut: `"\n# "` cuts before the line.
        pattern: The same, where a literal will not do.
        before: How many characters of the literal, or of a match, stand before the cut; `None`: all of them.
        unless: There is no cut before one of these characters; for literals only.
        attached: A line directly above a cut that matches this belongs to what is below it.
        over_blanks: Whether a few blank lines may stand between.
        structure: Whether it is a boundary of what the text is about, and not just of how it is laid out.
        indented: Whether group 1 of the pattern is an indentation, of which less is coarser.
        in_fence: Whether the boundary counts inside fenced code that is too long for one part.
        needs: A text with none of these, or without a match, has no such boundary, so that none is looked for.
        cuts: All boundaries of the text at hand, in order, where somebody has found them already.
    """

    literal: str = ""
    pattern: re.Pattern[str] | None = None
    before: int | None = 1
    unless: str = ""
    attached: re.Pattern[str] | None = None
    over_blanks: bool = False
    structure: bool = False
    indented: bool = False
    in_fence: bool = True
    needs: tuple[str, ...] | re.Pattern[str] = ()
    cuts: tuple[int, ...] = ()

    def occurs_in(self, text: str, start: int, end: int) -> bool:
        """Tell whether the boundary may occur in `text[start:end]`, at the price of a plain search."""
        if isinstance(self.needs, re.Pattern):
            return self.needs.search(text, start, end) is not None
        return not self.needs or any(text.find(need, start, end) >= 0 for need in self.needs)


@dataclass(frozen=True, slots=True)
class Levels:
    """The inner boundaries of a text, coarsest first.

    Args:
        levels: The kinds of boundary; code points, the last resort, are not among them.
        fences: Whether fenced code is kept whole where it fits in a part, as in Markdown.
    """

    levels: tuple[Level, ...]
    fences: bool = False


def boundaries(level: Level, text: str, low: int, high: int) -> Sequence[Iterable[int]]:
    r"""Return the boundaries of a level in `text[low : high + 1]`, coarsest first; `low` is at least 1.

    All that are equally coarse are given together, from the last to the first. Where something is attached to them,
    also those further on with which it may begin in the stretch.

    Example:
        >>> text = "one\n# two\n# three\nfour"
        >>> [list(cuts) for cuts in boundaries(Level("\n# "), text, 1, 20)]
        [[10, 4]]
        >>> [list(cuts) for cuts in boundaries(Level("\n", unless="#"), text, 1, 20)]
        [[18]]
    """
    if level.cuts:
        return (level.cuts[bisect_left(level.cuts, low) : bisect_right(level.cuts, high)][::-1],)
    if level.pattern is None:
        return (_occurrences(level, text, low, high),)
    if level.attached:
        line = text.rfind("\n", low - 1, high) + 1
        high += LOOK_BEHIND if line and level.attached.match(text, line) else 0
    matches = level.pattern.finditer(text, low - 1, high + _LOOK_AHEAD)
    return _by_indentation(matches, high) if level.indented else _in_order(level, matches, low, high)


def _occurrences(level: Level, text: str, low: int, high: int) -> Iterator[int]:
    literal, unless = level.literal, level.unless
    before = len(literal) if level.before is None else level.before
    at = text.rfind(literal, low - before, high - before + len(literal))
    while at >= 0:
        cut = at + before
        if not unless or text[cut] not in unless:
            yield cut
        at = text.rfind(literal, low - before, at - 1 + len(literal))


def _in_order(level: Level, matches: Iterator[re.Match[str]], low: int, high: int) -> Sequence[Sequence[int]]:
    before = level.before
    cuts = [match.end() for match in matches] if before is None else [match.start() + before for match in matches]
    while cuts and cuts[-1] > high:
        cuts.pop()
    cuts.reverse()
    return (cuts,) if cuts and cuts[0] >= low else ()


def _by_indentation(matches: Iterator[re.Match[str]], high: int) -> Sequence[Sequence[int]]:
    cuts: dict[int, list[int]] = {}
    for match in matches:
        cut = match.start() + 1
        if cut > high:
            break
        cuts.setdefault(len(match[1].expandtabs(_TAB)), []).append(cut)
    return [cuts[width][::-1] for width in sorted(cuts)]
