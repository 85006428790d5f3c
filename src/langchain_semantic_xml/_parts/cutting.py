"""One oversized block → parts, each cut at the best inner boundary of its window.

Knows how many characters a part can hold. The boundaries of a language come as `InnerBoundaries`; `placing` chooses
one of them; `shell` says what a part repeats and measures it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from langchain_semantic_xml._parts.placing import find_overlap_start, place_cut
from langchain_semantic_xml._parts.shell import (
    BlockToCut,
    Opening,
    Shell,
    Span,
    Trial,
    find_visible,
    leaves_room_beside,
)
from langchain_semantic_xml._text.blanks import last_visible
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml.values import Options

_LINE_END = re.compile(r"\r?\n")
_NEARLY_FULL = 0.015
"""The share of a part that may stay empty without another trial."""
_SURE = 0.98
"""The share of an estimate that is taken, so that few trials prove too long."""
_MOST_GROWTH = 8
"""How many times as long as a window that fits the next one is at most."""
_FINEST_STEP = 32
"""A coarse length function is searched up to this share of the window."""
_MOST_TRIALS = 64
"""How often a window is changed at most; only a length function that contradicts itself needs as many."""
_OVERLAP_TRIALS = 3
"""How often an overlap that is too long is shortened before it is given up."""


class Part(NamedTuple):
    """One of the chunks into which an oversized block is cut.

    Args:
        text: The text of the chunk, repeated tags included.
        spans: The spans of the source in it, in order; repeated tags are in none.
        length: The measured length of `text`.
        scope: The dotted name of the innermost definition that holds all of its slice, if the outline is known.
    """

    text: str
    spans: tuple[Span, ...]
    length: int
    scope: str | None = None


def cut_parts(block: BlockToCut, options: Options, ruler: Ruler) -> list[Part]:
    r"""Cut an oversized block into parts of at most `chunk_size`.

    Without overlap the spans of all parts are disjoint, in order, and hold every non-blank character
    of the block. A part is longer than `chunk_size` only where one code point alone is, or where the
    lead or the trail cannot be in it: then the caller cuts again without that. The result
    depends on the arguments and the length function alone, not on earlier measurements.
    O((end - start) * kinds of boundaries), whatever the text holds.

    Args:
        block: The block. A body whose tags leave less than half of `chunk_size` is cut as if it had none.
        options: The options of the splitter.
        ruler: The length function.

    Returns:
        At least one part, unless the block is blank.

    Example:
        >>> from langchain_semantic_xml._parts.languages import boundaries_for
        >>> text = "<a>\none one\n\ntwo two\n</a>"
        >>> block = BlockToCut(text, 0, 25, boundaries_for(None, None), body=(4, 20))
        >>> parts = cut_parts(block, Options(chunk_size=20), Ruler(len))
        >>> [part.text for part in parts]
        ['<a>\none one\n</a>', '<a>\ntwo two\n</a>']
        >>> [part.spans for part in parts]
        [((0, 11),), ((13, 25),)]

    Rule: P1, P3.
    """
    body, whole = block.body, (block.start, block.end)
    if block.cuts:
        return _cut_at_definitions(block, options, ruler)
    if body is not None and block.is_blank(body):
        part = _join_tags(block, body, ruler)
        if part.length <= options.chunk_size:
            return [part]
    elif body is not None and leaves_room_beside(block, body, options, ruler):
        return _cut_span(Shell(block, body, options, ruler))
    return [] if block.is_blank(whole) else _cut_span(Shell(block, whole, options, ruler))


def _cut_at_definitions(block: BlockToCut, options: Options, ruler: Ruler) -> list[Part]:
    """Cut a block at its `cuts`; a piece between two of them that is too long is cut like a block.

    With `oversized` other than `"split"` a piece that is too long is one part.

    Rule: P7.
    """
    around = (block.start, block.end)
    if block.body is not None and leaves_room_beside(block, block.body, options, ruler):
        around = block.body
    parts: list[Part] = []
    for span in pairwise([around[0], *block.cuts, around[1]]):
        piece = block._replace(
            lead=block.lead if span[0] == around[0] else "", trail=block.trail if span[1] == around[1] else ""
        )
        parts += _cut_span(Shell(piece, span, options, ruler, around))
    return parts


def _join_tags(block: BlockToCut, body: Span, ruler: Ruler) -> Part:
    """Return the one part of an element whose body is blank: its tags, with one line end between them.

    Rule: P3.
    """
    text, (head_end, tail_start) = block.text, body
    line_end = _LINE_END.match(text, tail_start, block.end)
    if line_end and text.endswith("\n", block.start, head_end):
        tail_start = line_end.end()
    joined = block.lead + text[block.start : head_end] + text[tail_start : block.end] + block.trail
    length = ruler.length(joined, block.start)
    return Part(joined, _merge_spans([(block.start, head_end), (tail_start, block.end)]), length)


def _merge_spans(spans: list[Span]) -> tuple[Span, ...]:
    """Return spans in order, joined where one begins at the end of another; empty ones dropped."""
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1][1] == span[0]:
            merged[-1] = (merged[-1][0], span[1])
        elif span[0] < span[1]:
            merged.append(span)
    return tuple(merged)


def _cut_span(shell: Shell) -> list[Part]:
    """Cut the characters of a shell into parts; the first and the last also hold the block's own head and tail."""
    block = shell.block
    whole = _fit_whole(shell) if block.cuts else None
    parts = [
        Part(trial.text, ((trial.start, trial.end),), trial.length, block.scope_of(trial.start, trial.end))
        for trial in (_iter_parts(shell) if whole is None else (whole,))
    ]
    if block.trail and not shell.tail and parts[-1].spans[-1][1] < shell.end:
        # The blanks before the trail did not fit: the last part cannot hold the trail.
        parts[-1] = parts[-1]._replace(length=max(parts[-1].length, shell.size + 1))
    if shell.is_first:
        parts[0] = parts[0]._replace(spans=_merge_spans([(block.start, shell.start), *parts[0].spans]))
    if shell.is_last:
        parts[-1] = parts[-1]._replace(spans=_merge_spans([*parts[-1].spans, (shell.end, block.end)]))
    return parts


def _fit_whole(shell: Shell) -> Trial | None:
    """Return all characters of a shell as one part, or `None` if that is too long and may be cut."""
    must_be_whole = shell.options.oversized != "split"
    first_new = find_visible(shell.text, shell.start)
    start = shell.start if shell.block.lead else shell.slice_starts(shell.start, first_new)[0]
    if not must_be_whole and shell.ruler.length_within(shell.text, start, shell.stop, shell.size) is None:
        return None
    openings = [shell.first_opening if shell.is_first else shell.opening_at(start)]
    if openings[0].is_breadcrumb:
        openings.append(shell.first_without_breadcrumb if shell.is_first else shell.plain_opening)
    for opening in openings:
        trial = shell.measure_part(start, shell.last + 1, shell.stop, opening)
        if trial.length <= shell.size:
            return trial
    return trial if must_be_whole else None


def _iter_parts(shell: Shell) -> Iterator[Trial]:
    """Yield the parts in order; each begins where the previous part was cut, or overlaps it."""
    first: Opening | None = shell.first_opening if shell.is_first else None
    cut = shell.start
    overlap: list[int] = []
    while cut <= shell.last:
        first_new = find_visible(shell.text, cut)
        if first and shell.block.lead and not shell.trims_only_blank_lines:
            starts = [cut]  # nothing is lost between the lead and the block
        else:
            starts = [first_new] if first_new == cut else shell.slice_starts(cut, first_new)
        trial = _make_part(shell, [*overlap, *starts], first_new, first)
        yield trial
        cut = trial.cut
        first = None
        if shell.options.chunk_overlap:
            overlap = _overlap_starts(shell, trial)


def _make_part(shell: Shell, starts: list[int], first_new: int, first: Opening | None) -> Trial:
    """Return a part that holds `first_new`, from the first of `starts` from which one fits.

    If none fits, the code point at `first_new` alone is too long, or the lead leaves it no room; it makes a part that
    is too long. `first` is the opening of the first part.
    """
    for start in starts:
        opening = first or shell.opening_at(start)
        trial = _fit_part(shell, start, first_new, opening)
        if opening.is_breadcrumb:
            trial = _fit_without_breadcrumb(shell, start, first_new, trial)
        if trial is not None:
            return trial
    end, first = first_new + 1, shell.first_without_breadcrumb if first else None
    if starts[-1] < first_new:
        # The blanks between the lead and the block did not fit: the first part cannot hold the lead.
        trial = shell.measure_part(starts[-1], end, end, first or shell.plain_opening)
        return trial._replace(length=max(trial.length, shell.size + 1))
    return shell.measure_part(first_new, end, end, first or shell.plain_opening)


def _fit_without_breadcrumb(shell: Shell, start: int, first_new: int, trial: Trial | None) -> Trial | None:
    """Return the part without its breadcrumb if that is needed, else `trial`.

    It is needed if nothing fits beside the breadcrumb, or if `trial` begins with a definition and tears it, although
    the whole definition fits without the breadcrumb.

    Rule: P6.
    """
    opening = shell.first_without_breadcrumb if start == shell.start else shell.plain_opening
    if trial is None:
        return _fit_part(shell, start, first_new, opening)
    outline = shell.block.outline
    for definition in outline.iter_around(first_new) if outline else ():
        if find_visible(shell.text, definition.start) < first_new:
            break
        if trial.cut < definition.end:
            whole = _fit_part(shell, start, first_new, opening)
            if whole is not None and last_visible(shell.text, definition.start, definition.end) <= whole.end:
                return whole
    return trial


def _fit_part(shell: Shell, start: int, first_new: int, opening: Opening) -> Trial | None:
    """Return a part that begins at `start`, holds `first_new` and fits, or `None`.

    The estimated rate says how far the window reaches; the part is measured. A part that is too long is cut again in
    proportion; one that leaves room is enlarged while a later boundary is expected to fit.

    Rule: P1.
    """
    window = _WindowSearch(shell, shell.room_for_slice(opening))
    fitting: Trial | None = None
    while start + window.reach > (fitting.end if fitting else first_new):
        too_long = None if window.too_long is None else start + window.too_long
        placed = place_cut(shell, start, first_new, window.reach, too_long)
        if placed is None:
            break
        cut, end = placed
        if fitting is None or cut > fitting.cut:
            trial = shell.measure_part(start, cut, end, opening)
            if trial.length <= shell.size:
                fitting = trial
                if cut > shell.last or shell.ruler.additive:
                    return fitting
            elif end <= shell.least_end(first_new):
                break
            else:
                window.too_long = end - start
        if not (window.grow(fitting) if fitting else window.shrink()):
            break
    return fitting


class _WindowSearch:
    """The search for the longest window of one part whose slice fits.

    A fine length function, such as tokens of a large chunk, is trusted: one more trial fills what the first left
    empty. A coarse one, such as lines or kilobytes, is searched by halves, since its answers say little about the
    characters between two steps.

    Attributes:
        reach: How many characters the window of the next trial has.
        too_long: How many characters the shortest slice has that proved too long; `None` until one did.
    """

    __slots__ = ("_fits", "_rate", "_room", "_shell", "_trials", "reach", "too_long")

    def __init__(self, shell: Shell, room: int) -> None:
        self._shell = shell
        self._rate = shell.rate
        self._room = room
        self._fits = 0
        self._trials = 0
        self.reach = max(1, self._rate.characters_within(room))
        self.too_long: int | None = None

    def shrink(self) -> bool:
        """Choose a shorter window after a slice that is too long; return whether there is one."""
        assert self.too_long is not None  # noqa: S101 - called after a slice that is too long
        expected = int(self._room * _SURE / self._rate.per_character) if self._room > 0 else 0
        self.reach = max(1, min(expected, self.too_long - 1))
        return True

    def grow(self, fitting: Trial) -> bool:
        """Choose a longer window after a slice that fits; return whether that may be worth a measurement."""
        if self.too_long is None or self.reach < self.too_long:
            self._fits = max(self._fits, self.reach)
        self._trials += 1
        if self._trials > _MOST_TRIALS:
            return False
        empty = self._shell.size - fitting.length
        more = int(empty * _SURE / self._rate.per_character)
        if self._shell.is_coarse:
            return self._grow_by_halves(fitting.end - fitting.start + more)
        expected = min(fitting.end - fitting.start + more, _MOST_GROWTH * self._fits)
        if self.too_long is not None:
            expected = min(expected, self.too_long - 1)
        if self._shell.stop - fitting.cut <= fitting.end - fitting.start:
            return False  # the rest fits into one part as it is
        if empty <= self._shell.size * _NEARLY_FULL or expected <= self._fits * (1 + _NEARLY_FULL):
            return False
        self.reach = expected
        return True

    def _grow_by_halves(self, expected: int) -> bool:
        fits = self._fits
        if self.too_long is None:
            self.reach = min(max(expected, fits + fits // 2 + 1), _MOST_GROWTH * fits)
        elif self.too_long - fits <= 1 + fits // _FINEST_STEP:
            return False
        else:
            self.reach = (fits + self.too_long) // 2
        return True


def _overlap_starts(shell: Shell, previous: Trial) -> list[int]:
    """Return where the next slice may start to repeat the end of the previous part: one offset, or none if none fits.

    At most half of a part is repeated, so that the number and the total length of parts stay O(size of the text).

    Rule: P4.
    """
    overlap, ruler = shell.options.chunk_overlap, shell.ruler
    wanted = min(overlap, (shell.size - shell.length) // 2)
    for _ in range(_OVERLAP_TRIALS):
        low = max(previous.end - shell.rate.characters_within(wanted), previous.start + 1)
        start = find_overlap_start(shell, low, previous.end)
        tag = shell.tag_around(start) if start is not None else None
        start = tag[1] if tag else start
        if start is None or start >= previous.end:
            return []
        if ruler.additive or ruler.length(shell.text[start : previous.end], start) <= overlap:
            return [start]
        wanted = wanted * 3 // 4
    return []
