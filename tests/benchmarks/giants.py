"""100 MB of each of the worst shapes, beside 100 MB of plain text: the time, and the memory besides the text.

Which shapes are worst is measured first, with short texts.
"""

from __future__ import annotations

import resource
import tracemalloc
from collections import deque
from collections.abc import Iterator, Mapping
from multiprocessing import get_context
from time import process_time
from typing import NamedTuple

from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.benchmarks.shapes import SHAPES, Shape
from tests.benchmarks.tables import Table, say, say_header

_MEGABYTE = 1_000_000
_TRIAL = 200_000
_WORST = 10
_CHUNK = 4_000
_MOST_RESULT = 8
"""A text whose result has so many times its length, or attributes, is left out: the result is what costs."""
_MOST_MEMORY = 12 << 30
_PLAIN = "plain text"
_PROSE = "Plain text has words, sentences and now and then the end of a line.\n" * 3 + "\n"
_KNOWN: Mapping[str, Shape] = {_PLAIN: Shape(lambda n: _PROSE * n), **SHAPES}


class Spent(NamedTuple):
    """What splitting a text took: seconds of processor time, and bytes besides the text."""

    seconds: float
    bytes: float


def run(megabytes: int = 100) -> None:
    """Print what the worst shapes cost, one at a time, each in a process of its own."""
    say_header(f"growth-search: {megabytes} MB of each of the worst shapes, as Documents that are let go one by one")
    say(f"Of {len(SHAPES)} shapes; seconds of processor time, and memory besides the text.")
    say()
    table = Table(["shape", "s", "x plain", "MiB", "x plain"], [40, 9, 9, 9, 9])
    plain: Spent | None = None
    for name in (_PLAIN, *_worst()):
        spent = _apart(name, megabytes * _MEGABYTE)
        plain = plain or spent
        table.row(name, *(["out of memory"] if spent is None or plain is None else _cells(spent, plain)))
    say()


def _cells(spent: Spent, plain: Spent) -> list[str]:
    times, memory = spent.seconds / plain.seconds, spent.bytes / plain.bytes
    return [f"{spent.seconds:.1f}", f"{times:.1f}", f"{spent.bytes / (1 << 20):,.0f}", f"{memory:.1f}"]


# One text in a process of its own.


def _apart(name: str, characters: int) -> Spent | None:
    """Return what a text takes in a process of its own; `None` where that is more memory than it may have."""
    with get_context("spawn").Pool(1) as pool:
        try:
            return pool.apply(_spent, (name, characters))
        except MemoryError:
            return None


def _spent(name: str, characters: int) -> Spent:
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    shape = _KNOWN[name]
    text = text_of(shape, characters)
    before = resource.getrusage(resource.RUSAGE_SELF)
    deque(_documents(shape, text), maxlen=0)
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(seconds, max(1, after.ru_maxrss - before.ru_maxrss) * 1024.0)


def _documents(shape: Shape, text: str) -> Iterator[Document]:
    splitter = SemanticXmlSplitter(_CHUNK, int(_CHUNK * shape.overlap), elements=shape.elements)
    return splitter.lazy_split_text(text)


def text_of(shape: Shape, characters: int) -> str:
    """Return a shape's text of about so many characters; a shape of few very long units is cut off."""
    tried = 2_000
    repetitions = max(1, characters * tried // len(shape.make(tried)))
    return shape.make(repetitions)[: 2 * characters]


# Which are worst.


def _worst() -> list[str]:
    """Return the names of the worst shapes, those that take most time and those that take most memory by turns."""
    spent = {name: trial for name, shape in SHAPES.items() if (trial := _trial(shape)) is not None}
    by_time = sorted(spent, key=lambda name: -spent[name].seconds)
    by_memory = sorted(spent, key=lambda name: -spent[name].bytes)
    by_turns = (name for pair in zip(by_time, by_memory, strict=True) for name in pair)
    return list(dict.fromkeys(by_turns))[:_WORST]


def _trial(shape: Shape) -> Spent | None:
    """Return what splitting a short text takes per character; `None` where its result is too long."""
    text = text_of(shape, _TRIAL)
    tracemalloc.start()
    try:
        result = sum(len(document.page_content) + 8 * len(document.metadata) for document in _documents(shape, text))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    if result > _MOST_RESULT * len(text):
        return None
    began = process_time()
    deque(_documents(shape, text), maxlen=0)
    return Spent((process_time() - began) / len(text), peak / len(text))
