"""Blocks → chunks: sections that fit as they are, oversized blocks in parts.

Joins what `sections` and `parts` know apart from each other. Knows nothing of Documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from langchain_semantic_xml._boundaries.contents import find_body, find_tags
from langchain_semantic_xml._boundaries.tags import TagPatterns, patterns_for
from langchain_semantic_xml._parts.cutting import Part, cut_parts
from langchain_semantic_xml._parts.languages import boundaries_for
from langchain_semantic_xml._parts.node_types import node_types_for
from langchain_semantic_xml._parts.outlines import Outline
from langchain_semantic_xml._parts.shell import BlockToCut
from langchain_semantic_xml._parts.syntax import outline_of
from langchain_semantic_xml._sections.grouping import Group, iter_groups
from langchain_semantic_xml._sections.units import Unit, cut_units, join_spans, unit_spans
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.errors import OversizedBlockError
from langchain_semantic_xml.values import Chunk, Extent, Options

Spans = tuple[tuple[int, int], ...]


def iter_chunks(source: Window, extents: Iterable[Extent], options: Options) -> Iterator[Chunk]:
    """Yield the chunks of a text, in order.

    Args:
        source: The text. Released as chunks are taken.
        extents: Its blocks, in order; each is pulled only when it is needed.
        options: The options.

    Raises:
        OversizedBlockError: If a block is oversized and `oversized="error"`.
    """
    return _Chunker(source, options).chunks(extents)


class _Chunker:
    """Makes the chunks of one text.

    Responsibilities: remember the extents of the blocks whose units are under way; cut or keep what is oversized.
    """

    def __init__(self, source: Window, options: Options) -> None:
        self._source = source
        self._options = options
        self._separator = options.separator
        self._patterns: TagPatterns = patterns_for(options.elements)
        self._names = frozenset(self._patterns.rules)
        self._ruler = Ruler(options.length_function)
        self._blocks: dict[int, Extent] = {}

    def chunks(self, extents: Iterable[Extent]) -> Iterator[Chunk]:
        """Yield the chunks."""
        options = self._options
        units = cut_units(self._source, self._remember(extents), self._names, strip=options.strip_whitespace)
        for group in iter_groups(units, self._source, options, self._ruler):
            if group.oversized:
                yield from self._oversized(group)
            else:
                yield Chunk(group.text, group.spans, self._blocks_of(group.units))
            self._forget_before(group.units[0])

    def _remember(self, extents: Iterable[Extent]) -> Iterator[Extent]:
        for number, extent in enumerate(extents):
            self._blocks[number] = extent
            yield extent

    def _forget_before(self, unit: Unit) -> None:
        """Let go what no later group asks for: groups may repeat units of the last one, but none before it."""
        self._source.release(unit.start)
        for number in list(self._blocks):
            if number >= unit.block:
                break
            del self._blocks[number]

    def _blocks_of(self, units: tuple[Unit, ...]) -> tuple[Extent, ...]:
        if len(units) == 1:
            return (self._blocks[units[0].block],)
        return tuple(self._blocks[number] for number in dict.fromkeys(unit.block for unit in units))

    def _oversized(self, group: Group) -> Iterator[Chunk]:
        if self._options.oversized == "split":
            yield from self._parts(group)
            return
        (unit,) = group.units
        if self._options.oversized == "error":
            self._refuse(unit)
        yield from self._alone(group.lead)
        text = self._source.slice(unit.start, unit.end)
        yield Chunk(text, ((unit.start, unit.end),), self._blocks_of(group.units), oversized=True)
        yield from self._alone(group.trail)

    def _refuse(self, unit: Unit) -> None:
        span = unit.start, unit.end
        length = self._ruler.length(self._source.slice(*span), unit.start)
        block = self._blocks[unit.block]
        line = self._source.line_of(unit.start)
        raise OversizedBlockError(block.type, block.identity, span, line, length, self._options.chunk_size)

    def _alone(self, units: tuple[Unit, ...]) -> Iterator[Chunk]:
        if units:
            text = self._text(units)
            # Only a function that adds to every length can find them too long: each was weighed with what it went with.
            oversized = self._ruler.length(text, units[0].start) > self._options.chunk_size
            yield Chunk(text, unit_spans(units, self._separator), self._blocks_of(units), oversized)

    def _text(self, units: tuple[Unit, ...]) -> str:
        return join_spans(self._source, unit_spans(units, self._separator), self._separator)

    def _joint(self, left: Unit, right: Unit) -> str:
        if self._separator is None or left.block == right.block:
            return self._source.slice(left.end, right.start)
        return self._separator

    def _chained(self, spans: Spans, more: Spans, left: Unit, right: Unit) -> Spans:
        """Chain the spans of two neighbours; the source's own white space between them is in a span."""
        if self._separator is None or left.block == right.block:
            return (*spans[:-1], (spans[-1][0], more[0][1]), *more[1:])
        return (*spans, *more)

    def _parts(self, group: Group) -> Iterator[Chunk]:
        """Cut the unit; headings before it go with its first part, containers' closings after it with the last.

        Where one of these would force a cut inside the unit's own tag, or leave it no room, it is a chunk by itself.
        """
        (unit,) = group.units
        text, offset, size = self._source.text, self._source.offset, self._options.chunk_size
        tags = self._tags(unit)
        lead, trail = group.lead, group.trail
        before = self._text(lead) + self._joint(lead[-1], unit) if lead else ""
        after = self._joint(unit, trail[0]) + self._text(trail) if trail else ""
        apart: tuple[Unit, ...] = ()
        if lead and tags and self._ruler.length(before + text[slice(*tags[0])], lead[0].start) > size:
            yield from self._alone(lead)
            lead, before = (), ""
        if trail and tags and self._ruler.length(text[slice(*tags[-1])] + after, unit.start) > size:
            apart, trail, after = trail, (), ""
        outline = self._outline(unit) if self._options.syntax else None
        parts = self._cut(unit, tags, outline, before, after)
        if lead and parts[0].length > size:
            yield from self._alone(lead)
            lead, before = (), ""
            parts = self._cut(unit, tags, outline, before, after)
        if trail and parts[-1].length > size:
            apart, trail, after = trail, (), ""
            parts = self._cut(unit, tags, outline, before, after)
        block = self._blocks[unit.block]
        alone: tuple[Extent, ...] = (block,)
        last = len(parts)
        for number, part in enumerate(parts, 1):
            blocks, spans = alone, part.spans
            if offset:
                spans = tuple((start + offset, end + offset) for start, end in spans)
            if lead and number == 1:
                blocks = self._blocks_of((*lead, unit))
                spans = self._chained(unit_spans(lead, self._separator), spans, lead[-1], unit)
            if trail and number == last:
                blocks = self._blocks_of((*(lead if number == 1 else ()), unit, *trail))
                spans = self._chained(spans, unit_spans(trail, self._separator), unit, trail[0])
            yield Chunk(part.text, spans, blocks, part.length > size, number, last, part.scope)
        yield from self._alone(apart)

    def _cut(self, unit: Unit, tags: Spans, outline: Outline | None, before: str, after: str) -> list[Part]:
        offset, options = self._source.offset, self._options
        block = self._blocks[unit.block]
        boundaries = boundaries_for(block.attributes.get("language"), block.identity, self._names)
        to_cut = BlockToCut(
            self._source.text,
            unit.start - offset,
            unit.end - offset,
            boundaries=outline.refine(boundaries) if outline else boundaries,
            body=self._body(unit) if options.repeat_tags else None,
            tags=tags,
            lead=before,
            trail=after,
            outline=outline,
        )
        return cut_parts(to_cut, options, self._ruler)

    def _outline(self, unit: Unit) -> Outline | None:
        block = self._blocks[unit.block]
        types = node_types_for(block.attributes.get("language"), block.identity) if unit.type != TEXT else None
        if types is None:
            return None
        offset = self._source.offset
        start, end = self._body(unit) or (unit.start - offset, unit.end - offset)
        return outline_of(self._source.text, start, end, types)

    def _tags(self, unit: Unit) -> Spans:
        if unit.type == TEXT:
            return ()
        offset, tag_end = self._source.offset, self._blocks[unit.block].tag_end
        return find_tags(self._source.text, unit.start - offset, tag_end - offset, unit.end - offset, unit.type)

    def _body(self, unit: Unit) -> tuple[int, int] | None:
        if unit.type == TEXT:
            return None
        offset, tag_end = self._source.offset, self._blocks[unit.block].tag_end
        return find_body(self._source.text, tag_end - offset, unit.end - offset, self._patterns, unit.type)
