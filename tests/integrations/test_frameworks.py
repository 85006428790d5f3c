"""LlamaIndex around our splitter, and our chunks as nodes of LlamaIndex."""

from __future__ import annotations

from pathlib import Path

import pytest

from langchain_semantic_xml import SemanticXmlSplitter
from tests.integrations import require

require("llama_index.core")

from llama_index.core import Document as LlamaDocument  # noqa: E402 - only after it is known to be there
from llama_index.core.ingestion import IngestionPipeline  # noqa: E402
from llama_index.core.node_parser import LangchainNodeParser  # noqa: E402
from llama_index.core.schema import BaseNode, TextNode  # noqa: E402

pytestmark = pytest.mark.integration

BUNDLE = (Path(__file__).parents[1] / "data" / "bundle.xml").read_bytes().decode("utf-8")


def nodes_of(splitter: SemanticXmlSplitter) -> list[BaseNode]:
    document = LlamaDocument(text=BUNDLE, metadata={"source": "bundle.xml"})
    nodes: list[BaseNode] = LangchainNodeParser(splitter).get_nodes_from_documents([document])
    return nodes


@pytest.mark.parametrize("chunk_size", [100, 500, 4000])
def test_the_node_parser_gives_our_chunks(chunk_size: int) -> None:
    splitter = SemanticXmlSplitter(chunk_size)
    nodes = nodes_of(splitter)
    assert [node.get_content() for node in nodes] == splitter.split_text(BUNDLE)
    assert {node.metadata["source"] for node in nodes} == {"bundle.xml"}


def test_the_node_parser_works_in_a_pipeline() -> None:
    splitter = SemanticXmlSplitter(500)
    pipeline = IngestionPipeline(transformations=[LangchainNodeParser(splitter)])
    nodes = pipeline.run(documents=[LlamaDocument(text=BUNDLE)])
    assert [node.get_content() for node in nodes] == splitter.split_text(BUNDLE)


def test_the_node_parser_finds_positions_where_chunks_are_slices_of_the_source() -> None:
    splitter = SemanticXmlSplitter(500, separator=None, repeat=None)
    starts = [chunk.metadata["start_index"] for chunk in splitter.create_documents([BUNDLE])]
    assert [node.start_char_idx for node in nodes_of(splitter) if isinstance(node, TextNode)] == starts


def test_the_node_parser_has_no_position_for_a_chunk_with_repeated_tags() -> None:
    splitter = SemanticXmlSplitter(500)
    parts = [chunk.metadata["part"] for chunk in splitter.create_documents([BUNDLE])]
    starts = [node.start_char_idx for node in nodes_of(splitter) if isinstance(node, TextNode)]
    assert 2 in parts
    assert {start for start, part in zip(starts, parts, strict=True) if part == 2} == {None}


def test_our_documents_become_llama_documents_with_all_their_metadata() -> None:
    for chunk in SemanticXmlSplitter(500, deterministic_ids=True).create_documents([BUNDLE]):
        node = LlamaDocument.from_langchain_format(chunk)
        assert (node.text, node.metadata, node.id_) == (chunk.page_content, chunk.metadata, chunk.id)
