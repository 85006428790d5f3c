"""One oversized unit → parts: puts what `_boundaries` knows of its tags together with what `_parts` needs to cut it."""

from __future__ import annotations

from langchain_semantic_xml._boundaries.contents import find_body, find_tags
from langchain_semantic_xml._boundaries.tags import TagPatterns
from langchain_semantic_xml._parts.cutting import Part, cut_parts
from langchain_semantic_xml._parts.languages import boundaries_for
from langchain_semantic_xml._parts.node_types import node_types_for
from langchain_semantic_xml._parts.outlines import Outline
from langchain_semantic_xml._parts.shell import BlockToCut
from langchain_semantic_xml._parts.syntax import outline_of
from langchain_semantic_xml._sections.units import Unit
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Options

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
        self._outline = self._find_outline() if options.syntax else None

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
        )
        parts = cut_parts(block, self._options, ruler)
        return [_shift_part(part, self._offset) for part in parts] if self._offset else parts

    def _find_outline(self) -> Outline | None:
        extent = self._unit.extent
        types = node_types_for(extent.attributes.get("language"), extent.identity) if extent.type != TEXT else None
        if types is None:
            return None
        start, end = self._body or (self._start, self._end)
        return outline_of(self._text, start, end, types)


def _shift_part(part: Part, offset: int) -> Part:
    """Return a part whose spans are moved on by `offset`."""
    return part._replace(spans=tuple((start + offset, end + offset) for start, end in part.spans))
