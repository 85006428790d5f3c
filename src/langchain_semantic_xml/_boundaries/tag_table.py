"""The tags of a text in order, and what is known of each: its attributes, its identity, what follows it."""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import attrgetter
from typing import NamedTuple

from langchain_semantic_xml._boundaries.contents import CdataSections, read_identity
from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.scan import CLOSE, WHOLE, Tag, scan_tags
from langchain_semantic_xml._boundaries.tags import ANY_CLOSING, TagPatterns, read_attributes
from langchain_semantic_xml._text.blanks import NOT_BLANK
from langchain_semantic_xml.values import NO_ATTRIBUTES, Attributes, Extent

# A container's closing line; its name must still be compared with the elements' names.
_CONTAINER_CLOSING_LINE = re.compile(rf"{ANY_CLOSING} [ \t\r]* (?:\n|\Z)", re.VERBOSE)


class TagName(NamedTuple):
    """What an opening tag calls its element."""

    attributes: Attributes
    identity: str | None


class TagTable:
    """The tags of a text, and the answers to what the rules ask of single tags.

    Args:
        horizon: The text.
        patterns: Which elements.
        begin: The index where to begin.

    Attributes:
        tags: The tags in order, as far as they are settled.
        cdata: The CDATA sections of the text.
    """

    def __init__(self, horizon: Horizon, patterns: TagPatterns, begin: int = 0) -> None:
        self.horizon = horizon
        self.text = horizon.text
        self.patterns = patterns
        self.rules = patterns.rules
        self.cdata = CdataSections(horizon)
        self.tags = list(scan_tags(horizon, patterns, self.cdata, begin))
        self._names: dict[int, TagName] = {}

    def read_name(self, tag: Tag) -> TagName:
        """Return attributes and identity of an opening tag; each is read once."""
        known = self._names.get(tag.start)
        if known is None:
            attributes = read_attributes(self.text, tag.start, tag.end) or NO_ATTRIBUTES
            rule = self.rules[tag.name]
            identity = read_identity(self.text, tag.end, attributes, rule, self.patterns, empty=tag.kind is WHOLE)
            known = self._names[tag.start] = TagName(attributes, identity)
        return known

    def may_begin(self, tag: Tag) -> bool:
        """Return whether an opening tag may begin an element: it has an identity, or is bare and begins a line."""
        bare = tag.indent is not None and self.rules[tag.name].bare
        return bare or self.read_name(tag).identity is not None

    def extent_of(self, tag: Tag, end: int) -> Extent:
        """Return the extent of the element that `tag` begins and that ends at `end`."""
        return Extent(tag.name, tag.start, end, *self.read_name(tag), tag.end)

    def number_from(self, position: int) -> int:
        """Return the number of the first tag at or after `position`."""
        return bisect_left(self.tags, position, key=attrgetter("start"))

    def is_followed(self, closing: Tag) -> bool:
        """Return whether the closing of an element may stand where `closing` stands, by what follows it.

        That is, with only white space between: an opening with identity at the same indentation, a container's closing
        line, or the end of the text.

        Rule: B4.
        """
        text = self.text
        visible = NOT_BLANK.search(text, closing.end)
        if visible is None:
            return self.horizon.complete
        position = visible.start()
        container = _CONTAINER_CLOSING_LINE.match(text, position)
        if container:
            return container["name"] not in self.rules
        number = self.number_from(position)
        tag = self.tags[number] if number < len(self.tags) else None
        return (
            tag is not None
            and tag.start == position
            and tag.kind is not CLOSE
            and tag.indent == closing.indent
            and self.read_name(tag).identity is not None
        )
