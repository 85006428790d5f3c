"""Source code → its outline, as tree-sitter sees it; needs the extra `code`.

Knows tree-sitter's nodes. Does not know blocks, parts, or how an outline is used.

Every boundary is the start of a line, so that only nodes of several lines are visited: one walk over these, O(nodes).
In a line that is too long for a person to have written it, such as minified code, each statement begins a boundary.
The parser's own time is linear on code. On text that is not code, grammars with many ambiguities can take more, so the
parser gets a number of steps in proportion to the text. A time limit would give other cuts on another machine.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from langchain_semantic_xml._parts.levels import KnownCuts
from langchain_semantic_xml._parts.node_types import ATTACHED, BINDINGS, FUNCTION_VALUES, WRAPPERS, NodeTypes
from langchain_semantic_xml._parts.outlines import Definition, Outline
from langchain_semantic_xml.errors import OptionImportError

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONGEST = 4_000_000
"""The longest code that is parsed: no source written by hand is longer, and a tree takes 20 times the text's memory."""
_READ_SIZE = 1 << 16
"""How many bytes the parser is given at once."""
_STEPS = 300
"""How often the parser may call back, which it does after a hundred steps, besides once for each `_BYTES_PER_STEP`."""
_BYTES_PER_STEP = 24
"""Code needs one call for 60 to 190 bytes, tables of numbers one for 26."""
_DEEPEST = 12
"""Statements nested deeper are boundaries as coarse as statements of this depth."""
_LONGEST_NAME = 200
_LONG_LINE = 160
"""In longer lines, statements that do not begin the line are boundaries, too."""
_SHORT_NODE = 60
"""In a long line, shorter nodes are not looked into."""
_REST_OF_STATEMENT = re.compile(r"[;,]?[ \t]*(?:\r?\n)?")
_OPENERS = frozenset(["{", "struct", "interface"])
"""Tokens that begin a body on the line of its signature."""
_DEFINITION, _PARAGRAPH, _STATEMENT = range(3)
"""Kinds of boundaries: beside a definition, before a statement after a blank line, before another statement."""
_CALLABLE = re.compile("function|method|constructor")
_RECEIVER = re.compile(r"(?<!\w)(\w+)\s*(?:\[[^\n]*\]\s*)?,?\s*\)")
"""Go's `(s *Server)` or `(s *Stack[T])`: group 1 is the type that the method belongs to."""
_NAME_FIELDS = ("name", "left", "key", "property", "declarator", "type")


def require_syntax() -> None:
    """Raise `OptionImportError` if the extra `code` is not installed."""
    try:
        import_module("tree_sitter")
    except ImportError as error:
        remedy = 'run: pip install "langchain-semantic-xml[code]"'
        raise OptionImportError("syntax", True, "needs tree-sitter", remedy) from error


def outline_of(text: str, start: int, end: int, types: NodeTypes, seconds: float | None = None) -> Outline | None:
    """Return the outline of the source code `text[start:end]`, with offsets of `text`.

    Args:
        text: Any string.
        start: Where the code begins.
        end: Where it ends.
        types: The node types of its language.
        seconds: How long the parser may take; `None`: as long as its number of steps allows.

    Returns:
        The outline; of code with errors, the outline of the rest. `None` if the code is too long for the parser or
        takes too many steps or seconds, or if the grammar is not installed.

    Rule: P2.
    """
    root = parse_tree(text[start:end], types, seconds) if end - start <= _LONGEST else None
    if root is None:
        return None
    walk = _TreeWalk(text, start, end, types)
    walk.visit(root)
    return Outline(tuple(walk.definitions), walk.levels(), walk.edges(), complete=not root.has_error)


def parse_tree(code: str, types: NodeTypes, seconds: float | None = None) -> Node | None:
    """Return the root of the code's syntax tree; its byte offsets are the character offsets of `code`.

    `None` if the parser takes too many steps or, with a warning, too many seconds, or if the grammar is not installed.
    """
    from tree_sitter import Parser  # noqa: PLC0415 - an extra, imported only when used

    language = _load_language(types.package, types.maker)
    if language is None:
        return None
    source = (code if code.isascii() else _NOT_ASCII.sub("x", code)).encode()
    left = _STEPS + len(source) // _BYTES_PER_STEP
    deadline = None if seconds is None else time.monotonic() + seconds
    is_late = False

    def has_enough(_offset: int, _has_error: bool) -> bool:
        nonlocal left, is_late
        left -= 1
        is_late = deadline is not None and time.monotonic() > deadline
        return left < 0 or is_late

    try:
        tree = Parser(language).parse(lambda at, _point: source[at : at + _READ_SIZE], progress_callback=has_enough)
    except ValueError:  # the parser was stopped
        if is_late:
            msg = f"syntax_seconds={seconds}: parsing {len(code):,} characters takes longer; they are cut by patterns"
            warnings.warn(msg, stacklevel=2)
        return None
    return tree.root_node


@lru_cache(maxsize=32)
def _load_language(package: str, maker: str) -> Language | None:
    from tree_sitter import Language  # noqa: PLC0415 - an extra, imported only when used

    try:
        module = import_module(package.replace("-", "_"))
    except ImportError:
        return None
    return Language(getattr(module, maker)())


class _Visit(NamedTuple):
    """A node whose children are still to be visited.

    Args:
        node: The node.
        parent: The index of the definition around it, or -1.
        depth: How many statements hold it, its own statement included.
        row: The row in which its statement begins, if the node begins the statement and no definition was noted for
            it yet; else -1.
        start: Where the lines of its statement begin, with the comments and decorators above it.
    """

    node: Node
    parent: int
    depth: int
    row: int
    start: int


class _TreeWalk:
    """Visits the nodes of several lines, and notes definitions and boundaries.

    Responsibilities: where lines begin; which definition holds which; how coarse each boundary is.
    """

    def __init__(self, text: str, start: int, end: int, types: NodeTypes) -> None:
        self._text = text
        self._start = start
        self._types = types
        self._lines = [start, *(match.end() for match in re.compile("\n").finditer(text, start, end)), end]
        self._cuts: dict[int, tuple[int, int]] = {}
        self.definitions: list[Definition] = []

    def visit(self, root: Node) -> None:
        """Note the definitions and boundaries of a tree."""
        visits = [_Visit(root, -1, 0, -1, 0)]
        while visits:
            visit = self._note_definition(visits.pop())
            is_body = visit.node.type in self._types.bodies
            children = self._visit_statements(visit) if is_body else self._visit_children(visit)
            visits.extend(reversed(list(children)))

    def levels(self) -> tuple[KnownCuts, ...]:
        """Return the noted boundaries, coarsest first."""
        by_rank: dict[tuple[int, int], list[int]] = {}
        for cut in sorted(self._cuts):
            by_rank.setdefault(self._cuts[cut], []).append(cut)
        return tuple(
            KnownCuts(tuple(by_rank[rank]), structure=rank[1] == _DEFINITION or rank == (0, _PARAGRAPH))
            for rank in sorted(by_rank)
        )

    def edges(self) -> tuple[int, ...]:
        """Return where the definitions that are inside no function begin and end, in order."""
        inside: set[int] = set()
        edges: set[int] = set()
        for number, definition in enumerate(self.definitions):
            parent = definition.parent
            if parent >= 0 and (parent in inside or self.definitions[parent].is_callable):
                inside.add(number)
            else:
                edges.update((definition.start, definition.end))
        return tuple(sorted(edges))

    def _note_boundary(self, cut: int, depth: int, kind: int) -> None:
        rank = min(depth, _DEEPEST), kind
        self._cuts[cut] = min(rank, self._cuts.get(cut, rank))

    def _note_definition(self, visit: _Visit) -> _Visit:
        """Note the definition, if the node is one and begins a line; return the visit of what is inside."""
        node = visit.node
        if node.type not in self._types.definitions:
            return visit
        row = node.start_point[0]
        is_statement = row == visit.row
        name = _name_of(node, self._text, self._start) if is_statement or self._begins_line(node) else ""
        if not name:
            return visit
        start = visit.start if is_statement else self._lines[row]
        self._note_boundary(start, visit.depth - 1 if is_statement else visit.depth, _DEFINITION)
        end = self._end_of(node)
        self.definitions.append(
            Definition(start, end, self._signature(node, row), name, visit.parent, _is_callable(node))
        )
        return _Visit(node, len(self.definitions) - 1, visit.depth, -1, 0)

    def _end_of(self, node: Node) -> int:
        """Return where the lines of a definition end; in a long line, where the definition itself ends."""
        row = _last_row(node)
        if not self._is_long(row):
            return self._lines[row + 1]
        rest = _REST_OF_STATEMENT.match(self._text, self._start + node.end_byte, self._lines[row + 1])
        return rest.end() if rest else self._start + node.end_byte

    def _is_long(self, row: int) -> bool:
        return self._lines[row + 1] - self._lines[row] > _LONG_LINE

    def _signature(self, node: Node, row: int) -> tuple[int, int]:
        """Return the span of the lines before the body of a definition that begins in `row`."""
        if self._is_long(row):
            return self._lines[row], self._lines[row]
        start = self._lines[row]
        last = _last_row_of_signature(node)
        return start, start if last is None else self._lines[last + 1]

    def _visit_children(self, visit: _Visit) -> Iterator[_Visit]:
        """Yield the children of a node that is no body; a child that begins where it does also begins its statement."""
        node, parent, depth, row, start = visit
        wraps = row >= 0 and node.type in WRAPPERS
        for child in node.named_children:
            first = child.start_point[0]
            if self._may_hold_boundaries(child, first):
                yield _Visit(child, parent, depth, first if wraps or first == row else -1, start)

    def _visit_statements(self, visit: _Visit) -> Iterator[_Visit]:
        """Yield the statements of a body; note where each begins, with the comments and decorators above it."""
        node, parent, depth = visit[:3]
        above = node.start_point[0] - 1
        kind = _STATEMENT
        attached: int | None = None
        for child in node.children:
            first, last = child.start_point[0], _last_row(child)
            if child.is_named and first > above and self._begins_line(child):
                if attached is None or first > above + 1:
                    attached = first
                    kind = _PARAGRAPH if first > above + 1 and kind != _DEFINITION else kind
                    self._note_boundary(self._lines[first], depth, kind)
                if child.type not in ATTACHED:
                    yield _Visit(child, parent, depth + 1, first, self._lines[attached])
                    attached = None
                    kind = _DEFINITION if self._defines(child) else _STATEMENT
            elif child.is_named and self._is_long(first) and not self._begins_line(child):
                start = self._start + child.start_byte
                self._note_boundary(start, depth, _DEFINITION if self._defines(child) else _STATEMENT)
                yield _Visit(child, parent, depth + 1, first, start)
            elif self._may_hold_boundaries(child, first):
                yield _Visit(child, parent, depth, -1, 0)
            above = max(above, last)

    def _defines(self, node: Node) -> bool:
        """Return whether a statement defines something, so that the next boundary is as coarse as its own."""
        return (node.type in self._types.definitions and node.type not in BINDINGS) or node.type in WRAPPERS

    def _may_hold_boundaries(self, node: Node, first: int) -> bool:
        """Return whether a node that begins in row `first` has several lines, is long, or may be a definition."""
        if node.end_point[0] > first or node.type in self._types.definitions:
            return True
        return node.end_byte - node.start_byte > _SHORT_NODE and self._is_long(first)

    def _begins_line(self, node: Node) -> bool:
        """Return whether only blanks stand before a node in its line."""
        before = self._text[self._lines[node.start_point[0]] : self._start + node.start_byte]
        return not before or before.isspace()


def _last_row(node: Node) -> int:
    """Return the row of a node's last character; tree-sitter names the next row if that is a line end."""
    row, column = node.end_point
    return row if column or row == node.start_point[0] else row - 1


def _value_of(node: Node) -> Node | None:
    """Return the value of a binding."""
    return node.child_by_field_name("value") or node.child_by_field_name("right")


def _is_callable(node: Node) -> bool:
    """Return whether a definition is a function, method or constructor."""
    value = _value_of(node) if node.type in BINDINGS else None
    return bool(_CALLABLE.search((value or node).type))


def _name_of(node: Node, text: str, offset: int) -> str:
    """Return the name that a node defines; `""` if it has none or, after all, is no definition."""
    if node.type in BINDINGS:
        value = _value_of(node)
        if value is None or value.type not in FUNCTION_VALUES:
            return ""
    holder = _find_name(node)
    if holder is None:
        return ""
    name = " ".join(text[offset + holder.start_byte : offset + holder.end_byte][:_LONGEST_NAME].split())
    receiver = node.child_by_field_name("receiver")
    if receiver is None:
        return name
    owner = _RECEIVER.search(text, offset + receiver.start_byte, offset + receiver.end_byte)
    return f"{owner[1]}.{name}" if owner else name


def _find_name(node: Node) -> Node | None:
    """Return the node of the name: in C it is inside the declarator, in Go inside the specification."""
    if node.type == "type_declaration":
        return node.named_children[0].child_by_field_name("name") if node.named_children else None
    found = next(filter(None, map(node.child_by_field_name, _NAME_FIELDS)), None)
    while found is not None and (inner := found.child_by_field_name("declarator")) is not None:
        found = inner
    return found


def _last_row_of_signature(node: Node) -> int | None:
    """Return the row in which the signature ends; `None` if the body begins in that row."""
    holder = _value_of(node) or node
    if node.type == "type_declaration" and node.named_children:
        holder = node.named_children[0]
    body = holder.child_by_field_name("body") or holder.child_by_field_name("type")
    if body is None:
        return None
    before = node.start_point[0]
    for child in holder.children:
        if child.start_byte >= body.start_byte:
            break
        before = _last_row(child)
    first = body.start_point[0]
    if body.child_count and body.children[0].type in _OPENERS:
        return first if _last_row(body) > first else None
    return before if first > before else None
