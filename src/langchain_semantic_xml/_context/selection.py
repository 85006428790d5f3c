"""Which of the ranked Documents are taken: greedily, each as a whole, while everything fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from langchain_core.documents import Document

from langchain_semantic_xml._context.pieces import Piece
from langchain_semantic_xml._context.prompt import format_documents
from langchain_semantic_xml._context.runs import make_document, merge_pieces
from langchain_semantic_xml._context.sources import PieceReader
from langchain_semantic_xml._text.rulers import Ruler

File = tuple[object, ...]
Selection = dict[File, tuple[Piece, ...]]
"""The pieces that are taken, by file; the files in the order of their best rank."""


class Packing:
    """One choice from ranked Documents.

    Args:
        ranked: The Documents, best first.
        sources: The texts of sources by their names.
        ruler: Measures the prompt.
        budget: The most that the prompt may measure.
        per_file: The most that what is taken of one file may measure when formatted.
    """

    def __init__(
        self,
        ranked: Sequence[Document],
        sources: Mapping[str, str],
        ruler: Ruler,
        budget: int,
        per_file: int | None,
    ) -> None:
        self._ranked = ranked
        self._reader = PieceReader(ranked, sources)
        self._ruler = ruler
        self._budget = budget
        self._per_file = per_file
        self._made: dict[tuple[Piece, ...], list[Document]] = {}

    def choose(self, *, with_neighbours: bool) -> list[Document]:
        """Return the Documents for the prompt.

        Each Document is tried once, with its neighbours and, if that is too much, alone; each trial measures the
        prompt once.

        Rule: L9.
        """
        pieces = [self._reader.read(rank) for rank in range(len(self._ranked))]
        around = _find_neighbours(pieces) if with_neighbours else {}
        chosen: Selection = {}
        for rank, own in enumerate(pieces):
            candidates = [own]
            if with_neighbours:
                candidates.insert(0, self._reader.widen([*own, *around.get(rank, ())]))
            for candidate in candidates:
                selection = _add_pieces(chosen, candidate)
                if selection == chosen:
                    continue
                if self._fits(selection, {piece.file for piece in candidate}):
                    chosen = selection
                    break
        return self._make_documents(chosen.values())

    def _fits(self, selection: Selection, touched: Iterable[File]) -> bool:
        """Return whether a selection is within the budget, and the files that it has more of within theirs."""
        if self._per_file is not None:
            for file in touched:
                documents = self._make_documents([selection.get(file, ())])
                if self._ruler.length(format_documents(documents), 0) > self._per_file:
                    return False
        return self._ruler.length(format_documents(self._make_documents(selection.values())), 0) <= self._budget

    def _make_documents(self, files: Iterable[tuple[Piece, ...]]) -> list[Document]:
        documents: list[Document] = []
        for pieces in files:
            if pieces not in self._made:
                self._made[pieces] = [make_document(run, self._ranked) for run in merge_pieces(pieces)]
            documents += self._made[pieces]
        return documents


def _add_pieces(chosen: Selection, pieces: Iterable[Piece]) -> Selection:
    """Return the selection with what the pieces add to it: characters that are not in it yet.

    Rule: L9.
    """
    selection = dict(chosen)
    for piece in pieces:
        for settled in _settle(selection, piece):
            selection[settled.file] = (*selection.get(settled.file, ()), settled)
    return selection


def _settle(selection: Selection, piece: Piece) -> list[Piece]:
    """Return what a piece adds to a selection.

    A piece that disagrees with a taken one about the text at an offset is from another source, or its place is wrong:
    it has no place. Characters that a piece under another name has taken are left out.
    """
    taken = [other for others in selection.values() for other in others if other.source == piece.source]
    if piece.start is not None and any(_disagree(piece, other) for other in taken):
        piece = piece._replace(start=None, row=None)
    if any(piece.text in run.text for run in merge_pieces(selection.get(piece.file, ()))):
        if piece.start is None or any(_holds(run.start, run.end, piece) for run in merge_pieces(selection[piece.file])):
            return []
        if any(other.start is None and other.text == piece.text for other in selection[piece.file]):
            return []
    left = [piece]
    for other in taken:
        if other.file != piece.file and other.start is not None:
            left = [rest for part in left for rest in _subtract(part, other)]
    return left


def _holds(start: int | None, end: int, piece: Piece) -> bool:
    return start is not None and piece.start is not None and start <= piece.start and piece.end <= end


def _disagree(piece: Piece, other: Piece) -> bool:
    """Return whether two pieces of one source have different characters at one offset."""
    if piece.start is None or other.start is None or piece.whole is not other.whole:
        return False
    start, end = max(piece.start, other.start), min(piece.end, other.end)
    return start < end and (
        piece.text[start - piece.start : end - piece.start] != other.text[start - other.start : end - other.start]
    )


def _subtract(piece: Piece, other: Piece) -> list[Piece]:
    """Return the pieces of a piece before and after another one."""
    if piece.start is None or other.start is None or piece.end <= other.start or other.end <= piece.start:
        return [piece]
    sides = ((0, other.start - piece.start), (other.end - piece.start, len(piece.text)))
    return [rest for low, high in sides if 0 <= low < high and (rest := piece.cut(low, high)) is not None]


def _find_neighbours(pieces: Sequence[Sequence[Piece]]) -> dict[int, list[Piece]]:
    """Return for each rank the pieces of other Documents that stand directly before or after its own."""
    files: dict[File, list[Piece]] = {}
    for own in pieces:
        for piece in own:
            if piece.start is not None:
                files.setdefault(piece.file, []).append(piece)
    around: dict[int, list[Piece]] = {}
    for several in files.values():
        several.sort(key=lambda piece: (piece.start or 0, piece.end))
        for left, right in pairwise(several):
            if left.rank != right.rank and len(merge_pieces([left, right])) == 1:
                around.setdefault(left.rank, []).append(right)
                around.setdefault(right.rank, []).append(left)
    return around
