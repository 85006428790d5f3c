"""Documents → where each stands in its source, and which of its text is repeated there and no copy of its span.

Works on the Documents of any splitter. It reads the metadata keys of this package, else LangChain's `start_index`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TypeGuard

from langchain_core.documents import Document

from langchain_semantic_xml._boundaries.contents import find_body
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.blanks import NOT_BLANK

_WORD = re.compile(r"<?[^<>\s]+>?|[<>]")  # ends where a block may end
_TAIL_START = re.compile(r"[\r\n<]")
_OPENING = re.compile(r"""<([^\s<>/"'=]+)(?:"[^"]*"|'[^']*'|[^'">])*>""")
"""An opening tag: its name, then quoted values or other characters."""


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A Document with its place, as its metadata give it.

    Args:
        number: Its 1-based place in the list of Documents.
        document: The Document.
        span: Its span in its source, or `None`.
        source_key: The `source` and the `parent_id` in its metadata: what tells one source from another.
    """

    number: int
    document: Document
    span: tuple[int, int] | None
    source_key: tuple[str | None, str | None]

    @property
    def text(self) -> str:
        """The text of the Document."""
        return self.document.page_content


def place_document(number: int, document: Document) -> PlacedDocument:
    """Return a Document with its place, as its metadata give it."""
    metadata = document.metadata
    start, end = read_value(metadata, "start_index"), read_value(metadata, "end_index")
    source, parent = metadata.get("source"), read_value(metadata, "parent_id")
    source_key = (None if source is None else str(source), None if parent is None else str(parent))
    if not is_offset(start):
        return PlacedDocument(number, document, None, source_key)
    if end is None:
        end = start + len(document.page_content)
    return PlacedDocument(number, document, (start, end) if is_offset(end) and start <= end else None, source_key)


def is_offset(value: object) -> TypeGuard[int]:
    """Return whether a value of the metadata can be an offset."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def find_repeated_text(source: str, chunk: PlacedDocument) -> tuple[str, str] | None:
    """Return the text of a chunk before and after the text of its span: the tags that it repeats.

    Returns:
        Both texts, or `None` if the chunk does not hold the text of its span. White space may differ from the source,
        and between the blocks of a chunk may be a separator with visible characters.
    """
    if chunk.span is None or chunk.span[1] > len(source):
        return None
    text, own = chunk.text, source[slice(*chunk.span)]
    at = text.find(own)
    if at >= 0:
        return text[:at], text[at + len(own) :]
    dense, dense_own = ("".join(value.split()) for value in (text, own))
    before = dense.find(dense_own)
    if before < 0:
        return ("", "") if _holds_in_order(text, _WORD.findall(own)) else None
    indent = len(own) - len(own.lstrip())
    head = text[: max(0, _find_visible(text, before) - indent)]
    return head, text[_find_visible(text, before + len(dense_own) - 1) + 1 :]


def _holds_in_order(text: str, words: Iterable[str]) -> bool:
    """Return whether the words stand in the text in their order, whatever is between them."""
    at = 0
    for word in words:
        at = text.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True


def _find_visible(text: str, count: int) -> int:
    """Return the offset of the visible character of `text` with `count` visible characters before it."""
    return next(islice(NOT_BLANK.finditer(text), count, None)).start()


def guess_repeated_text(chunk: PlacedDocument) -> tuple[str, str]:
    """Return the text that a part repeats before and after the text of its span; its text is longer than its span.

    A breadcrumb stands before any part. Of tags, the first part repeats none before its span, the last one none after
    it; a part between them is an element by itself, and what follows its body is repeated.
    """
    part, parts = (read_value(chunk.document.metadata, key) for key in ("part", "parts"))
    if chunk.span is None or not is_offset(part) or not is_offset(parts) or parts == 1:
        return "", ""
    text = chunk.text
    surplus = max(0, len(text) - (chunk.span[1] - chunk.span[0]))
    if line := _read_breadcrumb(chunk, surplus):
        return line, ""
    if part == 1:
        tail = _TAIL_START.search(text, len(text) - surplus)
        return "", text[tail.start() :] if tail else ""
    if part == parts:
        return text[: _find_head_end(text, surplus)], ""
    after = _find_tail(chunk)
    head = surplus - len(after)
    if head <= 0 or _find_head_end(text, head) < head:
        return "", ""
    return text[:head], after


def _read_breadcrumb(chunk: PlacedDocument, surplus: int) -> str:
    """Return the first line of a part, with its line end, if it is a breadcrumb; else `""`."""
    line, end, _ = chunk.text.partition("\n")
    if not surplus or not end or line.startswith("<"):
        return ""
    identity, scope, symbols = (read_value(chunk.document.metadata, key) for key in ("identity", "scope", "symbols"))
    if isinstance(identity, str):
        is_named = f"{line} ".startswith(f"{' '.join(identity.split())} ")
    else:
        names = symbols if isinstance(symbols, list) else ()
        is_named = line == scope or line == ", ".join(names)
    return line + end if is_named else ""


def _find_tail(chunk: PlacedDocument) -> str:
    """Return what follows the body of a part that is an element by itself; `""` for any other part."""
    kind = read_value(chunk.document.metadata, "block_type")
    tag = _OPENING.match(chunk.text)
    if not isinstance(kind, str) or tag is None or tag[1] != kind:
        return ""
    text = chunk.text
    body = find_body(text, tag.end(), len(text), patterns_for(resolve_elements([kind])), kind)
    return text[body[1] :] if body else ""


def _find_head_end(text: str, limit: int) -> int:
    """Return the last offset up to `limit` at which a tag or a line has just ended, or 0."""
    return max(text.rfind("\n", 0, limit), text.rfind(">", 0, limit)) + 1
