"""Parts of real sources, beside snapshots; `python -m tests.parts.test_snapshots` writes them anew.

What a snapshot cannot say stands beside it as laws: the parts are the source, and none is too long.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests import paths
from tests.laws.checks import check_laws
from tests.tools.judges import python_definitions

DATA = paths.DATA / "parts"
SOURCES = ("Readme.md", "base.rb", "core.ts", "mux.go", "urls.py")
SIZES = (1_000, 4_000)
HEAD_LINES = 2
"""How many lines of a part's beginning are shown: a definition often stands under a decorator or a comment."""


def read(source: str) -> str:
    return (DATA / f"{source}.txt").read_bytes().decode("utf-8")


def element_of(source: str) -> str:
    return f'<file path="{source}">\n{read(source)}</file>'


def parts_of(source: str, size: int) -> list[Document]:
    return SemanticXmlSplitter(size).create_documents([element_of(source)])


def lines_of(part: Document, source: str) -> range:
    """Return the numbers of the source's lines that a part holds; its tags stand before and after them."""
    count = read(source).count("\n")
    return range(max(1, part.metadata["start_line"] - 1), min(count, part.metadata["end_line"] - 1) + 1)


def snapshot_path(source: str, size: int) -> Path:
    return DATA / f"{source}.{size}.snapshot"


def snapshot_of(source: str, size: int) -> str:
    """Return for each part its lines, its length, how it begins and how it ends."""
    parts = parts_of(source, size)
    shown = [f"{source} in {len(parts)} parts of at most {size:,} characters, tags included\n"]
    lines = read(source).split("\n")
    for number, part in enumerate(parts, 1):
        held = lines_of(part, source)
        shown.append(f"\npart {number}: lines {held[0]} to {held[-1]}, {len(part.page_content):,} characters\n")
        visible = [line for line in held if lines[line - 1].strip()]
        first, last = visible[:HEAD_LINES], visible[HEAD_LINES:][-1:]
        shown += [f"{line:6} | {lines[line - 1]}\n" for line in first]
        shown += ["       :\n"] if len(visible) > HEAD_LINES + 1 else []
        shown += [f"{line:6} | {lines[line - 1]}\n" for line in last]
    return "".join(shown)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("source", SOURCES)
def test_parts_are_as_in_the_snapshot(source: str, size: int) -> None:
    """Rule: P1, P2, P3."""
    assert snapshot_of(source, size) == snapshot_path(source, size).read_bytes().decode("utf-8")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("source", SOURCES)
def test_parts_keep_every_law(source: str, size: int) -> None:
    """Rule: L1, L2, L3."""
    check_laws(element_of(source), parts_of(source, size), chunk_size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("source", SOURCES)
def test_parts_without_their_tags_are_the_source_but_for_blank_lines_between(source: str, size: int) -> None:
    """Rule: P3, L3."""
    head, tail = f'<file path="{source}">\n', "\n</file>"
    slices = []
    for part in parts_of(source, size):
        assert part.page_content.startswith(head)
        assert part.page_content.endswith(tail)
        slices.append(part.page_content.removeprefix(head).removesuffix(tail))
    rest = read(source)
    for piece in slices:
        at = rest.index(piece)
        assert not rest[:at].strip(" \t\n")
        rest = rest[at + len(piece) :]
    assert not rest.strip()


@pytest.mark.parametrize("source", [source for source in SOURCES if source != "Readme.md"])  # fences are kept whole
def test_every_part_of_code_but_the_last_is_at_least_half_full(source: str) -> None:
    """Rule: P1."""
    for size in SIZES:
        lengths = [len(part.page_content) for part in parts_of(source, size)]
        assert min(lengths[:-1]) > size // 2 - 100  # the blank lines at its ends, and the line that did not fit


@pytest.mark.parametrize("size", range(700, 4_001, 300))
def test_a_part_of_python_begins_at_a_definition_where_one_is_in_the_second_half_of_its_window(size: int) -> None:
    """Rule: P1."""
    source = "urls.py"
    text = read(source)
    shell = len(element_of(source)) - len(text)
    line_starts = [0]
    for line in text.split("\n"):
        line_starts.append(line_starts[-1] + len(line) + 1)
    tops = {line_starts[definition.top - 1] for definition in python_definitions(text)}
    starts = [line_starts[lines_of(part, source)[0] - 1] for part in parts_of(source, size)]
    for start, cut in pairwise(starts):
        window = range(start + (size - shell) // 2 + 1, start + size - shell)
        in_reach = {top for top in tops if top in window}
        assert not in_reach or cut in tops, text[cut : cut + 80]


def renew() -> None:
    """Write the snapshots anew."""
    for source in SOURCES:
        for size in SIZES:
            snapshot_path(source, size).write_bytes(snapshot_of(source, size).encode("utf-8"))


if __name__ == "__main__":
    renew()
