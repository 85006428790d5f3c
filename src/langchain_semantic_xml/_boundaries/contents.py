"""What stands inside an element: the identity child, CDATA, and the body between the tags."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property, lru_cache

from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.tags import TAG_SPACE, TagPatterns, any_of, closing_tag_end, skip_blanks
from langchain_semantic_xml._text.names import POSSESSIVE, XML_NAME
from langchain_semantic_xml.values import Attributes, ElementRule

# [18] CDSect, directly after an opening tag.
_CDATA_MARK = "<![CDATA["
_CDATA_OPENING = re.compile(rf"{TAG_SPACE}*{re.escape(_CDATA_MARK)}")
_CDATA_CLOSING = "]]>"
_CDATA_END = re.compile(rf"{_CDATA_CLOSING}(?!{re.escape(_CDATA_MARK)})")
# After a closing tag: the end of the line, or another tag on it.
_CLEAR_END = re.compile(rf"[ \t\r]*(?:\n|\Z|</?{XML_NAME})")
_NO_ENDS: tuple[list[int], list[int]] = ([], [])
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
    """Return value and end of the identity child directly after an opening tag; `None` without such a child."""
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

    A section ends an element where its `]]>` is followed by the element's closing tag. A bundler that does not split
    the `]]>` of a content writes several such places: the right one ends its line, or another tag follows it.

    Args:
        horizon: The text.
        names: The names of elements.

    Rule: B10.
    """

    def __init__(self, horizon: Horizon, names: Iterable[str]) -> None:
        self._text = horizon.text
        self._horizon = horizon
        self._names = tuple(names)
        self._closings: dict[tuple[int, str], int] = {}

    def element_end(self, name: str, tag_end: int, *, is_first: bool) -> int:
        """Return where the element ends whose opening tag ends at `tag_end`; -1 where CDATA decides nothing.

        Args:
            name: The element's name.
            tag_end: Where its opening tag ends.
            is_first: Whether its opening tag is the first on its line.
        """
        opening = _CDATA_OPENING.match(self._text, tag_end)
        return self._find_end(name, opening.end(), is_first=is_first)[0] if opening else -1

    def is_settled(self, name: str, tag_end: int, *, is_first: bool) -> bool:
        """Return whether nothing that follows the text can change `element_end` of the same arguments."""
        if self._horizon.complete:
            return True
        opening = _CDATA_OPENING.match(self._text, tag_end)
        return not opening or self._find_end(name, opening.end(), is_first=is_first)[1]

    def _find_end(self, name: str, start: int, *, is_first: bool) -> tuple[int, bool]:
        """Return the end of the element whose CDATA begins at `start`, -1 without one, and whether that is settled."""
        ends, clear_ends = self._ends.get(name, _NO_ENDS)
        first = _next_at(ends, start)
        if not is_first:
            return first, first >= 0
        section_end = _next_at(self._section_ends, start)
        own = self._read_closing(name, section_end) if section_end >= 0 else -1
        following = _next_at(self._openings.get(name, []), max(start, own))
        limit = following if following >= 0 else len(self._text)
        clear = _next_at(clear_ends, start)
        if 0 <= clear <= limit:
            return clear, True
        is_settled = following >= 0 and section_end >= 0 and self._horizon.is_far(max(following, section_end))
        return first if 0 <= first <= limit else -1, is_settled

    def _read_closing(self, name: str, section_end: int) -> int:
        """Return the end of the closing tag after the `]]>` at `section_end`, -1 without one; each is read once."""
        key = section_end, name
        if key not in self._closings:
            self._closings[key] = closing_tag_end(self._text, name, section_end + len(_CDATA_CLOSING))
        return self._closings[key]

    @cached_property
    def _section_ends(self) -> list[int]:
        """The starts of all `]]>` that no other section follows directly: that is how a `]]>` is split."""
        return [match.start() for match in _CDATA_END.finditer(self._text)]

    @cached_property
    def _ends(self) -> dict[str, tuple[list[int], list[int]]]:
        """For each name the ends of its closing tags after `]]>`: all, and those before a line's end or another tag."""
        ends: dict[str, tuple[list[int], list[int]]] = {}
        names = any_of(self._names)
        for match in re.finditer(rf"{_CDATA_CLOSING}{TAG_SPACE}*</({names}){TAG_SPACE}*>", self._text):
            end = match.end()
            clear_end = _CLEAR_END.match(self._text, end)
            if not self._horizon.is_far(clear_end.end() if clear_end else end):
                break
            every, clear = ends.setdefault(match[1], ([], []))
            every.append(end)
            if clear_end:
                clear.append(end)
        return ends

    @cached_property
    def _openings(self) -> dict[str, list[int]]:
        """For each name, the starts of the lines that begin with its opening tag."""
        openings: dict[str, list[int]] = {}
        names = any_of(self._names)
        for match in re.finditer(rf"^[ \t]*<({names})(?={TAG_SPACE}|>)", self._text, re.MULTILINE):
            openings.setdefault(match[1], []).append(match.start())
        return openings


def _next_at(positions: list[int], start: int) -> int:
    """Return the first of `positions`, in ascending order, that is not before `start`; -1 without one."""
    place = bisect_left(positions, start)
    return positions[place] if place < len(positions) else -1


def find_body(
    text: str, tag_end: int, end: int, patterns: TagPatterns, name: str, *, is_named: bool = False
) -> tuple[int, int] | None:
    """Return where the body of an element begins and ends; `None` where it has none.

    Before the body stand the opening tag, the identity child, the body's own tag or a CDATA opening, and the line end
    that follows them; after it, what closes these, with the line end (and indentation) before it.

    Args:
        text: The text.
        tag_end: Where the element's opening tag ends.
        end: Where the element ends.
        patterns: The patterns of its children and bodies.
        name: Its name.
        is_named: Whether an attribute names the element. A child directly after the opening tag is then content, unless
            the tag of a body follows it.
    """
    position = tag_end
    closing = text.rfind(f"</{name}", position, end)
    if closing < 0:
        return None
    child = read_child(text, position, name, patterns)
    after_child = child[1] if child else position
    pattern = patterns.bodies.get(name)
    body = pattern.match(text, after_child, closing) if pattern else None
    stop = _start_of_last(text, f"</{body[1]}>", body.end(), closing) if body else None
    if body and stop is not None:
        position, closing = body.end(), stop
    elif not is_named:
        position = after_child
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
