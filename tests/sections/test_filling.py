"""Which units share a chunk: filling, passages and isolated types, rule by rule.

Rule: S1, S2, S3, S4.
"""

from __future__ import annotations

import pytest

from langchain_semantic_xml._sections.open_group import Group
from langchain_semantic_xml.values import Options
from tests.sections.making import SIX, bundle, file, groups_of, output, texts


def test_blocks_are_taken_while_they_fit_with_their_separators() -> None:
    pieces = file("a"), "\n", file("b"), "\n", file("c")
    assert texts(*pieces, chunk_size=30) == [f"{file('a')}\n\n{file('b')}", file("c")]
    assert texts(*pieces, chunk_size=29) == [file("a"), file("b"), file("c")]


def test_the_separator_is_what_was_asked_for() -> None:
    assert texts(file("a"), "\n", file("b"), chunk_size=99, separator="\n--\n") == [f"{file('a')}\n--\n{file('b')}"]


def test_without_a_separator_the_white_space_of_the_source_stays_and_counts() -> None:
    pieces = file("a"), "\n\n\n", file("b"), "\n"
    assert texts(*pieces, chunk_size=31, separator=None) == [f"{file('a')}\n\n\n{file('b')}"]
    assert texts(*pieces, chunk_size=30, separator=None) == [file("a"), file("b")]


def test_units_of_one_block_keep_the_white_space_between_them() -> None:
    assert texts("<a>\n\n\n\nx\n# B\n", file("b"), chunk_size=99) == [f"<a>\n\n\n\nx\n# B\n\n{file('b')}"]


def test_a_group_names_the_longest_spans_that_stay_together() -> None:
    _, groups, _ = groups_of(bundle("a\n# B\nb\n", file("c"), "\nd"), Options(chunk_size=99))
    assert [group.spans for group in groups if isinstance(group, Group)] == [((0, 7), (8, 22), (23, 24))]
    _, groups, _ = groups_of(bundle("a\n# B\nb\n", file("c"), "\nd"), Options(chunk_size=99, separator=None))
    assert [group.spans for group in groups if isinstance(group, Group)] == [((0, 24),)]


@pytest.mark.parametrize(
    ("pieces", "options", "expected"),
    [
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX, "\n", SIX), {"chunk_size": 66},
            [f"# A\n\n{SIX}", f"# B\n\n{SIX}\n\n{SIX}"],
            id="a passage is not torn to fill a chunk",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX), {"chunk_size": 50}, [f"# A\n\n{SIX}\n\n# B\n\n{SIX}"],
            id="small passages are joined while they fit",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX), {"chunk_size": 50, "combine_under": 0}, [f"# A\n\n{SIX}", f"# B\n\n{SIX}"],
            id="passages are not joined when that is turned off",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX), {"chunk_size": 50, "combine_under": 24}, [f"# A\n\n{SIX}", f"# B\n\n{SIX}"],
            id="a passage of the size to combine under is not joined",
        ),
        pytest.param(
            ("# A\n", SIX, "\n", SIX, "\n", SIX, "\n# B\n", SIX), {"chunk_size": 50},
            [f"# A\n\n{SIX}\n\n{SIX}", f"{SIX}\n\n# B\n\n{SIX}"],
            id="a passage longer than a chunk is torn, and its rest joined with the next",
        ),
        pytest.param(
            ("intro\n# A\n## B\n", SIX), {"chunk_size": 29}, ["intro", f"# A\n## B\n\n{SIX}"],
            id="headings that follow each other stay together",
        ),
        pytest.param(
            ("# A\n## B\n", SIX), {"chunk_size": 99, "combine_under": 0}, [f"# A\n## B\n\n{SIX}"],
            id="a heading is joined with what it heads even when passages are not",
        ),
        pytest.param(
            (SIX, "\n# A\n"), {"chunk_size": 99}, [f"{SIX}\n\n# A"],
            id="a heading at the end of the text is joined to what precedes it",
        ),
        pytest.param(
            (SIX, "\n# A\n"), {"chunk_size": 19}, [SIX, "# A"],
            id="a heading at the end that does not fit is alone",
        ),
        pytest.param(
            (SIX, "\n<w>\n"), {"chunk_size": 99}, [f"{SIX}\n\n<w>"],
            id="an opening at the end is",
        ),
        pytest.param(
            (SIX, "\n<w>\n", SIX), {"chunk_size": 27}, [SIX, f"<w>\n\n{SIX}"],
            id="an opening goes on to the next unit",
        ),
        pytest.param(
            (SIX, "\n<w>\n", SIX), {"chunk_size": 24}, [SIX, f"<w>\n\n{SIX}"],
            id="an opening goes on when that just fits",
        ),
        pytest.param(
            ("a\n<w>\n", SIX), {"chunk_size": 23}, ["a\n<w>", SIX],
            id="an opening stays where the next unit does not fit beside it",
        ),
        pytest.param(
            (SIX, "\n</w>\n# B\n", SIX), {"chunk_size": 26}, [f"{SIX}\n\n</w>", f"# B\n\n{SIX}"],
            id="a closing goes with what precedes it",
        ),
        pytest.param(
            (SIX, "\n</w>\n", SIX), {"chunk_size": 99, "new_after": 5}, [f"{SIX}\n\n</w>", SIX],
            id="a closing goes with what precedes it past the soft maximum",
        ),
        pytest.param(
            (SIX, "\n", SIX, "\n", SIX), {"chunk_size": 99, "new_after": 20}, [f"{SIX}\n\n{SIX}", SIX],
            id="a chunk that has reached the soft maximum takes no further block",
        ),
        pytest.param(
            (SIX, "\n# A\n", SIX), {"chunk_size": 99, "new_after": 24}, [SIX, f"# A\n\n{SIX}"],
            id="a heading moves on when the soft maximum is reached",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX, "\n", SIX), {"chunk_size": 99, "new_after": 40},
            [f"# A\n\n{SIX}", f"# B\n\n{SIX}\n\n{SIX}"],
            id="a passage is not torn by the soft maximum",
        ),
    ],
)  # fmt: skip
def test_passages_are_kept_together(pieces: tuple[str, ...], options: dict[str, object], expected: list[str]) -> None:
    assert texts(*pieces, **options) == expected


def test_a_text_of_headings_fills_its_chunks() -> None:
    headings = "# h\n" * 10_000
    made = texts(headings, chunk_size=399, combine_under=0, new_after=1)
    assert len(made) == 100
    assert {len(text) for text in made} == {399}


def test_the_last_of_many_headings_go_with_the_text_that_follows() -> None:
    x = file("x" * 10)
    assert texts("# h\n" * 6, x, chunk_size=32) == ["# h\n# h\n# h\n# h", f"# h\n# h\n\n{x}"]


@pytest.mark.parametrize(
    ("pieces", "isolate", "expected"),
    [
        pytest.param((file("a"), output("b"), file("c"), file("d")), {"output"},
                     [file("a"), output("b"), f"{file('c')}\n\n{file('d')}"], id="a type"),
        pytest.param((file("a"), file("b")), True, [file("a"), file("b")], id="every type"),
        pytest.param(("a\n<w>\nb", file("c")), True, ["a\n<w>\nb", file("c")], id="units of one block still share"),
        pytest.param(("# A\n", file("a")), {"text"}, ["# A", file("a")], id="text"),
        pytest.param((file("a"), file("b")), False, [f"{file('a')}\n\n{file('b')}"], id="nothing"),
    ],
)  # fmt: skip
def test_isolated_blocks_share_no_chunk(pieces: tuple[str, ...], isolate: set[str] | bool, expected: list[str]) -> None:
    frozen = isolate if isinstance(isolate, bool) else frozenset(isolate)
    assert texts(*pieces, chunk_size=99, isolate=frozen, chunk_overlap=20) == expected
