"""One oversized block → parts, each cut at the best inner boundary of its window.

Knows how to place a cut, what a part repeats and how a part is measured. It does not know which
boundaries a language has (they come as `Levels`), nor how a block was found.

The words of this module:

* **slice**: the characters of the block that a part holds besides what it repeats.
* **shell**: what every part repeats around its slice: the block's head and tail.
* **window**: the characters that a part may at most reach, from where its slice begins.
* **fresh**: the first character that is not blank and in no part yet. Every part holds a fresh character.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from langchain_semantic_xml.clusters import first_boundary, last_boundary
from langchain_semantic_xml.fences import fenced_spans
from langchain_semantic_xml.rulers import Gauge, Ruler

Span = tuple[int, int]

_VISIBLE = re.compile(r"\S")
_BLANK_LINES = re.compile(r"(?:\r?\n\s*)?")
"""What a part whose window ends here may drop: the line end, and blanks up to the next content."""
_LINE_END = re.compile(r"\r?\n")

_LOOK_AHEAD = 200
"""How far a pattern may look past its cut: enough for the modifiers before a definition's keyword."""
_LOOK_BEHIND = 400
"""How long a comment line may be that is recognised above a definition."""
_ENOUGH = 0.75
"""A window expected to fill less of a chunk than this is enlarged and measured again."""
_MOST_SHELL = 0.5
_MOST_SHELL_AND_LEAD = 0.75


class Part(NamedTuple):
    """One of the chunks into which an oversized block is cut.

    Args:
        text: What the chunk holds, repeated tags included.
        spans: The source's spans in it, in order; repeated tags are in none.
        length: The measured length of `text`.
    """

    text: str
    spans: tuple[Span, ...]
    length: int


@dataclass(frozen=True, slots=True)
class Level:
    r"""One kind of inner boundary: given by a literal, or else by a pattern.

    Args:
        literal: A cut is after the first character of each occurrence: `"\n# "` cuts before the line.
        pattern: A cut is where a match ends.
        attached: A line directly above a cut that matches this belongs to what is below it.
        in_fence: Whether the boundary counts inside fenced code that is too long for one part.
    """

    literal: str = ""
    pattern: re.Pattern[str] | None = None
    attached: re.Pattern[str] | None = None
    in_fence: bool = True


@dataclass(frozen=True, slots=True)
class Levels:
    """The inner boundaries of a text, coarsest first.

    Args:
        levels: The kinds of boundary; code points, the last resort, are not among them.
        fences: Whether fenced code is kept whole where it fits in a part, as in Markdown.
    """

    levels: tuple[Level, ...]
    fences: bool = False


def cut_parts(
    text: str,
    start: int,
    end: int,
    *,
    body: Span | None,
    levels: Levels,
    ruler: Ruler,
    chunk_size: int,
    chunk_overlap: int = 0,
    strip: bool = True,
    lead: str = "",
    trail: str = "",
) -> list[Part]:
    r"""Cut the oversized block `text[start:end]` into parts of at most `chunk_size`.

    Without overlap the spans of all parts are disjoint, in order, and hold every non-blank character
    of the block. A part is longer than `chunk_size` only where one code point alone is. The result
    depends on the arguments and the length function alone, not on what was measured before.
    O((end - start) * levels), whatever the text holds.

    Args:
        text: Any string.
        start: Where the block begins.
        end: Where it ends.
        body: What is cut; the characters before and after it, the tags, are repeated around every
            part. `None` cuts the whole block and repeats nothing, and so does a body whose tags
            leave less than half of `chunk_size`.
        levels: The inner boundaries, from `levels_for`.
        ruler: The length function.
        chunk_size: The most that a part may measure.
        chunk_overlap: How much of the part before is repeated at most; never more than half a part.
        strip: Whether blanks at the ends of a part without tags are dropped. Otherwise parts tile the
            block, but for blanks that fit into no part. Around a body, blank lines always go.
        lead: What goes before the first part's text, such as a heading and the separator.
        trail: What goes after the last part's text.

    Returns:
        At least one part, unless the block is blank.

    Example:
        >>> from langchain_semantic_xml.languages import levels_for
        >>> text = "<a>\none\n\ntwo\n</a>"
        >>> parts = cut_parts(text, 0, 17, body=(4, 12), levels=levels_for(None, None), ruler=Ruler(len), chunk_size=16)
        >>> [part.text for part in parts]
        ['<a>\none\n</a>', '<a>\ntwo\n</a>']
        >>> [part.spans for part in parts]
        [((0, 7),), ((9, 17),)]
    """
    frame = _Frame(text, start, end, ruler, levels, chunk_size, chunk_overlap, strip, lead, trail)
    if body is not None and frame.leaves_room_beside(body):
        if _VISIBLE.search(text, *body):
            return _cut(frame, body)
        part = _without_body(frame, body)
        if part.length <= chunk_size:
            return [part]
    return _cut(frame, (start, end)) if _VISIBLE.search(text, start, end) else []


class _Frame(NamedTuple):
    """The arguments of `cut_parts` that hold for every part."""

    text: str
    start: int
    end: int
    ruler: Ruler
    levels: Levels
    size: int
    overlap: int
    strip: bool
    lead: str
    trail: str

    def leaves_room_beside(self, body: Span) -> bool:
        shell = self.shell_length(body)
        if shell > self.size * _MOST_SHELL:
            return False
        return shell + max(self.added(self.lead), self.added(self.trail)) <= self.size * _MOST_SHELL_AND_LEAD

    def shell_length(self, body: Span) -> int:
        return self.ruler.length(self.text[self.start : body[0]] + self.text[body[1] : self.end], self.start)

    def added(self, text: str) -> int:
        """Return about how much longer `text` makes a part."""
        return self.ruler.length(text, self.start) - self.ruler.base if text else 0


def _without_body(frame: _Frame, body: Span) -> Part:
    """Return the one part of an element whose body is blank: its tags, with one line end between them."""
    text, (head_end, tail_start) = frame.text, body
    line_end = _LINE_END.match(text, tail_start, frame.end)
    if line_end and text.endswith("\n", frame.start, head_end):
        tail_start = line_end.end()
    joined = frame.lead + text[frame.start : head_end] + text[tail_start : frame.end] + frame.trail
    length = frame.ruler.length(joined, frame.start)
    return Part(joined, _merged([(frame.start, head_end), (tail_start, frame.end)]), length)


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    """Return the spans in order, joined where one begins at the end of another; empty ones dropped."""
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1][1] == span[0]:
            merged[-1] = (merged[-1][0], span[1])
        elif span[0] < span[1]:
            merged.append(span)
    return tuple(merged)


class _Piece(NamedTuple):
    """A part on trial: the slice `[start, end)`, where the next one starts, the joined text and its length."""

    start: int
    end: int
    cut: int
    text: str
    length: int


class _Region:
    """The characters that are cut, and how parts of them are put together and measured."""

    __slots__ = (
        "body", "fences", "frame", "gauge", "head", "last", "shell", "start", "stop", "tail", "tiled", "trail_length", "whole_lines",
    )  # fmt: skip

    def __init__(self, frame: _Frame, body: Span) -> None:
        text = frame.text
        self.frame = frame
        self.body = body
        self.start = body[0]
        self.head = text[frame.start : body[0]]
        self.tail = text[body[1] : frame.end]
        self.whole_lines = body != (frame.start, frame.end)
        self.tiled = not (self.whole_lines or frame.strip)
        self.last = _last_visible(text, *body)
        self.stop = body[1] if self.tiled else self.slice_end(self.last, body[1])
        self.shell = frame.shell_length(body) if self.whole_lines else frame.ruler.base
        self.trail_length = frame.added(frame.trail)
        self.fences = fenced_spans(text, *body) if frame.levels.fences else []
        self.gauge = Gauge()

    def slice_end(self, start: int, cut: int) -> int:
        """Return where a slice of `[start, cut)` ends once blanks at its end are dropped."""
        text = self.frame.text
        if self.tiled or not text[cut - 1].isspace():
            return cut
        end = _last_visible(text, start, cut) + 1
        if not self.whole_lines:
            return end
        line_end = text.find("\n", end, cut)
        if line_end == -1:
            return cut
        return line_end - 1 if line_end > end and text[line_end - 1] == "\r" else line_end

    def slice_starts(self, cut: int, fresh: int) -> list[int]:
        """Return where a slice may start that brings `fresh`, the best first: with its blanks, indented, bare."""
        text = self.frame.text
        line = text.rfind("\n", cut, fresh) + 1
        if not line:
            line = cut if cut == self.start or text[cut - 1] == "\n" else fresh
        starts = [cut, line, fresh] if self.tiled else [line, fresh]
        return sorted(set(starts))

    def measured(self, start: int, cut: int, end: int, prefix: str) -> _Piece:
        """Join and measure the part with the slice `[start, end)`."""
        frame = self.frame
        joined = prefix + frame.text[start:end] + self.tail
        if end == self.stop:
            joined += frame.trail
        length = frame.ruler.length(joined, start)
        self.gauge.learn(end - start, length - self.shell)
        return _Piece(start, end, cut, joined, length)


def _last_visible(text: str, start: int, end: int) -> int:
    """Return the index of the last character of `text[start:end]` that is not blank, or `start - 1`.

    Slices in growing steps, so that the cost is that of the blanks and not of the text before them.
    """
    step = 64
    while start < end:
        low = max(start, end - step)
        kept = len(text[low:end].rstrip())
        if kept:
            return low + kept - 1
        end = low
        step *= 2
    return start - 1


def _cut(frame: _Frame, body: Span) -> list[Part]:
    """Cut `body`, which is not blank, into parts, each with the tags around the body repeated."""
    region = _Region(frame, body)
    pieces = list(_pieces(region))
    parts = [Part(piece.text, ((piece.start, piece.end),), piece.length) for piece in pieces]
    first, last = pieces[0], pieces[-1]
    head, tail = (frame.start, body[0]), (body[1], frame.end)
    parts[0] = parts[0]._replace(spans=_merged([head, (first.start, first.end)]))
    parts[-1] = parts[-1]._replace(spans=_merged([*parts[-1].spans, tail]))
    return parts


def _pieces(region: _Region) -> Iterator[_Piece]:
    """Yield the pieces of a region in order, each starting where the one before was cut, or overlapping it."""
    text = region.frame.text
    cut, end = region.body
    prefix = region.frame.lead + region.head
    overlap: list[int] = []
    while True:
        visible = _VISIBLE.search(text, cut, end)
        if visible is None:
            return
        fresh = visible.start()
        piece = _piece(region, [*overlap, *region.slice_starts(cut, fresh)], fresh, prefix)
        yield piece
        if piece.end == region.stop:
            return
        cut = piece.cut
        prefix = region.head
        if region.frame.overlap:
            overlap = _overlap_start(region, piece)


def _piece(region: _Region, starts: list[int], fresh: int, prefix: str) -> _Piece:
    """Return the piece from the first of `starts` from which a piece with `fresh` fits; else one code point."""
    for start in starts[:-1]:
        piece = _fitted(region, start, fresh, prefix)
        if piece and piece.length <= region.frame.size:
            return piece
    return _fitted(region, starts[-1], fresh, prefix, at_least=fresh + 1)


def _fitted(...):
    ...
