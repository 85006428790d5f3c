"""Documents → one string for a prompt: an element for each, which `parse_blocks` reads back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from langchain_core.documents import Document

from langchain_semantic_xml._boundaries.formats import DEFAULT_RULES
from langchain_semantic_xml._context.pieces import name_source
from langchain_semantic_xml._documents.address import read_content_lines
from langchain_semantic_xml._documents.names import read_value

_NAMES = ("file", "document", "file_content", "final_file_content", "dyad-file")
"""Names of elements whose `path` names them by the default rules; the first that no text holds as a tag is used."""
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


_CDATA = re.compile(r"((?:\A|>)\s*)<(?=!\[CDATA\[)")
"""A CDATA opening at the start of a text or directly after a tag: where it may hide closing tags."""
_OPENING = re.compile(rf"<(?:{'|'.join(re.escape(rule.name) for rule in DEFAULT_RULES)})(?![^\s/>])")
"""An opening tag that a CDATA opening may follow so that `parse_blocks` respects it."""


def format_documents(documents: Iterable[Document]) -> str:
    """Return the Documents as elements, each with the attributes `path`, `lines` and `scope` as far as they are known.

    Where a text holds tags of all the names, the tags of one name are escaped in the texts. A CDATA opening
    is escaped where it may hide a closing tag: at the start of a text, or after a tag in a text with elements.
    """
    documents = list(documents)
    texts = [_escape_cdata(document.page_content) for document in documents]
    name = _choose_name(texts)
    if name is None:
        name = _NAMES[0]
        tags = _tags_of(name)
        texts = [tags.sub(lambda tag: f"&lt;{tag[0][1:]}", text) for text in texts]
    return "\n".join(
        f"<{name}{_write_attributes(document)}>\n{text}\n</{name}>"
        for document, text in zip(documents, texts, strict=True)
    )


def _escape_cdata(text: str) -> str:
    """Return a text in which no CDATA opening hides closing tags that follow the text."""
    opening = _CDATA.search(text)
    if opening is None or (opening.start(1) > 0 and not _OPENING.search(text)):
        return text
    return _CDATA.sub(r"\1&lt;", text)


def _choose_name(texts: Sequence[str]) -> str | None:
    """Return the first name of which no text holds a tag."""
    return next((name for name in _NAMES if not any(_tags_of(name).search(text) for text in texts)), None)


def _tags_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"</?{name}(?![^\s/>])")


def _write_attributes(document: Document) -> str:
    metadata = document.metadata
    identity = read_value(metadata, "identity")
    path = metadata.get("path") or identity or name_source(metadata)
    lines = read_content_lines(metadata) or _read_source_lines(document)
    values = {
        "path": path if isinstance(path, str) else None,
        "lines": f"{lines[0]}-{lines[1]}" if lines else None,
        "scope": _read_untold_scope(document),
    }
    return "".join(
        f' {key}="{value.translate(_ESCAPES)}"' for key, value in values.items() if isinstance(value, str) and value
    )


def _read_untold_scope(document: Document) -> str | None:
    """Return the definition around a text; `None` if the text itself begins with it and nothing is around it."""
    scope, symbols = (read_value(document.metadata, key) for key in ("scope", "symbols"))
    if not isinstance(scope, str) or (isinstance(symbols, list) and scope in symbols and "." not in scope):
        return None
    return scope


def _read_source_lines(document: Document) -> tuple[int, int] | None:
    """Return the lines of a text that is no content of an element, in the source that it was cut from."""
    if read_value(document.metadata, "identity") is not None:
        return None
    first, last = (read_value(document.metadata, key) for key in ("start_line", "end_line"))
    return (first, last) if type(first) is int and type(last) is int else None
