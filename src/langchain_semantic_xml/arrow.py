"""`split_batch`: Arrow tables of texts → Arrow tables of chunks, for Ray Data, Spark, Daft and other users of Arrow.

The result has one row per chunk, and a schema that depends only on the input's schema and the splitter's options, never
on the data: `page_content` and `id`, the metadata keys of a chunk (the position keys only with `add_start_index`),
`attributes`, then the other columns of the input, repeated for each chunk of their row. `attributes` is a map, since
elements differ in what they have; it is null where a chunk's Document has no attributes in its metadata.

The column `id` of the input, if it has one, holds the ids of the source documents and becomes `parent_id`. Other
columns keep their names; if such a name is also the name of a chunk's column, the chunk's column is `chunk_<name>`.
Texts of chunks are `large_string`, so that a column may be longer than 2 GiB. The metadata of the input's fields stays;
the metadata of its schema is dropped, because it often describes columns that are gone.

This module knows Arrow, and of splitting only `SemanticXmlSplitter`. Needs the extra `arrow`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from langchain_core.documents import Document

from langchain_semantic_xml._documents.names import KEYS, POSITION_KEYS, SYNTAX_KEYS, name_to_write
from langchain_semantic_xml._text.checks import check_instance
from langchain_semantic_xml.splitter import SemanticXmlSplitter

if TYPE_CHECKING:
    import pyarrow as pa

    Batch = TypeVar("Batch", pa.Table, pa.RecordBatch)

_ID = "id"
_PARENT_ID = "parent_id"
_METADATA_KEYS = frozenset((*KEYS, *SYNTAX_KEYS))
_MOST_BYTES = 2**31 - 1
"""The length that 32-bit offsets reach."""


def split_batch(batch: Batch, splitter: SemanticXmlSplitter, *, text_column: str = "text") -> Batch:
    """Split the texts of an Arrow table into a table of chunks.

    The chunks are those of `splitter.split_documents`, row by row; a text that is null or blank has none. With
    `deterministic_ids` the chunks' ids depend on the row's `id`; where it has none, on the row's other columns, so that
    rows which are alike in all have chunks with the same ids. They never depend on how a table is cut into batches.

    Args:
        batch: A table or record batch; it is not changed.
        splitter: The splitter.
        text_column: The column that holds the texts, of any string type.

    Returns:
        A table for a table, a record batch for a record batch, with the schema of `output_schema`.

    Raises:
        ImportError: If pyarrow is not installed.
        TypeError: If `batch` or `splitter` has another type, or the texts or ids are not strings.
        ValueError: If there is no such column or several have that name, or if a column that is repeated for all
            chunks becomes longer than its type can be.
        OversizedBlockError: If a block is oversized and the splitter has `oversized="error"`.

    Example:
        One row becomes two, each with the row's other columns::

            import pyarrow as pa
            from langchain_semantic_xml import SemanticXmlSplitter
            from langchain_semantic_xml.arrow import split_batch

            text = '<file path="a.py">x = 1</file><file path="b.py">y = 2</file>'
            texts = pa.table({"id": ["bundle.xml"], "text": [text], "stars": [5]})
            chunks = split_batch(texts, SemanticXmlSplitter(40))
            assert chunks["identity"].to_pylist() == ["a.py", "b.py"]
            assert chunks["parent_id"].to_pylist() == ["bundle.xml", "bundle.xml"]
            assert chunks["stars"].to_pylist() == [5, 5]
    """
    _require_pyarrow()
    import pyarrow as pa  # noqa: PLC0415 - only this module needs it

    if not isinstance(batch, (pa.Table, pa.RecordBatch)):
        msg = (
            f"batch must be a pyarrow.Table or pyarrow.RecordBatch, not {type(batch).__name__}; "
            'in Ray Data pass batch_format="pyarrow", elsewhere make one with pyarrow.table(...)'
        )
        raise TypeError(msg)
    schema = output_schema(batch.schema, splitter, text_column=text_column)
    columns = _sort_columns(batch.schema, text_column)
    if isinstance(batch, pa.RecordBatch):
        return _split(batch, splitter, columns, schema)
    return pa.Table.from_batches([_split(part, splitter, columns, schema) for part in batch.to_batches()], schema)


def split_batches(
    batches: Iterable[pa.RecordBatch], splitter: SemanticXmlSplitter, *, text_column: str = "text"
) -> Iterator[pa.RecordBatch]:
    """Split record batches one after the other, for Spark's `mapInArrow` and `pyarrow.RecordBatchReader`.

    Args:
        batches: Record batches; each is taken only when its chunks are asked for.
        splitter: The splitter.
        text_column: The column that holds the texts.

    Yields:
        For each batch the batch of its chunks, as `split_batch` makes it; raises the same errors.

    Example:
        In Spark the schema must be known beforehand::

            schema = from_arrow_schema(output_schema(to_arrow_schema(texts.schema), splitter))
            chunks = texts.mapInArrow(partial(split_batches, splitter=splitter), schema)
    """
    for batch in batches:
        yield split_batch(batch, splitter, text_column=text_column)


def output_schema(input_schema: pa.Schema, splitter: SemanticXmlSplitter, *, text_column: str = "text") -> pa.Schema:
    """Return the schema of the result of `split_batch`, before there is any data.

    Args:
        input_schema: The schema of the table to split.
        splitter: The splitter.
        text_column: The column that holds the texts.

    Raises:
        ImportError: If pyarrow is not installed.
        TypeError: If `splitter` has another type, or the texts or ids are not strings.
        ValueError: If there is no such column, or several have that name.

    Rule: M1.
    """
    _require_pyarrow()
    import pyarrow as pa  # noqa: PLC0415

    check_instance("splitter", splitter, SemanticXmlSplitter, "make one first")
    others = [input_schema.field(position) for position in _sort_columns(input_schema, text_column).others]
    taken = {field.name for field in others}
    return pa.schema(
        [*(pa.field(name_to_write(name, taken), kind) for name, kind in _types_of(splitter).items()), *others]
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of the input by their use. Each is a position, because names may repeat.

    Args:
        text: The column of the texts.
        id: The column of the source documents' ids, if there is one.
        others: The columns to repeat for each chunk.
    """

    text: int
    id: int | None
    others: tuple[int, ...]


def _sort_columns(schema: pa.Schema, text_column: str) -> _Columns:
    text = _find_only(schema, text_column, f"text_column={text_column!r}")
    if text is None:
        names = ", ".join(map(repr, schema.names)) or "none"
        msg = f"text_column={text_column!r}: there is no such column; choose among {names}"
        raise ValueError(msg)
    _check_text_type(text_column, schema.field(text).type)
    id_ = None if text_column == _ID else _find_only(schema, _ID, "the ids of the source documents")
    if id_ is not None:
        _check_id_type(schema.field(id_).type)
    return _Columns(text, id_, tuple(position for position in range(len(schema)) if position not in {text, id_}))


def _find_only(schema: pa.Schema, name: str, use: str) -> int | None:
    """Return the position of the only column of that name, or `None`."""
    positions = schema.get_all_field_indices(name)
    if len(positions) > 1:
        msg = f"{use}: {len(positions)} columns are named {name!r}; rename all but one"
        raise ValueError(msg)
    return positions[0] if positions else None


def _check_text_type(name: str, kind: pa.DataType) -> None:
    if not _is_text(kind):
        msg = (
            f"text_column={name!r} has the type {kind}; give a column of strings, or cast this one to pyarrow.string()"
        )
        raise TypeError(msg)


def _check_id_type(kind: pa.DataType) -> None:
    import pyarrow as pa  # noqa: PLC0415

    if not _is_text(kind) and not pa.types.is_integer(kind):
        msg = (
            f"the column {_ID!r} has the type {kind}, but ids of documents are strings; "
            "cast it to pyarrow.string(), or give it another name to have it repeated"
        )
        raise TypeError(msg)


def _is_text(kind: pa.DataType) -> bool:
    """Return whether values of this type are strings; a column of nulls alone often has the type null."""
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(kind, pa.DictionaryType):
        return _is_text(kind.value_type)
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
    return any(is_kind(kind) for is_kind in kinds)


def _types_of(splitter: SemanticXmlSplitter) -> dict[str, pa.DataType]:
    """Return the columns of a chunk and their types, in order."""
    import pyarrow as pa  # noqa: PLC0415

    text, number = pa.large_string(), pa.int64()
    texts = pa.list_(text)
    types: dict[str, pa.DataType] = {
        "page_content": text,
        _ID: text,
        **dict.fromkeys(KEYS, number),
        "attributes": pa.map_(text, text),
    }
    types |= {"block_type": text, "block_types": texts, "identity": text, "identities": texts}
    types |= {"oversized": pa.bool_(), _PARENT_ID: text}
    if splitter.options.syntax:
        types |= {"scope": text, "symbols": texts}
    positions = splitter.options.add_start_index
    return {key: kind for key, kind in types.items() if positions or key not in POSITION_KEYS}


def _split(
    batch: pa.RecordBatch, splitter: SemanticXmlSplitter, columns: _Columns, schema: pa.Schema
) -> pa.RecordBatch:
    import pyarrow as pa  # noqa: PLC0415

    ids = _ids_of(batch, columns)
    rows: list[int] = []
    documents: list[Document] = []
    for row, source in _sources(batch, columns, ids, splitter):
        chunks = splitter.split_documents([source])
        documents += chunks
        rows += [row] * len(chunks)
    own = [
        _repeat(_ID, ids, rows) if key == _PARENT_ID else pa.array(_values(key, documents), kind)
        for key, kind in _types_of(splitter).items()
    ]
    others = [_repeat(batch.schema.field(position).name, batch.column(position), rows) for position in columns.others]
    return pa.RecordBatch.from_arrays([*own, *others], schema=schema)


def _ids_of(batch: pa.RecordBatch, columns: _Columns) -> pa.Array[Any]:
    import pyarrow as pa  # noqa: PLC0415

    if columns.id is None:
        return pa.nulls(batch.num_rows, pa.large_string())
    return batch.column(columns.id).cast(pa.large_string())


def _sources(
    batch: pa.RecordBatch, columns: _Columns, ids: pa.Array[Any], splitter: SemanticXmlSplitter
) -> Iterator[tuple[int, Document]]:
    """Yield the rows that have a text, each as a Document without metadata: Arrow itself repeats the other columns."""
    wants_id = splitter.options.deterministic_ids
    for row, scalar in enumerate(batch.column(columns.text)):
        text = scalar.as_py()
        if text is not None:
            id_ = ids[row].as_py()
            if id_ is None and wants_id:
                id_ = _make_id(batch, columns, row)
            yield row, Document(page_content=text, id=id_)


def _make_id(batch: pa.RecordBatch, columns: _Columns, row: int) -> str:
    """Return an id for a row without one, made of its other columns: its number depends on how batches are cut."""
    values = {position: batch.column(position)[row].as_py() for position in columns.others}
    return repr(sorted((batch.schema.field(position).name, repr(value)) for position, value in values.items()))


def _values(key: str, documents: Iterable[Document]) -> list[object]:
    """Return the values of one column of the chunks."""
    if key == "page_content":
        return [document.page_content for document in documents]
    if key == _ID:
        return [document.id for document in documents]
    if key == "attributes":
        return [_attributes(document.metadata) for document in documents]
    return [document.metadata[key] for document in documents]


def _attributes(metadata: Mapping[str, object]) -> list[tuple[str, object]] | None:
    """Return the items under other keys than the splitter's: the attributes, since the source has no metadata."""
    return [(name, value) for name, value in metadata.items() if name not in _METADATA_KEYS] or None


def _repeat(name: str, column: pa.Array[Any], rows: list[int]) -> pa.Array[Any]:
    """Return the values of `column` at `rows`, values of any type."""
    import pyarrow as pa  # noqa: PLC0415

    _check_reach(name, column, rows)
    try:
        repeated: pa.Array[Any] = column.take(pa.array(rows, pa.int64()))
    except pa.ArrowNotImplementedError:  # string_view, for one
        values = column.to_pylist()
        repeated = pa.array([values[row] for row in rows], column.type)
    return repeated


def _check_reach(name: str, column: pa.Array[Any], rows: list[int]) -> None:
    """Refuse a column that 32-bit offsets do not reach: pyarrow would wrap them around without an error."""
    if not _has_short_offsets(column.type):
        return
    times = Counter(rows)
    if column.get_total_buffer_size() * max(times.values(), default=0) <= _MOST_BYTES:
        return
    if sum(column.slice(row, 1).nbytes * count for row, count in times.items()) > _MOST_BYTES:
        msg = (
            f"the column {name!r}, repeated for each of {len(rows):,} chunks, is longer than 2 GiB, more than the type "
            f"{column.type} can hold; drop it before you split, or split fewer rows at a time"
        )
        raise ValueError(msg)


def _has_short_offsets(kind: pa.DataType) -> bool:
    """Return whether Arrow finds values of this type, or their items, by 32-bit offsets."""
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(kind, pa.BaseExtensionType):
        return _has_short_offsets(kind.storage_type)
    if any(is_kind(kind) for is_kind in (pa.types.is_string, pa.types.is_binary, pa.types.is_list, pa.types.is_map)):
        return True
    return any(_has_short_offsets(kind.field(index).type) for index in range(kind.num_fields))


def _require_pyarrow() -> None:
    try:
        import pyarrow as pa  # noqa: F401, PLC0415
    except ImportError as error:
        msg = 'Arrow tables need pyarrow: pip install "langchain-semantic-xml[arrow]"'
        raise ImportError(msg) from error
