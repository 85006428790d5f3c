"""How long ordinary bundles take, beside the least that any answer costs and beside other splitters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import product
from typing import NamedTuple

from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter, parse_blocks
from tests.benchmarks.corpus import LARGE_FILES, SMALL_FILES, bundle_text
from tests.benchmarks.peers import OTHERS, RECURSIVE, Peer, Split, find_lazily
from tests.benchmarks.tables import Table, say, say_header
from tests.benchmarks.timing import medians

CHUNK_SIZES = (1_000, 4_000, 16_000)
_MEGABYTE = 1_000_000
_ROUNDS = {1: 7, 10: 3}
"""How many rounds each size, in megabytes, is worth."""
_LARGE_ROUNDS = {100: 1}
_MOST_FOR_SLOW = 20 * _MEGABYTE
"""Texts longer than this are spared what takes minutes.

That is the lazy pattern, which copies the rest for each element, and every peer but LangChain's splitter.
"""

_ABSENT = "</nosuchtag>"
_FIND = "str.find of an absent tag"
_LAZY = "lazy pattern, again on the rest"
_SLICES = "slicing all chunks"
_DOCUMENTS = "slicing + Document()"


def run(*, large: bool = False) -> None:
    """Print a table for each kind and size of bundle; with `large` also for bundles of 100 MB."""
    say_header("speed: processor time in milliseconds, the median of interleaved rounds")
    say("The ratios compare with the least that any answer costs: one search for a tag that is not there, and slicing")
    say("our own chunks into Documents.")
    installed = list(_installed(OTHERS))
    sizes = {**_ROUNDS, **(_LARGE_ROUNDS if large else {})}
    for (megabytes, rounds), kind, emoji in product(sizes.items(), (LARGE_FILES, SMALL_FILES), (False, True)):
        say()
        say(f"-- {megabytes} MB of {kind.name}, {'with one emoji' if emoji else 'ASCII'}; rounds: {rounds}")
        _compare(bundle_text(kind, megabytes * _MEGABYTE, emoji=emoji), rounds, installed)
    say()


def _installed(peers: Iterable[Peer]) -> Iterable[Peer]:
    for peer in peers:
        try:
            peer.make(CHUNK_SIZES[0])
        except ImportError:
            say(f"{peer.name}: left out, not installed")
        else:
            yield peer


class _Row(NamedTuple):
    """A row of a table.

    Args:
        name: What is measured.
        split: What is timed.
        limit: The name of the row whose time is 1.
    """

    name: str
    split: Split
    limit: str


def _compare(text: str, rounds: int, peers: Iterable[Peer]) -> None:
    affordable = [RECURSIVE, *(peers if len(text) <= _MOST_FOR_SLOW else ())]
    table = Table(["", "pieces", "ms", "ratio", "MB/s"], [34, 8, 10, 7, 7])
    _print(table, _block_rows(text), text, rounds)
    for size in CHUNK_SIZES:
        table.row(f"chunks of {size:,} characters", "", "", "", "")
        _print(table, _chunk_rows(text, size, affordable), text, rounds)


def _block_rows(text: str) -> list[_Row]:
    rows = [_Row(_FIND, lambda text: [text.find(_ABSENT)], _FIND), _Row("parse_blocks", parse_blocks, _FIND)]
    return [*rows, _Row(_LAZY, find_lazily, _FIND)] if len(text) <= _MOST_FOR_SLOW else rows


def _chunk_rows(text: str, size: int, peers: Iterable[Peer]) -> list[_Row]:
    splitter = SemanticXmlSplitter(size)
    documents = splitter.create_documents([text])
    spans = [(document.metadata["start_index"], document.metadata["end_index"]) for document in documents]
    return [
        _Row(_SLICES, lambda text: [text[start:end] for start, end in spans], _DOCUMENTS),
        _Row(_DOCUMENTS, lambda text: [Document(page_content=text[start:end]) for start, end in spans], _DOCUMENTS),
        _Row("split_text", splitter.split_text, _DOCUMENTS),
        _Row("create_documents", lambda text: splitter.create_documents([text]), _DOCUMENTS),
        *(_Row(peer.name, peer.make(size), _DOCUMENTS) for peer in peers),
    ]


def _print(table: Table, rows: Iterable[_Row], text: str, rounds: int) -> None:
    rows = list(rows)
    samples = medians({row.name: partial(row.split, text) for row in rows}, rounds=rounds)
    for row in rows:
        seconds, pieces = samples[row.name]
        ratio = seconds / samples[row.limit].seconds
        speed = len(text) / seconds / _MEGABYTE
        table.row(row.name, f"{pieces:,}", f"{seconds * 1e3:,.2f}", f"{ratio:,.1f}", f"{speed:,.0f}")
