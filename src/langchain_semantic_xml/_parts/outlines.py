"""The outline of a source file: its definitions, and the boundaries between and inside them.

Knows offsets and names. Does not know how an outline is made (see `syntax`), nor what is cut.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from langchain_semantic_xml._parts.levels import InnerBoundaries, KnownCuts

Span = tuple[int, int]

LONGEST_SCOPE = 200
"""How many characters a dotted name may have, so that the names of a deeply nested text are no longer than that."""


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

        Of a name longer than `LONGEST_SCOPE`, the end after an ellipsis.

        Example:
            >>> outer = Definition(0, 60, (0, 10), "Loader", -1, is_callable=False)
            >>> inner = Definition(20, 40, (20, 30), "load", 0, is_callable=True)
            >>> outline = Outline((outer, inner), levels=(), edges=(), complete=True)
            >>> outline.scope_of(25, 40), outline.scope_of(25, 45), outline.scope_of(50, 70)
            ('Loader.load', 'Loader', None)
        """
        names: list[str] = []
        room = LONGEST_SCOPE + 1
        for definition in self.iter_around(start):
            if end <= definition.end:
                names.append(definition.name)
                room -= len(definition.name) + 1
                if room < 0:
                    return f"\u2026{'.'.join(reversed(names))[1 - LONGEST_SCOPE :]}"
        return ".".join(reversed(names)) or None

    def names_between(self, start: int, end: int) -> list[str]:
        """Return the dotted names of the definitions that begin in `[start, end)`, in order.

        Example:
            >>> outer = Definition(0, 60, (0, 10), "Loader", -1, is_callable=False)
            >>> inner = Definition(20, 40, (20, 30), "load", 0, is_callable=True)
            >>> Outline((outer, inner), levels=(), edges=(), complete=True).names_between(10, 60)
            ['Loader.load']
        """
        first = bisect_left(self.definitions, start, key=_start_of)
        last = bisect_left(self.definitions, end, key=_start_of)
        return [self._dotted_name(number) for number in range(first, last)]

    def _dotted_name(self, number: int) -> str:
        """Return the name of a definition after the names around it; of a long one, the end after an ellipsis."""
        names: list[str] = []
        room = LONGEST_SCOPE + 1
        while number >= 0 and room >= 0:
            names.append(self.definitions[number].name)
            room -= len(names[-1]) + 1
            number = self.definitions[number].parent
        name = ".".join(reversed(names))
        return name if room >= 0 else f"\u2026{name[1 - LONGEST_SCOPE :]}"

    def iter_signatures(self, offset: int) -> Iterator[Span]:
        """Yield the signatures of the definitions whose body holds `offset`, innermost first.

        Rule: P5.
        """
        for definition in self.iter_around(offset):
            start, end = definition.signature
            if start < end <= offset:
                yield start, end

    def edges_between(self, low: int, high: int) -> tuple[int, ...]:
        """Return where definitions that are inside no function begin or end in `[low, high]`, in order."""
        return self.edges[bisect_left(self.edges, low) : bisect_right(self.edges, high)]

    def iter_around(self, offset: int) -> Iterator[Definition]:
        """Yield the definitions that hold the character at `offset`, innermost first."""
        number = bisect_right(self.definitions, offset, key=_start_of) - 1
        while number >= 0:
            definition = self.definitions[number]
            if offset < definition.end:
                yield definition
            number = definition.parent

    def iter_names(self, start: int, end: int) -> Iterator[str]:
        """Yield the dotted names of the definitions that begin in `[start, end)`, without those inside of them."""
        covered = start
        for number in range(bisect_left(self.definitions, start, key=_start_of), len(self.definitions)):
            definition = self.definitions[number]
            if definition.start >= end:
                break
            if definition.start >= covered:
                yield self.scope_of(definition.start, definition.end) or definition.name
                covered = definition.end


def _start_of(definition: Definition) -> int:
    return definition.start
