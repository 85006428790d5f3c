"""The text between elements; no text is too hard.

Rule: B11, B12, L6.
"""

from __future__ import annotations

import pytest

from langchain_semantic_xml import (
    parse_blocks,
)
from langchain_semantic_xml._boundaries.finder import text_between
from langchain_semantic_xml.values import Extent


def test_text_is_verbatim() -> None:
    before, between, after = "\n\n  Intro \n", "\r\n\tmore\r\n\r\n", " tail\f\n\n"
    element = "<file>a</file>"
    blocks = parse_blocks(before + element + between + element + after)
    assert [block.content for block in blocks] == [before, element, between, element, after]


@pytest.mark.parametrize(
    "blank", ["\n", " \t ", "\r\n\r\n", "\f\v", "\xa0", "\u2028\u2029", "\u3000", "\x1c\x85"], ids=ascii
)
def test_blank_text_is_dropped(blank: str) -> None:
    assert parse_blocks(blank) == []
    blocks = parse_blocks(blank.join(["", "<file path='a'/>", "<file path='b'/>", ""]))
    assert [block.identity for block in blocks] == ["a", "b"]


@pytest.mark.parametrize("visible", ["\0", "\u200b", "\ud800", "\x07", "\ufeff"], ids=ascii)
def test_what_is_no_white_space_is_text(visible: str) -> None:
    assert [block.content for block in parse_blocks(f" {visible} ")] == [f" {visible} "]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<file path='a'>\n" * 5000 + "</file>\n" * 5000, id="5,000 levels"),
        pytest.param("<file path='a'>" * 5000 + "</file>" * 5000, id="5,000 levels in one line"),
        pytest.param("<file path='a'>\n" * 20_000, id="openings alone"),
        pytest.param("</file>\n" * 20_000, id="closings alone"),
        pytest.param("<file " + "a=" * 20_000, id="a tag without end"),
        pytest.param("<file path='" * 5000, id="quotes without end"),
        pytest.param("```\n~~~\n" * 5000 + "<file/>", id="fences without end"),
        pytest.param("<![CDATA[" * 5000, id="CDATA without end"),
        pytest.param("<file path='\ud800'>\udfff\0</file>", id="lone surrogates and NUL"),
    ],
)
def test_no_text_raises_or_loses_a_character(text: str) -> None:
    blocks = parse_blocks(text)
    assert "".join(block.content for block in blocks).split() == text.split()


def test_a_byte_order_mark_counts_as_blank_where_the_text_begins_and_nowhere_else() -> None:
    pieces = ["<file/>", "x", '<file path="a"/>', "\ufeff"]
    assert [block.content for block in parse_blocks("\ufeff" + "".join(pieces))] == pieces


@pytest.mark.parametrize("offset", [0, 1, 2])
def test_what_is_at_hand_of_a_stream_begins_the_text_only_at_its_first_character(offset: int) -> None:
    at_hand, end = "\ufeff\ufeff", offset + 2
    assert list(text_between(at_hand, 0, 2, offset)) == [Extent("text", offset, end)]
    assert list(text_between(at_hand, 0, 1, offset)) == ([Extent("text", offset, end - 1)] if offset else [])
    assert list(text_between(at_hand, 1, 2, offset)) == [Extent("text", end - 1, end)]
