"""The block that is cut, the text that every part repeats around its slice, and the measuring of a part.

Knows what a slice loses at its ends and how long a part is. Does not know where a cut is placed.

The words of this wing:

* **slice**: the characters of the block that a part holds besides the text that it repeats.
* **shell**: the text that every part repeats around its slice: the block's head and tail.
* **opening**: the text before one slice: the head, and signatures if they are repeated.
* **window**: the characters that a part can hold at most, from the start of its slice.
* **first new**: the index of the first visible character that is in no part yet. Every part holds the first new one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from langchain_semantic_xml._parts.levels import InnerBoundaries
from langchain_semantic_xml._parts.outlines import Outline
from langchain_semantic_xml._parts.tables import find_tables, header_at
from langchain_semantic_xml._text.blanks import NOT_BLANK, first_visible, last_visible
from langchain_semantic_xml._text.fences import fenced_spans
from langchain_semantic_xml._text.rulers import LengthRate, Ruler
from langchain_semantic_xml._text.shares import MOST_REPEATED, MOST_REPEATED_AND_LINES
from langchain_semantic_xml.values import Options

Span = tuple[int, int]

_FINE = 48
"""A length function is fine if a chunk is at least so many times as long as a character."""
_SAMPLE = 200
"""How many characters are measured to know the rate of a block."""


_BETWEEN_CRUMBS = " \u203a "
_LONGEST_BREADCRUMB = 400
"""How many characters a breadcrumb may have."""
_MOST_NAMES = 12
"""How many definitions a breadcrumb may name."""


class BlockToCut(NamedTuple):
    """An oversized block.

    Args:
        text: The text that holds it.
        start: Where it begins.
        end: Where it ends.
        boundaries: Its inner boundaries, from `boundaries_for`.
        body: What is cut; the characters before and after it, the tags, are repeated around every part. `None` cuts
            the whole block and repeats nothing.
        tags: The spans of the block's own tags, which are cut only where one alone is too long.
        lead: Put before the text of the first part, such as a heading and the separator.
        trail: Put after the text of the last part.
        outline: The definitions in the block. A definition that fits into a part is not cut, and each part names the
            definition that it is in.
        identity: The element's path or other name, for breadcrumbs.
        cuts: Where the block is cut at its definitions even if it fits.
    """

    text: str
    start: int
    end: int
    boundaries: InnerBoundaries
    body: Span | None = None
    tags: tuple[Span, ...] = ()
    lead: str = ""
    trail: str = ""
    outline: Outline | None = None
    identity: str | None = None
    cuts: tuple[int, ...] = ()

    def is_blank(self, span: Span) -> bool:
        """Return whether the characters of a span are all blank."""
        return NOT_BLANK.search(self.text, *span) is None

    def scope_of(self, start: int, end: int) -> str | None:
        """Return the name of the innermost definition that holds all visible characters of the slice `[start, end)`."""
        if self.outline is None:
            return None
        return self.outline.scope_of(find_visible(self.text, start), last_visible(self.text, start, end))

    def breadcrumb(self, start: int, end: int) -> str:
        """Return the line that names a slice: the identity, and the definitions that begin in it, or else its scope.

        Rule: P6.
        """
        names = [] if self.outline is None else list(islice(self.outline.iter_names(start, end), _MOST_NAMES))
        scope = self.scope_of(start, end) if len(names) <= 1 else None
        crumbs = (self.identity, scope or ", ".join(names))
        line = _BETWEEN_CRUMBS.join(" ".join(crumb.split()) for crumb in crumbs if crumb)
        return f"{line[:_LONGEST_BREADCRUMB]}\n" if line else ""


class Opening(NamedTuple):
    """The text before a slice.

    Args:
        text: The text.
        length: About how much longer than the head of the shell it is.
        is_breadcrumb: Whether it names the slice, so that it depends on where that ends.
    """

    text: str
    length: int
    is_breadcrumb: bool = False


class Trial(NamedTuple):
    """A part that is measured and may prove too long.

    Args:
        start: Where its slice begins.
        end: Where its slice ends.
        cut: Where the next part may begin.
        text: The joined text.
        length: The measured length of the text.
    """

    start: int
    end: int
    cut: int
    text: str
    length: int


def leaves_room_beside(block: BlockToCut, body: Span, options: Options, ruler: Ruler) -> bool:
    """Return whether the text around `body`, the tags, is short enough to be repeated around every part.

    Rule: P3.
    """
    shell = measure_shell(block, body, ruler)
    if shell > options.chunk_size * MOST_REPEATED:
        return False
    added = max(added_length(text, block.start, ruler) for text in (block.lead, block.trail))
    return shell + added <= options.chunk_size * MOST_REPEATED_AND_LINES


def measure_shell(block: BlockToCut, body: Span, ruler: Ruler) -> int:
    """Return the length of the text around `body`."""
    return ruler.length(block.text[block.start : body[0]] + block.text[body[1] : block.end], block.start)


def added_length(text: str, at: int, ruler: Ruler) -> int:
    """Return about how much longer a text, that belongs to offset `at`, makes a part."""
    return ruler.length(text, at) - ruler.empty_length if text else 0


class Shell:
    """The characters that are cut, the text that is repeated around each slice of them, and their lengths so far.

    Attributes:
        text: The text that holds the block.
        start: Where the characters that are cut begin.
        end: Where they end.
        size: The most that a part may measure.
        last: The index of the last visible character.
        stop: Where the slice of the last part ends, if it fits.
        length: The length of the text that every part repeats.
        rate: The estimated length per character of slices.
        is_first: Whether the block's head is directly before the characters that are cut.
        is_last: Whether the block's tail is directly after them.
        is_coarse: Whether lengths say little about the number of characters, as those of a function of lines.
        trims_only_blank_lines: Whether a slice loses only blank lines, because tags follow it on a line of their own.
        keeps_all_blanks: Whether a slice loses nothing.
        tags: The spans of tags that a cut may not tear.
        tables: The tables whose headers may be repeated.
        fences: The spans of fenced code that is kept whole where it fits.
        kinds: The kinds of inner boundaries that may occur; `structure_kinds` and `layout_kinds` are its two halves.
        first_opening: The opening of the first part.
        first_without_breadcrumb: The same without a breadcrumb.
        plain_opening: The opening of other parts that repeat no signature.
        trail_length: How much longer the trail makes the last part.
    """

    __slots__ = (
        "_signature_lengths", "block", "end", "fences", "first_opening", "first_without_breadcrumb", "is_coarse",
        "is_first", "is_last", "keeps_all_blanks", "kinds", "last", "layout_kinds", "length", "options",
        "plain_opening", "rate", "ruler", "size", "start", "stop", "structure_kinds", "tables", "tags", "tail",
        "text", "trail_length", "trims_only_blank_lines",
    )  # fmt: skip

    def __init__(
        self, block: BlockToCut, body: Span, options: Options, ruler: Ruler, around: Span | None = None
    ) -> None:
        """Prepare the cutting of the characters of `body`, which are not all blank.

        The characters before and after `around`, or else before and after `body`, are repeated around every part.
        """
        text = block.text
        around = around or body
        self.is_first, self.is_last = body[0] == around[0], body[1] == around[1]
        self.block, self.options, self.ruler, self.text = block, options, ruler, text
        self.size = options.chunk_size
        self.start, self.end = body
        self.rate = LengthRate()
        self.trims_only_blank_lines = around != (block.start, block.end)
        self.keeps_all_blanks = not (self.trims_only_blank_lines or options.strip_whitespace)
        self.kinds = [kind for kind in block.boundaries.kinds if not kind.needs or kind.may_occur_in(text, *body)]
        self.structure_kinds = [kind for kind in self.kinds if kind.structure]
        self.layout_kinds = [kind for kind in self.kinds if not kind.structure]
        self.fences = fenced_spans(text, *body) if block.boundaries.keep_fences else []
        head, self.tail = text[block.start : around[0]], text[around[1] : block.end]
        self.length = measure_shell(block, around, ruler) if self.trims_only_blank_lines else ruler.empty_length
        self.first_opening = Opening(block.lead + head, added_length(block.lead, block.start, ruler))
        self.first_without_breadcrumb = self.first_opening
        self.plain_opening = Opening(head, 0)
        self._signature_lengths: dict[Span, int] = {}
        wants_headers = options.repeat == "signatures" and block.outline is None
        self.tables = find_tables(text, *body) if wants_headers and "|" in text[slice(*body)] else []
        if options.repeat == "breadcrumb":
            self._add_breadcrumb_to_first_opening()
        self.trail_length = added_length(block.trail, block.start, ruler)
        # The tags around a body are no part of what is cut.
        self.tags = [] if self.trims_only_blank_lines else [tag for tag in block.tags if self._fits_alone(tag)]
        self.last = last_visible(text, *body) - 1
        self.is_coarse = not ruler.additive and self._is_coarse()
        if not (ruler.additive or self.is_coarse):
            self._measure_sample()
        self.stop = self.slice_end(self.last, self.end)
        if self.stop - (self.last + 1) > self.size // 2:
            self.stop = self.last + 1  # blanks that would take most of a part for themselves are dropped

    def _add_breadcrumb_to_first_opening(self) -> None:
        """Put the breadcrumb before the lead, if it leaves room."""
        opening = self._opening_with_breadcrumb(find_visible(self.text, self.start))
        if opening.is_breadcrumb and opening.length + self.first_opening.length <= self.size * MOST_REPEATED_AND_LINES:
            text, length = opening.text + self.first_opening.text, opening.length + self.first_opening.length
            self.first_opening = Opening(text, length, is_breadcrumb=True)

    def _is_coarse(self) -> bool:
        """Return whether one character may take so much of a part that lengths say little about characters."""
        first = find_visible(self.text, self.start)
        step = self.ruler.length(self.text[first : first + 1], first) - self.ruler.empty_length
        return self.size < _FINE * max(step, 1)

    def _measure_sample(self) -> None:
        """Measure the first characters that are cut, to know the rate before the first part is measured."""
        end = min(self.last + 1, self.start + max(_SAMPLE, self.size // 8))
        length = self.ruler.length(self.text[self.start : end], self.start)
        self.rate.learn(end - self.start, length - self.ruler.empty_length)

    def _fits_alone(self, span: Span) -> bool:
        return self.ruler.length_within(self.text, *span, self.size) is not None

    def slice_end(self, start: int, cut: int) -> int:
        """Return where the slice `[start, cut)`, which is not blank, ends without the blanks that it loses.

        Rule: P3.
        """
        text = self.text
        if self.keeps_all_blanks or not text[cut - 1].isspace():
            return cut
        end = last_visible(text, start, cut)
        if not self.trims_only_blank_lines:
            return end
        line_end = text.find("\n", end, cut)
        if line_end == -1:
            return cut
        return line_end - 1 if line_end > end and text[line_end - 1] == "\r" else line_end

    def slice_starts(self, cut: int, first_new: int) -> list[int]:
        """Return where a slice that holds `first_new` may start, best first: with all blanks, indented, or without."""
        text = self.text
        line = text.rfind("\n", cut, first_new) + 1
        if not line:
            line = cut if cut == self.start or text[cut - 1] == "\n" else first_new
        if self.keeps_all_blanks and cut < line:
            return [cut, line, first_new] if line < first_new else [cut, line]
        return [line, first_new] if line < first_new else [line]

    def least_end(self, first_new: int) -> int:
        """Return where a slice that holds `first_new` ends at the earliest: a tag in it is whole."""
        return next((tag[1] for tag in self.tags if tag[0] <= first_new < tag[1]), first_new + 1)

    def tag_around(self, cut: int) -> Span | None:
        """Return the tag that a cut at `cut` would tear, if there is one."""
        return next((tag for tag in self.tags if tag[0] < cut < tag[1]), None)

    def fence_around(self, cut: int) -> Span | None:
        """Return the fenced code that a cut at `cut` would tear, if there is some."""
        number = bisect_left(self.fences, (cut,)) - 1
        return self.fences[number] if number >= 0 and cut < self.fences[number][1] else None

    def room_for_slice(self, opening: Opening) -> int:
        """Return the length that a slice may have after an opening."""
        return self.size - self.length - opening.length

    def opening_at(self, start: int) -> Opening:
        """Return the opening of a slice that begins at `start`.

        Rule: P3, P5, P6.
        """
        if self.options.repeat == "breadcrumb":
            return self._opening_with_breadcrumb(start)
        if (start == self.start and self.is_first) or self.options.repeat != "signatures":
            return self.plain_opening
        return self._opening_with_signatures(start)

    def _opening_with_signatures(self, start: int) -> Opening:
        """Return the head, and after it the innermost signatures around `start` that leave room, or a table's header.

        Each signature is measured once, and no more of them are looked at than leave room: O(`chunk_size`).

        Rule: P5.
        """
        signatures: list[Span] = []
        length = 0
        for signature in self._iter_repeatable(start):
            length += self._length_of_signature(signature)
            if self.length + length > self.size * MOST_REPEATED:
                length -= self._length_of_signature(signature)
                break
            signatures.append(signature)
        if not signatures:
            return self.plain_opening
        text = "".join(self.text[slice(*signature)] for signature in reversed(signatures))
        return Opening(self.plain_opening.text + text, length)

    def _iter_repeatable(self, start: int) -> Iterable[Span]:
        outline = self.block.outline
        if outline is not None:
            return outline.iter_signatures(start)
        header = header_at(self.tables, start)
        return () if header is None else (header,)

    def _length_of_signature(self, signature: Span) -> int:
        length = self._signature_lengths.get(signature)
        if length is None:
            length = added_length(self.text[slice(*signature)], self.block.start, self.ruler)
            self._signature_lengths[signature] = length
        return length

    def _opening_with_breadcrumb(self, start: int) -> Opening:
        """Return the opening that a slice from `start` is expected to have; `measure_part` makes it exact."""
        text = self.block.breadcrumb(start, start + 1)
        if not text:
            return self.plain_opening
        length = added_length(text, self.block.start, self.ruler)
        if self.length + length > self.size * MOST_REPEATED:
            return self.plain_opening
        return Opening(text, length, is_breadcrumb=True)

    def _breadcrumb_of(self, start: int, end: int) -> str:
        """Return the line that names the slice `[start, end)`, with the lead after it in the first part."""
        return self.block.breadcrumb(start, end) + (self.block.lead if start == self.start else "")

    def measure_part(self, start: int, cut: int, end: int, opening: Opening) -> Trial:
        """Join and measure the part with the slice `[start, end)`, after which the next part begins at `cut`.

        Rule: P3.
        """
        text = self._breadcrumb_of(start, end) if opening.is_breadcrumb else opening.text
        joined = text + self.text[start:end] + self.tail
        if cut > self.last:
            joined += self.block.trail
        length = self.ruler.length(joined, start)
        if not self.ruler.additive:
            trail_length = self.trail_length if cut > self.last else 0
            self.rate.learn(end - start, length - self.length - opening.length - trail_length)
        return Trial(start, end, cut, joined, length)


def find_visible(text: str, start: int) -> int:
    """Return the index of the first visible character from `start` on; there must be one.

    It is often the character at `start` itself, so that is looked at first.
    """
    return first_visible(text, start, len(text)) if text[start].isspace() else start
