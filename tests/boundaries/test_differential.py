"""The boundary finder and the slow reference find the same blocks in everything.

In bundles whose contents hold no tags a lazy pattern, which ends each element at the first closing tag, is right too:
there it is a second reference, which shares not even the rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias, TypedDict

import langchain_text_splitters
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_semantic_xml.boundaries import parse_blocks
from langchain_semantic_xml.values import ElementRule
from tests.boundaries.reference import Found, reference_blocks
from tests.laws.strategies import ELEMENTS, Bundle, bundles, texts
from tests.paths import DATA
from tests.tools.bundle_maker import STYLES, SourceFile, make_bundle, read_sources

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


CASES: list[Case] = json.loads((DATA / "cases" / "blocks.json").read_text(encoding="utf-8"))

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


@pytest.mark.parametrize("case", CASES, ids=itemgetter("id"))
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


# Against the lazy pattern

LAZY = re.compile(r"<(file|output|document)\b[^>]*>.*?</\1>", re.DOTALL)
KNOWN_TAG = re.compile(r"</?(file|output|document|command|diff|file_content|final_file_content|attachment)\b")
Spans: TypeAlias = list[tuple[str, int, int]]


def lazy_spans(text: str) -> Spans:
    """Cut at the first closing tag of each element; what is left between them is text, unless it is blank."""

    def cut() -> Iterator[tuple[str, int, int]]:
        end = 0
        for match in LAZY.finditer(text):
            yield "text", end, match.start()
            yield match[1], *match.span()
            end = match.end()
        yield "text", end, len(text)

    return [(kind, start, end) for kind, start, end in cut() if kind != "text" or text[start:end].strip()]


def package_spans(text: str) -> Spans:
    return [(block.type, block.start, block.end) for block in parse_blocks(text)]


def tagless_files() -> st.SearchStrategy[list[SourceFile]]:
    """Draw files with markup, operators, quotes and fences, but without a tag that could be an element's."""
    lines = st.sampled_from((
        "", "x = 1", "    return a < b > c", "\t<b>bold</b>", "Vec<T> & Map<K, V>", '"', "it's", "```", "~~~xml",
        "# Title", "<?xml version='1.0'?>", "<!-- note -->", "<files>", "</files>", "<ul>", "</ul>", "<br/>", "]]>",
        "</", "<", ">", "é 🏁",
    ))  # fmt: skip
    texts = st.lists(lines | st.text(st.characters(codec="utf-8", exclude_characters="<\r"), max_size=20), max_size=9)
    paths = st.sampled_from(("a.py", "src/b c.ts", "docs/ünï.md", "Makefile", "it's.md"))
    return st.lists(st.builds(SourceFile, paths, texts.map("\n".join)), min_size=1, max_size=6)


@pytest.mark.parametrize("style", STYLES)
@given(files=tagless_files())
def test_the_package_and_the_lazy_pattern_agree_where_contents_hold_no_tags(
    style: str, files: list[SourceFile]
) -> None:
    text = make_bundle(files, style).text
    assert package_spans(text) == lazy_spans(text)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize("style", STYLES)
def test_the_package_and_the_lazy_pattern_agree_on_real_sources_without_tags(style: str, line_end: str) -> None:
    folder = Path(langchain_text_splitters.__file__).parent
    files = [file for file in read_sources(folder) if not KNOWN_TAG.search(file.text)]
    assert len(files) > 10
    text = make_bundle(files, style).text.replace("\n", line_end)
    assert package_spans(text) == lazy_spans(text)


@pytest.mark.parametrize("style", ["ace", "repomix", "cxml"])
def test_the_package_and_the_lazy_pattern_part_where_a_content_holds_its_closing_tag(style: str) -> None:
    name = STYLES[style].type
    bundle = make_bundle([SourceFile("a.py", f'print("</{name}>")\nx = 1\n'), SourceFile("b.py", "y = 2\n")], style)
    elements = [(element.type, element.start, element.end) for element in bundle.truth]
    assert [span for span in package_spans(bundle.text) if span[0] != "text"] == elements
    assert [span for span in lazy_spans(bundle.text) if span[0] != "text"] != elements


def test_what_was_seen_ahead_of_an_element_is_forgotten_after_it() -> None:
    text = (
        'q <output name="t"> y\nsee <file path="a">\n```\n</file> z\n```\nsee <document path="T"> y\n'
        '<file path="o">\nx\n</file>\n```\nw</document> end'
    )
    assert package_blocks(text) == reference_blocks(text)
