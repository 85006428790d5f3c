"""A nesting over many elements is believed only for a reason.

Rule: B5.
"""

from __future__ import annotations

import pytest

from langchain_semantic_xml import (
    parse_blocks,
)
from tests.boundaries.marked import check

LONE = "<file path='lone'>\n"


AND = "and\n"


def run_of(count: int, between: str = "\n", path: str = "inner") -> str:
    return between.join(f"<file path='{path}{number}'>\n{number}\n</file>\n" for number in range(count))


def lone_pair(elements: int, between: str = "\n") -> str:
    """Write an element with a lone opening line, others, and one with a lone closing line, unmarked.

    The first one's nesting thus runs over the lone opening, all others and the opening of the last one.
    """
    middle = run_of(elements, path="b")
    return f"<file path='a'>\n{LONE}</file>\n{between}{middle}\n<file path='c'>\nc\n</file>\nmore\n</file>\n"


def test_a_nesting_over_three_elements_is_believed() -> None:
    text = lone_pair(1).rstrip("\n")
    check(f"⟦{text}⟧\n")


def test_a_nesting_over_four_elements_against_a_followed_closing_is_not() -> None:
    blocks = parse_blocks(lone_pair(2))
    assert [(block.type, block.identity) for block in blocks] == [
        ("file", "a"),
        ("file", "b0"),
        ("file", "b1"),
        ("file", "c"),
    ]
    assert blocks[-1].content.endswith("</file>\nmore\n</file>")


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"⟦<file path='a'>\n<files>\n{run_of(6)}</files>\n</file>⟧\nx\n", id="a wrapper of its own"),
        pytest.param(f"⟦<file path='a'>\n  <files n='6'>\n{run_of(6)}x</files>\n</file>⟧\nx\n", id="an indented one"),
        pytest.param(f"⟦<file path='a'>\n{run_of(6, between=AND)}</file>⟧\nx\n", id="text between the inner elements"),
        pytest.param(
            f"⟦<file path='a'>\n{run_of(3)}and\n{run_of(3)}</file>⟧\nx\n", id="text between two inner elements"
        ),
        pytest.param(
            "⟦<file path='a'>\n" + "<file>\n1\n</file>\n" * 6 + "</file>⟧\nx\n", id="no earlier closing is followed"
        ),
    ],
)
def test_a_long_nesting_is_believed_for_a_reason(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "", id="no wrapper"),
        pytest.param("see <files>\n", "</files>\n", id="an opening amid a line"),
        pytest.param("<files>\n", "", id="a wrapper that does not close"),
        pytest.param("", "</files>\n", id="a wrapper that does not open"),
        pytest.param("<files>\n", "</documents>\n", id="two wrappers' halves"),
        pytest.param("<files/>\n", "</files>\n", id="a self-closing one"),
        pytest.param("</files>\n", "<files>\n", id="the wrong way round"),
        pytest.param("<output>\n", "</output>\n", id="an element wraps nothing"),
        pytest.param("text\n", "text\n", id="text outside the run"),
    ],
)
def test_a_long_nesting_without_a_reason_is_cut_at_the_earlier_followed_closing(before: str, after: str) -> None:
    inner = run_of(6).split("\n\n")
    text = f"<file path='a'>\n{before}{run_of(6)}{after}</file>\n\n<file path='z'>\n</file>\n"
    outer = parse_blocks(text)[0]
    assert outer.content == f"<file path='a'>\n{before}{inner[0]}"
