"""The metadata of a chunk: the metadata of its source, the keys of the package, and the attributes of its element.

Knows what each key says. Under which name a key is written is known to `names`, the ids of chunks to `ids`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy

from langchain_semantic_xml._documents.address import Addresses, Content, has_content_lines
from langchain_semantic_xml._documents.names import (
    CONTENT_LINE_KEYS,
    SPAN_KEYS,
    SYNTAX_KEYS,
    is_reserved,
    name_to_write,
)
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
        keys: The keys to write, some of `KEYS` and `SYNTAX_KEYS`.
        addresses: Finds the content of the chunks.
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
        keys: Iterable[str],
        addresses: Addresses,
        parent_id: str | None = None,
    ) -> None:
        metadata = copy_items(metadata)
        if has_content_lines(metadata):  # of the document; the chunk's take their place
            keys = dict.fromkeys((*keys, *CONTENT_LINE_KEYS))
            for key in CONTENT_LINE_KEYS:
                del metadata[key]
        self._window = window
        self._nested = {key: value for key, value in metadata.items() if type(value) not in _SCALARS}
        self._names = names = {key: name_to_write(key, metadata) for key in keys}
        self._taken = {*metadata, *names.values()}
        self._span_names = tuple(names[key] for key in SPAN_KEYS if key in names)
        self._content_line_names = tuple(names[key] for key in CONTENT_LINE_KEYS if key in names)
        self._part_names = tuple(names[key] for key in ("part", "parts", "oversized") if key in names)
        self._syntax_names = tuple(names[key] for key in SYNTAX_KEYS if key in names)
        self._blank: Metadata = {**metadata, **dict.fromkeys(names.values())}
        if "parent_id" in names:
            self._blank[names["parent_id"]] = parent_id
        self._addresses = addresses
        self._content: Content | None = None
        self._blocks: tuple[Extent, ...] = ()
        self._template: Metadata = {}
        self._lists: dict[str, list[str]] = {}

    def write_chunk(self, chunk: Chunk) -> Metadata:
        """Return the metadata of a chunk, a new dictionary."""
        metadata = self.write_blocks(chunk.blocks, chunk.spans)
        part, parts, oversized = self._part_names
        metadata[part], metadata[parts], metadata[oversized] = chunk.part, chunk.parts, chunk.oversized
        if self._syntax_names:
            scope, symbols = self._syntax_names
            metadata[scope], metadata[symbols] = chunk.scope, list(chunk.symbols) or None
        return metadata

    def write_blocks(self, blocks: tuple[Extent, ...], spans: tuple[tuple[int, int], ...]) -> Metadata:
        """Return the metadata of a text with these spans, which holds something of each of `blocks`.

        The keys that describe parts are `None`. The result is a new dictionary.
        """
        if blocks != self._blocks:
            self._make_template(blocks)
        metadata = self._template.copy()
        if self._nested:
            metadata.update(_copy_nested(self._nested))
        for key, values in self._lists.items():
            metadata[key] = values.copy()
        # Lines are asked for in the order of their offsets, so that each line end is counted once.
        start, end = spans[0][0], spans[-1][1]
        if self._span_names:
            start_index, end_index, start_line, end_line = self._span_names
            metadata[start_index], metadata[end_index] = start, end
            metadata[start_line] = self._window.line_of(start)
        if self._content and (lines := self._content.find_lines(self._window, spans)):
            first, last = self._content_line_names
            metadata[first], metadata[last] = lines
        if self._span_names:
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
        self._content = self._addresses.find_content(blocks) if self._content_line_names else None
        self._blocks, self._template = blocks, template

    def _add_attributes(self, metadata: Metadata, element: Extent) -> None:
        """Add an element's attributes under their own names, else as `<type>_<name>`, else not at all.

        Rule: M2.
        """
        aside = []
        for name, value in element.attributes.items():
            if self._is_free(name):
                metadata[name] = value
            else:
                aside.append((f"{element.type}_{name}", value))
        for name, value in aside:
            if self._is_free(name):
                metadata.setdefault(name, value)

    def _is_free(self, name: str) -> bool:
        """Return whether an attribute may take a name.

        Rule: M2.
        """
        return name not in self._taken and not is_reserved(name)


def copy_items(metadata: Mapping[str, object]) -> Metadata:
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
