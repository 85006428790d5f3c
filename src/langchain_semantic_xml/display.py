"""Documents → a page that shows how a text was split, for notebooks and reports.

The door to `_view`: `traces` finds where each text comes from, `page` writes the HTML.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from langchain_core.documents import Document

from langchain_semantic_xml._text.checks import (
    check_chunk_size,
    check_instance,
    check_length_function,
    check_several,
    check_text,
)
from langchain_semantic_xml._text.replacing import replace_file
from langchain_semantic_xml._text.rulers import LengthFunction
from langchain_semantic_xml._view.facts import Measure
from langchain_semantic_xml._view.page import render_page
from langchain_semantic_xml._view.traces import TracedSource, trace

_LONGEST_PATH = 1000


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A page that shows chunks; a notebook shows it by itself.

    Args:
        html: The whole page, encodable as UTF-8.
        title: Its title.
        chunks: How many chunks it shows.
    """

    html: str = field(repr=False)
    title: str
    chunks: int

    def _repr_html_(self) -> str:
        """Return the page in a frame, so that the styles of the page and of the notebook do not mix."""
        height = "30rem" if self.chunks else "7rem"
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" srcdoc="{escape(self.html)}" '
            f'style="width:100%;height:{height};min-height:6rem;resize:vertical;border:1px solid #8888"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, in UTF-8; an existing file is replaced when the page is complete, and not before.

        Args:
            path: The path of the file.

        Raises:
            OSError: If it cannot be written.
        """
        target = Path(path)
        page = self.html.encode("utf-8")
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            target.write_bytes(page)
            return
        with replace_file(target.resolve()) as file:
            file.write(page)


def show_chunks(
    documents: Iterable[Document],
    *,
    source: str | None = None,
    title: str | None = None,
    chunk_size: int | None = None,
    length_function: LengthFunction = len,
    unit: str | None = None,
) -> ChunkView:
    r"""Show how a text was split: the source with its chunks, coloured by block type, and the metadata of each.

    Overlap and repeated tags are dimmed, and the page notes the text between two chunks that is in neither. Documents
    of any splitter are shown; the page tells more of Documents that have this package's metadata.

    Args:
        documents: The chunks in order, of one source or of several sources one after the other; iterated once.
        source: The text of their only source. If given, the page also shows the text between chunks, and the white
            space of the source.
        title: The page's title; by default the name of the source, if the metadata have one.
        chunk_size: The splitter's chunk size. If given, the page shows how full each chunk is.
        length_function: The splitter's length function, with which the page measures each chunk once.
        unit: What the length function counts, in the plural, such as "tokens"; by default "characters" with `len`, and
            "units" with another function.

    Raises:
        TypeError: If a value among the documents is no Document, or an option has the wrong type.
        ValueError: If `source` is given, and the documents name several sources, or it is a line that holds none of
            them, as a path does.

    Example:
        >>> from langchain_semantic_xml import SemanticXmlSplitter
        >>> bundle = "# Files\n<file path='a.py'>\nx = 1\n</file>\n"
        >>> view = show_chunks(SemanticXmlSplitter().create_documents([bundle]), source=bundle, title="a.py, bundled")
        >>> view
        ChunkView(title='a.py, bundled', chunks=1)
        >>> view.save("chunks.html")  # doctest: +SKIP
    """
    chunks = _list_documents(documents)
    for name, value in (("source", source), ("title", title), ("unit", unit)):
        if value is not None:
            check_text(name, value)
    if chunk_size is not None:
        check_chunk_size(chunk_size)
    check_length_function(length_function)
    sources = trace(chunks, source)
    if source is not None:
        _check_text_of(source, sources)
    title = title if title is not None else _make_title(sources)
    unit = unit or ("characters" if length_function is len else "units")
    return ChunkView(render_page(title, sources, Measure(chunk_size, length_function, unit)), title, len(chunks))


def _check_text_of(source: str, sources: list[TracedSource]) -> None:
    """Refuse a path in place of the text: no chunk is in it."""
    chunks = [chunk for traced in sources for chunk in traced.chunks]
    if chunks and "\n" not in source and len(source) < _LONGEST_PATH and not any(chunk.placed for chunk in chunks):
        msg = f"source={source!r} holds none of the chunks; pass the text itself, not the path of its file"
        raise ValueError(msg)


def _list_documents(documents: Iterable[Document]) -> list[Document]:
    remedy = "show the result of a splitter's split_documents()"
    return [
        check_instance(f"documents[{position}]", document, Document, remedy)
        for position, document in enumerate(check_several("documents", documents, Document))
    ]


def _make_title(sources: list[TracedSource]) -> str:
    names = dict.fromkeys(source.name for source in sources)
    if len(names) == 1 and (name := next(iter(names))):
        return f"Chunks of {name}"
    return f"Chunks of {len(names)} sources" if len(names) > 1 else "Chunks"
