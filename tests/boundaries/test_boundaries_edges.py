"""Boundaries in texts that are made to tell a rule from one a step away; the slow reference must agree."""

from __future__ import annotations

import pytest

from langchain_semantic_xml import parse_blocks
from langchain_semantic_xml._boundaries.finder import Finder, text_between
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml.values import Extent
from tests.boundaries.reference import Found, reference_blocks

# Each text with the elements in it, in order.
EDGES = {
    "7-cdata-hides-what-would-close": (
        '<files><file path="a"><![CDATA[</file></files>]]></file><file path="b">x</file></files>',
        ['<file path="a"><![CDATA[</file></files>]]></file>', '<file path="b">x</file>'],
    ),
    "7-goes-on-after-each-of-them": (
        '<files><file path="a">x</file><file path="b">y</file> z</file></files>',
        ['<file path="a">x</file>', '<file path="b">y</file> z</file>'],
    ),
    "7-a-container-after-the-first-is-no-other": (
        (
            '<files><file path="a">x</file></files>\n<file path="b">\nx\n</file>\n'
            '<files><file path="c">y</file> z</file></files>\n'
        ),
        ['<file path="a">x</file>', '<file path="b">\nx\n</file>', '<file path="c">y</file>'],
    ),
    "7-fences-count-from-the-last-of-them": (
        '<files><file path="a">\n```\n</file></files>\n<file path="b">\nx\n</file>\n```\n',
        ['<file path="a">\n```\n</file>', '<file path="b">\nx\n</file>'],
    ),
    "8-parted-by-the-tag-after-the-next": (
        'see <file path="a">x </output> y\n<file path="b">\ny\n</file>\nz</file>',
        ['<file path="b">\ny\n</file>'],
    ),
    "8-what-came-before-parts-nothing": (
        '<file path="a"/>\nsee <file path="b">x</file> z\n',
        ['<file path="a"/>', '<file path="b">x</file>'],
    ),
    "8-parted-by-a-self-closing-line": (
        'see <file path="a">x\n<file path="b"/>\ny</file>\n',
        ['<file path="b"/>'],
    ),
    "8-not-parted-by-a-self-closing-tag-with-text-behind": (
        'see <file path="a">x\n<file path="b"/> y\n</file> z\n',
        ['<file path="a">x\n<file path="b"/> y\n</file>'],
    ),
    "8-parted-by-cdata-at-the-start-of-a-line": (
        'see <file path="a">x\n<file path="b"><![CDATA[y]]></file> z\n</file> w\n',
        ['<file path="b"><![CDATA[y]]></file>'],
    ),
    "9-a-fence-counts-from-the-last-element": (
        (
            'q <output name="t"> y\nsee <file path="a">\n```\n</file> z\n```\n'
            '<file path="o">\nx <file> y\n</file>\n```\nz</file> w\n'
        ),
        ['<file path="a">\n```\n</file>', '<file path="o">\nx <file> y\n</file>\n```\nz</file>'],
    ),
    "9-a-fence-that-closes-late": (f'```\n<file path="a"/>\n{"x" * 1100}\n```\n', []),
    "9-a-fence-that-closes-late-parts-nothing": (
        f'see <output name="t">x <file path="a">y</file>\n```\n<file path="b"/>\n{"x" * 1100}\n```\n</output> z\n',
        [f'<output name="t">x <file path="a">y</file>\n```\n<file path="b"/>\n{"x" * 1100}\n```\n</output>'],
    ),
    "10-a-closed-tag-has-no-child": ("<file/><path>a</path>\n", ["<file/>"]),
}


@pytest.mark.parametrize(("text", "elements"), EDGES.values(), ids=EDGES)
def test_these_are_the_elements(text: str, elements: list[str]) -> None:
    blocks = parse_blocks(text)
    assert [block.content for block in blocks if block.type != "text"] == elements
    found = [Found(block.type, block.start, block.end, block.identity) for block in blocks]
    assert found == reference_blocks(text)


@pytest.mark.parametrize("text", [text for text, _ in EDGES.values()], ids=EDGES)
def test_what_is_found_in_the_beginning_of_a_text_stays_whatever_comes(text: str) -> None:
    patterns = patterns_for(resolve_elements(None))
    whole = list(Finder(Horizon(text), patterns).elements())
    for end in range(len(text)):
        found = list(Finder(Horizon(text[:end], complete=False), patterns).elements())
        assert found == whole[: len(found)]


@pytest.mark.parametrize("text", [text for text, _ in EDGES.values()], ids=EDGES)
def test_a_finder_that_begins_where_an_element_ends_finds_the_rest(text: str) -> None:
    patterns = patterns_for(resolve_elements(None))
    finder = Finder(Horizon(text), patterns)
    whole = list(finder.elements())
    for number, (element, container) in enumerate(whole, 1):
        rest = Finder(Horizon(text), patterns, element.end, container).elements()
        assert list(rest) == whole[number:]


def test_a_byte_order_mark_counts_as_blank_where_the_text_begins_and_nowhere_else() -> None:
    pieces = ["<file/>", "x", '<file path="a"/>', "\ufeff"]
    assert [block.content for block in parse_blocks("\ufeff" + "".join(pieces))] == pieces


@pytest.mark.parametrize("offset", [0, 1, 2])
def test_what_is_at_hand_of_a_stream_begins_the_text_only_at_its_first_character(offset: int) -> None:
    at_hand, end = "\ufeff\ufeff", offset + 2
    assert list(text_between(at_hand, 0, 2, offset)) == [Extent("text", offset, end)]
    assert list(text_between(at_hand, 0, 1, offset)) == ([Extent("text", offset, end - 1)] if offset else [])
    assert list(text_between(at_hand, 1, 2, offset)) == [Extent("text", end - 1, end)]


def test_lines_are_counted_from_the_first_character() -> None:
    assert [block.start_line for block in parse_blocks("\n<file/>\n\n<file/>")] == [2, 4]


def test_a_self_closing_element_has_no_identity_beside_its_attributes() -> None:
    (element, _) = parse_blocks("<file/>\n<path>a</path>\n")
    assert element.identity is None


def test_attributes_are_listed_in_the_order_written() -> None:
    (element,) = parse_blocks("<file b='2' a='1' path='p'/>")
    assert list(element.attributes.values()) == ["2", "1", "p"]
    assert list(element.attributes.items()) == [("b", "2"), ("a", "1"), ("path", "p")]
