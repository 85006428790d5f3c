"""Texts that the tests split, and how they split them: each time the laws are asserted for the Documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.laws.checks import check_laws


def file(path: str, *lines: str, name: str = "file") -> str:
    """Write an element with lines of its own, without a line end after it."""
    return "\n".join([f"<{name} path='{path}'>", *lines, f"</{name}>"])


def big(path: str = "big", lines: int = 30) -> str:
    """Write an element of about 12 characters a line."""
    return file(path, *(f"some words {number}" for number in range(lines)))


def small(count: int) -> str:
    """Write elements `a` of eight characters each, one a line; two of them and a separator have 18."""
    return "\n".join(f"<a>{number}</a>" for number in range(count))


def split(text: str, chunk_size: int = 4000, **options: Any) -> list[str]:  # noqa: ANN401 - the splitter's options
    """Split a text; assert the laws for the Documents, and that both eager doors agree; return the contents."""
    splitter = SemanticXmlSplitter(chunk_size, **options)
    documents = splitter.create_documents([text])
    check_laws(text, documents, chunk_size=chunk_size, **options)
    contents = [document.page_content for document in documents]
    assert splitter.split_text(text) == contents
    return contents


def words(text: str) -> int:
    return len(text.split())


def utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def contents(documents: Iterable[Document]) -> list[str]:
    return [document.page_content for document in documents]


def own_metadata() -> dict[str, Any]:
    return {"tags": ["t"], "nested": {"list": [{"deep": 1}]}, "set": {1}, "source": "b.xml"}


A, B = file("a", "1"), file("b", "2")  # 27 characters each
BUNDLE = f"# Files\n<files>\n{A}\n\n{B}\n</files>\n\n<output command='ls'>\na b\n</output>\nDone.\n"
