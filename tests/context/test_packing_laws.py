"""The law of packing as a property: random files, chunkings, rankings and budgets."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter

from langchain_semantic_xml import ContextPacker, SemanticXmlSplitter
from langchain_semantic_xml.lengths import TiktokenLength, tiktoken_length
from tests.context.packing import check_packing


@cache
def load_tokens() -> TiktokenLength:
    return tiktoken_length("cl100k_base")


def count_tokens(text: str) -> int:
    """Count tokens; the vocabulary is there only when tests run."""
    return load_tokens()(text)


LENGTHS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "tokens": count_tokens,
    "words": lambda text: len(text.split()),
    "kilobytes, begun": lambda text: -(-len(text) // 64),
    "of the longest line": lambda text: max(map(len, text.split("\n"))),
}
OPTIONS: list[dict[str, Any]] = [
    {"repeat": "tags"},
    {"repeat": "signatures", "syntax": True},
    {"repeat": "breadcrumb"},
    {"repeat": None},
    {"repeat": "breadcrumb", "syntax": True, "granularity": "definition"},
    {"repeat": "tags", "granularity": "definition"},
    {"separator": None, "strip_whitespace": False},
]


@st.composite
def files_of_words(draw: st.DrawFn) -> dict[str, str]:
    """Draw files whose words are there once: code with functions, or prose with blank lines."""
    numbers = count()
    files = {}
    for number in range(draw(st.integers(1, 4))):
        lines = []
        for _ in range(draw(st.integers(1, 14))):
            kind = draw(st.sampled_from(["def", "body", "body", "prose", "blank", "heading", "tag"]))
            word = f"w{next(numbers):05}"
            more = [f"w{next(numbers):05}" for _ in range(draw(st.integers(0, 5)))]
            lines.append(
                {
                    "def": f"def {word}({', '.join(more)}):",
                    "body": f"    {word} = {' + '.join(more) or '1'}",
                    "prose": f"{word} {' '.join(more)}.",
                    "blank": "",
                    "heading": f"# {word}",
                    "tag": f"<p>{word}</p>",
                }[kind]
            )
        text = "\n".join(lines).strip("\n")
        files[f"f{number}.py"] = text or f"w{next(numbers):05}"
    return files


def bundle(files: dict[str, str], between: str) -> str:
    return between.join(f'<file path="{name}">\n{text}\n</file>' for name, text in files.items()) + "\n"


def rank(draw: st.DrawFn, documents: list[Document]) -> list[Document]:
    """Draw a ranking: some of the Documents, in any order, some of them twice."""
    return draw(st.lists(st.sampled_from(documents), max_size=14)) if documents else []


def check(draw: st.DrawFn, documents: list[Document], files: dict[str, str], sources: dict[str, str]) -> None:
    length = LENGTHS[draw(st.sampled_from(sorted(LENGTHS)))]
    budget = draw(st.one_of(st.integers(1, 60), st.integers(60, 1500)))
    given = sources if draw(st.booleans()) else None
    packer = ContextPacker(
        budget,
        length_function=length,
        sources=given,
        neighbours=draw(st.booleans()),
        per_file=draw(st.none() | st.integers(1, 400)),
    )
    packed = packer.transform_documents(rank(draw, documents))
    check_packing(packer, packed, budget=budget, length_function=length, files={**files, **sources}, sources=given)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(data=st.data())
def test_chunks_of_a_bundle_are_packed_by_the_law(options: dict[str, Any], data: st.DataObject) -> None:
    """Rule: L9."""

    @st.composite
    def check_one(draw: st.DrawFn) -> None:
        files = draw(files_of_words())
        text = bundle(files, draw(st.sampled_from(["\n", "\n\n", "\n\n\n", "\n## here: w99999\n"][:3])))
        size = draw(st.integers(20, 300))
        splitter = SemanticXmlSplitter(size, draw(st.integers(0, size // 3)), **options)
        documents = splitter.create_documents([text], [{"source": "bundle.xml"}])
        check(draw, documents, files, {"bundle.xml": text})

    data.draw(check_one())


@given(data=st.data())
def test_chunks_of_other_splitters_are_packed_by_the_law(data: st.DataObject) -> None:
    """Rule: L9."""

    @st.composite
    def check_one(draw: st.DrawFn) -> None:
        files = draw(files_of_words())
        size = draw(st.integers(20, 200))
        splitter = RecursiveCharacterTextSplitter(
            chunk_size=size, chunk_overlap=draw(st.integers(0, size // 2)), add_start_index=True
        )
        documents = splitter.create_documents(list(files.values()), [{"source": name} for name in files])
        check(draw, documents, files, files)

    data.draw(check_one())
