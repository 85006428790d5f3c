"""Where the text of each chunk comes from: its own text, overlap, repeated tags, gaps between chunks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._view.traces import Stretch, trace
from tests.laws.strategies import Bundle, bundles
from tests.view.pages import (
    BUNDLE,
    origins,
    read,
    source_of,
    split,
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("overlap", [0, 60])
@pytest.mark.parametrize("size", [120, 300, 4000])
def test_what_is_new_in_the_chunks_and_what_is_between_them_is_the_source(
    size: int, overlap: int, newline: str
) -> None:
    """Rule: L3."""
    text = BUNDLE.replace("\n", newline)
    assert "".join(element.text for element in read(split(text, size, overlap), text).of("span", "own")) == text


@given(bundles(), st.sampled_from((30, 80, 300)), st.sampled_from((0, 10)), st.sampled_from((None, "\n\n", "\n---\n")))
def test_every_bundle_is_shown_whole_and_once(bundle: Bundle, size: int, overlap: int, separator: str | None) -> None:
    """Rule: L3."""
    text = bundle.text
    documents = SemanticXmlSplitter(size, overlap, separator=separator).create_documents([text])
    for traced in trace(documents, text):
        assert all(chunk.placed for chunk in traced.chunks)
        assert source_of(traced) == text


@given(bundles(), st.sampled_from((30, 80, 300)), st.sampled_from((0, 10)))
def test_without_the_source_the_stretches_of_a_chunk_are_its_text(bundle: Bundle, size: int, overlap: int) -> None:
    text = bundle.text
    documents = SemanticXmlSplitter(size, overlap).create_documents([text])
    chunks = [chunk for traced in trace(documents) for chunk in traced.chunks]
    assert ["".join(p.text for p in c.stretches) for c in chunks] == [d.page_content for d in documents]


@pytest.mark.parametrize("overlap", [0, 60])
@pytest.mark.parametrize("size", [200, 300, 400])
def test_tags_and_overlap_are_told_without_the_source_as_they_are_with_it(size: int, overlap: int) -> None:
    documents = split(BUNDLE, size, overlap)
    with_source, without = trace(documents, BUNDLE)[0], trace(documents)[0]
    assert [chunk.stretches for chunk in without.chunks] == [chunk.stretches for chunk in with_source.chunks]


def test_the_tags_that_a_part_repeats_are_told_from_its_own_text() -> None:
    text = f'<file path="a.py">\n{"x = 1" * 40}\n</file>'
    first, middle, *_, last = trace(split(text, 120))[0].chunks
    assert (origins(first).get("tag"), first.stretches[-1].text) == ("\n</file>", "\n</file>")
    assert (middle.stretches[0].text, middle.stretches[-1].text) == ('<file path="a.py">\n', "\n</file>")
    assert origins(last)["tag"] == '<file path="a.py">\n'
    assert origins(last)["own"].endswith("\n</file>")


def test_tags_are_told_from_lines_that_all_parts_share() -> None:
    text = '<file path="a.py">\n' + "<p>\n</p>\n" * 60 + "</file>"
    for chunk in trace(split(text, 120))[0].chunks[1:-1]:
        assert (chunk.stretches[0].text, chunk.stretches[-1].text) == ('<file path="a.py">\n', "\n</file>")


def test_a_middle_part_tells_its_tags_without_the_part_before_it() -> None:
    middle = split(f'<file path="a.py">\n{"x = 1" * 40}\n</file>', 120)[1]
    stretches = trace([middle])[0].chunks[0].stretches
    assert [stretch.origin for stretch in stretches] == ["tag", "own", "tag"]
    assert (stretches[0].text, stretches[-1].text) == ('<file path="a.py">\n', "\n</file>")


def test_overlap_is_told_where_the_separator_is_not_the_white_space_of_the_source() -> None:
    text = "\n".join(f'<file path="{number}.py">\nx\n</file>' for number in range(9))
    documents = split(text, 160, 90)
    _, second, *_ = trace(documents)[0].chunks
    repeated = origins(second)["overlap"]
    assert repeated.count("</file>") == 3
    assert documents[0].page_content.endswith(repeated)
    assert not origins(second)["own"].strip().startswith("</file>")


def test_the_characters_between_chunks_are_counted_without_the_source_and_shown_with_it() -> None:
    text = "aaa, bbb"
    chunks = [Document("aaa", metadata={"start_index": 0}), Document("bbb", metadata={"start_index": 5})]
    notes = [element.attributes.get("data-note") for element in read(chunks).of("p", "gap")]
    assert notes == ["2 characters in no chunk"]
    shown = read(chunks, text)
    assert [element.text for element in shown.of("details", "gap")] == ["2 characters in no chunk, "]


def test_overlap_of_another_splitter_is_told_by_its_positions() -> None:
    splitter = RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=50, add_start_index=True)
    documents = splitter.create_documents([BUNDLE])
    [alone], [with_source] = trace(documents), trace(documents, BUNDLE)
    assert source_of(with_source) == BUNDLE
    assert [chunk.stretches for chunk in alone.chunks] == [chunk.stretches for chunk in with_source.chunks]
    assert any(stretch.origin == "overlap" for chunk in alone.chunks for stretch in chunk.stretches)


def test_without_positions_nothing_is_claimed() -> None:
    documents = RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=50).create_documents([BUNDLE])
    page = read(documents)
    assert [code.text for code in page.of("code", "t")] == [document.page_content for document in documents]
    assert all("position unknown" in heading.text for heading in page.of("h3"))
    assert page.of("span", "overlap") == page.of("p", "gap") == []


@pytest.mark.parametrize(
    "metadata",
    [
        {"start_index": -1}, {"start_index": "0"}, {"start_index": True}, {"start_index": 2, "end_index": 1},
        {"start_index": None}, {"start_index": 90, "end_index": 93}, {"start_index": 3},
    ],
    ids=str,
)  # fmt: skip
def test_a_position_that_cannot_be_or_holds_other_text_is_not_believed(metadata: dict[str, object]) -> None:
    [traced] = trace([Document("abc", metadata=metadata)], "abc, def")
    assert [(chunk.placed, chunk.stretches) for chunk in traced.chunks] == [(False, (Stretch("abc", "own"),))]


@pytest.mark.parametrize(
    ("metadatas", "groups"),
    [
        pytest.param([{"source": "a"}, {"source": "a"}, {"source": "b"}], [("a", 2), ("b", 1)], id="source"),
        pytest.param([{"parent_id": "1"}, {"parent_id": "2"}], [("1", 1), ("2", 1)], id="parent_id"),
        pytest.param(
            [{"start_index": 0}, {"start_index": 9}, {"start_index": 4}], [(None, 2), (None, 1)], id="restart"
        ),
        pytest.param([{"start_index": 0}, {"start_index": 0}], [(None, 1), (None, 1)], id="same place twice"),
        pytest.param([{"source": ["a", 1]}, {"source": ["a", 1]}], [("['a', 1]", 2)], id="unhashable source"),
        pytest.param([{}, {}], [(None, 2)], id="nothing known"),
    ],
)
def test_chunks_are_grouped_by_their_source(
    metadatas: list[dict[str, object]], groups: list[tuple[str | None, int]]
) -> None:
    traced = trace([Document("text", metadata=metadata) for metadata in metadatas])
    assert [(source.name, len(source.chunks)) for source in traced] == groups


def test_each_of_several_sources_has_a_heading() -> None:
    documents = [*split(source="a.xml"), *split(source="b.xml"), *split()]
    assert [heading.text for heading in read(documents).of("h2")] == ["a.xml", "b.xml", "Source 3"] * 2


def test_with_the_source_chunks_in_any_order_are_shown_in_its_order_with_their_own_numbers() -> None:
    [traced] = trace(list(reversed(split(BUNDLE, 300))), BUNDLE)
    count = len(traced.chunks)
    assert [chunk.number for chunk in traced.chunks] == list(range(count, 0, -1))
    assert source_of(traced) == BUNDLE
