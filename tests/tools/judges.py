"""Where the definitions of a source begin, said by a parser of its language: judges that know nothing of our patterns.

Python has one of its own. Go, JavaScript, Ruby and TypeScript are judged where `tree-sitter` and the grammar's package
(`tree-sitter-go`, ...) are installed.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple, Protocol


class Definition(NamedTuple):
    """Where a definition begins, in lines from 1.

    Args:
        top: The first line of the comments, decorators and attributes that stand directly above it, or its own.
        decorated: The line of its first decorator, or its own.
        line: The line with its name.
    """

    top: int
    decorated: int
    line: int


Judge = Callable[[str], list[Definition]]
"""Lists the definitions of a source; raises `ValueError` for one that it cannot parse."""


def python_definitions(source: str) -> list[Definition]:
    r"""List functions and classes, nested ones too.

    Raises:
        ValueError: If `source` is not Python of this version; a `SyntaxError` is turned into one.

    Example:
        >>> python_definitions("# What f is for.\n@cache\ndef f():\n    def g(): ...\n")
        [Definition(top=1, decorated=2, line=3), Definition(top=4, decorated=4, line=4)]
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in the sources of others
            tree = ast.parse(source)
    except (SyntaxError, RecursionError) as error:
        raise ValueError(str(error)) from error
    lines = source.split("\n")
    return [
        _python_definition(node, lines)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]


def _python_definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, lines: list[str]) -> Definition:
    decorated = min(decorator.lineno for decorator in node.decorator_list) if node.decorator_list else node.lineno
    top = decorated
    while top > 1 and lines[top - 2].lstrip().startswith("#"):
        top -= 1
    return Definition(top, decorated, node.lineno)


class Point(Protocol):
    """A place in a source, as `tree-sitter` tells it: line and byte from 0."""

    row: int
    column: int


class Node(Protocol):
    """What is needed of a node of `tree-sitter`."""

    type: str
    is_named: bool
    start_point: Point
    end_point: Point
    children: Sequence[Node]


class Grammar(NamedTuple):
    """What the grammar of a language calls its definitions.

    Args:
        package: Holds the grammar.
        function: The function of the package that returns it.
        definitions: The types of nodes that define something, apart by blanks.
    """

    package: str
    function: str
    definitions: str


_JAVASCRIPT = "function_declaration generator_function_declaration class_declaration method_definition"
_TYPESCRIPT = (
    f"{_JAVASCRIPT} abstract_class_declaration interface_declaration type_alias_declaration enum_declaration "
    "function_signature method_signature abstract_method_signature internal_module module"
)
_GRAMMARS = {
    "go": Grammar("tree_sitter_go", "language", "function_declaration method_declaration type_declaration"),
    "js": Grammar("tree_sitter_javascript", "language", _JAVASCRIPT),
    "ruby": Grammar("tree_sitter_ruby", "language", "method singleton_method class module singleton_class"),
    "ts": Grammar("tree_sitter_typescript", "language_typescript", _TYPESCRIPT),
}
_FUNCTIONS = frozenset(["arrow_function", "function_expression", "generator_function", "class"])
"""What makes `const name = ...`, `object.name = ...` and `test("name", ...)` definitions."""


def judge_for(language: str) -> Judge:
    """Return the judge of a language, by its name in LangChain's `Language`.

    Raises:
        ImportError: If the packages that it needs are not installed.
        ValueError: If there is none for the language.
    """
    if language == "python":
        return python_definitions
    if language not in _GRAMMARS:
        msg = f"language={language!r} has no judge; there is one for python, {', '.join(_GRAMMARS)}"
        raise ValueError(msg)
    grammar = _GRAMMARS[language]
    definitions = frozenset(grammar.definitions.split())
    tree_sitter = import_module("tree_sitter")
    function = getattr(import_module(grammar.package), grammar.function)
    parser = tree_sitter.Parser(tree_sitter.Language(function()))

    def judge(source: str) -> list[Definition]:
        encoded = source.encode("utf-8", "replace")
        nodes = list(_walk(parser.parse(encoded).root_node))
        above = _Above(nodes, encoded.split(b"\n"))
        return [above.definition_at(node.start_point.row) for node in nodes if _defines(node, definitions)]

    return judge


def _walk(root: Node) -> Iterator[Node]:
    nodes = [root]
    while nodes:
        node = nodes.pop()
        yield node
        nodes.extend(node.children)


def _defines(node: Node, definitions: frozenset[str]) -> bool:
    if node.type in ("variable_declarator", "assignment_expression"):
        return any(child.type in _FUNCTIONS for child in node.children)
    if node.type == "arguments":
        types = [child.type for child in node.children]
        return types[1:2] == ["string"] and not _FUNCTIONS.isdisjoint(types)
    return node.is_named and node.type in definitions


class _Above:
    """The comments and decorators of a source, to be found from the line below them."""

    def __init__(self, nodes: Iterable[Node], lines: Sequence[bytes]) -> None:
        # What follows code on its line belongs to that code.
        own = [node for node in nodes if not lines[node.start_point.row][: node.start_point.column].strip()]
        decorators = [node for node in own if node.type == "decorator"]
        self._ends = {node.start_point.row: node.end_point.row for node in decorators}
        self._decorators = {node.end_point.row: node.start_point.row for node in decorators}
        self._all = self._decorators | {
            node.end_point.row: node.start_point.row for node in own if node.type == "comment"
        }

    def definition_at(self, row: int) -> Definition:
        """Return the definition whose node begins in a row from 0: with its first decorator, or without any."""
        while row in self._ends:
            row = self._ends[row] + 1
        decorated = _climbed(row, self._decorators)
        return Definition(_climbed(decorated, self._all) + 1, decorated + 1, row + 1)


def _climbed(row: int, starts: Mapping[int, int]) -> int:
    while row - 1 in starts:
        row = starts[row - 1]
    return row
