"""Find where blocks begin and end: text → the extents of elements and of the text between them.

Contents are raw and may look like tags, so no tag is believed for itself: its line, its indentation and the text that
follows it decide. One pass finds the tags, one walk jumps from element to element. Knows nothing of chunks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from langchain_semantic_xml._boundaries.fenced import FencedExamples
from langchain_semantic_xml._boundaries.horizon import Horizon, Undecided
from langchain_semantic_xml._boundaries.inline import InlineStyle
from langchain_semantic_xml._boundaries.line_style import LineStyle
from langchain_semantic_xml._boundaries.listing import Listing, Paths
from langchain_semantic_xml._boundaries.scan import CLOSE
from langchain_semantic_xml._boundaries.seamless import Containers, SeamlessRun, containers_before, containers_between
from langchain_semantic_xml._boundaries.tag_table import TagTable
from langchain_semantic_xml._boundaries.tags import TagPatterns
from langchain_semantic_xml._text.blanks import NOT_BLANK, is_mark_before_tag, skip_byte_order_mark
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml.values import Extent


class Bundle(NamedTuple):
    """The habits of a bundle, as far as its beginning has shown them: a finder that begins later needs them.

    Attributes:
        containers: The open containers whose elements follow one another without line ends; `()` where the text is not
            in that style; `None` where no element was found yet.
        paths: The paths that the bundle lists; empty without a listing; `None` where no element was found yet.
    """

    containers: Containers | None = None
    paths: Paths | None = None


UNKNOWN = Bundle()
"""The habits of a bundle at the start of a text."""


def find_extents(text: str, patterns: TagPatterns) -> Iterator[Extent]:
    """Yield the extents of all blocks of `text`, in order: elements, and the text between them unless it is blank."""
    position = 0
    for extent, _ in Finder(Horizon(text), patterns).elements():
        yield from text_between(text, position, extent.start)
        yield extent
        position = extent.end
    yield from text_between(text, position, len(text))


def text_between(text: str, start: int, end: int, offset: int = 0) -> Iterator[Extent]:
    """Yield the text between two elements, unless it is blank.

    Args:
        text: The text, or a window of it.
        start: The index in `text` where the last element ends.
        end: The index where the next begins.
        offset: The offset of the first character of `text`.

    Rule: B11.
    """
    begin = skip_byte_order_mark(text) if start + offset == 0 else start
    visible = NOT_BLANK.search(text, begin, end)
    if visible and not (visible.end() == end and is_mark_before_tag(text, end - 1)):
        yield Extent(TEXT, start + offset, end + offset)


class Finder:
    """Finds the elements of a text, or of the part of a stream that has been read.

    Walks from element to element: first those without line ends between them (`seamless`), then all others.

    Args:
        horizon: The text. No element is found that characters after its end might change.
        patterns: Which elements.
        begin: The index where to begin: at 0, or where an element ends.
        bundle: The habits of the bundle, as the text before `begin` has shown them.
    """

    def __init__(self, horizon: Horizon, patterns: TagPatterns, begin: int = 0, bundle: Bundle = UNKNOWN) -> None:
        self._begin = begin
        self._bundle = bundle
        self._table = TagTable(horizon, patterns, begin)
        self._listing = Listing(horizon.text, begin, bundle.paths)
        self._line_style = LineStyle(self._table, self._listing)
        self._inline_style = InlineStyle(self._table)

    def elements(self) -> Iterator[tuple[Extent, Bundle]]:
        """Yield the extents of the elements in order, as far as they are decided.

        Beside each stand the habits of the bundle, for a finder that begins where the element ends.
        """
        table = self._table
        tags = table.tags
        try:
            number = 0
            for opening, closing, containers in self._find_seamless():
                number = closing + 1
                extent = table.extent_of(tags[opening], tags[closing].stop)
                yield extent, self._bundle_after(extent, containers)
            walk = _Walk(table, tags[number - 1].stop if number else self._begin)
            while number < len(tags):
                end = self._find_end(number, walk)
                if end is None:
                    number += 1
                    continue
                extent = table.extent_of(tags[number], end)
                yield extent, self._bundle_after(extent, ())
                walk.gap = end
                while number < len(tags) and tags[number].start < end:
                    number += 1
        except Undecided:
            return

    def _bundle_after(self, element: Extent, containers: Containers) -> Bundle:
        """Return the habits of the bundle after an element."""
        if self._bundle.paths is None or self._bundle.containers != containers:
            self._listing.accept_first(element.identity, element.start)
            self._bundle = Bundle(containers, self._listing.paths)
        return self._bundle

    def _find_seamless(self) -> Iterator[tuple[int, int, Containers]]:
        """Yield the numbers of the tags of elements without line ends between them, and the containers around each.

        Nothing is yielded where the text is not in that style.

        Rule: B7.
        """
        table = self._table
        number = table.find_opening(0)
        if number is None:
            table.horizon.need(settled=False)
            return
        tag, containers = table.tags[number], self._bundle.containers
        if containers is None:
            containers = containers_before(table.text, tag, table.rules)
        elif containers and tag.start != self._begin:
            containers = containers_between(table.text, self._begin, tag.start, containers, table.rules)
        if containers:
            run = SeamlessRun(table, containers)
            for opening, closing in run.elements(number):
                yield opening, closing, run.containers

    def _find_end(self, number: int, walk: _Walk) -> int | None:
        """Return the end of the element that the tag `number` begins; `None` where it begins none."""
        tag = self._table.tags[number]
        if tag.kind is CLOSE or not self._table.may_begin(tag):
            return None
        end = self._line_style.find_end(tag) if tag.indent is not None else None
        if end is not None and not walk.examples.hide(walk.gap, tag.start, end):
            return end
        end = self._find_inline_end(number, walk)
        if end is None or walk.examples.hide(walk.gap, tag.start, end) or self._is_parted(number, end, walk):
            return None
        return end

    def _find_inline_end(self, number: int, walk: _Walk) -> int | None:
        """Return the end of the element that the tag `number` begins, whatever its lines look like; `None` without one.

        Rule: B8.
        """
        end = self._inline_style.find_end(number)
        if end is None:
            # Decided all the same if an element with lines of its own begins first: then this tag begins none.
            horizon = self._table.horizon
            horizon.need(settled=horizon.complete or self._is_parted(number, len(horizon.text), walk))
        return end

    def _is_parted(self, number: int, end: int, walk: _Walk) -> bool:
        """Return whether an element with lines of its own begins after the tag `number` and before `end`.

        Rule: B8.
        """
        tags = self._table.tags
        if number < walk.obstacle:
            return tags[walk.obstacle].start < end
        walk.seen = max(walk.seen, number + 1)
        while walk.seen < len(tags) and tags[walk.seen].start < end:
            tag = tags[walk.seen]
            may_begin = tag.indent is not None and tag.kind is not CLOSE and self._table.may_begin(tag)
            line_end = self._line_style.find_end(tag) if may_begin else None
            if line_end is not None and not walk.ahead.hide(walk.gap, tag.start, line_end):
                walk.obstacle = walk.seen
                return True
            walk.seen += 1
        return False


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

    def __init__(self, table: TagTable, gap: int) -> None:
        self.gap = gap
        self.examples = FencedExamples(table.horizon, table.rules)
        self.ahead = FencedExamples(table.horizon, table.rules)
        self.seen = 0
        self.obstacle = -1
