"""Documents → pieces: verbatim stretches of one file each, with their places, from the metadata alone.

Takes off what a chunk has besides the content of its files: tags, repeated text, separators. `sources` does the same
where the text of a source is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from langchain_core.documents import Document

from langchain_semantic_xml._boundaries.contents import find_body
from langchain_semantic_xml._boundaries.finder import find_extents
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.tags import TagPatterns, patterns_for
from langchain_semantic_xml._context.places import guess_repeated_text, is_offset, place_document
from langchain_semantic_xml._context.shells import find_content_of_part, holds_only_marks
from langchain_semantic_xml._documents.address import NAMING_KEYS, Addresses, read_content_lines
from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.blanks import first_visible
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.errors import OptionError
from langchain_semantic_xml.values import Extent

Source = tuple[str | None, ...]
"""What tells one source from another in the metadata."""


class Piece(NamedTuple):
    """A verbatim stretch of one file, without blank lines at its start and without blanks at its end.

    Args:
        source: The source that it was cut from.
        name: The file, or what else is cited; `None` if nothing names it.
        text: Its characters, not all blank.
        start: The offset of the first character in the source, if it is known.
        line: The line of the file in which the first character stands, if it is known.
        row: The line of the source in which the first character stands, if it is known. Of two pieces of one source,
            it says how many lines lie between them.
        is_content: Whether `line` counts the lines of a file, and not those of the source.
        part: The number of the part that it is from, and the number of parts; `None` if the block was not cut.
        whole: The text of the source, if it is given.
        rank: Which of the ranked Documents it is from, from 0.
        is_known_alone: Whether the Document holds nothing else, so that what its metadata say is said of the piece.
    """

    source: Source
    name: str | None
    text: str
    start: int | None = None
    line: int | None = None
    row: int | None = None
    is_content: bool = False
    part: tuple[int, int] | None = None
    whole: str | None = None
    rank: int = 0
    is_known_alone: bool = True

    @property
    def end(self) -> int:
        """The offset after the last character; of a piece without a place, its length."""
        return (self.start or 0) + len(self.text)

    @property
    def file(self) -> tuple[object, ...]:
        """What tells one file from another; a piece that nothing names and places is a file by itself."""
        if self.name is None and self.start is None:
            return ("", self.text)
        return (self.source, self.name)

    def cut(self, start: int, end: int) -> Piece | None:
        """Return the characters `[start, end)` of the text as a piece; `None` if they are blank."""
        text = self.text[:end]
        begin = first_visible(text, start, len(text))
        if begin == len(text):
            return None
        begin = max(start, text.rfind("\n", start, begin) + 1)
        lines = self.text.count("\n", 0, begin)
        return self._replace(
            text=text[begin:].rstrip(),
            start=None if self.start is None else self.start + begin,
            line=None if self.line is None else self.line + lines,
            row=None if self.row is None else self.row + lines,
        )


def read_pieces(document: Document, rank: int) -> list[Piece]:
    """Return the pieces of a Document, as its metadata and its text tell them."""
    metadata = document.metadata
    if "block_type" not in metadata:
        return _keep_visible([_read_plain(document, rank)])
    if read_value(metadata, "part") is not None:
        return _keep_visible([_read_part(document, rank)])
    return _keep_visible(_read_blocks(document, rank))


def find_start(metadata: Mapping[Any, object]) -> int | None:
    """Return the offset of a chunk in its outermost source: a Document that was cut again has one offset for each cut.

    Example:
        >>> find_start({"start_index": 100, "chunk_start_index": 7}), find_start({})
        (107, None)

    Rule: M3.
    """
    found = list(_read_chain(metadata, "start_index"))
    return sum(found) if found else None


def find_row(metadata: Mapping[Any, object]) -> int | None:
    """Return the line of a chunk's first character in its outermost source."""
    found = list(_read_chain(metadata, "start_line"))
    return sum(found) - len(found) + 1 if found else None


def _read_chain(metadata: Mapping[Any, object], key: str) -> Iterator[int]:
    while key in metadata:
        value = metadata[key]
        if is_offset(value):
            yield value
        key = f"chunk_{key}"


def find_source(document: Document) -> Source:
    """Return what tells the source of a Document from another."""
    return place_document(0, document).source_key


def name_source(metadata: Mapping[Any, object]) -> str | None:
    """Return the name of the file or bundle that a Document was cut from."""
    return next((name for key in NAMING_KEYS if isinstance(name := metadata.get(key), str) and name), None)


def _keep_visible(pieces: list[Piece]) -> list[Piece]:
    return [kept for piece in pieces if (kept := piece.cut(0, len(piece.text))) is not None]


def _read_plain(document: Document, rank: int) -> Piece:
    """Return a Document of another splitter as one piece."""
    start = find_start(document.metadata)
    return Piece(find_source(document), name_source(document.metadata), document.page_content, start, rank=rank)


def _name_identity(document: Document) -> str | None:
    identity = read_value(document.metadata, "identity")
    return identity if isinstance(identity, str) and identity else None


def _start_piece(document: Document, rank: int) -> Piece:
    """Return a whole Document of this package as one piece, without the line of the file."""
    metadata = document.metadata
    name = _name_identity(document) or name_source(metadata)
    text, row = document.page_content, find_row(metadata)
    return Piece(find_source(document), name, text, find_start(metadata), row=row, rank=rank)


def _put_content_line(piece: Piece, metadata: Mapping[Any, object]) -> Piece:
    """Return a piece with the line that the metadata give to the first visible character of content. Rule: M4."""
    lines = read_content_lines(metadata)
    if lines is None:
        return piece
    blank = piece.text.count("\n", 0, first_visible(piece.text, 0, len(piece.text)))
    return piece._replace(line=lines[0] - blank, is_content=True)


def _read_part(document: Document, rank: int) -> Piece:
    """Return the content in a part without the text that it repeats and without the tags of its element."""
    metadata = document.metadata
    place = place_document(0, document)
    head, tail = guess_repeated_text(place)
    piece = _start_piece(document, rank)
    part, parts = read_value(metadata, "part"), read_value(metadata, "parts")
    numbers = (part, parts) if isinstance(part, int) and isinstance(parts, int) else None
    own = document.page_content[len(head) : len(document.page_content) - len(tail)]
    start, end = find_content_of_part(own, head, tail, read_value(metadata, "block_type"), numbers)
    offset = piece.start
    if offset is not None and place.span is not None:
        is_at_end = numbers is not None and numbers[0] == 1
        offset += start if not is_at_end else place.span[1] - place.span[0] - len(own) + start
    row = None if piece.row is None else piece.row + own.count("\n", 0, start)
    piece = piece._replace(text=own[start:end], start=offset, row=row, part=numbers)
    if read_content_lines(metadata) is None and read_value(metadata, "block_type") == TEXT:
        return piece._replace(line=piece.row)
    return _put_content_line(piece, metadata)


def _read_blocks(document: Document, rank: int) -> list[Piece]:
    """Return the contents of whole blocks."""
    piece = _start_piece(document, rank)
    text, types = document.page_content, read_value(document.metadata, "block_types")
    patterns = patterns_of_types(types)
    extents = list(find_extents(text, patterns)) if patterns else []
    if patterns is None or not extents or list(dict.fromkeys(extent.type for extent in extents)) != types:
        is_text = read_value(document.metadata, "block_type") == TEXT
        piece = _put_content_line(piece, document.metadata)
        return [piece._replace(line=piece.row) if is_text and not piece.is_content else piece]
    window = Window(text)
    addresses = Addresses(window, patterns, {})
    pieces = []
    elements = [extent for extent in extents if extent.type != TEXT]
    for number, extent in enumerate(extents):
        if extent.type == TEXT and holds_only_marks(text[extent.start : extent.end]):
            continue
        found = _read_block(piece, extent, window, addresses, patterns)
        offset, row = _locate_block(document, found, is_first=number == 0, is_last=number == len(extents) - 1)
        if extent.type == TEXT:
            found = found._replace(line=row)
        elif len(elements) == 1:
            found = _put_content_line(found, document.metadata)
        pieces.append(found._replace(start=offset, row=row, is_known_alone=len(elements) <= 1))
    return pieces


def _read_block(piece: Piece, extent: Extent, window: Window, addresses: Addresses, patterns: TagPatterns) -> Piece:
    """Return the content of one block of a chunk; its `start` is an offset of the chunk's text."""
    if extent.type == TEXT:
        return piece._replace(text=window.text[extent.start : extent.end], start=extent.start)
    start, end, line = locate_content(extent, window, addresses, patterns)
    name = extent.identity or piece.name
    return piece._replace(text=window.text[start:end], start=start, line=line, name=name, is_content=True)


def _locate_block(document: Document, found: Piece, *, is_first: bool, is_last: bool) -> tuple[int | None, int | None]:
    """Return the offset and the line in the source of a piece that is placed in the chunk's text.

    Separators may differ from the blanks of the source, so that only the first and the last block have a known place.
    """
    start, span = find_start(document.metadata), place_document(0, document).span
    text, at = document.page_content, found.start
    if start is None or span is None or at is None or not (is_first or is_last):
        return None, None
    row = find_row(document.metadata)
    if is_first:
        return start + at, None if row is None else row + text.count("\n", 0, at)
    first, last = (read_value(document.metadata, key) for key in ("start_line", "end_line"))
    offset = start + span[1] - span[0] - (len(text) - at)
    if row is None or not isinstance(first, int) or not isinstance(last, int):
        return offset, None
    return offset, row + last - first - text.count("\n", at)


def locate_content(
    extent: Extent, window: Window, addresses: Addresses, patterns: TagPatterns
) -> tuple[int, int, int | None]:
    """Return the span of an element's content, and the line of the file in which it begins if that is known."""
    content = addresses.find_content((extent,))
    if content is not None:
        return content.start, content.end, window.line_of(content.start) + content.shift
    body = find_body(window.text, extent.tag_end, extent.end, patterns, extent.type)
    return (*(body or (extent.start, extent.end)), None)


def patterns_of_types(types: object) -> TagPatterns | None:
    """Return the patterns of the elements that `block_types` names; `None` if it names nothing that can be one."""
    if not isinstance(types, list):
        return None
    try:
        return patterns_for(resolve_elements([name for name in types if name != TEXT]))
    except OptionError:
        return None
