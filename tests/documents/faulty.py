"""The splitter that one writes first, with the faults that people report of splitters.

A test that no faulty splitter fails proves little: `fails_for` runs each check twice, and wants the second run to fail.
"""

from __future__ import annotations

import functools
import inspect
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import Any, Protocol

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter

NOTICED = (AssertionError, pytest.fail.Exception)


class Splitter(Protocol):
    """What the checks ask for, of ours and of others."""

    def split_text(self, text: str) -> list[str]:
        """Return the contents of the chunks."""

    def create_documents(
        self, texts: Iterable[str], metadatas: Iterable[Mapping[Any, Any]] | None = None
    ) -> list[Document]:
        """Return the chunks."""

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Return the chunks."""


Make = Callable[..., Splitter]
Check = Callable[..., None]


def fails_for(
    faulty: Make, error: type[BaseException] | tuple[type[BaseException], ...] = NOTICED
) -> Callable[[Check], Check]:
    """Make a test of a check: our splitter passes it, and one that has the fault does not."""

    def decorate(check: Check) -> Check:
        @functools.wraps(check)
        def test(**arguments: object) -> None:
            check(make=SemanticXmlSplitter, **arguments)
            with pytest.raises(error):
                check(make=faulty, **arguments)

        signature = inspect.signature(check)
        others = [parameter for name, parameter in signature.parameters.items() if name != "make"]
        test.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined] # what pytest reads
        return test

    return decorate


class Faulty:
    """Finds elements with a lazy pattern, adds lengths up, searches for positions, and strips whatever it cuts."""

    def __init__(
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 0,
        length_function: Callable[[str], int] = len,
        *,
        separator: str = "\n\n",
        elements: Sequence[str] = ("file", "output"),
        isolate: Sequence[str] | bool = (),
        **_: object,
    ) -> None:
        self.chunk_size = chunk_size
        self.chunk_overlap = chunk_overlap
        self.length_function = length_function
        self.separator = separator
        self.isolate = bool(isolate)
        self.element = re.compile(rf"<({'|'.join(elements)})\b[^>]*>.*?</\1>", re.DOTALL)

    def split_text(self, text: str) -> list[str]:
        chunks: list[str] = []
        taken: list[str] = []
        for block in self.blocks(text):
            if self.length_function(block) > self.chunk_size:
                logging.getLogger(__name__).info("a chunk is longer than %d", self.chunk_size)
            if taken and (self.isolate or sum(map(self.length_function, [*taken, block])) > self.chunk_size):
                chunks.append(self.joined(taken))
                taken = [chunks[-1][-self.chunk_overlap :]] if self.chunk_overlap else []
            taken.append(block)
        return [*chunks, self.joined(taken)] if taken else chunks

    def blocks(self, text: str) -> list[str]:
        text = re.sub(r"```.*?(```|\Z)", "", text, flags=re.DOTALL)
        elements: list[str] = []

        def hide(match: re.Match[str]) -> str:
            elements.append(match[0])
            return f"@@{len(elements) - 1}@@"

        pieces = re.split(r"(@@\d+@@)|\n\n", self.element.sub(hide, text))
        shown = [re.sub(r"@@(\d+)@@", lambda match: elements[int(match[1])], piece or "") for piece in pieces]
        return [unescape(block).strip() for block in shown if block]

    def joined(self, blocks: Sequence[str]) -> str:
        text = self.separator.join(blocks)
        return "\n\n".join(re.split(self.separator, text)) if self.separator != "\n\n" else text

    def create_documents(
        self, texts: Iterable[str], metadatas: Iterable[Mapping[Any, Any]] | None = None
    ) -> list[Document]:
        texts = [text for text in texts if text]
        documents = []
        for text, metadata in zip(texts, metadatas or [{}] * len(texts), strict=False):
            for chunk in self.split_text(text):
                attributes = dict(re.findall(r'(\w+)="([^"]*)"', unescape(chunk.partition(">")[0])))
                own = {**metadata, **attributes, "start_index": text.find(chunk)}
                documents.append(Document(page_content=chunk, metadata=own))
        return documents

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        documents = list(documents)
        return self.create_documents(
            [document.page_content for document in documents], [document.metadata for document in documents]
        )


class Hashing(Faulty):
    """Makes ids of the metadata, as if each value could be hashed."""

    def create_documents(
        self, texts: Iterable[str], metadatas: Iterable[Mapping[Any, Any]] | None = None
    ) -> list[Document]:
        documents = super().create_documents(texts, metadatas)
        for document in documents:
            document.id = str(hash(tuple(sorted(document.metadata.items()))))
        return documents


class Remembering(Faulty):
    """Keeps what it has found until the next call."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - those of the class
        super().__init__(*arguments, **options)
        self.found: list[str] = []

    def blocks(self, text: str) -> list[str]:
        self.found += super().blocks(text)
        return self.found


class Reordering(Faulty):
    """Takes the elements first, then the text that is left."""

    def blocks(self, text: str) -> list[str]:
        elements = [match[0] for match in self.element.finditer(text)]
        return [*elements, *filter(None, map(str.strip, self.element.sub("\n\n", text).split("\n\n")))]


class Descending(Faulty):
    """Looks for the end of an element by calling itself at every tag inside."""

    def blocks(self, text: str) -> list[str]:
        tags: Iterator[re.Match[str]] = re.finditer(r"<(/?)file\b[^>]*>", text)

        def end_of_element() -> int:
            for tag in tags:
                if tag[1]:
                    return tag.end()
                end_of_element()
            return len(text)

        return [text[: end_of_element()]]


class Forgetful(SemanticXmlSplitter):
    """A splitter with a fault: it forgets the last chunk of a text that has a quote in it."""

    def create_documents(
        self, texts: Iterable[str], metadatas: Iterable[Mapping[Any, Any]] | None = None
    ) -> list[Document]:
        listed = list(texts)
        documents = super().create_documents(listed, metadatas)
        return documents[:-1] if any('"' in text for text in listed) else documents
