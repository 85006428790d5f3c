"""Indexing with ids by content: an edit costs the chunks that changed, and every citation in the store stays right.

Rule: M4, M6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from langchain_core.document_loaders import Blob
from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.vectorstores import VectorStore

from langchain_semantic_xml import SemanticXmlBlobParser, SemanticXmlSplitter, cite
from tests.integrations import require
from tests.tools.bundle_maker import SourceFile, make_bundle

for package in ("chromadb", "langchain_chroma", "langchain_qdrant", "qdrant_client"):
    require(package)

from tests.integrations.stores import KINDS, Kind  # noqa: E402 - only after it is known what is there

pytestmark = pytest.mark.integration

SPLITTER = SemanticXmlSplitter(600, isolate=True, deterministic_ids="content")
NEW_LINE = "a_new_line = True"


def make_file(number: int) -> list[str]:
    """Write a file of about 22 chunks, of functions that are about as long as a chunk."""
    return [
        line
        for function in range(22)
        for line in (
            f"def f{number}_{function}(tea):",
            *(f"    tea = pour(tea, {number}, {function}, {step})  # step {step} of the kettle" for step in range(8)),
            "    return tea",
            "",
        )
    ]


def bundle(*, edited: int | None = None, without: int | None = None) -> str:
    """Pack 46 files: about 1,000 chunks. A line is added to one file at a place of its lines, or a file is left out."""
    files = []
    for number in range(46):
        lines = make_file(number)
        if number == 20 and edited is not None:
            lines.insert(edited, NEW_LINE)
        if number != without:
            files.append(SourceFile(f"src/f{number}.py", "\n".join(lines) + "\n"))
    return make_bundle(files, "repomix").text


def split_whole(text: str) -> list[Document]:
    return SPLITTER.create_documents([text], [{"source": "b.xml"}])


def split_loaded(text: str) -> list[Document]:
    return SPLITTER.split_documents(SemanticXmlBlobParser().lazy_parse(Blob.from_data(text, path="b.xml")))


def update(kind: Kind, store: VectorStore, records: InMemoryRecordManager, chunks: list[Document]) -> tuple[int, int]:
    """Index chunks, and write anew the metadata of those that have moved; return how many were added and deleted."""
    result = index(
        chunks,
        records,
        store,
        cleanup="scoped_full",
        source_id_key="source",
        key_encoder=lambda chunk: str(chunk.id),
    )
    kind.rewrite(store, chunks)
    return result["num_added"], result["num_deleted"]


@pytest.fixture(params=["in memory", "Chroma", "Qdrant in memory"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Kind, VectorStore]]:
    kind = KINDS[request.param]
    with kind.open(tmp_path) as store:
        yield kind, store


@pytest.mark.parametrize("split", [split_whole, split_loaded])
def test_an_edit_costs_the_chunks_that_changed_and_every_citation_stays_right(
    opened: tuple[Kind, VectorStore],
    split: Callable[[str], list[Document]],
    record_property: Callable[[str, object], None],
) -> None:
    kind, store = opened
    records = InMemoryRecordManager("b")
    records.create_schema()
    before = split(bundle())
    assert len(before) > 1000
    assert update(kind, store, records, before) == (len(before), 0)
    assert update(kind, store, records, before) == (0, 0)
    middle, end = len(make_file(20)) // 2, len(make_file(20))
    for place in (0, middle, end):
        after = split(bundle(edited=place))
        added, deleted = update(kind, store, records, after)
        record_property(f"{split.__name__}, line {place}", f"{added} added, {deleted} deleted")
        assert 0 < added < len(before) // 20
        assert 0 < deleted < len(before) // 20
        check_citations(store, after)
    after = split(bundle(edited=end, without=7))
    in_file = sum(chunk.metadata["path"] == "src/f7.py" for chunk in before if "path" in chunk.metadata)
    assert update(kind, store, records, after) == (0, in_file)
    check_citations(store, after)


def check_citations(store: VectorStore, chunks: list[Document]) -> None:
    """Assert that the store holds these chunks and cites each of them as the splitter does now."""
    found = {id_of(document): document for document in store.get_by_ids([str(chunk.id) for chunk in chunks])}
    assert len(found) == len(chunks)
    for chunk in chunks:
        assert cite(found[str(chunk.id)]) == cite(chunk)
    # An approximate index may miss a chunk, but finds none that was deleted.
    assert {id_of(document) for document in store.similarity_search("tea", k=5000)} <= set(found)


def id_of(document: Document) -> str:
    """Return the id of a Document from a store; Qdrant's have it among their metadata."""
    return str(document.id or document.metadata["_id"])
