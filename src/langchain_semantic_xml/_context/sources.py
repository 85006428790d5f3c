"""The texts of sources, where they are given: the exact pieces of a chunk, and the whole definition around a piece."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from langchain_core.documents import Document

from langchain_semantic_xml._boundaries.finder import find_extents
from langchain_semantic_xml._boundaries.formats import DEFAULT_RULES, resolve_elements
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml._context.definitions import find_definition
from langchain_semantic_xml._context.pieces import (
    Piece,
    find_source,
    find_start,
    locate_content,
    name_source,
    read_pieces,
)
from langchain_semantic_xml._context.places import find_repeated_text, place_document
from langchain_semantic_xml._context.shells import holds_only_marks
from langchain_semantic_xml._documents.address import Addresses
from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.errors import OptionError
from langchain_semantic_xml.values import ElementRule, Extent


class SourceText:
    """The text of one source with its blocks.

    Args:
        text: The text.
        types: The names of elements that chunks of it hold, besides the default ones.
    """

    def __init__(self, text: str, types: Iterable[str]) -> None:
        self.text = text
        self._patterns = patterns_for(_rules_with(types))
        self._window = Window(text)
        self._extents = list(find_extents(text, self._patterns))
        self._starts = [extent.start for extent in self._extents]
        self._addresses = Addresses(self._window, self._patterns, {})
        self._has_elements = any(extent.type != TEXT for extent in self._extents)

    def cut_pieces(self, start: int, end: int, base: Piece, *, has_blocks: bool) -> list[Piece]:
        """Return the pieces of the span `[start, end)`: one for each block with content there.

        Args:
            start: Where the span begins.
            end: Where it ends.
            base: A piece with what all of them have in common.
            has_blocks: Whether the text was cut at its elements; otherwise it is one file.
        """
        if not has_blocks or not self._has_elements:
            return self._cut_piece(0, len(self.text), 1, (start, end), base)
        pieces: list[Piece] = []
        extents = self._extents_in(start, end)
        for extent in extents:
            if extent.type != TEXT:
                low, high, line = locate_content(extent, self._window, self._addresses, self._patterns)
                named = base._replace(name=extent.identity or base.name, is_content=True)
                pieces += self._cut_piece(low, high, line, (start, end), named)
            elif len(extents) == 1 or not holds_only_marks(self.text[max(start, extent.start) : min(end, extent.end)]):
                row = self._window.line_of(extent.start)
                text = base._replace(is_content=False)
                pieces += self._cut_piece(extent.start, extent.end, row, (start, end), text)
        return [piece._replace(is_known_alone=len(pieces) == 1) for piece in pieces]

    def widen(self, piece: Piece, *, has_blocks: bool) -> Piece:
        """Return the definition, or in prose the paragraph, that holds a piece; the piece itself if none is larger."""
        if piece.start is None:
            return piece
        low, high, language = 0, len(self.text), None
        if has_blocks and self._has_elements:
            extent = self._extents_in(piece.start, piece.end)[0]
            low, high = extent.start, extent.end
            if extent.type != TEXT:
                low, high, _ = locate_content(extent, self._window, self._addresses, self._patterns)
                language = extent.attributes.get("language")
        start, end = find_definition(self.text, (low, high), (piece.start, piece.end), language, piece.name)
        line = None if piece.line is None else piece.line - self.text.count("\n", start, piece.start)
        wider = piece._replace(text=self.text[start:end], start=start, line=line, row=self._window.line_of(start))
        return wider.cut(0, len(wider.text)) or piece

    def _cut_piece(self, low: int, high: int, line: int | None, span: tuple[int, int], base: Piece) -> list[Piece]:
        """Return the share of `span` in the stretch `[low, high)`, whose first line has the number `line`."""
        start, end = max(low, span[0]), min(high, span[1])
        if start >= end:
            return []
        if line is not None:
            line += self.text.count("\n", low, start)
        piece = base._replace(
            text=self.text[start:end], start=start, line=line, row=self._window.line_of(start), whole=self.text
        )
        kept = piece.cut(0, end - start)
        return [] if kept is None else [kept]

    def _extents_in(self, start: int, end: int) -> Sequence[Extent]:
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_right(self._starts, end - 1)
        return [extent for extent in self._extents[first:last] if extent.end > start]


class PieceReader:
    """Reads the pieces of ranked Documents, exactly where the text of the source is given.

    Args:
        documents: The Documents.
        sources: The texts by the names of their sources.
    """

    def __init__(self, documents: Sequence[Document], sources: Mapping[str, str]) -> None:
        self._documents = documents
        self._sources = sources
        types: dict[str, dict[str, None]] = {}
        for document in documents:
            if (name := self._find_name(document)) is not None:
                found = types.setdefault(name, {})
                listed = read_value(document.metadata, "block_types")
                if isinstance(listed, list):
                    found.update(dict.fromkeys(kind for kind in listed if isinstance(kind, str) and kind != TEXT))
        self._texts = {name: SourceText(sources[name], found) for name, found in types.items()}

    def read(self, rank: int) -> list[Piece]:
        """Return the pieces of a Document."""
        document = self._documents[rank]
        name = self._find_name(document)
        exact = [] if name is None else self._read_exactly(document, name, rank)
        return exact or read_pieces(document, rank)

    def widen(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Return the pieces, those with the text of their source as the definitions that hold them."""
        return [self._widen(piece) for piece in pieces]

    def _widen(self, piece: Piece) -> Piece:
        document = self._documents[piece.rank]
        name = self._find_name(document)
        if name is None or piece.whole is None:
            return piece
        return self._texts[name].widen(piece, has_blocks="block_type" in document.metadata)

    def _read_exactly(self, document: Document, name: str, rank: int) -> list[Piece]:
        """Return the pieces in the text of the source; none if the text there is not the Document's."""
        text = self._texts[name]
        place = place_document(0, document)
        start = find_start(document.metadata)
        if start is None or place.span is None:
            return []
        end = start + place.span[1] - place.span[0]
        if find_repeated_text(text.text, replace(place, span=(start, end))) is None:
            return []
        has_blocks = "block_type" in document.metadata
        base = Piece((name,), name_source(document.metadata) or name, "", rank=rank, is_content=True)
        part, parts = (read_value(document.metadata, key) for key in ("part", "parts"))
        if isinstance(part, int) and isinstance(parts, int):
            base = base._replace(part=(part, parts))
        return text.cut_pieces(start, end, base, has_blocks=has_blocks)

    def _find_name(self, document: Document) -> str | None:
        """Return the name of the source of a Document, if its text is given."""
        names = (*find_source(document), *map(document.metadata.get, ("path", "file_path", "filename")))
        return next((name for name in names if isinstance(name, str) and name in self._sources), None)


def _rules_with(types: Iterable[str]) -> tuple[ElementRule, ...]:
    """Return the default rules, and rules for other names."""
    try:
        return resolve_elements([*DEFAULT_RULES, *types])
    except OptionError:
        return DEFAULT_RULES
