"""Elements anywhere in a line: where each ends, whatever its lines look like."""

from __future__ import annotations

from functools import cached_property

from langchain_semantic_xml._boundaries.scan import CLOSE, OPEN, WHOLE
from langchain_semantic_xml._boundaries.tag_table import TagTable


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
        table.horizon.need(settled=table.cdata.is_settled(tag.end))
        end = table.cdata.element_end(tag.name, tag.end)
        if end >= 0:
            return end
        closing = self._balanced.get(number)
        return None if closing is None else table.tags[closing].end

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
