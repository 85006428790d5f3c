"""Find the tags of a text, in order, and what their lines say of them (boundary rules 1, 2, 6 and 10).

Knows lines and single tags, not which tags belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from langchain_semantic_xml._boundaries.tags import (
    BLANK_TO_LINE_END,
    CdataSections,
    Grammar,
    is_far_from_end,
    may_go_on,
    raw_tag_end,
    read_child,
    skip_blanks,
    skip_child,
)
from langchain_semantic_xml._text.blanks import BYTE_ORDER_MARK


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
            not the first on its line fills it only if no opening tag on that line has the same name to itself (rule 6).
    """

    kind: Kind
    name: str
    start: int
    end: int
    stop: int
    indent: str | None
    fills: bool


class Undecided(Exception):  # noqa: N818 - no error: more of the stream must be read
    """What has been read of a text does not settle a question."""


def scan_tags(
    text: str, grammar: Grammar, cdata: CdataSections, begin: int = 0, *, complete: bool = True
) -> Iterator[Tag]:
    """Yield the tags of `text` in order; none inside another, nor inside the CDATA of one that is first on its line.

    Args:
        text: The text.
        grammar: Which tags.
        cdata: The CDATA sections of `text`.
        begin: Where to begin; unless at 0, something stands before it on its line.
        complete: Whether the text ends where `text` does. If not, the tags end before the first that is not settled.
    """
    search = grammar.tag.search
    position = begin
    open_on_line: dict[str, int] = {}
    while match := search(text, position):
        start, end = match.span()
        closing, opening, slash = match.groups()
        # Between the last tag and this one: so that no character is looked at twice, however long the line.
        line = text.rfind("\n", position, start) + 1
        if line or not position:
            open_on_line.clear()
            indent = _indent(text, line, start)
        else:
            indent = None
        if not complete and not _is_settled(text, match, grammar, cdata, first=indent is not None):
            return
        position = stop = end
        if closing:
            name, kind = closing, CLOSE
            matched = indent is None and open_on_line.get(name, 0) > 0
            if matched:
                open_on_line[name] -= 1
            fills = not matched and _fills(text, end)
        else:
            name, kind = opening, OPEN
            if slash is None:
                raw_end = raw_tag_end(text, name, end, start) if indent is not None else None
                if raw_end is None:
                    continue
                position = stop = end = raw_end
                slash = "/" if text.endswith("/>", start, end) else ""
            if slash:
                kind = WHOLE
            elif indent is not None and (cdata_stop := cdata.element_end(name, end)) >= 0:
                kind, position, stop = WHOLE, cdata_stop, cdata_stop
            else:
                open_on_line[name] = open_on_line.get(name, 0) + 1
            fills = _fills(text, end) or (
                kind is OPEN and indent is not None and _child_fills(text, end, name, grammar)
            )
        open_on_line = _still_on_line(text, start, position, open_on_line, name if kind is OPEN else None)
        yield Tag(kind, name, start, end, stop, indent, fills)


def _still_on_line(
    text: str, start: int, end: int, open_on_line: dict[str, int], opening: str | None
) -> dict[str, int]:
    """Return what is open on the line where a tag ends: if it spans lines, nothing but what it opens itself."""
    if not open_on_line or text.find("\n", start, end) < 0:
        return open_on_line
    return {opening: 1} if opening else {}


def _is_settled(text: str, match: re.Match[str], grammar: Grammar, cdata: CdataSections, *, first: bool) -> bool:
    """Say whether characters after the end of `text` can change nothing about the tag that begins with `match`."""
    end = match.end()
    if match[2] and match[3] is None:
        if may_go_on(text, end):
            return False
        end = text.find("\n", end)  # with raw quotes, the tag may be the whole line
        if end < 0:
            return False
    after = skip_blanks(text, end)
    if match[2]:
        after = skip_child(text, after, match[2], grammar)
        if first and not cdata.is_settled(end):
            return False
    return is_far_from_end(text, after)


def _indent(text: str, line: int, start: int) -> str | None:
    if line == start:
        return ""
    before = text[line:start]
    if line == 0 and before[0] == BYTE_ORDER_MARK:
        before = before[1:]
    return None if before.strip(" \t") else before


def _fills(text: str, end: int) -> bool:
    return text.startswith("\n", end) or BLANK_TO_LINE_END.match(text, end) is not None


def _child_fills(text: str, end: int, name: str, grammar: Grammar) -> bool:
    child = read_child(text, end, name, grammar)
    return child is not None and _fills(text, child[1])
