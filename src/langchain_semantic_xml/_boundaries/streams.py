"""The blocks of a text while it is read: what is found does not depend on how the text arrives.

A window of the text is at hand, and grows while nothing in it is decided. An element is handed on when nothing that
comes can change it; then what stands before it may be dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from langchain_semantic_xml._boundaries.finder import Finder, text_between
from langchain_semantic_xml._boundaries.tags import Grammar
from langchain_semantic_xml._text.checks import check_text
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Extent

LOOKAHEAD = 16_000_000
"""How many characters are read, unless something else is wished for, to decide where one element ends."""

_SMALLEST_WINDOW = 1 << 14
_USUAL_WINDOW = 1 << 20
_LEAST = 8
"""A window that decides a smaller part of itself than one of so many grows: the rest is looked at again."""


@runtime_checkable
class TextFile(Protocol):
    """A file opened in text mode."""

    def read(self, size: int, /) -> str:
        """Return at most `size` characters; `""` at the end."""


def read_pieces(name: str, stream: TextFile | Iterable[str]) -> Iterator[str]:
    """Yield the text of a stream in pieces; raise `TypeError` where one is no `str`."""
    pieces = iter(lambda: stream.read(_SMALLEST_WINDOW), "") if isinstance(stream, TextFile) else stream
    for number, piece in enumerate(pieces):
        yield check_text(f"{name}[{number}]", piece)


class StreamReader:
    """Reads a stream into a source, and finds its blocks.

    Args:
        source: An empty source; its window moves on with the blocks.
        pieces: The text.
        grammar: Which elements.
        lookahead: After so many characters without a decision, a block is what it would be if the text ended. Half as
            many more are read, so that each look at what is not decided decides all that begins in these.
    """

    def __init__(self, source: Window, pieces: Iterator[str], grammar: Grammar, lookahead: int) -> None:
        self._source = source
        self._pieces = pieces
        self._grammar = grammar
        self._lookahead = lookahead
        self._margin = max(1, lookahead // 2)
        self._most = lookahead + self._margin
        self._ended = False
        self._position = 0
        self._container: str | None = ""

    def extents(self) -> Iterator[Extent]:
        """Yield the extents of the blocks, in offsets of the whole text."""
        window = min(_SMALLEST_WINDOW, self._most)
        while not self._ended:
            before = self._position
            self._fill(before + window)
            yield from self._decided(complete=self._ended)
            if window == self._most and self._position < before + self._margin and not self._ended:
                yield from self._forced()
            if self._position - before < window // _LEAST or window < _USUAL_WINDOW:
                window = min(2 * window, self._most)
            self._source.forget_before(self._position)
        yield from self._text_up_to(len(self._source.text))

    def _fill(self, end: int) -> None:
        """Read on until the window reaches the offset `end` or the stream ends."""
        read: list[str] = []
        missing = end - self._source.end
        while missing > 0 and not self._ended:
            piece = next(self._pieces, None)
            if piece is None:
                self._ended = True
            else:
                read.append(piece)
                missing -= len(piece)
        self._source.append(read)

    def _decided(self, *, complete: bool) -> Iterator[Extent]:
        """Yield what is decided of the window."""
        finder = self._finder(complete=complete)
        for extent in finder.elements():
            yield from self._hand_on(extent, finder.container)

    def _forced(self) -> Iterator[Extent]:
        """Yield the blocks after whose beginning a lookahead is at hand, as if the text ended with what is.

        Where no element is among them, what is handed on ends with a line.
        """
        text, offset = self._source.text, self._source.offset
        before = self._position
        limit, following = len(text) - self._lookahead, len(text)
        finder = self._finder(complete=True)
        for extent in finder.elements():
            if extent.start >= limit:
                following = extent.start
                break
            yield from self._hand_on(extent, finder.container)
        if self._position == before:
            line = text.rfind("\n", before - offset, limit) + 1 or text.find("\n", limit, following) + 1
            yield from self._text_up_to(line or following)
            self._container = None

    def _finder(self, *, complete: bool) -> Finder:
        begin = self._position - self._source.offset
        return Finder(self._source.text, self._grammar, begin, self._container, complete=complete)

    def _hand_on(self, extent: Extent, container: str | None) -> Iterator[Extent]:
        """Yield the text before an element, and the element; what follows is looked at from its end."""
        offset = self._source.offset
        yield from self._text_up_to(extent.start)
        self._position = extent.end + offset
        self._container = container
        yield extent._replace(start=extent.start + offset, end=self._position)

    def _text_up_to(self, end: int) -> Iterator[Extent]:
        """Yield the text from the last element up to the index `end` of the window."""
        offset = self._source.offset
        begin, self._position = self._position - offset, end + offset
        yield from text_between(self._source.text, begin, end, offset)
