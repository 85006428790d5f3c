"""The public functions: laziness, options, refusals."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import (
    has_semantic_elements,
    iter_blocks,
    parse_blocks,
)


def test_blocks_are_sliced_when_they_are_asked_for() -> None:
    text = "".join(f"<file path='{number}'>\n{'x' * 200_000}\n</file>\n" for number in range(20))
    tracemalloc.start()
    try:
        first = next(iter_blocks(text))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert first.identity == "0"
    assert peak < len(text) / 4


def test_arguments_are_checked_before_the_first_block_is_asked_for() -> None:
    with pytest.raises(TypeError):
        iter_blocks(b"x")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        iter_blocks("x", elements="file")


def test_an_iterator_of_blocks_runs_once() -> None:
    blocks = iter_blocks("<file>a</file>")
    assert isinstance(blocks, Iterator)
    assert (len(list(blocks)), list(blocks)) == (1, [])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("", False),
        (" \n", False),
        ("plain text", False),
        ("<file>a</file>", True),
        ("<file>a", False),
        ("a</file>", False),
        ("<page>a</page>", False),
        ("so:\n```\n<file>a</file>\n```", False),
        ("text <file path='a'/> text", True),
    ],
)
def test_a_text_says_whether_it_holds_elements(text: str, *, holds: bool) -> None:
    assert has_semantic_elements(text) is holds


DOORS: list[Callable[..., object]] = [parse_blocks, iter_blocks, has_semantic_elements]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: str(door.__name__))
@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "not NoneType"),
        (b"<file>a</file>", "not bytes; decode it first"),
        (bytearray(b"x"), "not bytearray; decode it first"),
        (Document(page_content="x"), "not Document; pass its page_content"),
        (["<file>a</file>"], "not list"),
        (3, "not int"),
    ],
    ids=["None", "bytes", "bytearray", "Document", "list", "int"],
)
def test_what_is_no_text_is_refused_by_its_kind(door: Callable[..., object], value: object, says: str) -> None:
    with pytest.raises(TypeError, match=f"text must be a str, {says}"):
        door(value)


def test_a_subclass_of_str_is_text() -> None:
    class Prompt(str):
        __slots__ = ()

    assert parse_blocks(Prompt("<file>a</file>")) == parse_blocks("<file>a</file>")
