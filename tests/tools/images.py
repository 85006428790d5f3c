"""Draw the pictures of the README from the real thing: `python -m tests.tools.images`.

`docs/images/cuts.svg` shows where two splitters cut the example bundle, `docs/images/page.png` the page of its chunks.
The page is drawn by Chromium; the variable CHROMIUM may name it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from langchain_text_splitters import RecursiveCharacterTextSplitter

from langchain_semantic_xml import Block, SemanticXmlSplitter, parse_blocks, show_chunks
from tests.paths import BUNDLE, ROOT

IMAGES = ROOT / "docs" / "images"
CHUNK_SIZE = 600

_LEFT, _WIDTH, _ROW = 250, 850, 34
_COLOURS = {"file": "#2f6fde", "output": "#c2571a", "document": "#7d3fc4", "text": "#b9bec7"}


class Row(NamedTuple):
    """One splitter and the spans of its chunks."""

    name: str
    spans: Sequence[tuple[int, int]]


def draw_cuts(text: str) -> str:
    """Return an SVG of the bundle's blocks, and below them the chunks of two splitters."""
    blocks = parse_blocks(text)
    rows = [_recursive(text), _ours(text)]
    height = 60 + (len(rows) + 1) * _ROW
    scale = _WIDTH / len(text)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 20} {height}">',
        "<style>text { font: 13px system-ui, sans-serif }</style>",
        f"<title>Where two splitters cut the same bundle, chunk_size={CHUNK_SIZE}</title>",
        f'<rect width="100%" height="{height}" fill="#ffffff"/>',
        *_label(0, f"{BUNDLE.name}, {len(text):,} characters"),
    ]
    for block in blocks:
        lines += _bar(0, block.start * scale, block.end * scale, _COLOURS[block.type], block.identity or block.type)
    for number, row in enumerate(rows, 1):
        torn = [block for block in blocks if _is_torn(block, row)]
        lines += _label(number, row.name)
        for place, (start, end) in enumerate(row.spans):
            lines += _bar(number, start * scale, end * scale, ("#3f7d5c", "#82b79b")[place % 2], f"chunk {place + 1}")
        for block in torn:
            lines += _wound(number, block.start * scale, block.end * scale, block.identity or block.type)
    lines += _legend(height)
    return "\n".join([*lines, "</svg>", ""])


def _recursive(text: str) -> Row:
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHUNK_SIZE, chunk_overlap=0, add_start_index=True)
    chunks = splitter.create_documents([text])
    starts = [chunk.metadata["start_index"] for chunk in chunks]
    spans = [(start, start + len(chunk.page_content)) for start, chunk in zip(starts, chunks, strict=True)]
    return Row("RecursiveCharacterTextSplitter", spans)


def _ours(text: str) -> Row:
    chunks = SemanticXmlSplitter(CHUNK_SIZE).create_documents([text])
    return Row(
        "SemanticXmlSplitter", [(chunk.metadata["start_index"], chunk.metadata["end_index"]) for chunk in chunks]
    )


def _is_torn(block: Block, row: Row) -> bool:
    """Return whether an element that fits into a chunk is cut."""
    fits = block.type != "text" and block.end - block.start <= CHUNK_SIZE
    return fits and not any(start <= block.start and block.end <= end for start, end in row.spans)


def _label(row: int, text: str) -> Iterator[str]:
    yield f'<text x="{_LEFT - 12}" y="{row * _ROW + 36}" text-anchor="end" fill="#1c2128">{escape(text)}</text>'


def _bar(row: int, start: float, end: float, colour: str, title: str) -> Iterator[str]:
    yield (
        f'<rect x="{_LEFT + start:.1f}" y="{row * _ROW + 20}" width="{max(end - start - 1, 1):.1f}" height="24" rx="3" '
        f'fill="{colour}"><title>{escape(title)}</title></rect>'
    )


def _wound(row: int, start: float, end: float, title: str) -> Iterator[str]:
    yield (
        f'<rect x="{_LEFT + start:.1f}" y="{row * _ROW + 17}" width="{end - start:.1f}" height="30" fill="none" '
        f'stroke="#d1242f" stroke-width="2.5"><title>{escape(title)} is cut, though it fits</title></rect>'
    )


def _legend(height: int) -> Iterator[str]:
    x, y = _LEFT, height - 22
    for name, colour in _COLOURS.items():
        yield f'<rect x="{x}" y="{y}" width="12" height="12" rx="2" fill="{colour}"/>'
        yield f'<text x="{x + 18}" y="{y + 11}" fill="#1c2128">{name}</text>'
        x += 100
    yield f'<rect x="{x + 1}" y="{y}" width="12" height="12" fill="none" stroke="#d1242f" stroke-width="2.5"/>'
    yield f'<text x="{x + 20}" y="{y + 11}" fill="#1c2128">an element that fits into a chunk, and is cut</text>'


def draw_page(text: str, path: Path) -> None:
    """Write a picture of the page that shows the chunks of the bundle."""
    chunks = SemanticXmlSplitter(CHUNK_SIZE, 80).create_documents([text], [{"source": "bundle.xml"}])
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        show_chunks(chunks, source=text, chunk_size=CHUNK_SIZE).save(page)
        subprocess.run(
            [
                *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *("--window-size=1400,720", f"--user-data-dir={folder}", f"--screenshot={path}"),
                f"{page.as_uri()}#c3",
            ],
            check=True,
            capture_output=True,
        )


def main() -> None:
    """Write both pictures."""
    text = BUNDLE.read_text(encoding="utf-8")
    IMAGES.mkdir(exist_ok=True)
    IMAGES.joinpath("cuts.svg").write_text(draw_cuts(text), encoding="utf-8")
    draw_page(text, IMAGES / "page.png")


if __name__ == "__main__":
    main()
