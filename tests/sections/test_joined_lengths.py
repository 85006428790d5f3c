"""What counts is the length of the joined text, with length functions of every kind.

Rule: S1.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import Block, SectionBuilder, SemanticXmlSplitter, section_blocks
from langchain_semantic_xml.lengths import tiktoken_length
from tests.laws.strategies import bundles
from tests.sections.making import file

Length = Callable[[str], int]


def add_four_at_seams(text: str) -> int:
    """A line end after a tag counts five: longer than the sum."""
    return len(text) + 4 * text.count(">\n")


def give_discount_for_seams(text: str) -> int:
    """Shorter than the sum by far."""
    return max(0, len(text) - 15 * text.count("</file>\n\n"))


def jump_up_and_down(text: str) -> int:
    """A text may measure less than its own beginning."""
    return len(text) + 7 * (len(text) % 2) - 3 * text.endswith(">")


FUNCTIONS: dict[str, Length] = {
    "characters": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "words": lambda text: len(text.split()),
    "lines": lambda text: text.count("\n") + 1,
    "a quarter, rounded up": lambda text: -(-len(text) // 4),
    "a quarter, rounded down": lambda text: len(text) // 4,
    "kilobytes, rounded up": lambda text: -(-len(text) // 1024),
    "kilobytes, rounded down": lambda text: len(text) // 1024,
    "with begin and end": lambda text: len(text) + 3,
    "more at seams": add_four_at_seams,
    "less at seams": give_discount_for_seams,
    "up and down": jump_up_and_down,
}
ROOMY = 10**9


@pytest.mark.parametrize("length", FUNCTIONS.values(), ids=FUNCTIONS)
@given(made=bundles())
def test_a_text_that_is_one_chunk_without_a_limit_is_one_chunk_at_its_own_length(length: Length, made: object) -> None:
    text = str(getattr(made, "text", made))
    assert_whole_at_its_own_length(text, length)


@given(made=bundles())
def test_the_same_holds_for_tokens(made: object) -> None:
    assert_whole_at_its_own_length(str(getattr(made, "text", made)), tiktoken_length("cl100k_base"))


def assert_whole_at_its_own_length(text: str, length: Length) -> None:
    chunks = SemanticXmlSplitter(ROOMY, length_function=length).split_text(text)
    if len(chunks) == 1 and length(chunks[0]):
        assert SemanticXmlSplitter(length(chunks[0]), length_function=length).split_text(text) == chunks


SMALL_FILES = "\n\n".join(f'<file path="f{number}">\nx = {number}\n</file>' for number in range(2_000))


@pytest.mark.parametrize(
    ("name", "size", "least_fill"),
    [
        ("words", 200, 0.95),
        ("lines", 100, 0.95),
        ("a quarter, rounded up", 200, 0.95),
        ("a quarter, rounded down", 200, 0.95),
        ("kilobytes, rounded up", 10, 0.85),
        ("kilobytes, rounded down", 10, 0.85),
        ("more at seams", 800, 0.9),
        ("up and down", 800, 0.9),
    ],
)
def test_coarse_functions_fill_chunks_and_measure_a_few_times_as_many_characters(
    name: str, size: int, least_fill: float
) -> None:
    asked = 0

    def length(text: str) -> int:
        nonlocal asked
        asked += len(text)
        return FUNCTIONS[name](text)

    chunks = SemanticXmlSplitter(size, length_function=length).split_text(SMALL_FILES)
    lengths = [FUNCTIONS[name](chunk) for chunk in chunks]
    assert max(lengths) <= size
    assert sum(lengths[:-1]) / len(lengths[:-1]) / size >= least_fill
    assert asked <= 16 * len(SMALL_FILES)


def test_a_stream_flows_though_its_files_measure_nothing() -> None:
    taken = 0

    def pieces() -> object:
        nonlocal taken
        for _ in range(1_000):
            taken += 1
            yield SMALL_FILES[:10_000]

    splitter = SemanticXmlSplitter(4, length_function=FUNCTIONS["kilobytes, rounded down"])
    next(splitter.lazy_split_text(pieces()))  # type: ignore[arg-type]
    assert taken < 20


@given(st.lists(st.sampled_from([file("x"), file("y" * 9), file("z" * 40)]), min_size=1, max_size=9))
def test_a_builder_takes_what_fits_when_it_is_joined(contents: list[str]) -> None:
    """Sums that are wrong by more than rounding are not looked into: a builder measures each block once, joined."""
    rounded = (length for length in FUNCTIONS.values() if length not in (give_discount_for_seams, jump_up_and_down))
    for length in rounded:
        joined = length("\n\n".join(contents))
        if joined and all(length("\n\n".join(contents[:end])) <= joined for end in range(1, len(contents))):
            builder = SectionBuilder(joined, length_function=length)
            for content in contents[:-1]:
                builder.add(Block.from_text(content, "file"))
            assert builder.will_fit(Block.from_text(contents[-1], "file"))


def test_sections_are_measured_joined() -> None:
    blocks = [Block.from_text(file("x"), "file"), Block.from_text(file("y"), "file")]
    [section] = section_blocks(blocks, chunk_size=1, length_function=FUNCTIONS["kilobytes, rounded up"])
    assert (len(section.blocks), section.length) == (2, 1)
