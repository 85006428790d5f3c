"""Units → groups: which units share a chunk.

Decides what joins, where a group is closed, and which units are repeated. Cuts nothing: a unit is moved whole, and a
unit that is too long for a chunk is handed on with the lines that may go with it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from langchain_semantic_xml._sections.accounts import MeasuredUnit, UnitAccount, run_length
from langchain_semantic_xml._sections.open_group import LEAST_SILENT, Group, OpenGroup, find_greatest
from langchain_semantic_xml._sections.units import Kind, Unit, begins_passage, leads
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.shares import MOST_LINES
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Options


class OversizedUnit(NamedTuple):
    """A unit that alone is longer than `chunk_size`, or is cut all the same, with the lines that may go with its parts.

    Args:
        unit: The unit.
        lead: Heading and opening lines directly before it, for its first part.
        trail: Closing lines directly after it, for its last part.
    """

    unit: Unit
    lead: tuple[Unit, ...] = ()
    trail: tuple[Unit, ...] = ()


def iter_groups(
    units: Iterable[Unit], window: Window, options: Options, ruler: Ruler
) -> Iterator[Group | OversizedUnit]:
    r"""Pack units into groups that fit `chunk_size`, without tearing a passage to fill a group.

    Greedy and lazy: a unit is pulled only when the groups that do not depend on it are out, and `window` is asked only
    for the units pulled so far, back to the first unit of the last group. Amortised O(1) per unit and character.

    Args:
        units: The units, in source order.
        window: The text that they point into.
        options: The options.
        ruler: Measures texts.

    Yields:
        Every unit once, in order; with an overlap, units are also repeated at the start of the next group.

    Example:
        >>> from langchain_semantic_xml.values import Extent
        >>> from langchain_semantic_xml._sections.units import cut_units
        >>> text = "# A\none\n# B\ntwo"
        >>> units = cut_units(Window(text), [Extent("text", 0, len(text))], frozenset(), strip=True)
        >>> [group.text for group in iter_groups(units, Window(text), Options(chunk_size=10), Ruler(len))]
        ['# A\none', '# B\ntwo']

    Rule: S1, S3, S4, S5.
    """
    entries = UnitAccount(window, options.separator, ruler, options.chunk_size).measure_all(units)
    if not ruler.additive:
        begun, whole = _try_whole_text(entries, window, options, ruler)
        if whole is not None:
            yield whole
            return
        entries = chain(begun, entries)
    packer = _Packer(window, options, ruler)
    for entry in entries:
        packer.take(entry)
        if packer.groups:
            yield from packer.groups
            packer.groups = []
    packer.finish()
    yield from packer.groups


def _try_whole_text(
    entries: Iterator[MeasuredUnit], window: Window, options: Options, ruler: Ruler
) -> tuple[list[MeasuredUnit], Group | None]:
    """Return the units that were taken, and the group of all units of the text if it is one chunk.

    No estimate decides: a text that may fit is packed without a limit, and measured as a whole. Units are taken until
    the text has ended or is too long by far.

    Rule: S1.
    """
    packer = _Packer(window, replace(options, chunk_size=sys.maxsize), ruler)
    size, too_long = options.chunk_size, options.chunk_size + options.chunk_size // 4
    taken: list[MeasuredUnit] = []
    measured = 0  # how many characters proved not to be too long
    for entry in entries:
        taken.append(entry)
        if entry.unit.cuts:
            return taken, None
        packer.take(entry)
        characters = entry.unit.end - taken[0].unit.start
        if packer.groups or (entry.length > size and characters > _SHORT):
            return taken, None
        if characters > 2 * measured and (run_length(taken[0], entry) > too_long or entry.silent > LEAST_SILENT):
            if packer.measure_open() > too_long and characters > _SHORT:
                return taken, None
            measured = characters
    packer.finish()
    if len(packer.groups) != 1 or not isinstance(packer.groups[0], Group) or packer.groups[0].length > size:
        return taken, None
    return taken, packer.groups[0]


_SHORT = 1_000
"""So many characters are measured as a whole in any case."""


class _HeldUnit:
    """An oversized unit that waits for the closing lines that go with its last part.

    Args:
        entry: The unit.
        lead: The lines that go with its first part.
        room: How long its closing lines may be together, with the gaps between them.
    """

    __slots__ = ("_entry", "_lead", "_room", "_trail")

    def __init__(self, entry: MeasuredUnit, lead: tuple[Unit, ...], room: int) -> None:
        self._entry = entry
        self._lead = lead
        self._room = room
        self._trail: list[Unit] = []

    def take_closing(self, entry: MeasuredUnit) -> bool:
        """Keep the next unit if it is a closing line that fits; return whether it was kept."""
        takes = entry.unit.kind is Kind.CLOSING and entry.total - self._entry.total <= self._room
        if takes:
            self._trail.append(entry.unit)
        return takes

    def finish(self) -> OversizedUnit:
        """Return the unit with its lines."""
        return OversizedUnit(self._entry.unit, self._lead, tuple(self._trail))


class _Packer:
    """Takes units one by one, and closes groups.

    Attributes:
        groups: The groups closed since the list was emptied.
    """

    __slots__ = ("_combine_under", "_group", "_held", "_new_after", "_options", "_ruler", "_size",
                 "groups")  # fmt: skip

    def __init__(self, window: Window, options: Options, ruler: Ruler) -> None:
        self._options = options
        self._ruler = ruler
        self._size = options.chunk_size
        self._combine_under = sys.maxsize if options.combine_under is None else options.combine_under
        self._new_after = sys.maxsize if options.new_after is None else options.new_after
        self._group = OpenGroup(window, options, ruler)
        self._held: _HeldUnit | None = None
        self.groups: list[Group | OversizedUnit] = []

    def measure_open(self) -> int:
        """Return the measured length of the open group."""
        return self._group.measure(0, len(self._group.entries))

    def take(self, entry: MeasuredUnit) -> None:
        """Take the next unit; the groups that it closes are added to `groups`."""
        if self._held is not None:
            if self._held.take_closing(entry):
                return
            self._release_oversized()
        if entry.length > self._size or entry.unit.cuts:
            self._hold_oversized(entry)
        elif self._group.entries and self._must_part(self._group.entries[-1].unit, entry.unit):
            self._close_all()
            self._group.append(entry)
        else:
            self._place(entry)

    def finish(self) -> None:
        """Close everything: no unit follows."""
        self._release_oversized()
        self._close_all(ended=True)

    def _place(self, entry: MeasuredUnit) -> None:
        """Put a unit that fits alone into the open group, closing groups before it until it fits there too."""
        group = self._group
        while group.entries:
            if begins_passage(entry.unit):
                group.begin_passage()
            if self._may_join(entry):
                break
            if self._fits_without_overlap(entry):
                group.drop_repeated()
            else:
                self._close(self._choose_break(entry), entry)
        group.append(entry)

    def _may_join(self, entry: MeasuredUnit) -> bool:
        """Return whether a unit may enter the open group.

        Rule: S3, S4.
        """
        group = self._group
        fits = group.fits_with(entry)
        # A soft limit parts neither headings and opening lines from the next unit, nor a closing line from the last.
        if not fits or group.only_leads or entry.unit.kind is Kind.CLOSING:
            return fits
        if group.new_length() >= self._new_after:
            return False
        return not begins_passage(entry.unit) or group.settled_length() < self._combine_under

    def _fits_without_overlap(self, entry: MeasuredUnit) -> bool:
        """Return whether a unit fits once the overlap is dropped, and must stay with the new units.

        A closing line always must; another unit must if the first new unit is the heading or opening line above it.
        """
        group = self._group
        if not group.repeated or group.passage is not None:
            return False
        if group.repeated == len(group.entries):
            return True
        first = group.entries[group.repeated]
        must_stay = entry.unit.kind is Kind.CLOSING or begins_passage(first.unit) or leads(first.unit)
        return must_stay and run_length(first, entry) <= self._size < group.length_with(entry)

    def _must_part(self, left: Unit, right: Unit) -> bool:
        """Return whether two consecutive units may not share a group because the block of one of them is isolated.

        Rule: S4.
        """
        isolates = self._options.isolates
        return left.block != right.block and (isolates(right.extent.type) or isolates(left.extent.type))

    def _choose_break(self, entry: MeasuredUnit) -> int:
        """Return how many entries to close so that `entry` may follow the rest.

        The break is before the latest passage, so that it is not torn; else before the headings and opening lines that
        fit beside `entry`. A group of nothing but headings and opening lines is closed as a whole when one more comes:
        to carry all but the first on each time would take quadratic time.

        Rule: S3, S4.
        """
        group = self._group
        if group.passage is not None:
            return group.passage
        if group.only_leads and leads(entry.unit):
            return len(group.entries)
        count = group.settled
        if not count and group.length_with(entry) > self._size:
            count = 1
        while count < len(group.entries) and run_length(group.entries[count], entry) > self._size:
            count += 1
        return count

    def _close(self, count: int, following: MeasuredUnit | None = None) -> None:
        """Close the first `count` entries, or as many of them as fit, and go on with the rest before `following`."""
        group, count = self._group.make_group(count)
        self.groups.append(group)
        repeated = self._choose_overlap(count, following) if following else []
        self._group.replace_first(count, repeated)

    def _close_all(self, *, ended: bool = False) -> None:
        """Close everything that is open: the next unit may not join it, or the text has ended.

        Headings that no unit follows are not joined to the text before them, except where the text ends with them.

        Rule: S4.
        """
        group = self._group
        if group.only_leads:
            group.drop_repeated()
        elif group.passage == group.settled and not ended:
            self._close(group.settled)
        while group.entries:
            self._close(len(group.entries))

    def _choose_overlap(self, count: int, following: MeasuredUnit) -> list[MeasuredUnit]:
        """Return the last of the first `count` entries, as many as fit the overlap and leave room for a new unit."""
        group, overlap = self._group, self._options.chunk_overlap
        if not overlap or self._options.isolates(group.entries[count - 1].unit.extent.type):
            return []
        goes_on = count < len(group.entries)
        fits_too = not goes_on or run_length(group.entries[count], following) <= self._size
        newest = following if fits_too else group.entries[-1]
        last, start = group.entries[count - 1], count
        while start and self._may_repeat(group.entries[start - 1], last, newest):
            start -= 1
        if not self._ruler.additive and count - start > 1:
            most = count - start + 1
            start = count - find_greatest(1, most, lambda trial: group.measure(count - trial, count) <= overlap)
        return group.entries[start:count]

    def _may_repeat(self, first: MeasuredUnit, last: MeasuredUnit, newest: MeasuredUnit) -> bool:
        """Return whether the units from `first` to `last` fit the overlap, and up to `newest` a chunk."""
        return run_length(first, last) <= self._options.chunk_overlap and run_length(first, newest) <= self._size

    def _hold_oversized(self, entry: MeasuredUnit) -> None:
        """Close the open group, except the lines that go with an oversized unit, and hold the unit.

        Only lines that leave half of a chunk for the unit go with it; more is decided when the unit is cut.

        Rule: S5.
        """
        isolated = self._options.isolates(entry.unit.extent.type) or self._options.isolates(TEXT)
        room = -1 if isolated else int(self._size * MOST_LINES)
        group = self._group
        first = len(group.entries)
        own_length = entry.length - self._ruler.empty_length
        while first > group.settled and run_length(group.entries[first - 1], entry) - own_length <= room:
            first -= 1
        lead = group.take_last(len(group.entries) - first)
        self._close_all()
        self._held = _HeldUnit(entry, lead, room - self._ruler.empty_length)

    def _release_oversized(self) -> None:
        """Hand on the oversized unit that is held, if any."""
        if self._held is not None:
            self.groups.append(self._held.finish())
            self._held = None
