"""The lengths of units, and the length of any run of consecutive units from running totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from langchain_semantic_xml._sections.units import Unit, keep_source_gap
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window

SUM_ERROR = 2
"""By how much a sum may be too long for each unit that is added: one for the unit and one for the gap before it.

So much comes of functions that round up, and of tokens that span the end of one text and the beginning of the next.
"""


class MeasuredUnit(NamedTuple):
    """A unit with its length, and the running total that gives the length of any run of units.

    Args:
        unit: The unit.
        length: The length of the unit alone.
        total: The length of all units up to the end of this one, gaps included, less the length of the empty text for
            each unit.
        silent: The characters of all units up to this one that measure no more than the empty text.
    """

    unit: Unit
    length: int
    total: int
    silent: int = 0


def run_length(first: MeasuredUnit, last: MeasuredUnit) -> int:
    """Return the length of the joined text from `first` to `last`: exact if the ruler is additive, else an estimate.

    Rule: S1.
    """
    return last.total - first.total + first.length


class UnitAccount:
    """Measures units one after the other, and the gaps between them.

    With an additive ruler nothing is sliced and every answer is exact; with any other ruler, sums are estimates.

    Args:
        window: The text that the units point into.
        separator: Put between two blocks; `None` keeps the white space of the source.
        ruler: Measures texts.
        limit: Lengths above it need not be exact.
    """

    __slots__ = (
        "_additive",
        "_empty",
        "_gap_lengths",
        "_limit",
        "_ruler",
        "_separator",
        "_separator_length",
        "_window",
    )

    def __init__(self, window: Window, separator: str | None, ruler: Ruler, limit: int) -> None:
        self._window = window
        self._limit = limit
        self._separator = separator
        self._ruler = ruler
        self._additive = ruler.additive
        self._empty = ruler.empty_length
        self._gap_lengths: dict[str, int] = {}
        self._separator_length = 0 if separator is None else ruler.length(separator, 0) - ruler.empty_length

    def measure_all(self, units: Iterable[Unit]) -> Iterator[MeasuredUnit]:
        """Measure consecutive units, each when it is asked for."""
        before: MeasuredUnit | None = None
        for unit in units:
            length = unit.end - unit.start if self._additive else self._measure_unit(unit)
            total = length - self._empty
            silent = 0 if total else unit.end - unit.start
            if before is not None:
                total += before.total + self._measure_gap(before.unit, unit)
                silent += before.silent
            before = MeasuredUnit(unit, length, total, silent)
            yield before

    def _measure_unit(self, unit: Unit) -> int:
        """Return the length of one unit; of a unit longer than the limit, some number above the limit."""
        length = self._ruler.length_within(*self._window.locate(unit.start, unit.end), self._limit)
        return self._limit + 1 if length is None else length

    def _measure_gap(self, left: Unit, right: Unit) -> int:
        """Return the length of the text that joins two units."""
        if not keep_source_gap(left, right, self._separator):
            return self._separator_length
        if self._additive:
            return right.start - left.end
        gap = self._window.slice(left.end, right.start)
        if gap not in self._gap_lengths:
            self._gap_lengths[gap] = self._ruler.length(gap, left.end) - self._empty
        return self._gap_lengths[gap]
