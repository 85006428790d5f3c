"""The tags of one name at one indentation: which closing each opening meets.

Passes forward with a stack and passes backward, each made when it is first asked for, answer every question in
constant time, or in the logarithm of the number of tags. A place is the index of a tag in its column.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate, islice, pairwise
from operator import attrgetter

from langchain_semantic_xml._boundaries.listing import Listing
from langchain_semantic_xml._boundaries.scan import CLOSE, OPEN, Tag
from langchain_semantic_xml._boundaries.tag_table import Follower, TagTable
from langchain_semantic_xml._boundaries.wrappers import Wrappers

_SMALL = 2 * 3 + 1
"""From its opening to its closing, a nesting over three elements goes on by so many tags; larger ones are doubted."""
_LOOKED_AT = 64
"""Of the elements in a doubted nesting, so many are looked at."""

_START = attrgetter("start")


class Column:
    """The openings and closings of one name and one indentation, each first on its line.

    A closing is alone on its line; an opening fills its line, or content is glued to it.

    Args:
        table: The tags of the text.
        wrappers: The wrappers of the text.
        listing: The listing of the bundle.
        line_ends: The closings of the same name at the ends of text lines.

    Attributes:
        tags: The tags of the column, in order.
        bars: The places before which a bare opening stands with content glued to it: no tag of the column, but it ends
            a run of closings.
    """

    def __init__(self, table: TagTable, wrappers: Wrappers, listing: Listing, line_ends: list[Tag]) -> None:
        self.tags: list[Tag] = []
        self.bars: set[int] = set()
        self._table = table
        self._wrappers = wrappers
        self._listing = listing
        self._line_ends = line_ends

    def next_on_line(self, place: int) -> Tag | None:
        """Return the next tag after `place` that is alone on its line; `None` without one."""
        following = place + 1
        if following < len(self.tags) and not self.tags[following].is_glued:
            return self.tags[following]
        following = self._next_alone[place]
        return self.tags[following] if following >= 0 else None

    def find_closing(self, place: int) -> Tag | None:
        """Return the closing that ends the element opened at `place`; `None` where the column decides nothing.

        Raises:
            Undecided: If a tag that has not been read may change the answer.

        Rule: B2, B3, B4, B5, B6, B13.
        """
        balanced = self._balanced[place]
        if not self._table.horizon.complete:
            self._table.horizon.need(settled=balanced >= 0 and self._is_run_over(balanced))
        is_small = balanced - place <= _SMALL
        if balanced >= 0 and (is_small or not self._is_doubtful(place, balanced)):
            return self.tags[self._run_end[balanced]]
        closing = self._find_listed(place)
        if closing < 0 <= balanced:
            closing = self._find_followed(place)
        if closing < 0 and not self.tags[place].is_glued:
            line_end = self._find_line_end(place)
            if line_end is not None:
                return line_end
            closing = self._find_followed(place)
            if closing < 0:
                closing = self._next_closing[place]
        return self.tags[closing] if closing >= 0 else None

    def _is_run_over(self, closing: int) -> bool:
        """Return whether a tag follows that ends the run of closings at `closing`."""
        after = self._run_end[closing] + 1
        return after < len(self.tags) or after in self.bars

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
        """For each closing the last one before the next opening that is first on its line.

        Rule: B3.
        """
        run_end = list(range(len(self.tags)))
        for place in range(len(self.tags) - 2, -1, -1):
            after = place + 1
            if self.tags[place].kind is CLOSE and self.tags[after].kind is CLOSE and after not in self.bars:
                run_end[place] = run_end[after]
        return run_end

    def _is_doubtful(self, place: int, balanced: int) -> bool:
        """Return whether a nesting contradicts an earlier followed closing, and nothing speaks for the nesting.

        Rule: B5.
        """
        if not place < self._find_followed(place) < balanced:
            return False
        if self._texts_before[balanced] > self._texts_before[place + 1]:
            return False
        head = self.tags[place].end, self.tags[place + 1].start
        tail = self.tags[balanced - 1].end, self.tags[balanced].start
        if self._wrappers.enclose(head, tail):
            return False
        return not (self._is_other_bundle(place, balanced) or self._is_folder(place, balanced))

    def _is_other_bundle(self, place: int, balanced: int) -> bool:
        """Return whether all inner elements have another set of attribute names than the outer and the next outer one.

        Rule: B5.
        """
        names = self._attribute_names(place)
        if any(self._attribute_names(inner) == names for inner in self._inner_openings(place, balanced)):
            return False
        following = self._next_opening[balanced]
        self._table.horizon.need(settled=following >= 0)
        return following < 0 or self._attribute_names(following) == names

    def _is_folder(self, place: int, balanced: int) -> bool:
        """Return whether all inner identities continue the outer one as a path.

        Rule: B5.
        """
        outer = self._identity(place)
        if outer is None:
            return False
        ahead = (f"{outer}/", f"{outer}\\")
        return all((self._identity(inner) or "").startswith(ahead) for inner in self._inner_openings(place, balanced))

    def _inner_openings(self, place: int, balanced: int) -> list[int]:
        """Return the places of the first openings between an opening and the closing that balances it."""
        inner = (number for number in range(place + 1, balanced) if self.tags[number].kind is OPEN)
        return list(islice(inner, _LOOKED_AT))

    def _attribute_names(self, place: int) -> frozenset[str]:
        return frozenset(self._table.read_name(self.tags[place]).attributes)

    def _identity(self, place: int) -> str | None:
        return self._table.read_name(self.tags[place]).identity

    def _find_listed(self, place: int) -> int:
        """Return the last closing before the next opening that the listing names otherwise; -1 without one.

        Only where the listing names the element opened at `place`.

        Rule: B13.
        """
        if not self._is_listed(place):
            return -1
        following = self._next_other_listed[place]
        if following < 0:
            return -1
        closing = self._last_closing[following]
        return closing if closing > place else -1

    def _is_listed(self, place: int) -> bool:
        return self._listing.names(self._identity(place), self.tags[place].start)

    @cached_property
    def _next_other_listed(self) -> list[int]:
        """For each listed opening the next listed one with another identity; -1 without one."""
        others = [-1] * len(self.tags)
        following = -1
        for place in range(len(self.tags) - 1, -1, -1):
            if self.tags[place].kind is OPEN and self._is_listed(place):
                if following >= 0:
                    is_same = self._identity(place) == self._identity(following)
                    others[place] = others[following] if is_same else following
                following = place
        return others

    @cached_property
    def _last_closing(self) -> list[int]:
        """For each place the last closing before it; -1 without one."""
        closings = (place if tag.kind is CLOSE else -1 for place, tag in enumerate(self.tags))
        return list(accumulate(closings, max, initial=-1))

    def _find_line_end(self, place: int) -> Tag | None:
        """Return the closing at the end of a text line that balances an opening, if it is followed; `None` without one.

        The end of the text alone does not speak for it.

        Rule: B6.
        """
        closing = self._balanced_at_line_ends.get(place)
        if closing is None:
            return None
        tag = self.tags[place]
        follower = self._table.find_follower(closing.end, tag.indent)
        is_followed = follower is not None and not follower.is_end and self._may_follow(tag, follower)
        return closing if is_followed else None

    @cached_property
    def _balanced_at_line_ends(self) -> dict[int, Tag]:
        """For openings the closing that balances them where it stands at the end of a text line.

        Closings on lines of their own and closings at line ends both count.

        Rule: B6.
        """
        balanced: dict[int, Tag] = {}
        stack: list[int] = []
        reached = 0
        for place, tag in enumerate(self.tags):
            next_reached = bisect_left(self._line_ends, tag.start, key=_START)
            for number in range(reached, min(next_reached, reached + len(stack))):
                balanced[stack.pop()] = self._line_ends[number]
            reached = next_reached
            if tag.kind is OPEN:
                stack.append(place)
            elif stack:
                stack.pop()
        for number in range(reached, min(len(self._line_ends), reached + len(stack))):
            balanced[stack.pop()] = self._line_ends[number]
        return balanced

    def _find_followed(self, place: int) -> int:
        """Return the first closing after `place` that is followed as the closing of its element is; -1 without one.

        An element with a number is followed by the next number first, then by a greater one.

        Rule: B4.
        """
        index = self._table.read_index(self.tags[place])
        if index is None:
            return self._next_followed[place]
        numbered = self._closings_before.get(index + 1, [])
        number = bisect_right(numbered, place)
        return numbered[number] if number < len(numbered) else self._next_before_greater[place]

    def _may_follow(self, opening: Tag, follower: Follower) -> bool:
        """Return whether `follower` may stand after the element of `opening`: its number, if any, is greater."""
        index = self._table.read_index(opening)
        return index is None or self._rank(follower) > index

    def _rank(self, follower: Follower | None) -> float:
        """Return a number that is greater than that of any element that `follower` may follow; -1 for none."""
        if follower is None:
            return -1
        is_unnumbered = follower.rank == math.inf and follower.name == self.tags[0].name
        return -1 if is_unnumbered else follower.rank

    @cached_property
    def _followers(self) -> list[Follower | None]:
        """For each closing the thing that follows it; `None` for openings, and where the closing may be content."""
        return [self._table.find_follower(tag.end, tag.indent) if tag.kind is CLOSE else None for tag in self.tags]

    @cached_property
    def _next_followed(self) -> list[int]:
        """For each place the next closing that is followed as the closing of an element is; -1 without one.

        Rule: B4.
        """
        return _next_where([follower is not None for follower in self._followers])

    @cached_property
    def _closings_before(self) -> dict[float, list[int]]:
        """For each number the closings that are followed by an opening of this name with this number.

        Rule: B4.
        """
        closings: dict[float, list[int]] = {}
        for place, follower in enumerate(self._followers):
            if follower is not None and follower.name == self.tags[0].name:
                closings.setdefault(follower.rank, []).append(place)
        return closings

    @cached_property
    def _next_before_greater(self) -> list[int]:
        """For each opening with a number the next closing that is followed by a greater one; -1 without one.

        A container's closing line, the end of the text and elements of other kinds count as greater.

        Rule: B4.
        """
        answers = [-1] * len(self.tags)
        ahead: list[tuple[float, int]] = []  # closings, nearest last; minus their ranks, which ascend
        for place in range(len(self.tags) - 1, -1, -1):
            tag = self.tags[place]
            if tag.kind is OPEN:
                index = self._table.read_index(tag)
                if index is not None:
                    nearest = bisect_left(ahead, (-index, -1))
                    answers[place] = ahead[nearest - 1][1] if nearest else -1
                continue
            rank = self._rank(self._followers[place])
            if rank >= 0:
                while ahead and ahead[-1][0] >= -rank:
                    ahead.pop()
                ahead.append((-rank, place))
        return answers

    @cached_property
    def _next_closing(self) -> list[int]:
        """For each place the next closing; -1 without one."""
        return _next_where([tag.kind is CLOSE for tag in self.tags])

    @cached_property
    def _next_opening(self) -> list[int]:
        """For each place the next opening; -1 without one."""
        return _next_where([tag.kind is OPEN for tag in self.tags])

    @cached_property
    def _next_alone(self) -> list[int]:
        """For each place the next tag to which no content is glued; -1 without one."""
        return _next_where([not tag.is_glued for tag in self.tags])

    @cached_property
    def _texts_before(self) -> list[int]:
        """For each place how many openings up to it come after a closing and some text.

        Rule: B5.
        """
        first_visible = self._table.first_visible
        after_text = (
            first.kind is CLOSE and second.kind is OPEN and first_visible(first.end) < second.start
            for first, second in pairwise(self.tags)
        )
        return list(accumulate(after_text, initial=0))


def _next_where(wanted: list[bool]) -> list[int]:
    """Return, for each place, the next place that is wanted; -1 without one."""
    following = [-1] * len(wanted)
    for place in range(len(wanted) - 2, -1, -1):
        following[place] = place + 1 if wanted[place + 1] else following[place + 1]
    return following
