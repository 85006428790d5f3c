"""Documents → where each piece of their texts comes from: what the view of chunks draws.

Works on the Documents of any splitter: it knows the metadata keys of this package, falls back on LangChain's
`start_index`, and says of nothing where it is that it cannot tell. It knows no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, NamedTuple, TypeGuard

from langchain_core.documents import Document

from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.blanks import NOT_BLANK

Origin = Literal["own", "overlap", "tag"]
"""Of a piece: new in this chunk, repeated from the chunk before it, or a repeated tag of its element."""

_WORD = re.compile(r"<?[^<>\s]+>?|[<>]")  # ends where a block may end
_TAIL_START = re.compile(r"[\r\n<]")
_SLACK = 32
"""By how many characters white space may change the length of an overlap, where the source is not at hand."""


class Piece(NamedTuple):
    """A stretch of a chunk's text.

    Args:
        text: Its characters, never empty.
        origin: Where they come from.
    """

    text: str
    origin: Origin


class Gap(NamedTuple):
    """What lies between two chunks, or before the first or after the last one.

    Args:
        length: How many characters of the source it has.
        text: They themselves, where the source is at hand.
    """

    length: int
    text: str | None


@dataclass(frozen=True, slots=True)
class TracedChunk:
    """A Document with the origin of its text.

    Args:
        number: Its 1-based place in the list that was given.
        document: The Document.
        pieces: Its text, cut by origin. With the source at hand the pieces of the source are the source's own
            characters, not those of the joined chunk, whose white space may differ.
        gap: What lies before it, if anything.
        placed: Whether it is known, and not contradicted, where in the source it is.
    """

    number: int
    document: Document
    pieces: tuple[Piece, ...]
    gap: Gap | None
    placed: bool


@dataclass(frozen=True, slots=True)
class TracedSource:
    """The chunks of one source.

    Args:
        name: What the metadata call it, or `None`.
        chunks: Its chunks, in the order given or, with the source at hand, in the source's order.
        rest: What lies after the last chunk; known only with the source at hand.
    """

    name: str | None
    chunks: list[TracedChunk]
    rest: Gap | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A Document with its number and, as far as its metadata tell, its span."""

    number: int
    document: Document
    span: tuple[int, int] | None
    key: tuple[str | None, str | None] = field(compare=False)

    @property
    def text(self) -> str:
        return self.document.page_content


def trace(documents: Iterable[Document], source: str | None = None) -> list[TracedSource]:
    """Group Documents by their source and find the origin of each piece of their texts.

    Without `source`, a new group begins where the metadata `source` or `parent_id` change, or where positions go
    back; overlap and repeated tags are told by positions and confirmed by the neighbour's text.

    Args:
        documents: The chunks, in order.
        source: The text that all of them come from.

    Raises:
        ValueError: If `source` is given, and the Documents name several sources.

    Example:
        >>> chunks = [Document("ab", metadata={"start_index": 0}), Document("bc", metadata={"start_index": 1})]
        >>> [chunk.pieces for chunk in trace(chunks, "abc")[0].chunks]
        [(Piece(text='ab', origin='own'),), (Piece(text='b', origin='overlap'), Piece(text='c', origin='own'))]
    """
    placed = [_place(number, document) for number, document in enumerate(documents, 1)]
    if source is not None:
        _check_one_source(placed)
        return [_trace_in(source, placed)] if placed or source else []
    return [TracedSource(_name(group), list(_trace_alone(group))) for group in _by_source(placed)]


def _place(number: int, document: Document) -> _Placed:
    metadata = document.metadata
    start, end = read_value(metadata, "start_index"), read_value(metadata, "end_index")
    key = (_named(metadata.get("source")), _named(read_value(metadata, "parent_id")))
    if not _is_offset(start):
        return _Placed(number, document, None, key)
    if end is None:
        end = start + len(document.page_content)
    return _Placed(number, document, (start, end) if _is_offset(end) and start <= end else None, key)


def _is_offset(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _named(value: object) -> str | None:
    return None if value is None else str(value)


def _name(group: Sequence[_Placed]) -> str | None:
    return next((name for name in group[0].key if name), None) if group else None


def _check_one_source(placed: Iterable[_Placed]) -> None:
    names = list(dict.fromkeys(chunk.key for chunk in placed))
    if len(names) > 1:
        first, second = (" of ".join(repr(name) for name in reversed(key) if name) or "none" for key in names[:2])
        msg = (
            f"source is the text of one source, but the documents name {len(names)}, such as {first} and {second}; "
            "show the documents of each source with its own text, or all of them without source"
        )
        raise ValueError(msg)


def _by_source(placed: Iterable[_Placed]) -> Iterator[list[_Placed]]:
    group: list[_Placed] = []
    for chunk in placed:
        if group and (chunk.key != group[-1].key or _goes_back(group[-1].span, chunk.span)):
            yield group
            group = []
        group.append(chunk)
    if group:
        yield group


def _goes_back(before: tuple[int, int] | None, span: tuple[int, int] | None) -> bool:
    return before is not None and span is not None and (span[0] < before[0] or span[1] <= before[1])


# With the source at hand.


def _trace_in(source: str, placed: Sequence[_Placed]) -> TracedSource:
    """Cut the source at the chunks' spans: the gaps and the chunks' own pieces, in order, are the source."""
    tags = {chunk.number: _tags_around(source, chunk) for chunk in placed}
    found = sorted((chunk for chunk in placed if tags[chunk.number]), key=lambda chunk: chunk.span or (0, 0))
    chunks: list[TracedChunk] = []
    reached = 0
    for chunk in found:
        start, end = chunk.span or (0, 0)
        head, tail = tags[chunk.number] or ("", "")
        seam = min(max(start, reached), end)
        pieces = _pieces((head, "tag"), (source[start:seam], "overlap"), (source[seam:end], "own"), (tail, "tag"))
        chunks.append(TracedChunk(chunk.number, chunk.document, pieces, _gap_in(source, reached, start), placed=True))
        reached = max(reached, end)
    lost = (chunk for chunk in placed if not tags[chunk.number])
    chunks += [TracedChunk(c.number, c.document, _pieces((c.text, "own")), None, placed=False) for c in lost]
    return TracedSource(_name(placed), chunks, _gap_in(source, reached, len(source)))


def _tags_around(source: str, chunk: _Placed) -> tuple[str, str] | None:
    """Return what a chunk has before and after the text of its span; `None` if it has not that text.

    Between the blocks of a chunk may be other white space than in the source, or a separator of words.
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
        return ("", "") if _has_in_order(text, _WORD.findall(own)) else None
    indent = len(own) - len(own.lstrip())
    head = text[: max(0, _place_of(text, before) - indent)]
    return head, text[_place_of(text, before + len(dense_own) - 1) + 1 :]


def _has_in_order(text: str, words: Iterable[str]) -> bool:
    at = 0
    for word in words:
        at = text.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True


def _place_of(text: str, count: int) -> int:
    """Return the offset of the non-blank character of `text` that has `count` of them before it."""
    return next(islice(NOT_BLANK.finditer(text), count, None)).start()


def _gap_in(source: str, start: int, end: int) -> Gap | None:
    return Gap(end - start, source[start:end]) if start < end else None


# Without it.


def _trace_alone(group: Sequence[_Placed]) -> Iterator[TracedChunk]:
    reached: int | None = 0
    body, tail = "", ""
    for chunk in group:
        head, tail = _repeated_tags(chunk, tail)
        before, body = body, chunk.text[len(head) : len(chunk.text) - len(tail)]
        overlap, gap = 0, None
        if chunk.span is not None and reached is not None:
            overlap = _overlap(before, body, reached - chunk.span[0])
            gap = Gap(chunk.span[0] - reached, None) if chunk.span[0] > reached else None
        pieces = _pieces((head, "tag"), (body[:overlap], "overlap"), (body[overlap:], "own"), (tail, "tag"))
        yield TracedChunk(chunk.number, chunk.document, pieces, gap, placed=chunk.span is not None)
        reached = chunk.span[1] if chunk.span else None


def _repeated_tags(chunk: _Placed, tail_before: str) -> tuple[str, str]:
    """Return the tags of its element that a part repeats before and after its span; it is longer than that by them.

    The first part repeats none before its span, the last one none after it; one between them repeats the same tail as
    the part before it.
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
        return text[: _head_end(text, surplus)], ""
    head = surplus - len(tail_before)
    if head <= 0 or _head_end(text, head) < head or not text.endswith(tail_before):
        return "", ""
    return text[:head], tail_before


def _head_end(text: str, limit: int) -> int:
    """Return the last offset up to `limit` at which a tag or a line has just ended; 0 if there is none."""
    return max(text.rfind("\n", 0, limit), text.rfind(">", 0, limit)) + 1


def _overlap(before: str, body: str, expected: int) -> int:
    """Return how many of the first characters of `body` are the last ones of `before`; about as many as `expected`."""
    if expected <= 0:
        return 0
    if before.endswith(body[:expected]):
        return min(expected, len(body))
    most, least = min(expected + _SLACK, len(body)), max(expected - _SLACK, 1)
    return next((count for count in range(most, least - 1, -1) if before.endswith(body[:count])), 0)


def _pieces(*pieces: tuple[str, Origin]) -> tuple[Piece, ...]:
    return tuple(Piece(text, origin) for text, origin in pieces if text)
