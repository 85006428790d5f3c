"""Kinds of inner boundaries, and where the boundaries of each kind are in a stretch of a text.

Knows patterns and positions. Does not know which languages there are, nor which boundary is chosen.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

LONGEST_ATTACHED_LINE = 400
"""How long a comment line may be that is recognised above a definition."""
_LOOK_AHEAD = 200
"""How far a pattern may look past its cut: enough for the modifiers before a definition's keyword."""
_TAB = 4
"""How many columns a tab counts for in comparisons. A file that is indented in one way is the same with any number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level(ABC):
    """One kind of inner boundary, as coarse as each other boundary of its kind.

    Args:
        attached: Matches the lines that belong to what is below them. A boundary moves above such lines.
        over_blanks: Whether up to three blank lines may stand between an attached line and what it belongs to.
        structure: Whether the text's subject changes at the boundary (a definition, a heading), not only its layout.
        in_fence: Whether the boundary counts inside fenced code that is too long for one part.
        needs: A text in which none of these literals occurs, or which this pattern does not match, has no boundary of
            this kind, so that none is looked for.
    """

    attached: re.Pattern[str] | None = None
    over_blanks: bool = False
    structure: bool = False
    in_fence: bool = True
    needs: tuple[str, ...] | re.Pattern[str] = ()

    def may_occur_in(self, text: str, start: int, end: int) -> bool:
        """Return whether `text[start:end]` may have a boundary of this kind, for the price of a plain search."""
        if isinstance(self.needs, re.Pattern):
            return self.needs.search(text, start, end) is not None
        return not self.needs or any(text.find(need, start, end) >= 0 for need in self.needs)

    @abstractmethod
    def find(self, text: str, low: int, high: int) -> Sequence[Iterable[int]]:
        """Return the boundaries in `[low, high]`, where `low` is at least 1, in groups from coarse to fine.

        Each group lists boundaries that are equally coarse, from the last to the first. A level with attached lines
        also lists boundaries just above `high`: the lines attached to them may begin before it.

        Rule: P2.
        """


@dataclass(frozen=True, slots=True)
class LiteralLevel(Level):
    r"""Boundaries beside a literal.

    Args:
        literal: The text around a boundary.
        before: How many characters of the literal stand before the boundary; `None`: all of them.
        unless: There is no boundary before one of these characters.

    Example:
        >>> text = "one\n# two\n# three\nfour"
        >>> [list(cuts) for cuts in LiteralLevel("\n# ").find(text, 1, 20)]
        [[10, 4]]
        >>> [list(cuts) for cuts in LiteralLevel("\n", unless="#").find(text, 1, 20)]
        [[18]]
    """

    literal: str
    before: int | None = 1
    unless: str = ""

    def find(self, text: str, low: int, high: int) -> Sequence[Iterable[int]]:
        """Return one group of boundaries, which is searched from its end and only as far as it is read."""
        return (self._find_backwards(text, low, high),)

    def _find_backwards(self, text: str, low: int, high: int) -> Iterator[int]:
        literal, unless = self.literal, self.unless
        before = len(literal) if self.before is None else self.before
        at = text.rfind(literal, low - before, high - before + len(literal))
        while at >= 0:
            cut = at + before
            if not unless or text[cut] not in unless:
                yield cut
            at = text.rfind(literal, low - before, at - 1 + len(literal))


@dataclass(frozen=True, slots=True)
class PatternLevel(Level):
    """Boundaries beside the matches of a pattern.

    Args:
        pattern: Matches the text around a boundary.
        before: How many characters of a match stand before the boundary; `None`: all of them.
        indented: Whether group 1 of the pattern is an indentation. Boundaries with less indentation are coarser.
    """

    pattern: re.Pattern[str]
    before: int | None = 1
    indented: bool = False

    def find(self, text: str, low: int, high: int) -> Sequence[Iterable[int]]:
        """Return the boundaries in one group, or in one group for each width of indentation."""
        if self.attached:
            line = text.rfind("\n", low - 1, high) + 1
            high += LONGEST_ATTACHED_LINE if line and self.attached.match(text, line) else 0
        matches = self.pattern.finditer(text, low - 1, high + _LOOK_AHEAD)
        return _group_by_indentation(matches, high) if self.indented else self._list_backwards(matches, low, high)

    def _list_backwards(self, matches: Iterator[re.Match[str]], low: int, high: int) -> Sequence[Sequence[int]]:
        before = self.before
        cuts = [match.end() for match in matches] if before is None else [match.start() + before for match in matches]
        while cuts and cuts[-1] > high:
            cuts.pop()
        cuts.reverse()
        return (cuts,) if cuts and cuts[0] >= low else ()


def _group_by_indentation(matches: Iterator[re.Match[str]], high: int) -> Sequence[Sequence[int]]:
    groups: dict[int, list[int]] = {}
    for match in matches:
        cut = match.start() + 1
        if cut > high:
            break
        groups.setdefault(len(match[1].expandtabs(_TAB)), []).append(cut)
    return [groups[width][::-1] for width in sorted(groups)]


@dataclass(frozen=True, slots=True)
class KnownCuts(Level):
    """Boundaries that are known beforehand, such as those of a syntax tree.

    Args:
        cuts: All boundaries of this kind in the text, in ascending order.
    """

    cuts: tuple[int, ...]

    def find(self, text: str, low: int, high: int) -> Sequence[Iterable[int]]:  # noqa: ARG002 - they are known
        """Return the known boundaries in one group."""
        return (self.cuts[bisect_left(self.cuts, low) : bisect_right(self.cuts, high)][::-1],)


@dataclass(frozen=True, slots=True)
class InnerBoundaries:
    """The kinds of boundaries at which a content may be cut.

    Args:
        kinds: The kinds, coarsest first. The last resort, between code points, is not listed.
        keep_fences: Whether fenced code is kept whole where it fits in a part, as in Markdown.
    """

    kinds: tuple[Level, ...]
    keep_fences: bool = False
