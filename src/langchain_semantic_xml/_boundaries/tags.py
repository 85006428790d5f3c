"""One tag: the patterns of opening and closing tags, and how their attributes are read.

Every function is bounded by what it reads: one tag, or one line. What stands behind a tag is the business of
`contents`; which tags belong together is that of the modules above.

Source: XML 1.0 (Fifth Edition), productions 2 (Char), 3 (S), 10 (AttValue), 40-44 (tags), 66-68 (references),
loosened: values may be unquoted or absent, may hold `<` and `&`, and nothing is refused with an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from langchain_semantic_xml._text.names import POSSESSIVE, XML_NAME
from langchain_semantic_xml.values import NO_ATTRIBUTES, Attributes, ElementRule

# All patterns made of these parts are compiled with re.VERBOSE.

TAG_SPACE = r"[ \t\r\n]"
"""Source text of a pattern: one white space character inside a tag, production 3 (S)."""

# [41] Attribute. No two neighbours in these patterns can take the same character, so that giving back costs no more
# than matching did; and since neither names nor unquoted values hold quotes or "<", at most three readings of the text
# (outside quotes, inside double ones, inside single ones) are ever under way at one place.
_ATTRIBUTE_NAME = r"[^ \t\r\n\"'<>/=]+"
_PLAIN = r"[^ \t\r\n\"'<>=`/]"  # a character of an unquoted value, the slash apart
_UNQUOTED = rf"""
    (?={_PLAIN} | /(?!>))                       # at least one character, and not the "/>" that ends the tag
    {_PLAIN}* (?:/(?!>) {_PLAIN}*)*{POSSESSIVE}
"""
_VALUE = rf"""
    (?: "[^"]*" (?={TAG_SPACE} | /?>)           # after a quoted value: white space, "/>" or ">"
    |   '[^']*' (?={TAG_SPACE} | /?>)
    |   {_UNQUOTED} )
"""
_ATTRIBUTE = rf"""
    (?P<name>{_ATTRIBUTE_NAME}) (?={TAG_SPACE} | ["'<>/=] | \Z)
    (?: {TAG_SPACE}* = {TAG_SPACE}* (?P<value>{_VALUE})
    |   (?!{TAG_SPACE}* =) )                    # no value
"""
_ATTRIBUTES = rf"(?:{TAG_SPACE}+ {_ATTRIBUTE})*{POSSESSIVE}".replace("?P<name>", "?:").replace("?P<value>", "?:")
# The beginning of an attribute with a value, up to its equals sign and the blanks after it.
_ATTRIBUTE_START = rf"{TAG_SPACE}+ (?P<name>{_ATTRIBUTE_NAME}) {TAG_SPACE}* = {TAG_SPACE}*"

ANY_OPENING = rf"< (?P<name>{XML_NAME}) (?={TAG_SPACE} | >) {_ATTRIBUTES} {TAG_SPACE}* >"
"""Source text of a pattern, for re.VERBOSE: an opening tag of any name that is not self-closing."""
ANY_CLOSING = rf"</ (?P<name>{XML_NAME}) {TAG_SPACE}* >"
"""Source text of a pattern, for re.VERBOSE: a closing tag of any name."""

# Searched, so it begins with no repeated class: at each blank of a run, the blanks behind it would be tried again.
_NEXT_ATTRIBUTE = re.compile(rf"(?<={TAG_SPACE}) {_ATTRIBUTE}", re.VERBOSE)
_TAG_START = re.compile(rf"<{XML_NAME}")
_STRICT_OPENING = re.compile(rf"<{XML_NAME} {_ATTRIBUTES} {TAG_SPACE}* /?>", re.VERBOSE)
# An opening tag that the end of the text breaks off, from the end of its name.
_BROKEN_OFF = re.compile(
    rf"""
    {_ATTRIBUTES}
    (?: {_ATTRIBUTE_START.replace("?P<name>", "?:")} (?: "[^"]*"? | '[^']*'? | {_UNQUOTED} )? )?
    {TAG_SPACE}* /? \Z
    """,
    re.VERBOSE,
)
# Raw quotes: an attribute whose quoted value is not followed as it must be, or never ends.
_BROKEN_ATTRIBUTE = re.compile(rf"{_ATTRIBUTE_START} (?P<quote>[\"'])", re.VERBOSE)
_TO_LINE_END = re.compile(r"[^\n]*")
_BLANKS = re.compile(rf"{TAG_SPACE}*")

# [66] CharRef and [68] EntityRef, the five predefined entities only, with their semicolon.
_REFERENCE = re.compile(
    r"& (?: \#x0*([0-9a-fA-F]{1,6}) | \#0*([0-9]{1,7}) | (lt|gt|amp|quot|apos) ) ;",
    re.VERBOSE,
)
# [2] Char.
_CHARACTERS = (
    range(0x9, 0xB),
    range(0xD, 0xE),
    range(0x20, 0xD800),
    range(0xE000, 0xFFFE),
    range(0x10000, 0x110000),
)
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


class TagPatterns(NamedTuple):
    """The patterns for one set of element rules.

    Attributes:
        rules: The rule of each element name.
        tag: Finds the next tag. Groups: 1 the name in a closing tag; 2 the name in an opening tag; 3 how an opening
            tag ends, `>` or `/>`, or `None` where it is no tag by the grammar (it may still be one with raw quotes).
        children: For each name with identity children, the pattern of such a child's opening tag.
        bodies: For each name with bodies, the pattern of a body's opening tag.
    """

    rules: dict[str, ElementRule]
    tag: re.Pattern[str]
    children: dict[str, re.Pattern[str]]
    bodies: dict[str, re.Pattern[str]]


@lru_cache(maxsize=64)
def patterns_for(rules: tuple[ElementRule, ...]) -> TagPatterns:
    """Compile the patterns for `rules`, one rule for each name.

    Rule: B1.
    """
    names = any_of(rule.name for rule in rules)
    tag = rf"""
        < (?: /({names}) {TAG_SPACE}* >
          |    ({names}) (?={TAG_SPACE} | [/>])             # the whole name
               (?: {_ATTRIBUTES} {TAG_SPACE}* (/?>) )? )
    """
    return TagPatterns(
        rules={rule.name: rule for rule in rules},
        tag=re.compile(tag, re.VERBOSE),
        children={
            rule.name: re.compile(rf"{TAG_SPACE}*<({any_of(rule.identity_children)}){TAG_SPACE}*>{TAG_SPACE}*")
            for rule in rules
            if rule.identity_children
        },
        bodies={
            rule.name: re.compile(rf"{TAG_SPACE}*<({any_of(rule.body)}){TAG_SPACE}*>") for rule in rules if rule.body
        },
    )


def any_of(names: Iterable[str]) -> str:
    """Return the source text of a pattern that matches any of `names`; without a name nothing matches."""
    # Longer names first, so that none hides another.
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or r"(?!)"


class _Quoted(NamedTuple):
    """An attribute with a quoted value: its name, where its first quote stands, how many attributes are before it."""

    name: str
    quote: int
    before: int


def read_attributes(text: str, start: int, end: int) -> Attributes | None:
    """Return the attributes of the opening tag `text[start:end]`; `None` where it is no tag.

    In time linear in the tag, runs of blanks included. Where the grammar does not hold, the tag has raw quotes: the
    value of the attribute that breaks it runs to the last quote of its kind. The first of two attributes of one name
    counts.

    Rule: B1, B12.
    """
    if not _STRICT_OPENING.fullmatch(text, start, end):
        return _read_raw_attributes(text, start, end)
    items: dict[str, str] = {}
    for match in _NEXT_ATTRIBUTE.finditer(text, start, end):
        name, value = match.groups("")
        items.setdefault(name, decode_references(value[1:-1] if value and value[0] in "\"'" else value))
    return Attributes(items) if items else NO_ATTRIBUTES


def _read_raw_attributes(text: str, start: int, end: int) -> Attributes | None:
    opening = _TAG_START.match(text, start, end)
    if not opening:
        return None
    items: dict[str, str] = {}
    position = opening.end()
    quoted: _Quoted | None = None
    while match := _NEXT_ATTRIBUTE.match(text, skip_blanks(text, position), end):
        name, value = match.groups()
        if value and value[0] in "\"'":
            quoted = _Quoted(name, match.start("value"), len(items))
            value = value[1:-1]
        items.setdefault(name, decode_references(value or ""))
        position = match.end()
    if broken := _BROKEN_ATTRIBUTE.match(text, position, end):
        quoted = _Quoted(broken["name"], broken.start("quote"), len(items))
    if quoted is None:
        return None
    name, quote, before = quoted
    last = text.rfind(text[quote], quote, end)
    if last == quote:
        return None
    items = dict(islice(items.items(), before))
    items.setdefault(name, decode_references(text[quote + 1 : last]))
    return Attributes(items)


def has_references(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` holds a reference that `decode_references` knows."""
    return _REFERENCE.search(text, start, end) is not None


def decode_references(value: str) -> str:
    """Return `value` with its references decoded, once: `&lt;`, `&#60;` and `&#x3c;` are each `<`.

    A reference without its semicolon, and one to anything but an XML character, stays as it is written.

    Rule: B1.
    """
    return _REFERENCE.sub(_character, value) if "&" in value else value


def decode_content(content: str, name: str) -> str:
    """Return the escaped content of an element with its references decoded, so that its lines and its end stay.

    A reference to a line end stays as it is written: the content has as many lines as before. In a tag of the
    element's own name `<` is written `&lt;`: the element still ends at its own closing tag.

    Args:
        content: The content, which holds no raw `<`.
        name: The element's name.
    """
    decoded = _REFERENCE.sub(_character_but_no_line_end, content)
    return re.sub(rf"<(?=/?{re.escape(name)}(?![\w:.-]))", "&lt;", decoded)


def _character_but_no_line_end(reference: re.Match[str]) -> str:
    character = _character(reference)
    return reference[0] if character in "\r\n" else character


def _character(reference: re.Match[str]) -> str:
    hexadecimal, decimal, entity = reference.groups()
    if entity:
        return _ENTITIES[entity]
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    # The number of no XML character stays as it is written.
    return chr(code) if any(code in characters for characters in _CHARACTERS) else reference[0]


def raw_tag_end(text: str, name: str, name_end: int, start: int) -> int | None:
    """Return the end of the opening tag with raw quotes that fills the rest of its line; `None` where it is no tag.

    Rule: B1.
    """
    line = _TO_LINE_END.match(text, name_end)
    tag = line[0].rstrip(" \t\r") if line else ""
    if not tag.endswith(">") or re.search(rf"</{re.escape(name)}{TAG_SPACE}*>\Z", tag):
        return None
    end = name_end + len(tag)
    return None if read_attributes(text, start, end) is None else end


def is_broken_off(text: str, name_end: int) -> bool:
    """Return whether the opening tag whose name ends at `name_end` reaches the end of `text` without having ended."""
    return _BROKEN_OFF.match(text, name_end) is not None


def closing_tag_end(text: str, name: str, position: int) -> int:
    """Return the end of the closing tag of `name` after `position`, white space between; -1 where none follows."""
    position = skip_blanks(text, position)
    if not text.startswith(f"</{name}", position):
        return -1
    end = skip_blanks(text, position + len(name) + 2)
    return end + 1 if text.startswith(">", end) else -1


def has_closing_tag(text: str, name: str, start: int, limit: int) -> bool:
    """Return whether a closing tag of `name` begins in `text[start:limit]`."""
    position = text.find(f"</{name}", start, limit)
    while position >= 0:
        if closing_tag_end(text, name, position) >= 0:
            return True
        position = text.find(f"</{name}", position + 1, limit)
    return False


def skip_blanks(text: str, position: int) -> int:
    """Return where the white space at `position` ends."""
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks else position
