"""Pieces → runs: neighbours of one file, merged into one contiguous stretch; and runs → Documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from langchain_core.documents import Document

from langchain_semantic_xml._context.pieces import Piece
from langchain_semantic_xml._documents.names import (
    CONTENT_LINE_KEYS,
    KEYS,
    SPAN_KEYS,
    SYNTAX_KEYS,
    name_to_write,
    read_value,
)

SCORES = ("relevance_score", "score")
"""Keys under which retrievers and rerankers write how good a Document is, in the order in which they are asked."""
_BETWEEN = " \u203a "


class Run(NamedTuple):
    """Neighbouring pieces of one file.

    Args:
        text: The text from the first to the last piece.
        pieces: The pieces, in the order of the source.
    """

    text: str
    pieces: tuple[Piece, ...]

    @property
    def start(self) -> int | None:
        """The offset of the first character in the source."""
        return self.pieces[0].start

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return (self.start or 0) + len(self.text)

    @property
    def lines(self) -> tuple[int, int] | None:
        """The first and the last line."""
        line = self.pieces[0].line
        return None if line is None else (line, line + self.text.count("\n"))

    @property
    def rank(self) -> int:
        """The best rank of its pieces, from 0."""
        return min(piece.rank for piece in self.pieces)

    def add(self, piece: Piece) -> Run | None:
        """Return the run with a piece that begins in it or directly after it; `None` if the piece is no neighbour."""
        if piece.start is None or self.start is None:
            return None
        if piece.start < self.end:
            return Run(self.text + piece.text[self.end - piece.start :], (*self.pieces, piece))
        gap = self._find_gap(piece.start, piece)
        return None if gap is None else Run(self.text + gap + piece.text, (*self.pieces, piece))

    def _find_gap(self, start: int, piece: Piece) -> str | None:
        """Return the blanks between the run and a piece after it; `None` if other text may stand there.

        Without the source, a gap of as many characters as line ends is line ends; between two parts that follow one
        another are only blanks.
        """
        last = self.pieces[-1]
        if piece.whole is not None and last.whole is not None:
            gap = piece.whole[self.end : start]
            return None if gap.strip() else gap
        length = start - self.end
        follows = last.part is not None and piece.part == (last.part[0] + 1, last.part[1])
        first = self.pieces[0]
        if first.row is None or piece.row is None:
            is_named = any(piece.source)
            return " " * length if follows or (length == 0 and is_named) else None
        rows = piece.row - (first.row + self.text.count("\n"))
        if rows == length:
            return "\n" * rows
        if not follows or not 0 <= rows <= length:
            return None
        if length == 2 * rows and "\r\n" in self.text:
            return "\r\n" * rows
        return " " * (length - rows) + "\n" * rows


def merge_pieces(pieces: Iterable[Piece]) -> list[Run]:
    """Return the runs of the pieces of one file: those with a place in the order of the source, then the others.

    Rule: L9.
    """
    pieces = list(pieces)
    placed = sorted((piece for piece in pieces if piece.start is not None), key=lambda piece: (piece.start, -piece.end))
    runs: list[Run] = []
    for piece in placed:
        longer = runs[-1].add(piece) if runs else None
        if longer is None:
            runs.append(Run(piece.text, (piece,)))
        else:
            runs[-1] = longer
    return [*runs, *(Run(piece.text, (piece,)) for piece in pieces if piece.start is None)]


def make_document(run: Run, ranked: Sequence[Document]) -> Document:
    """Return a run as a Document: what its chunks have in common in their metadata, and where it stands.

    Rule: L9.
    """
    first = run.pieces[0]
    documents = [ranked[rank] for rank in dict.fromkeys(piece.rank for piece in run.pieces)]
    metadata = _find_common(documents)
    alone = [ranked[piece.rank] for piece in run.pieces if piece.is_known_alone]
    symbols = _join_symbols(alone) or None
    scopes = {_as_text(read_value(document.metadata, "scope")) for document in alone}
    scope = scopes.pop() if len(scopes) == 1 else None
    lines = run.lines
    rows = None if first.row is None else (first.row, first.row + run.text.count("\n"))
    values: dict[str, object] = {
        "identity": first.name if first.is_content else None,
        "start_index": run.start,
        "end_index": None if run.start is None else run.end,
        "start_line": rows[0] if rows else None,
        "end_line": rows[1] if rows else None,
        "content_start_line": lines[0] if lines and first.is_content else None,
        "content_end_line": lines[1] if lines and first.is_content else None,
        "scope": scope,
        "symbols": symbols,
    }
    for key, value in values.items():
        metadata[name_to_write(key, metadata)] = value
    if first.name is not None:
        metadata["path"] = first.name
    best = ranked[run.rank]
    metadata["rank"] = run.rank + 1
    score = next((best.metadata[key] for key in SCORES if best.metadata.get(key) is not None), None)
    if score is not None:
        metadata["score"] = score
    metadata["head"] = _write_head(first.name, lines, scope, symbols)
    return Document(page_content=run.text, metadata=metadata)


def _find_common(documents: Sequence[Document]) -> dict[str, object]:
    """Return the metadata that all Documents share, without the keys of this package."""
    first, *others = (_drop_keys(document) for document in documents)
    return {key: value for key, value in first.items() if all(key in other and other[key] == value for other in others)}


def _drop_keys(document: Document) -> dict[str, object]:
    """Return the metadata of a Document without the keys that describe the chunk."""
    if "block_type" not in document.metadata:
        ours: Iterable[str] = SPAN_KEYS
    else:
        ours = (*KEYS, *SYNTAX_KEYS, *CONTENT_LINE_KEYS)
    dropped = {"rank", "head", *SCORES}
    for key in ours:
        while key in document.metadata:
            dropped.add(key)
            key = f"chunk_{key}"  # noqa: PLW2901 - the chain of names under which one key is written
    return {key: value for key, value in document.metadata.items() if key not in dropped}


def _join_symbols(documents: Iterable[Document]) -> list[str]:
    found: dict[str, None] = {}
    for document in documents:
        symbols = read_value(document.metadata, "symbols")
        if isinstance(symbols, list):
            found.update(dict.fromkeys(symbol for symbol in symbols if isinstance(symbol, str)))
    return list(found)


def _as_text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _write_head(
    name: str | None, lines: tuple[int, int] | None, scope: str | None, symbols: Sequence[str] | None
) -> str:
    """Return one line that says what a Document is: the file, its lines, and the definitions in it."""
    place = f"{name or ''}:{lines[0]}-{lines[1]}" if lines else name or ""
    names = scope or ", ".join(symbols or ())
    return " ".join(_BETWEEN.join(text for text in (place, names) if text).split())
