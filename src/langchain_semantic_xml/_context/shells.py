"""What of a chunk's text is content: without the tags of its element, and without headings and container lines."""

from __future__ import annotations

import re

from langchain_semantic_xml._boundaries.contents import find_body
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.tags import TagPatterns, patterns_for
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml.errors import OptionError

_TAG_END = r"""(?:"[^"]*"|'[^']*'|[^'">])*>"""
_MARK_LINE = re.compile(r"[ \t]*(?:#{1,6}[ \t].*|</?[^<>\s][^<>]*>[ \t\r]*)?")
"""A blank line, a heading, or a line that holds only a tag."""


def holds_only_marks(text: str) -> bool:
    r"""Return whether a text between elements holds only headings and container lines.

    Example:
        >>> holds_only_marks("# Files\n\n<files>"), holds_only_marks("# Files\nAll of them.")
        (True, False)
    """
    return all(_MARK_LINE.fullmatch(line) for line in text.split("\n"))


def find_content_of_part(
    own: str, head: str, tail: str, kind: object, numbers: tuple[int, int] | None
) -> tuple[int, int]:
    r"""Return the span of the content in the own text of a part.

    Tags that the part has only on one side are completed on the other, so that `find_body` tells what is content.

    Args:
        own: The part's text without the text that it repeats.
        head: The text that it repeats before it.
        tail: The text that it repeats after it.
        kind: The type of the element.
        numbers: The number of the part and the number of parts.

    Example:
        >>> find_content_of_part("<file path='a'>\nx = 1", "a\n", "", "file", (1, 2))
        (16, 21)
    """
    patterns = _patterns_of(kind)
    if patterns is None or numbers is None or not isinstance(kind, str) or kind == TEXT:
        return 0, len(own)
    is_first, is_last = numbers[0] == 1, numbers[0] == numbers[1]
    before = head if head.startswith("<") else "" if is_first else _open(own, kind, patterns, is_last=is_last)
    after = tail or ("" if is_last else _close(own, kind, patterns))
    tag = re.compile(rf"<{re.escape(kind)}(?=[\s/>]){_TAG_END}").search(before + own)
    if tag is None:
        return 0, len(own)
    text = before + own + after
    body = find_body(text, tag.end(), len(text), patterns, kind)
    if body is None:
        return 0, len(own)
    start, end = (min(max(edge - len(before), 0), len(own)) for edge in body)
    return start, max(start, end)


def _close(own: str, kind: str, patterns: TagPatterns) -> str:
    """Return the closing tags that the opening tags in a part may call for; the content cannot reach into them."""
    cdata = "]]>" if "<![CDATA[" in own else ""
    body = next((name for name in patterns.rules[kind].body if f"<{name}>" in own), None)
    return f"\n{cdata}</{body}></{kind}>" if body else f"\n{cdata}</{kind}>"


def _open(own: str, kind: str, patterns: TagPatterns, *, is_last: bool) -> str:
    """Return the opening tags that the closing tags at the end of a part call for."""
    tags = f"<{kind}>"
    if not is_last:
        return f"{tags}\n"
    rest = own[: max(0, own.rfind(f"</{kind}"))].rstrip()
    for name in patterns.rules[kind].body:
        if rest.endswith(f"</{name}>"):
            tags += f"<{name}>"
            rest = rest.removesuffix(f"</{name}>").rstrip()
    return f"{tags}<![CDATA[\n" if rest.endswith("]]>") else f"{tags}\n"


def _patterns_of(kind: object) -> TagPatterns | None:
    try:
        return patterns_for(resolve_elements([kind])) if isinstance(kind, str) and kind != TEXT else None
    except OptionError:
        return None
