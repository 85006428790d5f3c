"""Texts that nobody writes by hand, of sizes that nobody expects: the laws hold, and every run ends.

No test measures time. What costs more than the length of the text would not end: it would take hours here.

Rule: L6.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter, iter_blocks, parse_blocks
from tests.laws.checks import check_laws

COMMAND = "".join(f"--option-{number}='a > b' " for number in range(220_000))
ATTRIBUTES = {f"a{number}": f"v{number}" for number in range(100_000)}
LEVELS = 5_000


def huge_command() -> str:
    return f'Before.\n\n<output command="{COMMAND}">\ndone\n</output>\n\nAfter.\n'


def many_attributes() -> str:
    written = " ".join(f'{name}="{value}"' for name, value in ATTRIBUTES.items())
    return f'<file path="a.py" {written}>\nx = 1\n</file>\n'


def test_a_command_of_5_mb_is_one_attribute() -> None:
    assert len(COMMAND) > 5_000_000
    [before, output, after] = parse_blocks(huge_command())
    assert (before.content.strip(), after.content.strip()) == ("Before.", "After.")
    assert output.identity == output.attributes["command"] == COMMAND


@pytest.mark.parametrize("separator", ["\n\n", None], ids=["separated", "as in the source"])
def test_a_command_of_5_mb_is_kept_in_one_chunk(separator: str | None) -> None:
    text = huge_command()
    chunks = SemanticXmlSplitter(oversized="keep", separator=separator).create_documents([text])
    check_laws(text, chunks, oversized="keep", separator=separator)
    assert [chunk.metadata["identity"] for chunk in chunks] == [None, COMMAND, None]


@pytest.mark.slow  # what is slow are the laws, which look for each part in the whole
@pytest.mark.parametrize("overlap", [0, 99])
def test_a_command_of_5_mb_keeps_the_laws_when_it_is_cut(overlap: int) -> None:
    text = huge_command()
    chunks = SemanticXmlSplitter(50_000, overlap).create_documents([text])
    check_laws(text, chunks, chunk_size=50_000, chunk_overlap=overlap)
    assert {chunk.metadata["identity"] for chunk in chunks} == {None, COMMAND}


def test_100_000_attributes_are_all_read() -> None:
    text = many_attributes()
    [block] = parse_blocks(text)
    assert block.attributes == {"path": "a.py", **ATTRIBUTES}
    [chunk] = SemanticXmlSplitter(oversized="keep").create_documents([text])
    assert {name: chunk.metadata[name] for name in ATTRIBUTES} == ATTRIBUTES
    assert chunk.metadata["oversized"] is True


@pytest.mark.slow
def test_100_000_attributes_keep_the_laws_when_they_are_cut() -> None:
    text = many_attributes()
    chunks = SemanticXmlSplitter(50_000).create_documents([text])
    assert len(chunks) > 20
    check_laws(text, chunks, chunk_size=50_000)
    assert all(chunk.metadata["a99999"] == "v99999" for chunk in chunks)


MILLION = {
    "elements between text": ("some text\n<output command='ls'>\nx\n</output>\n", 500_000),
    "elements on one line": ("<file path='a'>x</file> ", 1_000_000),
}
"""A text, and how often it stands for a million blocks."""


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "repetitions"), MILLION.values(), ids=MILLION)
def test_a_million_blocks_are_found_in_order(unit: str, repetitions: int) -> None:
    text = unit * repetitions
    count = end = 0
    for block in iter_blocks(text):
        assert end <= block.start < block.end
        end = block.end
        count += 1
    assert count == 1_000_000
    assert len(text) - end <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "repetitions"), MILLION.values(), ids=MILLION)
def test_a_million_blocks_are_split_one_document_at_a_time(unit: str, repetitions: int) -> None:
    pieces = (unit for _ in range(repetitions))
    covered = elements = 0
    for chunk in SemanticXmlSplitter(4000).lazy_split_text(pieces):
        assert len(chunk.page_content) <= 4000
        assert chunk.metadata["start_index"] - covered <= 1, "only the white space between blocks is in no chunk"
        covered = chunk.metadata["end_index"]
        elements += len(chunk.metadata["identities"])
    assert elements == repetitions
    assert len(unit) * repetitions - covered <= 1


def levels(style: str) -> str:
    """Open an element 5,000 times and close it as often, or not at all."""
    opening, closing = {
        "lines": ("<file path='a'>\n", "</file>\n"),
        "indented": (" <file path='a'>\n", " </file>\n"),
        "one line": ("<file path='a'>", "</file>"),
        "two kinds": ("<file path='a'>\n<output command='b'>\n", "</output>\n</file>\n"),
        "containers": ("<files>\n<file path='a'>\n", "</file>\n</files>\n"),
        "never closed": ("<file path='a'>\n", ""),
        "never opened": ("", "</file>\n"),
        "CDATA": ("<file path='a'><![CDATA[", "]]></file>"),
        "quotes": ("<file path='a", "'>x</file>"),
        "fences": ("```\n<file path='a'>\n", "</file>\n```\n"),
    }[style]
    return opening * LEVELS + "x\n" + closing * LEVELS


STYLES = [
    "lines",
    "indented",
    "one line",
    "two kinds",
    "containers",
    "never closed",
    "never opened",
    "CDATA",
    "quotes",
    "fences",
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("overlap", [0, 50])
def test_5000_levels_keep_the_laws(style: str, overlap: int) -> None:
    text = levels(style)
    limit = sys.getrecursionlimit()
    chunks = SemanticXmlSplitter(1_000, overlap).create_documents([text])
    assert sys.getrecursionlimit() == limit
    check_laws(text, chunks, chunk_size=1_000, chunk_overlap=overlap)


@pytest.mark.parametrize("style", STYLES)
def test_5000_levels_are_the_same_from_a_stream(style: str) -> None:
    """A stream gives the Documents of the whole text.

    Rule: L7.
    """
    text = levels(style)
    splitter = SemanticXmlSplitter(1_000)
    pieces = (text[start : start + 777] for start in range(0, len(text), 777))
    assert list(splitter.lazy_split_text(pieces)) == splitter.create_documents([text])


LARGE = {
    "one line": "x" * 10_000_000,
    "lines": "some words\n" * 1_000_000,
    "blank lines": "x" + "\n" * 10_000_000 + "x",
    "lines with closing tags": "a line of text with </file> in it\n" * 300_000,
    "one cluster": "e" + "\u0301" * 10_000_000,
    "surrogates": "\ud800\udc00" * 5_000_000,
    "NUL": "\0" * 10_000_000,
}


@pytest.mark.parametrize("body", LARGE.values(), ids=LARGE)
def test_10_mb_in_one_chunk_are_kept_whole(body: str) -> None:
    text = f"<file path='a'>\n{body}\n</file>"
    [chunk] = SemanticXmlSplitter(oversized="keep").create_documents([text])
    assert chunk.page_content == text
    assert (chunk.metadata["oversized"], chunk.metadata["start_index"], chunk.metadata["end_index"]) == (
        True, 0, len(text),
    )  # fmt: skip
    assert chunk.metadata["end_line"] == text.count("\n") + 1


@pytest.mark.slow
@pytest.mark.parametrize("body", LARGE.values(), ids=LARGE)
def test_10_mb_in_one_element_are_cut(body: str) -> None:
    text = f"<file path='a'>\n{body}\n</file>"
    covered = 0
    for chunk in SemanticXmlSplitter(10_000, repeat=None).lazy_split_text(text):
        assert len(chunk.page_content) <= 10_000 or chunk.metadata["oversized"]
        assert not text[covered : chunk.metadata["start_index"]].strip()
        covered = chunk.metadata["end_index"]
    assert covered == len(text)


def documents(count: int) -> Iterator[Document]:
    for number in range(count):
        yield Document(page_content=f"<file path='{number}'>\nx\n</file>" * (number % 3), id=str(number))


@pytest.mark.slow
def test_documents_by_the_hundred_thousand_are_split_one_after_the_other() -> None:
    seen = [chunk.metadata["parent_id"] for chunk in SemanticXmlSplitter().lazy_split_documents(documents(100_000))]
    assert seen == [str(number) for number in range(100_000) if number % 3]
