"""The edges of sectioning that random bundles seldom reach: the last character that fits, and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from langchain_semantic_xml import Block, SectionBuilder, parse_blocks, section_blocks


def texts_of(*contents: str | Block, **options: object) -> list[str]:
    """Group blocks, strings being text blocks of sources of their own, and show the text of each section."""
    blocks = [Block.from_text(content) if isinstance(content, str) else content for content in contents]
    return [section.text for section in section_blocks(blocks, **options)]  # type: ignore[arg-type]


class Recorder:
    """A length function that notes what it is asked, and adds one for every time that blocks `a` and `b` meet."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> int:
        self.asked.append(text)
        return len(text) + text.count("a\n\nb")


def failing_over(limit: int) -> Recorder:
    """Return a length function that fails when a text is longer than `limit`."""

    class Failing(Recorder):
        def __call__(self, text: str) -> int:
            if len(text) > limit:
                msg = f"{len(text)} characters are too many"
                raise ValueError(msg)
            return len(text) // 10

    return Failing()


def notes_of(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", ()))


def test_a_tag_of_the_blocks_own_types_is_no_container_line() -> None:
    text = "aaaa\n<note>\nbbbb"
    assert texts_of(text, chunk_size=12) == ["aaaa", "<note>\nbbbb"]
    assert texts_of(text, Block.from_text("<note/>", "note"), chunk_size=12) == [text, "<note/>"]
    assert texts_of(text, chunk_size=12, elements=["note"]) == [text]


def test_one_name_where_several_are_wanted_is_refused_in_the_words_of_the_option() -> None:
    with pytest.raises(TypeError, match=r"^elements='file' must be an iterable of names;"):
        section_blocks([], chunk_size=9, elements="file")


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
    assert not builder.will_fit(Block.from_text("cd"))
    assert length.asked[-1] == "cd"


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
