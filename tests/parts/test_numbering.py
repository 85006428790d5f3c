"""Printed line numbers are recognised where every line begins with its number, counting on by one."""

from __future__ import annotations

import pytest

from langchain_semantic_xml._parts.numbering import Numbers, read_numbers


def seen_through(text: str) -> str | None:
    """Return a text without its printed numbers; `None` where its lines are not numbered."""
    numbers = read_numbers(text, 0, len(text))
    if numbers is None:
        return None
    starts = [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]
    ends = [*starts[1 : len(numbers.ends)], len(text)]
    return "".join(text[start:end] for start, end in zip(numbers.ends, ends, strict=True))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("1: def f():\n2:     pass\n", "def f():\n    pass\n", id="repomix --output-show-line-numbers"),
        pytest.param(" 9: a\n10: b\n", "a\nb\n", id="right-aligned"),
        pytest.param("1  a\n2  b\n3  c\n", "a\nb\nc\n", id="files-to-prompt -n"),
        pytest.param("     8\ta\n     9\tb\n    10\tc\n", "a\nb\nc\n", id="cat -n of a later stretch"),
        pytest.param("12 | a\n13 | b\n", "a\nb\n", id="Cline and Roo"),
        pytest.param("     1→a\n     2→\n", "a\n\n", id="an arrow"),
        pytest.param("1: a\n2:\n3 b".replace("3 b", "3: b"), "a\n\nb", id="the blank is missing at a line's end"),
        pytest.param("1 | a\r\n2 |\r\n", "a\r\n\r\n", id="CRLF"),
        pytest.param("1: a\n", None, id="one line"),
        pytest.param("1  a\n2  b\n", None, id="blanks need three lines"),
        pytest.param("8  a\n9  b\n10  c\n", None, id="blanks that are neither aligned nor from 1"),
        pytest.param("1: a\n3: b\n", None, id="a number is left out"),
        pytest.param("1: a\n2 | b\n", None, id="two marks"),
        pytest.param("1: a\nb\n2: c\n", None, id="a line without a number"),
        pytest.param("1 a\n2 b\n3 c\n", None, id="one blank"),
        pytest.param("1. a\n2. b\n", None, id="a list"),
        pytest.param("1:a\n2:b\n", None, id="no blank after the mark"),
        pytest.param("", None, id="no line"),
    ],
)
def test_numbers_are_seen_through(text: str, code: str | None) -> None:
    assert seen_through(text) == code


def test_a_stretch_of_a_text_is_read_with_its_own_positions() -> None:
    assert read_numbers("x\n7: a\n8: b\ny", 2, 12) == Numbers(7, (5, 10))
