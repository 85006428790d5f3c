"""What `SemanticXmlSplitter` takes, what it refuses, and what its Documents say."""

from __future__ import annotations

import asyncio
import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import ElementRule, OversizedBlockError, SemanticXmlSplitter, parse_blocks

BUNDLE = "# Files\n<file path='a.py'>\nx = 1\n</file>\n\n<output command='ls'>\na.py\n</output>\n"
BIG = "<file path='big.txt' language='text'>\n" + "a line of text\n" * 20 + "</file>\n"


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"chunk_size": 0}, ValueError, "chunk_size=0"),
        ({"chunk_size": True}, TypeError, "chunk_size=True"),
        ({"chunk_size": "10"}, TypeError, "chunk_size='10'"),
        ({"chunk_size": 10, "chunk_overlap": 10}, ValueError, "chunk_overlap=10 must be less than chunk_size=10"),
        ({"chunk_overlap": -1}, ValueError, "chunk_overlap=-1"),
        ({"length_function": None}, TypeError, "length_function=None"),
        ({"add_start_index": 1}, TypeError, "add_start_index=1"),
        ({"strip_whitespace": None}, TypeError, "strip_whitespace=None"),
        ({"elements": "file"}, TypeError, "elements='file'"),
        ({"elements": ["a b"]}, ValueError, "'a b' is not an XML Name"),
        ({"elements": ["text"]}, ValueError, "text"),
        ({"elements": [1]}, TypeError, "1 must be a name"),
        ({"elements": [ElementRule("a"), ElementRule("a", bare=False)]}, ValueError, "two different rules"),
        ({"separator": 1}, TypeError, "separator=1"),
        ({"new_after": -1}, ValueError, "new_after=-1"),
        ({"combine_under": 1.5}, TypeError, "combine_under=1.5"),
        ({"isolate": "file"}, TypeError, "isolate='file'"),
        ({"isolate": ["flie"]}, ValueError, "no block has the type 'flie'"),
        ({"oversized": "cut"}, ValueError, "oversized='cut'"),
        ({"repeat_tags": "yes"}, TypeError, "repeat_tags='yes'"),
        ({"deterministic_ids": 0}, TypeError, "deterministic_ids=0"),
        ({"chunk_sise": 10}, TypeError, "chunk_sise"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_wrong_option_is_refused_by_name_and_value(
    options: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error) as raised:
        SemanticXmlSplitter(**options)
    assert says in str(raised.value)


@pytest.mark.parametrize(
    "value", [None, b"<file>a</file>", Document(page_content="x"), 3], ids=lambda value: type(value).__name__
)
def test_what_is_no_text_is_refused_by_its_kind(value: Any) -> None:  # noqa: ANN401 - anything
    splitter = SemanticXmlSplitter()
    doors: list[Callable[[], object]] = [
        lambda: parse_blocks(value),
        lambda: splitter.split_text(value),
        lambda: splitter.create_documents([BUNDLE, value]),
        lambda: list(splitter.lazy_split_text(value)),
    ]
    for door in doors:
        with pytest.raises(TypeError, match=type(value).__name__):
            door()


def test_a_single_value_is_refused_where_several_are_wanted() -> None:
    splitter = SemanticXmlSplitter()
    with pytest.raises(TypeError, match="texts must be an iterable of str"):
        splitter.create_documents(BUNDLE)
    with pytest.raises(TypeError, match="documents must be an iterable of Document"):
        splitter.split_documents(Document(page_content=BUNDLE))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"documents\[1\] must be a Document, not str"):
        splitter.split_documents([Document(page_content=BUNDLE), BUNDLE])  # type: ignore[list-item]


@pytest.mark.parametrize(("texts", "metadatas"), [(2, 1), (1, 2), (0, 1)])
def test_each_text_needs_its_metadata(texts: int, metadatas: int) -> None:
    with pytest.raises(ValueError, match="give one mapping for each text"):
        SemanticXmlSplitter().create_documents([BUNDLE] * texts, [{}] * metadatas)


def test_metadata_must_be_a_mapping() -> None:
    with pytest.raises(TypeError, match=r"metadatas\[0\] must be a mapping, not NoneType"):
        SemanticXmlSplitter().create_documents([BUNDLE], [None])  # type: ignore[list-item]


def test_every_door_gives_the_same_documents() -> None:
    splitter = SemanticXmlSplitter(60)
    created = splitter.create_documents([BUNDLE], [{"source": "b.xml"}])
    document = Document(page_content=BUNDLE, metadata={"source": "b.xml"})
    assert [chunk.page_content for chunk in created] == splitter.split_text(BUNDLE)
    assert splitter.split_documents([document]) == created
    assert list(splitter.lazy_split_documents(iter([document]))) == created
    assert list(splitter.transform_documents([document])) == created
    assert list(asyncio.run(splitter.atransform_documents([document]))) == created
    assert [chunk.page_content for chunk in splitter.lazy_split_text(BUNDLE)] == splitter.split_text(BUNDLE)


def test_generators_and_empty_texts_are_fine() -> None:
    texts = ["", BUNDLE, " \n", BUNDLE]
    splitter = SemanticXmlSplitter()
    chunks = splitter.create_documents((text for text in texts), ({"n": n} for n in range(4)))
    assert [chunk.metadata["n"] for chunk in chunks] == [1, 3]


def test_documents_of_a_subclass_are_documents() -> None:
    class Page(Document):
        pass

    assert SemanticXmlSplitter().split_documents([Page(page_content=BUNDLE)])[0].metadata["block_count"] == 3


def test_inputs_are_unchanged_and_nothing_is_shared() -> None:
    metadata = {"tags": ["t"], "nested": {"a": [1]}}
    document = Document(page_content=BUNDLE, metadata=copy.deepcopy(metadata))
    first, second = SemanticXmlSplitter(50).split_documents([document])
    first.metadata["tags"].append("changed")
    first.metadata["nested"]["a"].clear()
    assert document.metadata == metadata
    assert (second.metadata["tags"], second.metadata["nested"]) == (["t"], {"a": [1]})


def test_the_sources_own_keys_win_and_ours_move_aside() -> None:
    own = {"identity": 1, "chunk_identity": 2, "path": "b.xml", 3: "three", "list": [1]}
    chunk = SemanticXmlSplitter(isolate=True).create_documents([BUNDLE], [own])[1]
    assert {key: chunk.metadata[key] for key in own} == own
    assert chunk.metadata["chunk_chunk_identity"] == "a.py"
    assert chunk.metadata["file_path"] == "a.py"


def test_an_attribute_named_as_a_key_gets_its_types_name_and_is_left_out_where_that_is_taken() -> None:
    text = "<file part='a' file_part='b' file_path='c' path='d'>x</file>"
    metadata = SemanticXmlSplitter().create_documents([text])[0].metadata
    assert metadata["part"] is None
    assert (metadata["file_part"], metadata["file_path"], metadata["path"]) == ("b", "c", "d")


def test_every_chunk_has_the_same_keys_and_scalar_values() -> None:
    chunks = SemanticXmlSplitter(90).create_documents([BUNDLE + BIG + "closing words"])
    keys = set(chunks[-1].metadata)
    for chunk in chunks:
        assert keys <= set(chunk.metadata)
        for value in chunk.metadata.values():
            assert value is None or isinstance(value, (str, int, bool)) or (isinstance(value, list) and value)


def test_positions_are_left_out_on_demand() -> None:
    chunk = SemanticXmlSplitter(add_start_index=False).create_documents([BUNDLE])[0]
    assert {"start_index", "end_index", "start_line", "end_line"}.isdisjoint(chunk.metadata)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_lines_and_characters_are_those_of_the_source(line_end: str) -> None:
    text = (BUNDLE + BIG).replace("\n", line_end)
    for chunk in SemanticXmlSplitter(120, chunk_overlap=30).create_documents([text]):
        start, end = chunk.metadata["start_index"], chunk.metadata["end_index"]
        assert chunk.metadata["start_line"] == text.count("\n", 0, start) + 1
        assert chunk.metadata["end_line"] == text.count("\n", 0, end - 1) + 1


def test_an_oversized_block_is_cut_kept_or_an_error() -> None:
    parts = SemanticXmlSplitter(100).create_documents([BIG])
    assert [part.metadata["part"] for part in parts] == list(range(1, len(parts) + 1))
    assert {part.metadata["parts"] for part in parts} == {len(parts)}
    assert all(part.page_content.startswith("<file path='big.txt'") for part in parts)
    (kept,) = SemanticXmlSplitter(100, oversized="keep").create_documents([BIG])
    assert (kept.page_content, kept.metadata["oversized"], kept.metadata["part"]) == (BIG.strip(), True, None)


def test_the_error_for_an_oversized_block_says_which_and_pickles() -> None:
    with pytest.raises(OversizedBlockError) as raised:
        SemanticXmlSplitter(100, oversized="error").create_documents([BUNDLE + BIG])
    error = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - our own
    assert isinstance(error, OversizedBlockError)
    assert issubclass(OversizedBlockError, ValueError)
    assert (error.type, error.identity, error.line, error.chunk_size) == ("file", "big.txt", 9, 100)
    assert (error.span, error.length) == ((len(BUNDLE), len(BUNDLE + BIG) - 1), len(BIG) - 1)
    assert "file 'big.txt' at line 9" in str(error)


def test_tags_are_not_repeated_on_demand() -> None:
    parts = SemanticXmlSplitter(100, repeat_tags=False).split_text(BIG)
    assert sum(part.count("<file") for part in parts) == 1


def test_containers_go_with_the_first_and_the_last_part() -> None:
    text = f"<files>\n{BIG}</files>\n"
    parts = SemanticXmlSplitter(120).create_documents([text])
    assert parts[0].page_content.startswith("<files>\n\n<file path='big.txt'")
    assert parts[-1].page_content.endswith("</file>\n\n</files>")
    assert parts[-1].metadata["block_types"] == ["file", "text"]


def test_without_a_separator_chunks_are_the_source() -> None:
    text = BUNDLE + "\n\n\n" + BUNDLE
    for chunk in SemanticXmlSplitter(70, separator=None).create_documents([text]):
        assert chunk.page_content == text[chunk.metadata["start_index"] : chunk.metadata["end_index"]]


def test_the_id_of_the_source_is_the_parent_id() -> None:
    chunk = SemanticXmlSplitter().split_documents([Document(page_content=BUNDLE, id="doc-1")])[0]
    assert (chunk.id, chunk.metadata["parent_id"]) == (None, "doc-1")


SAME = "<file path='a'>same</file>\n" * 3
IDS = f"""
from langchain_semantic_xml import SemanticXmlSplitter
splitter = SemanticXmlSplitter(30, deterministic_ids=True)
own = {{"set": {{"b", "a", "c"}}, "none": None, 1: object(), "list": [{{"x": 1}}]}}
print([chunk.id for chunk in splitter.create_documents([{SAME!r}, {SAME!r}, "\\ud800"], [own, own, own])])
"""


def test_deterministic_ids_are_the_same_in_every_process_and_different_for_every_chunk() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", IDS], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert len(set(printed[0].strip("[]\n").split(", "))) == 7


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda splitter: pickle.loads(pickle.dumps(splitter))])  # noqa: S301
def test_a_copied_splitter_splits_alike(clone: Callable[[SemanticXmlSplitter], SemanticXmlSplitter]) -> None:
    splitter = SemanticXmlSplitter(60, elements=["file", ElementRule("output", bare=False)], isolate=["file"])
    assert clone(splitter).create_documents([BUNDLE]) == splitter.create_documents([BUNDLE])


def test_threads_share_a_splitter() -> None:
    splitter = SemanticXmlSplitter(100)
    texts = [BUNDLE * (n % 5) + BIG for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(splitter.split_text, texts)) == [splitter.split_text(text) for text in texts]
