"""Blocks that are longer than a chunk: cut with their tags, kept, or an error."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import OversizedBlockError, SemanticXmlSplitter
from tests.documents.splitting import A, B, big, split, words

# oversized and repeat


def test_parts_carry_the_tags_of_their_element() -> None:
    parts = split(big(), 120)
    assert len(parts) > 2
    for part in parts:
        assert part.startswith("<file path='big'>\nsome words ")
        assert part.endswith("\n</file>")


def test_parts_leave_no_line_out_and_cut_none() -> None:
    lines = [line for part in split(big(), 120) for line in part.split("\n")[1:-1]]
    assert lines == big().split("\n")[1:-1]


def test_tags_are_not_repeated_on_demand() -> None:
    parts = split(big(), 120, repeat=None)
    assert [part.count("<file") for part in parts] == [1] + [0] * (len(parts) - 1)
    assert [part.count("</file>") for part in parts] == [0] * (len(parts) - 1) + [1]


def test_tags_that_leave_less_than_half_are_not_repeated() -> None:
    head, tail = "<file path='big'>\n", "\n</file>"
    shell = len(head + tail)
    for size, repeated in ((2 * shell, True), (2 * shell - 1, False)):
        parts = split(big(), size)
        assert all(part.startswith(head) for part in parts) is repeated


def test_what_fits_is_never_cut_beside_what_does_not() -> None:
    chunks = split(f"{A}\n{big()}\n{B}", 100)
    assert (chunks[0], chunks[-1]) == (A, B)


def test_a_heading_and_containers_go_with_the_first_and_the_last_part() -> None:
    chunks = split(f"# Files\n<files>\n{big()}\n</files>\n{A}", 150)
    assert chunks[0].startswith("# Files\n<files>\n\n<file path='big'>\nsome words 0\n")
    assert chunks[-2].endswith("\n</file>\n\n</files>")
    assert chunks[-1] == A


def test_the_source_stands_around_the_parts_without_a_separator() -> None:
    chunks = split(f"<files>\n\n\n{big()}\n\n\n</files>", 150, separator=None)
    assert chunks[0].startswith("<files>\n\n\n<file path='big'>\n")
    assert chunks[-1].endswith("\n</file>\n\n\n</files>")


def test_a_heading_that_does_not_fit_beside_the_tag_is_a_chunk() -> None:
    heading = "# " + "h" * 70
    chunks = split(f"{heading}\n{big()}", 80)
    assert chunks[0] == heading


def test_text_that_heads_nothing_does_not_go_with_a_part() -> None:
    chunks = split(f"words\n{big()}\nwords", 120)
    assert (chunks[0], chunks[-1]) == ("words", "words")


def test_an_isolated_oversized_block_takes_no_heading_along() -> None:
    chunks = split(f"# A\n{big()}\n</files>", 120, isolate=["file"])
    assert (chunks[0], chunks[-1]) == ("# A", "</files>")


def test_text_is_cut_at_its_headings_before_it_is_oversized() -> None:
    text = "# A\none one one\n# B\ntwo two two"
    for oversized in ("split", "keep", "error"):
        assert split(text, 15, oversized=oversized) == ["# A\none one one", "# B\ntwo two two"]


def test_an_oversized_block_is_kept_on_demand() -> None:
    chunks = split(f"# A\n<files>\n{big()}\n</files>\n{A}", 100, oversized="keep")
    assert chunks == ["# A\n<files>", big(), f"</files>\n\n{A}"] or chunks == ["# A\n<files>", big(), "</files>", A]


def test_oversized_text_is_kept_too() -> None:
    text = "some words " * 20
    assert split(f"{text}\n{A}", 100, oversized="keep") == [text.rstrip(), A]


def test_nothing_oversized_is_no_error() -> None:
    assert split(A, len(A), oversized="error") == [A]


@pytest.mark.parametrize(
    ("text", "fields", "says"),
    [
        pytest.param(
            f"Intro\r\n\r\n{big()}\n",
            ("file", "big", (9, 9 + len(big())), 3, len(big()), 50),
            f"file 'big' at line 3 (characters 9 to {9 + len(big())}) has length {len(big())}, more than chunk_size=50",
            id="an element",
        ),
        pytest.param(
            f"\n\n  {'w ' * 40}\n",
            ("text", None, (2, 83), 3, 81, 50),
            "text at line 3 (characters 2 to 83) has length 81, more than chunk_size=50",
            id="text",
        ),
    ],
)
@pytest.mark.parametrize("clone", [lambda e: e, copy.copy, lambda e: pickle.loads(pickle.dumps(e))])  # noqa: S301
def test_the_error_for_an_oversized_block_says_which(
    text: str,
    fields: tuple[object, ...],
    says: str,
    clone: Callable[[OversizedBlockError], OversizedBlockError],
) -> None:
    with pytest.raises(OversizedBlockError) as raised:
        SemanticXmlSplitter(50, oversized="error").split_text(text)
    error = clone(raised.value)
    assert isinstance(error, ValueError)
    assert (error.type, error.identity, error.span, error.line, error.length, error.chunk_size) == fields
    assert str(error).startswith(says)
    assert "raise chunk_size" in str(error)


@pytest.mark.parametrize(
    "door",
    [
        lambda splitter: splitter.split_text(big()),
        lambda splitter: splitter.create_documents([A, big()]),
        lambda splitter: splitter.split_documents([Document(page_content=big())]),
        lambda splitter: list(splitter.lazy_split_text(big())),
        lambda splitter: list(splitter.lazy_split_text(iter([big()]))),
        lambda splitter: list(splitter.lazy_split_documents([Document(page_content=big())])),
    ],
    ids=["text", "create", "documents", "lazy text", "stream", "lazy documents"],
)
def test_every_door_raises_for_an_oversized_block(door: Callable[[SemanticXmlSplitter], object]) -> None:
    with pytest.raises(OversizedBlockError):
        door(SemanticXmlSplitter(50, oversized="error"))


def test_the_length_of_an_oversized_block_is_the_measured_one() -> None:
    with pytest.raises(OversizedBlockError) as raised:
        SemanticXmlSplitter(20, length_function=words, oversized="error").split_text(big())
    assert raised.value.length == words(big())


def test_what_goes_beside_a_kept_block_says_that_it_is_too_long() -> None:
    splitter = SemanticXmlSplitter(chunk_size=2, oversized="keep", length_function=lambda text: len(text) + 3)
    documents = splitter.create_documents([">\n</t>"])
    assert [document.metadata["oversized"] for document in documents] == [True] * len(documents)


def test_a_heading_that_leaves_a_part_no_room_is_a_chunk_by_itself() -> None:
    splitter = SemanticXmlSplitter(chunk_size=2, length_function=lambda text: len(text.strip()))
    assert splitter.split_text("#\n#\nx") == ["#", "#", "x"]
