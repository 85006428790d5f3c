"""The sources that the command splits: a bundle as a stream, a folder file by file.

Both are split and counted through the same three methods, so that the commands need not tell them apart.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, cast

from langchain_core.documents import Document

from langchain_semantic_xml._boundaries.tags import TagPatterns, patterns_for
from langchain_semantic_xml._cli.errors import CommandError, reason_of, shortened
from langchain_semantic_xml._cli.flags import write_as_flag
from langchain_semantic_xml._cli.hints import Sample, describe_unknown, explain_escaped, explain_nothing
from langchain_semantic_xml._cli.progress import ReadingBar
from langchain_semantic_xml._cli.reading import STANDARD, Reading, read_bundle
from langchain_semantic_xml._cli.stats import Tally
from langchain_semantic_xml._documents.blocks import load_blocks
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml.errors import OptionError, OversizedBlockError
from langchain_semantic_xml.loaders import SourceTreeLoader
from langchain_semantic_xml.splitter import SemanticXmlSplitter

Chunk = TypeVar("Chunk")

_REASONS = {
    "binary": "binary",
    "blank": "blank",
    "link": "symbolic links",
    "special": "not regular files",
    "too_large": "too large",
    "unreadable": "not readable",
}


class Bundle:
    """A file, or standard input.

    Args:
        path: The path of the file, or `-`.
        reading: How it is read.
    """

    def __init__(self, path: str, reading: Reading) -> None:
        self._path = path
        self._reading = reading
        self._sample = Sample()
        self._is_recognised = False
        self._counted: TagPatterns | None = None

    def read(self, bar: ReadingBar) -> Iterator[str]:
        """Yield the text in pieces."""
        return self._sample.keep(read_bundle(self._path, self._reading, bar.advance))

    def split(
        self, splitter: SemanticXmlSplitter, bar: ReadingBar, pieces: Iterable[str] | None = None
    ) -> Iterator[Document]:
        """Yield the chunks while the bundle is read, or of `pieces` that were read before."""
        pieces = self.read(bar) if pieces is None else pieces
        split = self._split_unescaped if self._reading.unescape else self._split_whole
        for document in split(splitter, bar, pieces):
            self._is_recognised = self._is_recognised or document.metadata["block_types"] != [TEXT]
            yield document

    def _split_whole(self, splitter: SemanticXmlSplitter, bar: ReadingBar, pieces: Iterable[str]) -> Iterator[Document]:
        documents = splitter.lazy_split_text(pieces, metadata={"source": self._path}, lookahead=self._reading.lookahead)
        return _watch_splitting(documents, self._path, bar)

    def _split_unescaped(
        self, splitter: SemanticXmlSplitter, bar: ReadingBar, pieces: Iterable[str]
    ) -> Iterator[Document]:
        """Yield the chunks of each block by itself, the contents of elements decoded."""
        blocks = load_blocks(
            pieces,
            {"source": self._path},
            patterns_for(splitter.options.elements),
            name=self._path,
            positions=splitter.options.add_start_index,
            unescape=True,
            lookahead=self._reading.lookahead,
        )
        first_line = 1

        def make_documents() -> Iterator[Document]:
            nonlocal first_line
            for block in blocks:
                first_line = cast("int", block.metadata.get("start_line", 1))
                yield Document(page_content=block.text, metadata=block.metadata, id=block.id)

        documents = splitter.lazy_split_documents(make_documents())
        return _watch_splitting(documents, self._path, bar, lambda line: first_line + line - 1)

    def count(self, splitter: SemanticXmlSplitter, tally: Tally, bar: ReadingBar) -> None:
        """Count the blocks and chunks."""
        chunks = tally.count_stream(self._path, self.read(bar), splitter.options, self._reading.lookahead)
        self._counted = patterns_for(splitter.options.elements)
        for chunk in _watch_splitting(chunks, self._path, bar):
            self._is_recognised = self._is_recognised or any(block.type != TEXT for block in chunk.blocks)

    def notes(self) -> list[str]:
        """Return what the user should know: that no element was found.

        Where blocks were counted, also which elements no rule names, and whether most contents are escaped.
        """
        if not self._is_recognised:
            note = explain_nothing(self._path, self._sample.text)
            return [] if note is None else [note]
        if self._counted is None:
            return []
        text = self._sample.text
        escaped = explain_escaped(self._path, text, self._counted)
        return [*describe_unknown(self._path, text), *([] if escaped is None else [escaped])]


class Folder:
    """A folder, of which each text file is split by itself. Its files are listed at once.

    Args:
        path: The path of the folder.
        reading: How its files are read.
        output: The path of the output, which is left out if it lies in the folder.

    Raises:
        CommandError: If the files cannot be listed.
    """

    def __init__(self, path: str, reading: Reading, output: str | None) -> None:
        self._path = path
        self._output = os.path.realpath(output) if output not in (None, STANDARD) else None
        self._loader = SourceTreeLoader(
            path,
            glob=reading.glob,
            gitignore=reading.gitignore,
            encoding=reading.encoding,
            encoding_errors=reading.errors,
        )
        try:
            self._files = self._loader.lazy_load()
        except OptionError as error:
            msg = f"{path}: {error.message(write_as_flag)}"
            raise CommandError(msg) from error
        except OSError as error:
            msg = f"{path}: {reason_of(error)}; check the path"
            raise CommandError(msg) from error

    def split(self, splitter: SemanticXmlSplitter, bar: ReadingBar) -> Iterator[Document]:
        """Yield the chunks of each file, in the order of their paths."""
        for file in self._load(bar):
            chunks = splitter.lazy_split_documents([file])
            yield from _watch_splitting(chunks, file.metadata["source"], bar)

    def count(self, splitter: SemanticXmlSplitter, tally: Tally, bar: ReadingBar) -> None:
        """Count the blocks and chunks of each file."""
        for file in self._load(bar):
            chunks = splitter.lazy_split_documents([file])
            tally.count_document(file, _watch_splitting(chunks, file.metadata["source"], bar), splitter.options)

    def notes(self) -> list[str]:
        """Return how many files were skipped and why, if any were."""
        skipped = self._loader.skipped
        if not skipped:
            return []
        reasons = ", ".join(f"{count:,} {_REASONS[reason]}" for reason, count in sorted(skipped.items()))
        remedy = "; name their --encoding, or take --encoding-errors replace" if "unreadable" in skipped else ""
        return [f"{self._path}: skipped {reasons}{remedy}"]

    def _load(self, bar: ReadingBar) -> Iterator[Document]:
        while True:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # files that are not readable are counted, and told at the end
                file = next(self._files, None)
            if file is None:
                return
            bar.advance(len(file.page_content))
            if self._output is None or os.path.realpath(file.metadata["source"]) != self._output:
                yield file


def open_sources(paths: Sequence[str], reading: Reading, output: str | None = None) -> list[Bundle | Folder]:
    """Return the sources that paths name; the files of folders are listed now, before any output is made.

    Raises:
        CommandError: If the files of a folder cannot be listed, or are to be unescaped.
    """
    folders = [path for path in paths if path != STANDARD and os.path.isdir(path)]  # noqa: PTH112 - the path is shown as it was given
    if folders and reading.unescape:
        msg = f"{folders[0]}: --unescape is for bundles, not for folders; name the bundles in it"
        raise CommandError(msg)
    return [Folder(path, reading, output) if path in folders else Bundle(path, reading) for path in paths]


def _watch_splitting(
    chunks: Iterable[Chunk], path: str, bar: ReadingBar, find_line: Callable[[int], int] = int
) -> Iterator[Chunk]:
    """Yield the chunks of a file; move the bar, and say of an oversized block in which file it is.

    Args:
        chunks: The chunks.
        path: The path of the file.
        bar: The bar.
        find_line: Returns the line of the file for a line of the text that is split.

    Raises:
        CommandError: If a block is oversized and must not be.
    """
    try:
        for chunk in chunks:
            bar.advance()
            yield chunk
    except OversizedBlockError as error:
        name = error.type if error.identity is None else f"{error.type} {shortened(error.identity)}"
        msg = (
            f"{path}, line {find_line(error.line)}: {name} has length {error.length}, "
            f"more than --chunk-size {error.chunk_size}; raise it, or take --oversized split or keep"
        )
        raise CommandError(msg) from error
