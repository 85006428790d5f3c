"""The group that is being filled: its units, where its passages begin, and how many of its units fit when measured.

Decides neither which unit joins the group nor when it is closed: `grouping` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from langchain_semantic_xml._sections.accounts import SUM_ERROR, MeasuredUnit, run_length
from langchain_semantic_xml._sections.units import Unit, join_spans, leads, unit_spans
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Options


class Group(NamedTuple):
    """Consecutive units that make one chunk.

    Args:
        units: The units, repeated ones first.
        text: The joined text.
        length: The measured length of `text`.
        spans: The longest source spans whose slices, joined by the separator, are the text.
    """

    units: tuple[Unit, ...]
    text: str
    length: int
    spans: tuple[tuple[int, int], ...]


class _Measured(NamedTuple):
    """The latest measurement of the open group.

    Args:
        entries: How many entries were measured together.
        last: The last of them.
        length: Their measured length.
        trusted: The offset up to which more units are taken before the group is measured again.
    """

    entries: int
    last: MeasuredUnit
    length: int
    trusted: int


LEAST_SILENT = 64
"""How many characters that measure nothing are taken before the group is measured."""


class OpenGroup:
    """The units of the group that is being filled.

    They are, in this order:

    * `entries[:repeated]`: the last units of the previous group, repeated as overlap.
    * `entries[repeated:settled]`: new units.
    * `entries[settled:]`: headings and opening lines, which belong to the next unit.

    Args:
        window: The text that the units point into.
        options: The options.
        ruler: Measures texts.

    Attributes:
        entries: The units, measured.
        repeated: How many of them are repeated.
        settled: How many of them stand before the headings and opening lines at the end.
        passage: Where the latest passage begins, if new units of an earlier passage stand before it; else `None`.
    """

    __slots__ = (
        "_measured",
        "_missing",
        "_options",
        "_refused",
        "_ruler",
        "_window",
        "entries",
        "passage",
        "repeated",
        "settled",
    )

    def __init__(self, window: Window, options: Options, ruler: Ruler) -> None:
        self._window = window
        self._options = options
        self._ruler = ruler
        self.entries: list[MeasuredUnit] = []
        self.repeated = 0
        self.settled = 0
        self.passage: int | None = None
        self._measured: _Measured | None = None
        self._refused: tuple[MeasuredUnit, int] | None = None
        self._missing = 0.0  # by how much a sum was too short at most, for each unit after the first

    @property
    def only_leads(self) -> bool:
        """Whether every new unit belongs to the next unit."""
        return self.settled == self.repeated

    def append(self, entry: MeasuredUnit) -> None:
        """Add a unit."""
        self.entries.append(entry)
        if not leads(entry.unit):
            self.settled = len(self.entries)

    def begin_passage(self) -> None:
        """Note that the next unit begins a passage, and takes the headings and opening lines before it along."""
        if not self.only_leads:
            self.passage = self.settled

    def length_with(self, entry: MeasuredUnit) -> int:
        """Return the length of the group with one more unit: as `fits_with` measured it, else the sum."""
        if self._refused is not None and self._refused[0] is entry:
            return self._refused[1]
        return run_length(self.entries[0], entry)

    def fits_with(self, entry: MeasuredUnit) -> bool:
        """Return whether the group fits with one more unit.

        Where the sum of lengths is near the limit, or tells nothing because units measure nothing, the joined text is
        measured; then so many more units are trusted that the measured texts grow by a factor.

        Rule: S1.
        """
        first, size = self.entries[0], self._options.chunk_size
        if self._ruler.additive:
            return run_length(first, entry) <= size
        known = self._measured or _Measured(1, first, first.length, 0)
        estimate = known.length + entry.total - known.last.total
        added = len(self.entries) + 1 - known.entries
        if estimate + self._missing * added <= size:
            silent = entry.silent - known.last.silent
            if silent <= max(LEAST_SILENT, known.last.unit.end - first.unit.start):
                return True
        elif estimate - SUM_ERROR * added > size:
            return False
        elif entry.unit.end <= known.trusted:
            return True
        length = self._measure_entries([*self.entries, entry])
        self._missing = max(self._missing, (length - estimate) / added)
        if length > size:
            self._refused = entry, length
            return False
        characters = entry.unit.end - first.unit.start
        growth = characters if 2 * length <= size else characters // 2 if length < size else characters // 8
        self._measured = _Measured(len(self.entries) + 1, entry, length, entry.unit.end + growth)
        return True

    def new_length(self) -> int:
        """Return the length of the new units."""
        return self._new_length_to(self.entries[-1])

    def settled_length(self) -> int:
        """Return the length of the new units without the headings and opening lines at the end."""
        return self._new_length_to(self.entries[self.settled - 1])

    def _new_length_to(self, last: MeasuredUnit) -> int:
        """Return the length from the first new unit to `last`; the latest measurement counts if nothing is repeated."""
        if self._measured is None or self.repeated:
            return run_length(self.entries[self.repeated], last)
        return self._measured.length + last.total - self._measured.last.total

    def drop_repeated(self) -> None:
        """Give up the overlap."""
        if self.repeated:
            self._forget_lengths()
        del self.entries[: self.repeated]
        self.settled -= self.repeated
        self.passage = None if self.passage is None else self.passage - self.repeated
        self.repeated = 0

    def replace_first(self, count: int, repeated: list[MeasuredUnit]) -> None:
        """Put units that are repeated in place of the first `count` entries, which were closed."""
        self._forget_lengths()
        shift = len(repeated) - count
        self.entries[:count] = repeated
        self.repeated = len(repeated)
        self.settled = max(self.settled + shift, self.repeated)
        self.passage = self.passage + shift if self.passage is not None and self.passage > count else None

    def _forget_lengths(self) -> None:
        """Forget the measurements of the group: it begins with another unit now, or has lost units."""
        self._measured = self._refused = None

    def take_last(self, count: int) -> tuple[Unit, ...]:
        """Take the last `count` units out of the group."""
        self._forget_lengths()
        first = len(self.entries) - count
        taken = tuple(entry.unit for entry in self.entries[first:])
        del self.entries[first:]
        return taken

    def make_group(self, count: int) -> tuple[Group, int]:
        """Return the group of the first `count` entries, or of as many as prove to fit, and how many these are.

        The entries stay; but the overlap is dropped if only without it a new unit fits.

        Rule: S1.
        """
        while True:
            units = tuple(entry.unit for entry in self.entries[:count])
            spans = unit_spans(units, self._options.separator)
            text = join_spans(self._window, spans, self._options.separator)
            length = self._measure_first(count, text)
            if length <= self._options.chunk_size:
                return Group(units, text, length, spans), count
            if count - self.repeated > 1:
                count = self._give_back(count)
            else:
                count -= self.repeated
                self.drop_repeated()

    def measure(self, start: int, end: int) -> int:
        """Return the measured length of the joined text of `entries[start:end]`."""
        return self._measure_entries(self.entries[start:end])

    def _measure_entries(self, entries: list[MeasuredUnit]) -> int:
        """Return the measured length of the joined text of consecutive units."""
        spans = unit_spans((entry.unit for entry in entries), self._options.separator)
        return self._ruler.length(join_spans(self._window, spans, self._options.separator), spans[0][0])

    def _measure_first(self, count: int, text: str) -> int:
        """Return the length of `text`, the joined text of the first `count` entries."""
        if count == 1 or self._ruler.additive:
            return run_length(self.entries[0], self.entries[count - 1])
        if self._measured is not None and self._measured.entries == count:
            return self._measured.length
        length = self._ruler.length(text, self.entries[0].unit.start)
        if count > 1:
            missing = length - run_length(self.entries[0], self.entries[count - 1])
            self._missing = max(self._missing, missing / (count - 1))
        return length

    def _give_back(self, count: int) -> int:
        """Return how many of the first `count` entries, which prove too long together, make the group.

        All before the latest passage, if it is among them; else as many as fit, without the headings and opening lines
        at their end. At least one entry that is not repeated stays, so that `make_group` ends.
        """
        if self.passage is not None and self.passage < count:
            return self.passage
        size = self._options.chunk_size
        known = 0 if self._measured is None or self._measured.entries > count else self._measured.entries
        count = find_greatest(max(self.repeated + 1, known), count, lambda trial: self.measure(0, trial) <= size)
        end = count
        while end > self.repeated and leads(self.entries[end - 1].unit):
            end -= 1
        if end > self.repeated:
            return end
        # Nothing but headings and opening lines fits: the last of them goes with the unit that follows.
        if count - self.repeated > 1 and not leads(self.entries[count].unit):
            return count - 1
        return count


def find_greatest(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """Return the greatest number in `[low, high)` that fits, else `low`; the greatest is tried first, then halves."""
    trial = high - 1
    while high - low > 1:
        if fits(trial):
            low = trial
        else:
            high = trial
        trial = (low + high) // 2
    return low
