"""Find where blocks begin and end: text → the extents of elements and of the text between them.

Contents are raw and may look like tags, so no tag is believed for itself: what counts is its line, its indentation and
what follows it. One pass finds the tags, one walk jumps from element to element; see `scan` and `lanes` for what is
known before the walk. Knows nothing of chunks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from langchain_semantic_xml._boundaries.fenced import Examples
from langchain_semantic_xml._boundaries.line_style import Lane, Wrappers
from langchain_semantic_xml._boundaries.scan import CLOSE, OPEN, WHOLE, Tag, Undecided, scan_tags
from langchain_semantic_xml._boundaries.seamless import SeamedRun, container_before
from langchain_semantic_xml._boundaries.tags import (
    ANY_CLOSING,
    CdataSections,
    Grammar,
    read_attributes,
    read_identity,
)
from langchain_semantic_xml._text.blanks import BYTE_ORDER_MARK
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml.values import NO_ATTRIBUTES, Attributes, Extent

_NOT_BLANK = re.compile(r"\S")
# A container's closing line; its name must still be compared with the elements' names.
_CONTAINER_CLOSING_LINE = re.compile(rf"{ANY_CLOSING}[ \t\r]*(?:\n|\Z)")


def find_extents(text: str, grammar: Grammar) -> Iterator[Extent]:
    """Yield the extents of all blocks of `text`, in order: elements, and the text between them unless it is blank."""
    position = 0
    for extent in Finder(text, grammar).elements():
        yield from text_between(text, position, extent.start)
        yield extent
        position = extent.end
    yield from text_between(text, position, len(text))


def text_between(text: str, start: int, end: int, offset: int = 0) -> Iterator[Extent]:
    """Rule 11: what lies between elements is text, unless it is blank.

    Args:
        text: The text, or what is at hand of it.
        start: The index in `text` where the last element ends.
        end: The index where the next begins.
        offset: The offset of the first character of `text`.
    """
    begin = start + text.startswith(BYTE_ORDER_MARK) if start + offset == 0 else start
    if _NOT_BLANK.search(text, begin, end):
        yield Extent(TEXT, start + offset, end + offset)


class Finder:
    """Finds the elements of a text, or of what has been read of it.

    Responsibilities: sort the tags into lanes; say what an opening tag's element is called; walk from element to
    element, those without line ends between them first (rule 7), then all others.

    Args:
        text: The text.
        grammar: Which elements.
        begin: Where to begin: at 0, or where an element ends.
        container: The container of elements without line ends between them, while they last; `None` where there are
            none; `""` at the start of a text, where it must be found out. As an attribute, what it is after the last
            element that was yielded.
        complete: Whether the text ends where `text` does; if not, no element is found that what comes might change.
    """

    def __init__(
        self, text: str, grammar: Grammar, begin: int = 0, container: str | None = "", *, complete: bool = True
    ) -> None:
        self.container = container
        self._text = text
        self._grammar = grammar
        self._begin = begin
        self._complete = complete
        self._cdata = CdataSections(text)
        self._wrappers = Wrappers(text, grammar.rules)
        self._names: dict[int, tuple[Attributes, str | None]] = {}
        self._lanes: dict[tuple[str, str], Lane] = {}
        self._places: dict[int, tuple[Lane, int]] = {}
        self._line_end_closings: dict[str, list[Tag]] = {}
        self._tags = list(scan_tags(text, grammar, self._cdata, begin, complete=complete))
        for tag in self._tags:
            self._sort(tag)

    def _sort(self, tag: Tag) -> None:
        if not tag.fills or tag.kind is WHOLE:
            return
        if tag.indent is None:
            if tag.kind is CLOSE:
                self._line_end_closings.setdefault(tag.name, []).append(tag)
            return
        key = tag.name, tag.indent
        lane = self._lanes.get(key)
        if lane is None:
            lane = Lane(self._text, self._wrappers, self._is_followed, complete=self._complete)
            self._lanes[key] = lane
        if tag.kind is OPEN:
            self._places[tag.start] = lane, len(lane.tags)
        lane.tags.append(tag)

    # Names

    def _name(self, tag: Tag) -> tuple[Attributes, str | None]:
        """Return attributes and identity of an opening tag; read once."""
        known = self._names.get(tag.start)
        if known is None:
            attributes = read_attributes(self._text, tag.start, tag.end) or NO_ATTRIBUTES
            rule = self._grammar.rules[tag.name]
            identity = read_identity(self._text, tag.end, attributes, rule, self._grammar, empty=tag.kind is WHOLE)
            known = self._names[tag.start] = attributes, identity
        return known

    def _may_begin(self, tag: Tag) -> bool:
        """Say whether an opening tag may begin an element: it has an identity, or is bare and begins a line."""
        bare = tag.indent is not None and self._grammar.rules[tag.name].bare
        return bare or self._name(tag)[1] is not None

    def _extent(self, tag: Tag, end: int) -> Extent:
        return Extent(tag.name, tag.start, end, *self._name(tag))

    def _is_followed(self, closing: Tag) -> bool:
        """Say whether a closing is followed by what follows a real one (rule 4), only white space between.

        That is an opening with identity at the same indentation, a container's closing line, or the end of the text.
        """
        text = self._text
        visible = _NOT_BLANK.search(text, closing.end)
        position = visible.start() if visible else len(text)
        if position == len(text):
            return self._complete
        container = _CONTAINER_CLOSING_LINE.match(text, position)
        if container:
            return container[1] not in self._grammar.rules
        number = bisect_left(self._tags, position, key=lambda tag: tag.start)
        tag = self._tags[number] if number < len(self._tags) else None
        return (
            tag is not None
            and tag.start == position
            and tag.kind is not CLOSE
            and tag.indent == closing.indent
            and self._name(tag)[1] is not None
        )

    # The walk

    def elements(self) -> Iterator[Extent]:
        """Yield the extents of the elements in order, as far as they are decided."""
        try:
            number = 0
            for opening, closing in self._seamed():
                number = closing + 1
                yield self._extent(self._tags[opening], self._tags[closing].stop)
            gap = self._tags[number - 1].stop if number else self._begin
            walk = _Walk(self._text, gap, complete=self._complete)
            while number < len(self._tags):
                end = self._end(number, walk)
                if end is None:
                    number += 1
                    continue
                yield self._extent(self._tags[number], end)
                walk.gap = end
                number = self._number_at(end, number)
        except Undecided:
            return
        finally:
            # The lanes ask the finder, and it holds them: without them it goes, and the text with it, at once.
            self._lanes.clear()
            self._places.clear()

    def _number_at(self, position: int, number: int) -> int:
        """Return the number of the first tag at or after `position`, counting on from `number`."""
        while number < len(self._tags) and self._tags[number].start < position:
            number += 1
        return number

    def _seamed(self) -> Iterator[tuple[int, int]]:
        """Yield the elements without line ends between them, if the text begins so (rule 7)."""
        openings = (n for n, tag in enumerate(self._tags) if tag.kind is not CLOSE and self._may_begin(tag))
        number = next(openings, None)
        if number is None:
            self._need(settled=self._complete)
            return
        if self.container == "":
            self.container = container_before(self._text, self._tags[number], self._grammar.rules)
        elif self._tags[number].start != self._begin:
            self.container = None
        if self.container is not None:
            run = SeamedRun(self._text, self._tags, self.container, self._name, self._cdata, complete=self._complete)
            yield from run.elements(number)
            self.container = None

    def _end(self, number: int, walk: _Walk) -> int | None:
        """Return the end of the element that the tag `number` begins; `None` where it begins none."""
        tag = self._tags[number]
        if tag.kind is CLOSE or not self._may_begin(tag):
            return None
        end = self._line_style_end(tag)
        if end is not None and not walk.examples.hide(walk.gap, tag.start, end):
            return end
        end = self._inline_end(number, walk)
        if end is None or walk.examples.hide(walk.gap, tag.start, end) or self._is_parted(number, end, walk):
            return None
        return end

    def _inline_end(self, number: int, walk: _Walk) -> int | None:
        """Return the end of the element that the tag `number` begins, whatever its lines look like (rule 8)."""
        tag = self._tags[number]
        if tag.kind is WHOLE:
            return tag.stop
        self._need(settled=self._complete or self._cdata.is_settled(tag.end))
        end = self._cdata.element_end(tag.name, tag.end)
        if end < 0 and number in self._balanced:
            end = self._tags[self._balanced[number]].end
        if end < 0:
            # Whatever closes it, it is none if another element begins before.
            self._need(settled=self._complete or self._is_parted(number, len(self._text), walk))
            return None
        return end

    def _need(self, *, settled: bool) -> None:
        if not settled:
            raise Undecided

    @cached_property
    def _balanced(self) -> dict[int, int]:
        """For the number of each opening that of the closing that balances it, of all tags of its name (rule 8)."""
        balanced: dict[int, int] = {}
        stacks: dict[str, list[int]] = {}
        for number, tag in enumerate(self._tags):
            if tag.kind is OPEN:
                stacks.setdefault(tag.name, []).append(number)
            elif tag.kind is CLOSE and (stack := stacks.get(tag.name)):
                balanced[stack.pop()] = number
        return balanced

    def _is_parted(self, number: int, end: int, walk: _Walk) -> bool:
        """Say whether an element with lines of its own begins after the tag `number` and before `end` (rule 8)."""
        if number < walk.obstacle:
            return self._tags[walk.obstacle].start < end
        walk.seen = max(walk.seen, number + 1)
        while walk.seen < len(self._tags) and self._tags[walk.seen].start < end:
            tag = self._tags[walk.seen]
            line_end = self._line_style_end(tag)
            if line_end is not None and not walk.ahead.hide(walk.gap, tag.start, line_end):
                walk.obstacle = walk.seen
                return True
            walk.seen += 1
        return False

    def _line_style_end(self, tag: Tag) -> int | None:
        """Return the end of the element that an opening on a line of its own begins (rules 2 to 6, 10)."""
        if tag.indent is None or tag.kind is CLOSE or not self._may_begin(tag):
            return None
        if tag.kind is WHOLE:
            return tag.stop if tag.fills or tag.stop != tag.end else None
        if not tag.fills:
            return None
        lane, place = self._places[tag.start]
        following = lane.tags[place + 1] if place + 1 < len(lane.tags) else None
        closing = None
        self._need(settled=following is not None or self._complete)
        if following is None or following.kind is OPEN:
            closing = self._line_end_closing(tag, following)
        closing = closing or lane.closing_of(place)
        return closing.end if closing else None

    def _line_end_closing(self, tag: Tag, following: Tag | None) -> Tag | None:
        """Return the closing at the end of a line of text that ends an element (rule 6).

        It is the last one before the opening that follows, or, where none does, the first.
        """
        closings = self._line_end_closings.get(tag.name, [])
        place = bisect_left(closings, tag.end, key=lambda closing: closing.start)
        if following is not None:
            last = bisect_left(closings, following.start, key=lambda closing: closing.start) - 1
            return closings[last] if last >= place else None
        return closings[place] if place < len(closings) else None


class _Walk:
    """Where a walk over the tags stands.

    Attributes:
        gap: Where the last element ends.
        examples: The fences of the text, asked about the tag that the walk has reached.
        ahead: The same, asked about tags that it looks ahead to.
        seen: The number of the next tag to look ahead to.
        obstacle: The number of the tag that was found to begin the next element with lines of its own; -1 before.
    """

    __slots__ = ("ahead", "examples", "gap", "obstacle", "seen")

    def __init__(self, text: str, gap: int, *, complete: bool) -> None:
        self.gap = gap
        self.examples = Examples(text, complete=complete)
        self.ahead = Examples(text, complete=complete)
        self.seen = 0
        self.obstacle = -1
