"""`SemanticXmlLoader` and `SemanticXmlBlobParser`: files, folders and blobs → one Document for each block.

Blocks are found while a file is read, so that none is held as a whole. Knows nothing of chunks: a splitter makes them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast, get_args

from langchain_core.document_loaders import BaseBlobParser, BaseLoader, Blob
from langchain_core.documents import Document
from typing_extensions import override

from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.streams import LOOKAHEAD, StreamReader
from langchain_semantic_xml._boundaries.tags import TagPatterns, patterns_for
from langchain_semantic_xml._documents.ids import ContentIds
from langchain_semantic_xml._documents.metadata import MetadataWriter
from langchain_semantic_xml._documents.names import choose_block_keys
from langchain_semantic_xml._text.blanks import skip_byte_order_mark
from langchain_semantic_xml._text.checks import (
    check_choice,
    check_encoding,
    check_flag,
    check_glob,
    check_instance,
    check_path,
)
from langchain_semantic_xml._text.files import find_files, read_text
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.errors import OptionImportError, UnreadableFileError
from langchain_semantic_xml.typing import Elements, OnError
from langchain_semantic_xml.values import Extent

_BLANKS = " \t"


class SemanticXmlBlobParser(BaseBlobParser):
    r"""Parse blobs into one Document for each block: for loaders that find their blobs themselves.

    A block is an element, with the indentation of its first line, or the text between two elements. Its Document has
    the blob's own metadata, its `source`, and what the splitter says of a chunk with this one block: `block_type`,
    `identity`, positions, the element's attributes and so on; `part`, `parts`, `oversized` and `parent_id` are left to
    the chunks that are made of it.

    The Document's id is a UUID made of the source and the content: the same on every run, different for every block,
    and unchanged where the block has only moved.

    Bytes are decoded as the blob's `encoding` says, after they were unpacked if its source ends in `.gz`.

    Args:
        elements: Names or `ElementRule`s of the elements that are blocks; `None` means the default rules.
        on_error: What becomes of a blob that cannot be read: `"raise"` raises, `"skip"` warns and yields nothing of it;
            to know, it reads each blob through before its first Document.
        add_start_index: Whether Documents say where they are: `start_index`, `end_index`, `start_line`, `end_line`.

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
        self, *, elements: Elements | None = None, on_error: OnError = "raise", add_start_index: bool = True
    ) -> None:
        self._rules = resolve_elements(elements)
        self._on_error = check_choice("on_error", on_error, get_args(OnError))
        self._positions = check_flag("add_start_index", add_start_index)

    @override
    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Yield the Documents of a blob while it is read.

        Args:
            blob: Text, bytes, or a path.

        Raises:
            TypeError: If it is no Blob.
            ValueError: If it names no text encoding.
            UnreadableFileError: If its bytes are not text in its encoding, or not the gzip data that they should be.
            OSError: If its file cannot be opened or read.
        """
        check_instance("blob", blob, Blob, "make one with Blob.from_path() or Blob.from_data()")
        check_encoding(blob.encoding)
        return self._documents(blob)

    def _documents(self, blob: Blob) -> Iterator[Document]:
        try:
            if self._on_error == "skip":
                _read_through(blob)
            yield from _documents_of(blob, patterns_for(self._rules), positions=self._positions)
        except (OSError, UnreadableFileError) as error:
            if self._on_error == "raise":
                raise
            warnings.warn(f"{_name_of(blob)} is skipped: {error}", stacklevel=2)


class SemanticXmlLoader(BaseLoader):
    r"""Load bundles from files: one Document for each block, as `SemanticXmlBlobParser` describes them.

    `source` in the metadata is the file's path. Files are taken in the order of their paths and read in pieces; line
    ends stay as they are. `load_and_split(splitter)` cuts each block by itself; where a block has a key of the chunk's
    already, the chunk's own is `chunk_<key>`: `chunk_start_index` counts from the block's start, `start_index` from the
    file's.

    Args:
        path: A file, a folder, or a pattern such as `"bundles/**/*.xml"`. A file whose name ends in `.gz` is unpacked.
        glob: Of a folder, which files; all unless given. Hidden files, and those in hidden folders, match only a
            pattern with a part that begins with a dot; `**` follows no links to folders.
        elements: Names or `ElementRule`s of the elements that are blocks; `None` means the default rules.
        encoding: Of the files.
        on_error: What becomes of a file that cannot be read: `"raise"` raises, `"skip"` warns and goes on, without any
            Document of that file; to know, it reads each file through before its first Document.
        add_start_index: Whether Documents say where they are: `start_index`, `end_index`, `start_line`, `end_line`.
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
        show_progress: bool = False,
    ) -> None:
        self._path = check_path(path)
        self._glob = check_glob(glob)
        self._encoding = check_encoding(encoding)
        self._parser = SemanticXmlBlobParser(elements=elements, on_error=on_error, add_start_index=add_start_index)
        self._show_progress = check_flag("show_progress", show_progress)

    @override
    def lazy_load(self) -> Iterator[Document]:
        """Yield the Documents while the files are read; `load`, `aload` and `alazy_load` give the same ones.

        Returns:
            An iterator over the Documents. The files are looked for before the first one is asked for.

        Raises:
            FileNotFoundError: If there is no such file or folder, or no file matches.
            ValueError: If a pattern is malformed, or `glob` is given for what is no folder.
            UnreadableFileError: If a file is not text in its encoding, or not the gzip file that it should be.
            OSError: If a file cannot be opened or read, or is no longer there.
            ImportError: If a progress bar is wanted and tqdm is not installed.
        """
        paths = find_files(self._path, self._glob)
        return self._load(_with_progress(paths) if self._show_progress else paths)

    def _load(self, paths: Iterable[Path]) -> Iterator[Document]:
        for path in paths:
            yield from self._parser.lazy_parse(Blob.from_path(path, encoding=self._encoding))


def _documents_of(blob: Blob, patterns: TagPatterns, *, positions: bool) -> Iterator[Document]:
    source = Window("")
    own: dict[str, object] = {**blob.metadata, "source": blob.source}
    writer = MetadataWriter(source, own, keys=choose_block_keys(positions=positions))
    ids = ContentIds(own, blob.id or blob.source)
    for extent in StreamReader(source, _texts_of(blob), patterns, LOOKAHEAD).extents():
        start = _start_with_indentation(source, extent)
        text = source.slice(start, extent.end)
        metadata = writer.write_blocks((extent,), start, extent.end)
        yield Document(page_content=text, metadata=metadata, id=ids.make_id(text))
        source.release(extent.end)


def _start_with_indentation(source: Window, extent: Extent) -> int:
    """Return where an element's line begins if only blanks stand before it.

    With its indentation an element reads by itself as it does in its bundle: what closes it stands below what opens it.
    """
    if extent.type == TEXT:
        return extent.start
    text, start = source.text, extent.start - source.offset
    while start > 0 and text[start - 1] in _BLANKS:
        start -= 1
    opens_text = source.offset == 0 and start <= skip_byte_order_mark(text)
    is_first = opens_text or text[start - 1 : start] == "\n"
    return start + source.offset if is_first else extent.start


def _read_through(blob: Blob) -> None:
    """Raise what reading the blob raises."""
    for _ in _texts_of(blob):
        pass


def _texts_of(blob: Blob) -> Iterator[str]:
    """Yield the text of a blob in pieces."""
    if isinstance(blob.data, str):
        yield blob.data
        return
    with blob.as_bytes_io() as file:
        yield from read_text(file, _name_of(blob), blob.encoding)


def _name_of(blob: Blob) -> str:
    return blob.source or "a blob without a source"


def _with_progress(paths: list[Path]) -> Iterable[Path]:
    try:
        from tqdm import tqdm  # noqa: PLC0415 - only who wants a bar needs it
    except ImportError as error:
        remedy = 'run: pip install "langchain-semantic-xml[progress]"'
        raise OptionImportError("show_progress", True, "needs tqdm", remedy) from error
    return cast("Iterable[Path]", tqdm(paths, desc="Loading", unit="file"))
