"""Numbers of the blocks and chunks of bundles: counted while they are read, shown as a table or as JSON."""

from __future__ import annotations

import io
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median_low
from typing import TYPE_CHECKING

from langchain_core.documents import Document

from langchain_semantic_xml._boundaries.streams import StreamReader
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml._cli.errors import printable, shortened
from langchain_semantic_xml._documents.chunks import iter_chunks
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.boundaries import parse_blocks
from langchain_semantic_xml.values import Chunk, Extent, Options

if TYPE_CHECKING:
    from rich.table import Table

_MOST_CUTS = 20
"""The most cut blocks in the table; JSON has all."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The number of blocks or chunks, and their lengths."""

    count: int
    min: int | None
    median: int | None
    max: int | None
    total: int

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Sizes:
        """Sum up lengths.

        Example:
            >>> Sizes.of([3, 1, 2])
            Sizes(count=3, min=1, median=2, max=3, total=6)
        """
        if not lengths:
            return cls(0, None, None, None, 0)
        return cls(len(lengths), min(lengths), median_low(lengths), max(lengths), sum(lengths))


@dataclass(frozen=True, slots=True)
class Cut:
    """An element that was cut, or a unit of text that was cut.

    Args:
        source: The path of the bundle.
        type: The block's type.
        identity: The path, command or index of the block.
        start_line: The 1-based line where the block begins.
        end_line: The line where its last part ends.
        parts: The number of parts.
    """

    source: str
    type: str
    identity: str | None
    start_line: int
    end_line: int
    parts: int


@dataclass(frozen=True, slots=True)
class Stats:
    """The numbers of all bundles together.

    Args:
        bundles: The paths of the bundles.
        unit: The unit of lengths.
        chunk_size: The hard maximum of a chunk's length.
        blocks: The sizes of the blocks of each type; the type `text` is last.
        chunks: The sizes of the chunks.
        oversized: The number of chunks that are longer than `chunk_size`.
        cuts: The blocks that were cut, in order.
    """

    bundles: tuple[str, ...]
    unit: str
    chunk_size: int
    blocks: dict[str, Sizes]
    chunks: Sizes
    oversized: int
    cuts: tuple[Cut, ...]

    @property
    def fill(self) -> float | None:
        """The mean length of a chunk, as a share of `chunk_size`."""
        return self.chunks.total / self.chunks.count / self.chunk_size if self.chunks.count else None

    def to_json(self) -> str:
        """Write all numbers as JSON."""
        fill = None if self.fill is None else round(self.fill, 4)
        return json.dumps({**asdict(self), "fill": fill}, indent=2) + "\n"


class Tally:
    """Counts the blocks and chunks of sources that are read one after the other; holds lengths, not texts."""

    def __init__(self) -> None:
        self._blocks: dict[str, list[int]] = {}
        self._chunks: list[int] = []
        self._oversized = 0
        self._cuts: list[Cut] = []

    def count_stream(self, path: str, pieces: Iterator[str], options: Options, lookahead: int) -> Iterator[Chunk]:
        """Split a bundle, and count its blocks and chunks.

        Args:
            path: The path of the bundle.
            pieces: Its text.
            options: The options of the splitter.
            lookahead: After this many characters without a decision, decide as if the text ended there.

        Yields:
            Each chunk, after it was counted.

        Raises:
            OversizedBlockError: If a block is oversized and `oversized="error"`.
        """
        window = Window("")
        reader = StreamReader(window, pieces, patterns_for(options.elements), lookahead)
        first_lines: dict[int, int] = {}

        def count_blocks(blocks: Iterator[Extent]) -> Iterator[Extent]:
            for block in blocks:
                self._count_block(block.type, window.slice(block.start, block.end), options)
                first_lines[block.start] = window.line_of(block.start)
                yield block

        for chunk in iter_chunks(window, count_blocks(reader.extents()), options):
            self._chunks.append(options.length_function(chunk.text))
            self._oversized += chunk.oversized
            if chunk.part is not None and chunk.part == chunk.parts and chunk.part > 1:
                block = chunk.blocks[0]
                last_line = window.line_of(chunk.spans[-1][1] - 1)
                cut = Cut(path, block.type, block.identity, first_lines[block.start], last_line, chunk.parts)
                self._cuts.append(cut)
            yield chunk

    def count_document(self, file: Document, chunks: Iterable[Document], options: Options) -> None:
        """Count the blocks and chunks of a file that is known as a whole.

        Args:
            file: The file.
            chunks: Its chunks, with their positions.
            options: The options of the splitter.
        """
        blocks = parse_blocks(file.page_content, elements=options.elements)
        for block in blocks:
            self._count_block(block.type, block.content, options)
        starts = [block.start for block in blocks]
        for chunk in chunks:
            known = chunk.metadata
            self._chunks.append(options.length_function(chunk.page_content))
            self._oversized += known["oversized"]
            if known["part"] is not None and known["part"] == known["parts"] > 1:
                block = blocks[bisect_right(starts, known["start_index"]) - 1]
                cut = (block.type, block.identity, block.start_line, known["end_line"], known["parts"])
                self._cuts.append(Cut(file.metadata["source"], *cut))

    def _count_block(self, block_type: str, text: str, options: Options) -> None:
        self._blocks.setdefault(block_type, []).append(options.length_function(text))

    def stats(self, bundles: Sequence[str], unit: str, chunk_size: int) -> Stats:
        """Return the numbers of all bundles that were counted."""
        types = sorted(self._blocks, key=lambda kind: (kind == TEXT, -len(self._blocks[kind]), kind))
        return Stats(
            bundles=tuple(bundles),
            unit=unit,
            chunk_size=chunk_size,
            blocks={kind: Sizes.of(self._blocks[kind]) for kind in types},
            chunks=Sizes.of(self._chunks),
            oversized=self._oversized,
            cuts=tuple(self._cuts),
        )


def render_stats(stats: Stats, *, width: int | None, colour: bool) -> str:
    """Write the numbers as tables.

    Args:
        stats: The numbers.
        width: The most columns; `None` for as many as the tables need.
        colour: Whether headings may be emphasised.
    """
    from rich.console import Console  # noqa: PLC0415 - JSON needs no table

    console = Console(
        file=io.StringIO(), force_terminal=colour, width=width or 10_000, emoji=False, markup=False, highlight=False
    )
    with console.capture() as capture:
        console.print(_tabulate_sizes(stats))
        console.print()
        console.print(_summarise(stats), soft_wrap=True)
        if stats.cuts:
            console.print()
            console.print(_tabulate_cuts(stats))
            if (more := len(stats.cuts) - _MOST_CUTS) > 0:
                console.print(f"… and {more:,} more; --json lists all")
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _make_table(*columns: str) -> Table:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(columns[0], overflow="fold")
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _tabulate_sizes(stats: Stats) -> Table:
    table = _make_table(f"length in {printable(stats.unit)}", "count", "min", "median", "max", "total")
    for kind, sizes in stats.blocks.items():
        table.add_row(printable(kind), *_write_numbers(sizes))
    table.add_section()
    table.add_row("chunks", *_write_numbers(stats.chunks))
    return table


def _write_numbers(sizes: Sizes) -> list[str]:
    values = (sizes.count, sizes.min, sizes.median, sizes.max, sizes.total)
    return ["" if value is None else f"{value:,}" for value in values]


def _summarise(stats: Stats) -> str:
    fill = "" if stats.fill is None else f"Chunks fill {stats.fill:.0%} of chunk size {stats.chunk_size:,} on average. "
    return f"{fill}Oversized: {stats.oversized:,}. Cut: {len(stats.cuts):,}."


def _tabulate_cuts(stats: Stats) -> Table:
    several = any(stats.bundles != (cut.source,) for cut in stats.cuts)
    table = _make_table("cut", "lines", "parts")
    for cut in stats.cuts[:_MOST_CUTS]:
        name = cut.type if cut.identity is None else f"{cut.type} {shortened(cut.identity)}"
        place = f"{printable(cut.source)}: {name}" if several else name
        table.add_row(place, f"{cut.start_line:,}-{cut.end_line:,}", f"{cut.parts:,}")
    return table
