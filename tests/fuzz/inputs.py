"""Inputs of the fuzzer: a text, the options to split it with, and what else decides how it is checked.

An input is a function of a seed and its number, so that each can be made again alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from random import Random

from langchain_semantic_xml.typing import LengthFunction, SplitterOptions
from tests.fuzz.generators import LARGE, count, large_text, small_text
from tests.laws.strategies import ELEMENTS

LARGE_EVERY = 1000
"""One input of so many is large."""
MOST_OVERLAP = 20_000
"""A thousand sections that each repeat a million characters would be a test of memory, not of laws."""


@dataclass(frozen=True, slots=True)
class Input:
    """What the laws are checked with.

    Args:
        text: The text to split.
        options: The splitter's options.
        metadata: The metadata of the source.
        salt: Says what is checked beside the laws, and how a stream is chopped.
    """

    text: str
    options: SplitterOptions = field(default_factory=SplitterOptions)
    metadata: Mapping[str, object] = field(default_factory=dict)
    salt: int = 0


# Length functions. None gives a text less than its own prefix; that much the splitter relies on.


def count_characters(text: str) -> int:
    """As `len`, but nobody can know it."""
    return len(text)


def count_words(text: str) -> int:
    return len(text.split())


def count_tokens(text: str) -> int:
    """Words and marks, as a tokenizer sees them."""
    return len(_TOKEN.findall(text))


def count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def count_with_begin_and_end(text: str) -> int:
    return len(text) + 3


def count_merged(text: str) -> int:
    """Three characters count two: a joined text is shorter than its pieces together."""
    return (len(text) * 2 + 2) // 3


def count_seams(text: str) -> int:
    """A line end after a tag counts five: a joined text is longer than its pieces together."""
    return len(text) + 4 * text.count(">\n")


def count_lines(text: str) -> int:
    return text.count("\n")


@dataclass(frozen=True, slots=True)
class BatchedWords:
    """Counts words, and measures several texts in one call, as tokenizers do."""

    def __call__(self, text: str, /) -> int:
        return count_words(text)

    def many(self, texts: Sequence[str], /) -> list[int]:
        return list(map(count_words, texts))


_TOKEN = re.compile(r"\w+|[^\w\s]")

FAST_LENGTHS: tuple[LengthFunction, ...] = (
    count_with_begin_and_end, count_bytes, count_characters, len, len, len, len,
)  # fmt: skip
LENGTHS: tuple[LengthFunction, ...] = (
    count_lines, count_tokens, count_words, BatchedWords(), count_seams, count_merged, *FAST_LENGTHS,
)  # fmt: skip
METADATA: tuple[Mapping[str, object], ...] = (
    {}, {}, {}, {"source": "bundle.xml"}, {"path": "mine", "tags": ["a", "b"], "nested": {"a": [1]}},
    {"block_type": 1, "start_index": "s", "parts": None, "file_path": "f", "chunk_part": 2},
    {"some": frozenset({"b", "a"}), "pair": ("x", 1.5), "suffix": PurePosixPath("a/b"), "type": len},
)  # fmt: skip
SEPARATORS = ("\n\n", "\n\n", "", None, None, "\n", " ", "|.*|", "\n---\n", "\r\n", "\\1", "é" * 9)
DEFAULTS = SplitterOptions(chunk_overlap=0, length_function=len, separator="\n\n", new_after=None, combine_under=None)


def make_input(seed: int, number: int) -> Input:
    """Make the input of this number: the same one on every run."""
    rng = Random(f"{seed}:{number}")  # noqa: S311 - reproducible, not secret
    if number % LARGE_EVERY == LARGE_EVERY - 1:
        text, size = large_text(rng), rng.choice((20_000, 50_000, 100_000, 400_000, 2_000_000))
        functions = FAST_LENGTHS
    else:
        text = small_text(rng)
        size = _small_size(rng, len(text))
        functions = LENGTHS
    return Input(text, _options(rng, size, rng.choice(functions)), rng.choice(METADATA), rng.randrange(1000))


def is_large(text: str) -> bool:
    return len(text) > LARGE


def fits_something(options: SplitterOptions) -> bool:
    """Tell whether the size is more than what the length function adds to any text; else every chunk is oversized."""
    return options.get("chunk_size", 4000) > options.get("length_function", len)("")


def _small_size(rng: Random, characters: int) -> int:
    """Draw a size that makes a handful of chunks of so many characters, seldom many."""
    if rng.random() < 0.05:
        return 1 + characters // 100 + int(rng.random() * 8)
    return 1 + characters // 30 + count(rng, max(10, characters / rng.choice((1, 1, 2, 4))))


_SELDOM: tuple[tuple[float, SplitterOptions], ...] = (
    (0.3, {"repeat": None}),
    (0.1, {"repeat": "breadcrumb"}),
    (0.1, {"repeat": "signatures"}),
    (0.3, {"strip_whitespace": False}),
    (0.03, {"add_start_index": False}),
    (0.1, {"deterministic_ids": True}),
    (0.05, {"syntax": True}),
    (0.1, {"syntax": True, "repeat": "signatures"}),
)
"""How often some options are drawn together."""


def _options(rng: Random, size: int, length_function: LengthFunction) -> SplitterOptions:
    """Draw every option, and leave out those that have their defaults."""
    luck = rng.random
    size += length_function("")  # see `fits_something`
    options = SplitterOptions(
        chunk_size=size,
        chunk_overlap=0 if luck() < 0.6 else min(int(luck() * size), MOST_OVERLAP),
        length_function=length_function,
        separator=rng.choice(SEPARATORS),
        new_after=None if luck() < 0.7 else int(luck() * size * 1.2),
        combine_under=None if luck() < 0.7 else int(luck() * size * 1.2) * (luck() < 0.7),
    )
    elements = rng.choice(ELEMENTS) if luck() < 0.3 else None
    if elements is not None:
        options["elements"] = elements
    if luck() < 0.15:
        options["isolate"] = rng.choice((True, ("text",), () if elements else ("output", "text"), ("file",)))
    if luck() < 0.2:
        options["oversized"] = rng.choice(("keep", "keep", "error"))
    for chance, some in _SELDOM:
        if luck() < chance:
            options |= some
    for option, default in DEFAULTS.items():
        if options[option] == default:  # type: ignore[literal-required]
            del options[option]  # type: ignore[misc]
    return options
