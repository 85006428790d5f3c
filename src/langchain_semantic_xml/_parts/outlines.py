"""The outline of a source file: its definitions, and the boundaries between and inside them.

Knows offsets and names. Does not know how an outline is made (see `syntax`), nor what is cut.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from langchain_semantic_xml._parts.levels import InnerBoundaries, KnownCuts

Span = tuple[int, int]


class Definition(NamedTuple):
    """A class, function or the like.

    Args:
        start: Where its lines begin, with the comments and decorators above it.
        end: Where its lines end.
        signature: The span of the lines before its body; empty if the body begins in the first line.
        name: Its name.
        parent: The index of the innermost definition around it in `Outline.definitions`, or -1.
        is_callable: Whether it is a function or method; the definitions inside it are then part of its body.
    """

    start: int
    end: int
    signature: Span
    name: str
    parent: int
    is_callable: bool


class Outline(NamedTuple):
    """The definitions of one source file and its boundaries.

    Args:
        definitions: The definitions in the order of their starts; a class stands before its methods.
        levels: The boundaries between and inside the definitions, coarsest first.
        edges: Where definitions that are inside no function begin and end, in order.
        complete: Whether the parser understood the whole file.
    """

    definitions: tuple[Definition, ...]
    levels: tuple[KnownCuts, ...]
    edges: tuple[int, ...]
    complete: bool

    def refine(self, boundaries: InnerBoundaries) -> InnerBoundaries:
        """Return the boundaries of the outline, followed by those of the language.

        If the parser understood the whole file, the definitions that the language's patterns find are left out.

        Rule: P2.
        """
        others = [kind for kind in boundaries.kinds if not (self.complete and kind.structure)]
        return InnerBoundaries((*self.levels, *others), boundaries.keep_fences)

    def scope_of(self, start: int, end: int) -> str | None:
        """Return the dotted name of the innermost definition that holds all of `[start, end)`; `None` if none does.

        Example:
            >>> outer = Definition(0, 60, (0, 10), "Loader", -1, is_callable=False)
            >>> inner = Definition(20, 40, (20, 30), "load", 0, is_callable=True)
            >>> outline = Outline((outer, inner), levels=(), edges=(), complete=True)
            >>> outline.scope_of(25, 40), outline.scope_of(25, 45), outline.scope_of(50, 70)
            ('Loader.load', 'Loader', None)
        """
        return ".".join(definition.name for definition in self.around(start) if end <= definition.end) or None

    def signatures_at(self, offset: int) -> list[Span]:
        """Return the signatures of the definitions whose body holds `offset`, outermost first.

        Rule: P5.
        """
        signatures = (definition.signature for definition in self.around(offset))
        return [(start, end) for start, end in signatures if start < end <= offset]

    def edges_between(self, low: int, high: int) -> tuple[int, ...]:
        """Return where definitions that are inside no function begin or end in `[low, high]`, in order."""
        return self.edges[bisect_left(self.edges, low) : bisect_right(self.edges, high)]

    def around(self, offset: int) -> list[Definition]:
        """Return the definitions that hold the character at `offset`, outermost first."""
        around = []
        number = bisect_right(self.definitions, offset, key=_start_of) - 1
        while number >= 0:
            definition = self.definitions[number]
            if offset < definition.end:
                around.append(definition)
            number = definition.parent
        return around[::-1]


def _start_of(definition: Definition) -> int:
    return definition.start
