"""Parts of contents whose lines begin with their printed numbers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._parts.numbered_code import see_through_numbers
from tests.laws.checks import check_laws
from tests.parts.test_syntax import LANGUAGES, PYTHON

MARKS = (": ", " | ", "\u2192", "  ", "\t")


def number(code: str, mark: str, first: int = 1, *, strip: bool = False) -> str:
    """Print the numbers of the lines, right-aligned."""
    lines = code.removesuffix("\n").split("\n")
    width = len(str(first + len(lines)))
    printed = (f"{number:{width}}{mark}{line}" for number, line in enumerate(lines, first))
    return "".join(f"{line.rstrip(' ') if strip else line}\n" for line in printed)


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
@pytest.mark.parametrize("first", [1, 97])
@pytest.mark.parametrize("strip", [False, True], ids=["as printed", "without blanks at line ends"])
def test_numbers_are_seen_through(mark: str, first: int, strip: bool) -> None:
    """Rule: P8."""
    text = number(PYTHON, mark, first, strip=strip and not mark.isspace())
    numbering = see_through_numbers(text, 0, len(text))
    assert numbering is not None
    assert numbering.code == PYTHON
    starts = [at for at, _ in enumerate(PYTHON) if at == 0 or PYTHON[at - 1] == "\n"]
    numbers = [re.match(r" *(\d+)", text[numbering.locate(start) :]) for start in starts]
    assert [int(found[1]) for found in numbers if found] == list(range(first, first + len(starts)))


@pytest.mark.parametrize("syntax", [True, False], ids=["with syntax", "by words"])
@pytest.mark.parametrize("granularity", ["element", "definition"])
def test_numbered_code_is_cut_like_the_code_without_numbers(syntax: bool, granularity: str) -> None:
    """Rule: P8."""
    code = "".join(f"def f_{name}():\n" + f"    {name} = 1\n" * 9 + "\n\n" for name in "abcdefgh")
    splitter = SemanticXmlSplitter(250, syntax=syntax, granularity=granularity)  # type: ignore[arg-type]
    documents = splitter.create_documents([f'<file path="a.py">\n{number(code, ": ")}</file>'])
    assert len(documents) == 8
    assert all(": def f_" in document.page_content.split("\n")[1] for document in documents)
    assert not syntax or [document.metadata["scope"] for document in documents] == [f"f_{name}" for name in "abcdefgh"]


SNIPPETS = [*(code for code, _ in LANGUAGES.values()), "x = 1\n", "\n", "# c\n"]


@given(
    code=st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=5).map("".join),
    suffix=st.sampled_from(sorted(LANGUAGES)),
    mark=st.sampled_from(MARKS),
    size=st.integers(60, 700),
    syntax=st.booleans(),
    repeat=st.sampled_from(["tags", "signatures", "breadcrumb", None]),
)
def test_the_laws_hold(code: str, suffix: str, mark: str, size: int, syntax: bool, repeat: str | None) -> None:
    """Rule: L1, L2, L3, L4."""
    text = f'<file path="a.{suffix}">\n{number(code, mark)}</file>\n'
    options = {"chunk_size": size, "syntax": syntax, "repeat": repeat}
    check_laws(text, SemanticXmlSplitter(**options).create_documents([text]), **options)  # type: ignore[arg-type]


@given(st.text(alphabet="12: \t|\nab", max_size=80))
def test_offsets_are_located_in_order(text: str) -> None:
    numbering = see_through_numbers(text, 0, len(text))
    if numbering is not None:
        located = [numbering.locate(at) for at in range(len(numbering.code) + 1)]
        assert located == sorted(located)
        assert located[-1] == len(text)
