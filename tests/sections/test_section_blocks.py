"""The door `section_blocks`: sections of blocks that know no source.

Rule: S1, S2, S5.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from langchain_semantic_xml import Block, Section, SectionBuilder, parse_blocks, section_blocks
from langchain_semantic_xml._text.checks import (
    check_chunk_overlap,
    check_chunk_size,
    check_combine_under,
    check_isolate,
    check_new_after,
    check_separator,
)
from tests.sections.making import failing_over, notes_of, with_ends

PRIORITIES = [
    "Chunking Priorities",
    "Divide text into manageable chunks",
    "Preserve semantic boundaries",
    "Minimize mid-text chunk-splitting",
]


def sectioned(*contents: str | tuple[str, str], **options: object) -> list[Section]:
    """Section blocks given by their content, or by type and content."""
    blocks = [Block.from_text(*([c] if isinstance(c, str) else reversed(c))) for c in contents]
    return section_blocks(blocks, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("chunk_size", "lengths"), [(115, [85, 33]), (120, [120])])
def test_the_separators_between_blocks_count(chunk_size: int, lengths: list[int]) -> None:
    sections = sectioned(*PRIORITIES, chunk_size=chunk_size)
    assert "\n\n".join(section.text for section in sections) == "\n\n".join(PRIORITIES)
    assert [section.length for section in sections] == [len(section.text) for section in sections] == lengths


def test_text_blocks_are_trimmed_and_elements_are_not() -> None:
    (section,) = sectioned(" \n  a\n", ("file", " b "), "\n", chunk_size=99)
    assert section.text == "  a\n\n b "


def test_a_section_names_a_block_once() -> None:
    (section,) = sectioned("# A\na\n# B\nb", chunk_size=99)
    assert [block.content for block in section.blocks] == ["# A\na\n# B\nb"]


def test_a_block_may_be_in_two_sections() -> None:
    first, second = sectioned("# A\na\n# B\nb", chunk_size=6)
    assert (first.text, second.text) == ("# A\na", "# B\nb")
    assert first.blocks == second.blocks


def test_an_oversized_block_is_a_section_of_its_own() -> None:
    sections = sectioned("# A", ("file", "x" * 30), "</w>", chunk_size=20, length_function=with_ends)
    assert [(section.text, section.length) for section in sections] == [("# A\n\n" + "x" * 30, 19), ("</w>", 4)]
    sections = sectioned("a\n# B", ("file", "x" * 30), "</w>", chunk_size=20)
    assert [(section.text, section.length) for section in sections] == [
        *(("a", 1), ("# B", 3), ("x" * 30, 30), ("</w>", 4))
    ]


def test_text_after_an_element_goes_on_in_its_line() -> None:
    blocks = [Block("file", "<file/>", 0, 7, 1, 1), Block("text", " # no heading", 7, 20, 1, 1)]
    assert [section.text for section in section_blocks(blocks, chunk_size=99)] == ["<file/>\n\n# no heading"]


def test_no_blocks_make_no_sections() -> None:
    assert section_blocks([], chunk_size=1) == []
    assert sectioned("", " \n", "\ufeff"[:0], chunk_size=1) == []


@pytest.mark.parametrize(
    ("call", "error", "remedy"),
    [
        pytest.param(lambda: section_blocks(Block.from_text("a"), chunk_size=9), TypeError, "list", id="one block"),  # type: ignore[arg-type]
        pytest.param(lambda: section_blocks("a", chunk_size=9), TypeError, "iterable of Block", id="a text"),  # type: ignore[arg-type]
        pytest.param(lambda: section_blocks(["a"], chunk_size=9), TypeError, "from_text", id="texts"),  # type: ignore[list-item]
        pytest.param(lambda: section_blocks(5, chunk_size=9), TypeError, "iterable", id="a number"),  # type: ignore[arg-type]
        pytest.param(lambda: sectioned(chunk_size=0), ValueError, "chunk_size=0", id="no size"),
        pytest.param(lambda: sectioned(chunk_size=True), TypeError, "chunk_size=True", id="a bool is no size"),
        pytest.param(lambda: sectioned(chunk_size=9.0), TypeError, "chunk_size=9.0", id="a float is no size"),
        pytest.param(lambda: sectioned(chunk_size=9, new_after=-1), ValueError, "new_after=-1", id="soft maximum"),
        pytest.param(lambda: sectioned(chunk_size=9, combine_under="1"), TypeError, "combine_under", id="combine"),
        pytest.param(
            lambda: sectioned(chunk_size=9, separator=None), TypeError, "SemanticXmlSplitter", id="no separator"
        ),
        pytest.param(
            lambda: sectioned(chunk_size=9, separator=1), TypeError, "separator=1", id="a number as separator"
        ),
        pytest.param(lambda: sectioned(chunk_size=9, isolate="file"), TypeError, r"\('file',\)", id="a bare type"),
        pytest.param(lambda: sectioned(chunk_size=9, isolate=[1]), TypeError, "isolate: 1", id="a number as type"),
        pytest.param(
            lambda: sectioned(chunk_size=9, length_function=3), TypeError, "length_function=3", id="no function"
        ),
        pytest.param(lambda: check_chunk_overlap(9, 9), ValueError, "less than chunk_size=9", id="overlap"),
        pytest.param(lambda: check_chunk_overlap(-1, 9), ValueError, "chunk_overlap=-1", id="negative overlap"),
    ],
)
def test_a_wrong_option_is_an_error_that_names_the_remedy(
    call: Callable[[], object], error: type[Exception], remedy: str
) -> None:
    with pytest.raises(error, match=remedy):
        call()


def test_checked_options_are_returned() -> None:
    assert check_chunk_size(1) == 1
    assert check_chunk_overlap(0, 1) == 0
    assert check_new_after(None) is None
    assert check_new_after(0) == 0
    assert check_combine_under(3) == 3
    assert check_separator("") == ""
    assert check_isolate(["a", "b"]) == frozenset("ab")
    assert check_isolate(value=True) is True


def texts_of(*contents: str | Block, **options: object) -> list[str]:
    """Group blocks, strings being text blocks of sources of their own, and show the text of each section."""
    blocks = [Block.from_text(content) if isinstance(content, str) else content for content in contents]
    return [section.text for section in section_blocks(blocks, **options)]  # type: ignore[arg-type]


def test_a_tag_of_the_blocks_own_types_is_no_container_line() -> None:
    text = "aaaa\n<note>\nbbbb"
    assert texts_of(text, chunk_size=12) == ["aaaa", "<note>\nbbbb"]
    assert texts_of(text, Block.from_text("<note/>", "note"), chunk_size=12) == [text, "<note/>"]


def test_a_single_block_where_several_are_wanted_is_named_by_its_type() -> None:
    with pytest.raises(TypeError, match="not Block; put a single one into a list"):
        section_blocks(Block.from_text("a"), chunk_size=9)  # type: ignore[arg-type]


@pytest.mark.parametrize("door", [lambda: section_blocks([3], chunk_size=9), lambda: SectionBuilder(9).add(3)])  # type: ignore[list-item, arg-type]
def test_what_is_no_block_is_named_with_its_type(door: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="must be a Block, not int; make one"):
        door()


def test_a_block_that_begins_its_own_source_begins_a_line() -> None:
    file = Block.from_text("<file/>", "file")
    assert texts_of(file, "# Notes\nab", chunk_size=99, combine_under=0) == ["<file/>", "# Notes\nab"]
    (first, second) = parse_blocks("<file/># Notes\nab")
    assert texts_of(first, second, chunk_size=99, combine_under=0) == ["<file/>\n\n# Notes\nab"]


def test_lines_of_several_blocks_beside_an_oversized_one_are_joined_by_the_separator() -> None:
    file = Block.from_text(f"<file>{'x' * 30}</file>", "file")
    texts = texts_of("# A", "<d>", file, "</d>", "</e>", chunk_size=30, separator=" | ")
    assert texts == ["# A | <d>", file.content, "</d> | </e>"]


@pytest.mark.parametrize(
    ("size", "taken", "last"), [(10, [], "x" * 5000), (1000, ["x" * 1500], "x" * 1500)], ids=["one block", "two joined"]
)
def test_an_exception_of_a_length_function_passes_through_a_builder_with_a_note(
    size: int, taken: list[str], last: str
) -> None:
    builder = SectionBuilder(size, length_function=failing_over(2000))
    for content in taken:
        builder.add(Block.from_text(content))
    with pytest.raises(ValueError, match="are too many") as raised:
        builder.add(Block.from_text(last))
    assert [note.rpartition(" for ")[2] for note in notes_of(raised.value)] == ["the text at offset 0"]


def test_an_exception_of_a_length_function_passes_through_section_blocks_with_a_note_of_the_place() -> None:
    with pytest.raises(ValueError, match="are too many") as raised:
        texts_of("ab", "x" * 5000, chunk_size=10, length_function=failing_over(2000))
    assert [note.rpartition(" for ")[2] for note in notes_of(raised.value)] == ["the text at offset 3"]
