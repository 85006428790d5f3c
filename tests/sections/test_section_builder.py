"""`SectionBuilder`: says what fits, joins the blocks that were added, and measures no more than it must.

Rule: S1.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import Block, Section, SectionBuilder, parse_blocks
from langchain_semantic_xml.typing import LengthFunction
from tests.sections.making import FUNCTIONS, failing_over, notes_of


class Recorder:
    """A length function that notes what it is asked, and adds one for every time that blocks `a` and `b` meet."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> int:
        self.asked.append(text)
        return len(text) + text.count("a\n\nb")


def filled(builder: SectionBuilder, *contents: str) -> SectionBuilder:
    """Add text blocks to a builder."""
    for content in contents:
        builder.add(Block.from_text(content))
    return builder


def test_an_empty_builder_has_all_its_space() -> None:
    builder = SectionBuilder(10)
    assert (builder.text_length, builder.remaining_space) == (0, 10)
    assert builder.flush() is None


def test_a_builder_counts_the_separators() -> None:
    builder = filled(SectionBuilder(20), "five5", "five5")
    assert (builder.text_length, builder.remaining_space) == (12, 6)
    assert builder.will_fit(Block.from_text("sixsix"))
    assert not builder.will_fit(Block.from_text("7 seven"))


def test_remaining_space_is_never_negative() -> None:
    assert filled(SectionBuilder(10), "x" * 9).remaining_space == 0
    assert filled(SectionBuilder(10), "x" * 30).remaining_space == 0


def test_an_oversized_block_fits_when_the_builder_is_empty_and_is_then_alone() -> None:
    builder = SectionBuilder(3)
    assert builder.will_fit(Block.from_text("four"))
    filled(builder, "four")
    assert not builder.will_fit(Block.from_text("x"))
    assert builder.flush() == Section((Block.from_text("four"),), "four", 4)


def test_a_block_that_does_not_fit_is_refused() -> None:
    builder = filled(SectionBuilder(10), "five5")
    with pytest.raises(ValueError, match=r"remaining space of 3.*flush\(\)"):
        builder.add(Block.from_text("four"))
    assert builder.text_length == 5


def test_a_builder_begins_anew_after_each_section() -> None:
    builder = filled(SectionBuilder(10), "one", "two")
    assert builder.flush() == Section((Block.from_text("one"), Block.from_text("two")), "one\n\ntwo", 8)
    assert builder.flush() is None
    assert filled(builder, "three").flush() == Section((Block.from_text("three"),), "three", 5)


def test_a_block_may_be_added_twice() -> None:
    block = Block.from_text("a")
    builder = SectionBuilder(10)
    builder.add(block)
    builder.add(block)
    assert builder.flush() == Section((block, block), "a\n\na", 4)


def test_a_builder_trims_text_and_leaves_out_blank_blocks() -> None:
    builder = filled(SectionBuilder(4), "\ufeff\n", " \n", "\n  ab\n", "\n")
    assert builder.will_fit(Block.from_text(" "))
    assert builder.flush() == Section((Block.from_text("\n  ab\n"),), "  ab", 4)


def test_a_builder_does_not_trim_elements() -> None:
    builder = SectionBuilder(9)
    builder.add(Block.from_text(" x ", "file"))
    assert builder.text_length == 3


def test_only_blocks_can_be_built_from() -> None:
    with pytest.raises(TypeError, match="from_text"):
        SectionBuilder(4).will_fit("text")  # type: ignore[arg-type]


def test_a_block_is_measured_once_however_often_it_is_asked_about() -> None:
    measured: list[str] = []

    def length(text: str) -> int:
        measured.append(text)
        return len(text)

    builder = SectionBuilder(9, length_function=length)
    for block in map(Block.from_text, ("abc", "def")):
        assert builder.will_fit(block)
        assert builder.will_fit(block)
        builder.add(block)
    assert builder.flush() is not None
    assert measured == ["", "\n\n", "abc", "def", "abc\n\ndef"]


@given(st.lists(st.text(max_size=9)), st.integers(1, 30), st.sampled_from(FUNCTIONS))
def test_what_a_builder_says_will_fit_does(contents: list[str], chunk_size: int, function: LengthFunction) -> None:
    builder = SectionBuilder(chunk_size, length_function=function)
    sections: list[Section | None] = []
    for block in map(Block.from_text, contents):
        if not builder.will_fit(block):
            sections.append(builder.flush())
        builder.add(block)
    for section in filter(None, [*sections, builder.flush()]):
        assert section.length == function(section.text)
        assert section.length <= chunk_size or len(section.blocks) == 1


@given(st.lists(st.text(st.characters(exclude_characters="#<`~\ufeff"), max_size=9)), st.integers(1, 30))
def test_a_builder_and_section_blocks_agree(contents: list[str], chunk_size: int) -> None:
    blocks = [Block.from_text(content) for content in contents]
    builder = SectionBuilder(chunk_size)
    sections: list[Section | None] = []
    for block in blocks:
        if not builder.will_fit(block):
            sections.append(builder.flush())
        builder.add(block)
    sections.append(builder.flush())


def test_a_byte_order_mark_is_blank_only_where_a_source_begins() -> None:
    builder = SectionBuilder(9)
    (_, block) = parse_blocks("<file/>\ufeffab")
    builder.add(block)
    section = builder.flush()
    assert section is not None
    assert section.text == "\ufeffab"


def test_indentation_stays_only_where_the_block_begins_a_line() -> None:
    (_, within) = parse_blocks("<file/>  ab")
    for block, text in [(Block.from_text("  ab"), "  ab"), (within, "ab")]:
        builder = SectionBuilder(9)
        builder.add(block)
        section = builder.flush()
        assert section is not None
        assert section.text == text


def test_a_block_of_exactly_the_size_is_measured_once() -> None:
    length = Recorder()
    builder = SectionBuilder(4, length_function=length)
    builder.add(Block.from_text("four"))
    assert builder.text_length == 4
    assert length.asked == ["", "\n\n", "four"]


def test_a_joined_text_is_measured_where_its_sum_is_exactly_the_size() -> None:
    length = Recorder()
    builder = SectionBuilder(4, length_function=length)
    builder.add(Block.from_text("a"))
    assert not builder.will_fit(Block.from_text("b"))
    assert length.asked[-1] == "a\n\nb"


def test_a_joined_text_is_not_measured_where_its_sum_is_over_the_size() -> None:
    length = Recorder()
    builder = SectionBuilder(4, length_function=length)
    builder.add(Block.from_text("a"))
    assert not builder.will_fit(Block.from_text("cdef"))
    assert length.asked[-1] == "cdef"


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
