"""Traced chunks → one HTML page.

The page is one file: style and script are in it, and it requests nothing. Texts are shown and never run: every
character is escaped, characters that are invisible or reorder others are written by name, no text of a user is in a
name, an address or a style, and a content security policy lets only the page's own script run. Without scripts the page
can still be read.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from langchain_core.documents import Document

from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._view.escaping import LONGEST_NAME, clip, escape_plain, escape_text, write_bdi
from langchain_semantic_xml._view.facts import Facts, Measure, collect_facts, say_count
from langchain_semantic_xml._view.overview import Painter, render_header, render_paths
from langchain_semantic_xml._view.paths import PathTree
from langchain_semantic_xml._view.traces import Gap, Stretch, TracedChunk, TracedSource

_SCRIPTS = ("model.js", "list.js", "panel.js", "search.js", "plots.js", "tree.js", "view.js")
_STYLES = ("page.css", "head.css", "list.css", "source.css", "layout.css")
_LONGEST_VALUE = 2000
_LONGEST_OPEN_GAP = 1000
_SHORT_GAP = 32
"""Below this length, a gap between chunks of this package is blank: the package drops nothing else."""
_NARROW = 20
"""The most characters of a name in the list of chunks."""
_GROUP = 20
"""How many chunks the browser lays out, or leaves out, together."""
_RUN = 16_384
"""About how many characters the browser lays out at once."""
_COLUMNS = 100
"""The assumed characters in a line of the page, from which the browser estimates heights before it lays text out."""


def render_page(title: str, sources: Sequence[TracedSource], measure: Measure) -> str:
    """Return the page, encodable as UTF-8."""
    return _Page(title, sources, measure).render()


@cache
def _read_asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _read_assets(names: Sequence[str]) -> str:
    return "".join(map(_read_asset, names))


@cache
def _read_script() -> str:
    """Return the page's script: its files in one block, so that their names stay in the page's own scope."""
    return f'"use strict";\n{{\n{_read_assets(_SCRIPTS)}}}\n'


@cache
def _make_policy() -> str:
    digest = base64.b64encode(hashlib.sha256(_read_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


class _Page:
    """Writes the page.

    Args:
        title: Its title.
        sources: The chunks of each source.
        measure: How their lengths are measured.
    """

    def __init__(self, title: str, sources: Sequence[TracedSource], measure: Measure) -> None:
        self._title = title
        self._sources = sources
        self._measure = measure
        self._level = "" if len(sources) > 1 else ' aria-level="2"'  # below the title, not below a source's name
        self._facts = collect_facts(sources, measure)
        self._painter = Painter(list(self._facts.values()), measure)
        self._tree = PathTree({number: fact.paths for number, fact in self._facts.items()})

    def render(self) -> str:
        """Return the page as HTML."""
        several = len(self._sources) > 1
        headed = [
            (source, _render_heading(source, place) if several else "") for place, source in enumerate(self._sources, 1)
        ]
        return "".join(
            (
                '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
                f'<meta http-equiv="Content-Security-Policy" content="{_make_policy()}">\n',
                '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
                f"<title>{escape_plain(self._title)}</title>\n<style>\n{_read_assets(_STYLES)}</style>\n",
                f"<noscript><style>{_read_asset('noscript.css')}</style></noscript>\n</head>\n<body>\n",
                *render_header(self._title, list(self._facts.values()), self._measure, self._painter),
                '<nav aria-label="Chunks">\n',
                *render_paths(self._tree),
                '<div class="list">\n',
                *(item for source, heading in headed for item in self._render_list(source, heading)),
                '</div>\n</nav>\n<main id="source" tabindex="0" aria-label="Source">\n',
                *(item for source, heading in headed for item in self._render_source(source, heading)),
                '</main>\n<aside tabindex="0" aria-label="Metadata"></aside>\n',
                f"<script>{_read_script()}</script>\n</body>\n</html>\n",
            )
        )

    def _render_list(self, source: TracedSource, heading: str) -> Iterator[str]:
        yield f"{heading}<ol>\n"
        yield from map(self._render_entry, source.chunks)
        yield "</ol>\n"

    def _render_entry(self, chunk: TracedChunk) -> str:
        fact = self._facts[chunk.number]
        over = ' class="over"' if fact.oversized else ""
        part = f' <span class="parts">{write_bdi("{}/{}".format(*fact.part))}</span>' if fact.part else ""
        return (
            f'<li><a href="#c{chunk.number}"{over} style="{self._painter.style(fact.type)}">'
            f'<span class="number">{chunk.number}</span> '
            f'<span class="what">{write_bdi(_shorten_name(fact, chunk.document), "name")}{part}</span> '
            f'<span class="length">{fact.length:,}</span> {write_bdi(fact.type, "type")} '
            f'<span class="bar" style="--w:{self._painter.share(fact.length)}"></span></a></li>\n'
        )

    def _render_source(self, source: TracedSource, heading: str) -> Iterator[str]:
        yield f"<section>\n{heading}"
        for start in range(0, len(source.chunks), _GROUP):
            group = source.chunks[start : start + _GROUP]
            yield '<div class="group">\n'
            for chunk in group:
                yield _render_gap(chunk.gap, chunk.document)
                yield self._render_chunk(chunk)
            yield "</div>\n"
        yield _render_gap(source.rest)
        yield "</section>\n"

    def _render_chunk(self, chunk: TracedChunk) -> str:
        document, fact = chunk.document, self._facts[chunk.number]
        is_torn = fact.part is not None and fact.part[0] != 1
        kinds = [("part", fact.part), ("torn", is_torn), ("over", fact.oversized), ("alternate", fact.alternate)]
        classes = " ".join(name for name, holds in kinds if holds)
        lines = sum(_count_lines(stretch.text) for stretch in chunk.stretches)
        own = sum(len(stretch.text) for stretch in chunk.stretches if stretch.origin == "own")
        rows = " ".join(map(str, self._tree.rows_of(chunk.number)))
        return (
            f'<article id="c{chunk.number}" class="{classes}" data-type="{self._painter.number(fact.type)}" '
            f'data-length="{fact.length}" data-own="{own}" data-rows="{rows}" '
            f'style="{self._painter.style(fact.type)};--n:{lines}">\n'
            f"<h3{self._level}>{self._render_facts(chunk, fact)}</h3>\n{_render_text(chunk.stretches)}\n"
            f'<pre class="meta">{escape_plain(_render_metadata(document))}</pre>\n</article>\n'
        )

    def _render_facts(self, chunk: TracedChunk, fact: Facts) -> str:
        notes = [
            "part {} of {}".format(*fact.part) if fact.part else None,
            _say_lines(chunk.document),
            self._measure.say(fact.length),
            None if chunk.placed else "position unknown",
        ]
        facts = [
            f'<span class="number">{chunk.number}</span>',
            write_bdi(fact.type, "type"),
            *([write_bdi(fact.name, "name")] if fact.name else []),
            write_bdi(" · ".join(filter(None, notes)), "note"),
            *(['<span class="warn">oversized</span>'] if fact.oversized else []),
        ]
        return " ".join(facts)


def _render_heading(source: TracedSource, place: int) -> str:
    """Return the heading of a source among several; a single source is named by the title."""
    return f"<h2>{write_bdi(source.name or f'Source {place}')}</h2>\n"


def _say_lines(document: Document) -> str | None:
    """Return the lines of a chunk: of the file that was packed, or of the source if it is not in one file."""
    for prefix, where in (("content_", " of the file"), ("", "")):
        first, last = (read_value(document.metadata, f"{prefix}{key}") for key in ("start_line", "end_line"))
        if first is not None:
            return (f"line {first}" if first == last else f"lines {first} to {last}") + where
    return None


def _shorten_name(fact: Facts, document: Document) -> str:
    """Return a name of a chunk for a narrow column: the end of its path, or its first visible line."""
    if len(fact.name) > _NARROW and " " not in fact.name:
        return f"…{fact.name[1 - _NARROW :]}"
    return fact.name or next((line for line in document.page_content[:999].splitlines() if line.strip()), "")


def _render_gap(gap: Gap | None, document: Document | None = None) -> str:
    """Return the note on characters that are in no chunk; blanks are in the page and not shown.

    Args:
        gap: The gap.
        document: The chunk after it.
    """
    if gap is None or (gap.text is None and gap.length < _SHORT_GAP and _is_ours(document)):
        return ""
    note = f"{say_count(gap.length, 'character')} in no chunk"
    if gap.text is None:
        return f'<p class="gap" data-note="{note}"></p>\n'
    if gap.text.isspace():
        return f'<p class="gap blank"><span class="own">{escape_text(gap.text)}</span></p>\n'
    is_open = " open" if gap.length <= _LONGEST_OPEN_GAP else ""
    text = _render_text([Stretch(gap.text, "own")])
    return f'<details class="gap"{is_open}><summary>{note}</summary>{text}</details>\n'


def _is_ours(document: Document | None) -> bool:
    """Return whether a chunk has the metadata of this package, which leaves nothing but blanks between chunks."""
    return document is not None and read_value(document.metadata, "end_index") is not None


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


def _count_lines(text: str) -> int:
    return text.count("\n") + len(text) // _COLUMNS + 1
