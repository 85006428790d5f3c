"""Bundles inside bundles, of any two styles, whole or cut off.

Rule: B2, B4, B5, B13.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_semantic_xml import parse_blocks
from tests.benchmarks.nested import INNER, OUTER, is_chain_decided, is_decided, make_outer, scores
from tests.boundaries.reference import reference_blocks
from tests.tools.bundle_maker import SourceFile, make_bundle

CELLS = [(outer, inner, is_cut) for outer in OUTER for inner in INNER for is_cut in (False, True)]
DECIDED = [cell for cell in CELLS if is_decided(*cell[:2], is_cut=cell[2])]
UNDECIDED = [cell for cell in CELLS if cell not in DECIDED]


@pytest.mark.parametrize(
    ("outer", "inner", "is_cut"), [cell for cell in CELLS if is_decided(*cell[:2], is_cut=cell[2])]
)
def test_the_outer_elements_are_found_where_the_rules_decide(outer: str, inner: str, *, is_cut: bool) -> None:
    for _, score in scores(outer, inner, is_cut=is_cut, least=20):
        assert (score.exact, score.invented) == (score.true, 0)


@pytest.mark.parametrize(("outer", "inner", "is_cut"), UNDECIDED)
def test_nothing_is_lost_where_the_rules_do_not_decide(outer: str, inner: str, *, is_cut: bool) -> None:
    for bundle, _ in scores(outer, inner, is_cut=is_cut, least=20):
        contents = "".join(block.content for block in parse_blocks(bundle.text))
        assert "".join(contents.split()) == "".join(bundle.text.split())


def sources(prefix: str, least: int, most: int) -> st.SearchStrategy[list[SourceFile]]:
    lines = st.sampled_from(("x = 1", "", "# Title", "a < b > c", "```", "<b>bold</b>", "'</file>'"))
    texts = st.lists(lines, max_size=4).map(lambda found: "\n".join(["x.", *found, "y.", ""]))
    return st.lists(texts, min_size=least, max_size=most).map(
        lambda found: [SourceFile(f"{prefix}/{number}.py", text) for number, text in enumerate(found)]
    )


@settings(max_examples=150)
@given(
    outer_style=st.sampled_from(OUTER), middle_style=st.sampled_from(INNER), inner_style=st.sampled_from(INNER),
    outer=sources("a", 9, 11), middle=sources("b", 1, 3), inner=sources("c", 1, 3), seed=st.integers(0, 99),
    is_cut=st.booleans(),
)  # fmt: skip
def test_a_bundle_in_a_bundle_in_a_bundle_stays_inside(
    outer_style: str, middle_style: str, inner_style: str, outer: list[SourceFile], middle: list[SourceFile],
    inner: list[SourceFile], seed: int, *, is_cut: bool,
) -> None:  # fmt: skip
    middle.append(SourceFile("b/bundle.txt", make_bundle(inner, inner_style).text))
    text = make_bundle(middle, middle_style).text
    if is_cut:
        ends = [place for place, character in enumerate(text) if character == "\n"] or [len(text)]
        text = text[: Random(seed).choice(ends)]  # noqa: S311 - reproducible, not secret
    outer.insert(7, SourceFile("a/bundle.txt", text))
    bundle = make_outer(outer, outer_style)
    blocks = [(block.type, block.start, block.end, block.identity) for block in parse_blocks(bundle.text)]
    assert blocks == reference_blocks(bundle.text)
    if is_chain_decided(outer_style, middle_style, inner_style, is_cut=is_cut):
        elements = [(element.type, element.start, element.end, element.identity) for element in bundle.truth]
        assert [block for block in blocks if block[0] != "text"] == elements
