"""Documents → the origin of each stretch of their texts: the chunk's own text, overlap, or a repeated tag.

Works on the Documents of any splitter. It reads the metadata keys of this package, else LangChain's `start_index`; a
chunk without either is shown without a place. Knows no HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from langchain_core.documents import Document

from langchain_semantic_xml._context.places import (
    PlacedDocument,
    find_repeated_text,
    guess_repeated_text,
    place_document,
)

Origin = Literal["own", "overlap", "tag"]
"""Of a stretch: new in this chunk, repeated from the previous chunk, or a repeated tag of the element."""

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
    placed = [place_document(number, document) for number, document in enumerate(documents, 1)]
    if source is not None:
        _check_one_source(placed)
        return [_trace_in_source(source, placed)] if placed or source else []
    return [TracedSource(_name_of(group), list(_trace_by_positions(group))) for group in _group_by_source(placed)]


def _name_of(group: Sequence[PlacedDocument]) -> str | None:
    return next((name for name in group[0].source_key if name), None) if group else None


def _check_one_source(placed: Iterable[PlacedDocument]) -> None:
    names = list(dict.fromkeys(chunk.source_key for chunk in placed))
    if len(names) > 1:
        first, second = (" of ".join(repr(name) for name in reversed(key) if name) or "none" for key in names[:2])
        msg = (
            f"source is the text of one source, but the documents name {len(names)}, such as {first} and {second}; "
            "show the documents of each source with its own text, or all of them without source"
        )
        raise ValueError(msg)


def _group_by_source(placed: Iterable[PlacedDocument]) -> Iterator[list[PlacedDocument]]:
    group: list[PlacedDocument] = []
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


def _trace_in_source(source: str, placed: Sequence[PlacedDocument]) -> TracedSource:
    """Cut the source at the chunks' spans: the gaps and the chunks' own stretches, in order, are the source."""
    repeated = {chunk.number: find_repeated_text(source, chunk) for chunk in placed}
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


def _make_gap(source: str, start: int, end: int) -> Gap | None:
    return Gap(end - start, source[start:end]) if start < end else None


# Without the source.


def _trace_by_positions(group: Sequence[PlacedDocument]) -> Iterator[TracedChunk]:
    reached: int | None = 0
    body = ""
    for chunk in group:
        head, tail = guess_repeated_text(chunk)
        before, body = body, chunk.text[len(head) : len(chunk.text) - len(tail)]
        overlap, gap = 0, None
        if chunk.span is not None and reached is not None:
            overlap = _measure_overlap(before, body, reached - chunk.span[0])
            gap = Gap(chunk.span[0] - reached, None) if chunk.span[0] > reached else None
        stretches = _make_stretches((head, "tag"), (body[:overlap], "overlap"), (body[overlap:], "own"), (tail, "tag"))
        yield TracedChunk(chunk.number, chunk.document, stretches, gap, placed=chunk.span is not None)
        reached = chunk.span[1] if chunk.span else None


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
