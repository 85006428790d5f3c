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
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from langchain_semantic_xml._parts.levels import LOOK_BEHIND, Level, Levels, boundaries
from langchain_semantic_xml._parts.outlines import Definition, Outline
from langchain_semantic_xml._text.blanks import NOT_BLANK
from langchain_semantic_xml._text.clusters import cut_between_characters
from langchain_semantic_xml._text.fences import fenced_spans
from langchain_semantic_xml._text.rulers import LengthRate, Ruler

Span = tuple[int, int]

_BLANK_LINES = re.compile(r"(?:\r?\n\s*)?")
"""What a part whose window ends here may drop: the line end, and blanks up to the next content."""
_LINE_END = re.compile(r"\r?\n")

_BLANK_LINES_BETWEEN = 3
_CLOSING_LINE = re.compile(r"([ \t]*)\)")
_INDENTED = re.compile(r"[ \t]|\s*\Z")
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
        scope: The dotted name of the innermost definition that holds all of its slice, where the outline is known.
    """

    text: str
    spans: tuple[Span, ...]
    length: int
    scope: str | None = None


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
    tags: tuple[Span, ...] = (),
    outline: Outline | None = None,
    repeat_signatures: bool = False,
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
        tags: The spans of the block's own tags, which are cut only where one alone is too long.
        outline: The definitions in the block: none is cut that fits into a part, and each part says in which it is.
        repeat_signatures: Whether a part that begins inside a definition carries its signature after the head, and
            those of the definitions around it; the outer ones are left out where all leave less than half of
            `chunk_size`.

    Returns:
        At least one part, unless the block is blank.

    Example:
        >>> from langchain_semantic_xml._parts.languages import levels_for
        >>> text = "<a>\none one\n\ntwo two\n</a>"
        >>> parts = cut_parts(text, 0, 25, body=(4, 20), levels=levels_for(None, None), ruler=Ruler(len), chunk_size=20)
        >>> [part.text for part in parts]
        ['<a>\none one\n</a>', '<a>\ntwo two\n</a>']
        >>> [part.spans for part in parts]
        [((0, 11),), ((13, 25),)]
    """
    frame = _Frame(
        text,
        start,
        end,
        ruler,
        levels,
        chunk_size,
        chunk_overlap,
        strip,
        lead,
        trail,
        tags,
        outline,
        repeat_signatures,
    )
    if body is not None and not NOT_BLANK.search(text, *body):
        part = _without_body(frame, body)
        if part.length <= chunk_size:
            return [part]
    elif body is not None and frame.leaves_room_beside(body):
        return _cut(frame, body)
    return _cut(frame, (start, end)) if NOT_BLANK.search(text, start, end) else []


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
    tags: tuple[Span, ...]
    outline: Outline | None
    repeat_signatures: bool

    def leaves_room_beside(self, body: Span) -> bool:
        shell = self.shell_length(body)
        if shell > self.size * _MOST_SHELL:
            return False
        return shell + max(self.added(self.lead), self.added(self.trail)) <= self.size * _MOST_SHELL_AND_LEAD

    def shell_length(self, body: Span) -> int:
        return self.ruler.length(self.text[self.start : body[0]] + self.text[body[1] : self.end], self.start)

    def fits_alone(self, span: Span) -> bool:
        return self.ruler.length_within(self.text, *span, self.size) is not None

    def scope_of(self, start: int, end: int) -> str | None:
        """Return the name of the definition that holds all that is visible of the slice `[start, end)`."""
        if self.outline is None:
            return None
        return self.outline.scope_of(_visible(self.text, start), _last_visible(self.text, start, end) + 1)

    def added(self, text: str) -> int:
        """Return about how much longer `text` makes a part."""
        return self.ruler.length(text, self.start) - self.ruler.empty_length if text else 0


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
    """A part on trial: its slice `[start, end)`, where the next one may start, the joined text and its length."""

    start: int
    end: int
    cut: int
    text: str
    length: int


class _Opening(NamedTuple):
    """What stands before a slice, and about how much longer than the head of the shell it is."""

    text: str
    length: int


class _Region:
    """The characters that are cut, what is repeated around each slice of them, and what was learnt of their length.

    Attributes:
        last: The index of the last visible character.
        stop: Where the slice of the last part ends, if it fits.
        shell: The length of what every part repeats.
        whole_lines: Whether a slice only loses blank lines, because tags follow it on a line of their own.
        tiled: Whether a slice loses nothing.
    """

    __slots__ = (
        "_openings",
        "end",
        "fences",
        "first_opening",
        "frame",
        "gauge",
        "head",
        "last",
        "layout",
        "levels",
        "other_opening",
        "shell",
        "start",
        "stop",
        "structure",
        "tags",
        "tail",
        "tiled",
        "trail_length",
        "whole_lines",
    )

    def __init__(self, frame: _Frame, body: Span) -> None:
        text = frame.text
        self.frame = frame
        self.gauge = LengthRate()
        self.start, self.end = body
        self.levels = [level for level in frame.levels.levels if not level.needs or level.occurs_in(text, *body)]
        self.structure = [level for level in self.levels if level.structure]
        self.layout = [level for level in self.levels if not level.structure]
        self.head = text[frame.start : self.start]
        self.tail = text[self.end : frame.end]
        self.whole_lines = body != (frame.start, frame.end)
        self.tiled = not (self.whole_lines or frame.strip)
        self.last = _last_visible(text, self.start, self.end)
        self.stop = self._stop()
        self.shell = frame.shell_length(body) if self.whole_lines else frame.ruler.empty_length
        self.first_opening = _Opening(frame.lead + self.head, frame.added(frame.lead))
        self.other_opening = _Opening(self.head, 0)
        self._openings: dict[Span, _Opening] = {}
        self.trail_length = frame.added(frame.trail)
        # With a body, the tags are no part of what is cut.
        self.tags = [] if self.whole_lines else [tag for tag in frame.tags if frame.fits_alone(tag)]
        self.fences = fenced_spans(text, self.start, self.end) if frame.levels.fences else []

    def _stop(self) -> int:
        stop = self.slice_end(self.last, self.end)
        # Blanks that would take most of a part for themselves are dropped.
        return stop if stop - (self.last + 1) <= self.frame.size // 2 else self.last + 1

    def slice_end(self, start: int, cut: int) -> int:
        """Return where the slice `[start, cut)` ends without the blanks it loses."""
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
        """Return where a slice that brings `fresh` may start, best first: with all blanks, indented, or bare."""
        text = self.frame.text
        line = text.rfind("\n", cut, fresh) + 1
        if not line:
            line = cut if cut == self.start or text[cut - 1] == "\n" else fresh
        starts = (cut, line, fresh) if self.tiled else (line, fresh)
        return [start for at, start in enumerate(starts) if at == 0 or start > starts[at - 1]]

    def least_end(self, fresh: int) -> int:
        """Return where a slice that brings `fresh` ends at the earliest."""
        return next((tag[1] for tag in self.tags if tag[0] <= fresh < tag[1]), fresh + 1)

    def tag_around(self, cut: int) -> Span | None:
        """Return the tag of the block that `cut` is inside of, if any that must not be torn."""
        return next((tag for tag in self.tags if tag[0] < cut < tag[1]), None)

    @property
    def most(self) -> int:
        """Return how many characters of a fence may fit in a part."""
        return self.gauge.characters_within(self.frame.size - self.shell)

    def fence_around(self, cut: int) -> Span | None:
        """Return the fenced code that `cut` is inside of, if any."""
        at = bisect_left(self.fences, (cut,)) - 1
        return self.fences[at] if at >= 0 and cut < self.fences[at][1] else None

    def opening_at(self, start: int) -> _Opening:
        """Return what stands before a slice that begins at `start`: the head, and signatures if wanted."""
        outline = self.frame.outline
        if outline is None or start == self.start or not self.frame.repeat_signatures:
            return self.other_opening
        signatures = outline.signatures_at(start)
        while signatures:
            key = signatures[0][0], signatures[-1][1]
            opening = self._openings.get(key)
            if opening is None:
                text = "".join(self.frame.text[slice(*signature)] for signature in signatures)
                opening = self._openings[key] = _Opening(self.head + text, self.frame.added(text))
            if self.shell + opening.length <= self.frame.size * _MOST_SHELL:
                return opening
            del signatures[0]
        return self.other_opening

    def measured(self, start: int, cut: int, end: int, opening: _Opening) -> _Piece:
        """Join and measure the part with the slice `[start, end)`."""
        frame = self.frame
        joined = opening.text + frame.text[start:end] + self.tail
        if cut > self.last:
            joined += frame.trail
        length = frame.ruler.length(joined, start)
        if not frame.ruler.additive:
            known = self.shell + opening.length
            known += self.trail_length if cut > self.last else 0
            self.gauge.learn(end - start, length - known)
        return _Piece(start, end, cut, joined, length)


def _last_visible(text: str, start: int, end: int) -> int:
    """Return the index of the last character of `text[start:end]` that is not blank; there must be one.

    Looks at growing slices from the end: the cost is that of the blanks, not of the text before them.
    """
    step = 64
    low = max(start, end - step)
    while text[low:end].isspace():
        end, step = low, step * 2
        low = max(start, end - step)
    return low + len(text[low:end].rstrip()) - 1


def _cut(frame: _Frame, body: Span) -> list[Part]:
    """Cut `body`, which is not blank, into parts, each with what surrounds the body repeated."""
    pieces = list(_pieces(_Region(frame, body)))
    parts = [
        Part(piece.text, ((piece.start, piece.end),), piece.length, frame.scope_of(piece.start, piece.end))
        for piece in pieces
    ]
    parts[0] = parts[0]._replace(spans=_merged([(frame.start, body[0]), *parts[0].spans]))
    parts[-1] = parts[-1]._replace(spans=_merged([*parts[-1].spans, (body[1], frame.end)]))
    return parts


def _pieces(region: _Region) -> Iterator[_Piece]:
    """Yield the pieces of a region in order, each starting where the one before was cut, or overlapping it."""
    frame = region.frame
    first: _Opening | None = region.first_opening
    cut = region.start
    overlap: list[int] = []
    while cut <= region.last:
        fresh = _visible(frame.text, cut)
        starts = [fresh] if fresh == cut else region.slice_starts(cut, fresh)
        piece = _piece(region, [*overlap, *starts], fresh, first)
        yield piece
        cut = piece.cut
        first = None
        if frame.overlap:
            overlap = _overlap(region, piece)


def _visible(text: str, start: int) -> int:
    """Return the index of the first character from `start` on that is not blank; there must be one."""
    if not text[start].isspace():
        return start
    match = NOT_BLANK.search(text, start)
    assert match is not None  # noqa: S101 - the caller knows of a visible character ahead
    return match.start()


def _piece(region: _Region, starts: list[int], fresh: int, first: _Opening | None) -> _Piece:
    """Return the piece that starts at the first of `starts` from which one with `fresh` fits.

    Where none fits, the code point at `fresh` alone is too long, and is returned nevertheless.
    """
    for start in starts:
        piece = _fitted(region, start, fresh, first or region.opening_at(start))
        if piece is not None:
            return piece
    end = fresh + 1
    return region.measured(fresh, end, end, first or region.other_opening)


def _fitted(region: _Region, start: int, fresh: int, opening: _Opening) -> _Piece | None:
    """Return a piece from `start` that brings `fresh` and fits, or `None` if there is none.

    Guesses from the ratio learnt how far the window reaches, and measures. A piece that is too long is cut
    again in proportion; one that leaves much room, because the ratio has changed, is enlarged.
    """
    gauge = region.gauge
    room = region.frame.size - region.shell - opening.length
    reach = max(1, gauge.characters_within(room))
    fitting: _Piece | None = None
    too_long: int | None = None
    while start + reach > (fitting.end if fitting else fresh):
        placed = _placed(region, start, fresh, reach, too_long)
        if placed is None:
            break
        cut, end = placed
        piece = region.measured(start, cut, end, opening)
        if piece.length > region.frame.size:
            if end <= region.least_end(fresh):
                break
            too_long = end
            reach = max(1, min(gauge.characters_within(room), end - start - 1))
        elif too_long or cut > region.last or gauge.characters_within(room) * _ENOUGH <= reach:
            return piece
        else:
            fitting = piece
            reach = gauge.characters_within(room)
    return fitting


def _placed(region: _Region, start: int, fresh: int, reach: int, too_long: int | None) -> Span | None:
    """Return where to cut in the window of `reach` characters from `start`, and where the slice then ends.

    The last piece is cut after the last visible character. `None` where a cluster would have to be torn though
    a piece that starts later, without the blanks or the overlap before it, may hold it.
    """
    last = region.last
    trail = region.gauge.characters_within(region.trail_length) if region.trail_length else 0
    if start + reach - trail >= region.stop:
        return last + 1, region.stop
    if fresh == last:
        return last + 1, last + 1
    high = min(start + reach, last)  # something visible is left for the next piece
    middle, reached = max((start + high) // 2, fresh + 1), _next_content(region, high)
    cut = _beside_definition(region, fresh, middle, reached) or _best_cut(region, fresh, middle, reached)
    if cut is None:
        # A cluster longer than the window may still fit: the window is a guess, and marks may count for nothing.
        limit = min(last + 1, fresh + 2 * reach + 32, too_long - 1 if too_long else last + 1)
        cut = cut_between_characters(region.frame.text, fresh, high, limit)
    if cut is None:
        if start < fresh:
            return None
        cut = high
    tag = region.tag_around(cut) if region.tags else None
    if tag:
        cut = tag[0] if tag[0] > fresh else tag[1]
        if cut > last:
            return last + 1, region.stop
    return cut, region.slice_end(fresh, cut)


def _beside_definition(region: _Region, fresh: int, middle: int, high: int) -> int | None:
    """Return the first edge of a definition in the second half of the window, else the last in it that tears none.

    A definition that fits into a part is not torn. What is inside a function, or a class that fits, has no edges.
    """
    outline = region.frame.outline
    if outline is None:
        return None
    text = region.frame.text
    for edge in outline.edges_between(middle, high):
        # One that `fresh` begins has started before, where its line is indented.
        begun = (around for around in outline.around(edge) if fresh <= _visible(text, around.start) < edge)
        if not any(_fits(region, definition) for definition in begun):
            return edge
    torn = (around for around in outline.around(high) if fresh < around.start < high)
    return next((definition.start for definition in torn if _fits(region, definition)), None)


def _fits(region: _Region, definition: Definition) -> bool:
    room = region.frame.size - region.shell - region.opening_at(definition.start).length
    end = region.slice_end(definition.start, min(definition.end, region.end))
    return end - definition.start <= region.gauge.characters_within(room)


def _best_cut(region: _Region, fresh: int, middle: int, high: int) -> int | None:
    """Return the coarsest boundary in the second half of the window, `[middle, high]`, else in its first half."""
    cut, _ = _coarsest(region, region.structure, middle, high)
    if cut is None:
        cut, level = _coarsest(region, region.layout, middle, high)
        if level is None:
            cut, _ = _coarsest(region, region.levels, fresh + 1, middle - 1)
        elif region.structure:
            cut = _sooner(region, level, middle, high) or cut
    return cut


def _next_content(region: _Region, high: int) -> int:
    """Return how far a window reaches that ends at `high`: over a line end and blanks there, which the slice loses."""
    text = region.frame.text
    if region.tiled or text[high] not in "\r\n":
        return high
    blank_lines = _BLANK_LINES.match(text, high, min(region.last, high + LOOK_BEHIND))
    return blank_lines.end() if blank_lines else high


def _sooner(region: _Region, level: Level, low: int, high: int) -> int | None:
    """Return a boundary of `level` in `[low, high]` from which the next window has structure in its second half.

    `None` where the next window has it there anyway or not at all. Else what begins in its first half would be torn.
    """
    half = high - low
    ahead, _ = _coarsest(region, region.structure, high + 1, min(region.last, high + half))
    if ahead is None or ahead - half <= low:
        return None
    return next(_allowed(region, level, low, ahead - half), None)


def _coarsest(region: _Region, levels: list[Level], low: int, high: int) -> tuple[int | None, Level | None]:
    """Return the last boundary in `[low, high]` of the coarsest of `levels` that has one there, and that level."""
    if low <= high:
        for level in levels:
            for cut in _allowed(region, level, low, high):
                return cut, level
    return None, None


def _allowed(region: _Region, level: Level, low: int, high: int) -> Iterator[int]:
    """Yield, of each group of equally coarse boundaries of a level, the last that tears no fence and no comment off."""
    text = region.frame.text
    for found in boundaries(level, text, low, high):
        if level.attached or region.fences:
            cut = _last_allowed(region, level, found, low, high)
        else:
            cut = next(iter(found), None)
        if cut is not None:
            yield cut


def _last_allowed(region: _Region, level: Level, found: Iterable[int], low: int, high: int) -> int | None:
    """Return the first of a level's boundaries, given from the last on, that tears no fence and no comment off."""
    barrier = high
    attached_from = None
    for boundary in found:
        if attached_from is not None and boundary > attached_from:
            continue  # one of the lines that are attached to the boundary before: it moves up as far as that one did
        cut = attached_from = _above_attached(region, level, boundary, low) if level.attached else boundary
        if not low <= cut <= barrier:
            continue
        fence = region.fence_around(cut)
        if fence is None or (level.in_fence and fence[1] - fence[0] > region.most):
            return cut
        barrier = fence[0]
    return None


def _above_attached(region: _Region, level: Level, cut: int, low: int) -> int:
    """Return the start of the lines directly above `cut` that belong to what follows; less than `low` if that far."""
    text = region.frame.text
    floor = max(region.start, low - LOOK_BEHIND)
    while cut >= low:
        above = _line_above(region, level, cut, floor)
        if above < 0 or level.attached is None or not level.attached.match(text, above, cut):
            break
        cut = above
    return cut


def _line_above(region: _Region, level: Level, cut: int, floor: int) -> int:
    """Return where the line above `cut` begins, or the decorator whose arguments end there; -1 if before `floor`."""
    text = region.frame.text
    above = _line_start(region, "", floor, cut - 1)
    if level.over_blanks:
        for _ in range(_BLANK_LINES_BETWEEN):
            if above < 0 or not text[above:cut].isspace():
                break
            cut, above = above, _line_start(region, "", floor, above - 1)
        return above
    closing = _CLOSING_LINE.match(text, above, cut) if above >= 0 else None
    if closing:
        decorator = _line_start(region, f"{closing[1]}@", floor, above)
        if decorator >= 0 and _is_indented(text[decorator:above], len(closing[1])):
            return decorator
    return above


def _line_start(region: _Region, beginning: str, floor: int, end: int) -> int:
    """Return where the last line in `[floor, end)` that begins with `beginning` does, or -1.

    What is cut begins with a line, whatever is before it: the window of a stream may not hold that any more.
    """
    text, start = region.frame.text, region.start
    at = text.rfind(f"\n{beginning}", floor, end)
    if at >= 0:
        return at + 1
    return start if floor == start and text.startswith(beginning, start, end) else -1


def _is_indented(lines: str, by: int) -> bool:
    """Tell whether all lines but the first stand further in than `by` columns, or are blank."""
    return all(_INDENTED.match(line, by) for line in lines.split("\n")[1:-1])


def _overlap(region: _Region, piece: _Piece) -> list[int]:
    """Return where the next slice may start to repeat the end of `piece`: one offset, or none where nothing fits.

    At most half of a part is repeated, so that parts stay O(size of the text) in number and in sum.
    """
    frame, gauge = region.frame, region.gauge
    wanted = min(frame.overlap, (frame.size - region.shell) // 2)
    for _ in range(3):
        low = max(piece.end - gauge.characters_within(wanted), piece.start + 1)
        start = _edge(region, low, piece.end)
        tag = region.tag_around(start) if start is not None else None
        start = tag[1] if tag else start
        if start is None or start >= piece.end:
            return []
        if frame.ruler.additive or frame.ruler.length(frame.text[start : piece.end], start) <= frame.overlap:
            return [start]
        wanted = wanted * 3 // 4
    return []


def _edge(region: _Region, low: int, high: int) -> int | None:
    """Return the first line start in `[low, high)` with something visible after it, else the first word's."""
    text = region.frame.text
    for edge in ("\n", " "):
        at = text.find(edge, low - 1, high) + 1
        visible = NOT_BLANK.search(text, at, high) if at else None
        if visible:
            return region.slice_starts(at, visible.start())[0]
    return None
