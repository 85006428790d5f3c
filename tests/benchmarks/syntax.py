"""What `syntax=True` costs beside the language separators, and where the time goes; also on text that is no code."""

from __future__ import annotations

from collections.abc import Callable, Sized
from functools import partial
from itertools import product

from langchain_semantic_xml import SemanticXmlSplitter, parse_blocks
from langchain_semantic_xml._parts.node_types import NodeTypes, node_types_for
from langchain_semantic_xml._parts.syntax import outline_of, parse_tree
from tests.benchmarks.corpus import LARGE_FILES, SMALL_FILES, bundle_text
from tests.benchmarks.tables import Table, say, say_header
from tests.benchmarks.timing import medians

CHUNK_SIZES = (1_000, 4_000)
_SIZE = 2_000_000
_ROUNDS = 5
_NO_CODE = {"cpp": "+-*/", "cpp, casts": "(a)(b)*c<d>\n", "rb": '<file path="a">\n', "py": "}{)(:]["}
_LENGTHS = (20_000, 40_000, 80_000)


def run() -> None:
    """Print a table of milliseconds per megabyte, and one of shapes that parsers take long for."""
    say_header("syntax: median milliseconds per million characters, interleaved rounds")
    for kind, size in product((LARGE_FILES, SMALL_FILES), CHUNK_SIZES):
        _compare(f"{kind.name}, chunk_size={size:,}", bundle_text(kind, _SIZE, emoji=False), size)
    say("-- text that is no code: milliseconds of an outline; none where the parser took too many steps")
    table = Table(["", *(f"{length:,}" for length in _LENGTHS)], [16, 12, 12, 12])
    for name, unit in _NO_CODE.items():
        table.row(name, *(_hostile(name, unit, length) for length in _LENGTHS))
    say()


def _compare(title: str, text: str, size: int) -> None:
    say(f"-- {title}")
    python = node_types_for("python", None)
    assert python is not None
    # Only what is cut is parsed.
    codes = [block.content for block in parse_blocks(text) if block.type == "file" and len(block.content) > size]
    calls: dict[str, Callable[[], Sized]] = {
        "by separators": partial(SemanticXmlSplitter(size).create_documents, [text]),
        "syntax=True": partial(SemanticXmlSplitter(size, syntax=True).create_documents, [text]),
        "syntax and signatures": partial(
            SemanticXmlSplitter(size, syntax=True, repeat="signatures").create_documents, [text]
        ),
        "of that: outlines": lambda: [outline_of(code, 0, len(code), python) for code in codes],
        "of that: tree-sitter": lambda: [parse_tree(code, python) for code in codes],
    }
    table = Table(["", "ms/MB", "chunks"], [24, 8, 8])
    for name, sample in medians(calls, rounds=_ROUNDS).items():
        chunks = "" if name.startswith("of") else f"{sample.size:,}"
        table.row(name, f"{sample.seconds / len(text) * 1e9:.1f}", chunks)
    say()


def _hostile(name: str, unit: str, length: int) -> str:
    types = node_types_for(name.partition(",")[0], None)
    assert types is not None
    text = (unit * length)[:length]
    found: list[bool] = []

    def call(types: NodeTypes = types) -> Sized:
        found.append(outline_of(text, 0, length, types) is not None)
        return found

    milliseconds = medians({"": call}, rounds=1)[""].seconds * 1e3
    return f"{milliseconds:,.0f}{'' if found[0] else ' (none)'}"
