"""Source code → its outline, as tree-sitter sees it; needs the extra `code`.

Knows tree-sitter's nodes. Does not know blocks, parts, or what the outline is for.

Nothing is cut inside a line here, so that only nodes of several lines are looked into: one walk over these,
O(nodes). The parser's own time is linear on code; on text that is none, grammars with many ambiguities can take more,
so it is given a number of steps in proportion to the text, and not a time, which would differ from run to run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from langchain_semantic_xml._parts.levels import Level
from langchain_semantic_xml._parts.node_types import ATTACHED, BINDINGS, FUNCTION_VALUES, WRAPPERS, Grammar
from langchain_semantic_xml._parts.outlines import Definition, Outline

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONGEST = 4_000_000
"""No source that somebody wrote is longer; a tree takes some twenty times the memory of its text."""
_READ = 1 << 16
_STEPS = 300
"""Calls of the parser's callback, each after a hundred steps, that a text may take besides one for each `_PER_STEP`."""
_PER_STEP = 24
"""Code takes one for 60 to 190 characters, tables of numbers one for 26."""
_DEEPEST = 12
"""Statements nested deeper are as coarse as these."""
_LONGEST_NAME = 200
_OPENERS = frozenset(["{", "struct", "interface"])
"""What begins a body on the line of its signature."""


def require_syntax() -> None:
    """Raise `ImportError` if the extra `code` is not installed."""
    try:
        import_module("tree_sitter")
    except ImportError as error:
        msg = 'syntax=True needs tree-sitter; run: pip install "langchain-semantic-xml[code]"'
        raise ImportError(msg) from error


def outline_of(text: str, start: int, end: int, grammar: Grammar) -> Outline | None:
    """Return the outline of the source code `text[start:end]`, with offsets of `text`.

    Args:
        text: Any string.
        start: Where the code begins.
        end: Where it ends.
        grammar: Of its language.

    Returns:
        The outline; of code with errors, that of what could be understood. `None` where it is too long for the parser
        or takes too many steps, or where the grammar is not installed.
    """
    root = parse_tree(text[start:end], grammar) if end - start <= _LONGEST else None
    if root is None:
        return None
    walk = _Walk(text, start, end, grammar)
    walk.visit(root)
    return Outline(tuple(walk.definitions), walk.levels(), walk.edges(), complete=not root.has_error)


def parse_tree(code: str, grammar: Grammar) -> Node | None:
    """Return the root of the code's tree, whose offsets in bytes are those of `code` in characters.

    `None` where it takes too many steps, or where the grammar is not installed.
    """
    from tree_sitter import Parser  # noqa: PLC0415 - an extra, imported only when used

    language = _language(grammar.package, grammar.maker)
    if language is None:
        return None
    source = (code if code.isascii() else _NOT_ASCII.sub("x", code)).encode()
    left = _STEPS + len(source) // _PER_STEP

    def has_enough(_offset: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        tree = Parser(language).parse(lambda at, _point: source[at : at + _READ], progress_callback=has_enough)
    except ValueError:  # it was stopped
        return None
    return tree.root_node


@lru_cache(maxsize=32)
def _language(package: str, maker: str) -> Language | None:
    from tree_sitter import Language  # noqa: PLC0415 - an extra, imported only when used

    try:
        module = import_module(package.replace("-", "_"))
    except ImportError:
        return None
    return Language(getattr(module, maker)())


class _Frame(NamedTuple):
    """A node to look into.

    Args:
        node: The node.
        parent: The number of the definition around it, or -1.
        depth: How many statements it is inside of; it may be the outermost part of the last.
        row: Where that statement begins, if this node begins it and it has no definition yet, or -1.
        start: Where that statement's lines begin, with what is attached above it.
    """

    node: Node
    parent: int
    depth: int
    row: int
    start: int


class _Walk:
    """Walks over the nodes of several lines, and notes definitions and boundaries.

    Responsibilities: where lines begin; which definition holds what; how coarse each boundary is.
    """

    def __init__(self, text: str, start: int, end: int, grammar: Grammar) -> None:
        self._text = text
        self._start = start
        self._grammar = grammar
        self._lines = [start, *(match.end() for match in re.compile("\n").finditer(text, start, end)), end]
        self._cuts: dict[int, tuple[int, int]] = {}
        self.definitions: list[Definition] = []

    def visit(self, root: Node) -> None:
        """Note all that is in a tree."""
        frames = [_Frame(root, -1, 0, -1, 0)]
        while frames:
            frame = self._defined(frames.pop())
            within = self._statements(frame) if frame.node.type in self._grammar.bodies else self._children(frame)
            frames.extend(reversed(list(within)))

    def levels(self) -> tuple[Level, ...]:
        """Return the boundaries that were noted, coarsest first."""
        by_rank: dict[tuple[int, int], list[int]] = {}
        for cut in sorted(self._cuts):
            by_rank.setdefault(self._cuts[cut], []).append(cut)
        return tuple(
            Level(cuts=tuple(by_rank[rank]), structure=rank[1] == _DEFINITION or rank == (0, _PARAGRAPH))
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

    def _note(self, cut: int, depth: int, kind: int) -> None:
        rank = min(depth, _DEEPEST), kind
        self._cuts[cut] = min(rank, self._cuts.get(cut, rank))

    def _defined(self, frame: _Frame) -> _Frame:
        """Note the definition that a node is, if it is one that begins a line; return how to look into the node."""
        node = frame.node
        if node.type not in self._grammar.definitions:
            return frame
        row = node.start_point[0]
        is_statement = row == frame.row
        name = _name(node, self._text, self._start) if is_statement or self._begins_line(node) else ""
        if not name:
            return frame
        start = frame.start if is_statement else self._lines[row]
        self._note(start, frame.depth - is_statement, _DEFINITION)
        end = self._lines[_last_row(node) + 1]
        self.definitions.append(
            Definition(start, end, self._signature(node, row), name, frame.parent, _is_callable(node))
        )
        return _Frame(node, len(self.definitions) - 1, frame.depth, -1, 0)

    def _signature(self, node: Node, row: int) -> tuple[int, int]:
        start = self._lines[row]
        last = _last_row_of_signature(node)
        return start, start if last is None else self._lines[last + 1]

    def _children(self, frame: _Frame) -> Iterator[_Frame]:
        """Yield the children of a node that is no body; those that begin with it begin its statement, too."""
        node, parent, depth, row, start = frame
        wraps = row >= 0 and node.type in WRAPPERS
        for child in node.named_children:
            first = child.start_point[0]
            if self._is_worth_a_look(child, first):
                yield _Frame(child, parent, depth, first if wraps or first == row else -1, start)

    def _statements(self, frame: _Frame) -> Iterator[_Frame]:
        """Yield the statements of a body; note where each begins, with what is attached above it."""
        node, parent, depth = frame[:3]
        above = node.start_point[0] - 1
        kind = _STATEMENT
        attached: int | None = None
        for child in node.children:
            first, last = child.start_point[0], _last_row(child)
            if child.is_named and first > above and self._begins_line(child):
                if attached is None or first > above + 1:
                    attached = first
                    kind = _PARAGRAPH if first > above + 1 and kind != _DEFINITION else kind
                    self._note(self._lines[first], depth, kind)
                if child.type not in ATTACHED:
                    yield _Frame(child, parent, depth + 1, first, self._lines[attached])
                    attached = None
                    kind = _DEFINITION if self._defines(child) else _STATEMENT
            elif self._is_worth_a_look(child, first):
                yield _Frame(child, parent, depth, -1, 0)
            above = max(above, last)

    def _defines(self, node: Node) -> bool:
        """Tell whether what follows a statement is as coarse a boundary as the statement itself."""
        return (node.type in self._grammar.definitions and node.type not in BINDINGS) or node.type in WRAPPERS

    def _is_worth_a_look(self, node: Node, first: int) -> bool:
        return node.end_point[0] > first or node.type in self._grammar.definitions

    def _begins_line(self, node: Node) -> bool:
        before = self._text[self._lines[node.start_point[0]] : self._start + node.start_byte]
        return not before or before.isspace()


_DEFINITION, _PARAGRAPH, _STATEMENT = range(3)
"""Kinds of boundaries: before or after a definition, before a statement after a blank line, before another one."""


def _last_row(node: Node) -> int:
    """Return the row of a node's last character: a node that ends with a line end ends in the row after it."""
    row, column = node.end_point
    return row if column or row == node.start_point[0] else row - 1


def _value_of(node: Node) -> Node | None:
    return node.child_by_field_name("value") or node.child_by_field_name("right")


def _is_callable(node: Node) -> bool:
    value = _value_of(node) if node.type in BINDINGS else None
    return bool(_CALLABLE.search((value or node).type))


_CALLABLE = re.compile("function|method|constructor")


def _name(node: Node, text: str, offset: int) -> str:
    """Return what a node defines, or nothing if it has no name or is no definition after all."""
    if node.type in BINDINGS:
        value = _value_of(node)
        if value is None or value.type not in FUNCTION_VALUES:
            return ""
    named = _named(node)
    if named is None:
        return ""
    name = " ".join(text[offset + named.start_byte : offset + named.end_byte][:_LONGEST_NAME].split())
    receiver = node.child_by_field_name("receiver")
    if receiver is None:
        return name
    owner = _RECEIVER.search(text, offset + receiver.start_byte, offset + receiver.end_byte)
    return f"{owner[1]}.{name}" if owner else name


_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^\n]*\]\s*)?,?\s*\)")
"""Go's `(s *Server)` or `(s *Stack[T])`: the type that the method belongs to."""
_NAME_FIELDS = ("name", "left", "key", "property", "declarator", "type")


def _named(node: Node) -> Node | None:
    """Return the node that holds the name: in C inside the declarator, in Go inside the specification."""
    if node.type == "type_declaration":
        return node.named_children[0].child_by_field_name("name") if node.named_children else None
    found = next(filter(None, map(node.child_by_field_name, _NAME_FIELDS)), None)
    while found is not None and (inner := found.child_by_field_name("declarator")) is not None:
        found = inner
    return found


def _last_row_of_signature(node: Node) -> int | None:
    """Return the row in which the signature ends, or `None` where the body begins in it."""
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
