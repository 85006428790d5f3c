"""The boundary finder and the slow reference find the same blocks in everything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_semantic_xml.boundaries import parse_blocks
from langchain_semantic_xml.spans import ElementRule
from tests.reference import Found, reference_blocks
from tests.strategies import ELEMENTS, Bundle, bundles, texts

Elements: TypeAlias = tuple[str | ElementRule, ...] | None


class ExpectedBlock(TypedDict, total=False):
    """What a case says of one block."""

    type: str
    content: str
    identity: str | None


class Case(TypedDict):
    """A small text with its right answer."""

    id: str
    text: str
    elements: list[str] | None
    blocks: list[ExpectedBlock]


CASES: list[Case] = json.loads((Path(__file__).parent / "data" / "cases" / "blocks.json").read_text(encoding="utf-8"))

ELEMENT = '<file path="a">\nx\n</file>\n'
NESTED = f'<file path="o">\n{{ahead}}{ELEMENT * 4}{{behind}}</file>\n{{after}}</file>\nend\n'
LONE = '<file path="a">\n<file>\n<file>\n</file>\nx\n</file>\n'

# Texts on the edge of one rule, where a small slip would show; random texts seldom come there.
EDGES = {
    "1-number-beyond-unicode": '<file path="&#99999999999;&#x110000;&#x10FFFF;&#65536;"/>',
    "1-number-of-many-digits": f'<file path="&#{"0" * 5000}65;&#{"9" * 5000};"/>',
    "1-first-of-two-attributes": '<file path="a" path="b"/>',
    "1-line-that-ends-in-its-closing": '<file path="a"b"></file >\nx\n</file>\n',
    "1-child-of-two-lines": "<file><path>a\nb</path>\n</file>\n",
    "1-child-in-a-child": "<file>\n<path><path>a</path>\n</file>\n",
    "1-unquoted-slash": "<file path=a/b/>\n<file path=/>\n<file path=/a/>",
    "4-followed-by-a-container": f"{LONE}  </x >\n",
    "4-followed-by-another-kind": f'{LONE}\n<output command="b"/> x\n',
    "4-followed-by-an-indented-one": f'{LONE}  <file path="b">\ny\n',
    "4-followed-by-a-bare-one": f"{LONE}<output>\ny\n",
    "4-followed-by-the-end": f"{LONE}\n \x85\n",
    "5-three-inside": f'<file path="o">\n{ELEMENT * 3}</file>\nx\n</file>\n',
    "5-four-inside": NESTED.format(ahead="", behind="", after='<file path="b">\n'),
    "5-wrapped": NESTED.format(ahead="<w>\n", behind="</w>\n", after=""),
    "5-wrapper-closes-too-early": NESTED.format(ahead="<w>\n", behind="", after="").replace("x\n", "x</w>\n", 1),
    "5-wrapper-closes-too-late": NESTED.format(ahead="<w>\n", behind="", after="") + "</w>\n",
    "5-wrapper-closes-itself": NESTED.format(ahead="<w/>\n", behind="</w>\n", after=""),
    "6-last-before-the-next": "<output>\na</output>\nb</output>\n<output>\nc</output>\n",
    "6-first-without-a-next": "<output>\na</output>\nb</output>\n",
    "6-balanced-on-its-line": "<output>\na <output>b</output>\nc</output>\n",
    "6-two-on-one-line": "<output>\na</output> <output>b</output>\nc\n",
    "7-after-a-raw-tag": '<file path="a"b">\nx\n</file>\n<files><file path="c">y</file> z</file></files>\n',
    "7-numbers-with-a-hole": '<d><document index="1">x</document><document index="7">y</document></d>',
    "7-numbers-that-fall": '<d><document index="2">x</document><document index="1">y</document></d>',
    "7-later-next-number": (
        '<d><document index="1">x</document><document index="3">y</document><document index="2">z</document></d>'
    ),
    "7-last-of-two-containers": '<d><document index="1">x</document></d>\n</document></d>',
    "9-200-lines": "```\n" + ELEMENT + "x\n" * 196 + "```\n",
    "9-201-lines": "```\n" + ELEMENT + "x\n" * 197 + "```\n",
    "9-after-a-fence": f"```\nx\n```\n{ELEMENT}```\n",
    "9-second-fence": f"```\nx\n```\n```\n{ELEMENT}```\n",
    "9-backtick-in-the-opening-line": f"``` `\n{ELEMENT}```\n",
    "9-shorter-closing-line": f"````\n```\n{ELEMENT}````\n",
    "10-end-mark-in-cdata": '<file path="a"><![CDATA[</file>]]]]><![CDATA[>]]></file>',
}


def package_blocks(text: str, elements: Elements = None) -> list[Found]:
    """Let the package find the blocks; keep of them what the reference knows."""
    return [Found(b.type, b.start, b.end, b.identity) for b in parse_blocks(text, elements=elements)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_reference_gives_the_blocks_of_every_case(case: Case) -> None:
    text, expected = case["text"], case["blocks"]
    found = reference_blocks(text, case["elements"])
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


@pytest.mark.parametrize("text", EDGES.values(), ids=EDGES)
def test_the_package_finds_what_the_reference_finds_at_the_edge_of_a_rule(text: str) -> None:
    assert package_blocks(text) == reference_blocks(text)


@settings(max_examples=500)
@given(texts(), st.sampled_from(ELEMENTS))
def test_the_package_finds_what_the_reference_finds_in_any_text(text: str, elements: Elements) -> None:
    assert package_blocks(text, elements) == reference_blocks(text, elements)
