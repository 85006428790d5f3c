"""The Document that a text comes from, and the ids that its chunks get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from langchain_semantic_xml._documents.ids import ContentIds, IdMaker, name_source
from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml.values import Chunk, Options


class Origin(NamedTuple):
    """The Document that a text comes from, as far as its chunks speak of it.

    Args:
        metadata: Its metadata.
        id: Its id.
        ordinal: Which of the documents of one call it is.
        file: The file that it is, if it has no elements and its metadata name one.
    """

    metadata: Mapping[Any, Any]
    id: str | None
    ordinal: int
    file: str | None = None


def choose_ids(options: Options, origin: Origin, ids: ContentIds) -> Callable[[Chunk], str | None]:
    """Return the function that makes the id of each chunk of one text, `None` without `deterministic_ids`.

    Rule: M6.
    """
    if options.deterministic_ids == "content":
        source = name_source(origin.metadata, origin.id, origin.ordinal)
        identity = read_value(origin.metadata, "identity")
        inherited = identity if isinstance(identity, str) else origin.file
        return lambda chunk: ids.make_id(source, _identity_of(chunk) or inherited, chunk.text)
    if options.deterministic_ids:
        return IdMaker(origin.metadata, origin.id, origin.ordinal).make_chunk_id
    return lambda _: None


def _identity_of(chunk: Chunk) -> str | None:
    """Return the identity of the only element of a chunk."""
    elements = [block for block in chunk.blocks if block.type != TEXT]
    return elements[0].identity if len(elements) == 1 else None
