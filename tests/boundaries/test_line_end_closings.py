"""Closings at the ends of text lines.

Rule: B6.
"""

from __future__ import annotations

import pytest

from tests.boundaries.marked import check


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(
            "⟦<output command='ls'>\na\nb</output>⟧\n\n⟦<output command='pwd'>\n/</output>⟧\n", id="agent transcripts"
        ),
        pytest.param(
            "⟦<output command='ls'>\na</output>\nb</output>⟧\n\n⟦<output command='pwd'>\n/</output>⟧\n",
            id="the last before the next opening",
        ),
        pytest.param("⟦<output command='ls'>\na</output>⟧\nb</output>\n", id="no opening follows: the first"),
        pytest.param("⟦<output command='ls'>\na</output>\nb\n</output>⟧\n", id="a closing with its own line wins"),
        pytest.param(
            "⟦<output command='ls'>\na</output>⟧\n\n⟦<output command='pwd'>\n/\n</output>⟧\n",
            id="but not one after the next opening",
        ),
        pytest.param(
            "⟦<output command='ls'>\na</output>\n  <output command='x'>\nb</output>⟧\n"
            "⟦<output command='y'>\n</output>⟧",
            id="an opening at another indentation does not count",
        ),
        pytest.param(
            "⟦<output command='ls'>\na</output>\n<output> x\nb</output>⟧\n⟦<output command='y'>\n</output>⟧",
            id="an opening that shares its line does not count",
        ),
        pytest.param(
            "⟦<output command='ls'>\ntry <output>x</output>\nend</output>⟧\n", id="a one-line element closes itself"
        ),
        pytest.param("⟦<output command='ls'>\na</output>⟧ \t\r\nb</output>\n", id="blanks after it"),
        pytest.param("⟦<output command='ls'>\na</output> b\nc</output>⟧\n", id="text after it"),
    ],
)
def test_a_closing_at_the_end_of_a_text_line_ends_an_element_without_another(marked: str) -> None:
    check(marked)


EXAMPLE = "<file path='x'>\ncode\n</file>\n"


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"⟦<file path='a'>\n{EXAMPLE}end</file>⟧\n⟦<file path='b'>\nx</file>⟧\n", id="an opening follows"),
        pytest.param(
            f"<files>\n⟦<file path='a'>\n{EXAMPLE}end</file>⟧\n</files>\n", id="a container's closing follows"
        ),
        pytest.param(
            f"⟦<file path='a'>\n{EXAMPLE}{EXAMPLE}end</file>⟧\n⟦<file path='b'>\nx</file>⟧\n", id="two examples"
        ),
        pytest.param(f"⟦<file path='a'>\n{EXAMPLE.rstrip()}⟧\nend</file>\n", id="not where the text ends there"),
        pytest.param(f"⟦<file path='a'>\n{EXAMPLE.rstrip()}⟧\nend</file>\nmore\n", id="not where text follows"),
    ],
)
def test_examples_that_close_on_lines_of_their_own_are_content_of_a_file_that_closes_at_a_line_end(marked: str) -> None:
    check(marked)
