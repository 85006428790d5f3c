"""Facts → the head of the page: the summary, the filters, the search, and the tree of paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median_low

from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._view.escaping import escape_plain, write_bdi
from langchain_semantic_xml._view.facts import Facts, Measure, say_count
from langchain_semantic_xml._view.paths import PathTree, Row

_SMALL = 4
"""A chunk is small below this fraction of the chunk size."""

# Hue and chroma of the usual types; other types take hues that lie far from one another.
_COLOURS = {
    TEXT: (260.0, 0.15),
    "file": (255.0, 1.0),
    "output": (150.0, 1.0),
    "document": (310.0, 1.0),
    "mixed": (75.0, 1.0),
}
_FIRST_HUE, _GOLDEN_ANGLE = 20, 137.508


class Painter:
    """Gives each block type a colour, and each length its share of the chunk size.

    Args:
        facts: The facts of all chunks of the page.
        measure: How their lengths are measured. Without a chunk size, lengths are shares of the longest chunk.
    """

    def __init__(self, facts: Sequence[Facts], measure: Measure) -> None:
        self.counts = Counter(fact.type for fact in facts)
        self.limit = measure.chunk_size or max((fact.length for fact in facts), default=0) or 1
        self.small = -(-self.limit // _SMALL)
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
        """Return a length as a share of the chunk size, at most all of it."""
        return f"{min(100 * length / self.limit, 100):.1f}%"


def render_header(title: str, facts: Sequence[Facts], measure: Measure, painter: Painter) -> Iterator[str]:
    """Yield the head of the page."""
    yield f'<a class="skip" href="#source">Skip to the source</a>\n<header class="top">\n<h1>{write_bdi(title)}</h1>\n'
    yield f'<p class="sum">{_summarise(facts, measure)}</p>\n'
    if facts:
        yield '<div class="tools">\n<fieldset class="types"><legend>Block types</legend>\n'
        yield from (_render_type(type_, count, painter) for type_, count in painter.counts.items())
        yield "</fieldset>\n"
        yield from _render_filters(facts, measure, painter)
        yield '<span class="find"><input type="search" aria-label="Show chunks that contain" '
        yield 'placeholder="Show chunks that contain…">'
        yield '<button type="button" class="step" data-step="-1" aria-label="Previous match">↑</button>'
        yield '<button type="button" class="step" data-step="1" aria-label="Next match">↓</button></span>\n'
        yield '<span class="status" role="status"></span>\n</div>\n'
        yield from _render_plots(measure, painter)
    yield "</header>\n"


def _summarise(facts: Sequence[Facts], measure: Measure) -> str:
    if not facts:
        return "No chunks: the text is blank, or no documents were given."
    lengths = [fact.length for fact in facts]
    oversized = sum(fact.oversized for fact in facts)
    said = [say_count(len(facts), "chunk"), measure.say(sum(lengths))]
    if measure.chunk_size is not None:
        filled = 100 * sum(lengths) / len(lengths) / measure.chunk_size
        said += [f"chunk size {measure.chunk_size:,}, filled {filled:.0f}% on average"]
    said += [f"shortest {min(lengths):,}, median {median_low(lengths):,}, longest {max(lengths):,}"]
    said += [f"{oversized:,} oversized"] if oversized else []
    return escape_plain(" · ".join(said))


def _render_type(type_: str, count: int, painter: Painter) -> str:
    return (
        f'<label style="{painter.style(type_)}"><input type="checkbox" value="{painter.number(type_)}" checked>'
        f'<span class="swatch"></span>{write_bdi(type_, "type")} '
        f'<span class="count">{count:,}</span></label>\n'
    )


def _render_filters(facts: Sequence[Facts], measure: Measure, painter: Painter) -> Iterator[str]:
    """Yield a button for each kind of chunk that the page has; pressed, it hides all others."""
    of_what = "of the chunk size" if measure.chunk_size is not None else "of the longest chunk"
    kinds = {
        "cut": ("parts of a block that was cut", sum(fact.part is not None for fact in facts)),
        "small": (f"less than a quarter {of_what}", sum(fact.length < painter.small for fact in facts)),
        "oversized": ("longer than the chunk size", sum(fact.oversized for fact in facts)),
    }
    yield '<fieldset class="kinds"><legend>Only</legend>\n'
    for kind, (meaning, count) in kinds.items():
        disabled = "" if count else " disabled"
        yield (
            f'<button type="button" data-kind="{kind}" aria-pressed="false" title="{meaning}"{disabled}>'
            f'{kind} <span class="count">{count:,}</span></button>\n'
        )
    yield "</fieldset>\n"


def _render_plots(measure: Measure, painter: Painter) -> Iterator[str]:
    """Yield the frames that the page's script draws in: the bundle from start to end, and the lengths."""
    known = " known" if measure.chunk_size is not None else ""
    yield (
        '<div class="plots"><figure class="map"><canvas role="img" aria-label="The chunks from the start to the end of '
        'the source; a mark below them shows where a block was cut"></canvas></figure>\n'
        f'<figure class="lengths{known}" data-limit="{painter.limit}" data-small="{painter.small}">'
        f'<div class="bins" role="group" aria-label="Chunks by length"></div>'
        f"<figcaption>Length in {write_bdi(measure.unit, 'unit')}</figcaption></figure></div>\n"
    )


def render_paths(tree: PathTree) -> Iterator[str]:
    """Yield the tree of paths; nothing if there are no two paths to tell apart."""
    if len(tree.rows) > 1:
        yield '<details class="paths" open><summary>Paths</summary>\n<ul role="tree" aria-label="Paths">\n'
        yield from (_render_row(number, row) for number, row in enumerate(tree.rows))
        yield "</ul></details>\n"


def _render_row(number: int, row: Row) -> str:
    hidden = " hidden" if row.level > 1 else ""
    expanded = ' aria-expanded="false"' if row.last > number else ""
    return (
        f'<li role="treeitem" tabindex="-1" aria-level="{row.level}" aria-selected="false"{expanded}{hidden} '
        f'data-last="{row.last}" style="--d:{row.level - 1}">{write_bdi(row.name, "name")} '
        f'<span class="count">{row.chunks:,}</span></li>\n'
    )
