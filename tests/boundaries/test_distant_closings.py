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


BACKSLASH = "q\\"


def inside(folder: str, count: int = 5) -> str:
    return with_attributes("").replace("path='", f"path='{folder}", count)


def with_attributes(attributes: str) -> str:
    return "\n".join(f"<file path='{name}'{attributes}>\n1\n</file>\n" for name in "bcdef")


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"⟦<file path='a'>\n{with_attributes(' lang=py')}</file>⟧\n", id="another attribute inside"),
        pytest.param(
            f"⟦<file path='a'>\n{with_attributes(' lang=py')}</file>⟧\n⟦<file path='z'>\n</file>⟧\n",
            id="and the next element has those of the outer one",
        ),
        pytest.param(f"⟦<file path='a' lang='py'>\n{with_attributes('')}</file>⟧\n", id="one attribute less inside"),
        pytest.param(f"⟦<file path='q'>\n{inside('q/')}</file>⟧\n", id="a folder"),
        pytest.param(f"⟦<file path='q'>\n{inside(BACKSLASH)}</file>⟧\n", id="a Windows folder"),
    ],
)
def test_a_long_nesting_is_believed_where_the_inner_elements_are_of_another_kind(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            f"<file path='a'>\n{with_attributes(' lang=py')}</file>\n<file path='z' lang='py'>\n</file>\n",
            id="the next element has the inner attributes",
        ),
        pytest.param(
            f"<file path='a'>\n{with_attributes(' lang=py').replace(' lang=py', '', 1)}</file>\n",
            id="one inner element has the outer attributes",
        ),
        pytest.param(
            f"<file path='q'>\n{inside('q/', 4)}</file>\n",
            id="one is outside the folder",
        ),
        pytest.param(f"<file path='q'>\n{inside('qq/')}</file>\n", id="a longer name"),
    ],
)
def test_a_long_nesting_is_not_believed_where_one_inner_element_is_of_the_same_kind(text: str) -> None:
    first = text.index("</file>") + len("</file>")
    assert parse_blocks(text)[0].end == first


def test_a_readme_with_an_example_among_files_with_languages_ends_where_it_ended() -> None:
    others = "".join(f"⟦<file path='{name}' lang='py'>\n1\n</file>⟧\n\n" for name in "bcde")
    check(f"<files>\n⟦<file path='README'>\n<file path='demo'>\n</file>⟧\n\n{others}"
          "⟦<file path='f' lang='py'>\n1\n</file>\nlone\n</file>⟧\n</files>\n")  # fmt: skip


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
