"""The metadata of a chunk: the metadata of its source, the keys of the package, and the attributes of its element.

Knows what each key says. Under which name a key is written is known to `names`, the ids of chunks to `ids`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy

from langchain_semantic_xml._documents.names import KEYS, POSITION_KEYS, SCOPE_KEY, name_to_write
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Chunk, Extent

MIXED = "mixed"
"""The `block_type` of a chunk whose elements have several types."""

_SCALARS = (str, int, float, bool, type(None))

Metadata = dict[str, object]


class MetadataWriter:
    """Writes the metadata of the chunks of one source document.

    Args:
        window: The document's text.
        metadata: The document's own metadata; never changed, and shared with no chunk.
        keys: The keys to write, some of `KEYS` and `SCOPE_KEY`. An attribute never takes a name of `KEYS`, whether
            the key is written or not.
        parent_id: The document's id.

    Raises:
        TypeError: If the document's metadata have a key that cannot be hashed, or a value that cannot be copied.

    Rule: M1, M2.
    """

    def __init__(
        self,
        window: Window,
        metadata: Mapping[str, object],
        *,
        keys: Iterable[str] = KEYS,
        parent_id: str | None = None,
    ) -> None:
        metadata = _copy_items(metadata)
        self._window = window
        self._nested = {key: value for key, value in metadata.items() if type(value) not in _SCALARS}
        self._names = names = {key: name_to_write(key, metadata) for key in keys}
        self._taken = {*KEYS, *names, *metadata, *names.values()}
        self._position_names = tuple(names[key] for key in POSITION_KEYS if key in names)
        self._part_names = tuple(names[key] for key in ("part", "parts", "oversized") if key in names)
        self._scope_name = names.get(SCOPE_KEY)
        self._blank: Metadata = {**metadata, **dict.fromkeys(names.values())}
        if "parent_id" in names:
            self._blank[names["parent_id"]] = parent_id
        self._blocks: tuple[Extent, ...] = ()
        self._template: Metadata = {}
        self._lists: dict[str, list[str]] = {}

    def write_chunk(self, chunk: Chunk) -> Metadata:
        """Return the metadata of a chunk, a new dictionary."""
        metadata = self.write_blocks(chunk.blocks, chunk.spans[0][0], chunk.spans[-1][1])
        part, parts, oversized = self._part_names
        metadata[part], metadata[parts], metadata[oversized] = chunk.part, chunk.parts, chunk.oversized
        if self._scope_name:
            metadata[self._scope_name] = chunk.scope
        return metadata

    def write_blocks(self, blocks: tuple[Extent, ...], start: int, end: int) -> Metadata:
        """Return the metadata of the text `[start, end)`, which holds something of each of `blocks`.

        The keys that describe parts are `None`. The result is a new dictionary.
        """
        if blocks != self._blocks:
            self._make_template(blocks)
        metadata = self._template.copy()
        if self._nested:
            metadata.update(_copy_nested(self._nested))
        for key, values in self._lists.items():
            metadata[key] = values.copy()
        if self._position_names:
            start_index, end_index, start_line, end_line = self._position_names
            metadata[start_index] = start
            metadata[end_index] = end
            metadata[start_line] = self._window.line_of(start)
            metadata[end_line] = self._window.line_of(end - 1)
        return metadata

    def _make_template(self, blocks: tuple[Extent, ...]) -> None:
        """Make the template for chunks of these blocks: all keys in order, and the lists that are copied for each."""
        names = self._names
        elements = [block for block in blocks if block.type != TEXT]
        only = elements[0] if len(elements) == 1 else None
        identities = [element.identity for element in elements if element.identity is not None]
        template = self._blank.copy()
        template[names["block_type"]] = only.type if only else _join_types(elements)
        template[names["block_count"]] = len(blocks)
        template[names["identity"]] = only.identity if only else None
        self._lists = {names["block_types"]: list(dict.fromkeys([block.type for block in blocks]))}
        if identities:
            self._lists[names["identities"]] = identities
        if only and only.attributes:
            self._add_attributes(template, only)
        self._blocks, self._template = blocks, template

    def _add_attributes(self, metadata: Metadata, element: Extent) -> None:
        """Add an element's attributes under their own names, else as `<type>_<name>`, else not at all.

        Rule: M2.
        """
        for name, value in element.attributes.items():
            if name not in self._taken:
                metadata[name] = value
        for name, value in element.attributes.items():
            if name in self._taken:
                longer = f"{element.type}_{name}"
                if longer not in self._taken:
                    metadata.setdefault(longer, value)


def _copy_items(metadata: Mapping[str, object]) -> Metadata:
    """Return the items in a dictionary: another mapping may answer for keys that it does not list."""
    try:
        return dict(metadata)
    except TypeError as error:
        msg = f"metadata must have keys that a dict can have: {error}; use strings"
        raise TypeError(msg) from error


def _copy_nested(nested: Metadata) -> Metadata:
    """Return a deep copy of values that are no scalars, made at once: what the values share stays shared."""
    try:
        return deepcopy(nested)
    except Exception as error:
        key = next((key for key in nested if _fails_to_copy(nested[key])), None)
        msg = f"metadata[{key!r}] cannot be copied into each chunk: {error}; leave it out, or put plain data there"
        raise TypeError(msg) from error


def _fails_to_copy(value: object) -> bool:
    """Return whether copying a value raises an error."""
    try:
        deepcopy(value)
    except Exception:  # noqa: BLE001 - an object may fail with whatever it likes
        return True
    return False


def _join_types(elements: Iterable[Extent]) -> str:
    """Return the one type of the elements, `"mixed"` for several types, `"text"` if there are no elements."""
    types = {element.type for element in elements}
    if not types:
        return TEXT
    return types.pop() if len(types) == 1 else MIXED
