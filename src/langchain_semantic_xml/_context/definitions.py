"""The whole definition around a span: a function or class of code, a paragraph of prose."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from langchain_semantic_xml._parts.definitions import edges_by_words
from langchain_semantic_xml._parts.languages import language_of

Span = tuple[int, int]

_CLOSING = (")", "]", "}", "end")


def find_definition(text: str, content: Span, span: Span, language: str | None = None, name: str | None = None) -> Span:
    r"""Return the smallest run of whole definitions of `content` that holds `span`.

    The words of the language tell where functions and methods begin and end. Where they tell nothing, a paragraph
    begins at a line without indentation after a blank line; a line that closes brackets goes with the text before it.
    O(length of the content).

    Args:
        text: The text that holds both.
        content: The content of one file.
        span: Where the piece of it is.
        language: The language that the file states.
        name: The name of the file.

    Example:
        >>> text = "def a():\n    x\n\n    y\n\ndef b():\n    z\n"
        >>> start, end = find_definition(text, (0, len(text)), (13, 14), name="a.py")
        >>> text[start:end]
        'def a():\n    x\n\n    y\n'
    """
    edges = list(edges_by_words(text, *content, language_of(language, name))) or list(_iter_edges(text, *content))
    edges = [content[0], *edges, content[1]]
    start = edges[max(0, bisect_right(edges, span[0]) - 1)]
    end = edges[min(len(edges) - 1, bisect_left(edges, span[1]))]
    return min(start, span[0]), max(end, span[1])


def _iter_edges(text: str, start: int, end: int) -> Iterator[int]:
    after_blank = False
    position = start
    for line in text[start:end].split("\n"):
        if not line.strip():
            after_blank = True
        else:
            if after_blank and position > start and not line[0].isspace() and not line.startswith(_CLOSING):
                yield position
            after_blank = False
        position += len(line) + 1
