"""Blocks → sections, for callers that have blocks and no source: the public doors to units and groups.

Lays out blocks one after the other, so that spans can stand for them. Which units there are is known to
`_sections/units`, how they are grouped to `_sections/grouping`; this module adds no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from langchain_semantic_xml._sections.accounts import SUM_ERROR
from langchain_semantic_xml._sections.grouping import iter_groups
from langchain_semantic_xml._sections.open_group import Group
from langchain_semantic_xml._sections.units import Unit, cut_units, find_first_line, join_spans, unit_spans
from langchain_semantic_xml._text.blanks import skip_byte_order_mark
from langchain_semantic_xml._text.checks import (
    check_chunk_size,
    check_instance,
    check_isolate,
    check_separator,
    check_several,
)
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.typing import LengthFunction
from langchain_semantic_xml.values import DEFAULT_SEPARATOR, Block, Extent, Options, Section

_REMEDY = "make one with Block.from_text()"


def section_blocks(
    blocks: Iterable[Block],
    *,
    chunk_size: int,
    separator: str = DEFAULT_SEPARATOR,
    length_function: LengthFunction = len,
    new_after: int | None = None,
    combine_under: int | None = None,
    isolate: Iterable[str] | bool = (),
) -> list[Section]:
    r"""Group consecutive blocks into sections that fit `chunk_size`, separators included.

    Text blocks are trimmed, and cut at their headings and container lines, so that a heading stays with the text below
    it; one block can thus be in two sections. A block that alone is longer than `chunk_size` is a section by itself.

    Args:
        blocks: The blocks, in order; their offsets may be those of different sources.
        chunk_size: The hard maximum of a section's length.
        separator: Put between two blocks.
        length_function: Measures text; need not be additive.
        new_after: The soft maximum: a section that has reached it takes no further block.
        combine_under: A section smaller than this is joined with the next passage (a heading with the text below it)
            when both fit; `None` means `chunk_size`, 0 turns joining off.
        isolate: Types whose blocks share a section with no other block; `True` means every type.

    Returns:
        The sections, in order.

    Raises:
        TypeError: If an argument has the wrong type: a block or a string where several are wanted, a `bool` for a size.
        ValueError: If a size is too small.

    Example:
        >>> blocks = [Block.from_text("# Notes\n"), Block.from_text("<file>a</file>", "file")]
        >>> [section.text for section in section_blocks(blocks, chunk_size=100)]
        ['# Notes\n\n<file>a</file>']

    Rule: S1, S2, S3, S4, S5.
    """
    listed = _list_blocks(blocks)
    options = Options(
        chunk_size=chunk_size,
        length_function=length_function,
        separator=check_separator(separator),
        new_after=new_after,
        combine_under=combine_under,
        isolate=check_isolate(isolate),
    )
    ruler = Ruler(length_function)
    names = frozenset(block.type for block in listed)
    window, extents = _lay_out(listed)
    sections = []
    for group in iter_groups(cut_units(window, extents, names, strip=True), window, options, ruler):
        if isinstance(group, Group):
            sections.append(Section(_choose_blocks(group.units, listed), group.text, group.length))
            continue
        for units in filter(None, (group.lead, (group.unit,), group.trail)):
            text = join_spans(window, unit_spans(units, separator), separator)
            sections.append(Section(_choose_blocks(units, listed), text, ruler.length(text, units[0].start)))
    return sections


def _list_blocks(blocks: Iterable[Block]) -> list[Block]:
    return [
        check_instance(f"blocks[{position}]", block, Block, _REMEDY)
        for position, block in enumerate(check_several("blocks", blocks, Block))
    ]


def _lay_out(blocks: Sequence[Block]) -> tuple[Window, list[Extent]]:
    """Lay blocks one after the other, and return the text with their extents.

    A block that begins its own source begins a line; any other text block goes on in the line of the block before it.
    """
    texts: list[str] = []
    extents = []
    end = 0
    for block in blocks:
        if texts:
            texts.append("\n" if block.start == 0 else " ")
            end += 1
        texts.append(block.content)
        extents.append(Extent(block.type, end, end + len(block.content)))
        end += len(block.content)
    return Window("".join(texts)), extents


def _choose_blocks(units: Iterable[Unit], blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of consecutive units, each once."""
    return tuple(blocks[ordinal] for ordinal in dict.fromkeys(unit.block for unit in units))


class _Candidate(NamedTuple):
    """The open section with one more block.

    Args:
        block: The block.
        text: Its content; of a text block, trimmed.
        estimate: The sum of the lengths of all its blocks and separators.
        length: The length of the section: measured if it may fit, else the sum.
    """

    block: Block
    text: str
    estimate: int
    length: int


class SectionBuilder:
    r"""Builds one section after another, block by block.

    Responsibilities: say which block fits, count the separators, join the text, measure it. With a length function
    other than `len`, each block that is asked about is measured once by itself, and once joined if it may fit.

    Args:
        chunk_size: The maximum length of a section; only a block that is alone may be longer.
        separator: Put between two blocks.
        length_function: Measures text; need not be additive.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If `chunk_size` is less than 1.

    Example:
        >>> builder = SectionBuilder(10)
        >>> builder.add(Block.from_text("four"))
        >>> builder.text_length, builder.remaining_space, builder.will_fit(Block.from_text("5 five"))
        (4, 4, False)
        >>> builder.add(Block.from_text("more"))
        >>> builder.flush().text
        'four\n\nmore'

    Rule: S1.
    """

    __slots__ = ("_candidate", "_ruler", "_separator", "_separator_length", "_size", "_taken")

    def __init__(
        self, chunk_size: int, *, separator: str = DEFAULT_SEPARATOR, length_function: LengthFunction = len
    ) -> None:
        self._size = check_chunk_size(chunk_size)
        self._separator = check_separator(separator)
        self._ruler = Ruler(length_function)
        self._separator_length = self._ruler.length(separator, 0) - self._ruler.empty_length
        self._taken: list[_Candidate] = []
        self._candidate: _Candidate | None = None

    @property
    def text_length(self) -> int:
        """The length of the open section, separators included; 0 when it is empty."""
        return self._taken[-1].length if self._taken else 0

    @property
    def remaining_space(self) -> int:
        """How long a next block may be; never negative."""
        if not self._taken:
            return self._size
        return max(0, self._size - self.text_length - self._separator_length)

    def will_fit(self, block: Block) -> bool:
        """Return whether the open section may take `block`; an empty section takes any block.

        Raises:
            TypeError: If `block` is not a `Block`.
        """
        candidate = self._measure_with(block)
        return not self._taken or not candidate.text or candidate.length <= self._size

    def add(self, block: Block) -> None:
        """Add `block` to the open section; a blank block takes no room and is left out.

        Raises:
            TypeError: If `block` is not a `Block`.
            ValueError: If it does not fit.
        """
        if not self.will_fit(block):
            room = f"the remaining space of {self.remaining_space}"
            msg = f"{block.type!r} block does not fit into {room}; ask will_fit() first, and flush() when it says no"
            raise ValueError(msg)
        candidate = self._measure_with(block)
        if candidate.text:
            self._taken.append(candidate)
            self._candidate = None

    def flush(self) -> Section | None:
        """Return the open section, `None` when it is empty, and begin a new one."""
        if not self._taken:
            return None
        taken, self._taken, self._candidate = self._taken, [], None
        return Section(tuple(candidate.block for candidate in taken), self._join(taken), taken[-1].length)

    def _measure_with(self, block: Block) -> _Candidate:
        """Return the open section with `block`, measured once however often the block is asked about."""
        if self._candidate is None or self._candidate.block is not block:
            check_instance("block", block, Block, _REMEDY)
            self._candidate = self._make_candidate(block, _trim_content(block))
        return self._candidate

    def _make_candidate(self, block: Block, text: str) -> _Candidate:
        alone = self._ruler.length_within(text, 0, len(text), self._size)
        estimate = self._size + 1 if alone is None else alone
        if not self._taken:
            return _Candidate(block, text, estimate, self._ruler.length(text, 0) if alone is None else alone)
        estimate += self._taken[-1].estimate + self._separator_length - self._ruler.empty_length
        candidate = _Candidate(block, text, estimate, estimate)
        if self._ruler.additive or estimate - SUM_ERROR * len(self._taken) > self._size:
            return candidate
        return candidate._replace(length=self._ruler.length(self._join([*self._taken, candidate]), 0))

    def _join(self, taken: Iterable[_Candidate]) -> str:
        return self._separator.join([candidate.text for candidate in taken])


def _trim_content(block: Block) -> str:
    """Return the text that a section holds of a block: a text block is trimmed as in `section_blocks`."""
    if block.type != TEXT:
        return block.content
    begins_line = block.start == 0
    content = block.content
    begin = skip_byte_order_mark(content) if begins_line else 0
    return content[find_first_line(content, begin, len(content), begins_line=begins_line) :].rstrip()
