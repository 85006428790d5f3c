"""Traced chunks → one HTML page.

The page is one file: style and script are in it, and it requests nothing. Texts are shown and never run: every
character is escaped, characters that are invisible or reorder others are written by name, no text of a user is in a
name, an address or a style, and a content security policy lets only the page's own script run. Without scripts the page
can still be read.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from statistics import median_low

from langchain_core.documents import Document

from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._view.escaping import LONGEST_NAME, clip, escape_plain, escape_text, write_bdi
from langchain_semantic_xml._view.traces import Gap, Stretch, TracedChunk, TracedSource

_LONGEST_VALUE = 2000
_LONGEST_OPEN_GAP = 1000
_NARROW = 20
"""The most characters of a name in the list of chunks."""
_RUN = 16_384
"""About how many characters the browser lays out at once."""
_GROUP = 100
"""How many chunks the browser lays out together; see the script of the page."""
_LINES_AROUND = 3
"""The height of the heading of a chunk and of the space around it, in lines."""
_COLUMNS = 100
"""The assumed characters in a line of the page, from which the browser estimates heights before it lays text out."""

# Hue and chroma of the usual types; other types take hues that lie far from one another.
_COLOURS = {
    TEXT: (260.0, 0.15),
    "file": (255.0, 1.0),
    "output": (150.0, 1.0),
    "document": (310.0, 1.0),
    "mixed": (75.0, 1.0),
}
_FIRST_HUE, _GOLDEN_ANGLE = 20, 137.508


def render_page(title: str, sources: Sequence[TracedSource]) -> str:
    """Return the page, encodable as UTF-8."""
    documents = [chunk.document for source in sources for chunk in source.chunks]
    painter = _Painter(documents)
    headed = [(source, _render_heading(source, place, len(sources))) for place, source in enumerate(sources, 1)]
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{_make_policy()}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{escape_plain(title)}</title>\n<style>\n{_read_asset('view.css')}</style>\n",
            f"<noscript><style>{_read_asset('noscript.css')}</style></noscript>\n</head>\n<body>\n",
            *_render_header(title, documents, painter),
            '<nav aria-label="Chunks">\n',
            *(item for source, heading in headed for item in _render_list(source, heading, painter)),
            '</nav>\n<main id="source" tabindex="0" aria-label="Source">\n',
            *(item for source, heading in headed for item in _render_source(source, heading, painter)),
            '</main>\n<aside tabindex="0" aria-label="Metadata"></aside>\n',
            f"<script>{_read_asset('view.js')}</script>\n</body>\n</html>\n",
        )
    )


@cache
def _read_asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


@cache
def _make_policy() -> str:
    digest = base64.b64encode(hashlib.sha256(_read_asset("view.js").encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


class _Painter:
    """Gives each block type a colour, and each length its share of the longest chunk.

    Args:
        documents: All chunks of the page.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.counts = Counter(map(_type_of, documents))
        self._longest = max((len(document.page_content) for document in documents), default=0) or 1
        self._number = {type_: number for number, type_ in enumerate(self.counts)}
        others = [type_ for type_ in self.counts if type_ not in _COLOURS]
        hues = {type_: ((_FIRST_HUE + _GOLDEN_ANGLE * place) % 360, 1.0) for place, type_ in enumerate(others)}
        self._style = {
            type_: f"--h:{hue:.0f};--c:{chroma:.2g}"
            for type_ in self.counts
            for hue, chroma in [_COLOURS.get(type_) or hues[type_]]
        }

    def number(self, type_: str) -> int:
        """Return the number that stands for a type in the page's script."""
        return self._number[type_]

    def style(self, type_: str) -> str:
        """Return the style of an element in the colour of a type."""
        return self._style[type_]

    def share(self, length: int) -> str:
        """Return a length as a share of the longest one."""
        return f"{100 * length / self._longest:.1f}%"


def _type_of(document: Document) -> str:
    value = read_value(document.metadata, "block_type")
    return value if isinstance(value, str) and value else TEXT


def _render_heading(source: TracedSource, place: int, count: int) -> str:
    """Return the heading of a source among several; a single source is named by the title."""
    return "" if count == 1 else f"<h2>{write_bdi(source.name or f'Source {place}')}</h2>\n"


# The head of the page.


def _render_header(title: str, documents: Sequence[Document], painter: _Painter) -> Iterator[str]:
    yield f'<a class="skip" href="#source">Skip to the source</a>\n<header class="top">\n<h1>{write_bdi(title)}</h1>\n'
    yield f'<p class="sum">{_summarise(documents)}</p>\n'
    if documents:
        yield '<div class="tools">\n<fieldset><legend>Block types</legend>\n'
        yield from (_render_legend(type_, count, painter) for type_, count in painter.counts.items())
        yield '</fieldset>\n<input type="search" aria-label="Show chunks that contain" '
        yield 'placeholder="Show chunks that contain…">\n'
        yield '<span class="count" role="status"></span>\n</div>\n'
    yield "</header>\n"


def _summarise(documents: Sequence[Document]) -> str:
    if not documents:
        return "No chunks: the text is blank, or no documents were given."
    lengths = [len(document.page_content) for document in documents]
    oversized = sum(read_value(document.metadata, "oversized") is True for document in documents)
    facts = [
        _say_count(len(documents), "chunk"),
        f"{sum(lengths):,} characters",
        f"shortest {min(lengths):,}, median {median_low(lengths):,}, longest {max(lengths):,}",
        *([f"{oversized:,} oversized"] if oversized else []),
    ]
    return " · ".join(facts)


def _render_legend(type_: str, count: int, painter: _Painter) -> str:
    return (
        f'<label style="{painter.style(type_)}"><input type="checkbox" value="{painter.number(type_)}" checked>'
        f'<span class="swatch"></span>{write_bdi(type_, "type")} '
        f'<span class="count">{count:,}</span></label>\n'
    )


# The list of chunks.


def _render_list(source: TracedSource, heading: str, painter: _Painter) -> Iterator[str]:
    yield heading
    for group in _cut_groups(source.chunks):
        yield f'<ol class="group" style="--k:{len(group)}">\n'
        yield from (_render_entry(chunk, painter) for chunk in group)
        yield "</ol>\n"


def _cut_groups(chunks: Sequence[TracedChunk]) -> Iterator[Sequence[TracedChunk]]:
    """Cut the chunks into groups; the browser lays out the groups that are in sight."""
    for start in range(0, len(chunks), _GROUP):
        yield chunks[start : start + _GROUP]


def _render_entry(chunk: TracedChunk, painter: _Painter) -> str:
    document = chunk.document
    length = len(document.page_content)
    type_ = _type_of(document)
    part, parts = (read_value(document.metadata, key) for key in ("part", "parts"))
    place = "" if part is None else f"{write_bdi(f'{part}/{parts}')} · "
    return (
        f'<li><a href="#c{chunk.number}" style="{painter.style(type_)}"><span class="number">{chunk.number}</span> '
        f'{write_bdi(_short_name(document), "name")} <span class="length">{place}{length:,}</span> '
        f"{write_bdi(type_, 'type')} "
        f'<span class="bar" style="--w:{painter.share(length)}"></span></a></li>\n'
    )


def _short_name(document: Document) -> str:
    """Return a name of a chunk for a narrow column: the end of its path, or its first visible line."""
    name = _name_of(document)
    if len(name) > _NARROW and " " not in name:
        return f"…{name[1 - _NARROW :]}"
    return name or next((line for line in document.page_content[:999].splitlines() if line.strip()), "")


def _name_of(document: Document) -> str:
    """Return the identity of a chunk, or its identities; empty if it has none."""
    identity, identities = (read_value(document.metadata, key) for key in ("identity", "identities"))
    if identity is not None:
        return str(identity)
    return ", ".join(map(str, identities)) if isinstance(identities, (list, tuple)) else ""


# The source.


def _render_source(source: TracedSource, heading: str, painter: _Painter) -> Iterator[str]:
    yield f"<section>\n{heading}"
    for group in _cut_groups(source.chunks):
        lines = sum(_count_chunk_lines(chunk) + _LINES_AROUND for chunk in group)
        yield f'<div class="group" style="--n:{lines}">\n'
        for chunk in group:
            yield _render_gap(chunk.gap)
            yield _render_chunk(chunk, painter)
        yield "</div>\n"
    yield _render_gap(source.rest)
    yield "</section>\n"


def _render_gap(gap: Gap | None) -> str:
    if gap is None:
        return ""
    length = _say_count(gap.length, "character")
    if gap.text is None:
        return f'<p class="gap" data-note="{length} in no chunk"></p>\n'
    if gap.text.isspace():
        return f'<p class="gap blank"><span class="own">{escape_text(gap.text)}</span></p>\n'
    is_open = " open" if gap.length <= _LONGEST_OPEN_GAP else ""
    text = _render_text([Stretch(gap.text, "own")])
    return f'<details class="gap"{is_open}><summary>{length} in no chunk</summary>{text}</details>\n'


def _render_chunk(chunk: TracedChunk, painter: _Painter) -> str:
    document = chunk.document
    type_ = _type_of(document)
    part = ' class="part"' if read_value(document.metadata, "part") is not None else ""
    style = f"{painter.style(type_)};--n:{_count_chunk_lines(chunk)}"
    return (
        f'<article id="c{chunk.number}"{part} data-type="{painter.number(type_)}" '
        f'style="{style}">\n<h3>{_render_facts(chunk, type_)}</h3>\n{_render_text(chunk.stretches)}\n'
        f'<pre class="meta">{escape_plain(_render_metadata(document))}</pre>\n</article>\n'
    )


def _render_facts(chunk: TracedChunk, type_: str) -> str:
    document = chunk.document
    keys = ("start_line", "end_line", "part", "parts")
    first, last, part, parts = (read_value(document.metadata, key) for key in keys)
    notes = [
        f"part {part} of {parts}" if part is not None else None,
        None if first is None else f"line {first}" if first == last else f"lines {first} to {last}",
        _say_count(len(document.page_content), "character"),
        None if chunk.placed else "position unknown",
    ]
    name = _name_of(document)
    facts = [
        f'<span class="number">{chunk.number}</span>',
        write_bdi(type_, "type"),
        *([write_bdi(name, "name")] if name else []),
        write_bdi(" · ".join(filter(None, notes)), "note"),
        *(['<span class="warn">oversized</span>'] if read_value(document.metadata, "oversized") is True else []),
    ]
    return " ".join(facts)


def _render_metadata(document: Document) -> str:
    """Return the metadata as the page's script reads them: one line for each key, with a tab after the key."""
    rows = [("Document.id", document.id)] if document.id is not None else []
    return "\n".join(f"{_write_key(key)}\t{_write_value(value)}" for key, value in [*rows, *document.metadata.items()])


def _write_key(key: object) -> str:
    return clip(key if isinstance(key, str) and key.isprintable() else " ".join(repr(key).split()), LONGEST_NAME)


def _write_value(value: object) -> str:
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return f"{value[:_LONGEST_VALUE]!r}… {len(value):,} characters"
    return clip(repr(value).replace("\n", " "), _LONGEST_VALUE)


# Texts.


def _render_text(stretches: Sequence[Stretch]) -> str:
    return f'<code class="t">{"".join(map(_render_stretch, stretches))}</code>'


_TITLES = {
    "own": "",
    "overlap": ' title="repeated from the chunk before"',
    "tag": ' title="repeated tag of the element"',
}


def _render_stretch(stretch: Stretch) -> str:
    *most, last = _cut_runs(stretch.text)
    blocks = [f'<span class="run" style="--n:{_count_lines(run)}">{escape_text(run)}</span>' for run in most]
    return f'<span class="{stretch.origin}"{_TITLES[stretch.origin]}>{"".join(blocks)}{escape_text(last)}</span>'


def _cut_runs(text: str) -> list[str]:
    """Cut a long text, at line ends if possible, so that the browser can lay it out bit by bit."""
    runs = []
    start = 0
    while len(text) - start > 2 * _RUN:
        end = text.find("\n", start + _RUN, start + 2 * _RUN) + 1 or start + 2 * _RUN
        runs.append(text[start:end])
        start = end
    return [*runs, text[start:]]


def _count_chunk_lines(chunk: TracedChunk) -> int:
    return sum(_count_lines(stretch.text) for stretch in chunk.stretches)


def _count_lines(text: str) -> int:
    return text.count("\n") + len(text) // _COLUMNS + 1


def _say_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
