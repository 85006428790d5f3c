"""Arrow tables of texts → Arrow tables of chunks: the chunks of Documents, in a schema that data cannot change."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_text_splitters import CharacterTextSplitter

from langchain_semantic_xml import OversizedBlockError, SemanticXmlSplitter
from langchain_semantic_xml.arrow import output_schema, split_batch, split_batches
from tests.laws.strategies import bundles, garbage
from tests.paths import BUNDLE as BUNDLE_PATH
from tests.tools.bundle_maker import STYLES, SourceFile, make_bundle

pytest.importorskip("pyarrow")

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BUNDLE = BUNDLE_PATH.read_text(encoding="utf-8")
STYLED = [make_bundle([SourceFile(f"{n}.py", f"x = {n}\n" * 20) for n in range(9)], style).text for style in STYLES]
TEXTS = [BUNDLE, *STYLED]
NAMES = ["bundle.xml", *STYLES]
SPLITTER = SemanticXmlSplitter(300)
OURS = [
    *("page_content", "id", "block_type", "block_types", "block_count", "identity", "identities"),
    *("start_index", "end_index", "start_line", "end_line", "content_start_line", "content_end_line"),
    *("part", "parts", "oversized", "parent_id", "attributes"),
]


def table_of(texts: list[str | None], **columns: object) -> pa.Table:
    return pa.table({"text": pa.array(texts, pa.string()), **columns})


def rows_of(documents: list[Document]) -> list[dict[str, object]]:
    """Write Documents of sources without metadata as the rows that they should be."""
    rows = []
    for document in documents:
        ours = {key: value for key, value in document.metadata.items() if key in OURS}
        attributes = [(key, value) for key, value in document.metadata.items() if key not in OURS] or None
        rows.append({"page_content": document.page_content, "id": document.id, **ours, "attributes": attributes})
    return rows


# The same chunks.


@pytest.mark.parametrize(
    "splitter",
    [
        SPLITTER,
        SemanticXmlSplitter(200, 50, add_start_index=False),
        SemanticXmlSplitter(80, deterministic_ids=True, isolate=["output"]),
        SemanticXmlSplitter(60, oversized="keep", separator=None),
    ],
    ids=["plain", "overlap, no positions", "ids, isolated", "kept"],
)
def test_the_rows_are_the_documents(splitter: SemanticXmlSplitter) -> None:
    documents = splitter.split_documents(
        [Document(page_content=text, id=name) for text, name in zip(TEXTS, NAMES, strict=True)]
    )
    assert split_batch(table_of([*TEXTS], id=NAMES), splitter).to_pylist() == rows_of(documents)


def test_with_syntax_there_are_columns_for_the_definitions() -> None:
    splitter = SemanticXmlSplitter(120, syntax=True)
    code = "class Tea:\n    def brew(self):\n" + "        self.pour(1)\n" * 20
    rows = split_batch(table_of([f'<file path="tea.py">\n{code}</file>']), splitter).to_pylist()
    assert [row["scope"] for row in rows] == ["Tea", *["Tea.brew"] * (len(rows) - 1)]
    assert [row["symbols"] for row in rows] == [["Tea", "Tea.brew"], *[None] * (len(rows) - 1)]
    assert len(rows) > 2
    assert output_schema(table_of(["a"]).schema, splitter).field("scope").type == pa.large_string()


@settings(max_examples=50)
@given(st.lists(st.one_of(bundles().map(lambda bundle: bundle.text), garbage()), max_size=4))
def test_the_rows_are_the_documents_of_any_text_that_arrow_can_hold(texts: list[str]) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    splitter = SemanticXmlSplitter(40)
    rows = split_batch(table_of([*texts]), splitter).to_pylist()
    assert rows == rows_of(splitter.split_documents([Document(page_content=text) for text in texts]))


def test_a_batch_gives_a_batch_and_a_table_a_table() -> None:
    table = table_of([*TEXTS], id=NAMES)
    (batch,) = table.to_batches()
    chunks = split_batch(batch, SPLITTER)
    assert isinstance(chunks, pa.RecordBatch)
    assert pa.Table.from_batches([chunks]) == split_batch(table, SPLITTER)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_it_does_not_matter_how_a_table_is_cut_into_batches(rows: int) -> None:
    splitter = SemanticXmlSplitter(300, deterministic_ids=True)
    table = table_of([*TEXTS], path=NAMES)
    whole = split_batch(table, splitter)
    batches = table.to_batches(max_chunksize=rows)
    assert pa.Table.from_batches(split_batches(batches, splitter)).equals(whole)
    assert split_batch(pa.Table.from_batches(batches), splitter).equals(whole)


def test_a_slice_of_a_table_is_split_alone() -> None:
    table = table_of([*TEXTS], id=NAMES)
    assert set(split_batch(table.slice(2, 2), SPLITTER)["parent_id"].to_pylist()) == set(NAMES[2:4])


def test_the_input_is_unchanged() -> None:
    table, same = table_of([*TEXTS], id=NAMES), table_of([*TEXTS], id=NAMES)
    split_batch(table, SPLITTER)
    assert table.equals(same, check_metadata=True)


def test_batches_are_taken_only_when_their_chunks_are_asked_for() -> None:
    (batch,) = table_of([BUNDLE]).to_batches()
    taken = []

    def batches() -> Iterator[pa.RecordBatch]:
        for number in range(3):
            taken.append(number)
            yield batch

    next(split_batches(batches(), SPLITTER))
    assert taken == [0]


def test_a_reader_streams_the_chunks() -> None:
    table = table_of([*TEXTS], id=NAMES)
    batches = split_batches(table.to_batches(max_chunksize=1), SPLITTER)
    reader = pa.RecordBatchReader.from_batches(output_schema(table.schema, SPLITTER), batches)
    assert reader.read_all() == split_batch(table, SPLITTER)


# The schema.


@pytest.mark.parametrize("texts", [[], [None], [None, " \n"], [BUNDLE]], ids=["empty", "null", "blank", "text"])
@pytest.mark.parametrize("splitter", [SPLITTER, SemanticXmlSplitter(300, add_start_index=False)], ids=["", "unplaced"])
def test_data_does_not_change_the_schema(texts: list[str | None], splitter: SemanticXmlSplitter) -> None:
    table = table_of(texts, stars=pa.nulls(len(texts), pa.int8()))
    schema = output_schema(table.schema, splitter)
    chunks = split_batch(table, splitter)
    assert chunks.schema.equals(schema, check_metadata=True)
    chunks.validate(full=True)


def test_our_columns_come_first_in_a_fixed_order_then_the_others() -> None:
    fields: dict[str, pa.DataType] = {"a": pa.int8(), "text": pa.string(), "b": pa.date32()}
    schema = output_schema(pa.schema(fields), SPLITTER)
    assert schema.names == [*OURS, "a", "b"]
    assert schema.field("a").type == pa.int8()


def test_without_positions_there_are_no_columns_of_positions() -> None:
    schema = output_schema(pa.schema({"text": pa.string()}), SemanticXmlSplitter(add_start_index=False))
    assert schema.names == [name for name in OURS if not name.startswith(("start_", "end_", "content_"))]


@pytest.mark.parametrize("style", STYLES)
def test_a_chunk_of_one_element_has_its_attributes_whatever_the_style(style: str) -> None:
    text = make_bundle([SourceFile("lib/app.rb", "puts 1\n")], style).text
    chunks = split_batch(table_of([text]), SemanticXmlSplitter(isolate=["file", "document"]))
    (attributes,) = [dict(items) for items in chunks["attributes"].to_pylist() if items]
    assert (
        attributes
        == {
            "ace": {"path": "lib/app.rb", "language": "rb"},
            "section": {"path": "lib/app.rb", "language": "rb"},
            "repomix": {"path": "lib/app.rb"},
            "inline": {"path": "lib/app.rb"},
            "cxml": {"index": "1"},
        }[style]
    )


def test_an_attribute_with_the_name_of_a_column_of_ours_is_called_as_in_a_document() -> None:
    chunks = split_batch(table_of(['<file path="a" part="7" parent_id="x">b</file>']), SPLITTER)
    assert chunks["attributes"].to_pylist() == [[("path", "a"), ("file_part", "7"), ("file_parent_id", "x")]]
    assert chunks["part"].to_pylist() == [None]


@pytest.mark.parametrize("name", [name for name in OURS if name != "id"])
def test_a_column_of_the_input_keeps_its_name_and_ours_gives_way(name: str) -> None:
    chunks = split_batch(table_of([BUNDLE], **{name: ["theirs"], f"chunk_{name}": ["too"]}), SPLITTER)
    assert set(chunks[name].to_pylist()) == {"theirs"}
    assert set(chunks[f"chunk_{name}"].to_pylist()) == {"too"}
    assert chunks[f"chunk_chunk_{name}"].to_pylist() == split_batch(table_of([BUNDLE]), SPLITTER)[name].to_pylist()


def test_columns_that_share_a_name_are_repeated_side_by_side() -> None:
    table = pa.table([[BUNDLE], [1], [2]], names=["text", "a", "a"])
    chunks = split_batch(table, SPLITTER)
    assert chunks.schema.names[-2:] == ["a", "a"]
    assert [set(chunks.column(place).to_pylist()) for place in (-2, -1)] == [{1}, {2}]


def test_fields_keep_their_metadata_and_the_schema_loses_its_own() -> None:
    stars: pa.Field[Any] = pa.field("stars", pa.int8(), nullable=False, metadata={"unit": "stars"})
    text: pa.Field[Any] = pa.field("text", pa.string())
    schema = pa.schema([text, stars], metadata={"huggingface": "{}", "pandas": "{}"})
    chunks = split_batch(pa.table([[BUNDLE], [5]], schema=schema), SPLITTER)
    assert chunks.schema.field("stars").equals(stars, check_metadata=True)
    assert chunks.schema.metadata is None


def test_parquet_gives_back_what_was_written(tmp_path: Path) -> None:
    chunks = split_batch(table_of([*TEXTS], id=NAMES), SPLITTER)
    pq.write_table(chunks, tmp_path / "chunks.parquet")
    written = pq.read_table(tmp_path / "chunks.parquet")
    assert written.schema.names == chunks.schema.names
    assert written.cast(chunks.schema).equals(chunks)  # older readers call the items of a list otherwise


# Columns of the input.


def with_every_type() -> dict[str, pa.Array[Any]]:
    """Make columns of three rows, the last one null."""
    dictionary = pa.array(["x", "y", None]).dictionary_encode()
    extension = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16, b"1" * 16, None], pa.binary(16)))
    plain: dict[str, tuple[list[object], pa.DataType]] = {
        "string_view": (["x" * 30, "y", None], pa.string_view()),
        "binary_view": ([b"x", b"y", None], pa.binary_view()),
        "large_string": (["x", "y", None], pa.large_string()),
        "list of views": ([["x"], [], None], pa.list_(pa.string_view())),
        "map": ([[("k", 1)], [], None], pa.map_(pa.string(), pa.int64())),
        "struct": ([{"a": "x"}, {"a": None}, None], pa.struct([("a", pa.string())])),
        "embedding": ([[0.5, 1.5], [2.5, 3.5], None], pa.list_(pa.float32(), 2)),
        "null": ([None, None, None], pa.null()),
        "decimal": ([1, 2, None], pa.decimal128(9, 2)),
    }
    columns = {name: pa.array(values, kind) for name, (values, kind) in plain.items()}
    runs: pa.Array[Any] = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), pa.array(["x", "y", None]))
    return {**columns, "dictionary": dictionary, "extension": extension, "runs": runs}


@pytest.mark.parametrize("name", with_every_type())
def test_a_column_of_any_type_is_repeated_for_each_chunk_of_its_row(name: str) -> None:
    column = with_every_type()[name]
    table = table_of([STYLED[0], "one chunk", STYLED[1]], row=[0, 1, 2], theirs=column)
    chunks = split_batch(table, SPLITTER)
    rows = [row for row in chunks["row"].to_pylist() if row is not None]
    assert rows.count(0) > 1
    values = [value.as_py() for value in column]
    assert [value.as_py() for value in chunks["theirs"]] == [values[row] for row in rows]
    assert chunks["theirs"].type == column.type
    chunks.validate(full=True)


@pytest.mark.parametrize(
    "texts",
    [
        pa.array([BUNDLE, None, BUNDLE]),
        pa.array([BUNDLE, None, BUNDLE], pa.large_string()),
        pa.array([BUNDLE, None, BUNDLE], pa.string_view()),
        pa.array([BUNDLE, None, BUNDLE], pa.large_string()).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int8()), pa.array([None, BUNDLE])),
    ],
    ids=lambda texts: str(texts.type),
)
def test_text_may_be_of_any_string_type(texts: pa.Array[Any]) -> None:
    assert split_batch(pa.table({"text": texts}), SPLITTER) == split_batch(table_of([BUNDLE, BUNDLE]), SPLITTER)


def test_a_column_of_nulls_alone_has_no_chunks() -> None:
    assert split_batch(pa.table({"text": pa.nulls(3)}), SPLITTER).num_rows == 0


def test_the_text_column_may_have_any_name_even_one_of_ours() -> None:
    for name in ("body", "page_content", "id", "parent_id"):
        chunks = split_batch(pa.table({name: [BUNDLE]}), SPLITTER, text_column=name)
        assert chunks == split_batch(table_of([BUNDLE]), SPLITTER)


def test_a_column_that_cannot_hold_its_repetitions_is_refused_not_corrupted() -> None:
    table = table_of(["word " * 200], raw=pa.array(["x" * 100_000_000]))
    with pytest.raises(ValueError, match=r"the column 'raw', repeated for each of 25 chunks, is longer than 2 GiB"):
        split_batch(table, SemanticXmlSplitter(40))


def test_few_chunks_of_a_long_row_and_many_of_a_short_one_are_no_reason_to_refuse() -> None:
    table = table_of(["word " * 200, "word"], raw=pa.array(["x", "y" * 100_000_000]))
    lengths = pc.binary_length(split_batch(table, SemanticXmlSplitter(40))["raw"]).to_pylist()
    assert lengths == [1] * 25 + [100_000_000]


# Ids.


def test_the_column_id_becomes_the_parent_of_the_chunks() -> None:
    chunks = split_batch(table_of(["a", "b", "c"], id=["x", None, ""]), SPLITTER)
    assert chunks["parent_id"].to_pylist() == ["x", None, ""]
    assert chunks["id"].null_count == 3


@pytest.mark.parametrize(
    ("ids", "parents"),
    [
        (pa.array([7, None], pa.uint16()), ["7", None]),
        (pa.array(["x", None]).dictionary_encode(), ["x", None]),
        (pa.array(["x", None], pa.string_view()), ["x", None]),
        (pa.nulls(2), [None, None]),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_ids_may_be_strings_or_whole_numbers(ids: pa.Array[Any], parents: list[str | None]) -> None:
    chunks = split_batch(table_of(["a", "b"], id=ids), SPLITTER)
    assert chunks["parent_id"].to_pylist() == parents
    assert chunks.schema.field("parent_id").type == pa.large_string()


def test_deterministic_ids_are_those_of_documents_with_these_ids() -> None:
    splitter = SemanticXmlSplitter(300, deterministic_ids=True)
    documents = splitter.split_documents([Document(page_content=BUNDLE, id="7", metadata={"stars": 5})])
    assert split_batch(table_of([BUNDLE], id=[7], stars=[5]), splitter)["id"].to_pylist() == [
        document.id for document in documents
    ]


def test_rows_without_an_id_are_told_apart_by_their_other_columns_wherever_they_stand() -> None:
    splitter = SemanticXmlSplitter(300, deterministic_ids=True)
    ids = split_batch(table_of([BUNDLE] * 3, path=["a", "b", "a"]), splitter)["id"].to_pylist()
    one = len(ids) // 3
    assert ids[:one] == ids[2 * one :]
    assert len(set(ids)) == 2 * one
    assert split_batch(table_of([BUNDLE], path=["b"]), splitter)["id"].to_pylist() == ids[one : 2 * one]


def test_a_row_that_only_stands_in_for_an_id_is_no_parent() -> None:
    splitter = SemanticXmlSplitter(300, deterministic_ids=True)
    assert set(split_batch(table_of([BUNDLE], path=["a"]), splitter)["parent_id"].to_pylist()) == {None}


# What is refused.

TABLE = table_of([BUNDLE], n=[1], raw=[b"x"])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"text_column": "body"}, ValueError, r"text_column='body': .* choose among 'text', 'n', 'raw'$"),
        ({"batch": pa.table({})}, ValueError, r"choose among none$"),
        ({"text_column": "n"}, TypeError, r"text_column='n' has the type int64; .* cast"),
        ({"text_column": "raw"}, TypeError, r"text_column='raw' has the type binary; "),
        ({"batch": pa.table([["a"], ["b"]], ["text", "text"])}, ValueError, r"2 columns are named 'text'; rename"),
        ({"batch": pa.table([["a"], ["b"], ["c"]], ["id", "text", "id"])}, ValueError, r"2 columns are named 'id'"),
        ({"batch": table_of(["a"], id=[1.5])}, TypeError, r"the column 'id' has the type double, .* another name"),
        ({"batch": {"text": ["a"]}}, TypeError, r"not dict; in Ray Data pass batch_format=\"pyarrow\""),
        ({"splitter": CharacterTextSplitter()}, TypeError, r"must be a SemanticXmlSplitter, not CharacterTextSplitter"),
    ],
    ids=[
        *("no such column", "no column", "numbers", "bytes", "two texts", "two ids", "ids with fractions"),
        *("no table", "another splitter"),
    ],
)
def test_what_cannot_be_split_is_refused_with_a_remedy(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        split_batch(**{"batch": TABLE, "splitter": SPLITTER, **arguments})


def test_an_oversized_block_raises_where_the_splitter_says_so() -> None:
    with pytest.raises(OversizedBlockError, match=r"^text at line 1 .* more than chunk_size=20"):
        split_batch(TABLE, SemanticXmlSplitter(20, oversized="error"))


@pytest.mark.parametrize("call", [split_batch, output_schema])
def test_without_pyarrow_the_error_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[object, SemanticXmlSplitter], object]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pip install "langchain-semantic-xml\[arrow\]"'):
        call(TABLE, SPLITTER)


# Hostile contents.


@pytest.mark.parametrize(
    "content",
    ["<script>alert(1)</script>", "\0", "\u202e\u2066", "\ufffd", "x" * 10_000_000, "\U0001f468\u200d\U0001f469" * 50],
    ids=["script", "NUL", "bidi", "replacement", "10 MB in one chunk", "emoji"],
)
def test_hostile_contents_come_through_as_they_are(content: str) -> None:
    text = f'<file path="a">\n{content}\n</file>'
    chunks = split_batch(table_of([text]), SemanticXmlSplitter(20_000_000))
    assert chunks["page_content"].to_pylist() == [text]


def test_a_reference_to_half_a_character_does_not_stop_a_batch() -> None:
    chunks = split_batch(table_of(['<file path="&#xD800;&#0;">x</file>']), SPLITTER)
    assert chunks["identity"].to_pylist() == ["&#xD800;&#0;"]


def test_the_example_in_the_documentation_runs() -> None:
    _, _, example = inspect.cleandoc(split_batch.__doc__ or "").partition("::\n")
    assert "assert chunks" in example
    exec(compile(textwrap.dedent(example), "<docstring>", "exec"), {})  # noqa: S102 - our own example
