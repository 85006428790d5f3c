"""How often a part begins where a definition begins, beside LangChain's splitter for the same language.

Sources are those of the installed packages, and of folders that are named. A parser of the language says where its
definitions begin; see `judges`.
"""

from __future__ import annotations

import sysconfig
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from langchain_semantic_xml import SemanticXmlSplitter
from tests.benchmarks.tables import Table, say, say_header
from tests.tools.bundle_maker import SourceFile
from tests.tools.judges import Definition, judge_for

CHUNK_SIZES = (1_000, 4_000)
_SUFFIXES = {"python": (".py",), "ts": (".ts", ".mts"), "js": (".js", ".mjs", ".cjs"), "go": (".go",), "ruby": (".rb",)}
_GRAMMARS = {"python": "tree_sitter_python", "go": "tree_sitter_go", "ruby": "tree_sitter_ruby"}
_ENOUGH = 4_000_000
"""So many characters of each language are read."""
_LONGEST_LINE = 2_000
"""A file with a longer line was written by a program, as was a file whose name holds one of `_GENERATED`."""
_GENERATED = (".d.ts", ".min.", "_pb2", ".gen.")

Starts = Callable[[SourceFile], list[int]]
"""Where the parts of a file begin, as offsets of its text."""


class Subject(NamedTuple):
    """A splitter.

    Args:
        name: What tables call it.
        make: Makes it for a language and a chunk size; raises `ImportError` where its package is not installed.
    """

    name: str
    make: Callable[[str, int], Starts]


def _ours(_language: str, size: int) -> Starts:
    splitter = SemanticXmlSplitter(size)

    def starts(file: SourceFile) -> list[int]:
        head = f'<file path="{file.path}">\n'
        documents = splitter.create_documents([f"{head}{file.text}\n</file>"])
        return [max(0, document.metadata["start_index"] - len(head)) for document in documents]

    return starts


def _recursive(language: str, size: int) -> Starts:
    splitter = RecursiveCharacterTextSplitter.from_language(
        Language(language), chunk_size=size, chunk_overlap=0, add_start_index=True
    )
    return lambda file: [document.metadata["start_index"] for document in splitter.create_documents([file.text])]


def _code_splitter(language: str, size: int) -> Starts:
    grammar = import_module(_GRAMMARS.get(language, "") or f"tree_sitter_{language}")
    splitter = import_module("semantic_text_splitter").CodeSplitter(grammar.language(), size)
    return lambda file: [start for start, _ in splitter.chunk_indices(file.text)]


SUBJECTS = (
    Subject("SemanticXmlSplitter", _ours),
    Subject("RecursiveCharacterTextSplitter", _recursive),
    Subject("semantic-text-splitter CodeSplitter", _code_splitter),
)


class Tally(NamedTuple):
    """What was counted of the parts of some files, the first part of each left out: where it begins was no choice.

    Args:
        files: How many files were cut.
        parts: How many parts there are.
        characters: How many characters they have together.
        at: How many begin at a definition, or at its first decorator, or at the comment above it.
        whole: How many begin at all that belongs to the definition.
    """

    files: int = 0
    parts: int = 0
    characters: int = 0
    at: int = 0
    whole: int = 0

    def with_file(self, text: str, starts: Sequence[int], definitions: Sequence[Definition]) -> Tally:
        """Add what there is to count of one file."""
        first_lines = list(_first_lines(text, starts[1:]))
        tops = {definition.top for definition in definitions}
        anywhere = {line for definition in definitions for line in definition}
        return Tally(
            files=self.files + 1,
            parts=self.parts + len(first_lines),
            characters=self.characters + len(text) - starts[1],
            at=self.at + sum(line in anywhere for line in first_lines),
            whole=self.whole + sum(line in tops for line in first_lines),
        )


def _first_lines(text: str, starts: Sequence[int]) -> Iterator[int]:
    """Yield for each part the line, from 1, of its first visible character; 0 where that is not first on its line."""
    line_starts = [0]
    while at := text.find("\n", line_starts[-1]) + 1:
        line_starts.append(at)
    for start in starts:
        visible = len(text) - len(text[start:].lstrip())
        number = bisect_right(line_starts, visible)
        yield 0 if text[line_starts[number - 1] : visible].strip() else number


def read_files(folders: Sequence[Path], language: str) -> Iterator[SourceFile]:
    """Yield sources of a language in an order that mixes packages and is the same on every run."""
    paths = sorted(
        (path for folder in folders for suffix in _SUFFIXES[language] for path in folder.rglob(f"*{suffix}")),
        key=lambda path: crc32(path.as_posix().encode()),
    )
    read = 0
    for path in paths:
        if read >= _ENOUGH:
            return
        if not path.is_file() or any(mark in path.name for mark in _GENERATED):
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        if len(text) > min(CHUNK_SIZES) and max(map(len, text.split("\n"))) <= _LONGEST_LINE:
            read += len(text)
            yield SourceFile(path.name, text)


def run(folders: Sequence[Path] = ()) -> None:
    """Print a table for each language that sources are found of, and each size of parts."""
    say_header("definitions: parts that begin at a definition")
    say(
        "The first part of each file is left out. At: the share of parts that begin at the line of a definition, of its"
    )
    say("first decorator, or of the comment above it. Whole: the share that has all of these. Our chunks hold the tags")
    say("of the file besides, within the size.")
    places = [Path(sysconfig.get_path("purelib")), *folders]
    for language in _SUFFIXES:
        files = list(read_files(places, language))
        if not files:
            continue
        say()
        try:
            judged = list(_judged(files, language))
        except ImportError as error:
            say(f"{language}: left out, {error}")
            continue
        for size in CHUNK_SIZES:
            _compare(language, size, judged)
    say()


def _judged(files: Sequence[SourceFile], language: str) -> Iterator[tuple[SourceFile, list[Definition]]]:
    judge = judge_for(language)
    for file in files:
        try:
            yield file, judge(file.text)
        except ValueError:
            continue  # another version of the language, or a template


def _compare(language: str, size: int, judged: Sequence[tuple[SourceFile, list[Definition]]]) -> None:
    oversized = [(file, definitions) for file, definitions in judged if len(file.text) > size]
    title = f"{language}, chunk_size={size:,}, {len(oversized):,} files"
    table = Table([title, "parts", "characters", "at", "whole"], [44, 7, 10, 7, 7])
    for subject in SUBJECTS:
        try:
            split = subject.make(language, size)
        except ImportError:
            table.row(f"  {subject.name}", "absent", "", "", "")
            continue
        tally = Tally()
        for file, definitions in oversized:
            starts = split(file)
            if len(starts) > 1:
                tally = tally.with_file(file.text, starts, definitions)
        parts = max(1, tally.parts)
        shares = (f"{count / parts:.1%}" for count in (tally.at, tally.whole))
        table.row(f"  {subject.name}", f"{tally.parts:,}", f"{tally.characters / parts:,.0f}", *shares)
