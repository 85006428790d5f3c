"""What must hold of any text under any options: the laws, and that every door gives the same result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random

import pytest
from langchain_core.documents import Document
from typing_extensions import Unpack

from langchain_semantic_xml import (
    Block,
    OversizedBlockError,
    Section,
    SectionBuilder,
    SemanticXmlSplitter,
    has_semantic_elements,
    parse_blocks,
    section_blocks,
)
from langchain_semantic_xml._boundaries import streams
from langchain_semantic_xml._documents.address import NAMING_KEYS
from langchain_semantic_xml._text.window import count_lines
from langchain_semantic_xml.typing import LengthFunction, SplitterOptions
from tests.boundaries.reference import reference_blocks
from tests.fuzz.inputs import Input
from tests.laws.checks import check_laws, is_blank, squeeze

SHORT = 20_000
"""A shorter text is streamed through windows that are small, or it would fit into the first one."""
COMPARED = 2_000
"""A text up to this long is also given to the reference, whose time grows with the square."""


def check_input(
    text: str,
    *,
    metadata: Mapping[str, object] | None = None,
    salt: int = 0,
    splitter: type[SemanticXmlSplitter] = SemanticXmlSplitter,
    **options: Unpack[SplitterOptions],
) -> None:
    """Assert every law for one input.

    Args:
        text: The text to split.
        metadata: The metadata of the source.
        salt: Says what is checked beside the laws, by its remainder: 0 a stream, of which it draws the pieces, 1
            `split_text`, 2 sections, 3 the blocks that the reference finds.
        splitter: The class to check; a test of the fuzzer gives one with a fault.
        options: The splitter's options.
    """
    metadata = {} if metadata is None else metadata
    check_blocks(text, options)
    made = splitter(**options)
    given = repr(metadata)
    try:
        documents = made.create_documents([text], [metadata])
    except OversizedBlockError as error:
        _check_error(text, options, error)
        return
    assert repr(metadata) == given, "the source's metadata was changed"
    check_laws(text, documents, source_metadata=metadata, **options)
    further = salt % 4
    if further == 0:
        unnamed = {key: value for key, value in metadata.items() if key not in NAMING_KEYS}  # a stream is no file
        _check_stream(made, text, unnamed, salt, made.create_documents([text], [unnamed]))
    elif further == 1:
        _check_split_text(made, text, made.create_documents([text]))
    elif further == 2:
        _check_sections(text, options)
    elif len(text) <= COMPARED:
        check_against_the_reference(text, options)


def check(found: Input, splitter: type[SemanticXmlSplitter] = SemanticXmlSplitter) -> None:
    """Assert every law for an input."""
    check_input(found.text, metadata=found.metadata, salt=found.salt, splitter=splitter, **found.options)


# Blocks.


def check_blocks(text: str, options: SplitterOptions) -> None:
    """Assert that blocks lie in order, lose nothing, and say the truth of themselves."""
    elements = options.get("elements")
    blocks = parse_blocks(text, elements=elements)
    covered, line = 0, 1
    last_type = ""
    for block in blocks:
        assert covered <= block.start < block.end <= len(text), "a block is empty, out of order or out of the text"
        assert is_blank(text, covered, block.start), f"lost: {text[covered : block.start]!r}"
        line += text.count("\n", covered, block.start)
        assert block.start_line == line, f"start_line={block.start_line} in line {line}"
        _check_block(text, block)
        assert last_type != "text" or block.type != "text", "two blocks of text in a row"
        line += block.content.count("\n")
        covered, last_type = block.end, block.type
    assert is_blank(text, covered, len(text)), f"lost: {text[covered:]!r}"


def check_against_the_reference(text: str, options: SplitterOptions) -> None:
    """Assert that the reference finds the same blocks."""
    elements = options.get("elements")
    ours = [(block.type, block.start, block.end, block.identity) for block in parse_blocks(text, elements=elements)]
    assert ours == reference_blocks(text, elements), "the reference finds other blocks"


def _check_block(text: str, block: Block) -> None:
    assert block.content == text[block.start : block.end]
    assert block.lines == count_lines(block.content)
    assert block.identity != ""
    if block.type == "text":
        assert not is_blank(text, block.start, block.end), "a block is blank"
        assert not block.attributes
        assert block.identity is None
    else:
        assert block.content.startswith(f"<{block.type}")
        assert block.content.endswith(">")


# Sections.


def _check_sections(text: str, options: SplitterOptions) -> None:
    """Assert that sections hold every block in order, and are too long only where a block alone is."""
    elements = options.get("elements")
    blocks = parse_blocks(text, elements=elements)
    assert has_semantic_elements(text, elements=elements) is any(block.type != "text" for block in blocks)
    size = options.get("chunk_size", 4000)
    length = options.get("length_function", len)
    separator = options.get("separator", "\n\n") or ""  # sections know no source whose white space they could keep
    sections = section_blocks(
        blocks,
        chunk_size=size,
        separator=separator,
        length_function=length,
        new_after=options.get("new_after"),
        combine_under=options.get("combine_under"),
        isolate=options.get("isolate", ()),
    )
    starts = [block.start for section in sections for block in section.blocks]
    assert starts == sorted(starts), "the blocks of sections are out of order"
    assert sorted(set(starts)) == [block.start for block in blocks], "a block is in no section"
    built = list(_built(blocks, size, separator, length))
    for section in (*sections, *built):
        assert section.length == length(section.text), "a section's length is not what its text measures"
        assert section.length <= size or len(section.blocks) == 1, f"a section of {section.length} could be divided"
    if not separator.strip():
        content = squeeze("".join(block.content for block in blocks))
        for made in (sections, built):
            whole = squeeze("".join(section.text for section in made))
            assert whole == content, "sections lose or add text"


def _built(blocks: Sequence[Block], size: int, separator: str, length: LengthFunction) -> Iterator[Section]:
    """Build sections by hand: each takes what fits."""
    builder = SectionBuilder(size, separator=separator, length_function=length)
    for block in blocks:
        if not builder.will_fit(block) and (section := builder.flush()):
            yield section
        builder.add(block)
    if section := builder.flush():
        yield section


# Doors.


def _check_split_text(splitter: SemanticXmlSplitter, text: str, documents: Sequence[Document]) -> None:
    assert splitter.split_text(text) == [document.page_content for document in documents], "split_text differs"


def _check_stream(
    splitter: SemanticXmlSplitter, text: str, metadata: Mapping[str, object], salt: int, documents: Sequence[Document]
) -> None:
    with _windows_for(text):
        streamed = list(splitter.lazy_split_text(_chopped(text, salt), metadata=metadata))
    assert streamed == list(documents), "a stream gives other Documents than the whole text"
    with _windows_for(text):
        _check_hurried(type(splitter)(), text, salt)


def _check_hurried(splitter: SemanticXmlSplitter, text: str, salt: int) -> None:
    """Assert that a stream that may not wait for what comes loses nothing, though its blocks may be others."""
    covered = 0
    for document in splitter.lazy_split_text(_chopped(text, salt), lookahead=1 + salt):
        start, end = document.metadata["start_index"], document.metadata["end_index"]
        assert covered <= start < end, "a stretch is in two chunks of a hurried stream"
        assert is_blank(text, covered, start), f"lost in a hurried stream: {text[covered:start]!r}"
        covered = end
    assert is_blank(text, covered, len(text)), f"lost in a hurried stream: {text[covered:]!r}"


def _check_error(text: str, options: SplitterOptions, error: OversizedBlockError) -> None:
    """Assert that what is called oversized is; without an error the laws say that nothing is."""
    assert options.get("oversized") == "error", "an error that nobody asked for"
    start, end = error.span
    assert options.get("length_function", len)(text[start:end]) >= error.length > options.get("chunk_size", 4000)


def _chopped(text: str, salt: int) -> Iterator[str]:
    """Yield the text in pieces of random sizes, at most some thousands of them."""
    rng = Random(salt)  # noqa: S311 - reproducible, not secret
    most = max(1 << rng.randrange(len(text).bit_length() + 1), len(text) // 2_000)
    start = 0
    while start < len(text):
        end = start + 1 + int(rng.random() * most)
        yield text[start:end]
        start = end


@contextmanager
def _windows_for(text: str) -> Iterator[None]:
    """Make the windows of a stream so small that a short text has many."""
    with pytest.MonkeyPatch.context() as patch:
        if len(text) < SHORT:
            patch.setattr(streams, "_SMALLEST_WINDOW", 16)
            patch.setattr(streams, "_USUAL_WINDOW", 64)
            patch.setattr("langchain_semantic_xml._boundaries.horizon._FAR", 16)
        yield
