"""Documents → what the page says of each chunk: its type, name and length, and whether it was cut.

Knows the metadata keys and the length function; knows no HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from langchain_core.documents import Document

from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import LengthFunction
from langchain_semantic_xml._view.paths import split_path
from langchain_semantic_xml._view.traces import TracedSource

_FILE_KEYS = ("path", "file_path")
"""Metadata that name the file of a Document without elements, the first one found."""


class Measure(NamedTuple):
    """How the lengths on the page are measured.

    Args:
        chunk_size: The length that no chunk should exceed, if it is known.
        length_function: Measures a chunk.
        unit: What the length function counts, in the plural.
    """

    chunk_size: int | None = None
    length_function: LengthFunction = len
    unit: str = "characters"

    def say(self, length: int) -> str:
        """Return a length with its unit."""
        return say_count(length, self.unit.removesuffix("s") if length == 1 else self.unit, plural="")


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page says of one chunk.

    Args:
        type: Its block type.
        name: Its identity, or its identities; empty if it has none.
        paths: The paths of its elements, or of the file that its metadata name, each as folders and a file.
        length: Its length, as the length function measures it.
        part: Its place among the parts of a block that was cut, and their number; `None` if it is no part.
        oversized: Whether it is longer than the chunk size.
        alternate: Whether it takes the second shade of its colour, so that neighbours of one type differ.
    """

    type: str
    name: str
    paths: tuple[tuple[str, ...], ...]
    length: int
    part: tuple[object, object] | None
    oversized: bool
    alternate: bool


def collect_facts(sources: Sequence[TracedSource], measure: Measure) -> dict[int, Facts]:
    """Return the facts of each chunk under its number; each chunk is measured once."""
    facts: dict[int, Facts] = {}
    for source in sources:
        prefix = source.name if len(sources) > 1 else None
        name, alternate = None, True
        for chunk in source.chunks:
            document = chunk.document
            if not name or _name_of(document) != name:
                alternate = not alternate
            name = _name_of(document)
            facts[chunk.number] = _describe(document, name, prefix, measure, alternate=alternate)
    return facts


def _describe(document: Document, name: str, prefix: str | None, measure: Measure, *, alternate: bool) -> Facts:
    metadata = document.metadata
    length = measure.length_function(document.page_content)
    part, parts = (read_value(metadata, key) for key in ("part", "parts"))
    is_longer = measure.chunk_size is not None and length > measure.chunk_size
    return Facts(
        type=type_of(document),
        name=name,
        paths=tuple(_list_paths(document, prefix)),
        length=length,
        part=None if part is None else (part, parts),
        oversized=is_longer or read_value(metadata, "oversized") is True,
        alternate=alternate,
    )


def type_of(document: Document) -> str:
    """Return the block type of a chunk; a Document without one is text."""
    value = read_value(document.metadata, "block_type")
    return value if isinstance(value, str) and value else TEXT


def _name_of(document: Document) -> str:
    return ", ".join(_list_identities(document))


def _list_identities(document: Document) -> list[str]:
    identity, identities = (read_value(document.metadata, key) for key in ("identity", "identities"))
    if identity is not None:
        return [str(identity)]
    return list(map(str, identities)) if isinstance(identities, (list, tuple)) else []


def _list_paths(document: Document, prefix: str | None) -> Iterator[tuple[str, ...]]:
    """Yield the paths under which a chunk stands in the tree: of several sources, each below the source's name."""
    identities = _list_identities(document)
    above = () if prefix is None else (prefix,)
    for identity in identities:
        yield (*above, *split_path(identity))
    if not identities and (file := _name_file(document) or prefix):
        yield split_path(file)


def _name_file(document: Document) -> str | None:
    """Return the file that a Document without elements was cut from, if its metadata name one."""
    return next((str(document.metadata[key]) for key in _FILE_KEYS if document.metadata.get(key)), None)


def say_count(number: int, noun: str, *, plural: str = "s") -> str:
    """Return a number with its noun, which takes `plural` unless the number is 1."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}{plural}"
