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
        if "\0" in source:  # NUL ends the source below; repr() writes it otherwise, and differently for each source
            source = f"nul:{source!r}"
        self._prefix = hashlib.sha1(_NAMESPACE.bytes + _encode(source), usedforsecurity=False)

    def make_id(self, text: str, place: str) -> str:
        """Return the id of a text at a place; `place` tells equal texts of one document apart."""
        digest = self._prefix.copy()
        digest.update(_encode(f"\0{place}\0{text}"))
        return str(UUID(bytes=digest.digest()[:16], version=5))

    def make_chunk_id(self, chunk: Chunk) -> str:
        """Return the id of a chunk; the chunks of one document differ by part, span or text."""
        return self.make_id(chunk.text, f"{chunk.spans}{chunk.part}")


class BlockIds:
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


class ContentIds:
    """Makes the ids of the chunks of one call of a splitter, of their texts and not of their places.

    Equal chunks of one source and one file are numbered in their order, so that each has an id of its own. The counts
    are kept for the whole call: 20 bytes and more for each chunk.

    Rule: M6.
    """

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()

    def make_id(self, source: str, identity: str | None, text: str) -> str:
        """Return the id of the next chunk.

        Args:
            source: The name of the source, from `name_source`.
            identity: The identity of its element or file.
            text: The text of the chunk.
        """
        named = "-" if identity is None else f"{len(identity)}:{identity}"
        written = _encode(f"content:{len(source)}:{source}{named}{text}")
        digest = hashlib.sha1(_NAMESPACE.bytes + written, usedforsecurity=False).digest()
        self._seen[digest] += 1
        numbered = hashlib.sha1(digest + _encode(str(self._seen[digest])), usedforsecurity=False)
        return str(UUID(bytes=numbered.digest()[:16], version=5))


def name_source(metadata: Mapping[str, object], parent_id: str | None, ordinal: int) -> str:
    """Return what names a source: its `source`, else its id, else which of the documents of one call it is.

    Rule: M6.
    """
    source = metadata.get("source")
    if source is not None:
        return f"source:{_write_value(source)}"
    return f"id:{parent_id}" if parent_id is not None else f"ordinal:{ordinal}"


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
    return kind + _write_value(_read_state(value), above)


def _read_state(value: object) -> object:
    """Return the attributes of an object, also those in slots; of a slice, its bounds."""
    if isinstance(value, slice):
        return (value.start, value.stop, value.step)
    slots = {name for kind in type(value).__mro__ for name in _list_slots(kind)}
    state = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return {**getattr(value, "__dict__", {}), **state}


def _list_slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(
        f"_{kind.__name__.lstrip('_')}{name}" if _is_private(name) else name
        for name in names
        if name not in ("__dict__", "__weakref__")
    )


def _is_private(name: str) -> bool:
    """Return whether Python stores an attribute of this name under the name of its class."""
    return name.startswith("__") and not name.endswith("__")
