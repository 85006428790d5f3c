"""The laws hold for every text under all options: rendered bundles, and garbage made of what bundles are made of."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.typing import SplitterOptions
from tests.fuzz.inputs import (
    count_bytes,
    count_characters,
    count_merged,
    count_with_begin_and_end,
    count_words,
)
from tests.laws.checks import check_laws
from tests.laws.strategies import Bundle, bundles, texts


@st.composite
def options(draw: st.DrawFn) -> SplitterOptions:
    size = draw(st.one_of(st.integers(5, 60), st.integers(30, 400)))
    functions = [len, len, count_characters, count_words, count_with_begin_and_end, count_bytes, count_merged]
    return SplitterOptions(
        chunk_size=size,
        chunk_overlap=draw(st.one_of(st.just(0), st.integers(0, size - 1))),
        length_function=draw(st.sampled_from(functions)),
        separator=draw(st.sampled_from(["\n\n", "", None, "\n", "|.*|"])),
        new_after=draw(st.one_of(st.none(), st.integers(0, 100))),
        combine_under=draw(st.one_of(st.none(), st.integers(0, 100))),
        isolate=draw(st.one_of(st.just(()), st.just(("text",)), st.just(True))),
        oversized=draw(st.sampled_from(["split", "split", "keep"])),
        repeat=draw(st.sampled_from(("tags", None, "signatures", "breadcrumb"))),
        strip_whitespace=draw(st.booleans()),
    )


@settings(max_examples=400)
@given(texts(), options())
def test_the_laws_hold_for_garbage(text: str, chosen: SplitterOptions) -> None:
    """Every law holds, and no text raises.

    Rule: L1, L2, L3, L4, L6.
    """
    check_laws(text, SemanticXmlSplitter(**chosen).create_documents([text]), **chosen)


@settings(max_examples=400)
@given(bundles(), options())
def test_the_laws_hold_for_bundles(bundle: Bundle, chosen: SplitterOptions) -> None:
    """Every law holds for what bundlers write.

    Rule: L1, L2, L3, L4.
    """
    text = bundle.text
    check_laws(text, SemanticXmlSplitter(**chosen).create_documents([text]), **chosen)


@given(texts(), options())
def test_equal_inputs_give_equal_chunks_through_every_door(text: str, chosen: SplitterOptions) -> None:
    """Eager and lazy, of a text and of a stream.

    Rule: L5, L7.
    """
    splitter = SemanticXmlSplitter(**chosen)
    documents = splitter.create_documents([text])
    assert splitter.split_text(text) == [document.page_content for document in documents]
    assert list(splitter.lazy_split_text(text)) == documents
    before = splitter.create_documents(["<file>x</file>"])
    assert splitter.create_documents(["<file>x</file>", text]) == [*before, *documents]
