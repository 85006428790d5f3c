"""Elements without line ends between them (boundary rule 7): repomix --parsable-style, toolslm.

Such an element ends where its closing tag is directly followed by the next opening or by the container's closing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator, Sequence

from langchain_semantic_xml._boundaries.scan import CLOSE, WHOLE, Tag, Undecided
from langchain_semantic_xml._boundaries.tags import ANY_OPENING, CdataSections
from langchain_semantic_xml.values import Attributes

_OPENING = re.compile(ANY_OPENING)
_NUMBER = re.compile(r"[0-9]{1,9}")

ReadName = Callable[[Tag], tuple[Attributes, str | None]]


def container_before(text: str, tag: Tag, elements: Container[str]) -> str | None:
    """Return the name of the container that opens last on the line of `tag` before it; `None` where none does."""
    if tag.indent is not None:
        return None
    line = text.rfind("\n", 0, tag.start) + 1
    names = [match[1] for match in _OPENING.finditer(text, line, tag.start) if match[1] not in elements]
    return names[-1] if names else None


class SeamedRun:
    """Elements that follow each other without a character between them, in one container.

    Args:
        text: The text.
        tags: All its tags.
        container: The container's name.
        read_name: Gives attributes and identity of an opening tag.
        cdata: Gives the end of an element whose content is CDATA.
        complete: Whether no tag can come after the last one.
    """

    def __init__(
        self,
        text: str,
        tags: Sequence[Tag],
        container: str,
        read_name: ReadName,
        cdata: CdataSections,
        *,
        complete: bool,
    ) -> None:
        self._tags = tags
        self._complete = complete
        self._cdata = cdata
        self._read_name = read_name
        self._closings: list[int] = []  # numbers of the tags that close at a seam, in order
        self._indices: dict[int, int | None] = {}  # of each, the index of the opening that follows
        self._by_index: dict[tuple[str, int], list[int]] = {}
        self._ends: dict[int, str] = {}  # the numbers of those before the container's closing, with their names
        container_closing = re.compile(rf"</{re.escape(container)}[ \t\r\n]*>")
        for number, tag in enumerate(tags):
            if tag.kind is not CLOSE:
                continue
            if (following := self._directly_after(number)) is not None:
                self._closings.append(number)
                self._indices[number] = index = self._index(tags[following])
                if index is not None:
                    self._by_index.setdefault((tag.name, index), []).append(number)
            elif container_closing.match(text, tag.end):
                self._ends[number] = tag.name
        self._last = {name: number for number, name in self._ends.items()}  # for each name the last of them

    def elements(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the opening and the closing tag of each element from the opening `number` on.

        Raises:
            Undecided: If a tag that is still to come may change the next element.
        """
        opening: int | None = number
        while opening is not None:
            closing = opening if self._tags[opening].kind is WHOLE else self._closing(opening)
            if closing is None:
                return
            yield opening, closing
            self._need(settled=closing + 1 < len(self._tags))
            opening = self._directly_after(closing)

    def _need(self, *, settled: bool) -> None:
        if not (settled or self._complete):
            raise Undecided

    def _directly_after(self, number: int) -> int | None:
        """Return the number of the opening with identity that follows a tag's element without a character between."""
        following = number + 1
        if following < len(self._tags):
            tag = self._tags[following]
            if tag.kind is not CLOSE and tag.start == self._tags[number].stop and self._read_name(tag)[1] is not None:
                return following
        return None

    def _index(self, tag: Tag) -> int | None:
        index = self._read_name(tag)[0].get("index", "")
        return int(index) if _NUMBER.fullmatch(index) else None

    def _closing(self, opening: int) -> int | None:
        """Return the closing of an element; `None` where no seam can be its end.

        What is passed over on the way to it is never looked at again.
        """
        tag = self._tags[opening]
        self._need(settled=self._cdata.is_settled(tag.end))
        end = self._cdata.element_end(tag.name, tag.end)
        if end >= 0:
            numbers = range(opening, len(self._tags))
            closing = next((number for number in numbers if self._tags[number].end == end), None)
            self._need(settled=closing is not None)
            return closing
        index = self._index(tag)
        if index is None:
            return self._next_closing(opening)
        numbered = self._by_index.get((tag.name, index + 1), [])
        place = bisect_right(numbered, opening)
        if place < len(numbered):
            return numbered[place]
        self._need(settled=False)
        # Numbers may be left out: tools count files that they then skip. After the last, the container closes.
        for place in range(bisect_right(self._closings, opening), len(self._closings)):
            closing = self._closings[place]
            following = self._indices.get(closing)
            if following is not None and following > index and self._tags[closing].name == tag.name:
                return closing
        last = self._last.get(tag.name, -1)
        return last if last > opening else None

    def _next_closing(self, opening: int) -> int | None:
        """Return the first closing at a seam."""
        name = self._tags[opening].name
        for number in range(opening + 1, len(self._tags)):
            tag = self._tags[number]
            if tag.name == name and tag.kind is CLOSE and (number in self._indices or number in self._ends):
                return number
        self._need(settled=False)
        return None
