"""Elements whose opening tag stands first on its line: where each ends."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter

from langchain_semantic_xml._boundaries.columns import Column
from langchain_semantic_xml._boundaries.listing import Listing
from langchain_semantic_xml._boundaries.scan import CLOSE, OPEN, WHOLE, Tag
from langchain_semantic_xml._boundaries.tag_table import TagTable
from langchain_semantic_xml._boundaries.wrappers import Wrappers

_START = attrgetter("start")


class LineStyle:
    """Finds the ends of elements with lines of their own.

    Responsibilities: sort the tags into columns of one name and one indentation; keep apart the closings at the ends
    of text lines; choose between the two.

    Args:
        table: The tags of the text.
        listing: The listing of the bundle.
    """

    def __init__(self, table: TagTable, listing: Listing) -> None:
        self._table = table
        self._listing = listing
        self._wrappers = Wrappers(table.text, table.rules)
        self._columns: dict[tuple[str, str], Column] = {}
        self._places: dict[int, tuple[Column, int]] = {}
        self._line_ends: dict[str, list[Tag]] = {}
        for tag in table.tags:
            self._sort(tag)

    def _sort(self, tag: Tag) -> None:
        if tag.kind is WHOLE or not (tag.fills or tag.is_glued):
            return
        if tag.indent is None:
            if tag.kind is CLOSE:
                self._line_ends_of(tag.name).append(tag)
            return
        key = tag.name, tag.indent
        column = self._columns.get(key)
        if column is None:
            column = Column(self._table, self._wrappers, self._listing, self._line_ends_of(tag.name))
            self._columns[key] = column
        if tag.is_glued and self._table.read_name(tag).identity is None:
            column.bars.add(len(column.tags))
            return
        if tag.kind is OPEN:
            self._places[tag.start] = column, len(column.tags)
        column.tags.append(tag)

    def _line_ends_of(self, name: str) -> list[Tag]:
        return self._line_ends.setdefault(name, [])

    def find_end(self, tag: Tag) -> int | None:
        """Return the end of the element that begins with `tag`; `None` where it has no lines of its own.

        Args:
            tag: An opening, or a whole element, that is first on its line and may begin an element.

        Raises:
            Undecided: If a tag that has not been read may change the answer.

        Rule: B2, B6, B10.
        """
        if tag.kind is WHOLE:
            return tag.stop if tag.fills or tag.stop != tag.end else None
        found = self._places.get(tag.start)
        if found is None:
            return None
        column, place = found
        closing = None
        if tag.fills:
            following = column.next_on_line(place)
            self._table.horizon.need(settled=following is not None)
            if following is None or following.kind is OPEN:
                closing = self._find_line_end_closing(tag, following)
        closing = closing or column.find_closing(place)
        return closing.end if closing else None

    def _find_line_end_closing(self, tag: Tag, following: Tag | None) -> Tag | None:
        """Return the closing at the end of a line of text that ends an element: the last one before `following`.

        Without an opening that follows, it is the first one.

        Rule: B6.
        """
        closings = self._line_ends_of(tag.name)
        place = bisect_left(closings, tag.end, key=_START)
        if following is not None:
            last = bisect_left(closings, following.start, key=_START) - 1
            return closings[last] if last >= place else None
        return closings[place] if place < len(closings) else None
