"""Which units are repeated at the start of the next group, and when they are given up.

Rule: P4.
"""

from __future__ import annotations

from langchain_semantic_xml._sections.open_group import Group
from langchain_semantic_xml.values import Options
from tests.sections.making import bundle, file, groups_of, texts


def test_whole_units_that_fit_into_the_overlap_are_repeated() -> None:
    a, b, c, d = map(file, "abcd")
    assert texts(a, b, c, d, chunk_size=50, chunk_overlap=14) == [f"{a}\n\n{b}\n\n{c}", f"{c}\n\n{d}"]
    assert texts(a, b, c, d, chunk_size=50, chunk_overlap=13) == [f"{a}\n\n{b}\n\n{c}", d]


def test_what_is_repeated_leaves_room_for_the_next_unit() -> None:
    a, b, c, long = file("a"), file("b"), file("c"), file("d" * 10)
    made = texts(a, b, c, long, chunk_size=46, chunk_overlap=45)
    assert made == [f"{a}\n\n{b}\n\n{c}", f"{c}\n\n{long}"]


def test_what_is_repeated_is_a_span_of_its_own_chunk_too() -> None:
    _, groups, _ = groups_of(bundle("a\n<w>\nb\n", file("c" * 9)), Options(chunk_size=25, chunk_overlap=5))
    assert [group.spans for group in groups if isinstance(group, Group)] == [((0, 7),), ((6, 7), (8, 30))]


def test_nothing_is_emitted_that_was_only_repeated() -> None:
    a, b = file("a"), file("b")
    assert texts(a, b, chunk_size=20, chunk_overlap=15) == [a, b]


def test_what_is_repeated_does_not_count_towards_the_soft_maximum() -> None:
    a, b, c = file("a"), file("b"), file("c")
    made = texts(a, b, c, chunk_size=50, chunk_overlap=14, new_after=20)
    assert made == [f"{a}\n\n{b}", f"{b}\n\n{c}"]


def test_a_passage_is_not_torn_for_what_is_repeated() -> None:
    a, b, c = file("a"), file("b"), file("c")
    made = texts(a, "\n# B\n", b, c, chunk_size=40, chunk_overlap=14)
    assert made == [a, f"# B\n\n{b}\n\n{c}"]


def test_an_opening_is_not_kept_from_the_next_unit_by_what_is_repeated() -> None:
    a, b, c = file("a"), file("b"), file("c")
    assert texts(a, b, "<w>", c, chunk_size=30, chunk_overlap=14, separator="") == [a + b, f"<w>{c}"]


def test_a_closing_is_not_kept_from_what_precedes_it_by_what_is_repeated() -> None:
    a, b, c = file("a"), file("b"), file("c" * 3)
    assert texts(a, b, c, "</w>", chunk_size=30, chunk_overlap=14, separator="") == [a + b, f"{c}</w>"]
