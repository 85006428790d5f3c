"""The tags of a text in order, and what is known of each: its attributes, its identity, what follows it."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from operator import attrgetter
from typing import NamedTuple

from langchain_semantic_xml._boundaries.contents import CdataSections, read_identity
from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.scan import CLOSE, WHOLE, Tag, scan_tags
from langchain_semantic_xml._boundaries.tags import ANY_CLOSING, TagPatterns, read_attributes
from langchain_semantic_xml._text.blanks import NOT_BLANK, is_mark_before_tag
from langchain_semantic_xml.values import NO_ATTRIBUTES, Attributes, Extent

# A container's closing line; its name must still be compared with the elements' names.
_CONTAINER_CLOSING_LINE = re.compile(rf"{ANY_CLOSING} [ \t\r]* (?:\n|\Z)", re.VERBOSE)


ANY_INDENT = "*"
"""Stands for the indentation of any opening that is first on its line."""
_NUMBER = re.compile(r"[0-9]{1,9}")


class TagName(NamedTuple):
    """What an opening tag calls its element."""

    attributes: Attributes
    identity: str | None


class Follower(NamedTuple):
    """The first visible thing after a closing tag, where it is one that follows the closing tag of an element.

    Attributes:
        rank: The number in the `index` of a following opening; infinite for a container's closing line, for the end of
            the text, and for an opening without a number.
        name: The name of a following opening; `None` for a container's closing line and for the end of the text.
        is_end: Whether it is the end of the text.
    """

    rank: float = math.inf
    name: str | None = None
    is_end: bool = False


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
        self.cdata = CdataSections(horizon, patterns.rules)
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

    def find_opening(self, number: int) -> int | None:
        """Return the number of the first tag from `number` on that may begin an element; `None` without one."""
        tags = self.tags
        openings = (at for at in range(number, len(tags)) if tags[at].kind is not CLOSE and self.may_begin(tags[at]))
        return next(openings, None)

    def extent_of(self, tag: Tag, end: int) -> Extent:
        """Return the extent of the element that `tag` begins and that ends at `end`."""
        return Extent(tag.name, tag.start, end, *self.read_name(tag), tag.end)

    def number_from(self, position: int) -> int:
        """Return the number of the first tag at or after `position`."""
        return bisect_left(self.tags, position, key=attrgetter("start"))

    def read_index(self, tag: Tag) -> int | None:
        """Return the number in the `index` of an opening tag; `None` where it has no number."""
        index = self.read_name(tag).attributes.get("index", "")
        return int(index) if _NUMBER.fullmatch(index) else None

    def first_visible(self, start: int) -> int:
        """Return the index of the first visible character from `start` on, the end of the text where all is blank.

        A byte-order mark directly before a tag at the start of a line counts as blank.

        Rule: B1.
        """
        text = self.text
        visible = NOT_BLANK.search(text, start)
        if visible is None:
            return len(text)
        position = visible.start()
        return position + 1 if is_mark_before_tag(text, position) else position

    def find_follower(self, end: int, indent: str | None = ANY_INDENT) -> Follower | None:
        """Return the thing that follows the closing tag that ends at `end`, with only white space between.

        It is an opening with identity at the indentation `indent` (`ANY_INDENT`: first on its line), a container's
        closing line, or the end of the text. `None` where something else follows: the closing tag may be content.

        Rule: B4.
        """
        text = self.text
        position = self.first_visible(end)
        if position == len(text):
            return Follower(is_end=True) if self.horizon.complete else None
        container = _CONTAINER_CLOSING_LINE.match(text, position)
        if container:
            return None if container["name"] in self.rules else Follower()
        number = self.number_from(position)
        tag = self.tags[number] if number < len(self.tags) else None
        if (
            tag is None
            or tag.start != position
            or tag.kind is CLOSE
            or tag.indent is None
            or indent not in (ANY_INDENT, tag.indent)
            or self.read_name(tag).identity is None
        ):
            return None
        index = self.read_index(tag)
        return Follower(math.inf if index is None else index, tag.name)
