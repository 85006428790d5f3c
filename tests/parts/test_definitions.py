"""Elements of code that are cut at their definitions even where they fit."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import OversizedBlockError, SemanticXmlSplitter
from langchain_semantic_xml._parts.definitions import edges_by_words
from langchain_semantic_xml.typing import SplitterOptions
from tests.laws.checks import check_laws
from tests.parts.test_languages import DEFINITIONS
from tests.parts.test_syntax import LANGUAGES, PYTHON
from tests.paths import SOURCES

BODY = "        value = 1234567890\n" * 6
CODE = (
    '"""What the module does, at some length, so that it is no small piece of code at all."""\n'
    "import os\nimport sys\nfrom pathlib import Path\n\n\n"
    "class Loader:\n"
    '    """Loads, as its name says; this is the head of the class, with what stands before its methods."""\n'
    "    size = 4\n    more = 5\n\n"
    f"    # Above the method.\n    @property\n    def name(self):\n{BODY}\n"
    f"    def load(self):\n        def inside():\n    {BODY}\n        return inside\n\n\n"
    f"def free():\n{BODY}\n\nif __name__ == '__main__':\n    print('the end of the file, a statement')\n"
)


def file(code: str, path: str = "a.py") -> str:
    return f'<file path="{path}">\n{code}</file>'


def split(text: str, **options: object) -> list[str]:
    chosen: SplitterOptions = {"granularity": "definition", **options}  # type: ignore[typeddict-item]
    documents = SemanticXmlSplitter(**chosen).create_documents([text])
    check_laws(text, documents, **chosen)
    return [document.page_content for document in documents]


@pytest.mark.parametrize("syntax", [True, False], ids=["with syntax", "by words"])
def test_each_function_and_method_is_a_part(syntax: bool) -> None:
    """Rule: P7."""
    parts = split(file(CODE), chunk_size=400, syntax=syntax, repeat=None)
    assert [part.strip().split("\n")[0].strip() for part in parts] == [
        '<file path="a.py">',
        "class Loader:",
        "# Above the method.",
        "def load(self):",
        "def free():",
        "if __name__ == '__main__':",
    ]


@pytest.mark.parametrize("syntax", [True, False], ids=["with syntax", "by words"])
def test_a_definition_that_fits_is_never_cut(syntax: bool) -> None:
    """Rule: P7."""
    for source in SOURCES[:6]:
        code = source.read_text(encoding="utf-8")
        parts = split(file(code), chunk_size=4_000, syntax=syntax)
        assert len(parts) > 1 or code.count("def ") < 2


def test_small_neighbours_share_a_part() -> None:
    """Rule: P7."""
    code = "".join(f"def f_{name}():\n    return '{name}'\n\n\n" for name in "abcdefghi")
    parts = split(file(code), chunk_size=300, repeat=None)
    assert [part.count("def ") for part in parts] == [3, 3, 3]


def test_an_element_of_one_definition_is_a_unit_as_ever() -> None:
    """Rule: P7."""
    one, two = file(f"def one():\n{BODY}", "a.py"), file("x = 1\n", "b.py")
    assert split(f"{one}\n{two}", chunk_size=1_000) == [f"{one}\n\n{two}"]


def test_prose_is_not_cut_where_it_fits() -> None:
    """Rule: P7."""
    text = file("# One\n\nWords.\n\n# Two\n\nMore words.\n", "a.md")
    assert split(text, chunk_size=500) == [text]


def test_a_length_function_of_ones_own_cuts_at_definitions_too() -> None:
    """Rule: P7, S1."""

    def characters(text: str) -> int:
        return len(text)

    text = f"# Files\n\n{file(CODE)}\n\n{file(CODE, 'b.py')}\n"
    for size in (400, 40_000):
        assert split(text, chunk_size=size, length_function=characters) == split(text, chunk_size=size)


def test_parts_are_numbered() -> None:
    """Rule: M1, P7."""
    documents = SemanticXmlSplitter(400, granularity="definition").create_documents([file(CODE)])
    assert [(d.metadata["part"], d.metadata["parts"]) for d in documents] == [
        (number, len(documents)) for number in range(1, len(documents) + 1)
    ]


def test_a_definition_that_is_too_long_is_cut_kept_or_refused() -> None:
    """Rule: P7."""
    text = file(f"def one():\n{BODY}\n\ndef two():\n" + "    value = 1234567890\n" * 30)
    assert all(len(part) <= 300 for part in split(text, chunk_size=300))
    kept = SemanticXmlSplitter(300, granularity="definition", oversized="keep").create_documents([text])
    assert [document.metadata["oversized"] for document in kept] == [False, True]
    with pytest.raises(OversizedBlockError):
        SemanticXmlSplitter(300, granularity="definition", oversized="error").create_documents([text])


def test_for_code_gives_one_definition_to_a_chunk_with_its_path_and_name() -> None:
    """Rule: P6, P7."""
    documents = SemanticXmlSplitter.for_code(500).create_documents([file(PYTHON * 2, "src/app.py")])
    assert all(document.page_content.startswith("src/app.py") for document in documents)
    assert SemanticXmlSplitter.for_code(500, repeat=None).options.repeat is None


SNIPPETS = [*(code for code, _ in LANGUAGES.values()), *DEFINITIONS.values(), "x = 1\n", "}\n", "\n\n"]


@given(
    code=st.lists(st.sampled_from(SNIPPETS), max_size=8).map("".join),
    suffix=st.sampled_from(sorted(LANGUAGES)),
    size=st.integers(60, 700),
    syntax=st.booleans(),
    repeat=st.sampled_from(["tags", "signatures", "breadcrumb", None]),
    oversized=st.sampled_from(["split", "keep"]),
    strip=st.booleans(),
)
def test_the_laws_hold(
    code: str,
    suffix: str,
    size: int,
    syntax: bool,
    repeat: str | None,
    oversized: Literal["split", "keep"],
    strip: bool,
) -> None:
    """Rule: L1, L2, L3."""
    text = f"# Files\n<files>\n{file(code.replace('|', ''), f'a.{suffix}')}\n</files>\nend\n"
    split(text, chunk_size=size, syntax=syntax, repeat=repeat, oversized=oversized, strip_whitespace=strip)


@given(st.text(alphabet="def class():\n  {}x=#", max_size=300), st.sampled_from(["python", "js", "c", "ruby"]))
def test_edges_are_starts_of_lines_in_order(code: str, language: str) -> None:
    edges = edges_by_words(code, 0, len(code), language)
    assert list(edges) == sorted(set(edges))
    assert all(edge in (0, len(code)) or code[edge - 1] == "\n" for edge in edges)


def test_a_stream_gives_the_same() -> None:
    """Rule: L7."""
    text = "".join(file(path.read_text(encoding="utf-8"), path.name) + "\n" for path in SOURCES[:8])
    splitter = SemanticXmlSplitter.for_code(900)
    pieces = (text[start : start + 4096] for start in range(0, len(text), 4096))
    assert list(splitter.lazy_split_text(pieces)) == splitter.create_documents([text])
