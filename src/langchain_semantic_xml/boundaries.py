"""Find where blocks begin and end: text → the extents of elements and of the text between them.

The doors only: the rules are in `_boundaries`.
"""

from __future__ import annotations

from collections.abc import Iterator

from langchain_semantic_xml._boundaries.finder import find_extents
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml._boundaries.unknown import find_unknown
from langchain_semantic_xml._text.checks import check_text
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import count_lines
from langchain_semantic_xml.typing import Elements
from langchain_semantic_xml.values import Block, Extent, UnknownElement


def parse_blocks(text: str, *, elements: Elements | None = None) -> list[Block]:
    """Cut `text` into blocks at the boundaries of its outermost elements.

    Markup that never closes stays text. One pass: O(len(text)) whatever the text holds.

    Args:
        text: Any string; offsets count code points of exactly this string.
        elements: Names or `ElementRule`s of the elements that are blocks; `None` means the default rules.

    Returns:
        Disjoint blocks in source order; only white space (or a byte-order mark) lies between them.

    Raises:
        TypeError: If `text` is not a `str`, or `elements` no iterable of names and rules.
        ValueError: If an element name is not an XML Name, or has two different rules.

    Example:
        >>> [(b.type, b.start, b.end) for b in parse_blocks('Hi <file path="a">x</file>')]
        [('text', 0, 3), ('file', 3, 26)]

    Rule: B2, B12.

    Source:
        XML 1.0 (Fifth Edition), productions 5, 10, 40-44, loosened as `tags` says.
    """
    return list(iter_blocks(text, elements=elements))


def iter_blocks(text: str, *, elements: Elements | None = None) -> Iterator[Block]:
    """Yield the blocks that `parse_blocks` returns, slicing each when it is asked for.

    Args:
        text: Any string.
        elements: As for `parse_blocks`.

    Returns:
        An iterator over the blocks. The arguments are checked, and the tags found, before the first one is asked for.

    Raises:
        TypeError: As `parse_blocks`.
        ValueError: As `parse_blocks`.

    Example:
        >>> next(iter_blocks("<file path='a'>x</file> ...")).identity
        'a'
    """
    text = check_text("text", text)
    return _slice_blocks(text, find_extents(text, patterns_for(resolve_elements(elements))))


def has_semantic_elements(text: str, *, elements: Elements | None = None) -> bool:
    """Return whether `text` holds an element, that is, whether cutting it into blocks finds more than text.

    Args:
        text: Any string.
        elements: As for `parse_blocks`.

    Raises:
        TypeError: As `parse_blocks`.
        ValueError: As `parse_blocks`.

    Example:
        >>> has_semantic_elements("<file>a</file>"), has_semantic_elements("a <file without end")
        (True, False)
    """
    text = check_text("text", text)
    return any(extent.type != TEXT for extent in find_extents(text, patterns_for(resolve_elements(elements))))


def unknown_elements(text: str) -> list[UnknownElement]:
    r"""List the elements that occur more than once in `text`, and that no default rule names.

    For a text in a format of one's own: each comes with the rule to try. Elements inside other elements, and HTML's
    layout, are left out. O(len(text)).

    Args:
        text: Any string.

    Returns:
        The kinds of elements, the most frequent first.

    Raises:
        TypeError: If `text` is not a `str`.

    Example:
        >>> (page,) = unknown_elements("<page url='a'>\nx\n</page>\n<page url='b'>\ny\n</page>\n")
        >>> page.name, page.count, page.attributes, page.example
        ('page', 2, ('url',), "<page url='a'>")
        >>> [block.identity for block in parse_blocks("<page url='a'>x</page>", elements=[page.rule])]
        ['a']
    """
    return find_unknown(check_text("text", text))


def _slice_blocks(text: str, extents: Iterator[Extent]) -> Iterator[Block]:
    line, counted = 1, 0
    for kind, start, end, attributes, identity, _ in extents:
        content = text[start:end]
        line += text.count("\n", counted, start)
        lines = count_lines(content)
        yield Block(kind, content, start, end, line, lines, attributes, identity)
        line += lines - (not content.endswith("\n"))
        counted = end
