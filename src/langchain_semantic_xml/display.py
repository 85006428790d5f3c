"""Documents → a page that shows how a text was split, for notebooks and reports.

The door to `_view`: `traces` finds where each text comes from, `page` writes the HTML.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from langchain_core.documents import Document

from langchain_semantic_xml._text.checks import check_instance, check_several, check_text
from langchain_semantic_xml._view.page import render_page
from langchain_semantic_xml._view.traces import TracedSource, trace

_LONGEST_PATH = 1000
_LONGEST_STEM = 40
"""How many characters of its target's name a temporary file has: names end at 255 bytes, a character has up to 4."""


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
        """Write the page to a file, in UTF-8; an existing file is replaced when the new one is complete.

        Args:
            path: The path of the file.

        Raises:
            OSError: If it cannot be written.
        """
        target = Path(path)
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            target.write_text(self.html, encoding="utf-8", newline="\n")
            return
        target = target.resolve()
        beside = target.with_name(f".{target.name[:_LONGEST_STEM]}.{secrets.token_hex(8)}.tmp")
        try:
            beside.write_text(self.html, encoding="utf-8", newline="\n")
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)


def show_chunks(documents: Iterable[Document], *, source: str | None = None, title: str | None = None) -> ChunkView:
    r"""Show how a text was split: the source with its chunks, coloured by block type, and the metadata of each.

    Overlap and repeated tags are dimmed, and the page notes what lies between two chunks. Lengths are in characters,
    whatever length function the splitter used. Documents of any splitter are shown; the page tells more of Documents
    that have this package's metadata.

    Args:
        documents: The chunks in order, of one source or of several sources one after the other; iterated once.
        source: The text of their only source. If given, the page also shows the text between chunks, and the white
            space of the source.
        title: The page's title; by default the name of the source, if the metadata have one.

    Raises:
        TypeError: If something else than a Document is among the documents, or an option has the wrong type.
        ValueError: If `source` is given, and the documents name several sources, or `source` is the path of a file.

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
    if source is not None:
        _check_text_of(source, sources)
    title = title if title is not None else _title(sources)
    return ChunkView(render_page(title, sources), title, len(chunks))


def _list_documents(documents: Iterable[Document]) -> list[Document]:
    remedy = "show the result of a splitter's split_documents()"
    return [
        check_instance(f"documents[{position}]", document, Document, remedy)
        for position, document in enumerate(check_several("documents", documents, Document))
    ]


def _check_text_of(source: str, sources: list[TracedSource]) -> None:
    """Refuse a path in place of the text: no chunk is in it."""
    chunks = [chunk for traced in sources for chunk in traced.chunks]
    if chunks and "\n" not in source and len(source) < _LONGEST_PATH and not any(chunk.placed for chunk in chunks):
        msg = f"source={source!r} holds none of the chunks; pass the text itself, not the path of its file"
        raise ValueError(msg)


def _title(sources: list[TracedSource]) -> str:
    names = dict.fromkeys(source.name for source in sources)
    if len(names) == 1 and (name := next(iter(names))):
        return f"Chunks of {name}"
    return f"Chunks of {len(names)} sources" if len(names) > 1 else "Chunks"
