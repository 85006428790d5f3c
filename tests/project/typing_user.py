"""What a user writes, for type checkers: each line says what its types are, or that it must be an error.

`test_supply_chain` has it checked with the wheel that a user installs. A line that has stopped being an error is one
itself, because its comment is unused.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.document_loaders import BaseBlobParser, BaseLoader, Blob
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_text_splitters import TextSplitter
from typing_extensions import assert_type

from langchain_semantic_xml import (
    Block,
    ChunkView,
    ElementRule,
    OversizedBlockError,
    Section,
    SectionBuilder,
    SemanticXmlBlobParser,
    SemanticXmlLoader,
    SemanticXmlSplitter,
    UnreadableFileError,
    has_semantic_elements,
    iter_blocks,
    parse_blocks,
    section_blocks,
    show_chunks,
)
from langchain_semantic_xml.typing import Elements, LengthFunction, Oversized, SplitterOptions


def blocks_are_typed(text: str) -> None:
    """Find blocks, and read each of their fields."""
    assert_type(parse_blocks(text), list[Block])
    assert_type(iter_blocks(text, elements=["file"]), Iterator[Block])
    assert_type(has_semantic_elements(text, elements=(ElementRule("page", identity=("url",)),)), bool)
    block = parse_blocks(text)[0]
    assert_type(block.type, str)
    assert_type(block.content, str)
    assert_type((block.start, block.end, block.start_line, block.lines), tuple[int, int, int, int])
    assert_type(block.identity, str | None)
    assert_type(block.attributes["path"], str)
    assert_type(block.attributes.get("path"), str | None)
    assert_type(dict(block.attributes), dict[str, str])
    assert_type(Block.from_text("a", type="text"), Block)

    block.start = 3  # type: ignore[misc]
    block.attributes["path"] = "b"  # type: ignore[index]
    str(block.attribute)  # type: ignore[attr-defined]
    parse_blocks(b"bytes")  # type: ignore[arg-type]
    parse_blocks(text, ["file"])  # type: ignore[call-arg]
    parse_blocks(text, elements=[1])  # type: ignore[list-item]
    ElementRule("page", identities=("url",))  # type: ignore[call-arg]
    len(block.identity)  # type: ignore[arg-type]


def sections_are_typed(blocks: Sequence[Block], count: Callable[[str], int]) -> None:
    """Group blocks, at once and one by one."""
    sections = section_blocks(blocks, chunk_size=100, length_function=count, isolate=("file",))
    assert_type(sections, list[Section])
    assert_type(sections[0].blocks, tuple[Block, ...])
    assert_type((sections[0].text, sections[0].length), tuple[str, int])
    builder = SectionBuilder(100)
    assert_type(builder.will_fit(blocks[0]), bool)
    assert_type((builder.text_length, builder.remaining_space), tuple[int, int])
    assert_type(builder.flush(), Section | None)
    builder.add(blocks[0])

    section_blocks(blocks)  # type: ignore[call-arg]
    section_blocks(blocks, chunk_size=100, separator=None)  # type: ignore[arg-type]
    builder.add("text")  # type: ignore[arg-type]
    str(builder.flush().text)  # type: ignore[union-attr]


class Own(SemanticXmlSplitter):
    """A splitter of one's own, which every constructor must return."""


def options_are_typed(count: LengthFunction, wanted: Elements, cut: Oversized) -> None:
    """Keep options in a dictionary, and pass them on."""
    options = SplitterOptions(chunk_size=100, length_function=count, elements=wanted, oversized=cut)
    assert_type(SemanticXmlSplitter(**options), SemanticXmlSplitter)

    SplitterOptions(chunk_sise=100)  # type: ignore[typeddict-unknown-key]
    SplitterOptions(oversized="cut")  # type: ignore[typeddict-item]


def splitters_are_typed(text: str, documents: list[Document], tokenizer: object) -> None:
    """Make splitters, and split through every door."""
    splitter = SemanticXmlSplitter(
        1000,
        100,
        len,
        add_start_index=True,
        strip_whitespace=True,
        elements=["file", ElementRule("page")],
        separator=None,
        new_after=800,
        combine_under=0,
        isolate=True,
        oversized="keep",
        repeat=None,
        deterministic_ids=True,
    )
    as_langchains: TextSplitter = splitter
    as_transformer: BaseDocumentTransformer = splitter
    assert_type(Own.from_tiktoken_encoder("cl100k_base", chunk_size=100), Own)
    assert_type(Own.from_huggingface_tokenizer(tokenizer, chunk_size=100), Own)
    assert_type(splitter.split_text(text), list[str])
    assert_type(splitter.create_documents(iter([text]), ({"n": n} for n in range(1))), list[Document])
    assert_type(splitter.split_documents(iter(documents)), list[Document])
    assert_type(splitter.lazy_split_documents(documents), Iterator[Document])
    assert_type(splitter.lazy_split_text(text, metadata={"source": "b.xml"}, lookahead=10), Iterator[Document])
    assert_type(splitter.transform_documents(documents), Sequence[Document])
    assert_type(as_langchains.split_documents(documents), list[Document])
    with pathlib.Path("bundle.xml").open(encoding="utf-8") as stream:
        assert_type(splitter.lazy_split_text(stream), Iterator[Document])
    assert_type(splitter.lazy_split_text(text[n : n + 9] for n in range(0, 99, 9)), Iterator[Document])
    as_transformer.transform_documents(documents)

    SemanticXmlSplitter(chunk_sise=1000)  # type: ignore[call-arg]
    SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base", chunk_sise=100)  # type: ignore[call-arg]
    SemanticXmlSplitter.from_huggingface_tokenizer(tokenizer, length_function=len)  # type: ignore[call-arg]
    SemanticXmlSplitter(1000, 100, len, True)  # type: ignore[call-arg]
    SemanticXmlSplitter("1000")  # type: ignore[arg-type]
    SemanticXmlSplitter(length_function=str)  # type: ignore[arg-type]
    SemanticXmlSplitter(oversized="cut")  # type: ignore[arg-type]
    SemanticXmlSplitter(isolate=1)  # type: ignore[arg-type]
    splitter.split_text(text.encode())  # type: ignore[arg-type]
    splitter.split_documents([text])  # type: ignore[list-item]
    str(splitter.split_text(text).page_content)  # type: ignore[attr-defined]


async def awaited_documents_are_typed(documents: list[Document]) -> None:
    """Split and load without waiting."""
    assert_type(await SemanticXmlSplitter().atransform_documents(documents), Sequence[Document])
    assert_type(await SemanticXmlLoader("bundles").aload(), list[Document])


def loaders_are_typed(path: pathlib.Path) -> None:
    """Load files and blobs."""
    loader: BaseLoader = SemanticXmlLoader(path, glob="*.xml", on_error="skip", encoding="utf-8", elements=["file"])
    parser: BaseBlobParser = SemanticXmlBlobParser(on_error="raise")
    assert_type(loader.load(), list[Document])
    assert_type(SemanticXmlLoader("a.xml").lazy_load(), Iterator[Document])
    assert_type(parser.lazy_parse(Blob.from_data("text")), Iterator[Document])

    SemanticXmlLoader(path, "*.xml")  # type: ignore[call-arg]
    SemanticXmlLoader(path, on_error="ignore")  # type: ignore[arg-type]
    SemanticXmlLoader()  # type: ignore[call-arg]


def views_are_typed(documents: list[Document]) -> None:
    """Look at chunks."""
    view = show_chunks(documents, source="text", title="title")
    assert_type(view, ChunkView)
    assert_type((view.html, view.title, view.chunks), tuple[str, str, int])
    view.save("chunks.html")

    show_chunks(documents, "text")  # type: ignore[call-arg]
    show_chunks(documents[0], source=b"text")  # type: ignore[arg-type]


def errors_are_typed(splitter: SemanticXmlSplitter, text: str) -> tuple[Any, ...]:
    """Catch what may be raised, and read what it says."""
    try:
        splitter.split_text(text)
    except OversizedBlockError as error:
        assert_type(error.span, tuple[int, int])
        assert_type(error.identity, str | None)
        return error.span
    except UnreadableFileError as error:
        assert_type((error.source, error.offset), tuple[str, int])
        return (error.line,)
    return ()
