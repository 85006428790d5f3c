"""What the page says of chunks: their place, their lengths, their metadata."""

from __future__ import annotations

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._view.traces import trace
from langchain_semantic_xml.display import show_chunks
from tests.view.pages import (
    BUNDLE,
    PageReader,
    read,
    source_of,
    split,
)


def test_a_chunk_says_what_and_where_it_is() -> None:
    """Rule: M4."""
    of_text, of_file = (heading.text for heading in read(split(BUNDLE, 400)).of("h3")[:2])
    assert of_text == "1 text lines 1 to 3 · 123 characters"
    assert of_file == "2 file src/teapot/brew.py part 1 of 3 · lines 1 to 9 of the file · 303 characters"


def test_bars_are_shares_of_the_longest_chunk() -> None:
    page = read([Document("a" * 10), Document("b" * 40), Document("")])
    assert [bar.attributes["style"] for bar in page.of("span", "bar")] == ["--w:25.0%", "--w:100.0%", "--w:0.0%"]


def test_bars_are_shares_of_the_chunk_size_when_it_is_known() -> None:
    page = PageReader(show_chunks([Document("a" * 10), Document("b" * 50)], chunk_size=40).html)
    assert [bar.attributes["style"] for bar in page.of("span", "bar")] == ["--w:25.0%", "--w:100.0%"]
    assert "chunk size 40, filled 75% on average" in page.of("p", "sum")[0].text


def test_lengths_are_in_the_unit_of_the_length_function() -> None:
    view = show_chunks([Document("one two"), Document("one")], length_function=lambda t: len(t.split()), unit="words")
    page = PageReader(view.html)
    assert [element.text for element in page.of("span", "length")] == ["2", "1"]
    assert [element.text for element in page.of("bdi", "note")] == [
        "2 words · position unknown",
        "1 word · position unknown",
    ]
    assert "Length in words" in page.of("figcaption")[0].text


def test_a_length_function_without_a_unit_counts_units() -> None:
    page = PageReader(show_chunks([Document("one two")], length_function=lambda text: len(text.split())).html)
    assert page.of("p", "sum")[0].text.startswith("1 chunk · 2 units")


def test_each_kind_of_chunk_is_counted() -> None:
    documents = [Document("a" * 50), Document("b" * 9), Document("c" * 20, metadata={"part": 1, "parts": 2})]
    page = PageReader(show_chunks(documents, chunk_size=40).html)
    kinds = [button.text for button in page.of("button") if "data-kind" in button.attributes]
    assert kinds == ["cut 1", "small 1", "oversized 1"]


def test_the_list_tells_the_parts_of_a_file_apart() -> None:
    page = read(split(BUNDLE, 400))
    assert [element.text for element in page.of("span", "parts")][:3] == ["1/3", "2/3", "3/3"]


def test_neighbours_of_one_type_have_two_shades_and_parts_of_one_file_have_one() -> None:
    names = ["a", "b", "b", "c"]
    documents = [Document("x", metadata={"block_type": "file", "identity": name}) for name in names]
    classes = [article.attributes["class"] for article in read(documents).of("article")]
    assert classes == ["", "alternate", "alternate", ""]


def test_blanks_between_chunks_are_not_noted() -> None:
    assert read(split(BUNDLE, 300), BUNDLE).of("details", "gap") == read(split(BUNDLE, 300)).of("p", "gap") == []


def test_the_legend_counts_each_block_type() -> None:
    legend = [" ".join(label.text.split()) for label in read(split(BUNDLE, 4000)).of("label")]
    assert legend == ["mixed 1"]
    assert [" ".join(label.text.split()) for label in read(split(BUNDLE, 400)).of("label")] == [
        *("text 2", "file 4", "output 1", "document 2"),
    ]


def test_types_have_different_colours_whatever_their_number() -> None:
    page = read([Document("x", metadata={"block_type": f"t{number}"}) for number in range(60)])
    assert len({article.attributes["style"] for article in page.of("article")}) == 60


def test_an_oversized_chunk_is_marked() -> None:
    documents = SemanticXmlSplitter(100, oversized="keep").create_documents([BUNDLE])
    assert len(read(documents).of("span", "warn")) == sum(document.metadata["oversized"] for document in documents) > 0


def rows_of(document: Document) -> dict[str, str]:
    [metadata] = read([document]).of("pre", "meta")
    return {key: value for key, _, value in (line.partition("\t") for line in metadata.text.split("\n"))}


def test_every_key_of_the_metadata_is_shown_with_its_value() -> None:
    [document] = split("<file path='a.py'>\nx\n</file>", source="b.xml")
    assert rows_of(document) == {key: repr(value) for key, value in document.metadata.items()}


class OfTwoLines:
    """Prints as arrays do."""

    def __repr__(self) -> str:
        return "[[1]\n [2]]"


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        pytest.param("a\tb\n", 1, ("'a\\tb\\n'", "1"), id="tab and line end in a key"),
        pytest.param(7, None, ("7", "None"), id="key that is no string"),
        pytest.param("k", "a\nb\t\0\u202e\ud800", ("k", "'a\\nb\\t\\x00\\u202e\\ud800'"), id="controls in a value"),
        pytest.param("k", OfTwoLines(), ("k", "[[1]  [2]]"), id="object that prints two lines"),
        pytest.param("k", 12345678901234567890, ("k", "12345678901234567890"), id="number too large for JavaScript"),
        pytest.param("__proto__", "<b>", ("__proto__", "'<b>'"), id="key that JavaScript treats apart"),
        pytest.param("k", "x" * 5_000_000, ("k", f"'{'x' * 2000}'… 5,000,000 characters"), id="value of 5 MB"),
    ],
)
def test_metadata_of_any_kind_take_one_line_each(key: str, value: object, shown: tuple[str, str]) -> None:
    assert rows_of(Document("x", metadata={"before": 1} | {key: value})) == {"before": "1", shown[0]: shown[1]}


def test_the_id_of_a_document_is_shown_when_it_has_one() -> None:
    assert rows_of(Document("x", id="7", metadata={"id": "mine"})) == {"Document.id": "'7'", "id": "'mine'"}


def test_keys_that_the_source_has_taken_are_read_where_the_splitter_put_them() -> None:
    """Rule: M1, M3."""
    taken = {"block_type": "book", "start_index": "first", "end_index": "last", "part": "IV"}
    documents = SemanticXmlSplitter(300).create_documents([BUNDLE], [taken])
    assert source_of(trace(documents, BUNDLE)[0]) == BUNDLE
    assert "book" not in {label.text for label in read(documents).of("bdi", "type")}
