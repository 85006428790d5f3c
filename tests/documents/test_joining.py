"""Which blocks share a chunk, and what stands between them: one option after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from langchain_semantic_xml import SemanticXmlSplitter
from tests.documents.splitting import BUNDLE, A, B, small, split
from tests.laws.checks import check_laws

# strip_whitespace


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        pytest.param("  a\n", "  a", id="the indentation of the first line stays"),
        pytest.param("\n \n\ta \t\n\n", "\ta", id="blank lines at the ends go"),
        pytest.param("\r\n\r\na\r\n\r\n", "a", id="CRLF"),
        pytest.param("a\n\n\n b", "a\n\n\n b", id="blank lines within stay"),
        pytest.param("a  \nb", "a  \nb", id="trailing blanks of inner lines stay"),
        pytest.param("\ufeffa", "a", id="a byte-order mark goes"),
    ],
)
def test_blank_lines_at_the_ends_go_and_indentation_stays(text: str, stripped: str) -> None:
    assert split(text) == [stripped]


@pytest.mark.parametrize("text", ["  a\n", "\n \n\ta \t\n\n", "a\r\n\r\n", "\n\n# A\n\n# B\n\n"], ids=ascii)
def test_white_space_stays_on_demand(text: str) -> None:
    assert split(text, strip_whitespace=False) == [text]


def test_unstripped_text_is_joined_as_it_is() -> None:
    assert split(f"\n intro \n{A}\n outro\n\n", strip_whitespace=False) == [f"\n intro \n\n\n{A}\n\n\n outro\n\n"]


def test_stripped_text_meets_its_neighbours_at_the_separator() -> None:
    assert split(f"\n intro \n{A}\n outro\n\n") == [f" intro\n\n{A}\n\n outro"]


# separator


@pytest.mark.parametrize("separator", ["", "\n", "\n\n", "\n---\n", " ", "§"], ids=repr)
def test_the_separator_stands_between_blocks_and_counts(separator: str) -> None:
    joined = f"<a>0</a>{separator}<a>1</a>"
    assert split(small(2), len(joined), elements=["a"], separator=separator) == [joined]
    assert len(split(small(2), len(joined) - 1, elements=["a"], separator=separator)) == 2


def test_units_of_one_text_keep_their_white_space() -> None:
    text = "# A\n\n\n\none\n\n\n# B\ntwo"
    assert split(text, separator="-----") == [text]


@pytest.mark.parametrize("size", [30, 60, 70, 120, 4000])
@pytest.mark.parametrize("strip", [True, False], ids=["stripped", "unstripped"])
def test_without_a_separator_chunks_are_slices_of_the_source(size: int, *, strip: bool) -> None:
    text = f"\n\n  Intro\n\n\n{A} \n \n\t{B}\n\n<output command='x'/> mid \n{BUNDLE}"
    splitter = SemanticXmlSplitter(size, separator=None, strip_whitespace=strip, repeat=None)
    chunks = splitter.create_documents([text])
    for chunk in chunks:
        assert chunk.page_content == text[chunk.metadata["start_index"] : chunk.metadata["end_index"]]
    check_laws(text, chunks, chunk_size=size, separator=None, strip_whitespace=strip, repeat=None)


def test_the_white_space_of_the_source_counts() -> None:
    text = "<a>0</a>\n\n\n\n\n<a>1</a>"
    assert split(text, 21, elements=["a"], separator=None) == [text]
    assert len(split(text, 20, elements=["a"], separator=None)) == 2


# new_after


@pytest.mark.parametrize(
    ("new_after", "chunks"),
    [
        pytest.param(0, ["0", "1", "2", "3"], id="nothing"),
        pytest.param(8, ["0", "1", "2", "3"], id="reached by one"),
        pytest.param(9, ["01", "23"], id="passed by the second"),
        pytest.param(18, ["01", "23"], id="reached by two"),
        pytest.param(19, ["012", "3"], id="not reached by two"),
        pytest.param(5000, ["0123"], id="more than the size"),
        pytest.param(None, ["0123"], id="off"),
    ],
)
def test_a_chunk_that_has_reached_the_soft_maximum_takes_no_more(new_after: int | None, chunks: list[str]) -> None:
    contents = split(small(4), elements=["a"], new_after=new_after)
    assert ["".join(filter(str.isdigit, content)) for content in contents] == chunks


def test_a_heading_is_not_left_alone_for_the_soft_maximum() -> None:
    assert split(f"# A long heading\n{A}", new_after=3) == [f"# A long heading\n\n{A}"]


def test_a_containers_closing_goes_past_the_soft_maximum() -> None:
    assert split(f"<files>\n{A}\n{B}\n</files>", new_after=10) == [f"<files>\n\n{A}", f"{B}\n\n</files>"]


# combine_under


@pytest.mark.parametrize(
    ("combine_under", "chunks"),
    [
        pytest.param(0, ["# A\n1", "# B\n2", "# C\n3"], id="off"),
        pytest.param(5, ["# A\n1", "# B\n2", "# C\n3"], id="no section is smaller"),
        pytest.param(6, ["# A\n1\n# B\n2", "# C\n3"], id="one is, two are not"),
        pytest.param(12, ["# A\n1\n# B\n2\n# C\n3"], id="two are"),
        pytest.param(None, ["# A\n1\n# B\n2\n# C\n3"], id="as the size"),
    ],
)
def test_sections_smaller_than_this_are_joined(combine_under: int | None, chunks: list[str]) -> None:
    assert split("# A\n1\n# B\n2\n# C\n3", combine_under=combine_under) == chunks


def test_sections_are_not_torn_to_fill_a_chunk() -> None:
    text = f"# A\n{A}\n# B\n{B}\n{A}"
    section = f"# B\n\n{B}\n\n{A}"
    assert split(text, len(section)) == [f"# A\n\n{A}", section]


def test_a_section_that_does_not_fit_is_filled_greedily() -> None:
    section = f"# A\n\n{A}\n\n{B}"
    assert split(f"# A\n{A}\n{B}\n{A}\n", len(section)) == [section, A]


def test_a_heading_goes_with_what_follows() -> None:
    text = f"some words before\n# H\n{A}"
    assert split(text, len(A) + 5) == ["some words before", f"# H\n\n{A}"]


def test_a_containers_opening_goes_with_what_follows() -> None:
    text = f"{A}\n<files>\n{B}\n</files>"
    assert split(text, len(A) + 20) == [A, f"<files>\n\n{B}\n\n</files>"]


# isolate


@pytest.mark.parametrize(
    ("isolate", "chunks"),
    [
        pytest.param((), ["t1 f1 o f2 t2"], id="nothing"),
        pytest.param(False, ["t1 f1 o f2 t2"], id="False"),
        pytest.param(["output"], ["t1 f1", "o", "f2 t2"], id="one type"),
        pytest.param({"file"}, ["t1", "f1", "o", "f2", "t2"], id="a set"),
        pytest.param(["text"], ["t1", "f1 o f2", "t2"], id="text"),
        pytest.param(True, ["t1", "f1", "o", "f2", "t2"], id="all"),
        pytest.param(iter(["output"]), ["t1 f1", "o", "f2 t2"], id="an iterator"),
    ],
)
def test_isolated_types_share_no_chunk(isolate: Iterable[str] | bool, chunks: list[str]) -> None:
    text = "t1\n<file path='1'>f1</file>\n<output>o</output>\n<file path='2'>f2</file>\nt2"
    splitter = SemanticXmlSplitter(isolate=isolate)
    for _ in range(2):  # an iterator is read once, when the splitter is made
        contents = [" ".join(_words_outside_tags(content)) for content in splitter.split_text(text)]
        assert contents == chunks


def _words_outside_tags(content: str) -> Iterator[str]:
    for piece in content.replace("<", "\0<").replace(">", "\0").split("\0"):
        if not piece.startswith("<"):
            yield from piece.split()


def test_not_even_a_heading_shares_a_chunk_with_an_isolated_block() -> None:
    assert split(f"# A\n{A}\n</x>", isolate=["file"]) == ["# A", A, "</x>"]


def test_units_of_one_isolated_text_stay_together() -> None:
    assert split("# A\n1\n# B\n2", isolate=["text"]) == ["# A\n1\n# B\n2"]
