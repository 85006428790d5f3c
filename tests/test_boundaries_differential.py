"""The boundary finder and the slow reference find the same blocks in everything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langchain_semantic_xml.boundaries import parse_blocks
from langchain_semantic_xml.spans import ElementRule
from tests.reference import Found, reference_blocks
from tests.strategies import ELEMENTS, Bundle, bundles, texts

CASES = json.loads((Path(__file__).parent / "data" / "cases" / "blocks.json").read_text(encoding="utf-8"))

Elements = tuple[str | ElementRule, ...] | None


def package_blocks(text: str, elements: Elements = None) -> list[Found]:
    """Let the package find the blocks; keep of them what the reference knows."""
    return [Found(b.type, b.start, b.end, b.identity) for b in parse_blocks(text, elements=elements)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_reference_gives_the_blocks_of_every_case(case: dict[str, object]) -> None:
    text, elements, expected = case["text"], case["elements"], case["blocks"]
    found = reference_blocks(text, elements)
    assert [(block.type, text[block.start : block.end]) for block in found] == [
        (block["type"], block["content"]) for block in expected
    ]
    assert [block.identity for block in found] == [
        stated.get("identity", block.identity) for stated, block in zip(expected, found, strict=True)
    ]


@given(bundles())
def test_the_reference_finds_what_a_bundle_was_made_of(bundle: Bundle) -> None:
    assert reference_blocks(bundle.text) == bundle.blocks


@given(bundles())
def test_the_package_finds_what_a_bundle_was_made_of(bundle: Bundle) -> None:
    assert package_blocks(bundle.text) == bundle.blocks


@given(texts(), st.sampled_from(ELEMENTS))
@example('<file path="&#99999999999;&#x110000;">', None)
def test_the_package_finds_what_the_reference_finds_in_any_text(text: str, elements: Elements) -> None:
    assert package_blocks(text, elements) == reference_blocks(text, elements)
