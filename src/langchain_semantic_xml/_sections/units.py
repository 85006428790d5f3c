"""Blocks → units: the stretches of text that are moved whole when chunks are filled.

Knows Markdown headings, container lines and white space. Does not know lengths, nor how blocks are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import chain
from typing import NamedTuple

from langchain_semantic_xml._text.blanks import NOT_BLANK, first_visible, skip_byte_order_mark
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
    """An element, or a stretch of a text block between headings and container lines; moved whole.

    Args:
        block: The ordinal of the block that it belongs to.
        extent: The extent of that block.
        start: The offset of its first character, trimmed if units are trimmed.
        end: The offset after its last character.
        kind: What it is to the units beside it.
        cuts: Where it is cut even if it fits; `()`: only if it does not fit.
    """

    block: int
    extent: Extent
    start: int
    end: int
    kind: Kind
    cuts: tuple[int, ...] = ()


def leads(unit: Unit) -> bool:
    """Return whether a unit belongs to the next unit: a heading without text, or a container's opening line.

    Rule: S3.
    """
    return unit.kind is Kind.LONE_HEADING or unit.kind is Kind.OPENING


def begins_passage(unit: Unit) -> bool:
    """Return whether a unit begins a passage: a heading with everything up to the next heading.

    Rule: S3.
    """
    return unit.kind is Kind.HEADING or unit.kind is Kind.LONE_HEADING


class _Stretch(NamedTuple):
    """A line or a unit of the text block that is being cut, in indices of the window's text."""

    start: int
    end: int
    kind: Kind


def cut_units(
    window: Window, extents: Iterable[Extent], element_names: frozenset[str], *, strip: bool
) -> Iterator[Unit]:
    r"""Cut blocks into units: an element is one unit, a text block is cut at its headings and container lines.

    Lazy: an extent is taken, and its text looked at, only when its first unit is asked for. A blank stretch of text is
    no unit: with `strip` it is dropped, otherwise it belongs to the unit before it, or else to the unit after it.

    A text block with an identity is the code of a file, and one unit.

    Args:
        window: The text that the extents point into.
        extents: The blocks, in source order. A text block that begins neither at offset 0 nor after a line end goes on
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

    Rule: S2.
    """
    for block, extent in enumerate(extents):
        if extent.type != TEXT:
            yield Unit(block, extent, extent.start, extent.end, Kind.ELEMENT)
            continue
        offset = window.offset  # the window may move on between two units
        text, begin, end = window.locate(extent.start, extent.end)
        opens_source = extent.start == 0
        if opens_source:
            begin = skip_byte_order_mark(text, begin)
        if extent.identity is not None:
            whole = _make_stretch(text, begin, end, None, begins_line=opens_source)
            stretches = iter([whole] if whole else [])
        else:
            stretches = _cut_text(text, begin, end, element_names, opens_source=opens_source)
        for stretch in _trim(text, stretches) if strip else _widen(stretches, begin, end):
            yield Unit(block, extent, stretch.start + offset, stretch.end + offset, stretch.kind)


def _cut_text(
    text: str, start: int, end: int, element_names: frozenset[str], *, opens_source: bool
) -> Iterator[_Stretch]:
    """Cut the text block `text[start:end]` before headings and around container lines.

    Each stretch begins with its first line that is not blank, and ends where the next heading or container line
    begins; blank stretches are left out. With `opens_source`, `start` is the start of a line even if a byte-order mark
    stands before it.
    """
    begins_line = opens_source or text.startswith("\n", start - 1, start)
    heading_end = None
    for line in _find_landmarks(text, start, end, element_names, begins_line=begins_line):
        before = _make_stretch(text, start, line.start, heading_end, begins_line=begins_line)
        if before:
            yield before
        begins_line = begins_line or text.startswith("\n", line.start - 1)
        if line.kind is Kind.HEADING:
            start, heading_end = line.start, line.end
        else:
            start, heading_end = min(line.end + 1, end), None
            yield _Stretch(find_first_line(text, line.start, line.end, begins_line=begins_line), start, line.kind)
        begins_line = True
    rest = _make_stretch(text, start, end, heading_end, begins_line=begins_line)
    if rest:
        yield rest


def _make_stretch(text: str, start: int, end: int, heading_end: int | None, *, begins_line: bool) -> _Stretch | None:
    """Return the unit in `text[start:end]`, `None` if it is blank.

    If it begins with a heading, `heading_end` is where the line of the heading ends.
    """
    if heading_end is not None:
        return _Stretch(start, end, Kind.HEADING if NOT_BLANK.search(text, heading_end, end) else Kind.LONE_HEADING)
    start = find_first_line(text, start, end, begins_line=begins_line)
    return _Stretch(start, end, Kind.TEXT) if start < end else None


def find_first_line(text: str, start: int, end: int, *, begins_line: bool) -> int:
    """Return where the first line of `text[start:end]` that is not blank begins; `end` if all of it is blank.

    The line's indentation is content, except in the line in which `start` stands: there it counts only if `start`
    `begins_line`.
    """
    visible = first_visible(text, start, end)
    if visible == end:
        return end
    return text.rfind("\n", start, visible) + 1 or (start if begins_line else visible)


def _find_landmarks(
    text: str, start: int, end: int, element_names: frozenset[str], *, begins_line: bool
) -> Iterator[_Stretch]:
    """Yield the heading and container lines that no code fence hides, without their line ends.

    A container may share its line with the elements around the text block (`<files><file>…`). A heading may not, so
    `start` begins a heading only if it `begins_line`.
    """
    first_line = start if begins_line else text.find("\n", start, end) + 1 or end
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
                yield _Stretch(line_start, line_end, Kind.HEADING)
        elif match["name"] not in element_names:
            yield _Stretch(line_start, line_end, Kind.CLOSING if match["closing"] else Kind.OPENING)


def _trim(text: str, stretches: Iterable[_Stretch]) -> Iterator[_Stretch]:
    """Take the trailing white space off each stretch."""
    for start, end, kind in stretches:
        yield _Stretch(start, start + len(text[start:end].rstrip()), kind)


def _widen(stretches: Iterable[_Stretch], start: int, end: int) -> Iterator[_Stretch]:
    """Widen each stretch to the start of the next, the first and the last to the ends of the text block."""
    kind = None
    for stretch in stretches:
        if kind is not None:
            yield _Stretch(start, stretch.start, kind)
            start = stretch.start
        kind = stretch.kind
    if kind is not None:
        yield _Stretch(start, end, kind)


def unit_spans(units: Iterable[Unit], separator: str | None) -> tuple[tuple[int, int], ...]:
    """Return the longest source spans of consecutive units: one per block, or a single one without a separator."""
    spans: list[tuple[int, int]] = []
    block = None
    for unit in units:
        if spans and (separator is None or unit.block == block):
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
        block = unit.block
    return tuple(spans)


def unit_extents(units: tuple[Unit, ...]) -> tuple[Extent, ...]:
    """Return the extents of the blocks of consecutive units, each once."""
    if len(units) == 1:
        return (units[0].extent,)
    return tuple({unit.block: unit.extent for unit in units}.values())


def join_spans(window: Window, spans: Iterable[tuple[int, int]], separator: str | None) -> str:
    """Return the text of spans, joined by the separator."""
    return (separator or "").join([window.slice(start, end) for start, end in spans])


def gap_between(window: Window, left: Unit, right: Unit, separator: str | None) -> str:
    """Return the text that joins two consecutive units: the separator, or the source's own white space."""
    return window.slice(left.end, right.start) if keep_source_gap(left, right, separator) else separator or ""


def keep_source_gap(left: Unit, right: Unit, separator: str | None) -> bool:
    """Return whether the source's own white space stays between two consecutive units.

    Rule: S2.
    """
    return separator is None or left.block == right.block
