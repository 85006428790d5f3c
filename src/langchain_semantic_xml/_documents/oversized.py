"""Oversized units → chunks, and which lines go with their first and last parts: the rule S5.

The rule takes three decisions. Two of them stand in other wings, which this one may import but not the other way round;
their shares of `chunk_size` are in `_text/shares`:

1. `_sections/grouping` offers the heading and container lines that touch the unit, as many as leave half of a chunk for
   the unit (`MOST_LINES`). It must know this to group the other units.
2. This module keeps the lines that force no cut inside the unit's own tag and no part above `chunk_size`. Lines that it
   does not keep are a chunk of their own.
3. `_parts/shell` repeats the unit's tags around every part only if, together with the lines, they leave a quarter of
   the chunk (`MOST_REPEATED_AND_LINES`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_semantic_xml._boundaries.tags import TagPatterns
from langchain_semantic_xml._documents.unit_cutting import UnitToCut, find_symbols
from langchain_semantic_xml._parts.cutting import Part
from langchain_semantic_xml._sections.grouping import OversizedUnit
from langchain_semantic_xml._sections.units import (
    Unit,
    gap_between,
    join_spans,
    keep_source_gap,
    unit_extents,
    unit_spans,
)
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.errors import OversizedBlockError
from langchain_semantic_xml.values import Chunk, Options

Units = tuple[Unit, ...]
Spans = tuple[tuple[int, int], ...]


class OversizedChunker:
    """Makes the chunks of oversized units: cuts them, keeps them whole, or refuses them.

    Args:
        window: The text.
        options: The options.
        ruler: Measures texts.
        patterns: The patterns of the elements' tags.
    """

    def __init__(self, window: Window, options: Options, ruler: Ruler, patterns: TagPatterns) -> None:
        self._window = window
        self._options = options
        self._ruler = ruler
        self._patterns = patterns
        self._prepared: dict[int, UnitToCut] = {}

    def find_definitions(self, unit: Unit) -> Unit:
        """Return a unit with the offsets at which it is cut at its definitions; unchanged if it has one part.

        Rule: P7.
        """
        if unit.extent.type == TEXT:
            return unit
        to_cut = UnitToCut(unit, self._window, self._options, self._patterns)
        cuts = to_cut.find_definition_cuts(self._ruler)
        if not cuts:
            return unit
        self._prepared[unit.start] = to_cut
        return unit._replace(cuts=cuts)

    def make_chunks(self, oversized: OversizedUnit) -> Iterator[Chunk]:
        """Yield the chunks of an oversized unit and of the lines that touch it.

        Raises:
            OversizedBlockError: With `oversized="error"`.

        Rule: S5.
        """
        if self._options.oversized == "split" or oversized.unit.cuts:
            yield from self._split(oversized)
            return
        unit = oversized.unit
        text = self._window.slice(unit.start, unit.end)
        if self._options.oversized == "error":
            self._refuse(unit, text)
        yield from self._make_lines_chunk(oversized.lead)
        symbols = find_symbols((unit,), self._window, self._options, self._patterns) if self._options.syntax else ()
        yield Chunk(text, ((unit.start, unit.end),), (unit.extent,), oversized=True, symbols=symbols)
        yield from self._make_lines_chunk(oversized.trail)

    def _refuse_long_part(self, unit: Unit, parts: Sequence[Part]) -> None:
        """Raise if a definition is longer than `chunk_size`.

        Rule: P7.
        """
        for part in parts:
            if part.length > self._options.chunk_size:
                span = part.spans[0][0], part.spans[-1][1]
                line, size = self._window.line_of(span[0]), self._options.chunk_size
                raise OversizedBlockError(unit.extent.type, unit.extent.identity, span, line, part.length, size)

    def _refuse(self, unit: Unit, text: str) -> None:
        length = self._ruler.length(text, unit.start)
        line = self._window.line_of(unit.start)
        extent, span = unit.extent, (unit.start, unit.end)
        raise OversizedBlockError(extent.type, extent.identity, span, line, length, self._options.chunk_size)

    def _split(self, oversized: OversizedUnit) -> Iterator[Chunk]:
        """Cut a unit; its lines go with its first and last part, or are chunks of their own."""
        unit, size = oversized.unit, self._options.chunk_size
        to_cut = self._prepared.pop(unit.start, None)
        if to_cut is None:
            to_cut = UnitToCut(unit, self._window, self._options, self._patterns)
        lead, trail = self._keep_tags_whole(oversized, to_cut)
        parts = to_cut.cut(self._text_before(lead, unit), self._text_after(unit, trail), self._ruler)
        if lead and parts[0].length > size:
            lead = ()
            parts = to_cut.cut("", self._text_after(unit, trail), self._ruler)
        if trail and parts[-1].length > size:
            trail = ()
            parts = to_cut.cut(self._text_before(lead, unit), "", self._ruler)

        if self._options.oversized == "error":
            self._refuse_long_part(unit, parts)
        if not lead:
            yield from self._make_lines_chunk(oversized.lead)
        count = len(parts)
        alone = (unit.extent,)
        for number, part in enumerate(parts, 1):
            first, last = lead if number == 1 else (), trail if number == count else ()
            extents = unit_extents((*first, unit, *last)) if first or last else alone
            spans = self._chain_spans(first, part.spans, unit, last) if first or last else part.spans
            symbols = to_cut.find_symbols(part.spans)
            yield Chunk(part.text, spans, extents, part.length > size, number, count, part.scope, symbols)
        if not trail:
            yield from self._make_lines_chunk(oversized.trail)

    def _keep_tags_whole(self, oversized: OversizedUnit, to_cut: UnitToCut) -> tuple[Units, Units]:
        """Return the lead and the trail without those that would force a cut inside the unit's own tag."""
        (unit, lead, trail), size = oversized, self._options.chunk_size
        first_tag, last_tag = to_cut.first_tag, to_cut.last_tag
        if lead and first_tag and self._ruler.length(self._text_before(lead, unit) + first_tag, lead[0].start) > size:
            lead = ()
        if trail and last_tag and self._ruler.length(last_tag + self._text_after(unit, trail), unit.start) > size:
            trail = ()
        return lead, trail

    def _make_lines_chunk(self, units: Units) -> Iterator[Chunk]:
        """Yield the chunk of lines that go with no part, if there are any; one chunk for each if they do not fit.

        The lines are expected to fit together, but a length function may find the joined text longer than its lines.
        """
        if not units:
            return
        text = self._join(units)
        oversized = self._ruler.length(text, units[0].start) > self._options.chunk_size
        if oversized and len(units) > 1:
            for unit in units:
                yield from self._make_lines_chunk((unit,))
        else:
            yield Chunk(text, unit_spans(units, self._options.separator), unit_extents(units), oversized)

    def _text_before(self, lead: Units, unit: Unit) -> str:
        return self._join(lead) + self._gap(lead[-1], unit) if lead else ""

    def _text_after(self, unit: Unit, trail: Units) -> str:
        return self._gap(unit, trail[0]) + self._join(trail) if trail else ""

    def _join(self, units: Units) -> str:
        return join_spans(self._window, unit_spans(units, self._options.separator), self._options.separator)

    def _gap(self, left: Unit, right: Unit) -> str:
        return gap_between(self._window, left, right, self._options.separator)

    def _chain_spans(self, lead: Units, spans: Spans, unit: Unit, trail: Units) -> Spans:
        """Put the spans of lines before and after the spans of a part."""
        separator = self._options.separator
        if lead:
            before = unit_spans(lead, separator)
            spans = _chain(before, spans, merge=keep_source_gap(lead[-1], unit, separator))
        if trail:
            after = unit_spans(trail, separator)
            spans = _chain(spans, after, merge=keep_source_gap(unit, trail[0], separator))
        return spans


def _chain(left: Spans, right: Spans, *, merge: bool) -> Spans:
    """Chain spans; with `merge` the last of `left` and the first of `right` become one, with the gap between them."""
    if merge:
        return (*left[:-1], (left[-1][0], right[0][1]), *right[1:])
    return (*left, *right)
