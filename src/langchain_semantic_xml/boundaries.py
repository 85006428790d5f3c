"""Find where blocks begin and end: text → the extents of elements and of the text between them.

Contents are raw and may look like tags, so no tag is believed for itself: what counts is its line, its indentation and
what follows it. One pass finds the tags, one walk jumps from element to element; see `scan` and `lanes` for what is
known before the walk. Knows nothing of chunks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from langchain_semantic_xml.examples import Examples
from langchain_semantic_xml.formats import Elements, resolve_elements
from langchain_semantic_xml.lanes import Lane
from langchain_semantic_xml.scan import BYTE_ORDER_MARK, CLOSE, OPEN, WHOLE, Tag, scan_tags
from langchain_semantic_xml.seams import SeamedRun, container_before
from langchain_semantic_xml.spans import TEXT, Attributes, Block, Extent, check_text, count_lines
from langchain_semantic_xml.tags import ANY_CLOSING, CdataSections, Grammar, grammar_of, read_attributes, read_identity

_BLANKS = re.compile(r"\s*")
# A container's closing line; its name must still be compared with the elements' names.
_CONTAINER_CLOSING_LINE = re.compile(rf"{ANY_CLOSING}[ \t\r]*(?:\n|\Z)")


def parse_blocks(text: str, *, elements: Elements | None = None) -> list[Block]:
    """Cut `text` into blocks at the boundaries of its outermost elements.

    Markup that never closes stays text. One pass: O(len(text)) whatever the text holds.

    Args:
        text: Any string; offsets count code points of exactly this string.
        elements: Names or `ElementRule`s of the elements that are blocks; `None` means the default rules.

    Returns:
        Disjoint blocks in source order; only white space (or a byte-order mark) lies between them.

    Raises:
        TypeError: If `text` is not a `str`, or `elements` no iterable of names and rules.
        ValueError: If an element name is not an XML Name, or has two different rules.

    Example:
        >>> [(b.type, b.start, b.end) for b in parse_blocks('Hi <file path="a">x</file>')]
        [('text', 0, 3), ('file', 3, 26)]

    Source:
        XML 1.0 (Fifth Edition), productions 5, 10, 40-44, loosened as `tags` says.
    """
    return list(iter_blocks(text, elements=elements))


def iter_blocks(text: str, *, elements: Elements | None = None) -> Iterator[Block]:
    """Yield what `parse_blocks` returns, slicing each block when it is asked for.

    Args:
        text: Any string.
        elements: As for `parse_blocks`.

    Returns:
        An iterator over the blocks. The arguments are checked, and the tags found, before the first one is asked for.

    Raises:
        TypeError: As `parse_blocks`.
        ValueError: As `parse_blocks`.

    Example:
        >>> next(iter_blocks("<file path='a'>x</file> ...")).identity
        'a'
    """
    check_text("text", text)
    return _slice_blocks(text, find_extents(text, grammar_of(resolve_elements(elements))))


def has_semantic_elements(text: str, *, elements: Elements | None = None) -> bool:
    """Say whether `text` holds an element, that is, whether cutting it into blocks finds more than text.

    Args:
        text: Any string.
        elements: As for `parse_blocks`.

    Raises:
        TypeError: As `parse_blocks`.
        ValueError: As `parse_blocks`.

    Example:
        >>> has_semantic_elements("<file>a</file>"), has_semantic_elements("a <file without end")
        (True, False)
    """
    check_text("text", text)
    return any(extent.type != TEXT for extent in find_extents(text, grammar_of(resolve_elements(elements))))


def _slice_blocks(text: str, extents: Iterator[Extent]) -> Iterator[Block]:
    line, counted = 1, 0
    for kind, start, end, attributes, identity in extents:
        content = text[start:end]
        line += text.count("\n", counted, start)
        counted = start
        yield Block(kind, content, start, end, line, count_lines(content), attributes, identity)


def find_extents(text: str, grammar: Grammar) -> Iterator[Extent]:
    """Yield the extents of all blocks of `text`, in order: elements, and the text between them unless it is blank."""
    position = 0
    for extent in Finder(text, grammar).elements():
        yield from _text_between(text, position, extent.start)
        yield extent
        position = extent.end
    yield from _text_between(text, position, len(text))


def _text_between(text: str, start: int, end: int) -> Iterator[Extent]:
    """Rule 11: what lies between elements is text, unless it is blank."""
    begin = start + text.startswith(BYTE_ORDER_MARK) if start == 0 else start
    blanks = _BLANKS.match(text, begin, end)
    if begin < end and not (blanks and blanks.end() == end):
        yield Extent(TEXT, start, end)


class Finder:
    """Finds the elements of one text.

    Responsibilities: sort the tags into lanes; say what an opening tag's element is called; walk from element to
    element, first those with lines of their own or seams between them, then those in the gaps.
    """

    def __init__(self, text: str, grammar: Grammar) -> None:
        self._text = text
        self._grammar = grammar
        self._cdata = CdataSections(text)
        self._gap_examples = Examples(text)
        self._names: dict[int, tuple[Attributes, str | None]] = {}
        self._lanes: dict[tuple[str, str], Lane] = {}
        self._places: dict[int, tuple[Lane, int]] = {}
        self._line_end_closings: dict[str, list[Tag]] = {}
        self._tags = list(scan_tags(text, grammar, self._cdata))
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
            lane = self._lanes[key] = Lane(self._text, self._grammar.rules, self._is_followed)
        if tag.kind is OPEN:
            self._places[tag.start] = lane, len(lane.tags)
        lane.tags.append(tag)

    # Names

    def _name(self, tag: Tag) -> tuple[Attributes, str | None]:
        """Return attributes and identity of an opening tag; read once."""
        known = self._names.get(tag.start)
        if known is None:
            attributes = read_attributes(self._text, tag.start, tag.end) or Attributes()
            rule = self._grammar.rules[tag.name]
            identity = read_identity(self._text, tag.end, attributes, rule, self._grammar)
            known = self._names[tag.start] = attributes, identity
        return known

    def _may_begin(self, tag: Tag) -> bool:
        """Say whether an opening tag may begin an element: it has an identity, or is bare and begins a line (rule 8)."""
        bare = tag.indent is not None and self._grammar.rules[tag.name].bare
        return bare or self._name(tag)[1] is not None

    def _extent(self, tag: Tag, end: int) -> Extent:
        return Extent(tag.name, tag.start, end, *self._name(tag))

    def _is_followed(self, closing: Tag) -> bool:
        """Say whether a closing is followed by what follows a real one (rule 4), only white space between.

        That is an opening with identity at the same indentation, a container's closing line, or the end of the text.
        """
        text = self._text
        blanks = _BLANKS.match(text, closing.end)
        position = blanks.end() if blanks else closing.end
        if position == len(text):
            return True
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
        """Yield the extents of the elements in order."""
        gap = first = 0
        for opening, closing in self._seamed():
            gap, first = self._tags[closing].stop, closing + 1
            yield self._extent(self._tags[opening], gap)
        examples = Examples(self._text)
        number = first
        while number < len(self._tags):
            tag = self._tags[number]
            end = self._line_style_end(tag)
            if end is None or examples.hide(gap, tag.start, end):
                number += 1
                continue
            yield from self._in_gap(gap, first, number)
            yield self._extent(tag, end)
            gap, first = end, self._number_at(end, number)
            number = first
        yield from self._in_gap(gap, first, number)

    def _number_at(self, position: int, number: int) -> int:
        """Return the number of the first tag at or after `position`, counting on from `number`."""
        while number < len(self._tags) and self._tags[number].start < position:
            number += 1
        return number

    def _seamed(self) -> Iterator[tuple[int, int]]:
        """Yield the elements without line ends between them, if the text begins so (rule 7)."""
        number = next((n for n, tag in enumerate(self._tags) if tag.kind is not CLOSE and self._may_begin(tag)), None)
        if number is None:
            return
        container = container_before(self._text, self._tags[number], self._grammar.rules)
        if container is not None:
            yield from SeamedRun(self._text, self._tags, container, self._name, self._cdata).elements(number)

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

    def _in_gap(self, gap: int, first: int, last: int) -> Iterator[Extent]:
        """Yield the elements that begin anywhere on a line, in the text from `gap` up to the tag `last` (rule 8)."""
        limit = self._tags[last].start if last < len(self._tags) else len(self._text)
        ends = self._balance(first, last, limit)
        number = first
        while number < last:
            tag = self._tags[number]
            end = ends.get(number)
            if end is None or not self._may_begin(tag) or self._gap_examples.hide(gap, tag.start, end):
                number += 1
                continue
            yield self._extent(tag, end)
            gap = end
            number = self._number_at(end, number)

    def _balance(self, first: int, last: int, limit: int) -> dict[int, int]:
        """Return, for the number of each opening in a gap that is closed in it, the end of its element."""
        ends: dict[int, int] = {}
        openings: dict[str, list[int]] = {}
        number = first
        while number < last:
            tag = self._tags[number]
            stop = self._cdata.element_end(tag.name, tag.end) if tag.kind is OPEN else tag.stop
            if tag.kind is CLOSE:
                if stack := openings.get(tag.name):
                    ends[stack.pop()] = tag.end
            elif tag.kind is WHOLE or 0 <= stop <= limit:
                ends[number] = stop
            else:
                openings.setdefault(tag.name, []).append(number)
                stop = tag.end
            number = self._number_at(stop, number + 1)
        return ends
