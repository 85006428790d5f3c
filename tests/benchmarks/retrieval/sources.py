"""Python sources without their docstrings, and what those said: where functions lie, and how they are described.

Positions are the parser's own (`ast`), so nothing here guesses. Knows nothing of bundles or of splitters.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from typing import NamedTuple, TypeAlias

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Documented: TypeAlias = _Function | ast.ClassDef | ast.Module
_BLANK_LINES = re.compile(r"\n\s*\n")


class Function(NamedTuple):
    """A function that had a docstring.

    Args:
        start: Where the line of its first decorator begins, or of its `def`, in the text without docstrings.
        end: Where it ends there.
        summary: The first paragraph of its docstring, on one line.
    """

    start: int
    end: int
    summary: str


@dataclass(frozen=True, slots=True)
class StrippedSource:
    """A source without docstrings.

    Args:
        text: The source; it still parses, and all but its docstrings is as it was.
        functions: The functions and methods that had a docstring, in the order of their starts.
    """

    text: str
    functions: tuple[Function, ...]


class _Cut(NamedTuple):
    """A stretch of a source, and what takes its place."""

    start: int
    end: int
    replacement: str


def strip_docstrings(source: str) -> StrippedSource:
    r'''Take the docstrings out of a source: of the module, of its classes and of its functions.

    The lines of a docstring go with it. Where a body would be empty, or other code shares a line with the docstring,
    `pass` stands in its place.

    Raises:
        ValueError: If `source` is not Python of this version.

    Example:
        >>> source = 'x = 1\n@cache\ndef f():\n    """Make tea.\n\n    Hot.\n    """\n    return 1\n'
        >>> stripped = strip_docstrings(source)
        >>> stripped.text
        'x = 1\n@cache\ndef f():\n    return 1\n'
        >>> stripped.functions
        (Function(start=6, end=34, summary='Make tea.'),)
    '''
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in the sources of others
            tree = ast.parse(source)
    except (SyntaxError, RecursionError) as error:
        msg = f"source is not Python of this version: {error}"
        raise ValueError(msg) from error
    places = _Places(source)
    nodes = [node for node in ast.walk(tree) if isinstance(node, _Documented)]
    cuts = sorted(cut for node in nodes for cut in _docstring_cuts(node, places))
    text = _Shortened(source, cuts)
    functions = sorted(_functions(nodes, places, text))
    return StrippedSource(text.text, tuple(functions))


class _Places:
    """Turns the parser's lines and UTF-8 columns into offsets of the source."""

    def __init__(self, source: str) -> None:
        self.source = source
        # The parser ends lines at these alone; a form feed or U+2028 ends none.
        self._lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", source)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def line_start(self, line: int) -> int:
        """Return where a line, counted from 1, begins."""
        return self._starts[line - 1]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line from 1 and a column in bytes."""
        text = self._lines[line - 1]
        within = column if text.isascii() else len(text.encode()[:column].decode())
        return self._starts[line - 1] + within

    def start(self, node: ast.stmt) -> int:
        """Return where a statement begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.stmt) -> int:
        """Return where a statement ends."""
        if node.end_lineno is None or node.end_col_offset is None:
            msg = f"{node!r} has no end; only what a parser made has one"
            raise ValueError(msg)
        return self.offset(node.end_lineno, node.end_col_offset)


def _docstring_cuts(node: _Documented, places: _Places) -> Iterator[_Cut]:
    if ast.get_docstring(node, clean=False) is None:
        return
    statement = node.body[0]
    start, end = places.start(statement), places.end(statement)
    line_start = places.line_start(statement.lineno)
    rest = re.compile(r"[ \t\f]*(?:\r\n?|\n|\Z)").match(places.source, end)
    alone = rest is not None and not places.source[line_start:start].strip()
    if alone and rest is not None and (len(node.body) > 1 or isinstance(node, ast.Module)):
        yield _Cut(line_start, rest.end(), "")
    else:
        yield _Cut(start, end, "pass")


class _Shortened:
    """A source after its cuts, and where its offsets have gone."""

    def __init__(self, source: str, cuts: list[_Cut]) -> None:
        pieces = []
        self._marks = [0]  # offsets of the source from which on the shift below holds
        self._shifts = [0]
        position = 0
        for cut in cuts:
            pieces += [source[position : cut.start], cut.replacement]
            position = cut.end
            self._marks.append(position)
            self._shifts.append(self._shifts[-1] + len(cut.replacement) - (cut.end - cut.start))
        self.text = "".join([*pieces, source[position:]])

    def offset(self, offset: int) -> int:
        """Return where an offset that is in no cut has gone."""
        return offset + self._shifts[bisect_right(self._marks, offset) - 1]


def _functions(nodes: list[_Documented], places: _Places, text: _Shortened) -> Iterator[Function]:
    for node in nodes:
        if isinstance(node, _Function) and (docstring := ast.get_docstring(node, clean=False)) is not None:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            start = text.offset(places.line_start(first))
            yield Function(start, text.offset(places.end(node)), _summary(docstring))


def _summary(docstring: str) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join(_BLANK_LINES.split(cleandoc(docstring).strip(), maxsplit=1)[0].split())
