"""Comments, decorators and headings that stay with the lines below them."""

from __future__ import annotations

import pytest

from tests.parts.making import bodies_of_parts, cut_text, slices_of


def test_a_decorator_reaches_over_its_own_lines_alone() -> None:
    """Rule: P2."""
    stubs = "@one\ndef f(\n    a,\n): ...\n", "def g(): ...\n"
    assert bodies_of_parts("".join(stubs) + "x = 1\n" * 6, 76)[0] == stubs[0]
    within = "class A:\n    @one\n    def f(\n        a,\n    ): ...\n", "    def g(self): ...\n"
    assert bodies_of_parts("".join(within) + "    x = 1\n" * 5, 106)[0] == within[0]


def test_a_decorator_reaches_to_the_definition_below_it_alone() -> None:
    """Rule: P2."""
    first, second = "@one(\n    argument,\n)\ndef f(): ...\n", "@two\ndef g(): ...\n"
    between = "\nx = 1\ny = 2\nz = 3\n"
    parts = slices_of(first + between + second, 50, language="python")
    assert parts == [first.rstrip(), (between + second).strip()]


@pytest.mark.parametrize(
    ("before", "start"),
    [("", 0), ("\n", 0), ("\n", 1), ("\n</file> ", 9), ("x = 1\n", 6)],
    ids=["nothing", "a blank line", "a line end", "a tag", "a line"],
)
@pytest.mark.parametrize(
    "above",
    ["# What it does, at length.\n", "@one(\n    argument,\n    other,\n)\n"],
    ids=["a comment", "a decorator with arguments"],
)
def test_what_is_in_the_first_line_of_a_text_stays_with_the_definition_below_it(
    before: str, start: int, above: str
) -> None:
    """Rule: P2."""
    definition, rest = f"{above}def f(): ...\n", "\nx = 1\ny = 2\n"
    text = before + definition + rest
    parts = cut_text(text, len(definition) + 5, language="python", start=start)
    assert [part.text for part in parts] == [definition.rstrip(), rest.strip()]


def test_a_comment_that_begins_where_a_part_may_be_cut_at_the_earliest_is_not_torn_off() -> None:
    """Rule: P2."""
    definition, rest = "# What it does, ...\n" + "def f(): return 1234\n", "\nx = 1\ny = 2\n"
    assert definition.index("def") == 20
    parts = slices_of(f"x = 1\n{definition}{rest}", 52, language="python")
    assert parts == [f"x = 1\n{definition}".rstrip(), rest.strip()]


def test_a_line_above_that_is_too_long_to_look_at_belongs_to_what_is_before_it() -> None:
    """Rule: P2."""
    long, definition = "# One.\nx = '" + "y" * 1000 + "'\n", "def f():\n" + "    x = 1\n" * 50
    assert slices_of(long + definition, 1300, language="python")[0] == long.rstrip()


@pytest.mark.parametrize(("blank_lines", "stays"), [(0, True), (1, True), (2, True), (3, True), (4, False)])
def test_a_heading_stays_with_what_is_a_few_blank_lines_below_it(blank_lines: int, stays: bool) -> None:
    """Rule: P2."""
    above = "aaaa aaaa aaaa aaaa\n\n## Heading\n" + "\n" * blank_lines
    text = above + "bbbb bbbb\n" * 10
    first = slices_of(text, 2 * len(above), language="markdown")[0]
    assert ("bbbb" in first) is stays
