"""Elements without line ends between them: repomix --parsable-style, toolslm, llms_txt2ctx.

Such an element ends where its closing tag is directly followed by the next opening, or by the closing tag of an open
container: at a seam.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator

from langchain_semantic_xml._boundaries.scan import CLOSE, WHOLE, Tag
from langchain_semantic_xml._boundaries.tag_table import TagTable
from langchain_semantic_xml._boundaries.tags import ANY_OPENING, TAG_SPACE
from langchain_semantic_xml._text.blanks import NOT_BLANK
from langchain_semantic_xml._text.names import XML_NAME

Containers = tuple[str, ...]
"""The names of the containers that are open, outermost first."""
_DEEPEST = 64
"""Of more containers in one another, the innermost ones are known."""

# Between the name of a container's closing tag and its ">" anything may stand: `</core spec>`.
_CLOSING = re.compile(rf"</ (?P<closed>{XML_NAME}) (?={TAG_SPACE} | >) [^<>]* >", re.VERBOSE)
_CONTAINER_TAG = re.compile(rf"{_CLOSING.pattern} | {ANY_OPENING}", re.VERBOSE)


def containers_before(text: str, tag: Tag, elements: Container[str]) -> Containers:
    """Return the containers that are opened on the line of `tag` before it and are still open.

    Rule: B7.
    """
    if tag.indent is not None:
        return ()
    containers: Containers = ()
    for match in _CONTAINER_TAG.finditer(text, text.rfind("\n", 0, tag.start) + 1, tag.start):
        containers = _pass_tag(containers, match, elements)
    return containers


def containers_between(text: str, start: int, end: int, containers: Containers, elements: Container[str]) -> Containers:
    """Return the containers that are open at `end`, of those at `start`; `()` where more than their tags lies between.

    Rule: B7.
    """
    if text.find("\n", start, end) >= 0:
        return ()
    while match := _CONTAINER_TAG.match(text, start, end):
        containers = _pass_tag(containers, match, elements)
        start = match.end()
        blanks = NOT_BLANK.search(text, start, end)
        start = blanks.start() if blanks else end
    return containers if start == end else ()


def _pass_tag(containers: Containers, match: re.Match[str], elements: Container[str]) -> Containers:
    """Return the containers that are open after a container's tag."""
    closed, opened = match["closed"], match["name"]
    if closed in containers:
        return containers[: len(containers) - 1 - containers[::-1].index(closed)]
    return containers if opened is None or opened in elements else (*containers, opened)[-_DEEPEST:]


class SeamlessRun:
    """Elements that follow each other without a character between them, in containers on one line.

    Args:
        table: The tags of the text.
        containers: The containers that are open.

    Attributes:
        containers: The containers that are open around the last element that was yielded.

    Rule: B7.
    """

    def __init__(self, table: TagTable, containers: Containers) -> None:
        self.containers = containers
        self._table = table
        self._tags = table.tags
        self._closings: list[int] = []  # numbers of the tags that close at a seam before an opening, in order
        self._indices: dict[int, int | None] = {}  # of each, the index of the opening that follows
        self._by_index: dict[tuple[str, int], list[int]] = {}
        self._ends: dict[int, str] = {}  # the numbers of those before a container's closing, with the container's name
        for number, tag in enumerate(self._tags):
            if tag.kind is not CLOSE:
                continue
            if (following := self._directly_after(number)) is not None:
                self._closings.append(number)
                self._indices[number] = index = table.read_index(self._tags[following])
                if index is not None:
                    self._by_index.setdefault((tag.name, index), []).append(number)
            elif closing := _CLOSING.match(table.text, tag.end):
                self._ends[number] = closing["closed"]
        # For each name of elements and of containers, the last of their common ends.
        self._last = {(self._tags[number].name, container): number for number, container in self._ends.items()}

    def elements(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the opening and the closing tag of each element from the opening `number` on.

        Raises:
            Undecided: If a tag that has not been read may change the next element.
        """
        opening: int | None = number
        while opening is not None:
            closing = opening if self._tags[opening].kind is WHOLE else self._find_closing(opening)
            if closing is None:
                return
            yield opening, closing
            self._table.horizon.need(settled=closing + 1 < len(self._tags))
            opening = self._find_next_opening(closing)

    def _find_next_opening(self, closing: int) -> int | None:
        """Return the number of the next opening in the containers of this line; `None` where the run ends."""
        following = self._directly_after(closing)
        if following is None:
            end = self._tags[closing].stop
            following = self._table.find_opening(closing + 1)
            self._table.horizon.need(settled=following is not None)
            if following is not None:
                start, rules = self._tags[following].start, self._table.rules
                self.containers = containers_between(self._table.text, end, start, self.containers, rules)
        return following if self.containers else None

    def _directly_after(self, number: int) -> int | None:
        """Return the number of the opening with identity that follows a tag's element without a character between."""
        following = number + 1
        if following < len(self._tags):
            tag = self._tags[following]
            if (
                tag.kind is not CLOSE
                and tag.start == self._tags[number].stop
                and self._table.read_name(tag).identity is not None
            ):
                return following
        return None

    def _find_closing(self, opening: int) -> int | None:
        """Return the number of the closing of an element; `None` where no seam can be its end.

        Tags that are passed over on the way to it are never looked at again.
        """
        table = self._table
        tag = self._tags[opening]
        is_first = tag.indent is not None
        table.horizon.need(settled=table.cdata.is_settled(tag.name, tag.end, is_first=is_first))
        end = table.cdata.element_end(tag.name, tag.end, is_first=is_first)
        if end >= 0:
            numbers = range(opening, len(self._tags))
            closing = next((number for number in numbers if self._tags[number].stop == end), None)
            table.horizon.need(settled=closing is not None)
            return closing
        index = table.read_index(tag)
        if index is None:
            return self._next_closing(opening)
        numbered = self._by_index.get((tag.name, index + 1), [])
        place = bisect_right(numbered, opening)
        if place < len(numbered):
            return numbered[place]
        table.horizon.need(settled=False)
        # Numbers may be left out: tools count files that they then skip. After the last, the container closes.
        for place in range(bisect_right(self._closings, opening), len(self._closings)):
            closing = self._closings[place]
            following = self._indices.get(closing)
            if following is not None and following > index and self._tags[closing].name == tag.name:
                return closing
        last = max((self._last.get((tag.name, container), -1) for container in self.containers), default=-1)
        return last if last > opening else None

    def _next_closing(self, opening: int) -> int | None:
        """Return the number of the first closing at a seam."""
        name = self._tags[opening].name
        for number in range(opening + 1, len(self._tags)):
            tag = self._tags[number]
            if tag.name == name and tag.kind is CLOSE and self._is_seam(number):
                return number
        self._table.horizon.need(settled=False)
        return None

    def _is_seam(self, number: int) -> bool:
        return number in self._indices or self._ends.get(number) in self.containers
