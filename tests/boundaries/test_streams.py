"""A stream gives the Documents of the whole text, however it is chopped, and holds no more of it than it needs."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._boundaries import streams
from tests.laws.strategies import Bundle, bundles, texts

FILE = '<file path="{}">\nx = 1\n</file>\n\n'


@pytest.fixture(autouse=True)
def _small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make windows so small that every text has many."""
    monkeypatch.setattr(streams, "_SMALLEST_WINDOW", 16)
    monkeypatch.setattr(streams, "_USUAL_WINDOW", 64)
    monkeypatch.setattr("langchain_semantic_xml._boundaries.horizon._FAR", 16)


def chopped(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


@settings(max_examples=100)
@given(bundles(), st.sampled_from([1, 7, 4096]), st.sampled_from([30, 100, 1000]))
def test_a_chopped_bundle_gives_the_documents_of_the_whole(bundle: Bundle, piece: int, size: int) -> None:
    splitter = SemanticXmlSplitter(size, chunk_overlap=size // 4)
    assert list(splitter.lazy_split_text(chopped(bundle.text, piece))) == splitter.create_documents([bundle.text])


@settings(max_examples=100)
@given(texts(), st.sampled_from([1, 7, 4096]))
def test_chopped_garbage_gives_the_documents_of_the_whole(text: str, piece: int) -> None:
    splitter = SemanticXmlSplitter(60)
    assert list(splitter.lazy_split_text(chopped(text, piece))) == splitter.create_documents([text])


def test_elements_without_line_ends_go_on_after_cdata_whose_closing_is_not_yet_at_hand() -> None:
    numbered = '<document index="1">x</document>'
    text = f"text <files a='>'><file path='c'><![CDATA[</file>]]></file>{numbered}{numbered}</files>"
    splitter = SemanticXmlSplitter(60)
    assert list(splitter.lazy_split_text(chopped(text, 7))) == splitter.create_documents([text])


def test_the_first_document_comes_before_the_stream_is_read() -> None:
    read = 0

    def pieces() -> Iterator[str]:
        nonlocal read
        for read in range(1000):
            yield FILE.format(read)

    documents = SemanticXmlSplitter(40).lazy_split_text(pieces())
    assert next(documents).metadata["identity"] == "0"
    assert read < 20
    assert [document.metadata["identity"] for document in documents] == [str(number) for number in range(1, 1000)]


def test_an_open_file_is_a_stream() -> None:
    text = FILE.format("a") * 9
    splitter = SemanticXmlSplitter(40)
    assert list(splitter.lazy_split_text(io.StringIO(text))) == splitter.create_documents([text])


def test_an_element_that_never_closes_is_waited_for_no_longer_than_the_lookahead() -> None:
    text = '<file path="open">\n' + "never closed\n" * 50 + '<output command="ls">\nb\n</output>\n' * 100
    documents = list(SemanticXmlSplitter(60).lazy_split_text(chopped(text, 10), lookahead=400))
    assert "".join(document.page_content for document in documents).count("<output") == 100
    assert sum(document.metadata["block_type"] == "output" for document in documents) == 100


def test_what_is_no_stream_of_text_is_refused() -> None:
    splitter = SemanticXmlSplitter()
    with pytest.raises(TypeError, match=r"text_or_stream\[0\] must be a str, not bytes"):
        list(splitter.lazy_split_text(io.BytesIO(b"x")))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="text_or_stream must be a str, not int"):
        splitter.lazy_split_text(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lookahead=0"):
        splitter.lazy_split_text([], lookahead=0)


def test_documents_of_a_stream_have_the_metadata_given_for_it() -> None:
    splitter = SemanticXmlSplitter(60)
    documents = list(splitter.lazy_split_text(chopped(FILE * 9, 7), metadata={"source": "a.xml"}))
    assert documents == splitter.create_documents([FILE * 9], [{"source": "a.xml"}])


def test_what_is_no_mapping_is_refused_as_metadata() -> None:
    with pytest.raises(TypeError, match="metadata must be a mapping, not list"):
        SemanticXmlSplitter(60).lazy_split_text("x", metadata=["a"])  # type: ignore[arg-type]
