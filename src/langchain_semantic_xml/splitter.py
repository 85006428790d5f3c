"""`SemanticXmlSplitter`: the options, and texts → Documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, islice, zip_longest
from typing import Any, Literal, cast

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter
from typing_extensions import Self, Unpack, override

from langchain_semantic_xml._boundaries.finder import find_extents
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.streams import LOOKAHEAD, StreamReader, read_pieces
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml._documents.address import Addresses, name_file
from langchain_semantic_xml._documents.chunks import iter_chunks
from langchain_semantic_xml._documents.ids import ContentIds
from langchain_semantic_xml._documents.metadata import MetadataWriter, copy_items
from langchain_semantic_xml._documents.names import choose_keys
from langchain_semantic_xml._documents.origins import Origin, choose_ids
from langchain_semantic_xml._parts.languages import is_code
from langchain_semantic_xml._parts.syntax import require_syntax
from langchain_semantic_xml._text.checks import (
    check_instance,
    check_isolate,
    check_lookahead,
    check_metadata,
    check_several,
    check_text,
    check_types,
)
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.lengths import huggingface_length, tiktoken_length
from langchain_semantic_xml.typing import (
    CodeSplitterOptions,
    Elements,
    Granularity,
    LengthFunction,
    Oversized,
    Repeat,
    TextFile,
    TokenSplitterOptions,
)
from langchain_semantic_xml.values import DEFAULT_SEPARATOR, Extent, Options

_MISSING = object()


class SemanticXmlSplitter(TextSplitter):
    r"""Split XML-tagged text into Documents at the boundaries of its elements.

    An element is cut only if it alone is longer than `chunk_size`; what counts is the length of the joined chunk, with
    separators, repeated tags and overlap. The splitter holds no state between calls: it may be shared by threads, and
    pickles if its length function does.

    Args:
        chunk_size: The hard maximum of `length_function(page_content)`.
        chunk_overlap: At most this much of a chunk is repeated in the next; less than `chunk_size`.
        length_function: Any function from `str` to `int`, additive or not.
        add_start_index: Whether Documents say where they are: `start_index`, `end_index`, `start_line`, `end_line`.
        strip_whitespace: Whether blank lines at a chunk's ends and trailing blanks go. The indentation of the first
            line stays.
        elements: Names or `ElementRule`s of the elements that are blocks; `None` means the default rules.
        separator: Put between two blocks of one chunk; `None` keeps the white space of the source.
        new_after: The soft maximum: a chunk that has reached it takes no further block.
        combine_under: A chunk shorter than this takes the next passage (a heading with the text below it) if all of it
            fits; `None` means `chunk_size`, 0 turns this off.
        isolate: Types whose blocks share no chunk with another block; `True` means all.
        oversized: What becomes of a block that alone is longer than `chunk_size`: `"split"` cuts it at its best inner
            boundaries, `"keep"` makes it one chunk with `oversized` set, `"error"` raises.
        syntax: Whether code in elements that are split is cut between its definitions as tree-sitter sees them. A
            definition that fits is not cut, and each part names in its metadata (`scope`) the definition that it is in.
            Needs the extra `code`.
        granularity: `"definition"` cuts elements of code at their functions and methods even where they fit, each of
            which is a chunk if it fits; with `syntax` as tree-sitter sees them, without as the language's words tell.
        syntax_seconds: With `syntax`, for texts of strangers, the most that parsing one element may take. Then the
            language's words serve, with a warning. `None`: no limit, so that the cuts do not depend on the machine.
        repeat: What every part of an element that is cut begins with: `"tags"`, its opening tag (and ends with its
            closing tag); `"signatures"`, the tags, then the header of the table that the part begins inside of, or,
            with `syntax`, the signatures of the class and function around it; `"breadcrumb"`, one line that names the
            element and, with `syntax`, the definition; `None`, nothing.
        deterministic_ids: Whether each Document gets an id of its own that is the same on every run: `True` makes it of
            source, place and content, `"content"` of source, file and content, so that an edit changes no id of a chunk
            that has only moved.

    Raises:
        ImportError: With `syntax`, if tree-sitter is not installed.
        TypeError: If an option has the wrong type.
        ValueError: If an option has a value that it cannot have.

    Example:
        >>> splitter = SemanticXmlSplitter(chunk_size=60)
        >>> bundle = "# Files\n<file path='a.py'>\nx = 1\n</file>\n\n<file path='b.py'>\ny = 2\n</file>\n"
        >>> for document in splitter.create_documents([bundle]):
        ...     print(repr(document.page_content), document.metadata["path"], document.metadata["start_line"])
        "# Files\n\n<file path='a.py'>\nx = 1\n</file>" a.py 1
        "<file path='b.py'>\ny = 2\n</file>" b.py 6
    """

    def __init__(
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 0,
        length_function: LengthFunction = len,
        *,
        add_start_index: bool = True,
        strip_whitespace: bool = True,
        elements: Elements | None = None,
        separator: str | None = DEFAULT_SEPARATOR,
        new_after: int | None = None,
        combine_under: int | None = None,
        isolate: Iterable[str] | bool = (),
        oversized: Oversized = "split",
        syntax: bool = False,
        granularity: Granularity = "element",
        syntax_seconds: float | None = None,
        repeat: Repeat | None = "tags",
        deterministic_ids: bool | Literal["content"] = False,
    ) -> None:
        rules = resolve_elements(elements)
        self._options = Options(
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
            length_function=length_function,
            add_start_index=add_start_index,
            strip_whitespace=strip_whitespace,
            elements=rules,
            separator=separator,
            new_after=new_after,
            combine_under=combine_under,
            isolate=check_types(check_isolate(isolate), (rule.name for rule in rules)),
            oversized=oversized,
            syntax=syntax,
            granularity=granularity,
            syntax_seconds=syntax_seconds,
            repeat=repeat,
            deterministic_ids=deterministic_ids,
        )
        if syntax:
            require_syntax()
        super().__init__(
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
            length_function=length_function,
            add_start_index=add_start_index,
            strip_whitespace=strip_whitespace,
        )

    @property
    def options(self) -> Options:
        """The options of this splitter, checked; read-only."""
        return self._options

    @classmethod
    def for_code(cls, chunk_size: int = 1500, **options: Unpack[CodeSplitterOptions]) -> Self:
        r"""Make a splitter for the search in code: each function is a chunk that begins with its path and name.

        The same as `syntax=True, granularity="definition", repeat="breadcrumb"`; needs the extra `code`.

        Args:
            chunk_size: The hard maximum of a chunk's length.
            **options: Further options of the splitter, also others for these three.

        Returns:
            The splitter.

        Raises:
            ImportError: If tree-sitter is not installed.

        Example:
            >>> splitter = SemanticXmlSplitter.for_code(60)
            >>> code = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
            >>> for document in splitter.create_documents([f'<file path="a.py">\n{code}</file>']):
            ...     print(ascii(document.page_content.splitlines()[0]))
            'a.py \u203a one'
            'a.py \u203a two'

        Rule: P7.
        """
        chosen: CodeSplitterOptions = {"syntax": True, "granularity": "definition", "repeat": "breadcrumb"}
        chosen.update(options)
        return cls(chunk_size, **chosen)

    @classmethod
    @override
    def from_tiktoken_encoder(  # type: ignore[override]  # the options have names and types here
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Literal["all"] | AbstractSet[str] | None = None,
        disallowed_special: Literal["all"] | Collection[str] = (),
        **options: Unpack[TokenSplitterOptions],
    ) -> Self:
        """Make a splitter that measures in tokens of a tiktoken encoding; needs the extra `tiktoken`.

        Special tokens in the text, such as `<|endoftext|>`, are counted as the text that they are, unless LangChain's
        `disallowed_special="all"` is asked for.

        Args:
            encoding_name: The name of an encoding.
            model_name: The name of a model, to take its encoding instead.
            allowed_special: Special tokens that count as one token each.
            disallowed_special: Special tokens that the text must not hold.
            options: The options of the class, `length_function` apart.

        Raises:
            ImportError: If tiktoken is not installed.
            TypeError: If an option is misspelt.
        """
        return cls(
            length_function=tiktoken_length(encoding_name, model_name, allowed_special, disallowed_special), **options
        )

    @classmethod
    @override
    def from_huggingface_tokenizer(  # type: ignore[override]  # as above
        cls, tokenizer: Any, **options: Unpack[TokenSplitterOptions]
    ) -> Self:
        """Make a splitter that measures in tokens of a Hugging Face tokenizer.

        Args:
            tokenizer: A `tokenizers.Tokenizer`, or a tokenizer of `transformers`.
            options: The options of the class, `length_function` apart.

        Raises:
            TypeError: If it is neither, or an option is misspelt.
        """
        return cls(length_function=huggingface_length(tokenizer), **options)

    @override
    def split_text(self, text: str) -> list[str]:
        """Return the contents of the Documents that `create_documents([text])` returns.

        Args:
            text: Any string.

        Raises:
            TypeError: If `text` is not a `str`.
            OversizedBlockError: If a block is oversized and `oversized="error"`.
        """
        window = Window(check_text("text", text))
        return [chunk.text for chunk in iter_chunks(window, self._find_blocks(window), self._options)]

    @override
    def create_documents(
        self,
        texts: Iterable[str],
        metadatas: Iterable[Mapping[Any, Any]] | None = None,  # LangChain's metadata has keys and values of any type
    ) -> list[Document]:
        """Split texts into Documents.

        Args:
            texts: Any number of strings.
            metadatas: As many mappings; each is copied into the Documents of its text, and nothing is shared.

        Returns:
            The Documents of all texts, in order.

        Raises:
            TypeError: If `texts` is a bare string or holds a value that is no string.
            ValueError: If there are not as many metadatas as texts.
            OversizedBlockError: If a block is oversized and `oversized="error"`.
        """
        check_several("texts", texts, str)
        documents: list[Document] = []
        ids = ContentIds()
        for ordinal, (text, metadata) in enumerate(_pair_metadata(texts, metadatas)):
            plain = check_text(f"texts[{ordinal}]", text)
            documents.extend(self._split_one(plain, Origin(copy_items(metadata), None, ordinal), ids))
        return documents

    @override
    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split Documents into smaller ones; their metadata is copied, and their ids become `parent_id`.

        Args:
            documents: Any number of Documents; a generator is fine. They are not changed.

        Raises:
            TypeError: If a value among them is no Document.
            OversizedBlockError: If a block is oversized and `oversized="error"`.
        """
        return list(self.lazy_split_documents(documents))

    def lazy_split_documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield what `split_documents` returns, taking each Document only when its chunks are asked for.

        Args:
            documents: Any number of Documents.

        Raises:
            TypeError: If a value among them is no Document.
            OversizedBlockError: If a block is oversized and `oversized="error"`.
        """
        check_several("documents", documents, Document)
        return self._split_each(documents)

    def lazy_split_text(
        self,
        text_or_stream: str | TextFile | Iterable[str],
        *,
        metadata: Mapping[Any, Any] | None = None,
        lookahead: int = LOOKAHEAD,
    ) -> Iterator[Document]:
        """Yield the Documents of one text while it is read: the same ones as of the whole text.

        Memory holds the largest block, the chunk that is being filled and a window of the text. Where an element ends
        can depend on the text after it: the end of an element that never closes, or of the last one of its name, is
        decided only at the end of the text. After `lookahead` characters without a decision, the splitter decides as if
        the text ended there.

        Args:
            text_or_stream: A string, an open text file, or any iterable of strings.
            metadata: The metadata of the text; copied into each Document.
            lookahead: The number of characters, from the start of a block, after which its end is decided without more
                text; of a stream, at most 1.5 times as many are held.

        Raises:
            TypeError: If `text_or_stream` is neither a string, nor a text file, nor an iterable of strings.
            ValueError: If `lookahead` is less than 1.
            OversizedBlockError: If a block is oversized and `oversized="error"`.

        Rule: L7.
        """
        metadata = {} if metadata is None else metadata
        check_metadata("metadata", metadata)
        origin = Origin(copy_items(metadata), None, 0)
        if isinstance(text_or_stream, str):
            return self._split_one(check_text("text_or_stream", text_or_stream), origin, ContentIds())
        _check_stream(text_or_stream)
        window = Window("")
        pieces = read_pieces("text_or_stream", text_or_stream)
        reader = StreamReader(window, pieces, patterns_for(self._options.elements), check_lookahead(lookahead))
        return self._make_documents(window, reader.extents(), origin, ContentIds())

    def _split_each(self, documents: Iterable[Document]) -> Iterator[Document]:
        ids = ContentIds()
        for ordinal, document in enumerate(documents):
            check_instance(f"documents[{ordinal}]", document, Document, "texts go to create_documents()")
            text = check_text(f"documents[{ordinal}].page_content", document.page_content)
            yield from self._split_one(text, Origin(document.metadata, document.id, ordinal), ids)

    def _split_one(self, text: str, origin: Origin, ids: ContentIds) -> Iterator[Document]:
        """Yield the chunks of a text that is known as a whole.

        Rule: M5.
        """
        window = Window(text)
        extents = self._find_blocks(window)
        file = name_file(origin.metadata)
        if file is None:
            yield from self._make_documents(window, extents, origin, ids)
            return
        first_two = list(islice(extents, 2))
        if len(first_two) != 1 or first_two[0].type != TEXT:
            yield from self._make_documents(window, chain(first_two, extents), origin, ids)
            return
        # Only a text block of code has an identity: it is not cut at lines that look like headings.
        whole = first_two[0]._replace(identity=file) if is_code(file) else first_two[0]
        yield from self._make_documents(window, iter([whole]), origin._replace(file=file), ids)

    def _make_documents(
        self, window: Window, extents: Iterator[Extent], origin: Origin, ids: ContentIds
    ) -> Iterator[Document]:
        options = self._options
        patterns = patterns_for(options.elements)
        writer = MetadataWriter(
            window,
            origin.metadata,
            keys=choose_keys(positions=options.add_start_index, syntax=options.syntax),
            addresses=Addresses(window, patterns, origin.metadata, is_file=origin.file is not None),
            parent_id=origin.id,
        )
        make_id = choose_ids(options, origin, ids)
        for chunk in iter_chunks(window, extents, options):
            yield Document(page_content=chunk.text, metadata=writer.write_chunk(chunk), id=make_id(chunk))

    def _find_blocks(self, window: Window) -> Iterator[Extent]:
        return find_extents(window.text, patterns_for(self._options.elements))


def _check_stream(value: object) -> None:
    if isinstance(value, (bytes, Document)) or not isinstance(value, (TextFile, Iterable)):
        check_text("text_or_stream", value)


def _pair_metadata(
    texts: Iterable[str], metadatas: Iterable[Mapping[Any, Any]] | None
) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """Pair each text with its metadata; raise `ValueError` if there are more of the one than of the other."""
    if metadatas is None:
        yield from ((text, {}) for text in texts)
        return
    for count, (text, metadata) in enumerate(zip_longest(texts, metadatas, fillvalue=_MISSING)):
        if text is _MISSING or metadata is _MISSING:
            fewer, more = ("texts", "metadatas") if text is _MISSING else ("metadatas", "texts")
            msg = f"there are more {more} than {fewer} ({count}); give one mapping for each text"
            raise ValueError(msg)
        check_metadata(f"metadatas[{count}]", metadata)
        yield cast("tuple[str, Mapping[Any, Any]]", (text, metadata))
