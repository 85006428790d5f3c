"""Chunks as nodes of LlamaIndex: in an index, found by a query, with their places and their neighbours."""

from __future__ import annotations

import re
import sys
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.integrations import require
from tests.paths import BUNDLE

require("llama_index.core")

from llama_index.core import StorageContext, VectorStoreIndex, load_index_from_storage  # noqa: E402 - after `require`
from llama_index.core.base.embeddings.base import BaseEmbedding  # noqa: E402
from llama_index.core.schema import MetadataMode, NodeRelationship, TextNode  # noqa: E402
from typing_extensions import override  # noqa: E402

from langchain_semantic_xml.llama_index import to_nodes  # noqa: E402

pytestmark = pytest.mark.integration

TEXT = BUNDLE.read_text(encoding="utf-8")
_DIMENSIONS = 512


class WordEmbedding(BaseEmbedding):
    """Embeds a text as the counts of its words, and keeps what it was given."""

    seen: list[str]

    def _embed(self, text: str) -> list[float]:
        vector = [0.0] * _DIMENSIONS
        for word, count in Counter(re.findall(r"[a-z]+", text.lower())).items():
            vector[sum(map(ord, word)) * 31 % _DIMENSIONS] += float(count)
        return vector

    @override
    def _get_text_embedding(self, text: str) -> list[float]:
        self.seen.append(text)
        return self._embed(text)

    @override
    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embed(query)

    @override
    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._embed(query)


def split(text: str = TEXT, source: str = "bundle.xml", **options: Any) -> list[Document]:  # noqa: ANN401 - options
    splitter = SemanticXmlSplitter(**{"chunk_size": 300, "deterministic_ids": True, **options})
    return splitter.create_documents([text], [{"source": source}])


def neighbour(node: TextNode, relationship: NodeRelationship) -> str | None:
    return getattr(node.relationships.get(relationship), "node_id", None)


def test_a_node_is_its_chunk() -> None:
    chunks = split()
    for node, chunk in zip(to_nodes(chunks), chunks, strict=True):
        assert (node.text, node.metadata, node.id_) == (chunk.page_content, chunk.metadata, chunk.id)
        assert (node.start_char_idx, node.end_char_idx) == (chunk.metadata["start_index"], chunk.metadata["end_index"])


def test_what_is_embedded_is_what_was_measured() -> None:
    embedding = WordEmbedding(seen=[])
    chunks = split()
    VectorStoreIndex(to_nodes(chunks), embed_model=embedding)
    assert embedding.seen == [chunk.page_content for chunk in chunks]
    assert max(map(len, embedding.seen)) <= 300


def test_a_query_finds_the_right_chunk_and_its_place() -> None:
    index = VectorStoreIndex(to_nodes(split()), embed_model=WordEmbedding(seen=[]))
    (found,) = index.as_retriever(similarity_top_k=1).retrieve("git log oneline")
    assert isinstance(found.node, TextNode)
    assert found.node.metadata["command"].startswith("git log")
    start, end = found.node.start_char_idx, found.node.end_char_idx
    assert TEXT[start:end] in found.node.text


def test_nodes_refer_to_their_source_and_their_neighbours_in_it() -> None:
    nodes = to_nodes([*split(source="a.xml"), *split(source="b.xml", text="<file path='x'>\nb\n</file>")])
    *first, last = nodes
    assert {node.ref_doc_id for node in first} == {"a.xml"}
    assert last.ref_doc_id == "b.xml"
    for node, following in pairwise(first):
        assert neighbour(node, NodeRelationship.NEXT) == following.id_
        assert neighbour(following, NodeRelationship.PREVIOUS) == node.id_
    assert neighbour(first[0], NodeRelationship.PREVIOUS) is None
    assert neighbour(first[-1], NodeRelationship.NEXT) is None
    assert neighbour(last, NodeRelationship.PREVIOUS) is None


def test_the_chunks_of_a_source_are_deleted_by_its_name() -> None:
    index = VectorStoreIndex(
        to_nodes([*split(source="a.xml"), *split(source="b.xml")]), embed_model=WordEmbedding(seen=[])
    )
    index.delete_ref_doc("a.xml", delete_from_docstore=True)
    found = index.as_retriever(similarity_top_k=50).retrieve("tea")
    assert {result.node.metadata["source"] for result in found} == {"b.xml"}


def test_the_parent_is_the_source_where_documents_have_ids() -> None:
    chunks = SemanticXmlSplitter(300).split_documents([Document(TEXT, id="7", metadata={"source": "a.xml"})])
    assert {node.ref_doc_id for node in to_nodes(chunks)} == {"7"}


def test_an_index_that_was_stored_answers_as_before(tmp_path: Any) -> None:  # noqa: ANN401 - a path, for two libraries
    embedding = WordEmbedding(seen=[])
    index = VectorStoreIndex(to_nodes(split()), embed_model=embedding)
    index.storage_context.persist(str(tmp_path))
    loaded = load_index_from_storage(StorageContext.from_defaults(persist_dir=str(tmp_path)), embed_model=embedding)
    before, after = (each.as_retriever(similarity_top_k=3).retrieve("brew tea") for each in (index, loaded))
    assert [result.node for result in after] == [result.node for result in before]


def test_chunks_without_ids_and_places_become_nodes_too() -> None:
    nodes = to_nodes(split(deterministic_ids=False, add_start_index=False))
    assert len({node.id_ for node in nodes}) == len(nodes)
    assert {(node.start_char_idx, node.end_char_idx) for node in nodes} == {(None, None)}
    assert [node.get_content(MetadataMode.EMBED) for node in nodes] == [node.text for node in nodes]


def test_chunks_are_not_changed() -> None:
    chunks = split()
    nodes = to_nodes(chunks)
    nodes[0].metadata["added"] = True
    assert chunks == split()


def test_what_is_no_chunk_is_named() -> None:
    with pytest.raises(TypeError, match=r"chunks\[0\] must be a Document, not str; pass the chunks of"):
        to_nodes(["text"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="chunks must be an iterable of Document, not Document"):
        to_nodes(split()[0])  # type: ignore[arg-type]


def test_without_llama_index_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_index.core.schema", None)
    with pytest.raises(ImportError, match=r'pip install "langchain-semantic-xml\[llama-index\]"'):
        to_nodes([])
