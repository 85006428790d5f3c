"""The line, tags, signatures or header that a part begins with."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._parts.tables import find_tables
from langchain_semantic_xml.typing import SplitterOptions
from tests.benchmarks.timing import best
from tests.laws.checks import check_laws

HEADER = "| name | value |\n| --- | ---: |\n"
TABLE = HEADER + "".join(f"| row {number} | {number * 111} |\n" for number in range(20))
CODE = "class Loader:\n" + "".join(
    f"    def load_{name}(self):\n" + f"        {name} = 1\n" * 5 + "\n" for name in "abcd"
)


def split(text: str, **options: object) -> list[str]:
    chosen: SplitterOptions = options  # type: ignore[assignment]
    documents = SemanticXmlSplitter(**chosen).create_documents([text])
    check_laws(text, documents, **chosen)
    return [document.page_content for document in documents]


@pytest.mark.parametrize("text", [TABLE, f"Before.\n\n{TABLE}", f'<file path="a.md">\n{TABLE}</file>'])
def test_a_part_that_begins_inside_a_table_repeats_its_header(text: str) -> None:
    """Rule: P5."""
    parts = split(text, chunk_size=130, repeat="signatures")
    assert len(parts) > 3
    assert all(part.count(HEADER) == 1 for part in parts if "| row" in part)


def test_the_header_of_a_table_is_repeated_in_its_own_rows_alone() -> None:
    """Rule: P5."""
    text = f"{TABLE}\nWords after the table. " + "More words, and more. " * 9
    parts = split(text, chunk_size=130, repeat="signatures")
    assert all("| name" not in part for part in parts if "| row" not in part)


def test_a_header_that_leaves_no_room_is_not_repeated() -> None:
    """Rule: P5."""
    parts = split(TABLE, chunk_size=60, repeat="signatures")
    assert sum("| name" in part for part in parts) == 1


@pytest.mark.parametrize("text", ["a | b\n", "---\n", "a\n| - |\n", "| a |\n\n| - |\n", "| a |\n| b |\n"])
def test_what_has_no_header_and_no_line_of_dashes_is_no_table(text: str) -> None:
    assert find_tables(text, 0, len(text)) == []


@given(st.lists(st.sampled_from(["| a |\n", "| - |\n", "--|--\n", "a | b\n", "\n", "text\n", "|", "-"]), max_size=12))
def test_tables_are_disjoint_and_in_order(lines: list[str]) -> None:
    text = "".join(lines)
    edges = [edge for table in find_tables(text, 0, len(text)) for edge in table]
    assert edges == sorted(edges)


def test_a_breadcrumb_names_the_element_and_the_definition() -> None:
    """Rule: P6."""
    parts = split(f'<file path="src/app.py">\n{CODE}</file>', chunk_size=200, syntax=True, repeat="breadcrumb")
    assert [part.partition("\n")[0] for part in parts] == [
        "src/app.py \u203a Loader",
        *(f"src/app.py \u203a Loader.load_{name}" for name in "bcd"),
    ]
    assert [part.count("<file") + part.count("</file") for part in parts] == [1, 0, 0, 1]


def test_a_breadcrumb_names_all_definitions_of_a_part() -> None:
    """Rule: P6."""
    functions = "".join(f"def f_{name}():\n    return '{name}'\n\n\n" for name in "abcdef")
    parts = split(f'<file path="a.py">\n{functions}</file>', chunk_size=110, syntax=True, repeat="breadcrumb")
    assert parts[1].startswith("a.py \u203a f_c, f_d\n")


def test_a_breadcrumb_without_syntax_is_the_identity() -> None:
    """Rule: P6."""
    parts = split(f'<file path="src/app.py">\n{CODE}</file>', chunk_size=200, repeat="breadcrumb")
    assert {part.partition("\n")[0] for part in parts} == {"src/app.py"}


def test_a_breadcrumb_is_left_out_where_it_leaves_too_little_room() -> None:
    """Rule: P6."""
    parts = split(f'<file path="{"long/" * 20}app.py">\n{CODE}</file>', chunk_size=180, repeat="breadcrumb")
    assert not any(part.startswith("long/") for part in parts)


def test_a_breadcrumb_gives_way_to_a_definition_that_fits_only_without_it() -> None:
    """Rule: P6."""
    long = "def longer():\n" + "    value = 123\n" * 10
    assert len(long) == 174
    code = "x = 1\n" * 30 + "\n\n" + long + "\n\ny = 2\n" + "z = 3\n" * 40
    parts = split(f'<file path="src/app.py">\n{code}</file>', chunk_size=176, syntax=True, repeat="breadcrumb")
    assert long.rstrip() in [part.rstrip() for part in parts]


def test_an_element_that_is_whole_has_no_breadcrumb() -> None:
    """Rule: P6."""
    text = '<file path="a.py">\nx = 1\n</file>'
    assert split(text, chunk_size=100, repeat="breadcrumb") == [text]


@pytest.mark.parametrize("repeat", ["signatures", "breadcrumb"])
def test_deep_nesting_takes_linear_time(repeat: str) -> None:
    """Rule: L6, P5."""

    def seconds(levels: int) -> float:
        code = "function abcd(){\n" * levels + "}\n" * levels
        options: SplitterOptions = {"chunk_size": 1000, "syntax": True, "repeat": repeat}  # type: ignore[typeddict-item]
        splitter = SemanticXmlSplitter(**options)
        return best(lambda: splitter.split_text(f'<file path="a.js">\n{code}</file>'), rounds=1)

    assert seconds(3200) < 6 * seconds(800) + 0.3


def test_nothing_is_repeated_with_none() -> None:
    """Rule: P3."""
    parts = split(f'<file path="a.py">\n{CODE}</file>', chunk_size=200, repeat=None)
    assert not any(re.match("<file", part) for part in parts[1:])
