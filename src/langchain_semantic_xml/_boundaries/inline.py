"""Elements anywhere in a line: where each ends, whatever its lines look like."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from langchain_semantic_xml._boundaries.scan import BLANK_TO_LINE_END, CLOSE, OPEN, WHOLE
from langchain_semantic_xml._boundaries.tag_table import TagTable
from langchain_semantic_xml._text.names import XML_NAME

# After a closing tag: visible text on the same line that is no tag.
_TEXT_ON_LINE = re.compile(rf"[ \t\r]*(?!</?{XML_NAME})[^ \t\r\n]")


class InlineStyle:
    """Finds the ends of elements by their balance alone.

    Args:
        table: The tags of the text.
    """

    def __init__(self, table: TagTable) -> None:
        self._table = table

    def find_end(self, number: int) -> int | None:
        """Return the end of the element that the tag `number` begins; `None` where no closing balances it.

        Raises:
            Undecided: If it begins with CDATA whose end is not settled.

        Rule: B8, B10.
        """
        table = self._table
        tag = table.tags[number]
        if tag.kind is WHOLE:
            return tag.stop
        is_first = tag.indent is not None
        table.horizon.need(settled=table.cdata.is_settled(tag.name, tag.end, is_first=is_first))
        end = table.cdata.element_end(tag.name, tag.end, is_first=is_first)
        if end >= 0:
            return end
        closing = self._balanced.get(number)
        if closing is None:
            return None
        end = table.tags[closing].end
        if is_first and table.read_name(tag).identity is not None and _TEXT_ON_LINE.match(table.text, end):
            return self._find_surplus_end(tag.name, end) or end
        return end

    def _find_surplus_end(self, name: str, end: int) -> int | None:
        """Return the end of the last surplus closing after the balanced one that ends at `end`; `None` without one.

        It ends its line and is followed as the closing of an element is. The next opening first on its line ends the
        surplus.

        Rule: B8.
        """
        openings, closings = self._first_on_line.get(name, []), self._followed_at_line_end.get(name, [])
        number = bisect_left(openings, end)
        self._table.horizon.need(settled=number < len(openings))
        limit = openings[number] if number < len(openings) else len(self._table.text)
        last = bisect_left(closings, limit + 1) - 1
        return closings[last] if last >= 0 and closings[last] > end else None

    @cached_property
    def _first_on_line(self) -> dict[str, list[int]]:
        """For each name the starts of its openings that are first on their lines."""
        starts: dict[str, list[int]] = {}
        for tag in self._table.tags:
            if tag.kind is not CLOSE and tag.indent is not None:
                starts.setdefault(tag.name, []).append(tag.start)
        return starts

    @cached_property
    def _followed_at_line_end(self) -> dict[str, list[int]]:
        """For each name the ends of its closings that end a line, and that an opening or a container's end follows."""
        ends: dict[str, list[int]] = {}
        for tag in self._table.tags:
            if tag.kind is CLOSE and BLANK_TO_LINE_END.match(self._table.text, tag.end):
                follower = self._table.find_follower(tag.end)
                if follower is not None and not follower.is_end:
                    ends.setdefault(tag.name, []).append(tag.end)
        return ends

    @cached_property
    def _balanced(self) -> dict[int, int]:
        """For the number of each opening that of the closing that balances it, among all tags of its name."""
        balanced: dict[int, int] = {}
        stacks: dict[str, list[int]] = {}
        for number, tag in enumerate(self._table.tags):
            if tag.kind is OPEN:
                stacks.setdefault(tag.name, []).append(number)
            elif tag.kind is CLOSE and (stack := stacks.get(tag.name)):
                balanced[stack.pop()] = number
        return balanced
