"""Small inputs with their right answers, from `tests/data/cases`; anyone can add one without reading code.

A case whose rule is not built yet waits in `CHUNKS_THAT_WAIT` for the issue that builds it. Such a case must fail: the
issue that makes it pass takes its line out of the table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypedDict, TypeVar

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import (
    Block,
    SemanticXmlSplitter,
    has_semantic_elements,
    iter_blocks,
    parse_blocks,
    section_blocks,
)
from tests.laws.checks import BYTE_ORDER_MARK, check_laws
from tests.paths import DATA

CASES = DATA / "cases"


class ExpectedBlock(TypedDict, total=False):
    type: str
    content: str
    identity: str | None
    attributes: dict[str, str]
    lines: int


class BlocksCase(TypedDict):
    id: str
    text: str
    elements: list[str] | None
    blocks: list[ExpectedBlock]


class SectionsCase(TypedDict):
    id: str
    texts: list[str]
    options: SectionOptions
    sections: list[str]


class SectionOptions(TypedDict, total=False):
    chunk_size: int


class ChunkOptions(TypedDict, total=False):
    chunk_size: int
    chunk_overlap: int
    elements: list[str]
    strip_whitespace: bool
    separator: str | None
    new_after: int
    combine_under: int | None
    isolate: list[str]
    oversized: Literal["split", "keep", "error"]


class Must(TypedDict, total=False):
    lines_are_source_lines: bool
    no_edge: list[str]
    starts_with: str
    ends_with: str
    first_chunk: str
    second_starts: str
    chunk_count: int
    parts_overlap_lines: bool


class ChunksCase(TypedDict):
    id: str
    text: str
    source_metadata: dict[str, object]
    options: ChunkOptions
    chunks: list[str] | None
    metadata: list[dict[str, object]] | None
    must: Must


Case = TypeVar("Case", BlocksCase, ChunksCase)

NOT_THERE = "∅"  # in a case's metadata: the key must be missing

CHUNKS_THAT_WAIT: dict[str, int] = {}


def _with_marks(cases: Sequence[Case], waiting: Mapping[str, int]) -> list[object]:
    """Return each case as a parameter; one that waits for an issue must fail."""
    return [_parameter(case, waiting.get(case["id"])) for case in cases]


def _parameter(case: Case, issue: int | None) -> object:
    marks = () if issue is None else pytest.mark.xfail(strict=True, reason=f"waits for issue {issue}")
    return pytest.param(case, id=case["id"], marks=marks)


BLOCKS: list[BlocksCase] = json.loads((CASES / "blocks.json").read_text(encoding="utf-8"))
SECTIONS: list[SectionsCase] = json.loads((CASES / "sections.json").read_text(encoding="utf-8"))
CHUNKS: list[ChunksCase] = json.loads((CASES / "chunks.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", BLOCKS, ids=lambda case: case["id"])
def test_a_text_has_these_blocks(case: BlocksCase) -> None:
    text, elements = case["text"], case["elements"]
    blocks = parse_blocks(text, elements=elements)

    assert [(block.type, block.content) for block in blocks] == [
        (expected["type"], expected["content"]) for expected in case["blocks"]
    ]
    for block, expected in zip(blocks, case["blocks"], strict=True):
        stated = {key: getattr(block, key) for key in expected}
        assert stated == expected
        if "attributes" in expected:
            assert list(block.attributes) == list(expected["attributes"]), "in the order written"


@pytest.mark.parametrize("case", BLOCKS, ids=lambda case: case["id"])
def test_only_white_space_lies_between_blocks(case: BlocksCase) -> None:
    text = case["text"]
    between, at = [], 0
    for block in parse_blocks(text, elements=case["elements"]):
        assert text[block.start : block.end] == block.content
        assert block.start_line == text.count("\n", 0, block.start) + 1
        between.append(text[at : block.start])
        at = block.end
    between.append(text[at:])
    assert "".join(between).replace(BYTE_ORDER_MARK, "").strip() == ""


@pytest.mark.parametrize("case", BLOCKS, ids=lambda case: case["id"])
def test_all_ways_to_ask_for_blocks_agree(case: BlocksCase) -> None:
    text, elements = case["text"], case["elements"]
    blocks = parse_blocks(text, elements=elements)
    assert list(iter_blocks(text, elements=elements)) == blocks
    assert has_semantic_elements(text, elements=elements) is any(block.type != "text" for block in blocks)


@pytest.mark.parametrize("case", SECTIONS, ids=lambda case: case["id"])
def test_texts_make_these_sections(case: SectionsCase) -> None:
    blocks = [Block.from_text(text) for text in case["texts"]]
    sections = section_blocks(blocks, **case["options"])
    assert [section.text for section in sections] == case["sections"]
    assert [section.length for section in sections] == [len(text) for text in case["sections"]]
    assert [block for section in sections for block in section.blocks] == blocks


@pytest.mark.parametrize("case", _with_marks(CHUNKS, CHUNKS_THAT_WAIT))
def test_a_text_makes_these_chunks(case: ChunksCase) -> None:
    documents = _split(case)
    if case["chunks"] is not None:
        assert [document.page_content for document in documents] == case["chunks"]
        assert case["metadata"] is None or len(case["metadata"]) == len(documents)
    # Where the chunks are not listed, the metadata is that of the first ones.
    for document, expected in zip(documents, case["metadata"] or (), strict=False):
        assert {key: document.metadata.get(key, NOT_THERE) for key in expected} == expected
    _check_must(case["must"], case["text"], documents)


@pytest.mark.parametrize("case", _with_marks(CHUNKS, {}))
def test_the_laws_hold_for_the_chunks(case: ChunksCase) -> None:
    check_laws(case["text"], _split(case), source_metadata=case["source_metadata"], **case["options"])


@pytest.mark.parametrize(
    "case", _with_marks([case for case in CHUNKS if case["options"].get("separator", "") is None], {})
)
def test_without_a_separator_a_chunk_is_its_slice(case: ChunksCase) -> None:
    for document in _split(case):
        assert document.page_content == case["text"][document.metadata["start_index"] : document.metadata["end_index"]]


def _split(case: ChunksCase) -> list[Document]:
    return SemanticXmlSplitter(**case["options"]).create_documents([case["text"]], [case["source_metadata"]])


def _check_must(must: Must, text: str, documents: Sequence[Document]) -> None:
    contents = [document.page_content for document in documents]
    if must.get("lines_are_source_lines"):
        lines = {line for content in contents for line in content.split("\n")}
        assert lines <= set(text.split("\n"))
    for content in contents:
        assert not content.startswith(tuple(must.get("no_edge", ())))
        assert not content.endswith(tuple(must.get("no_edge", ())))
        assert content.startswith(must.get("starts_with", ""))
        assert content.endswith(must.get("ends_with", ""))
    if "first_chunk" in must:
        assert contents[0] == must["first_chunk"]
    if "second_starts" in must:
        assert contents[1].startswith(must["second_starts"])
    if "chunk_count" in must:
        assert len(contents) == must["chunk_count"]
    if must.get("parts_overlap_lines"):
        for before, after in pairwise(documents):
            assert _repeats_a_whole_line(text, before, after)


def _repeats_a_whole_line(text: str, before: Document, after: Document) -> bool:
    repeated = text[after.metadata["start_index"] : before.metadata["end_index"]]
    whole = [line for line in repeated.split("\n") if line and f"\n{line}\n" in text]
    return any(line in before.page_content and line in after.page_content for line in whole)
