"""Find the tags of a text, in order, and what their lines say of them.

Knows lines and single tags, not which tags belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from langchain_semantic_xml._boundaries.contents import CdataSections, read_child, skip_child
from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.tags import (
    TagPatterns,
    has_closing_tag,
    is_broken_off,
    raw_tag_end,
    skip_blanks,
)
from langchain_semantic_xml._text.blanks import read_indentation

BLANK_TO_LINE_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
"""Matches after a tag that fills its line."""


class Kind(IntEnum):
    """What a tag does: it opens an element, closes one, or is one that needs no closing tag to be looked for."""

    OPEN = 0
    CLOSE = 1
    WHOLE = 2


# Members of an enumeration are slow to reach, and these are compared for every tag.
OPEN, CLOSE, WHOLE = Kind


class Tag(NamedTuple):
    """A tag of an element name.

    Attributes:
        kind: `WHOLE` is a self-closing tag, or an opening one whose CDATA says where the element ends.
        name: The element's name.
        start: The offset of its `<`.
        end: The offset after its `>`.
        stop: The offset after the element of a `WHOLE`; otherwise `end`.
        indent: The white space before it on its line; `None` where something else stands there.
        fills: Whether only white space, or an opening tag's identity child, follows on its line. A closing tag that is
            not the first on its line fills it only if no opening tag on that line has the same name to itself.
        is_glued: Whether content follows an opening tag that is first on its line, and no closing of its name does.
    """

    kind: Kind
    name: str
    start: int
    end: int
    stop: int
    indent: str | None
    fills: bool
    is_glued: bool = False


def scan_tags(horizon: Horizon, patterns: TagPatterns, cdata: CdataSections, begin: int = 0) -> Iterator[Tag]:
    """Yield the tags of a text in order; none inside another, nor inside the CDATA of one that is first on its line.

    Args:
        horizon: The text. If more of it may follow, the tags end before the first that is not settled.
        patterns: Which tags.
        cdata: The CDATA sections of the text.
        begin: Where to begin; unless at 0, something stands before it on its line.

    Rule: B1, B2, B6, B10.
    """
    text, complete = horizon.text, horizon.complete
    search = patterns.tag.search
    position = begin
    open_on_line: dict[str, int] = {}
    while match := search(text, position):
        start, end = match.span()
        closing, opening, ending = match.groups()
        # Between the last tag and this one: so that no character is looked at twice, however long the line.
        line = text.rfind("\n", position, start) + 1
        if line or not position:
            open_on_line.clear()
            indent = read_indentation(text, line, start)
        else:
            indent = None
        if not complete and not _is_settled(horizon, match, patterns, cdata, first=indent is not None):
            return
        position = stop = end
        if closing:
            name, kind = closing, CLOSE
            matched = indent is None and open_on_line.get(name, 0) > 0
            if matched:
                open_on_line[name] -= 1
            fills, is_glued = not matched and _is_blank_to_line_end(text, end), False
        else:
            name, kind = opening, OPEN
            if ending is None:
                raw_end = raw_tag_end(text, name, end, start) if indent is not None else None
                if raw_end is None:
                    continue
                position = stop = end = raw_end
            if text[end - 2] == "/":
                kind = WHOLE
            elif indent is not None and (cdata_stop := cdata.element_end(name, end, is_first=True)) >= 0:
                kind, position, stop = WHOLE, cdata_stop, cdata_stop
            else:
                open_on_line[name] = open_on_line.get(name, 0) + 1
            fills = _is_blank_to_line_end(text, end) or (
                kind is OPEN and indent is not None and _child_fills(text, end, name, patterns)
            )
            is_glued = not fills and kind is OPEN and indent is not None and not _closes_on_line(text, end, name)
        open_on_line = _still_on_line(text, start, position, open_on_line, name if kind is OPEN else None)
        yield Tag(kind, name, start, end, stop, indent, fills, is_glued)


def _still_on_line(
    text: str, start: int, end: int, open_on_line: dict[str, int], opening: str | None
) -> dict[str, int]:
    """Return which elements are open on the line where a tag ends: if it spans lines, only the one it opens itself."""
    if not open_on_line or text.find("\n", start, end) < 0:
        return open_on_line
    return {opening: 1} if opening else {}


def _is_settled(
    horizon: Horizon, match: re.Match[str], patterns: TagPatterns, cdata: CdataSections, *, first: bool
) -> bool:
    """Return whether characters after the end of the text can change nothing about the tag that begins with `match`."""
    text, end = horizon.text, match.end()
    _, opening, ending = match.groups()
    if opening and ending is None:
        if is_broken_off(text, end):
            return False
        end = text.find("\n", end)  # with raw quotes, the tag may be the whole line
        if end < 0:
            return False
    after = skip_blanks(text, end)
    if opening:
        after = skip_child(text, after, opening, patterns)
        if first and not cdata.is_settled(opening, end, is_first=True):
            return False
        if first and text.find("\n", end) < 0 and not _closes_on_line(text, end, opening):
            return False  # content may be glued to it
    return horizon.is_far(after)


def _is_blank_to_line_end(text: str, end: int) -> bool:
    return text.startswith("\n", end) or BLANK_TO_LINE_END.match(text, end) is not None


def _closes_on_line(text: str, end: int, name: str) -> bool:
    """Return whether a closing tag of `name` begins between `end` and the end of its line."""
    line_end = text.find("\n", end)
    return has_closing_tag(text, name, end, len(text) if line_end < 0 else line_end)


def _child_fills(text: str, end: int, name: str, patterns: TagPatterns) -> bool:
    child = read_child(text, end, name, patterns)
    return child is not None and _is_blank_to_line_end(text, child[1])
