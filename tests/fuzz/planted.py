"""A planted fault, by which the tests of the fuzzer know that it finds one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter


class Forgetful(SemanticXmlSplitter):
    """A splitter that forgets the last chunk of a text that has a quote in it."""

    def create_documents(
        self, texts: Iterable[str], metadatas: Iterable[Mapping[Any, Any]] | None = None
    ) -> list[Document]:
        listed = list(texts)
        documents = super().create_documents(listed, metadatas)
        return documents[:-1] if any('"' in text for text in listed) else documents
