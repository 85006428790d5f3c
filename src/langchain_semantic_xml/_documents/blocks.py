"""The blocks of a text that is read in pieces, with all that their Documents hold: as they stand, or unescaped.

Knows nothing of chunks, nor where a text comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from langchain_semantic_xml._boundaries.streams import LOOKAHEAD, StreamReader
from langchain_semantic_xml._boundaries.tags import TagPatterns, decode_content, has_references
from langchain_semantic_xml._documents.address import Addresses, find_element_body
from langchain_semantic_xml._documents.ids import BlockIds
from langchain_semantic_xml._documents.metadata import Metadata, MetadataWriter
from langchain_semantic_xml._documents.names import choose_block_keys
from langchain_semantic_xml._text.blanks import skip_byte_order_mark
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Extent

_BLANKS = " \t"
_CDATA_OPENING = "<![CDATA["


class LoadedBlock(NamedTuple):
    """What the Document of a block holds.

    Args:
        text: The text of the block, unescaped if that was asked for.
        metadata: Its metadata.
        id: Its id.
    """

    text: str
    metadata: Metadata
    id: str


def load_blocks(
    pieces: Iterable[str],
    metadata: Mapping[str, object],
    patterns: TagPatterns,
    *,
    name: str | None,
    positions: bool = True,
    unescape: bool = False,
    lookahead: int = LOOKAHEAD,
) -> Iterator[LoadedBlock]:
    """Yield each block of a text while the text is read.

    Args:
        pieces: The text.
        metadata: The metadata of the text; copied into that of each block.
        patterns: The patterns of the elements that are blocks.
        name: What the ids tell the text apart by.
        positions: Whether the metadata say where the block is.
        unescape: Whether escaped contents of elements are decoded.
        lookahead: After this many characters without a decision, decide as if the text ended there.
    """
    window = Window("")
    addresses = Addresses(window, patterns, metadata)
    writer = MetadataWriter(window, metadata, keys=choose_block_keys(positions=positions), addresses=addresses)
    ids = BlockIds(metadata, name)
    for extent in StreamReader(window, iter(pieces), patterns, lookahead).extents():
        start = _include_indentation(window, extent)
        body = find_escaped_body(window, extent, patterns) if unescape else None
        text = window.slice(start, extent.end) if body is None else _unescape(window, start, extent, body)
        written = writer.write_blocks((extent,), ((start, extent.end),))
        yield LoadedBlock(text, written, ids.make_id(text))
        window.release(extent.end)


def find_escaped_body(window: Window, extent: Extent, patterns: TagPatterns) -> tuple[int, int] | None:
    """Return the indices in the window's text of the body of an element if it is escaped, else `None`.

    An escaped body holds references and no raw `<`. That of a CDATA section is raw: its references are text.
    """
    body = None if extent.type == TEXT else find_element_body(window, extent, patterns)
    if body is None or window.text.find("<", *body) >= 0 or not has_references(window.text, *body):
        return None
    before = window.text[extent.tag_end - window.offset : body[0]].rstrip()
    return None if before.endswith(_CDATA_OPENING) else body


def _unescape(window: Window, start: int, extent: Extent, body: tuple[int, int]) -> str:
    """Return the text from `start` to the end of an element, the body decoded and the tags as they are."""
    text, begin, end = window.locate(start, extent.end)
    return f"{text[begin : body[0]]}{decode_content(text[body[0] : body[1]], extent.type)}{text[body[1] : end]}"


def _include_indentation(window: Window, extent: Extent) -> int:
    """Return the start of an element, or the start of its line if only blanks stand before it.

    With its indentation, an element looks as it does in its bundle: its closing tag stands below its opening tag.
    """
    if extent.type == TEXT:
        return extent.start
    text, start = window.text, extent.start - window.offset
    while start > 0 and text[start - 1] in _BLANKS:
        start -= 1
    opens_text = window.offset == 0 and start <= skip_byte_order_mark(text)
    is_first = opens_text or text[start - 1 : start] == "\n"
    return start + window.offset if is_first else extent.start
