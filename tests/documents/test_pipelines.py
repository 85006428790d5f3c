"""Splitter, loader and blob parser inside LangChain's own pipelines, at once, in batches and awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.document_loaders import Blob, BlobLoader
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda
from typing_extensions import override

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.loaders import SemanticXmlBlobParser, SemanticXmlLoader
from tests.paths import BUNDLE

SPLITTER = SemanticXmlSplitter(300, deterministic_ids=True)


def load(path: Path) -> list[Document]:
    return SemanticXmlLoader(path).load()


@pytest.fixture
def chain() -> Runnable[Path, list[Document]]:
    return RunnableLambda(load) | RunnableLambda(SPLITTER.split_documents)


@pytest.fixture
def expected() -> list[Document]:
    return SPLITTER.split_documents(load(BUNDLE))


def test_a_chain_splits_what_it_loads(chain: Runnable[Path, list[Document]], expected: list[Document]) -> None:
    assert chain.invoke(BUNDLE) == expected


def test_a_batch_splits_in_threads(chain: Runnable[Path, list[Document]], expected: list[Document]) -> None:
    assert chain.batch([BUNDLE] * 8, {"max_concurrency": 4}) == [expected] * 8


def test_a_chain_can_be_awaited(chain: Runnable[Path, list[Document]], expected: list[Document]) -> None:
    assert asyncio.run(chain.ainvoke(BUNDLE)) == expected
    assert asyncio.run(chain.abatch([BUNDLE] * 3)) == [expected] * 3


def test_loading_and_splitting_can_be_awaited(expected: list[Document]) -> None:
    async def run() -> list[Document]:
        blocks = await SemanticXmlLoader(BUNDLE).aload()
        return list(await SPLITTER.atransform_documents(blocks))

    assert asyncio.run(run()) == expected


class Folder(BlobLoader):
    """Finds the blobs of a folder: what a loader for a bucket or a database does for its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @override
    def yield_blobs(self) -> Iterator[Blob]:
        return map(Blob.from_path, sorted(self._folder.glob("*.xml")))


def test_a_blob_loader_feeds_the_parser_and_the_parser_the_splitter(expected: list[Document]) -> None:
    parser = SemanticXmlBlobParser()
    blocks = (document for blob in Folder(BUNDLE.parent).yield_blobs() for document in parser.lazy_parse(blob))
    assert list(SPLITTER.lazy_split_documents(blocks)) == expected
