"""Where the next cut of a block is placed: at the best inner boundary of the window.

Knows which boundary of the window is best. Does not know how long the window is allowed to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from langchain_semantic_xml._parts.attached import move_above_attached
from langchain_semantic_xml._parts.levels import LONGEST_ATTACHED_LINE, Level
from langchain_semantic_xml._parts.outlines import Definition
from langchain_semantic_xml._parts.shell import Shell, Span, find_visible
from langchain_semantic_xml._text.blanks import first_visible
from langchain_semantic_xml._text.clusters import cut_between_characters, is_cluster_edge
from langchain_semantic_xml._text.sentences import SENTENCE_END, is_of_script_without_spaces

_LINE_END_AND_BLANKS = re.compile(r"(?:\r?\n\s*)?")
"""What a slice between tags loses where it ends: the line end, and blanks up to the next visible character."""
_BLANKS = re.compile(r"\s*")
"""What another slice loses where it ends."""
_SHORTEST_TAIL = 4
"""The last part is at least the window divided by this, where an equally coarse boundary allows."""


def place_cut(shell: Shell, start: int, first_new: int, reach: int, too_long: int | None) -> Span | None:
    """Return where to cut a window, and where the slice then ends.

    Args:
        shell: The block that is cut.
        start: Where the slice begins.
        first_new: The index of the first visible character that is in no part yet.
        reach: How many characters the window has.
        too_long: Where a slice from `start` that proved too long ends, if there was one.

    Returns:
        The cut and the end of the slice; the last part is cut after the last visible character. `None` if the window
        ends inside a cluster, and a slice that starts later, without blanks or overlap before it, may hold that.

    Rule: P1, P2.
    """
    last = shell.last
    trail = shell.rate.characters_within(shell.trail_length) if shell.trail_length else 0
    if start + reach - trail >= shell.stop:
        return last + 1, shell.stop
    if first_new == last:
        return last + 1, last + 1
    high = min(start + reach, last)  # one visible character at least is left for the next part
    cut = _choose_boundary(shell, start, first_new, high)
    if cut is None:
        # A cluster longer than the window may still fit: the window is an estimate, and marks may count for nothing.
        limit = min(last + 1, first_new + 2 * reach + 32, too_long - 1 if too_long else last + 1)
        cut = cut_between_characters(shell.text, first_new, high, limit)
    if cut is None:
        if start < first_new:
            return None
        cut = high
    tag = shell.tag_around(cut) if shell.tags else None
    if tag:
        cut = tag[0] if tag[0] > first_new else tag[1]
        if cut > last:
            return last + 1, shell.stop
    return cut, shell.slice_end(first_new, cut)


def _choose_boundary(shell: Shell, start: int, first_new: int, high: int) -> int | None:
    """Return the best boundary of the window `[start, high]`, or `None` if it has none.

    An edge of a definition comes first, then the coarsest boundary of the window's second half, then the coarsest of
    its first half.
    """
    middle = max((start + high) // 2, first_new + 1)
    reach = high - start
    high = _reach_over_blanks(shell, high)
    cut = _find_definition_edge(shell, first_new, middle, high)
    if cut is not None:
        return cut
    cut, kind = _find_coarsest(shell, shell.structure_kinds, middle, high)
    if cut is None:
        cut, kind = _find_coarsest(shell, shell.layout_kinds, middle, high)
        if kind is not None and shell.structure_kinds:
            earlier = _earlier_cut_for_next(shell, kind, middle, high)
            cut = cut if earlier is None else earlier
    if cut is None or kind is None:
        return _find_coarsest(shell, shell.kinds, first_new + 1, middle - 1)[0]
    if shell.stop - cut < reach // _SHORTEST_TAIL:
        return _earlier_cut_for_tail(shell, kind, cut, max(first_new + 1, shell.stop - reach), reach)
    return cut


def _earlier_cut_for_tail(shell: Shell, kind: Level, cut: int, low: int, reach: int) -> int:
    """Return an equally coarse boundary from `low` on that leaves a longer last part, else `cut`.

    Rule: P1.
    """
    high = shell.stop - reach // _SHORTEST_TAIL
    if not low <= high < cut:
        return cut
    earlier = _find_last(shell, kind, low, high)
    return cut if earlier is None else earlier


def _reach_over_blanks(shell: Shell, high: int) -> int:
    """Return how far a window that ends at `high` reaches: over the blanks that begin there, if the slice loses them.

    Rule: P1.
    """
    text = shell.text
    if shell.keeps_all_blanks or not text[high].isspace():
        return high
    dropped = _LINE_END_AND_BLANKS if shell.trims_only_blank_lines else _BLANKS
    blanks = dropped.match(text, high, min(shell.last, high + LONGEST_ATTACHED_LINE))
    return blanks.end() if blanks else high


def _find_definition_edge(shell: Shell, first_new: int, middle: int, high: int) -> int | None:
    """Return the first edge of a definition in `[middle, high]`, else the last edge before it that tears no definition.

    A definition that fits into a part is not torn. The inside of a function, or of a class that fits, has no edges.

    Rule: P2.
    """
    outline = shell.block.outline
    if outline is None:
        return None
    for edge in outline.edges_between(middle, high):
        begun = _iter_begun(shell, edge, first_new)
        if not any(_fits_into_part(shell, definition) for definition in begun):
            return edge
    # The outermost definition that begins in the window and fits is not torn.
    torn = [definition for definition in _iter_begun(shell, high, first_new) if first_new < definition.start]
    return next((definition.start for definition in reversed(torn) if _fits_into_part(shell, definition)), None)


def _iter_begun(shell: Shell, offset: int, first_new: int) -> Iterator[Definition]:
    """Yield the definitions that a cut at `offset` would tear and that begin at or after `first_new`, innermost first.

    A definition that holds `first_new` in its first line starts before it if that line is indented.
    """
    outline = shell.block.outline
    for definition in outline.iter_around(offset) if outline else ():
        if find_visible(shell.text, definition.start) < first_new:
            return
        if definition.start < offset:
            yield definition


def _fits_into_part(shell: Shell, definition: Definition) -> bool:
    """Return whether a definition is expected to fit into one part."""
    end = shell.slice_end(definition.start, min(definition.end, shell.end))
    room = shell.room_for_slice(shell.opening_at(definition.start))
    return end - definition.start <= shell.rate.characters_within(room)


def _earlier_cut_for_next(shell: Shell, kind: Level, low: int, high: int) -> int | None:
    """Return an earlier cut, so that the next definition falls into the second half of the next window.

    That is where boundaries are looked for first; in the first half the definition would be torn. `None` if it falls
    there anyway, or no definition comes.
    """
    half = high - low
    ahead, _ = _find_coarsest(shell, shell.structure_kinds, high + 1, min(shell.last, high + half))
    if ahead is None or ahead - half <= low:
        return None
    return _find_last(shell, kind, low, ahead - half)


def _find_coarsest(shell: Shell, kinds: Sequence[Level], low: int, high: int) -> tuple[int | None, Level | None]:
    """Return the last boundary in `[low, high]` of the coarsest kind that has a boundary there, and the kind."""
    if low <= high:
        for kind in kinds:
            cut = _find_last(shell, kind, low, high)
            if cut is not None:
                return cut, kind
    return None, None


def _find_last(shell: Shell, kind: Level, low: int, high: int) -> int | None:
    """Return the last allowed boundary of the coarsest group of one kind in `[low, high]` that has an allowed one."""
    may_be_barred = kind.attached or shell.fences
    for group in kind.find(shell.text, low, high):
        cut = _last_allowed(shell, kind, group, low, high) if may_be_barred else next(iter(group), None)
        if cut is not None:
            return cut
    return None


def _last_allowed(shell: Shell, kind: Level, group: Iterable[int], low: int, high: int) -> int | None:
    """Return the last boundary in `[low, high]` that tears no fence and no attached line off, or `None`.

    Args:
        shell: The block that is cut.
        kind: The kind of the boundaries.
        group: The boundaries, from the last to the first.
        low: The least boundary wanted.
        high: The greatest boundary wanted.
    """
    upper = high
    moved_to = None
    for boundary in group:
        if moved_to is not None and boundary > moved_to:
            continue  # this line is attached to the previous boundary, so it would move up to the same place
        cut = moved_to = move_above_attached(shell.text, kind, boundary, low, shell.start)
        if not low <= cut <= upper:
            continue
        fence = shell.fence_around(cut)
        if fence is None or (kind.in_fence and fence[1] - fence[0] > _most_characters_of_fence(shell)):
            return cut
        upper = fence[0]
    return None


def _most_characters_of_fence(shell: Shell) -> int:
    """Return how many characters fenced code may have to fit into a part."""
    return shell.rate.characters_within(shell.room_for_slice(shell.plain_opening))


def find_overlap_start(shell: Shell, low: int, high: int) -> int | None:
    """Return where an overlap in `[low, high)` begins: the first line start with a visible character after it.

    Else the first start of a sentence; else, in a script without spaces, the first edge of a character; else the
    first start of a word. `None` without any of these.

    Rule: P4.
    """
    text = shell.text
    if low >= high:
        return None
    for edge in ("\n", SENTENCE_END, " "):
        if edge == " " and is_of_script_without_spaces(text[low]):
            return next((at for at in range(low, high) if not text[at].isspace() and is_cluster_edge(text, at)), None)
        start = _end_of_match(edge, text, low - 1, high)
        if start >= low:
            first = first_visible(text, start, high)
            if first < high:
                return shell.slice_starts(start, first)[0]
    return None


def _end_of_match(edge: str | re.Pattern[str], text: str, low: int, high: int) -> int:
    """Return where the first match of a literal or a pattern in `text[low:high]` ends; -1 without a match."""
    if isinstance(edge, str):
        at = text.find(edge, low, high)
        return at + len(edge) if at >= 0 else -1
    match = edge.search(text, low, high)
    return match.end() if match else -1
