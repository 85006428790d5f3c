"""The splitters that are compared: corpus and chunk size → chunks with their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from langchain_semantic_xml import SemanticXmlSplitter
from tests.benchmarks.retrieval.corpora import Corpus
from tests.benchmarks.retrieval.pieces import Located, locate, place

Split = Callable[[str], Sequence[str]]
Make = Callable[[int], Split]


class Splitter(NamedTuple):
    """A splitter.

    Args:
        name: What tables call it.
        split: Cuts a corpus into chunks of a size; raises `ImportError` where its package is not installed.
    """

    name: str
    split: Callable[[Corpus, int], Located]


def ours(mode: str, options: Mapping[str, Any]) -> Splitter:
    """Return one of our ways, as the splitter that it is compared as."""

    def split(corpus: Corpus, size: int) -> Located:
        documents = SemanticXmlSplitter(size, **options).create_documents([corpus.text])
        pieces = []
        for document in documents:
            span = corpus.ink.span(document.metadata["start_index"], document.metadata["end_index"])
            pieces.append(place(document.page_content, span, corpus.ink))
        return Located(pieces, lost=0)

    return Splitter(f"ours: {mode}", split)


def _whole(name: str, make: Make) -> Splitter:
    """Return a splitter that is given the bundle as it is."""
    return Splitter(name, lambda corpus, size: locate(make(size)(corpus.text), corpus.ink))


def _per_file(name: str, make: Make) -> Splitter:
    """Return a splitter that is given file by file, each chunk headed by the line that names its file.

    What whoever knows of the files would do by hand: it tells what the path is worth from what the boundaries are.
    """

    def split(corpus: Corpus, size: int) -> Located:
        pieces = []
        lost = 0
        for path, (start, end) in corpus.files:
            head = f'<file path="{path}">\n'
            texts = make(size - len(head))(corpus.text[start:end])
            located = locate(texts, corpus.ink, corpus.ink.span(start, end), head)
            pieces += located.pieces
            lost += located.lost
        return Located(pieces, lost)

    return Splitter(f"{name}, per file with its path", split)


def _recursive(size: int) -> Split:
    return RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0).split_text


def _recursive_python(size: int) -> Split:
    return RecursiveCharacterTextSplitter.from_language(Language.PYTHON, chunk_size=size, chunk_overlap=0).split_text


def _semantic_text_splitter(size: int) -> Split:
    splitter = import_module("semantic_text_splitter").TextSplitter(size)
    return lambda text: list(splitter.chunks(text))


def _code_splitter(size: int) -> Split:
    splitter = import_module("semantic_text_splitter").CodeSplitter(
        import_module("tree_sitter_python").language(), size
    )
    return lambda text: list(splitter.chunks(text))


def _chonkie(size: int) -> Split:
    chunker = import_module("chonkie").RecursiveChunker(tokenizer="character", chunk_size=size)
    return lambda text: [chunk.text for chunk in chunker(text)]


def _unstructured(size: int) -> Split:
    chunk_elements = import_module("unstructured.chunking.basic").chunk_elements
    make_element = import_module("unstructured.documents.elements").Text

    def split(text: str) -> list[str]:
        elements = [make_element(paragraph) for paragraph in text.split("\n\n")]
        return [chunk.text for chunk in chunk_elements(elements, max_characters=size)]

    return split


BASELINE = _whole("RecursiveCharacterTextSplitter", _recursive)
"""What the others are compared with."""
PEERS = (
    _whole("RecursiveCharacterTextSplitter, Python", _recursive_python),
    _whole("semantic-text-splitter", _semantic_text_splitter),
    _whole("semantic-text-splitter, CodeSplitter", _code_splitter),
    _whole("chonkie RecursiveChunker", _chonkie),
    _whole("unstructured basic", _unstructured),
    _per_file("RecursiveCharacterTextSplitter", _recursive),
    _per_file("RecursiveCharacterTextSplitter, Python", _recursive_python),
    _per_file("semantic-text-splitter, CodeSplitter", _code_splitter),
)
