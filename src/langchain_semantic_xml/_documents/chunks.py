"""Blocks → chunks: groups that fit as they are, and the chunks of oversized units. Knows nothing of Documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml._documents.oversized import OversizedChunker
from langchain_semantic_xml._documents.unit_cutting import find_symbols
from langchain_semantic_xml._sections.grouping import OversizedUnit, iter_groups
from langchain_semantic_xml._sections.units import cut_units, unit_extents
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Chunk, Extent, Options


def iter_chunks(window: Window, extents: Iterable[Extent], options: Options) -> Iterator[Chunk]:
    """Yield the chunks of a text, in order.

    Args:
        window: The text. The stretch before the last chunk is released as chunks are taken.
        extents: Its blocks, in order; each is pulled only when it is needed.
        options: The options.

    Raises:
        OversizedBlockError: If a block is oversized and `oversized="error"`.
    """
    patterns = patterns_for(options.elements)
    ruler = Ruler(options.length_function)
    oversized = OversizedChunker(window, options, ruler, patterns)
    units = cut_units(window, extents, frozenset(patterns.rules), strip=options.strip_whitespace)
    if options.granularity == "definition":
        units = map(oversized.find_definitions, units)
    for group in iter_groups(units, window, options, ruler):
        if isinstance(group, OversizedUnit):
            yield from oversized.make_chunks(group)
            first = group.unit
        else:
            symbols = find_symbols(group.units, window, options, patterns) if options.syntax else ()
            yield Chunk(group.text, group.spans, unit_extents(group.units), symbols=symbols)
            first = group.units[0]
        window.release(first.start)  # the next group may repeat units of this one, but none before it
