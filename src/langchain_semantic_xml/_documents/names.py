"""The names of the metadata keys: under which name a key is written, and under which name it is read."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

CONTENT_LINE_KEYS = ("content_start_line", "content_end_line")
"""Keys that say in which lines of the file itself the content of a chunk stands (M4)."""
SPAN_KEYS = ("start_index", "end_index", "start_line", "end_line")
"""Keys that say where a chunk is in its source."""
POSITION_KEYS = (*SPAN_KEYS, *CONTENT_LINE_KEYS)
"""Keys that say where a chunk is; written only with `add_start_index`."""
SYNTAX_KEYS = ("scope", "symbols")
"""The definition that holds all of a chunk, and the definitions that begin in it; written only with `syntax`."""
PART_KEYS = ("part", "parts", "oversized", "parent_id")
"""Keys that describe a chunk in relation to the text that it was cut from."""
BLOCK_KEYS = ("block_type", "block_types", "block_count", "identity", "identities", *POSITION_KEYS)
"""Keys that describe what a chunk, or a block as a loader yields it, holds and where that is."""
KEYS = (*BLOCK_KEYS, *PART_KEYS)
"""The keys of every chunk, in the order in which they are written."""

_PREFIX = "chunk_"
_RESERVED = frozenset((*KEYS, *SYNTAX_KEYS, "source", "id"))
"""Names that readers trust: the keys, written or not, and the names by which LangChain groups and finds Documents."""


def is_reserved(name: str) -> bool:
    """Return whether readers trust a name, so that no attribute of an element may take it.

    Example:
        >>> is_reserved("source"), is_reserved("chunk_part"), is_reserved("path")
        (True, True, False)

    Rule: M2, M3.
    """
    return name in _RESERVED or name.startswith(_PREFIX)


def choose_block_keys(*, positions: bool) -> tuple[str, ...]:
    """Return the keys of a block, with or without its position."""
    return BLOCK_KEYS if positions else tuple(key for key in BLOCK_KEYS if key not in POSITION_KEYS)


def choose_keys(*, positions: bool, syntax: bool) -> tuple[str, ...]:
    """Return the keys of a chunk, with or without its position and its definitions.

    Rule: M1.
    """
    return (*choose_block_keys(positions=positions), *PART_KEYS, *(SYNTAX_KEYS if syntax else ()))


def name_to_write(key: str, taken: Container[object]) -> str:
    """Return the name for `key` beside the names in `taken`, which are never overwritten.

    Example:
        >>> name_to_write("part", {"part", "chunk_part"}), name_to_write("parts", {"part"})
        ('chunk_chunk_part', 'parts')

    Rule: M1, M3.
    """
    while key in taken:
        key = _PREFIX + key
    return key


def read_value(metadata: Mapping[Any, object], key: str) -> object:
    """Return the value that the splitter wrote for `key`, whichever name `name_to_write` gave it.

    Example:
        >>> read_value({"start_index": "the source's", "chunk_start_index": 7}, "start_index")
        7

    Rule: M3.
    """
    while (moved := _PREFIX + key) in metadata:
        key = moved
    return metadata.get(key)
