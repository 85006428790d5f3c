"""Documents → a page that shows how a text was split, for notebooks and reports.

This module knows what a user gives and gets; what the page tells comes from `traces`, how it looks from `page`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from langchain_core.documents import Document

from langchain_semantic_xml._text.checks import check_instance, check_several, check_text
from langchain_semantic_xml._view.page import page_of
from langchain_semantic_xml._view.traces import TracedSource, trace


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
        """Return the page in a frame of its own, so that neither its style nor a notebook's touches the other."""
        height = "30rem" if self.chunks else "7rem"
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" srcdoc="{escape(self.html)}" '
            f'style="width:100%;height:{height};min-height:6rem;resize:vertical;border:1px solid #8888"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, in UTF-8; one that is there is replaced.

        Args:
            path: Where to.

        Raises:
            OSError: If it cannot be written.
        """
        Path(path).write_text(self.html, encoding="utf-8", newline="\n")


def show_chunks(documents: Iterable[Document], *, source: str | None = None, title: str | None = None) -> ChunkView:
    r"""Show how a text was split: the source with its chunks, coloured by block type, and the metadata of each.

    What a chunk repeats (overlap, the tags around a part) is dimmed, and what lies between chunks is noted. Lengths are
    in characters, whatever function the splitter measured with. Documents of any splitter are shown; the more of this
    package's metadata they have, the more is told.

    Args:
        documents: The chunks, in order, of one source or of several after one another; taken once.
        source: The text of their only source. With it, the gaps are shown too, and the white space is the source's.
        title: The page's title; by default the name of the source, if the metadata have one.

    Raises:
        TypeError: If something else than a Document is among the documents, or an option has the wrong type.
        ValueError: If `source` is given, and the documents name several sources.

    Example:
        >>> from langchain_semantic_xml import SemanticXmlSplitter
        >>> bundle = "# Files\n<file path='a.py'>\nx = 1\n</file>\n"
        >>> view = show_chunks(SemanticXmlSplitter().create_documents([bundle]), source=bundle, title="a.py, bundled")
        >>> view
        ChunkView(title='a.py, bundled', chunks=1)
        >>> view.save("chunks.html")  # doctest: +SKIP
    """
    chunks = _list_documents(documents)
    for name, value in (("source", source), ("title", title)):
        if value is not None:
            check_text(name, value)
    sources = trace(chunks, source)
    title = title if title is not None else _title(sources)
    return ChunkView(page_of(title, sources), title, len(chunks))


def _list_documents(documents: Iterable[Document]) -> list[Document]:
    remedy = "show the result of a splitter's split_documents()"
    return [
        check_instance(f"documents[{position}]", document, Document, remedy)
        for position, document in enumerate(check_several("documents", documents, Document))
    ]


def _title(sources: list[TracedSource]) -> str:
    names = dict.fromkeys(source.name for source in sources)
    if len(names) == 1 and (name := next(iter(names))):
        return f"Chunks of {name}"
    return f"Chunks of {len(names)} sources" if len(names) > 1 else "Chunks"
