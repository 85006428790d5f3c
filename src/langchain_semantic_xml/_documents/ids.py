"""The ids of chunks and blocks: UUIDs that are the same on every run."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from uuid import UUID

from langchain_semantic_xml.values import Chunk

_NUMBERS = (int, float, complex, bool, Decimal)
_TIMES = (date, time, timedelta)
_PLAIN = (str, bytes, bytearray, type(None), Enum, PurePath, UUID, *_NUMBERS, *_TIMES)
"""Types whose `repr` is the same in every process."""
_NAMESPACE = UUID("6f1d3f0e-52c4-5d0b-9a53-1c1f6a0e7d11")
"""The namespace of the ids of this package; drawn once at random."""


class IdMaker:
    """Makes the ids of the texts of one source document: UUIDs of version 5.

    Args:
        metadata: The document's own metadata.
        name: The document's id, or another name for it; where it has none, metadata and `ordinal` stand for it.
        ordinal: Which of the documents of one call it is.

    Source:
        RFC 9562, section 5.5.
    """

    def __init__(self, metadata: Mapping[str, object], name: str | None, ordinal: int) -> None:
        source = f"id:{name}" if name is not None else f"{ordinal}:{_write_value(metadata)}"
        self._prefix = hashlib.sha1(_NAMESPACE.bytes + _encode(source), usedforsecurity=False)

    def make_id(self, text: str, place: str) -> str:
        """Return the id of a text at a place; `place` tells equal texts of one document apart."""
        digest = self._prefix.copy()
        digest.update(_encode(f"\0{place}\0{text}"))
        return str(UUID(bytes=digest.digest()[:16], version=5))

    def make_chunk_id(self, chunk: Chunk) -> str:
        """Return the id of a chunk; the chunks of one document differ by part, span or text."""
        return self.make_id(chunk.text, f"{chunk.spans}{chunk.part}")


class ContentIds:
    """Makes the ids of the blocks of one source document, of their texts and not of their places.

    Equal texts are numbered in their order, so that each has an id of its own.

    Args:
        metadata: The document's own metadata.
        name: The name of the document; where it has none, its metadata stand for it.
    """

    def __init__(self, metadata: Mapping[str, object], name: str | None) -> None:
        self._ids = IdMaker(metadata, name, 0)
        self._seen: Counter[str] = Counter()

    def make_id(self, text: str) -> str:
        """Return the id of the next block."""
        first = self._ids.make_id(text, "()None")
        self._seen[first] += 1
        number = self._seen[first]
        return first if number == 1 else self._ids.make_id(text, f"(){number}")


def _encode(text: str) -> bytes:
    """Return a text as bytes; lone surrogates are text, too."""
    return text.encode("utf-8", "surrogatepass")


def _write_value(value: object, above: frozenset[int] = frozenset()) -> str:
    """Write a value so that equal values look alike in every process: without addresses, sets and keys in order.

    Args:
        value: Any value of metadata. An iterator is not asked for its items: they would be gone.
        above: The addresses of the values that hold this one; a value that holds itself is not written twice.
    """
    if isinstance(value, _PLAIN):
        return repr(value)
    if id(value) in above:
        return "<itself>"
    above |= {id(value)}
    if isinstance(value, Mapping):
        items = sorted(f"{_write_value(key, above)}:{_write_value(item, above)}" for key, item in value.items())
        return f"{{{','.join(items)}}}"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(_write_value(item, above) for item in value))}}}"
    if isinstance(value, Iterable) and not isinstance(value, Iterator):
        return f"[{','.join(_write_value(item, above) for item in value)}]"
    return _write_object(value, above)


def _write_object(value: object, above: frozenset[int]) -> str:
    """Write an object by its type, with its name, its fields or its attributes."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    name = getattr(value, "__qualname__", None)  # of a function, a method or a class
    if isinstance(name, str):
        return f"<{kind} {getattr(value, '__module__', '')}.{name}>"
    if is_dataclass(value):
        return kind + _write_value({field.name: getattr(value, field.name) for field in fields(value)}, above)
    return kind + _write_value(getattr(value, "__dict__", {}), above)
