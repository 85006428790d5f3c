"""What is retrieved: a chunk's text, and which ink of the corpus it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.benchmarks.retrieval.ink import Ink, Span, without_blanks


class Piece(NamedTuple):
    """A chunk.

    Args:
        text: What is embedded and retrieved, with all that a splitter adds.
        span: What it holds of the corpus, as ink.
        lead: How much ink of its text stands before that: repeated tags and the like.
    """

    text: str
    span: Span
    lead: int = 0

    def cut(self, room: int) -> Span:
        """Return what the first `room` characters of the text hold of the corpus."""
        if room >= len(self.text):
            return self.span
        held = len(without_blanks(self.text[:room])) - self.lead
        return Span(self.span.start, min(self.span.end, self.span.start + max(0, held)))


class Located(NamedTuple):
    """Chunks and where they are.

    Args:
        pieces: The chunks, in order.
        lost: How many others were not found in the corpus.
    """

    pieces: list[Piece]
    lost: int


def locate(texts: Iterable[str], ink: Ink, within: Span | None = None, head: str = "") -> Located:
    r"""Find chunks of a splitter that does not say where they are: each one behind the one before.

    Blanks do not count, so that a splitter may trim and normalise them.

    Args:
        texts: The chunks in order, without overlap.
        ink: The corpus.
        within: Where in the ink they are; anywhere by default.
        head: What is put before each of them; it is not in the corpus.

    Example:
        >>> located = locate(["one ", "\none", "two", "three"], Ink("one one three"))
        >>> [piece.span for piece in located.pieces], located.lost
        ([Span(start=0, end=3), Span(start=3, end=6), Span(start=6, end=11)], 1)
    """
    position, limit = within or Span(0, len(ink.text))
    lead = len(without_blanks(head))
    pieces = []
    lost = 0
    for text in texts:
        inked = without_blanks(text)
        start = ink.text.find(inked, position, limit)
        if start < 0:
            lost += 1
        elif inked:
            position = start + len(inked)
            pieces.append(Piece(head + text, Span(start, position), lead))
    return Located(pieces, lost)


def place(text: str, span: Span, ink: Ink) -> Piece:
    r"""Make a piece of a chunk whose place is known: find what was put before it.

    Raises:
        ValueError: If the chunk does not hold the text of its place.

    Example:
        >>> place("<a>\n2\n</a>", Span(4, 5), Ink("<a>12</a>"))
        Piece(text='<a>\n2\n</a>', span=Span(start=4, end=5), lead=3)
    """
    lead = without_blanks(text).find(ink.text[span.start : span.end])
    if lead < 0:
        msg = f"the chunk {text!r} does not hold {ink.text[span.start : span.end]!r}, the text of its place"
        raise ValueError(msg)
    return Piece(text, span, lead)


def retrieved(ranking: Iterable[int], pieces: Sequence[Piece], budget: int) -> Iterator[tuple[Span, int]]:
    """Yield what the best chunks hold within a budget of characters, and how much ink of theirs is read for it.

    Chunks are taken in the order of their rank until the budget is used up. All characters of a chunk count, those
    that its splitter added too. The chunk that would overrun the budget is cut where the budget ends, so that every
    splitter has exactly the same number of characters, whatever the size of its chunks.

    Args:
        ranking: Places in `pieces`, the best first.
        pieces: The chunks.
        budget: How many characters are retrieved.
    """
    room = budget
    for index in ranking:
        if room <= 0:
            return
        piece = pieces[index]
        yield piece.cut(room), len(without_blanks(piece.text[:room]))
        room -= len(piece.text)
