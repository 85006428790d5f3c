"""The bundle in real vector stores: what goes in comes out, questions find their file, filters find their chunks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import VectorStore

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.loaders import SemanticXmlLoader
from tests.integrations import require

for package in ("chromadb", "langchain_chroma", "langchain_qdrant", "qdrant_client"):
    require(package)

from tests.integrations.stores import KINDS, Kind  # noqa: E402 - only after it is known what is there

pytestmark = pytest.mark.integration

BUNDLE = Path(__file__).parents[1] / "data" / "bundle.xml"
SPLITTER = SemanticXmlSplitter(500, isolate=["file", "output", "document"], deterministic_ids=True)
HOSTILE = {
    "markup": "<script>alert('x')</script></style><!--",
    "a NUL": "before\0after",
    "bidirectional controls": "\u202eevil\u2066\u2069\u200f",
    "a non-character": "\ufffe\uffff\U0010ffff",
    "escapes": "\x1b[31m\\x00 %s {0} ${HOME}",
}


def chunks_of(text: str) -> list[Document]:
    return SPLITTER.create_documents([text], [{"source": "bundle.xml"}])


def bundle_chunks() -> list[Document]:
    return chunks_of(BUNDLE.read_bytes().decode("utf-8"))


class Filled(NamedTuple):
    """A store with the chunks that went into it."""

    kind: Kind
    store: VectorStore
    chunks: list[Document]


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def filled(kind: Kind, tmp_path: Path) -> Iterator[Filled]:
    chunks = bundle_chunks()
    with kind.open(tmp_path) as store:
        store.add_documents(chunks)
        yield Filled(kind, store, chunks)


def id_of(document: Document) -> object:
    """Return the id under which a Document is stored; Qdrant gives it among the metadata."""
    return document.id or document.metadata["_id"]


def stored(store: VectorStore, documents: list[Document]) -> dict[object, Document]:
    return {id_of(document): document for document in store.get_by_ids([str(document.id) for document in documents])}


def assert_stored(kind: Kind, store: VectorStore, documents: list[Document]) -> None:
    """Assert that Documents are in a store as they went in, Qdrant's own two keys and what `Kind` says apart."""
    found = stored(store, documents)
    assert len(found) == len(documents)
    for document in documents:
        again = found[document.id]
        known = {key: again.metadata[key] for key in again.metadata if key not in {"_id", "_collection_name"}}
        kept = {key: value for key, value in document.metadata.items() if value is not None or kind.keeps_none}
        assert (again.page_content, known) == (document.page_content, kept)


def paths_of(documents: list[Document]) -> set[object]:
    return {document.metadata.get("path") for document in documents}


def test_every_chunk_comes_back_as_it_went_in(filled: Filled) -> None:
    assert_stored(filled.kind, filled.store, filled.chunks)


def test_chunks_that_are_added_again_are_there_once(filled: Filled) -> None:
    filled.store.add_documents(bundle_chunks())
    assert len(filled.store.similarity_search("tea", k=100)) == len(filled.chunks)


@pytest.mark.parametrize(
    ("question", "identity"),
    [
        ("Which exception says that nobody knows the tea?", "src/teapot/brew.py"),
        ("Which commit says on the label that there is sugar?", "git log --oneline -3 -- src/teapot"),
        ("How many cups were measured for the decision?", "https://teapot.example/decisions/0007-brewing-times"),
    ],
)
def test_a_question_finds_the_file_that_answers_it(filled: Filled, question: str, identity: str) -> None:
    (best,) = filled.store.similarity_search(question, k=1)
    assert best.metadata["identity"] == identity


def test_a_filter_on_the_path_finds_the_parts_of_that_file(filled: Filled) -> None:
    path = "src/teapot/brew.py"
    found = filled.store.similarity_search("tea", k=100, filter=filled.kind.equals("path", path))
    assert paths_of(found) == {path}
    assert len(found) == sum(chunk.metadata.get("path") == path for chunk in filled.chunks) > 1


@pytest.mark.parametrize("block_type", ["file", "output", "document", "text"])
def test_a_filter_on_the_type_finds_the_chunks_of_that_type(filled: Filled, block_type: str) -> None:
    found = filled.store.similarity_search("tea", k=100, filter=filled.kind.equals("block_type", block_type))
    expected = {chunk.id for chunk in filled.chunks if chunk.metadata["block_type"] == block_type}
    assert {id_of(document) for document in found} == expected != set()


def test_a_filter_on_lines_finds_the_chunk_that_holds_the_line(filled: Filled) -> None:
    lines = BUNDLE.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            found = filled.store.similarity_search("tea", k=100, filter=filled.kind.covers(number))
            assert [line.strip() in document.page_content for document in found] == [True], (number, line)


def test_a_filter_on_a_list_finds_the_chunks_whose_list_has_the_value(filled: Filled) -> None:
    found = filled.store.similarity_search("tea", k=100, filter=filled.kind.contains("identities", "docs/bundles.md"))
    assert paths_of(found) == {"docs/bundles.md"}


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.lasts], indirect=True)
def test_a_store_that_was_closed_and_opened_again_answers_as_before(kind: Kind, tmp_path: Path) -> None:
    chunks = bundle_chunks()
    with kind.open(tmp_path) as store:
        store.add_documents(chunks)
        before = store.similarity_search("Who measured the cups?", k=3, filter=kind.equals("block_type", "document"))
    with kind.open(tmp_path) as store:
        again = store.similarity_search("Who measured the cups?", k=3, filter=kind.equals("block_type", "document"))
        assert_stored(kind, store, chunks)
    assert again == before != []


def test_what_the_loader_yields_goes_in_without_a_splitter(kind: Kind, tmp_path: Path) -> None:
    blocks = SemanticXmlLoader(BUNDLE).load()
    with kind.open(tmp_path) as store:
        store.add_documents(blocks)
        assert_stored(kind, store, blocks)


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_content_comes_back_character_by_character(kind: Kind, tmp_path: Path, content: str) -> None:
    chunks = chunks_of(f'<file path="{content}">\n{content}\n</file>\n')
    assert chunks[0].metadata["path"] == content
    with kind.open(tmp_path) as store:
        store.add_documents(chunks)
        assert_stored(kind, store, chunks)


LONE_SURROGATE = '<file path="a.py">\nx = "\ud800"\n</file>\n'


@pytest.mark.parametrize("kind", ["Chroma"], indirect=True)
def test_a_lone_surrogate_is_refused_by_chroma(kind: Kind, tmp_path: Path) -> None:
    with kind.open(tmp_path) as store, pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        store.add_documents(chunks_of(LONE_SURROGATE))


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"Chroma"}), indirect=True)
def test_a_lone_surrogate_is_kept_by_stores_that_run_in_the_process(kind: Kind, tmp_path: Path) -> None:
    chunks = chunks_of(LONE_SURROGATE)
    with kind.open(tmp_path) as store:
        store.add_documents(chunks)
        assert_stored(kind, store, chunks)


def test_a_lone_surrogate_is_replaced_before_splitting_so_that_positions_stay(kind: Kind, tmp_path: Path) -> None:
    cleaned = LONE_SURROGATE.encode("utf-8", "replace").decode("utf-8")
    assert len(cleaned) == len(LONE_SURROGATE)
    (chunk,) = chunks_of(cleaned)
    with kind.open(tmp_path) as store:
        store.add_documents([chunk])
        assert_stored(kind, store, [chunk])
    assert cleaned[chunk.metadata["start_index"] : chunk.metadata["end_index"]] == chunk.page_content
