"""What a tag is: patterns, each under the rule that it follows, and functions from a position to what stands there.

Every function is bounded by what it reads: white space, one tag, one line. Only `CdataSections` looks further.

Source: XML 1.0 (Fifth Edition), productions 2 (Char), 3 (S), 10 (AttValue), 18-21 (CDSect), 40-44 (tags), 66-68
(references), loosened: values may be unquoted or absent, may hold `<` and `&`, and nothing is refused with an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from langchain_semantic_xml._text.names import POSSESSIVE, XML_NAME
from langchain_semantic_xml.values import NO_ATTRIBUTES, Attributes, ElementRule

# [3] S: white space inside a tag. Elsewhere "blank" is what str.isspace() says.
_S = r"[ \t\r\n]"
# [41] Attribute, with its white space before it. A quoted value is followed by white space, "/>" or ">" (rule 1); an
# unquoted one ends before "/>". No two neighbours in these patterns can take the same character, so that giving back
# costs no more than matching did; and since neither names nor unquoted values hold quotes or "<", at most three
# readings of the text (outside quotes, inside double ones, inside single ones) are ever under way at one place.
_ATTRIBUTE_NAME = r"[^ \t\r\n\"'<>/=]+"
_NAME_END = rf"(?={_S}|[\"'<>/=]|\Z)"
_UNQUOTED_CHARACTER = r"[^ \t\r\n\"'<>=`/]"
_UNQUOTED = rf"(?={_UNQUOTED_CHARACTER}|/(?!>)){_UNQUOTED_CHARACTER}*(?:/(?!>){_UNQUOTED_CHARACTER}*)*{POSSESSIVE}"
_VALUE = rf"(?:\"[^\"]*\"(?={_S}|/?>)|'[^']*'(?={_S}|/?>)|{_UNQUOTED})"
_ATTRIBUTE = re.compile(rf"{_S}+({_ATTRIBUTE_NAME}){_NAME_END}(?:{_S}*={_S}*({_VALUE})|(?!{_S}*=))")
_ATTRIBUTES = rf"(?:{_S}+{_ATTRIBUTE_NAME}{_NAME_END}(?:{_S}*={_S}*{_VALUE}|(?!{_S}*=)))*{POSSESSIVE}"
# What has been read of a tag in a stream, up to the end, from the end of its name.
_UNFINISHED = re.compile(
    rf"{_ATTRIBUTES}(?:{_S}+{_ATTRIBUTE_NAME}{_S}*={_S}*(?:\"[^\"]*\"?|'[^']*'?|{_UNQUOTED})?)?{_S}*/?\Z"
)
_FAR = 1024
_TAG_OPENING = re.compile(rf"<{XML_NAME}")
_STRICT_OPENING = re.compile(rf"<{XML_NAME}{_ATTRIBUTES}{_S}*/?>")

# Rule 1, raw quotes: an attribute whose quoted value is not followed as it must be, or never ends.
_BROKEN_ATTRIBUTE = re.compile(rf"{_S}+({_ATTRIBUTE_NAME}){_S}*={_S}*([\"'])")
_TO_LINE_END = re.compile(r"[^\n]*")

# [66] CharRef and [68] EntityRef, the five predefined entities only, with their semicolon.
_REFERENCE = re.compile(r"&(?:#x0*([0-9a-fA-F]{1,6})|#0*([0-9]{1,7})|(lt|gt|amp|quot|apos));")
# [2] Char.
_CHARACTERS = (
    range(0x9, 0xB),
    range(0xD, 0xE),
    range(0x20, 0xD800),
    range(0xE000, 0xFFFE),
    range(0x10000, 0x110000),
)
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

# [18] CDSect, directly after an opening tag (rule 10).
_CDATA_MARK = "<![CDATA["
_CDATA_OPENING = re.compile(rf"{_S}*{re.escape(_CDATA_MARK)}")
_CDATA_CLOSING = "]]>"

BLANK_TO_LINE_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
"""What follows a tag that fills its line (rule 2)."""
_BLANKS = re.compile(rf"{_S}*")
_LINE_END = re.compile(r"[ \t]*\r?\n")


ANY_OPENING = rf"<({XML_NAME})(?={_S}|>){_ATTRIBUTES}{_S}*>"
"""The pattern, as source text, of an opening tag of any name that is not self-closing; group 1 is the name."""
ANY_CLOSING = rf"</({XML_NAME}){_S}*>"
"""The pattern, as source text, of a closing tag of any name; group 1 is the name."""


class Grammar(NamedTuple):
    """The patterns for one set of element rules.

    Attributes:
        rules: The rule of each element name.
        tag: Finds the next tag. Groups: 1 the name in a closing tag; 2 the name in an opening tag, and, where the
            strict grammar holds up to its end, 3 the slash of a self-closing one.
        children: For each name that has such children, the pattern of an identity child's opening.
        bodies: For each name that has such children, the pattern of a body's opening tag.
    """

    rules: dict[str, ElementRule]
    tag: re.Pattern[str]
    children: dict[str, re.Pattern[str]]
    bodies: dict[str, re.Pattern[str]]


@lru_cache(maxsize=64)
def grammar_of(rules: tuple[ElementRule, ...]) -> Grammar:
    """Compile the patterns for `rules`, one rule for each name."""
    names = _any_of(rule.name for rule in rules)
    # Rule 1: `<name` followed by white space, ">" or "/".
    tag = rf"<(?:/({names}){_S}*>|({names})(?={_S}|[/>])(?:{_ATTRIBUTES}{_S}*(/?)>)?)"
    return Grammar(
        rules={rule.name: rule for rule in rules},
        tag=re.compile(tag),
        children={
            rule.name: re.compile(rf"{_S}*<({_any_of(rule.identity_children)}){_S}*>{_S}*")
            for rule in rules
            if rule.identity_children
        },
        bodies={rule.name: re.compile(rf"{_S}*<({_any_of(rule.body)}){_S}*>") for rule in rules if rule.body},
    )


def _any_of(names: Iterable[str]) -> str:
    # Longer names first, so that none hides another; no name at all matches nothing.
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or r"(?!)"


class _Quoted(NamedTuple):
    """An attribute with a quoted value: its name, where its first quote stands, how many attributes are before it."""

    name: str
    quote: int
    before: int


def read_attributes(text: str, start: int, end: int) -> Attributes | None:
    """Return the attributes of the opening tag `text[start:end]`; `None` where it is no tag.

    Where the strict grammar fails, the tag has raw quotes (rule 1): the value of the attribute that breaks it runs to
    the last such quote. The first of two attributes of one name counts.
    """
    if not _STRICT_OPENING.fullmatch(text, start, end):
        return _read_raw_attributes(text, start, end)
    items: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text, start, end):
        name, value = match.groups("")
        items.setdefault(name, _decode(value[1:-1] if value and value[0] in "\"'" else value))
    return Attributes(items) if items else NO_ATTRIBUTES


def _read_raw_attributes(text: str, start: int, end: int) -> Attributes | None:
    opening = _TAG_OPENING.match(text, start, end)
    if not opening:
        return None
    items: dict[str, str] = {}
    position = opening.end()
    quoted: _Quoted | None = None
    while match := _ATTRIBUTE.match(text, position, end):
        name, value = match.groups()
        if value and value[0] in "\"'":
            quoted = _Quoted(name, match.start(2), len(items))
            value = value[1:-1]
        items.setdefault(name, _decode(value or ""))
        position = match.end()
    if broken := _BROKEN_ATTRIBUTE.match(text, position, end):
        quoted = _Quoted(broken[1], broken.start(2), len(items))
    if quoted is None:
        return None
    name, quote, before = quoted
    last = text.rfind(text[quote], quote, end)
    if last == quote:
        return None
    items = dict(islice(items.items(), before))
    items.setdefault(name, _decode(text[quote + 1 : last]))
    return Attributes(items)


def _decode(value: str) -> str:
    return _REFERENCE.sub(_character, value) if "&" in value else value


def _character(reference: re.Match[str]) -> str:
    hexadecimal, decimal, entity = reference.groups()
    if entity:
        return _ENTITIES[entity]
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    # What is no character of XML stays as it is written.
    return chr(code) if any(code in characters for characters in _CHARACTERS) else reference[0]


def raw_tag_end(text: str, name: str, name_end: int, start: int) -> int | None:
    """Return the end of the opening tag with raw quotes that fills the line it begins; `None` where it is none."""
    line = _TO_LINE_END.match(text, name_end)
    tag = line[0].rstrip(" \t\r") if line else ""
    if not tag.endswith(">") or re.search(rf"</{re.escape(name)}{_S}*>\Z", tag):
        return None
    end = name_end + len(tag)
    return None if read_attributes(text, start, end) is None else end


def read_identity(
    text: str, tag_end: int, attributes: Attributes, rule: ElementRule, grammar: Grammar, *, empty: bool
) -> str | None:
    """Return what names the element whose opening tag ends at `tag_end`; `None` where nothing does.

    An `empty` element, and one whose content is CDATA, has no children.
    """
    for name in rule.identity:
        if name in attributes and (value := attributes[name]):
            return value
    if not empty and (child := read_child(text, tag_end, rule.name, grammar)):
        return child[0]
    for name in rule.fallback:
        if name in attributes and (value := attributes[name]):
            return value
    return None


def read_child(text: str, tag_end: int, name: str, grammar: Grammar) -> tuple[str, int] | None:
    """Return value and end of the identity child directly after an opening tag; `None` where there is none."""
    child = _open_child(text, tag_end, name, grammar)
    if not child:
        return None
    child_name, value = child
    end = closing_tag_end(text, child_name, value.end()) if value[0].strip() else -1
    return None if end < 0 else (value[0].strip(), end)


def _open_child(text: str, position: int, name: str, grammar: Grammar) -> tuple[str, re.Match[str]] | None:
    """Return the name of the identity child that opens at `position`, and its value, closed or not."""
    pattern = grammar.children.get(name)
    opening = pattern.match(text, position) if pattern else None
    value = _child_value(opening[1]).match(text, opening.end()) if opening else None
    return (opening[1], value) if opening and value else None


@lru_cache(maxsize=64)
def _child_value(name: str) -> re.Pattern[str]:
    # The value ends at its line's end or before the next tag of its own name, so that no search runs on.
    return re.compile(rf"[^\n<]*(?:<(?!/?{re.escape(name)}[ \t\r\n/>])[^\n<]*)*{POSSESSIVE}")


def is_far_from_end(text: str, position: int) -> bool:
    """Say whether enough of a stream stands after `position` to answer what is asked of what stands there.

    That is a tag, or a container's: white space before it has been passed over, and of longer ones the line is asked.
    """
    return position + _FAR <= len(text)


def may_go_on(text: str, name_end: int) -> bool:
    """Say whether the opening tag whose name ends at `name_end` reaches the end of `text` without having ended."""
    return _UNFINISHED.match(text, name_end) is not None


def skip_child(text: str, position: int, name: str, grammar: Grammar) -> int:
    """Return where the reading of an identity child at `position` ends, whether it is one or not."""
    child = _open_child(text, position, name, grammar)
    return skip_blanks(text, child[1].end()) if child else position


def closing_tag_end(text: str, name: str, position: int) -> int:
    """Return the end of the closing tag of `name` after `position`, white space between; -1 where none follows."""
    position = skip_blanks(text, position)
    if not text.startswith(f"</{name}", position):
        return -1
    end = skip_blanks(text, position + len(name) + 2)
    return end + 1 if text.startswith(">", end) else -1


def skip_blanks(text: str, position: int) -> int:
    """Return where the white space at `position` ends."""
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks else position


class CdataSections:
    """Finds where elements end whose content is CDATA (rule 10), in time linear in the text however many ask.

    Sections that directly follow each other are one: that is how a `]]>` in the content is written.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._asked, self._answer = 0, -2
        self._last_of_run: dict[int, int] = {}

    def element_end(self, name: str, tag_end: int) -> int:
        """Return where the element ends whose opening tag ends at `tag_end`; -1 where CDATA decides nothing."""
        end = self._sections_end(tag_end)
        return closing_tag_end(self._text, name, end) if end is not None and end >= 0 else -1

    def is_settled(self, tag_end: int) -> bool:
        """Say whether nothing that comes after the text can change `element_end` of the tag that ends at `tag_end`."""
        end = self._sections_end(tag_end)
        return end is None or (end >= 0 and is_far_from_end(self._text, skip_blanks(self._text, end)))

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


def find_body(text: str, start: int, end: int, grammar: Grammar, name: str) -> tuple[int, int] | None:
    """Return where the body of the element `text[start:end]` begins and ends; `None` where it has none.

    Before the body stand the opening tag, the identity child, the body's own tag or a CDATA opening, and the line end
    that follows them; after it, what closes these, with the line end (and indentation) before it.
    """
    position = _opening_end(text, start, end, grammar)
    closing = text.rfind(f"</{name}", position, end)
    if closing < 0:
        return None
    if child := read_child(text, position, name, grammar):
        position = child[1]
    pattern = grammar.bodies.get(name)
    if pattern and (body := pattern.match(text, position, closing)):
        stop = _before(text, f"</{body[1]}>", body.end(), closing)
        if stop is not None:
            position, closing = body.end(), stop
    if (opening := _CDATA_OPENING.match(text, position, closing)) and (
        stop := _before(text, _CDATA_CLOSING, opening.end(), closing)
    ) is not None:
        position, closing = opening.end(), stop
    if line_end := _LINE_END.match(text, position, closing):
        position = line_end.end()
    return position, max(position, _before_line_end(text, position, closing))


def find_tags(text: str, start: int, end: int, grammar: Grammar, name: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the opening and the closing tag of the element `text[start:end]`, as far as it has them."""
    opening_end = _opening_end(text, start, end, grammar)
    closing = text.rfind(f"</{name}", opening_end, end)
    return ((start, opening_end),) if closing < 0 else ((start, opening_end), (closing, end))


def _opening_end(text: str, start: int, end: int, grammar: Grammar) -> int:
    match = grammar.tag.match(text, start, end)
    if match and match[3] is not None:
        return match.end()
    line = _TO_LINE_END.match(text, start, end)
    return start + len(line[0].rstrip(" \t\r")) if line else start


def _before(text: str, mark: str, start: int, end: int) -> int | None:
    """Return where `mark` begins, if only white space stands between it and `end`."""
    stop = start + len(text[start:end].rstrip(" \t\r\n"))
    return stop - len(mark) if text.endswith(mark, start, stop) else None


def _before_line_end(text: str, start: int, end: int) -> int:
    """Step back from `end` over indentation and one line end; stay where there is no line end."""
    newline = text.rfind("\n", start, end)
    if newline < 0 or text[newline + 1 : end].strip(" \t"):
        return end
    return newline - 1 if newline > start and text[newline - 1] == "\r" else newline
