"""The address: in which lines of the file itself, in contrast to its bundle, a text stands.

Knows where the content of an element begins and which number its first line has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from langchain_semantic_xml._boundaries.contents import find_body
from langchain_semantic_xml._boundaries.tags import TagPatterns
from langchain_semantic_xml._documents.names import CONTENT_LINE_KEYS, read_value
from langchain_semantic_xml._parts.numbering import read_numbers
from langchain_semantic_xml._text.blanks import first_visible, last_visible
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Attributes, Extent

NAMING_KEYS = ("path", "file_path", "filename", "source")
"""Keys of a Document's metadata that may name its file, in the order in which they are asked."""

_STATED_RANGE = re.compile(r"L?([0-9]{1,9})-L?([0-9]{1,9})")
_STATED_NUMBER = re.compile(r"L?([0-9]{1,9})")
_START_ATTRIBUTES = ("start_line", "line_start", "startLine")
_STATING_ATTRIBUTES = frozenset(("lines", *_START_ATTRIBUTES))
_LEFT_OUT = "⋮----"
"""What repomix puts, alone on a line, in place of lines of the file that it has left out."""
_LEFT_OUT_LINE = re.compile(rf"^{_LEFT_OUT}\r?$", re.MULTILINE)


class Content(NamedTuple):
    """The characters of a file in a text.

    Args:
        start: The offset of the first character.
        end: The offset after the last character.
        shift: The number to add to a line of the text to get the line of the file.
        limits: The first and the last line that the text holds of the file, if that is known.
    """

    start: int
    end: int
    shift: int
    limits: tuple[int, int] | None = None

    def find_lines(self, window: Window, spans: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
        """Return the lines of the file in which the first and last visible characters of `spans` stand.

        `None` if no visible character of the file is in the spans, which are in ascending order.

        Rule: M4.
        """
        first = last = -1
        text, offset = window.text, window.offset
        for span_start, span_end in spans:
            start = max(span_start, self.start) - offset
            end = min(span_end, self.end) - offset
            if start >= end or (visible := first_visible(text, start, end)) == end:
                continue
            if first < 0:
                first = offset + visible
            last = offset + last_visible(text, visible, end) - 1
        if first < 0:
            return None
        lines = window.line_of(first) + self.shift, window.line_of(last) + self.shift
        if self.limits is None:
            return lines
        lines = max(lines[0], self.limits[0]), min(lines[1], self.limits[1])
        return lines if lines[0] <= lines[1] else None


class Addresses:
    """Finds the content of the chunks of one Document.

    Args:
        window: The text of the Document.
        patterns: The patterns of the elements' tags.
        metadata: The metadata of the Document. If this package wrote them, they say in which line of the file the
            content of the Document begins.
        is_file: Whether the Document has no element and is a file itself.

    Rule: M4, M5.
    """

    def __init__(
        self, window: Window, patterns: TagPatterns, metadata: Mapping[Any, object], *, is_file: bool = False
    ) -> None:
        self._window = window
        self._patterns = patterns
        self._is_file = is_file
        self._inherited = read_content_lines(metadata)
        part, parts = (read_value(metadata, key) for key in ("part", "parts"))
        self._is_last_part = part is not None and part == parts

    def find_content(self, blocks: tuple[Extent, ...]) -> Content | None:
        """Return the content that a chunk with these blocks has a share of; `None` if it has no address."""
        elements = [block for block in blocks if block.type != TEXT]
        if len(elements) > 1:
            return None
        if elements:
            content = _find_content(self._window, elements[0], self._patterns)
        else:
            content = _whole_content(self._window) if self._is_file else None
        if content is None or self._inherited is None:
            return content
        # Before the content of a part may stand tags or signatures, after that of the last part its closing tags.
        return _anchor(self._window, content, self._inherited, at_first=self._is_last_part and not elements)


def find_element_body(window: Window, extent: Extent, patterns: TagPatterns) -> tuple[int, int] | None:
    """Return the indices in the window's text of the body of an element; `None` if it has no body."""
    text, _, end = window.locate(extent.start, extent.end)
    rule = patterns.rules[extent.type]
    is_named = any(extent.attributes.get(name) for name in rule.identity)
    return find_body(text, extent.tag_end - window.offset, end, patterns, extent.type, is_named=is_named)


def _find_content(window: Window, extent: Extent, patterns: TagPatterns) -> Content | None:
    """Return the content of an element; `None` if it has none, or if its bundler says that it left lines out."""
    body = find_element_body(window, extent, patterns)
    if body is None or _leaves_lines_out(window.text, *body):
        return None
    numbers = read_numbers(window.text, *body)
    return _place(window, *body, numbers.first if numbers else _read_stated_start(extent.attributes))


def _leaves_lines_out(text: str, start: int, end: int) -> bool:
    """Return whether repomix says in `text[start:end]` that it has left lines of the file out."""
    return text.find(_LEFT_OUT, start, end) >= 0 and _LEFT_OUT_LINE.search(text, start, end) is not None


def _whole_content(window: Window) -> Content:
    """Return the content of a Document that is a file itself: all of it."""
    text = window.text
    numbers = read_numbers(text, 0, len(text))
    return _place(window, 0, len(text), numbers.first if numbers else 1)


def _anchor(window: Window, content: Content, limits: tuple[int, int], *, at_first: bool) -> Content:
    """Return a content whose first or last visible character stands in the first or last line of `limits`."""
    text, start, end = window.locate(content.start, content.end)
    visible = first_visible(text, start, end)
    if visible == end:
        return content
    known, line = (visible, limits[0]) if at_first else (last_visible(text, start, end) - 1, limits[1])
    return content._replace(shift=line - window.line_of(window.offset + known), limits=limits)


def _place(window: Window, start: int, end: int, first_line: int) -> Content:
    """Return a content from indices of the window's text and the number of its first line."""
    start, end = start + window.offset, end + window.offset
    return Content(start, end, first_line - window.line_of(start))


def _read_stated_start(attributes: Attributes) -> int:
    """Return the line of the file in which the content begins, as the element states it; 1 if it does not."""
    if attributes.keys().isdisjoint(_STATING_ATTRIBUTES):
        return 1
    stated = _STATED_RANGE.fullmatch(attributes.get("lines", ""))
    if stated and 1 <= int(stated[1]) <= int(stated[2]):
        return int(stated[1])
    for name in _START_ATTRIBUTES:
        number = _STATED_NUMBER.fullmatch(attributes.get(name, ""))
        if number and int(number[1]) >= 1:
            return int(number[1])
    return 1


def has_content_lines(metadata: Mapping[Any, object]) -> bool:
    """Return whether this package wrote content lines into the metadata of a Document, `None` or numbers."""
    if "block_type" not in metadata or any(key not in metadata for key in CONTENT_LINE_KEYS):
        return False
    return all(metadata[key] is None for key in CONTENT_LINE_KEYS) or read_content_lines(metadata) is not None


def read_content_lines(metadata: Mapping[Any, object]) -> tuple[int, int] | None:
    """Return the content lines that this package wrote into the metadata of a Document, or `None`."""
    first, last = (read_value(metadata, key) for key in CONTENT_LINE_KEYS)
    if type(first) is int and type(last) is int and 1 <= first <= last:
        return first, last
    return None


def name_file(metadata: Mapping[Any, object]) -> str | None:
    """Return the file that a Document without elements is, as its metadata name it; `None` if they name no file.

    A Document that this package made is a file only if it has content lines: otherwise it is the text between the
    elements of a bundle, and `source` is the bundle.

    Example:
        >>> name_file({"source": "docs/a.md", "title": "A"}), name_file({"path": ""})
        ('docs/a.md', None)

    Rule: M5.
    """
    if "block_type" in metadata:
        if read_content_lines(metadata) is None:
            return None
        if isinstance(identity := read_value(metadata, "identity"), str):
            return identity
    return next((name for key in NAMING_KEYS if isinstance(name := metadata.get(key), str) and name), None)
