"""Blocks → units: what is moved whole when chunks are filled.

Knows Markdown headings, container lines and white space. Does not know lengths, nor how blocks are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import chain
from typing import NamedTuple

from langchain_semantic_xml._text.blanks import NOT_BLANK, skip_byte_order_mark
from langchain_semantic_xml._text.fences import fenced_spans
from langchain_semantic_xml._text.names import POSSESSIVE, TEXT, XML_NAME
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Extent

# CommonMark 0.31, 4.2: an ATX heading is one to six `#`, then a blank or the end of the line, indented by up to three
# spaces. A container is a line that holds one tag and no more; a quoted value may hold `>`, and the last character
# before the tag's end is no `/` (that would be an empty element, which opens nothing). Every loop stops at a character
# that its neighbours cannot match, so a line that fails is read a fixed number of times.
_LANDMARK = rf"""(?P<line>
    (?P<heading>[ ]{{0,3}}\#{{1,6}}(?=[ \t\r\n]|\Z)[^\n]*)
  | [^\S\n]*<(?P<closing>/?)(?P<name>{XML_NAME})
    (?:[^\S\n][^"'<>\n]*(?:(?:"[^"\n]*"|'[^'\n]*')[^"'<>\n]*)*{POSSESSIVE})?
    (?<!/)>[^\S\n]*(?=\n|\Z)
)"""
_LANDMARK_HERE = re.compile(_LANDMARK, re.VERBOSE)
_LANDMARK_AHEAD = re.compile(r"\n" + _LANDMARK, re.VERBOSE)


class Kind(IntEnum):
    """What a unit is to the units beside it."""

    ELEMENT = 0
    TEXT = 1
    HEADING = 2
    """A heading line, followed by other text in the same unit."""
    LONE_HEADING = 3
    """A heading line and nothing else."""
    OPENING = 4
    """The line that opens a container."""
    CLOSING = 5
    """The line that closes a container."""


class Unit(NamedTuple):
    """What is moved whole: an element, or a stretch of a text block between headings and container lines.

    Args:
        block: The ordinal of the block that it belongs to.
        type: The type of that block.
        start: The offset of its first character, already trimmed where that is wanted.
        end: The offset after its last character.
        kind: What it is to the units beside it.
    """

    block: int
    type: str
    start: int
    end: int
    kind: Kind


class _Piece(NamedTuple):
    """A stretch of the text at hand, in its indices: a line, or a unit in the making."""

    start: int
    end: int
    kind: Kind


def cut_units(
    source: Window, extents: Iterable[Extent], element_names: frozenset[str], *, strip: bool
) -> Iterator[Unit]:
    r"""Cut blocks into the units that are moved whole: elements as they are, text at its headings and container lines.

    Lazy: an extent is taken, and its text looked at, only when its first unit is wanted. A blank stretch of text is no
    unit: it is dropped where units are trimmed, and otherwise belongs to the unit before it, else to the one after it.

    Args:
        source: The text that the extents point into.
        extents: The blocks, in source order. Text that begins elsewhere than at offset 0 or after a line end goes on
            in the line of the element before it.
        element_names: Names whose tags are never container lines.
        strip: Whether units are trimmed of leading blank lines and trailing white space. The indentation of a unit's
            first line stays.

    Yields:
        The units, in source order.

    Example:
        >>> text = "Intro\n\n# One\nBody\n<files>\n"
        >>> units = cut_units(Window(text), [Extent("text", 0, len(text))], frozenset(), strip=True)
        >>> [(unit.kind.name, text[unit.start : unit.end]) for unit in units]
        [('TEXT', 'Intro'), ('HEADING', '# One\nBody'), ('OPENING', '<files>')]
    """
    for block, extent in enumerate(extents):
        if extent.type != TEXT:
            yield Unit(block, extent.type, extent.start, extent.end, Kind.ELEMENT)
            continue
        text, shift = source.text, source.offset  # the window may move on while the units are taken
        first = extent.start == 0
        begin, end = extent.start - shift, extent.end - shift
        if first:
            begin = skip_byte_order_mark(text, begin)
        pieces = _pieces(text, begin, end, element_names, first=first)
        tidy = _trimmed(text, pieces) if strip else _tiled(pieces, begin, end)
        for piece in tidy:
            yield Unit(block, TEXT, piece.start + shift, piece.end + shift, piece.kind)


def _pieces(text: str, start: int, end: int, element_names: frozenset[str], *, first: bool) -> Iterator[_Piece]:
    """Cut the text block `text[start:end]` before headings and around container lines.

    Each piece begins with its first line that is not blank, and ends where the next landmark begins; blank pieces are
    left out. The `first` block of a source may begin with a byte-order mark, which is as good as blank.
    """
    fresh = first or text.startswith("\n", start - 1, start)
    heading_end = None
    for line in _landmarks(text, start, end, element_names, fresh=fresh):
        piece = _piece(text, start, line.start, heading_end, fresh=fresh)
        if piece:
            yield piece
        fresh = fresh or text.startswith("\n", line.start - 1)
        if line.kind is Kind.HEADING:
            start, heading_end = line.start, line.end
        else:
            start, heading_end = min(line.end + 1, end), None
            yield _Piece(first_ink(text, line.start, line.end, fresh=fresh), start, line.kind)
        fresh = True
    piece = _piece(text, start, end, heading_end, fresh=fresh)
    if piece:
        yield piece


def _piece(text: str, start: int, end: int, heading_end: int | None, *, fresh: bool) -> _Piece | None:
    """Return the piece in `text[start:end]`, `None` if that is blank.

    If it begins with a heading, `heading_end` is where that line ends.
    """
    if heading_end is not None:
        return _Piece(start, end, Kind.HEADING if NOT_BLANK.search(text, heading_end, end) else Kind.LONE_HEADING)
    start = first_ink(text, start, end, fresh=fresh)
    return _Piece(start, end, Kind.TEXT) if start < end else None


def first_ink(text: str, start: int, end: int, *, fresh: bool) -> int:
    """Return where the first line of `text[start:end]` that is not blank begins, `end` if there is none.

    The line's indentation is content, but only where it is `fresh` or begins after `start`; blanks in the middle of a
    line are none.
    """
    match = NOT_BLANK.search(text, start, end)
    if match is None:
        return end
    ink = match.start()
    return text.rfind("\n", start, ink) + 1 or (start if fresh else ink)


def _landmarks(text: str, start: int, end: int, element_names: frozenset[str], *, fresh: bool) -> Iterator[_Piece]:
    """Yield the heading and container lines that no code fence hides, without their line ends.

    A container may share its line with the elements around the text block (`<files><file>…`); a heading may not, so
    none begins at `start` unless that is `fresh`, the start of a line.
    """
    first_line = start if fresh else text.find("\n", start, end) + 1 or end
    fences = iter(fenced_spans(text, first_line, end))
    fence_start, fence_end = next(fences, (end, end))
    here = _LANDMARK_HERE.match(text, start, end)
    for match in chain([here] if here else [], _LANDMARK_AHEAD.finditer(text, start, end)):
        line_start, line_end = match.span("line")
        while fence_end <= line_start:
            fence_start, fence_end = next(fences, (end, end))
        if fence_start < line_start:
            continue
        if match["heading"] is not None:
            if first_line <= line_start:
                yield _Piece(line_start, line_end, Kind.HEADING)
        elif match["name"] not in element_names:
            yield _Piece(line_start, line_end, Kind.CLOSING if match["closing"] else Kind.OPENING)


def _trimmed(text: str, pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Take the trailing white space off each piece."""
    for start, end, kind in pieces:
        yield _Piece(start, start + len(text[start:end].rstrip()), kind)


def _tiled(pieces: Iterable[_Piece], start: int, end: int) -> Iterator[_Piece]:
    """Widen each piece to the start of the next, the first and the last to the ends of the text block."""
    kind = None
    for piece in pieces:
        if kind is not None:
            yield _Piece(start, piece.start, kind)
            start = piece.start
        kind = piece.kind
    if kind is not None:
        yield _Piece(start, end, kind)


def unit_spans(units: Iterable[Unit], separator: str | None) -> tuple[tuple[int, int], ...]:
    """Return the longest source spans of consecutive units: one per block, or one in all without a separator."""
    spans: list[tuple[int, int]] = []
    block = None
    for unit in units:
        if spans and (separator is None or unit.block == block):
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
        block = unit.block
    return tuple(spans)


def join_spans(source: Window, spans: Iterable[tuple[int, int]], separator: str | None) -> str:
    """Return the text of spans, joined by the separator."""
    return (separator or "").join([source.slice(start, end) for start, end in spans])
