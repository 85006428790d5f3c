"""One oversized unit → parts: puts what `_boundaries` knows of its tags together with what `_parts` needs to cut it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from langchain_semantic_xml._boundaries.contents import find_body, find_tags
from langchain_semantic_xml._boundaries.tags import TagPatterns
from langchain_semantic_xml._parts.cutting import Part, cut_parts
from langchain_semantic_xml._parts.definitions import edges_by_words, edges_of_outline, join_small_pieces
from langchain_semantic_xml._parts.languages import boundaries_for, language_of
from langchain_semantic_xml._parts.node_types import NodeTypes, node_types_for
from langchain_semantic_xml._parts.numbered_code import see_through_numbers
from langchain_semantic_xml._parts.outlines import Outline
from langchain_semantic_xml._parts.shell import BlockToCut
from langchain_semantic_xml._parts.syntax import outline_of
from langchain_semantic_xml._sections.units import Unit
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Extent, Options

Span = tuple[int, int]


class UnitToCut:
    """An oversized unit with its tags, its body and, with `syntax`, its definitions.

    Args:
        unit: The unit.
        window: The text that holds it.
        options: The options.
        patterns: The patterns of the elements' tags.
    """

    def __init__(self, unit: Unit, window: Window, options: Options, patterns: TagPatterns) -> None:
        self._unit = unit
        self._options = options
        self._names = frozenset(patterns.rules)
        self._offset = window.offset
        self._text, self._start, self._end = window.locate(unit.start, unit.end)
        self._tags: tuple[Span, ...] = ()
        self._body: Span | None = None
        if unit.extent.type != TEXT:
            tag_end = unit.extent.tag_end - window.offset
            self._tags = find_tags(self._text, self._start, tag_end, self._end, unit.extent.type)
            self._body = find_body(self._text, tag_end, self._end, patterns, unit.extent.type)
        self._cuts: tuple[int, ...] = ()
        self._numbering = None if unit.extent.type == TEXT else see_through_numbers(self._text, *self._content)
        self._plain_outline = self._outline = self._find_outline() if options.syntax else None
        if self._outline is not None and self._numbering is not None:
            self._outline = self._numbering.locate_outline(self._outline)

    @property
    def _content(self) -> Span:
        return self._body or (self._start, self._end)

    @property
    def first_tag(self) -> str | None:
        """The opening tag of an element; `None` for text."""
        return self._text[slice(*self._tags[0])] if self._tags else None

    @property
    def last_tag(self) -> str | None:
        """The closing tag of an element, or its only tag; `None` for text."""
        return self._text[slice(*self._tags[-1])] if self._tags else None

    def cut(self, before: str, after: str, ruler: Ruler) -> list[Part]:
        """Cut the unit; the first part begins with the text `before`, the last part ends with the text `after`.

        The spans of the parts are offsets.
        """
        extent = self._unit.extent
        boundaries = boundaries_for(extent.attributes.get("language"), extent.identity, self._names, extent.type)
        if self._numbering is not None:
            boundaries = self._numbering.locate_boundaries(boundaries)
        block = BlockToCut(
            self._text,
            self._start,
            self._end,
            boundaries=self._outline.refine(boundaries) if self._outline else boundaries,
            body=self._body if self._options.repeat in ("tags", "signatures") else None,
            tags=self._tags,
            lead=before,
            trail=after,
            outline=self._outline,
            identity=extent.identity,
            cuts=self._cuts,
        )
        parts = cut_parts(block, self._options, ruler)
        return [_shift_part(part, self._offset) for part in parts] if self._offset else parts

    def find_definition_cuts(self, ruler: Ruler) -> tuple[int, ...]:
        """Return the offsets at which the element is cut into its definitions; `()` if it is no code or is one part.

        Rule: P7.
        """
        extent, outline = self._unit.extent, self._plain_outline
        if outline is not None and outline.complete:
            edges = edges_of_outline(outline)
        else:
            language = language_of(extent.attributes.get("language"), extent.identity, extent.type)
            edges = edges_by_words(*self._code, language)
        text, start, end = self._code
        cuts = join_small_pieces(text, (start, end), edges, self._options.chunk_size, ruler)
        self._cuts = cuts if self._numbering is None else tuple(map(self._numbering.locate_cut, cuts))
        return tuple(cut + self._offset for cut in self._cuts)

    @property
    def _code(self) -> tuple[str, int, int]:
        """The content without printed numbers, as a text and a span of it."""
        if self._numbering is None:
            return self._text, *self._content
        return self._numbering.code, 0, len(self._numbering.code)

    def find_symbols(self, spans: Iterable[Span]) -> tuple[str, ...]:
        """Return the dotted names of the definitions that begin in `spans`, each once, in order.

        Rule: M1.
        """
        if self._outline is None:
            return ()
        offset, outline = self._offset, self._outline
        names = (outline.names_between(start - offset, end - offset) for start, end in spans)
        return tuple(dict.fromkeys(chain.from_iterable(names)))

    def _find_outline(self) -> Outline | None:
        """Return the outline of the content without printed numbers."""
        types = _find_types(self._unit.extent)
        return None if types is None else outline_of(*self._code, types, self._options.syntax_seconds)


def find_symbols(units: Iterable[Unit], window: Window, options: Options, patterns: TagPatterns) -> tuple[str, ...]:
    """Return the dotted names of the definitions in whole units, each once, in order.

    Rule: M1.
    """
    found = (
        UnitToCut(unit, window, options, patterns).find_symbols([(unit.start, unit.end)])
        for unit in units
        if _find_types(unit.extent) is not None
    )
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def _find_types(extent: Extent) -> NodeTypes | None:
    return node_types_for(extent.attributes.get("language"), extent.identity)


def _shift_part(part: Part, offset: int) -> Part:
    """Return a part whose spans are moved on by `offset`."""
    return part._replace(spans=tuple((start + offset, end + offset) for start, end in part.spans))
