"""`ContextPacker` as the last step of LangChain's own `DocumentCompressorPipeline`, behind a retriever."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from typing_extensions import override

from langchain_semantic_xml import ContextPacker, SemanticXmlSplitter, parse_blocks
from tests.paths import BUNDLE

pytestmark = pytest.mark.integration

TEXT = BUNDLE.read_text(encoding="utf-8")
CHUNKS = SemanticXmlSplitter(300).create_documents([TEXT], [{"source": "bundle.xml"}])
PACKER = ContextPacker(1500, sources={"bundle.xml": TEXT})


class WordRetriever(BaseRetriever):
    """Ranks the chunks by how many words of the question they hold."""

    @override
    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        words = query.lower().split()
        return sorted(CHUNKS, key=lambda chunk: -sum(word in chunk.page_content.lower() for word in words))


def test_it_is_a_step_of_a_compressor_pipeline() -> None:
    """Rule: L9."""
    retrievers = pytest.importorskip("langchain_classic.retrievers")
    compressors = pytest.importorskip("langchain_classic.retrievers.document_compressors")
    pipeline = compressors.DocumentCompressorPipeline(transformers=[PACKER])
    retriever = retrievers.ContextualCompressionRetriever(base_compressor=pipeline, base_retriever=WordRetriever())
    packed = retriever.invoke("which tea is unknown")
    assert packed == PACKER.transform_documents(WordRetriever().invoke("which tea is unknown"))
    assert packed
    assert len(PACKER.format(packed)) <= 1500
    assert asyncio.run(retriever.ainvoke("which tea is unknown")) == packed


def test_it_fills_a_prompt_in_a_chain() -> None:
    """Rule: L9."""
    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    context = WordRetriever() | PACKER.transform_documents | PACKER.format
    chain = {"context": context, "question": RunnablePassthrough()} | prompt
    message = chain.invoke("which tea is unknown").to_messages()[0].content
    assert isinstance(message, str)
    blocks = parse_blocks(message.removesuffix("\n\nwhich tea is unknown"))
    assert any(block.identity == "src/teapot/brew.py" and "lines" in block.attributes for block in blocks)
