"""Blocks → sections: which consecutive blocks share a chunk.

Three steps, each lazy: `cut_units` cuts text blocks at their headings and container lines; `iter_groups` packs the
units into chunks, never cutting one; `section_blocks` and `SectionBuilder` are the public doors to the same packing.

This module knows headings, container lines and lengths, separators included. It does not know how blocks are found,
how an oversized block is cut, or what becomes of a chunk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from typing import NamedTuple

from langchain_semantic_xml.fences import fenced_spans
from langchain_semantic_xml.rulers import LengthFunction, Ruler
from langchain_semantic_xml.spans import TEXT, XML_NAME, Block, Extent, Section, Source, check_text

DEFAULT_SEPARATOR = "\n\n"
"""What stands between two blocks of one chunk unless something else is wished for."""


# --- Values --------------------------------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Layout:
    """How units are grouped: the checked options of one splitter.

    Args:
        chunk_size: The hard maximum of a group's length.
        separator: What stands between two blocks; `None` keeps the source's own white space.
        new_after: The soft maximum: a group that has reached it takes no further unit.
        combine_under: A section smaller than this is joined with the next; `None` means `chunk_size`.
        isolate: Types whose blocks share a chunk with no other block; `True` means every type.
        chunk_overlap: At most this much of a group is repeated at the start of the next.
        strip: Whether units are trimmed.
    """

    chunk_size: int
    separator: str | None = DEFAULT_SEPARATOR
    new_after: int | None = None
    combine_under: int | None = None
    isolate: frozenset[str] | bool = frozenset()
    chunk_overlap: int = 0
    strip: bool = True

    def isolates(self, unit: Unit) -> bool:
        """Whether the unit's block shares a chunk with no other block."""
        return self.isolate if isinstance(self.isolate, bool) else unit.type in self.isolate


class Group(NamedTuple):
    """Consecutive units that make one chunk, or one unit that is too long for a chunk.

    Args:
        units: The units, repeated ones first; exactly one when `oversized`.
        text: The joined text; `""` when `oversized`.
        length: The measured length of `text`; when `oversized`, some number above `chunk_size`.
        spans: The longest source spans whose slices, joined by the separator, are the text.
        lead: Heading and opening lines that go with the first part of an oversized unit.
        trail: Closing lines that go with its last part.
        oversized: Whether the unit alone is longer than `chunk_size`.
    """

    units: tuple[Unit, ...]
    text: str
    length: int
    spans: tuple[tuple[int, int], ...]
    lead: tuple[Unit, ...] = ()
    trail: tuple[Unit, ...] = ()
    oversized: bool = False


# --- Options -------------------------------------------------------------------------------------------------------


def check_chunk_size(value: object) -> int:
    """Return `chunk_size`, an `int` of at least 1."""
    return _at_least(1, "chunk_size", value)


def check_chunk_overlap(value: object, chunk_size: int) -> int:
    """Return `chunk_overlap`, an `int` from 0 to below `chunk_size`."""
    overlap = _at_least(0, "chunk_overlap", value)
    if overlap >= chunk_size:
        msg = f"chunk_overlap={overlap} must be less than chunk_size={chunk_size}; lower it, or raise chunk_size"
        raise ValueError(msg)
    return overlap


def check_new_after(value: object) -> int | None:
    """Return `new_after`, `None` or an `int` of at least 0."""
    return None if value is None else _at_least(0, "new_after", value)


def check_combine_under(value: object) -> int | None:
    """Return `combine_under`, `None` or an `int` of at least 0."""
    return None if value is None else _at_least(0, "combine_under", value)


def check_separator(value: object) -> str:
    """Return `separator`, a `str`."""
    if not isinstance(value, str):
        remedy = "only SemanticXmlSplitter knows the white space to keep" if value is None else 'such as "\\n\\n"'
        msg = f"separator={value!r} must be a str; {remedy}"
        raise TypeError(msg)
    return value


def check_isolate(value: object) -> frozenset[str] | bool:
    """Return `isolate`, a `bool` or a set of block types."""
    if isinstance(value, bool):
        return value
    return frozenset(_names("isolate", value, "an iterable of block types, or True"))


def _names(option: str, value: object, wanted: str) -> list[str]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        msg = f"{option}={value!r} must be {wanted}; for one type write ({value!r},)"
        raise TypeError(msg)
    names = []
    for name in value:
        if not isinstance(name, str):
            msg = f"{option}: {name!r} must be a str, not {type(name).__name__}; name a block type such as 'file'"
            raise TypeError(msg)
        names.append(name)
    return names


def _at_least(minimum: int, option: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        msg = f"{option}={value!r} must be an int, not {type(value).__name__}; give a whole number >= {minimum}"
        raise TypeError(msg)
    if value < minimum:
        msg = f"{option}={value} is too small; give a whole number >= {minimum}"
        raise ValueError(msg)
    return value


# --- Blocks to units -----------------------------------------------------------------------------------------------

_BYTE_ORDER_MARK = "\ufeff"
_INK = re.compile(r"\S")

# CommonMark 0.31, 4.2: an ATX heading is one to six `#`, then a blank or the end of the line, indented by up to three
# spaces. A container is a line that holds one tag and no more; a quoted value may hold `>`, and the last character
# before the tag's end is no `/` (that would be an empty element, which opens nothing). Every loop stops at a character
# that its neighbours cannot match, so a line that fails is read a fixed number of times.
_LANDMARK = rf"""(?P<line>
    (?P<heading>[ ]{{0,3}}\#{{1,6}}(?=[ \t\r\n]|\Z)[^\n]*)
  | [^\S\n]*<(?P<closing>/?)(?P<name>{XML_NAME})
    (?:[^\S\n][^"'<>\n]*(?:(?:"[^"\n]*"|'[^'\n]*')[^"'<>\n]*)*)?
    (?<!/)>[^\S\n]*(?=\n|\Z)
)"""
_LANDMARK_HERE = re.compile(_LANDMARK, re.VERBOSE)
_LANDMARK_AHEAD = re.compile(r"\n" + _LANDMARK, re.VERBOSE)


class _Piece(NamedTuple):
    """A stretch of the text at hand, in its indices: a line, or a unit in the making."""

    start: int
    end: int
    kind: Kind


def cut_units(
    source: Source, extents: Iterable[Extent], element_names: frozenset[str], *, strip: bool
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
        >>> units = cut_units(Source(text), [Extent("text", 0, len(text))], frozenset(), strip=True)
        >>> [(unit.kind.name, text[unit.start : unit.end]) for unit in units]
        [('TEXT', 'Intro'), ('HEADING', '# One\nBody'), ('OPENING', '<files>')]
    """
    for block, extent in enumerate(extents):
        if extent.type != TEXT:
            yield Unit(block, extent.type, extent.start, extent.end, Kind.ELEMENT)
            continue
        pieces = _pieces(source, extent, element_names)
        shift = source.offset
        for start, end, kind in _trimmed(source.text, pieces) if strip else _tiled(source, extent, pieces):
            yield Unit(block, TEXT, start + shift, end + shift, kind)


def _pieces(source: Source, extent: Extent, element_names: frozenset[str]) -> Iterator[_Piece]:
    """Cut a text block before headings and around container lines.

    Each piece begins with its first line that is not blank, and ends where the next landmark begins; blank pieces are
    left out.
    """
    text, start, end = source.text, extent.start - source.offset, extent.end - source.offset
    fresh = extent.start == 0 or text.startswith("\n", start - 1, start)
    if extent.start == 0 and text.startswith(_BYTE_ORDER_MARK, start):
        start += 1
    heading_end = None
    for line in _landmarks(text, start, end, element_names, fresh=fresh):
        yield from _piece(text, start, line.start, heading_end, fresh=fresh)
        if line.kind is Kind.HEADING:
            start, heading_end = line.start, line.end
        else:
            start, heading_end = min(line.end + 1, end), None
            yield _Piece(_first_ink(text, line.start, line.end, fresh=fresh), start, line.kind)
        fresh = True
    yield from _piece(text, start, end, heading_end, fresh=fresh)


def _piece(text: str, start: int, end: int, heading_end: int | None, *, fresh: bool) -> Iterator[_Piece]:
    """Yield the piece in `text[start:end]`, unless that is blank; `heading_end` is where its heading line ends."""
    if heading_end is not None:
        yield _Piece(start, end, Kind.HEADING if _INK.search(text, heading_end, end) else Kind.LONE_HEADING)
    elif _INK.search(text, start, end):
        yield _Piece(_first_ink(text, start, end, fresh=fresh), end, Kind.TEXT)


def _first_ink(text: str, start: int, end: int, *, fresh: bool) -> int:
    """Return where the first line of `text[start:end]` that is not blank begins: its indentation is content.

    What precedes `start` in the line, unless it is `fresh`, leaves no indentation to keep.
    """
    match = _INK.search(text, start, end)
    ink = match.start() if match else end
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


def _tiled(source: Source, extent: Extent, pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Widen each piece to the start of the next, the first and the last to the ends of the text block."""
    start, kind = extent.start - source.offset, None
    for piece in pieces:
        if kind is not None:
            yield _Piece(start, piece.start, kind)
            start = piece.start
        kind = piece.kind
    if kind is not None:
        yield _Piece(start, extent.end - source.offset, kind)


# --- Lengths -------------------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """A unit with its length, and the running total that gives the length of any stretch of units.

    Args:
        unit: The unit.
        length: Its length alone.
        total: The length of everything up to its end, joints included, less the ruler's base for each.
    """

    unit: Unit
    length: int
    total: int


def _joined(first: _Entry, last: _Entry) -> int:
    """Return the length of the text from `first` to `last`, joints included: exact if the ruler is additive."""
    return last.total - first.total + first.length


class _Scale:
    """The accounting of lengths: weighs units alone, and what stands between two of them.

    With an additive ruler nothing is sliced and every answer is exact; with any other, sums are estimates.
    """

    __slots__ = ("_gaps", "_ruler", "_separator", "_source", "joint")

    def __init__(self, source: Source, separator: str | None, ruler: Ruler) -> None:
        self._source = source
        self._separator = separator
        self._ruler = ruler
        self._gaps: dict[str, int] = {}
        self.joint = 0 if separator is None else ruler.length(separator, 0) - ruler.base

    def weigh(self, unit: Unit, before: _Entry | None) -> _Entry:
        """Return the entry of a unit that follows the entry `before`."""
        length = self.unit_length(unit)
        if before is None:
            return _Entry(unit, length, length - self._ruler.base)
        return _Entry(unit, length, before.total + self._joint(before.unit, unit) + length - self._ruler.base)

    def unit_length(self, unit: Unit) -> int:
        """Return the length of one unit: the only place that decides how long, and so whether oversized, it is."""
        if self._ruler.additive:
            return unit.end - unit.start
        return self._ruler.length(self._source.slice(unit.start, unit.end), unit.start)

    def _joint(self, left: Unit, right: Unit) -> int:
        """Return the length of what joins two units: the separator, or the source's own white space."""
        if self._separator is not None and left.block != right.block:
            return self.joint
        if self._ruler.additive:
            return right.start - left.end
        gap = self._source.slice(left.end, right.start)
        if gap not in self._gaps:
            self._gaps[gap] = self._ruler.length(gap, left.end) - self._ruler.base
        return self._gaps[gap]


def _spans(units: Iterable[Unit], separator: str | None) -> tuple[tuple[int, int], ...]:
    """Return the source spans of consecutive units: one per block, or one for all where no separator parts them."""
    spans: list[tuple[int, int]] = []
    block = None
    for unit in units:
        if spans and (separator is None or unit.block == block):
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
        block = unit.block
    return tuple(spans)


def _text(source: Source, spans: Iterable[tuple[int, int]], separator: str | None) -> str:
    return (separator or "").join(source.slice(start, end) for start, end in spans)


# --- Units to groups -----------------------------------------------------------------------------------------------


def iter_groups(units: Iterable[Unit], source: Source, layout: Layout, ruler: Ruler) -> Iterator[Group]:
    r"""Pack units into groups that fit `chunk_size`, tearing no section to fill one.

    Greedy and lazy: a unit is pulled only when the groups that do not depend on it are out, and `source` is asked only
    for the units pulled so far, back to the first unit of the last group. Amortised O(1) per unit and character.

    Args:
        units: The units, in source order.
        source: The text that they point into.
        layout: The options.
        ruler: What measures.

    Yields:
        Every unit once, in order; with an overlap, also again at the start of the next group.

    Example:
        >>> text = "# A\none\n# B\ntwo"
        >>> units = cut_units(Source(text), [Extent("text", 0, len(text))], frozenset(), strip=True)
        >>> [group.text for group in iter_groups(units, Source(text), Layout(chunk_size=10), Ruler(len))]
        ['# A\none', '# B\ntwo']
    """
    packer = _Packer(source, layout, ruler)
    for unit in units:
        packer.take(unit)
        if packer.groups:
            yield from packer.groups
            packer.groups = []
    packer.finish()
    yield from packer.groups


def _leads(unit: Unit) -> bool:
    """Whether a unit belongs to what follows it: a heading without text, or a container's opening line."""
    return unit.kind is Kind.LONE_HEADING or unit.kind is Kind.OPENING


def _begins(unit: Unit) -> bool:
    """Whether a unit begins a section."""
    return unit.kind is Kind.HEADING or unit.kind is Kind.LONE_HEADING


class _Packer:
    """The open group, and the rules by which it takes units and is closed.

    The entries of the open group are, in this order: `[:fresh]` repeated from the group before, `[fresh:mark]` whole
    sections, and from `mark`, if there is one, the latest section, joined for as long as all of it fits. From `tail`
    on, all are headings and opening lines, which belong to what comes next.

    Responsibilities: decide what joins, where to close, and what is carried over; emit each group as it is closed.
    """

    __slots__ = (
        "_combine_under", "_entries", "_fresh", "_layout", "_mark", "_new_after", "_oversized", "_previous",
        "_ruler", "_scale", "_size", "_source", "_tail", "groups",
    )  # fmt: skip

    def __init__(self, source: Source, layout: Layout, ruler: Ruler) -> None:
        self._source = source
        self._layout = layout
        self._ruler = ruler
        self._scale = _Scale(source, layout.separator, ruler)
        self._size = layout.chunk_size
        self._combine_under = self._size if layout.combine_under is None else layout.combine_under
        self._new_after = self._size + 1 if layout.new_after is None else layout.new_after  # + 1: never reached
        self._entries: list[_Entry] = []
        self._fresh = 0
        self._tail = 0
        self._mark: int | None = None
        self._previous: _Entry | None = None
        self._oversized: _Oversized | None = None
        self.groups: list[Group] = []

    def take(self, unit: Unit) -> None:
        """Take the next unit; what it closes is added to `groups`."""
        entry = self._scale.weigh(unit, self._previous)
        self._previous = entry
        if self._oversized is not None:
            if self._oversized.takes(entry):
                return
            self._release()
        if entry.length > self._size:
            self._hold(entry)
        elif self._entries and self._parted(unit):
            self._drain()
            self._append(entry)
        else:
            self._place(entry)

    def finish(self) -> None:
        """Close what is open: no unit follows."""
        if self._oversized is not None:
            self._release()
        self._drain()

    # Joining

    def _place(self, entry: _Entry) -> None:
        """Put a unit that fits alone into the open group, closing groups before it until it fits there too."""
        while self._entries and not self._joins(entry):
            self._close(self._break_before(entry), entry)
        self._append(entry)

    def _joins(self, entry: _Entry) -> bool:
        """Whether a unit may enter the open group; if it begins a section, that is marked."""
        fits = _joined(self._entries[0], entry) <= self._size
        if self._only_leads:  # what leads never stays behind for the sake of a soft limit
            return fits
        if entry.unit.kind is Kind.CLOSING:
            return fits
        if _joined(self._entries[self._fresh], self._entries[-1]) >= self._new_after:
            return False
        if _begins(entry.unit):
            self._mark = self._tail
            whole_sections = _joined(self._entries[self._fresh], self._entries[self._tail - 1])
            return fits and whole_sections < self._combine_under
        return fits

    @property
    def _only_leads(self) -> bool:
        """Whether nothing new is open but what belongs to the next unit."""
        return self._tail == self._fresh

    def _append(self, entry: _Entry) -> None:
        self._entries.append(entry)
        if not _leads(entry.unit):
            self._tail = len(self._entries)

    def _parted(self, unit: Unit) -> bool:
        """Whether a unit may share no group with the units before it."""
        last = self._entries[-1].unit
        return last.block != unit.block and (self._layout.isolates(unit) or self._layout.isolates(last))

    # Closing

    def _break_before(self, entry: _Entry) -> int:
        """Return how many entries to close so that `entry` may follow the rest.

        Before the latest section, which is not torn; else before the headings and openings that fit beside `entry`. A
        group of nothing but these is closed as it is when yet another comes: moving all but one on would crawl.
        """
        if self._mark is not None:
            return self._mark
        if self._only_leads and _leads(entry.unit):
            return len(self._entries)
        at = self._tail
        while at < len(self._entries) and _joined(self._entries[at], entry) > self._size:
            at += 1
        return at

    def _close(self, at: int, following: _Entry | None = None) -> None:
        """Emit the first `at` entries, or as many of them as do fit, and carry on with the rest.

        Where only repeated entries would be emitted, they are given up instead.
        """
        if at > self._fresh:
            at = self._emit(at)
        repeated = self._repeated(at, following) if following else []
        shift = len(repeated) - at
        self._entries[:at] = repeated
        self._fresh = len(repeated)
        self._tail = max(self._tail + shift, self._fresh)
        self._mark = self._mark + shift if self._mark is not None and self._mark > at else None

    def _drain(self) -> None:
        """Close all that is open; what would follow may not or does not."""
        if self._only_leads:
            self._forget_repeated()
        elif self._mark == self._tail:  # headings that nothing follows are not joined to what precedes them
            self._close(self._tail)
        while self._entries:
            self._close(len(self._entries))

    def _repeated(self, at: int, following: _Entry) -> list[_Entry]:
        """Return the last of the first `at` entries, as many as fit the overlap and leave room for what is new."""
        overlap = self._layout.chunk_overlap
        if not (overlap and at) or self._layout.isolates(self._entries[at - 1].unit):
            return []
        carried = at < len(self._entries)
        fits_too = not carried or _joined(self._entries[at], following) <= self._size
        newest = following if fits_too else self._entries[-1]
        start = at
        while start and self._may_repeat(self._entries[start - 1], self._entries[at - 1], newest):
            start -= 1
        if not self._ruler.additive and start < at:
            start = at - _most(0, at - start + 1, lambda count: self._measured(at - count, at) <= overlap)
        return self._entries[start:at]

    def _may_repeat(self, first: _Entry, last: _Entry, newest: _Entry) -> bool:
        return _joined(first, last) <= self._layout.chunk_overlap and _joined(first, newest) <= self._size

    def _forget_repeated(self) -> None:
        """Give up the repeated entries of the open group."""
        del self._entries[: self._fresh]
        self._tail -= self._fresh
        self._mark = None if self._mark is None else self._mark - self._fresh
        self._fresh = 0

    # Emitting

    def _emit(self, at: int) -> int:
        """Add the group of the first `at` entries, or of as many as prove to fit; return how many."""
        while True:
            units = tuple(entry.unit for entry in self._entries[:at])
            spans = _spans(units, self._layout.separator)
            text = _text(self._source, spans, self._layout.separator)
            length = self._length(at, text)
            if length <= self._size:
                self.groups.append(Group(units, text, length, spans))
                return at
            if at - self._fresh > 1:
                at = self._give_back(at)
            else:
                at -= self._fresh
                self._forget_repeated()
