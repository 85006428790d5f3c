"""Blank and visible characters: which characters count as blank, and where the visible ones stand."""

from __future__ import annotations

import re

BYTE_ORDER_MARK = "\ufeff"
"""Counts as blank at the start of a text, and directly before a tag at the start of a line."""
_MARK_BEFORE_TAG = BYTE_ORDER_MARK + "<"

NOT_BLANK = re.compile(r"\S")
"""Finds a visible character: one that `str.isspace` says is not white space."""


def first_visible(text: str, start: int, end: int) -> int:
    """Return the index of the first visible character of `text[start:end]`; `end` where all of it is blank.

    Example:
        >>> first_visible("  a b ", 0, 6), first_visible("  a", 0, 2)
        (2, 2)
    """
    if start < end and not text[start].isspace():
        return start
    visible = NOT_BLANK.search(text, start, end)
    return visible.start() if visible else end


def last_visible(text: str, start: int, end: int) -> int:
    """Return the index after the last visible character of `text[start:end]`; `start` where all of it is blank.

    Looks at growing slices from the end: the cost is that of the blanks there, not of the text before them.

    Example:
        >>> last_visible("  a b ", 0, 6), last_visible("  a", 0, 2)
        (5, 0)
    """
    if start < end and not text[end - 1].isspace():
        return end
    step = 64
    low = max(start, end - step)
    while low > start and text[low:end].isspace():
        end, step = low, step * 2
        low = max(start, end - step)
    return low + len(text[low:end].rstrip())


def skip_byte_order_mark(text: str, position: int = 0) -> int:
    r"""Return the index after the byte-order mark at `position`; without a mark there, `position` itself.

    Example:
        >>> skip_byte_order_mark("\ufeffa"), skip_byte_order_mark("a")
        (1, 0)
    """
    return position + 1 if text.startswith(BYTE_ORDER_MARK, position) else position


def is_mark_before_tag(text: str, position: int) -> bool:
    r"""Return whether a byte-order mark stands at `position`, first on its line and directly before a tag.

    Bundles that `cat` has joined hold such marks between their parts; they count as blank.

    Example:
        >>> is_mark_before_tag("a\n\ufeff<b>", 2), is_mark_before_tag("a\ufeff<b>", 1)
        (True, False)

    Rule: B1.
    """
    return text.startswith(_MARK_BEFORE_TAG, position) and (position == 0 or text[position - 1] == "\n")


def read_indentation(text: str, line: int, start: int) -> str | None:
    """Return the blanks between the start of a line and `start`; `None` where something else stands there.

    A byte-order mark counts as blank at the start of the text, and directly before a tag.

    Rule: B1.
    """
    if line == start:
        return ""
    if text[line] == BYTE_ORDER_MARK and (line == 0 or line + 1 == start):
        line += 1
    before = text[line:start]
    return None if before.strip(" \t") else before
