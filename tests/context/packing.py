"""What a packed prompt must be, as assertions; and texts in which every word is there once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from langchain_core.documents import Document

from langchain_semantic_xml import ContextPacker, parse_blocks

WORD = re.compile(r"w\d{5}")


def pack(documents: Sequence[Document], budget: int = 100_000, **options: object) -> list[Document]:
    return ContextPacker(budget, **options).transform_documents(documents)  # type: ignore[arg-type]  # any option


def check_packing(
    packer: ContextPacker,
    packed: Sequence[Document],
    *,
    budget: int,
    length_function: Callable[[str], int] = len,
    files: Mapping[str, str],
    sources: Mapping[str, str] | None = None,
) -> None:
    """Assert what holds for every prompt.

    Args:
        packer: The packer.
        packed: What it returned.
        budget: Its budget.
        length_function: Its length function.
        files: The files, and other texts that are cited, by their names; each word is in one of them, once.
        sources: The texts that the packer was given.

    Rule: L9.
    """
    prompt = packer.format(packed)
    assert not packed or length_function(prompt) <= budget
    check_reading_back(prompt, packed)
    words = [word for document in packed for word in WORD.findall(document.page_content)]
    assert len(set(words)) == len(words), "a word is there twice"
    names = [document.metadata.get("path") for document in packed]
    assert len([name for name, _ in groupby(names)]) == len(set(names)), "a file is not in one place"
    ranks = [min(document.metadata["rank"] for document in group) for _, group in _by_path(packed)]
    assert ranks == sorted(ranks), "the files are not in the order of their best rank"
    for name, group in _by_path(packed):
        starts = [start for document in group if (start := document.metadata["start_index"]) is not None]
        assert starts == sorted(starts), f"{name} is out of order"
    for document in packed:
        _check_place(document, files, sources or {})


def _by_path(packed: Sequence[Document]) -> list[tuple[object, list[Document]]]:
    return [(name, list(group)) for name, group in groupby(packed, key=lambda document: document.metadata.get("path"))]


def check_reading_back(prompt: str, packed: Sequence[Document]) -> None:
    blocks = parse_blocks(prompt)
    assert len(blocks) == len(packed)
    for block, document in zip(blocks, packed, strict=True):
        assert block.identity == document.metadata.get("path")
        lines = document.metadata["content_start_line"], document.metadata["content_end_line"]
        if lines[0] is not None:
            assert block.attributes["lines"] == f"{lines[0]}-{lines[1]}"
        inner = block.content[block.content.index(">\n") + 2 : block.content.rindex("\n</")]
        assert inner == document.page_content


def _check_place(document: Document, files: Mapping[str, str], sources: Mapping[str, str]) -> None:
    """Assert that a Document is what its span and its lines say."""
    metadata, text = document.metadata, document.page_content
    start, end = metadata["start_index"], metadata["end_index"]
    if (source := sources.get(metadata.get("source", ""))) is not None and start is not None:
        assert source[start:end] == text
    assert start is None or end - start == len(text)
    first, last = metadata["content_start_line"], metadata["content_end_line"]
    if first is None:
        first, last = metadata["start_line"], metadata["end_line"]
        cited = files[metadata["source"]] if first is not None else ""
    else:
        cited = files[metadata["path"]]
    if first is not None:
        stretch = "\n".join(cited.split("\n")[first - 1 : last])
        assert squeeze(text) in squeeze(stretch), "the lines are wrong"
        assert text.count("\n") == last - first
        assert squeeze(text.split("\n")[0]) in squeeze(cited.split("\n")[first - 1])


def squeeze(text: str) -> str:
    return "".join(text.split())
