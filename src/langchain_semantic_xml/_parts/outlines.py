"""The outline of a source file: its definitions, and where it can be cut between and inside them.

Knows offsets and names. Does not know how an outline is found (see `syntax`), nor what becomes of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from langchain_semantic_xml._parts.levels import Level, Levels

Span = tuple[int, int]


class Definition(NamedTuple):
    """A class, function or the like.

    Args:
        start: Where its lines begin, with the comments and decorators above it.
        end: Where its lines end.
        signature: The lines that introduce it, up to its body; empty where the body stands on the same line.
        name: What it is called.
        parent: The number of the definition around it, or -1.
        is_callable: Whether it is a function or method, so that definitions inside of it are details.
    """

    start: int
    end: int
    signature: Span
    name: str
    parent: int
    is_callable: bool


class Outline(NamedTuple):
    """What is known of one source file.

    Args:
        definitions: In the order of their starts; one that holds others stands before them.
        levels: The boundaries between and inside the definitions, coarsest first.
        edges: Where those begin and end that are inside no function, in order.
        complete: Whether the whole file could be understood.
    """

    definitions: tuple[Definition, ...]
    levels: tuple[Level, ...]
    edges: tuple[int, ...]
    complete: bool

    def refine(self, levels: Levels) -> Levels:
        """Return the outline's levels, then those of the language; its guesses serve where code is not understood."""
        others = levels.levels if not self.complete else [level for level in levels.levels if not level.structure]
        return Levels((*self.levels, *others), levels.fences)

    def scope_of(self, start: int, end: int) -> str | None:
        """Return the dotted name of the innermost definition that holds all of `[start, end)`, if one does.

        Example:
            >>> outer = Definition(0, 60, (0, 10), "Loader", -1, is_callable=False)
            >>> inner = Definition(20, 40, (20, 30), "load", 0, is_callable=True)
            >>> outline = Outline((outer, inner), levels=(), edges=(), complete=True)
            >>> outline.scope_of(25, 40), outline.scope_of(25, 45), outline.scope_of(50, 70)
            ('Loader.load', 'Loader', None)
        """
        return ".".join(definition.name for definition in self.around(start) if end <= definition.end) or None

    def signatures_at(self, offset: int) -> list[Span]:
        """Return the signatures of the definitions that `offset` is inside of, below the signature; outermost first."""
        signatures = (definition.signature for definition in self.around(offset))
        return [(start, end) for start, end in signatures if start < end <= offset]

    def edges_between(self, low: int, high: int) -> tuple[int, ...]:
        """Return where definitions begin or end in `[low, high]`, in order; those inside functions do not count."""
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
