"""The blocks of a text while it is read: they do not depend on how the text arrives.

A window of the text is held, and grows while nothing in it is decided. An element is handed on when no character that
follows the window can change it; then the text before it may be dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from langchain_semantic_xml._boundaries.finder import UNKNOWN, Bundle, Finder, text_between
from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.listing import NO_PATHS
from langchain_semantic_xml._boundaries.tags import TagPatterns
from langchain_semantic_xml._text.checks import check_text
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.typing import TextFile
from langchain_semantic_xml.values import Extent

LOOKAHEAD = 16_000_000
"""How many characters are read by default to decide where one element ends."""

_SMALLEST_WINDOW = 1 << 14
_USUAL_WINDOW = 1 << 20
_MIN_PROGRESS = 8
"""A window of which less than an eighth could be decided is doubled: undecided text is scanned again."""


def read_pieces(name: str, stream: TextFile | Iterable[str]) -> Iterator[str]:
    """Yield the text of a stream in pieces; raise `TypeError` for a piece that is no `str`."""
    pieces = iter(lambda: stream.read(_SMALLEST_WINDOW), "") if isinstance(stream, TextFile) else stream
    for number, piece in enumerate(pieces):
        yield check_text(f"{name}[{number}]", piece)


class StreamReader:
    """Reads a stream into a source, and finds its blocks.

    Args:
        source: An empty source; its window moves on with the blocks.
        pieces: The text.
        patterns: Which elements.
        lookahead: After this many characters without a decision, decide as if the text ended there. Half as many more
            are held, so that each such decision covers all blocks that begin in that half.
    """

    def __init__(self, source: Window, pieces: Iterator[str], patterns: TagPatterns, lookahead: int) -> None:
        self._source = source
        self._pieces = pieces
        self._patterns = patterns
        self._lookahead = lookahead
        self._margin = max(1, lookahead // 2)
        self._most = lookahead + self._margin
        self._ended = False
        self._position = 0
        self._bundle = UNKNOWN

    def extents(self) -> Iterator[Extent]:
        """Yield the extents of the blocks, in offsets of the whole text."""
        window = min(_SMALLEST_WINDOW, self._most)
        while not self._ended:
            before = self._position
            self._fill(before + window)
            yield from self._decided(complete=self._ended)
            if window == self._most and self._position < before + self._margin and not self._ended:
                yield from self._forced()
            if self._position - before < window // _MIN_PROGRESS or window < _USUAL_WINDOW:
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
        """Yield the blocks of the window that are decided."""
        for extent, bundle in self._find(complete=complete):
            yield from self._hand_on(extent, bundle)

    def _forced(self) -> Iterator[Extent]:
        """Yield the blocks that begin more than a lookahead before the window's end, as if the text ended there.

        Where no element is among them, the text that is handed on ends with a line.
        """
        text, offset = self._source.text, self._source.offset
        before = self._position
        limit, following = len(text) - self._lookahead, len(text)
        for extent, bundle in self._find(complete=True):
            if extent.start >= limit:
                following = extent.start
                break
            yield from self._hand_on(extent, bundle)
        if self._position == before:
            line = text.rfind("\n", before - offset, limit) + 1 or text.find("\n", limit, following) + 1
            yield from self._text_up_to(line or following)
            self._bundle = Bundle((), self._bundle.paths or NO_PATHS)

    def _find(self, *, complete: bool) -> Iterator[tuple[Extent, Bundle]]:
        begin = self._position - self._source.offset
        horizon = Horizon(self._source.text, complete=complete)
        return Finder(horizon, self._patterns, begin, self._bundle).elements()

    def _hand_on(self, extent: Extent, bundle: Bundle) -> Iterator[Extent]:
        """Yield the text before an element, and the element; the next look at the window begins at its end."""
        offset = self._source.offset
        yield from self._text_up_to(extent.start)
        self._position = extent.end + offset
        self._bundle = bundle
        kind, start, _, attributes, identity, tag_end = extent
        yield Extent(kind, start + offset, self._position, attributes, identity, tag_end + offset)

    def _text_up_to(self, end: int) -> Iterator[Extent]:
        """Yield the text from the last element up to the index `end` of the window."""
        offset = self._source.offset
        begin, self._position = self._position - offset, end + offset
        yield from text_between(self._source.text, begin, end, offset)
