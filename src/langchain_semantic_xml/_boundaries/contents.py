"""What stands inside an element: the identity child, CDATA, and the body between the tags."""

from __future__ import annotations

import re
from functools import lru_cache

from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.tags import TAG_SPACE, TagPatterns, closing_tag_end, skip_blanks
from langchain_semantic_xml._text.names import POSSESSIVE
from langchain_semantic_xml.values import Attributes, ElementRule

# [18] CDSect, directly after an opening tag.
_CDATA_MARK = "<![CDATA["
_CDATA_OPENING = re.compile(rf"{TAG_SPACE}*{re.escape(_CDATA_MARK)}")
_CDATA_CLOSING = "]]>"
_LINE_END = re.compile(r"[ \t]*\r?\n")


def read_identity(
    text: str, tag_end: int, attributes: Attributes, rule: ElementRule, patterns: TagPatterns, *, empty: bool
) -> str | None:
    """Return what names the element whose opening tag ends at `tag_end`; `None` where nothing does.

    Args:
        text: The text.
        tag_end: Where its opening tag ends.
        attributes: Its attributes.
        rule: Which attributes and children name it.
        patterns: The patterns of its children.
        empty: Whether it has no children: it is self-closing, or its content is CDATA.
    """
    for name in rule.identity:
        if name in attributes and (value := attributes[name]):
            return value
    if not empty and (child := read_child(text, tag_end, rule.name, patterns)):
        return child[0]
    for name in rule.fallback:
        if name in attributes and (value := attributes[name]):
            return value
    return None


def read_child(text: str, tag_end: int, name: str, patterns: TagPatterns) -> tuple[str, int] | None:
    """Return value and end of the identity child directly after an opening tag; `None` where there is none."""
    child = _open_child(text, tag_end, name, patterns)
    if not child:
        return None
    child_name, value = child
    end = closing_tag_end(text, child_name, value.end()) if value[0].strip() else -1
    return None if end < 0 else (value[0].strip(), end)


def skip_child(text: str, position: int, name: str, patterns: TagPatterns) -> int:
    """Return where the reading of an identity child at `position` ends, whether it is one or not."""
    child = _open_child(text, position, name, patterns)
    return skip_blanks(text, child[1].end()) if child else position


def _open_child(text: str, position: int, name: str, patterns: TagPatterns) -> tuple[str, re.Match[str]] | None:
    """Return the name of the identity child that opens at `position`, and its value, closed or not."""
    pattern = patterns.children.get(name)
    opening = pattern.match(text, position) if pattern else None
    value = _child_value(opening[1]).match(text, opening.end()) if opening else None
    return (opening[1], value) if opening and value else None


@lru_cache(maxsize=64)
def _child_value(name: str) -> re.Pattern[str]:
    # The value ends at its line's end or before the next tag of its own name, so that no search runs on.
    return re.compile(rf"[^\n<]*(?:<(?!/?{re.escape(name)}[ \t\r\n/>])[^\n<]*)*{POSSESSIVE}")


class CdataSections:
    """Finds where elements end whose content is CDATA, in time linear in the text however many elements ask.

    Sections that directly follow each other are one: that is how a `]]>` in the content is written.

    Rule: B10.
    """

    def __init__(self, horizon: Horizon) -> None:
        self._text = horizon.text
        self._horizon = horizon
        self._asked, self._answer = 0, -2
        self._last_of_run: dict[int, int] = {}

    def element_end(self, name: str, tag_end: int) -> int:
        """Return where the element ends whose opening tag ends at `tag_end`; -1 where CDATA decides nothing."""
        end = self._sections_end(tag_end)
        return closing_tag_end(self._text, name, end) if end is not None and end >= 0 else -1

    def is_settled(self, tag_end: int) -> bool:
        """Return whether nothing that follows the text can change `element_end` of the tag that ends at `tag_end`."""
        if self._horizon.complete:
            return True
        end = self._sections_end(tag_end)
        return end is None or (end >= 0 and self._horizon.is_far(skip_blanks(self._text, end)))

    def _sections_end(self, tag_end: int) -> int | None:
        """Return where the CDATA directly after a tag ends, -1 where it does not; `None` where there is none."""
        opening = _CDATA_OPENING.match(self._text, tag_end)
        if not opening:
            return None
        last = self._last(self._next(opening.end()))
        return last if last < 0 else last + len(_CDATA_CLOSING)

    def _next(self, position: int) -> int:
        """Return the next `]]>`; asked in ascending order, the text is searched once."""
        if not self._asked <= position <= self._answer and not (self._answer == -1 and position >= self._asked):
            self._answer = self._text.find(_CDATA_CLOSING, position)
        self._asked = position
        return self._answer

    def _last(self, closing: int) -> int:
        """Return the `]]>` that ends the last of adjacent sections; each is passed over once."""
        run = []
        adjacent = _CDATA_CLOSING + _CDATA_MARK
        while closing >= 0 and closing not in self._last_of_run and self._text.startswith(adjacent, closing):
            run.append(closing)
            closing = self._text.find(_CDATA_CLOSING, closing + len(adjacent))
        last = self._last_of_run.get(closing, closing)
        self._last_of_run.update(dict.fromkeys(run, last))
        return last


def find_body(text: str, tag_end: int, end: int, patterns: TagPatterns, name: str) -> tuple[int, int] | None:
    """Return where the body of an element begins and ends; `None` where it has none.

    Before the body stand the opening tag, the identity child, the body's own tag or a CDATA opening, and the line end
    that follows them; after it, what closes these, with the line end (and indentation) before it.

    Args:
        text: The text.
        tag_end: Where the element's opening tag ends.
        end: Where the element ends.
        patterns: The patterns of its children and bodies.
        name: Its name.
    """
    position = tag_end
    closing = text.rfind(f"</{name}", position, end)
    if closing < 0:
        return None
    if child := read_child(text, position, name, patterns):
        position = child[1]
    pattern = patterns.bodies.get(name)
    if pattern and (body := pattern.match(text, position, closing)):
        stop = _start_of_last(text, f"</{body[1]}>", body.end(), closing)
        if stop is not None:
            position, closing = body.end(), stop
    if (opening := _CDATA_OPENING.match(text, position, closing)) and (
        stop := _start_of_last(text, _CDATA_CLOSING, opening.end(), closing)
    ) is not None:
        position, closing = opening.end(), stop
    if line_end := _LINE_END.match(text, position, closing):
        position = line_end.end()
    return position, max(position, _step_over_line_end(text, position, closing))


def find_tags(text: str, start: int, tag_end: int, end: int, name: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the opening and the closing tag of the element `text[start:end]`, as far as it has them."""
    closing = text.rfind(f"</{name}", tag_end, end)
    return ((start, tag_end),) if closing < 0 else ((start, tag_end), (closing, end))


def _start_of_last(text: str, mark: str, start: int, end: int) -> int | None:
    """Return where `mark` begins, if only white space stands between it and `end`."""
    stop = start + len(text[start:end].rstrip(" \t\r\n"))
    return stop - len(mark) if text.endswith(mark, start, stop) else None


def _step_over_line_end(text: str, start: int, end: int) -> int:
    """Step back from `end` over indentation and one line end; stay where there is no line end."""
    newline = text.rfind("\n", start, end)
    if newline < 0 or text[newline + 1 : end].strip(" \t"):
        return end
    return newline - 1 if newline > start and text[newline - 1] == "\r" else newline
