"""The group that is being filled: its units, where its passages begin, and how many of its units fit when measured.

Decides neither which unit joins the group nor when it is closed: `grouping` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from langchain_semantic_xml._sections.accounts import MeasuredUnit, run_length
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

    __slots__ = ("_options", "_ruler", "_window", "entries", "passage", "repeated", "settled")

    def __init__(self, window: Window, options: Options, ruler: Ruler) -> None:
        self._window = window
        self._options = options
        self._ruler = ruler
        self.entries: list[MeasuredUnit] = []
        self.repeated = 0
        self.settled = 0
        self.passage: int | None = None

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
        """Return the length of the group with one more unit."""
        return run_length(self.entries[0], entry)

    def new_length(self) -> int:
        """Return the length of the new units."""
        return run_length(self.entries[self.repeated], self.entries[-1])

    def settled_length(self) -> int:
        """Return the length of the new units without the headings and opening lines at the end."""
        return run_length(self.entries[self.repeated], self.entries[self.settled - 1])

    def drop_repeated(self) -> None:
        """Give up the overlap."""
        del self.entries[: self.repeated]
        self.settled -= self.repeated
        self.passage = None if self.passage is None else self.passage - self.repeated
        self.repeated = 0

    def replace_first(self, count: int, repeated: list[MeasuredUnit]) -> None:
        """Put units that are repeated in place of the first `count` entries, which were closed."""
        shift = len(repeated) - count
        self.entries[:count] = repeated
        self.repeated = len(repeated)
        self.settled = max(self.settled + shift, self.repeated)
        self.passage = self.passage + shift if self.passage is not None and self.passage > count else None

    def take_last(self, count: int) -> tuple[Unit, ...]:
        """Take the last `count` units out of the group."""
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
        spans = unit_spans((entry.unit for entry in self.entries[start:end]), self._options.separator)
        return self._ruler.length(join_spans(self._window, spans, self._options.separator), spans[0][0])

    def _measure_first(self, count: int, text: str) -> int:
        """Return the length of `text`, the joined text of the first `count` entries."""
        if count == 1 or self._ruler.additive:
            return run_length(self.entries[0], self.entries[count - 1])
        return self._ruler.length(text, self.entries[0].unit.start)

    def _give_back(self, count: int) -> int:
        """Return how many of the first `count` entries, which prove too long together, make the group.

        All before the latest passage, if it is among them; else as many as fit, without the headings and opening lines
        at their end. At least one entry that is not repeated stays, so that `make_group` ends.
        """
        if self.passage is not None and self.passage < count:
            return self.passage
        size = self._options.chunk_size
        count = find_greatest(self.repeated + 1, count, lambda trial: self.measure(0, trial) <= size)
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
