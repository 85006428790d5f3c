"""Documents → the origin of each stretch of their texts: the chunk's own text, overlap, or a repeated tag.

Works on the Documents of any splitter. It reads the metadata keys of this package, else LangChain's `start_index`; a
chunk without either is shown without a place. Knows no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple, TypeGuard

from langchain_core.documents import Document

from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.blanks import NOT_BLANK

Origin = Literal["own", "overlap", "tag"]
"""Of a stretch: new in this chunk, repeated from the previous chunk, or a repeated tag of the element."""

_WORD = re.compile(r"<?[^<>\s]+>?|[<>]")  # ends where a block may end
_TAIL_START = re.compile(r"[\r\n<]")
_SLACK = 32
"""By how many characters white space may change the length of an overlap, when the source is not given."""


class Stretch(NamedTuple):
    """Characters of a chunk that follow one another and have the same origin.

    Args:
        text: Its characters, never empty.
        origin: Where they come from.
    """

    text: str
    origin: Origin


class Gap(NamedTuple):
    """Characters of the source in no chunk: between two chunks, before the first or after the last one.

    Args:
        length: How many characters.
        text: The characters, if the source is given.
    """

    length: int
    text: str | None


@dataclass(frozen=True, slots=True)
class TracedChunk:
    """A Document with the origin of its text.

    Args:
        number: Its 1-based place in the list of Documents.
        document: The Document.
        stretches: Its text, cut by origin. If the source is given, its own text is copied from the source, because
            the white space of the joined chunk may differ.
        gap: The gap before it, if any.
        placed: Whether its place in the source is known, and the text there is its own.
    """

    number: int
    document: Document
    stretches: tuple[Stretch, ...]
    gap: Gap | None
    placed: bool


@dataclass(frozen=True, slots=True)
class TracedSource:
    """The chunks of one source.

    Args:
        name: Its name in the metadata, or `None`.
        chunks: Its chunks, in the order of the list or, if the source is given, in the order of the source.
        rest: The gap after the last chunk; known only if the source is given.
    """

    name: str | None
    chunks: list[TracedChunk]
    rest: Gap | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
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
        return self.document.page_content


def trace(documents: Iterable[Document], source: str | None = None) -> list[TracedSource]:
    """Group Documents by their source and find the origin of each stretch of their texts.

    Without `source`, a new group begins where the metadata `source` or `parent_id` change, or where positions go back.
    Overlap and repeated tags are then found by positions, and believed if the text of the previous chunk agrees.

    Args:
        documents: The chunks, in order.
        source: The text that all of them were cut from.

    Raises:
        ValueError: If `source` is given, and the Documents name several sources.

    Example:
        >>> chunks = [Document("ab", metadata={"start_index": 0}), Document("bc", metadata={"start_index": 1})]
        >>> [[tuple(stretch) for stretch in chunk.stretches] for chunk in trace(chunks, "abc")[0].chunks]
        [[('ab', 'own')], [('b', 'overlap'), ('c', 'own')]]
    """
    placed = [_place_document(number, document) for number, document in enumerate(documents, 1)]
    if source is not None:
        _check_one_source(placed)
        return [_trace_in_source(source, placed)] if placed or source else []
    return [TracedSource(_name_of(group), list(_trace_by_positions(group))) for group in _group_by_source(placed)]


def _place_document(number: int, document: Document) -> _Placed:
    metadata = document.metadata
    start, end = read_value(metadata, "start_index"), read_value(metadata, "end_index")
    source, parent = metadata.get("source"), read_value(metadata, "parent_id")
    source_key = (None if source is None else str(source), None if parent is None else str(parent))
    if not _is_offset(start):
        return _Placed(number, document, None, source_key)
    if end is None:
        end = start + len(document.page_content)
    return _Placed(number, document, (start, end) if _is_offset(end) and start <= end else None, source_key)


def _is_offset(value: object) -> TypeGuard[int]:
    """Return whether a value of the metadata can be an offset."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _name_of(group: Sequence[_Placed]) -> str | None:
    return next((name for name in group[0].source_key if name), None) if group else None


def _check_one_source(placed: Iterable[_Placed]) -> None:
    names = list(dict.fromkeys(chunk.source_key for chunk in placed))
    if len(names) > 1:
        first, second = (" of ".join(repr(name) for name in reversed(key) if name) or "none" for key in names[:2])
        msg = (
            f"source is the text of one source, but the documents name {len(names)}, such as {first} and {second}; "
            "show the documents of each source with its own text, or all of them without source"
        )
        raise ValueError(msg)


def _group_by_source(placed: Iterable[_Placed]) -> Iterator[list[_Placed]]:
    group: list[_Placed] = []
    for chunk in placed:
        if group and (chunk.source_key != group[-1].source_key or _goes_back(group[-1].span, chunk.span)):
            yield group
            group = []
        group.append(chunk)
    if group:
        yield group


def _goes_back(before: tuple[int, int] | None, span: tuple[int, int] | None) -> bool:
    """Return whether `span` cannot follow the span `before` in one source."""
    return before is not None and span is not None and (span[0] < before[0] or span[1] <= before[1])


# With the source.


def _trace_in_source(source: str, placed: Sequence[_Placed]) -> TracedSource:
    """Cut the source at the chunks' spans: the gaps and the chunks' own stretches, in order, are the source."""
    repeated = {chunk.number: _find_repeated_tags(source, chunk) for chunk in placed}
    found = sorted((chunk for chunk in placed if repeated[chunk.number]), key=lambda chunk: chunk.span or (0, 0))
    chunks: list[TracedChunk] = []
    reached = 0
    for chunk in found:
        start, end = chunk.span or (0, 0)
        head, tail = repeated[chunk.number] or ("", "")
        own_start = min(max(start, reached), end)
        stretches = _make_stretches(
            (head, "tag"), (source[start:own_start], "overlap"), (source[own_start:end], "own"), (tail, "tag")
        )
        gap = _make_gap(source, reached, start)
        chunks.append(TracedChunk(chunk.number, chunk.document, stretches, gap, placed=True))
        reached = max(reached, end)
    for chunk in placed:
        if not repeated[chunk.number]:
            stretches = _make_stretches((chunk.text, "own"))
            chunks.append(TracedChunk(chunk.number, chunk.document, stretches, None, placed=False))
    return TracedSource(_name_of(placed), chunks, _make_gap(source, reached, len(source)))


def _find_repeated_tags(source: str, chunk: _Placed) -> tuple[str, str] | None:
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


def _make_gap(source: str, start: int, end: int) -> Gap | None:
    return Gap(end - start, source[start:end]) if start < end else None


# Without the source.


def _trace_by_positions(group: Sequence[_Placed]) -> Iterator[TracedChunk]:
    reached: int | None = 0
    body, tail = "", ""
    for chunk in group:
        head, tail = _guess_repeated_tags(chunk, tail)
        before, body = body, chunk.text[len(head) : len(chunk.text) - len(tail)]
        overlap, gap = 0, None
        if chunk.span is not None and reached is not None:
            overlap = _measure_overlap(before, body, reached - chunk.span[0])
            gap = Gap(chunk.span[0] - reached, None) if chunk.span[0] > reached else None
        stretches = _make_stretches((head, "tag"), (body[:overlap], "overlap"), (body[overlap:], "own"), (tail, "tag"))
        yield TracedChunk(chunk.number, chunk.document, stretches, gap, placed=chunk.span is not None)
        reached = chunk.span[1] if chunk.span else None


def _guess_repeated_tags(chunk: _Placed, tail_before: str) -> tuple[str, str]:
    """Return the tags that a part repeats before and after the text of its span; its text is longer than its span.

    The first part repeats no tag before its span, the last one none after it. A part between them repeats the same
    closing tags as the previous part.

    Args:
        chunk: The part.
        tail_before: The tags that the previous part repeats after its span.
    """
    part, parts = (read_value(chunk.document.metadata, key) for key in ("part", "parts"))
    if chunk.span is None or not _is_offset(part) or not _is_offset(parts) or parts == 1:
        return "", ""
    text = chunk.text
    surplus = max(0, len(text) - (chunk.span[1] - chunk.span[0]))
    if part == 1:
        tail = _TAIL_START.search(text, len(text) - surplus)
        return "", text[tail.start() :] if tail else ""
    if part == parts:
        return text[: _find_head_end(text, surplus)], ""
    head = surplus - len(tail_before)
    if head <= 0 or _find_head_end(text, head) < head or not text.endswith(tail_before):
        return "", ""
    return text[:head], tail_before


def _find_head_end(text: str, limit: int) -> int:
    """Return the last offset up to `limit` at which a tag or a line has just ended; 0 if there is none."""
    return max(text.rfind("\n", 0, limit), text.rfind(">", 0, limit)) + 1


def _measure_overlap(before: str, body: str, expected: int) -> int:
    """Return how many of the first characters of `body` are the last characters of `before`: about `expected`."""
    if expected <= 0:
        return 0
    if before.endswith(body[:expected]):
        return min(expected, len(body))
    most, least = min(expected + _SLACK, len(body)), max(expected - _SLACK, 1)
    return next((count for count in range(most, least - 1, -1) if before.endswith(body[:count])), 0)


def _make_stretches(*stretches: tuple[str, Origin]) -> tuple[Stretch, ...]:
    """Return the stretches that are not empty."""
    return tuple(Stretch(text, origin) for text, origin in stretches if text)
