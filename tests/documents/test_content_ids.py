"""Ids that depend on file and content alone, and ids that no crafted text can share.

Rule: M6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace

import pytest
from langchain_core.document_loaders import Blob
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlBlobParser, SemanticXmlSplitter
from tests.tools.bundle_maker import SourceFile, make_bundle

KEPT = ("src/black.py", "src/herbal.py", "src/white.py")
SPLITTER = SemanticXmlSplitter(300, isolate=["file"], deterministic_ids="content")


def module(name: str, lines: Iterable[str] = ()) -> SourceFile:
    body = [f"{name}_{number} = {number}  # {name} of the kettle" for number in range(40)]
    return SourceFile(f"src/{name}.py", "\n".join([*lines, *body]) + "\n")


def split_whole(files: list[SourceFile]) -> list[Document]:
    return SPLITTER.create_documents([make_bundle(files, "repomix").text], [{"source": "b.xml"}])


def split_loaded(files: list[SourceFile]) -> list[Document]:
    blob = Blob.from_data(make_bundle(files, "repomix").text, path="b.xml")
    return SPLITTER.split_documents(SemanticXmlBlobParser().lazy_parse(blob))


Way = Callable[[list[SourceFile]], list[Document]]
both_ways = pytest.mark.parametrize("way", [split_whole, split_loaded])


def ids_of(chunks: list[Document]) -> set[str]:
    ids = [chunk.id for chunk in chunks if chunk.id is not None]
    assert len(set(ids)) == len(chunks)
    return set(ids)


@both_ways
def test_an_edit_gives_new_ids_to_the_chunks_that_changed_and_to_no_other(way: Way) -> None:
    names = ["green", "black", "herbal", "white"]
    before = ids_of(way([module(name) for name in names]))
    after = ids_of(way([module("green", ["# one more line"]), *map(module, names[1:])]))
    assert len(after - before) <= len(ids_of(way([module("green")])))
    kept = {chunk.id for chunk in way([module(name) for name in names]) if chunk.metadata["identity"] in KEPT}
    assert kept <= after


@both_ways
def test_a_chunk_that_only_moves_keeps_its_id(way: Way) -> None:
    green, black = module("green"), module("black")
    before = {chunk.page_content: chunk.id for chunk in way([green, black])}
    after = {chunk.page_content: chunk.id for chunk in way([black, module("white"), green])}
    for text in before.keys() & after.keys():
        assert before[text] == after[text]
    assert len(before.keys() & after.keys()) >= len(before) - 2  # but for text around the files


def test_whole_text_and_loaded_blocks_give_the_same_ids_to_the_same_chunks() -> None:
    files = [module("green"), module("black")]
    whole = {chunk.page_content: chunk.id for chunk in split_whole(files)}
    loaded = {chunk.page_content: chunk.id for chunk in split_loaded(files)}
    assert whole == loaded


@both_ways
def test_equal_chunks_are_numbered(way: Way) -> None:
    same = SourceFile("a.py", "x = 1\n")
    ids_of(way([same, same, same]))


def test_equal_documents_without_a_source_differ_by_their_place_in_the_call() -> None:
    chunks = SPLITTER.create_documents(["x", "x"])
    assert chunks[0].id != chunks[1].id
    assert [chunk.id for chunk in SPLITTER.create_documents(["x", "x"])] == [chunk.id for chunk in chunks]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param({"source": "a"}, {"source": "b"}, id="sources"),
        pytest.param({"source": "1"}, {"source": 1}, id="types of sources"),
        pytest.param({"source": "a", "identity": "b"}, {"source": "a", "identity": "c"}, id="identities"),
        pytest.param({"source": "a", "path": "b.py"}, {"source": "a", "path": "c.py"}, id="files"),
        pytest.param({"source": "a-"}, {"source": "a", "identity": "-"}, id="no seam between the names"),
    ],
)
def test_names_tell_equal_texts_apart(left: dict[str, object], right: dict[str, object]) -> None:
    (one,), (other,) = (SPLITTER.create_documents(["x"], [metadata]) for metadata in (left, right))
    assert one.id != other.id


def test_the_metadata_of_positions_do_not_count() -> None:
    (one,), (other,) = (
        SPLITTER.create_documents(["<file path='a'>\nx\n</file>"], [{"source": "b", "start_line": line}])
        for line in (1, 99)
    )
    assert one.id == other.id


class Slots:
    __slots__ = ("__hidden", "value")

    def __init__(self, value: int) -> None:
        self.value = 0
        self.__hidden = value


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(
            Document("X\0((0, 3),)None\0foo", id="A"), Document("foo", id="A\0((0, 19),)None\0X"), id="NUL in an id"
        ),
        pytest.param(
            Document("x", metadata={"a": slice(1, 2)}), Document("x", metadata={"a": slice(1, 3)}), id="slices"
        ),
        pytest.param(Document("x", metadata={"a": Slots(1)}), Document("x", metadata={"a": Slots(2)}), id="slots"),
        pytest.param(
            Document("x", metadata={"a": SimpleNamespace(b=1)}),
            Document("x", metadata={"a": SimpleNamespace(b=2)}),
            id="attributes",
        ),
    ],
)
def test_no_two_documents_share_an_id(left: Document, right: Document) -> None:
    splitter = SemanticXmlSplitter(deterministic_ids=True)
    assert splitter.split_documents([left])[0].id != splitter.split_documents([right])[0].id


def test_only_one_word_is_a_kind_of_ids() -> None:
    with pytest.raises(TypeError, match=r'deterministic_ids=.* must be True, False or "content"'):
        SemanticXmlSplitter(deterministic_ids="contents")  # type: ignore[arg-type]
