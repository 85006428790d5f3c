"""Markdown tables: which rows are a table's header, and which rows belong to it.

Knows pipes and dashes. Knows nothing of blocks or parts.

Source:
    GitHub Flavored Markdown 0.29, 4.10.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

Span = tuple[int, int]

_DELIMITER_ROW = re.compile(
    r"""
        \n[ ]{0,3}(?=[^\n]*\|)   # a line that holds a pipe
        \|?[ \t]*:?-+:?[ \t]*    # the first cell: dashes, with a colon on either side
        (?:\|[ \t]*:?-+:?[ \t]*)*
        \|?[ \t\r]*(?:\n|\Z)
    """,
    re.VERBOSE,
)
_ROW = re.compile(r"[^\n]*\|[^\n]*(?:\n|\Z)")


class Table(NamedTuple):
    """A table of a text.

    Args:
        start: Where its header begins.
        body: Where the rows below the header begin.
        end: Where the last row ends.
    """

    start: int
    body: int
    end: int


def find_tables(text: str, start: int, end: int) -> list[Table]:
    r"""Return the tables in `text[start:end]`, in order.

    Example:
        >>> find_tables("a\n| b |\n| - |\n| 1 |\nc", 0, 22)
        [Table(start=2, body=14, end=20)]
    """
    tables: list[Table] = []
    at = start
    while match := _DELIMITER_ROW.search(text, at, end):
        header = text.rfind("\n", start, match.start()) + 1 or start
        at = match.end()
        if "|" in text[header : match.start()]:
            body = at
            while row := _ROW.match(text, at, end):
                at = row.end()
                if at >= end:
                    break
            tables.append(Table(header, body, at))
        else:
            at -= 1  # the line end of the row may begin another
    return tables


def header_at(tables: list[Table], offset: int) -> Span | None:
    """Return the header of the table whose rows below the header hold `offset`, if there is one."""
    number = bisect_right(tables, offset, key=_start_of) - 1
    if number < 0 or not tables[number].body <= offset < tables[number].end:
        return None
    return tables[number].start, tables[number].body


def _start_of(table: Table) -> int:
    return table.start
