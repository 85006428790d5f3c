"""Where an element of code is cut into its definitions: functions, methods, class heads, imports.

Knows lines, indentation and lengths. The definitions come from an outline, or from the words of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from langchain_semantic_xml._parts.attached import move_above_attached
from langchain_semantic_xml._parts.keywords import WORDS, levels_of_code, pattern_of_definitions
from langchain_semantic_xml._parts.levels import Level
from langchain_semantic_xml._parts.outlines import Outline
from langchain_semantic_xml._text.blanks import NOT_BLANK
from langchain_semantic_xml._text.rulers import Ruler

Span = tuple[int, int]

_SMALL = 3
"""Neighbours that together are shorter than a chunk divided by this share a part."""
_FARTHEST_ATTACHED = 2000
"""How far above a definition its comments may begin."""
_CONTAINER = re.compile(
    r"\b(?:class|interface|trait|impl|mod|module|namespace|object|enum|struct|extension|protocol|contract|record|"
    r"service|message|union|defmodule|defprotocol|defimpl|library|actor)\b"
)
"""The beginning of a definition whose definitions count as its members, and not as details."""
_LINE = re.compile(r"([ \t]*)(\S)[^\n]*(?:\n|\Z)")
_CLOSING = re.compile(r"[)}\]]|end\b|End\b")


def edges_of_outline(outline: Outline) -> tuple[int, ...]:
    """Return where definitions begin and end that are inside no function; none if there is one definition at most."""
    return outline.edges if len(outline.definitions) > 1 else ()


def edges_by_words(text: str, start: int, end: int, language: str) -> tuple[int, ...]:
    """Return the same edges by the words of the language, and by indentation.

    O(end - start).
    """
    if language not in WORDS:
        return ()
    pattern, level = _definitions_of(language)
    edges: set[int] = set()
    count = 0
    open_definitions: list[tuple[int, bool]] = []
    last_end = start
    for line in _LINE.finditer(text, start, end):
        width = len(line[1].expandtabs(4))
        if _CLOSING.match(text, line.start(2)):
            last_end = line.end()
            while open_definitions and open_definitions[-1][0] > width:
                open_definitions.pop()
            if open_definitions and open_definitions[-1][0] == width:
                open_definitions.pop()
                edges.add(last_end)
            continue
        closed = False
        while open_definitions and open_definitions[-1][0] >= width:
            open_definitions.pop()
            closed = True
        if closed:
            edges.add(last_end)
        if pattern.match(text, line.start()) and (not open_definitions or open_definitions[-1][1]):
            open_definitions.append((width, _is_container(text, line.start(2), line.end())))
            low = max(start, line.start() - _FARTHEST_ATTACHED)
            edges.add(move_above_attached(text, level, line.start(), low, start))
            count += 1
        last_end = line.end()
    return tuple(sorted(edges)) if count > 1 else ()


def _is_container(text: str, start: int, end: int) -> bool:
    """Return whether the words before the first bracket of a line name a container."""
    return _CONTAINER.search(re.split(r"[({=]", text[start:end], maxsplit=1)[0]) is not None


@lru_cache(maxsize=len(WORDS))
def _definitions_of(language: str) -> tuple[re.Pattern[str], Level]:
    return pattern_of_definitions(language), levels_of_code(language)[0]


def join_small_pieces(text: str, span: Span, edges: Iterable[int], chunk_size: int, ruler: Ruler) -> tuple[int, ...]:
    """Return the edges inside `span` that are cuts: blank pieces join the piece before, small neighbours one another.

    Each piece is measured once.

    Rule: P7.
    """
    start, end = span
    pieces: list[Span] = []
    inner = [edge for edge in edges if start < edge < end]
    for low, high in pairwise([start, *inner, end]):
        if pieces and (not NOT_BLANK.search(text, low, high) or not NOT_BLANK.search(text, *pieces[-1])):
            pieces[-1] = (pieces[-1][0], high)
        else:
            pieces.append((low, high))
    cuts: list[int] = []
    together = 0
    for low, high in pieces:
        length = high - low if ruler.additive else ruler.length(text[low:high], low) - ruler.empty_length
        if low > start and (together + length) * _SMALL >= chunk_size:
            cuts.append(low)
            together = 0
        together += length
    return tuple(cuts)
