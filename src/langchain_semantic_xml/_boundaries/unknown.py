"""Repeated elements that no rule names: what a text holds beside the elements that are found in it.

Looks at the text between elements only, so nothing inside an element is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from langchain_semantic_xml._boundaries.finder import find_extents
from langchain_semantic_xml._boundaries.formats import DEFAULT_RULES
from langchain_semantic_xml._boundaries.tags import ANY_OPENING, TAG_SPACE, patterns_for
from langchain_semantic_xml._text.names import TEXT, XML_NAME
from langchain_semantic_xml.values import ElementRule, Extent, UnknownElement

_MOST = 32
"""The most names that are looked for: the most frequent ones."""
_LONGEST = 200
"""The most characters of an example line, and of attribute names."""
# Layout in Markdown and HTML: no file is packed into these.
_HTML = frozenset((
    "a", "b", "blockquote", "body", "br", "center", "code", "dd", "details", "div", "dl", "dt", "em", "figure",
    "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i", "iframe",
    "img", "input", "kbd", "label", "li", "link", "main", "meta", "nav", "ol", "option", "p", "picture", "pre",
    "script", "section", "select", "small", "source", "span", "strong", "style", "sub", "summary", "sup", "svg",
    "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "u", "ul", "video",
))  # fmt: skip
_CHILDREN = ("path", "file_path", "source", "name", "title", "url")
"""Children that name an element where no attribute does."""

_OPENING_LINE = re.compile(rf"^[ \t]* {ANY_OPENING}", re.MULTILINE | re.VERBOSE)
_CLOSING = re.compile(rf"</({XML_NAME}){TAG_SPACE}*>")
_CHILD = re.compile(rf"\s*<({'|'.join(_CHILDREN)})>")


def find_unknown(text: str) -> list[UnknownElement]:
    """Return the repeated elements of `text` that no default rule names, the most frequent first.

    An element begins on a line of its own and closes in the same text block. Elements inside others, and the names of
    HTML's layout, are left out. O(len(text)).
    """
    stretches = [extent for extent in find_extents(text, patterns_for(DEFAULT_RULES)) if extent.type == TEXT]
    names = _repeated_names(text, stretches)
    found: dict[str, list[tuple[str, Extent]]] = {}
    if names:
        patterns = patterns_for(tuple(ElementRule(name) for name in sorted(names)))
        for stretch in stretches:
            content = text[stretch.start : stretch.end]
            for extent in find_extents(content, patterns):
                if extent.type != TEXT:
                    found.setdefault(extent.type, []).append((content, extent))
    known = [_describe(name, elements) for name, elements in found.items() if len(elements) > 1]
    return sorted(known, key=lambda element: (-element.count, element.name))


def _repeated_names(text: str, stretches: Iterable[Extent]) -> list[str]:
    """Return the names that open on lines of their own and close, each at least twice, the most frequent first."""
    opened: Counter[str] = Counter()
    closed: Counter[str] = Counter()
    for stretch in stretches:
        opened.update(match["name"] for match in _OPENING_LINE.finditer(text, stretch.start, stretch.end))
        closed.update(match[1] for match in _CLOSING.finditer(text, stretch.start, stretch.end))
    skipped = {rule.name for rule in DEFAULT_RULES} | _HTML | {TEXT}
    counts = Counter({name: min(count, closed[name]) for name, count in opened.items() if name not in skipped})
    return [name for name, count in counts.most_common(_MOST) if count > 1]


def _describe(name: str, elements: list[tuple[str, Extent]]) -> UnknownElement:
    content, first = elements[0]
    line_end = content.find("\n", first.start, first.end)
    example = content[first.start : line_end if line_end >= 0 else first.end][:_LONGEST].rstrip()
    attributes = tuple(dict.fromkeys(attribute for _, extent in elements for attribute in extent.attributes))
    return UnknownElement(name, len(elements), attributes, example, _rule_for(name, elements, attributes))


def _rule_for(name: str, elements: list[tuple[str, Extent]], attributes: tuple[str, ...]) -> ElementRule:
    """Return the rule to try: by name alone where that finds an identity, else by an attribute or a child."""
    if any(extent.identity for _, extent in elements):
        return ElementRule(name)
    children = list(dict.fromkeys(_children_of(elements)))
    if children:
        return ElementRule(name, identity_children=tuple(children))
    return ElementRule(name, identity=attributes[:1]) if attributes else ElementRule(name)


def _children_of(elements: Iterable[tuple[str, Extent]]) -> Iterator[str]:
    """Yield the names of the children that stand directly after the opening tags and may name the elements."""
    for content, extent in elements:
        child = _CHILD.match(content, extent.tag_end, extent.end)
        if child:
            yield child[1]
