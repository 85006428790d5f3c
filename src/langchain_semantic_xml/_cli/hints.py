"""What the command says on standard error of a bundle in which it recognised nothing, or not everything.

A beginning of each bundle is kept while it is read; the hints are about that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from langchain_semantic_xml._boundaries.finder import find_extents
from langchain_semantic_xml._boundaries.formats import DEFAULT_RULES
from langchain_semantic_xml._boundaries.tags import TagPatterns
from langchain_semantic_xml._cli.errors import printable, shortened
from langchain_semantic_xml._documents.blocks import find_escaped_body
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.boundaries import unknown_elements
from langchain_semantic_xml.values import ElementRule

_SAMPLE = 1_000_000
"""So many characters at the beginning of a bundle are looked at."""
_PAGE = 3_000
"""In shorter texts nothing is missed."""
_MOST_UNKNOWN = 5

_NAMES = "|".join(rule.name for rule in DEFAULT_RULES if rule.bare)
_UNCLOSED = re.compile(rf"^[ \t]*<({_NAMES})(?=[ \t\r\n>])[^<>]*>[ \t\r]*$", re.MULTILINE)
_XML = "pack with `repomix --style xml`"
_RULER = "=" * 16
# For each dialect that has no elements: a pattern that only its outputs hold, its name, and the remedy.
_DIALECTS = (
    (rf"^{_RULER}\nFile: .+\n{_RULER}$", "repomix --style plain", _XML),
    (r"^## File: .+\n`{3,}", "repomix --style markdown", _XML),
    (r"^={48}\n(?:FILE|File|SYMLINK): .+\n={48}$", "gitingest", f"{_XML}, or `files-to-prompt --cxml`"),
    (r"^\S*\.\w+\n---\n", "files-to-prompt without --cxml", "add `--cxml`"),
    (r"^`[^`\n]+`:\n\n`{3,}", "code2prompt with Markdown", "use its XML template"),
    (r"^File: .+\n`{3,}", "RepoPrompt", _XML),
)
_DIALECTS_COMPILED = tuple((re.compile(pattern, re.MULTILINE), name, remedy) for pattern, name, remedy in _DIALECTS)


class Sample:
    """The beginning of a bundle, kept while the bundle is read."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0

    def keep(self, pieces: Iterator[str]) -> Iterator[str]:
        """Yield the pieces of a bundle, and keep the first ones."""
        for piece in pieces:
            if self._length < _SAMPLE:
                self._pieces.append(piece[: _SAMPLE - self._length])
                self._length += len(self._pieces[-1])
            yield piece

    @property
    def text(self) -> str:
        """The characters that were kept."""
        return "".join(self._pieces)


def explain_nothing(path: str, text: str) -> str | None:
    """Return a line about a bundle without any element, and how to pack it; `None` for a text of less than a page.

    Args:
        path: The path of the bundle.
        text: Its beginning.
    """
    if len(text) < _PAGE:
        return None
    start = f"{printable(path)}: no element found"
    dialect = _name_dialect(text)
    if dialect is not None:
        name, remedy = dialect
        return f"{start}; this is {name}: {remedy}"
    unclosed = _UNCLOSED.search(text)
    if unclosed is not None and f"</{unclosed[1]}>" not in text:
        line = text.count("\n", 0, unclosed.start()) + 1
        return f"{start}; <{unclosed[1]}> in line {line} is never closed"
    unknown = unknown_elements(text)
    if unknown:
        most = unknown[0]
        return f"{start}; {shortened(most.example)} occurs {most.count:,} times: try {_write_rule(most.rule)}"
    return f"{start}; it is cut as prose. For bundles: `repomix --style xml`, `files-to-prompt --cxml`"


def _name_dialect(text: str) -> tuple[str, str] | None:
    """Return the name of a dialect without elements, and its remedy; `None` if it is not one of the known ones."""
    for pattern, name, remedy in _DIALECTS_COMPILED:
        if pattern.search(text):
            return name, remedy
    if text.lstrip().startswith("{") and '"files"' in text:
        try:
            is_json = isinstance(json.loads(text), dict)
        except ValueError:
            is_json = len(text) == _SAMPLE  # the beginning of a long file
        if is_json:
            return "repomix --style json", _XML
    return None


def explain_escaped(path: str, text: str, patterns: TagPatterns) -> str | None:
    """Return a line about a bundle in which most contents of elements are escaped, else `None`.

    Args:
        path: The path of the bundle.
        text: Its beginning.
        patterns: The patterns of its elements.
    """
    window = Window(text)
    elements = [extent for extent in find_extents(text, patterns) if extent.type != TEXT]
    escaped = sum(find_escaped_body(window, extent, patterns) is not None for extent in elements)
    if 2 * escaped <= len(elements):
        return None
    return (
        f"{printable(path)}: the contents of {escaped:,} of {len(elements):,} elements are escaped (&lt;, &amp;); "
        "decode them with `semantic-xml split --unescape` or SemanticXmlLoader(unescape=True)"
    )


def describe_unknown(path: str, text: str) -> list[str]:
    """Return a line for each element that is repeated in a bundle and that no rule names.

    Args:
        path: The path of the bundle.
        text: Its beginning.
    """
    start = f"{printable(path)}: no rule names"
    return [
        f"{start} {shortened(element.example)}, {element.count:,} times; try {_write_rule(element.rule)}"
        for element in unknown_elements(text)[:_MOST_UNKNOWN]
    ]


def _write_rule(rule: ElementRule) -> str:
    """Write the rule to try: as a flag of the command, or in Python where the command has no flag for it."""
    if rule.identity_children:
        return f"ElementRule({rule.name!r}, identity_children={rule.identity_children!r}) in Python"
    attributes = "" if rule.identity == ElementRule(rule.name).identity else f"={','.join(rule.identity)}"
    return f"--elements {rule.name}{attributes}"
