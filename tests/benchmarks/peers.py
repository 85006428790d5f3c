"""Other ways to cut a text, to compare with: what one writes first, LangChain's splitter, and other packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple

from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter

Split = Callable[[str], Sequence[object]]

_LAZY = re.compile(r"<file\b[^>]*>.*?</file>|<output\b[^>]*>.*?</output>", re.DOTALL)


class Peer(NamedTuple):
    """Another splitter.

    Args:
        name: What tables call it.
        make: Makes it for a chunk size; raises `ImportError` where its package is not installed.
    """

    name: str
    make: Callable[[int], Split]


def find_lazily(text: str) -> list[str]:
    """Cut out elements by the plain algorithm: the first closing tag wins, and the search goes on in what remains."""
    blocks = []
    while match := _LAZY.search(text):
        blocks += [text[: match.start()], match[0]]
        text = text[match.end() :]
    return [*blocks, text]


def _recursive(size: int) -> Split:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0, add_start_index=True)

    def split(text: str) -> list[Document]:
        return splitter.create_documents([text])

    return split


def _semantic_text_splitter(size: int) -> Split:
    splitter = import_module("semantic_text_splitter").TextSplitter(size)
    return lambda text: list(splitter.chunks(text))


def _chonkie(size: int) -> Split:
    chunker = import_module("chonkie").RecursiveChunker(tokenizer="character", chunk_size=size)
    return lambda text: list(chunker(text))


def _fast_chonkie(size: int) -> Split:
    chunker = import_module("chonkie").FastChunker(chunk_size=size)
    return lambda text: list(chunker(text))


def _semchunk(size: int) -> Split:
    chunker = import_module("semchunk").chunkerify(len, size, memoize=False)

    def split(text: str) -> list[str]:
        chunks, _offsets = chunker(text, offsets=True)
        return list(chunks)

    return split


def _unstructured(size: int) -> Split:
    chunk_elements = import_module("unstructured.chunking.basic").chunk_elements
    make_element = import_module("unstructured.documents.elements").Text

    def split(text: str) -> list[object]:
        return list(chunk_elements([make_element(paragraph) for paragraph in text.split("\n\n")], max_characters=size))

    return split


RECURSIVE = Peer("RecursiveCharacterTextSplitter", _recursive)
OTHERS = (
    Peer("semantic-text-splitter", _semantic_text_splitter),
    Peer("chonkie RecursiveChunker", _chonkie),
    Peer("chonkie FastChunker (bytes)", _fast_chonkie),
    Peer("semchunk", _semchunk),
    Peer("unstructured chunk_elements", _unstructured),
)
