"""Elements without line ends between them: repomix --parsable-style, toolslm.

Such an element ends where its closing tag is directly followed by the next opening or by the container's closing: at a
seam.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator

from langchain_semantic_xml._boundaries.scan import CLOSE, WHOLE, Tag
from langchain_semantic_xml._boundaries.tag_table import TagTable
from langchain_semantic_xml._boundaries.tags import ANY_OPENING, TAG_SPACE

_OPENING = re.compile(ANY_OPENING, re.VERBOSE)
_NUMBER = re.compile(r"[0-9]{1,9}")


def container_before(text: str, tag: Tag, elements: Container[str]) -> str | None:
    """Return the name of the container that opens last on the line of `tag` before it; `None` where there is none.

    Rule: B7.
    """
    if tag.indent is not None:
        return None
    line = text.rfind("\n", 0, tag.start) + 1
    names = [match["name"] for match in _OPENING.finditer(text, line, tag.start) if match["name"] not in elements]
    return names[-1] if names else None


class SeamlessRun:
    """Elements that follow each other without a character between them, in one container.

    Args:
        table: The tags of the text.
        container: The container's name.

    Rule: B7.
    """

    def __init__(self, table: TagTable, container: str) -> None:
        self._table = table
        self._tags = table.tags
        self._closings: list[int] = []  # numbers of the tags that close at a seam, in order
        self._indices: dict[int, int | None] = {}  # of each, the index of the opening that follows
        self._by_index: dict[tuple[str, int], list[int]] = {}
        self._ends: dict[int, str] = {}  # the numbers of those before the container's closing, with their names
        container_closing = re.compile(rf"</{re.escape(container)}{TAG_SPACE}*>")
        for number, tag in enumerate(self._tags):
            if tag.kind is not CLOSE:
                continue
            if (following := self._directly_after(number)) is not None:
                self._closings.append(number)
                self._indices[number] = index = self._index_of(self._tags[following])
                if index is not None:
                    self._by_index.setdefault((tag.name, index), []).append(number)
            elif container_closing.match(table.text, tag.end):
                self._ends[number] = tag.name
        self._last = {name: number for number, name in self._ends.items()}  # for each name the last of them

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
            opening = self._directly_after(closing)

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

    def _index_of(self, tag: Tag) -> int | None:
        index = self._table.read_name(tag).attributes.get("index", "")
        return int(index) if _NUMBER.fullmatch(index) else None

    def _find_closing(self, opening: int) -> int | None:
        """Return the number of the closing of an element; `None` where no seam can be its end.

        Tags that are passed over on the way to it are never looked at again.
        """
        table = self._table
        tag = self._tags[opening]
        table.horizon.need(settled=table.cdata.is_settled(tag.end))
        end = table.cdata.element_end(tag.name, tag.end)
        if end >= 0:
            numbers = range(opening, len(self._tags))
            closing = next((number for number in numbers if self._tags[number].end == end), None)
            table.horizon.need(settled=closing is not None)
            return closing
        index = self._index_of(tag)
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
        last = self._last.get(tag.name, -1)
        return last if last > opening else None

    def _next_closing(self, opening: int) -> int | None:
        """Return the number of the first closing at a seam."""
        name = self._tags[opening].name
        for number in range(opening + 1, len(self._tags)):
            tag = self._tags[number]
            if tag.name == name and tag.kind is CLOSE and (number in self._indices or number in self._ends):
                return number
        self._table.horizon.need(settled=False)
        return None
