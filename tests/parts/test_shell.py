"""What every part repeats around its slice, and the blanks that a slice loses."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.typing import LengthFunction
from tests.parts.making import LENGTH_FUNCTIONS, Element, bodies_of_parts, cut_element, elements, sizes, slices_of


@given(elements, sizes(), st.sampled_from(LENGTH_FUNCTIONS))
def test_no_blank_line_stands_at_the_ends_of_what_is_between_repeated_tags(
    element: Element, size_and_overlap: tuple[int, int], function: LengthFunction
) -> None:
    """Rule: P3."""
    size, overlap = size_and_overlap
    parts = cut_element(element, size, function, overlap=overlap)
    if len(parts) > 1 and parts[1].text.startswith(element.head):
        slices = [part.text.removeprefix(element.head).removesuffix(element.tail) for part in parts]
        assert [text for text in slices if re.search(r"\A[^\S\n]*\n|\n[^\S\n]*\Z", text)] == []


@pytest.mark.parametrize(
    ("lead", "trail", "repeats"),
    [
        ("", "", True),
        ("# Short\n\n", "", True),
        ("", "\n\n</files>", True),
        ("# A heading that leaves no room for what is below it\n\n", "", False),
        ("", "\n\n</files-that-leave-no-room-for-what-is-above-them>", False),
    ],
    ids=["alone", "below a heading", "above a closing", "below a long heading", "above a long closing"],
)
def test_tags_are_repeated_where_they_leave_room_beside_headings_and_closings(
    lead: str, trail: str, repeats: bool
) -> None:
    """Rule: P3, S5."""
    element = Element("", "<file path='a/b.py'>\n", "x = 1\n" * 30, "</file>", "")
    parts = cut_element(element, 80, lead=lead, trail=trail)
    assert all(part.length <= 80 for part in parts)
    assert parts[1].text.startswith(element.head) is repeats


@pytest.mark.parametrize(("size", "repeats"), [(60, True), (59, False)], ids=["half", "more than half"])
def test_tags_are_repeated_where_they_take_half_of_a_part_at_most(size: int, repeats: bool) -> None:
    """Rule: P3."""
    element = Element("", "<file path='a/bc.py'>\n", "x = 1\n" * 30, "</file>\n", "")
    assert len(element.head + element.tail) == 30
    parts = cut_element(element, size)
    assert parts[1].text.startswith(element.head) is repeats


def test_a_blank_body_leaves_one_line_end_between_the_tags() -> None:
    """Rule: P3."""
    assert bodies_of_parts("\n \n" * 100, 40) == [""]
    assert SemanticXmlSplitter(40).split_text("<file>" + "\n" * 99 + "</file>") == ["<file>\n</file>"]


@pytest.mark.parametrize(
    ("blanks", "last"),
    [(10, "aaaa bbbb" + " " * 10), (11, "aaaa bbbb"), (100, "aaaa bbbb")],
    ids=["half a part", "more", "far more"],
)
def test_blanks_at_the_end_are_in_the_last_part_unless_they_take_most_of_one(blanks: int, last: str) -> None:
    """Rule: P3."""
    text = "x" * 20 + "\n" + "aaaa bbbb" + " " * blanks
    assert slices_of(text, 20, strip=False)[-1] == ("\n" + last if len(last) < 20 else last)


def test_blanks_at_the_end_that_do_not_fit_are_left_out_together() -> None:
    """Rule: P3."""
    assert slices_of("aaaaaa   b   ", 6, strip=False) == ["aaaaaa", "   b"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "  \n", " \r\n"], ids=ascii)
def test_parts_end_with_whole_line_ends_and_the_blanks_before_them(line_end: str) -> None:
    """Rule: P3."""
    body = "".join(f"line = {number}{line_end}" for number in range(10, 40))
    parts = bodies_of_parts(body, 80)
    assert len(parts) > 5
    assert all(re.fullmatch(rf"(?:line = \d\d{line_end})+", part) for part in parts)
    assert "".join(parts) == body
