"""The loaders: bundles in files, folders and blobs → one Document for each block; source trees → one for each file.

Blocks are found while a file is read, so that no file is held as a whole. Knows nothing of chunks.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar, cast, get_args

from langchain_core.document_loaders import BaseBlobParser, BaseLoader, Blob
from langchain_core.documents import Document
from typing_extensions import override

from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml._documents.blocks import load_blocks
from langchain_semantic_xml._documents.ids import BlockIds
from langchain_semantic_xml._parts.languages import name_language
from langchain_semantic_xml._text.checks import (
    check_choice,
    check_encoding,
    check_encoding_errors,
    check_flag,
    check_glob,
    check_instance,
    check_max_bytes,
    check_path,
)
from langchain_semantic_xml._text.files import find_files, read_text
from langchain_semantic_xml._text.trees import SkippedFileError, SkipReason, list_tree, read_source
from langchain_semantic_xml.errors import OptionImportError, UnreadableFileError
from langchain_semantic_xml.typing import Elements, OnError

Item = TypeVar("Item")


class SemanticXmlBlobParser(BaseBlobParser):
    r"""Parse blobs into one Document for each block: for loaders that find their blobs themselves.

    A block is an element, with the indentation of its first line, or the text between two elements. Its Document has
    the metadata of the blob, its `source`, and the keys of a chunk that holds this block alone: `block_type`,
    `identity`, positions, the element's attributes and so on. The keys `part`, `parts`, `oversized` and `parent_id` are
    left out: they describe the chunks that a splitter makes of the block.

    The Document's id is a UUID made of the source and the content. It is the same on every run, different for every
    block, and does not change when the block only moves.

    With `unescape=True`, `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numeric references in the content of an
    element are decoded, once. Tags, text between elements, CDATA and contents that hold a raw `<` stay as they are. So
    do references to line ends, such as `&#10;`: lines stay right. The `<` of a tag of the element's own name in its
    content is written `&lt;`, so that the Document is still one element. `start_index` and `end_index` count the
    characters of the blob, not those of the decoded text.

    Bytes are unpacked if the blob's source ends in `.gz`, and decoded in the blob's `encoding`.

    Args:
        elements: Names or `ElementRule`s of the elements that are blocks; `None` means the default rules.
        on_error: What happens to a blob that cannot be read: `"raise"` raises, `"skip"` warns and yields no Document of
            it. To know, `"skip"` reads each blob to its end before the first Document.
        add_start_index: Whether Documents say where they are: `start_index`, `end_index`, `start_line`, `end_line`.
        unescape: Whether the escaped contents of elements are decoded, as bundles of `repomix --parsable-style` need
            it. Without it every Document is a copy of its source.

    Raises:
        TypeError: If an option has the wrong type.
        ValueError: If an option has a value that it cannot have.

    Example:
        >>> blob = Blob.from_data("# Files\n<file path='a.py'>\nx = 1\n</file>\n", path="bundle.xml")
        >>> for document in SemanticXmlBlobParser().lazy_parse(blob):
        ...     known = document.metadata
        ...     print(known["source"], known["start_line"], known["block_type"], known["identity"])
        bundle.xml 1 text None
        bundle.xml 2 file a.py
    """

    def __init__(
        self,
        *,
        elements: Elements | None = None,
        on_error: OnError = "raise",
        add_start_index: bool = True,
        unescape: bool = False,
    ) -> None:
        self._rules = resolve_elements(elements)
        self._on_error = check_choice("on_error", on_error, get_args(OnError))
        self._positions = check_flag("add_start_index", add_start_index)
        self._unescape = check_flag("unescape", unescape)

    @override
    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Yield the Documents of a blob while it is read.

        Args:
            blob: A Blob of text, of bytes, or of a path.

        Raises:
            TypeError: If `blob` is not a Blob.
            ValueError: If its encoding is not a text encoding.
            UnreadableFileError: If its bytes are not text in its encoding, or its gzip data are damaged.
            OSError: If its file cannot be opened or read.
        """
        check_instance("blob", blob, Blob, "make one with Blob.from_path() or Blob.from_data()")
        check_encoding(blob.encoding)
        return self._parse(blob)

    def _parse(self, blob: Blob) -> Iterator[Document]:
        try:
            if self._on_error == "skip":
                _read_to_end(blob)
            blocks = load_blocks(
                _read_blob(blob),
                {**blob.metadata, "source": blob.source},
                patterns_for(self._rules),
                name=blob.id or blob.source,
                positions=self._positions,
                unescape=self._unescape,
            )
            for block in blocks:
                yield Document(page_content=block.text, metadata=block.metadata, id=block.id)
        except (OSError, UnreadableFileError) as error:
            if self._on_error == "raise":
                raise
            warnings.warn(f"{_name_of(blob)} is skipped: {error}", stacklevel=2)


class SemanticXmlLoader(BaseLoader):
    r"""Load bundles from files: one Document for each block, as `SemanticXmlBlobParser` describes them.

    `source` in the metadata is the file's path. Files are loaded in the order of their paths and read in pieces; line
    ends stay as they are. `load_and_split(splitter)` cuts each block by itself. If a block already has a key, the key
    of its chunk is `chunk_<key>`: `chunk_start_index` counts from the start of the block, `start_index` from the start
    of the file.

    Args:
        path: A file, a folder, or a pattern such as `"bundles/**/*.xml"`. A file whose name ends in `.gz` is unpacked.
        glob: Which files of a folder are loaded; by default all. Hidden files, and files in hidden folders, match only
            a pattern with a part that begins with a dot; `**` follows no links to folders.
        elements: Names or `ElementRule`s of the elements that are blocks; `None` means the default rules.
        encoding: The text encoding of the files.
        on_error: What happens to a file that cannot be read: `"raise"` raises, `"skip"` warns and yields no Document of
            it. To know, `"skip"` reads each file to its end before the first Document.
        add_start_index: Whether Documents say where they are: `start_index`, `end_index`, `start_line`, `end_line`.
        unescape: Whether the escaped contents of elements are decoded, as bundles of `repomix --parsable-style` need
            it. Without it every Document is a copy of its source.
        show_progress: Whether a bar on stderr counts the files; needs the extra `progress`.

    Raises:
        TypeError: If an option has the wrong type.
        ValueError: If an option has a value that it cannot have.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "b.xml").write_text("<file path='a.py'>\nx = 1\n</file>\n", encoding="utf-8")
        ...     documents = SemanticXmlLoader(folder, glob="*.xml").load()
        >>> documents[0].page_content
        "<file path='a.py'>\nx = 1\n</file>"
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        glob: str | None = None,
        elements: Elements | None = None,
        encoding: str = "utf-8",
        on_error: OnError = "raise",
        add_start_index: bool = True,
        unescape: bool = False,
        show_progress: bool = False,
    ) -> None:
        self._path = check_path(path)
        self._glob = check_glob(glob)
        self._encoding = check_encoding(encoding)
        self._parser = SemanticXmlBlobParser(
            elements=elements, on_error=on_error, add_start_index=add_start_index, unescape=unescape
        )
        self._has_progress = check_flag("show_progress", show_progress)

    @override
    def lazy_load(self) -> Iterator[Document]:
        """Yield the Documents while the files are read; `load`, `aload` and `alazy_load` give the same ones.

        Returns:
            An iterator over the Documents. The files are listed at once, and read when their Documents are asked for.

        Raises:
            FileNotFoundError: If there is no such file or folder, or no file matches.
            ValueError: If a pattern is malformed, or `glob` is given for a path that is not a folder.
            UnreadableFileError: If a file is not text in its encoding, or its gzip data are damaged.
            OSError: If a file cannot be opened or read, or has been removed.
            ImportError: If a progress bar is asked for and tqdm is not installed.
        """
        paths = find_files(self._path, self._glob)
        return self._load(_show_progress(paths) if self._has_progress else paths)

    def _load(self, paths: Iterable[Path]) -> Iterator[Document]:
        for path in paths:
            yield from self._parser.lazy_parse(Blob.from_path(path, encoding=self._encoding))


class SourceTreeLoader(BaseLoader):
    r"""Load the text files of a folder, such as a git work tree: one Document for each file.

    A Document holds a whole file. Its metadata are `source` (the path of the file), `path` (the same, relative to the
    folder) and `language` (as the suffix says; `None` if it says none). A splitter cuts it in the language of its path.

    Files that git ignores are left out, in a work tree and elsewhere. Binary, blank and too large files, symbolic links
    and files that cannot be read are left out and counted in `skipped`. Files are read one after the other, in the
    order of their paths, and without their byte-order marks.

    The Document's id is a UUID made of the source and the content: it is the same on every run.

    Args:
        path: The folder.
        glob: A pattern of the relative paths to load, such as `"src/**/*.py"`; by default all.
        gitignore: Whether files that git ignores are left out. Needs the program `git`.
        encoding: The text encoding of the files; a byte-order mark is believed more.
        encoding_errors: What happens to bytes that are not text in the encoding: `"strict"` makes the file one that
            cannot be read, `"replace"`, `"backslashreplace"` and other error handlers of Python's codecs read on.
        max_bytes: The size of the largest file that is loaded; `None` for no limit.
        on_error: What happens to a file that is not text in its encoding or cannot be read: `"raise"` raises, `"skip"`
            warns and goes on.
        show_progress: Whether a bar on stderr counts the files; needs the extra `progress`.

    Raises:
        TypeError: If an option has the wrong type.
        ValueError: If an option has a value that it cannot have.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "app.py").write_text("x = 1\n", encoding="utf-8")
        ...     _ = Path(folder, "logo.png").write_bytes(b"\x89PNG\0")
        ...     loader = SourceTreeLoader(folder)
        ...     documents = loader.load()
        >>> documents[0].page_content, documents[0].metadata["path"], documents[0].metadata["language"]
        ('x = 1\n', 'app.py', 'python')
        >>> loader.skipped
        {'binary': 1}
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        glob: str | None = None,
        gitignore: bool = True,
        encoding: str = "utf-8",
        encoding_errors: str = "strict",
        max_bytes: int | None = 1_000_000,
        on_error: OnError = "skip",
        show_progress: bool = False,
    ) -> None:
        self._path = check_path(path)
        self._glob = check_glob(glob)
        self._gitignore = check_flag("gitignore", gitignore)
        self._encoding = check_encoding(encoding)
        self._encoding_errors = check_encoding_errors(encoding_errors)
        self._max_bytes = check_max_bytes(max_bytes)
        self._on_error = check_choice("on_error", on_error, get_args(OnError))
        self._has_progress = check_flag("show_progress", show_progress)
        self._skipped: Counter[SkipReason] = Counter()

    @property
    def skipped(self) -> dict[SkipReason, int]:
        """How many files the last loading has skipped so far, by reason.

        The reasons are `"binary"`, `"blank"`, `"link"`, `"special"` (a device or the like), `"too_large"` and
        `"unreadable"`.
        """
        return dict(self._skipped)

    @override
    def lazy_load(self) -> Iterator[Document]:
        """Yield the Documents while the files are read; `load`, `aload` and `alazy_load` give the same ones.

        Returns:
            An iterator over the Documents. The files are listed at once, and read when their Documents are asked for.

        Raises:
            FileNotFoundError: If there is no such folder.
            NotADirectoryError: If `path` is a file.
            ValueError: If `glob` is malformed, or git is not installed and `gitignore` is not turned off.
            UnreadableFileError: If a file is not text in its encoding and `on_error="raise"`.
            OSError: If a file cannot be read and `on_error="raise"`.
            ImportError: If a progress bar is asked for and tqdm is not installed.
        """
        paths = list_tree(self._path, self._glob, gitignore=self._gitignore)
        skipped: Counter[SkipReason] = Counter()
        self._skipped = skipped
        return self._load(_show_progress(paths) if self._has_progress else paths, skipped)

    def _load(self, paths: Iterable[str], skipped: Counter[SkipReason]) -> Iterator[Document]:
        for path in paths:
            try:
                text = read_source(self._path / path, self._encoding, self._encoding_errors, self._max_bytes)
            except SkippedFileError as error:
                skipped[error.reason] += 1
            except (OSError, UnreadableFileError) as error:
                if self._on_error == "raise":
                    raise
                skipped["unreadable"] += 1
                warnings.warn(f"{self._path / path} is skipped: {error}", stacklevel=2)
            else:
                yield self._make_document(path, text)

    def _make_document(self, path: str, text: str) -> Document:
        source = os.fspath(self._path / path)
        metadata = {"source": source, "path": path, "language": name_language(path)}
        return Document(page_content=text, metadata=metadata, id=BlockIds(metadata, source).make_id(text))


def _read_to_end(blob: Blob) -> None:
    """Read a blob only for the errors that this raises."""
    for _ in _read_blob(blob):
        pass


def _read_blob(blob: Blob) -> Iterator[str]:
    """Yield the text of a blob in pieces."""
    if isinstance(blob.data, str):
        yield blob.data
        return
    with blob.as_bytes_io() as file:
        yield from read_text(file, _name_of(blob), blob.encoding)


def _name_of(blob: Blob) -> str:
    return blob.source or "a blob without a source"


def _show_progress(paths: list[Item]) -> Iterable[Item]:
    try:
        from tqdm import tqdm  # noqa: PLC0415 - only the bar needs it
    except ImportError as error:
        remedy = 'run: pip install "langchain-semantic-xml[progress]"'
        raise OptionImportError("show_progress", True, "needs tqdm", remedy) from error
    return cast("Iterable[Item]", tqdm(paths, desc="Loading", unit="file"))
