"""What a chunk's Document says of it: metadata and, if wanted, an id that is the same on every run."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from uuid import UUID

from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Chunk, Extent

MIXED = "mixed"
"""The `block_type` of a chunk whose elements have several types."""

POSITION_KEYS = ("start_index", "end_index", "start_line", "end_line")
SCOPE_KEY = "scope"
"""Written only where the syntax of code was looked at; `None` where nothing was found."""
KEYS = (
    *("block_type", "block_types", "block_count", "identity", "identities"),
    *POSITION_KEYS,
    *("part", "parts", "oversized", "parent_id"),
)

_NUMBERS = (int, float, complex, bool, Decimal)
_TIMES = (date, time, timedelta)
_PLAIN = (str, bytes, bytearray, type(None), Enum, PurePath, UUID, *_NUMBERS, *_TIMES)
"""Types whose `repr` is the same in every process."""
_SCALARS = (str, int, float, bool, type(None))
_NAMESPACE = UUID("6f1d3f0e-52c4-5d0b-9a53-1c1f6a0e7d11")
"""Of our ids alone; made once, at random."""

Metadata = dict[str, object]


def free_name(key: str, taken: Container[object]) -> str:
    """Return the name under which `key` is stored beside names that are taken: none of these is ever overwritten.

    Example:
        >>> free_name("part", {"part", "chunk_part"}), free_name("parts", {"part"})
        ('chunk_chunk_part', 'parts')
    """
    while key in taken:
        key = f"chunk_{key}"
    return key


class MetadataWriter:
    """Writes the metadata of one source document's chunks.

    Args:
        source: The document's text.
        metadata: The document's own metadata; never changed, and shared with no chunk.
        parent_id: The document's id.
        positions: Whether the position keys are written.
        scopes: Whether the scope is written.

    Raises:
        TypeError: If the document's metadata have a key that cannot be hashed, or a value that cannot be copied.
    """

    def __init__(
        self, source: Window, metadata: Mapping[str, object], parent_id: str | None, *, positions: bool, scopes: bool
    ) -> None:
        metadata = _plain(metadata)
        self._source = source
        self._nested = {key: value for key, value in metadata.items() if type(value) not in _SCALARS}
        keys = (*KEYS, SCOPE_KEY) if scopes else KEYS
        self._names = {key: free_name(key, metadata) for key in keys if positions or key not in POSITION_KEYS}
        self._taken = {*keys, *metadata, *self._names.values()}
        self._position_names = tuple(self._names[key] for key in POSITION_KEYS) if positions else ()
        self._scope_name = self._names.get(SCOPE_KEY)
        self._part_names = tuple(self._names[key] for key in ("part", "parts", "oversized"))
        self._blank: Metadata = {**metadata, **dict.fromkeys(self._names.values())}
        self._blank[self._names["parent_id"]] = parent_id
        self._blocks: tuple[Extent, ...] = ()
        self._template: Metadata = {}
        self._lists: dict[str, list[str]] = {}

    def name_of(self, key: str) -> str:
        """Return the name under which one of `KEYS` is stored."""
        return self._names[key]

    def write(self, chunk: Chunk) -> Metadata:
        """Return the metadata of a chunk, a new dictionary."""
        if chunk.blocks != self._blocks:
            self._learn(chunk.blocks)
        metadata = self._template.copy()
        if self._nested:
            metadata.update(_copied(self._nested))
        for key, values in self._lists.items():
            metadata[key] = values.copy()
        if self._position_names:
            start, end, start_line, end_line = self._position_names
            metadata[start], metadata[end] = first, after = chunk.spans[0][0], chunk.spans[-1][1]
            metadata[start_line] = self._source.line_of(first)
            metadata[end_line] = self._source.line_of(after - 1)
        part, parts, oversized = self._part_names
        metadata[part], metadata[parts], metadata[oversized] = chunk.part, chunk.parts, chunk.oversized
        if self._scope_name:
            metadata[self._scope_name] = chunk.scope
        return metadata

    def _learn(self, blocks: tuple[Extent, ...]) -> None:
        """Make the template for chunks of these blocks: all keys in order, and the lists that are copied for each."""
        names = self._names
        elements = [block for block in blocks if block.type != TEXT]
        only = elements[0] if len(elements) == 1 else None
        identities = [element.identity for element in elements if element.identity is not None]
        template = self._blank.copy()
        template[names["block_type"]] = only.type if only else _block_type(elements)
        template[names["block_count"]] = len(blocks)
        template[names["identity"]] = only.identity if only else None
        self._lists = {names["block_types"]: list(dict.fromkeys([block.type for block in blocks]))}
        if identities:
            self._lists[names["identities"]] = identities
        if only and only.attributes:
            self._add_attributes(template, only)
        self._blocks, self._template = blocks, template

    def _add_attributes(self, metadata: Metadata, element: Extent) -> None:
        """Add an element's attributes under their own names, else with its type before, else not at all."""
        for name, value in element.attributes.items():
            if name not in self._taken:
                metadata[name] = value
        for name, value in element.attributes.items():
            if name in self._taken:
                longer = f"{element.type}_{name}"
                if longer not in self._taken:
                    metadata.setdefault(longer, value)


def _plain(metadata: Mapping[str, object]) -> Metadata:
    """Return the items in a dictionary: another mapping may answer for keys that it does not list."""
    try:
        return dict(metadata)
    except TypeError as error:
        msg = f"metadata must have keys that a dict can have: {error}; use strings"
        raise TypeError(msg) from error


def _copied(nested: Metadata) -> Metadata:
    try:
        return deepcopy(nested)  # at once: what is shared among the values stays shared
    except Exception as error:
        key = next((key for key in nested if _copy_fails(nested[key])), None)
        msg = f"metadata[{key!r}] cannot be copied into each chunk: {error}; leave it out, or put plain data there"
        raise TypeError(msg) from error


def _copy_fails(value: object) -> bool:
    try:
        deepcopy(value)
    except Exception:  # noqa: BLE001 - an object may fail with whatever it likes
        return True
    return False


def _block_type(elements: Iterable[Extent]) -> str:
    types = {element.type for element in elements}
    if not types:
        return TEXT
    return types.pop() if len(types) == 1 else MIXED


class IdMaker:
    """Makes the ids of one source document's chunks: UUIDs of version 5, the same on every run.

    Args:
        metadata: The document's own metadata.
        parent_id: The document's id; where it has none, metadata and `ordinal` stand for it.
        ordinal: Which of the documents of one call it is.

    Window:
        RFC 9562, section 5.5.
    """

    def __init__(self, metadata: Mapping[str, object], parent_id: str | None, ordinal: int) -> None:
        source = f"id:{parent_id}" if parent_id is not None else f"{ordinal}:{_canonical(metadata)}"
        self._prefix = hashlib.sha1(_NAMESPACE.bytes + _encode(source), usedforsecurity=False)

    def make(self, chunk: Chunk) -> str:
        """Return the id of a chunk; chunks of one document differ by part, span or content."""
        digest = self._prefix.copy()
        digest.update(_encode(f"\0{chunk.spans}{chunk.part}\0{chunk.text}"))
        return str(UUID(bytes=digest.digest()[:16], version=5))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # lone surrogates are text too


def _canonical(value: object, above: frozenset[int] = frozenset()) -> str:
    """Write a value so that equal ones look alike in every process: without addresses, sets and keys in order.

    Args:
        value: Anything that metadata may hold. An iterator is not asked for its items: they would be gone.
        above: The addresses of the values that this one is in; a value that holds itself is not written twice.
    """
    if isinstance(value, _PLAIN):
        return repr(value)
    if id(value) in above:
        return "<itself>"
    above |= {id(value)}
    if isinstance(value, Mapping):
        return f"{{{','.join(sorted(f'{_canonical(k, above)}:{_canonical(v, above)}' for k, v in value.items()))}}}"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(_canonical(item, above) for item in value))}}}"
    if isinstance(value, Iterable) and not isinstance(value, Iterator):
        return f"[{','.join(_canonical(item, above) for item in value)}]"
    return _canonical_object(value, above)


def _canonical_object(value: object, above: frozenset[int]) -> str:
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    name = getattr(value, "__qualname__", None)  # of a function, a method or a class
    if isinstance(name, str):
        return f"<{kind} {getattr(value, '__module__', '')}.{name}>"
    if is_dataclass(value):
        return kind + _canonical({field.name: getattr(value, field.name) for field in fields(value)}, above)
    return kind + _canonical(getattr(value, "__dict__", {}), above)
