"""Blocks → sections, for those who have blocks and no source: the public doors to units and groups.

Lays out blocks so that spans can stand for them. How units are cut is known to
`units`, how they are grouped to `packing`; this module adds no rule of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from langchain_semantic_xml._sections.grouping import Entry, Scale, iter_groups, joined_length
from langchain_semantic_xml._sections.units import (
    Kind,
    Unit,
    cut_units,
    first_ink,
    join_spans,
    unit_spans,
)
from langchain_semantic_xml._text.blanks import skip_byte_order_mark
from langchain_semantic_xml._text.checks import (
    check_chunk_size,
    check_instance,
    check_isolate,
    check_names,
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
    elements: Iterable[str] = (),
) -> list[Section]:
    r"""Group consecutive blocks into sections that fit `chunk_size`, separators included.

    Text blocks are trimmed, and cut at their headings and container lines, so that a heading stays with what it
    heads; one block can thus be in two sections. A block that alone is longer than `chunk_size` is a section by itself.

    Args:
        blocks: The blocks, in order; where they came from does not matter.
        chunk_size: The hard maximum of a section's length.
        separator: What stands between two blocks.
        length_function: Measures text; need not be additive.
        new_after: The soft maximum: a section that has reached it takes no further block.
        combine_under: What begins with a heading and is shorter than this is joined with what comes next when both
            fit; `None` means `chunk_size`, 0 turns it off.
        isolate: Types whose blocks share a section with no other block; `True` means every type.
        elements: Names of elements, besides the types of `blocks`, whose tags are not container lines.

    Returns:
        The sections, in order.

    Raises:
        TypeError: If an argument has the wrong type: a block or a string where several are wanted, a `bool` for a size.
        ValueError: If a size is too small.

    Example:
        >>> blocks = [Block.from_text("# Notes\n"), Block.from_text("<file>a</file>", "file")]
        >>> [section.text for section in section_blocks(blocks, chunk_size=100)]
        ['# Notes\n\n<file>a</file>']
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
    names = frozenset(
        chain((block.type for block in listed), check_names("elements", elements, "an iterable of names"))
    )
    source, extents = _laid_out(listed)
    sections = []
    for group in iter_groups(cut_units(source, extents, names, strip=True), source, options, ruler):
        if not group.oversized:
            sections.append(Section(_blocks_of(group.units, listed), group.text, group.length))
            continue
        for units in filter(None, (group.lead, group.units, group.trail)):
            text = join_spans(source, unit_spans(units, separator), separator)
            sections.append(Section(_blocks_of(units, listed), text, ruler.length(text, units[0].start)))
    return sections


def _list_blocks(blocks: Iterable[Block]) -> list[Block]:
    return [
        check_instance(f"blocks[{position}]", block, Block, _REMEDY)
        for position, block in enumerate(check_several("blocks", blocks, Block))
    ]


def _laid_out(blocks: Sequence[Block]) -> tuple[Window, list[Extent]]:
    """Lay blocks one after the other, so that offsets can stand for them.

    A block that begins its own source begins a line; text further on begins where an element ends, in its line.
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


def _blocks_of(units: Iterable[Unit], blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of consecutive units, each once."""
    return tuple(blocks[ordinal] for ordinal in dict.fromkeys(unit.block for unit in units))


class _Candidate(NamedTuple):
    """A block with what it would make of the open section.

    Args:
        block: The block.
        text: Its content; of a text block, trimmed.
        entry: Its place in the accounting.
        joined: The length of the section with it.
    """

    block: Block
    text: str
    entry: Entry
    joined: int


class SectionBuilder:
    r"""Builds one section after another, block by block, and keeps the account of lengths.

    Responsibilities: say what fits, count the separators, join the text, measure it. With a length function other than
    `len` each block that is asked about is measured once by itself, and once joined when it may fit.

    Args:
        chunk_size: The maximum length of a section; only a block that is alone may be longer.
        separator: What stands between two blocks.
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
    """

    __slots__ = ("_candidate", "_ruler", "_scale", "_separator", "_size", "_taken", "_window")

    def __init__(
        self, chunk_size: int, *, separator: str = DEFAULT_SEPARATOR, length_function: LengthFunction = len
    ) -> None:
        self._size = check_chunk_size(chunk_size)
        self._separator = check_separator(separator)
        self._ruler = Ruler(length_function)
        self._window = Window("")
        self._scale = Scale(self._window, separator, self._ruler, self._size)
        self._taken: list[_Candidate] = []
        self._candidate: _Candidate | None = None

    @property
    def text_length(self) -> int:
        """The length of the open section, separators included; 0 when it is empty."""
        return self._taken[-1].joined if self._taken else 0

    @property
    def remaining_space(self) -> int:
        """How long a next block may be; never negative."""
        if not self._taken:
            return self._size
        return max(0, self._size - self.text_length - self._scale.joint)

    def will_fit(self, block: Block) -> bool:
        """Whether the open section may take `block`: always when it is empty, since an oversized block is alone."""
        candidate = self._weighed(block)
        return not self._taken or not candidate.text or candidate.joined <= self._size

    def add(self, block: Block) -> None:
        """Add `block` to the open section; a blank one takes no room and is left out.

        Raises:
            TypeError: If `block` is not a `Block`.
            ValueError: If it does not fit.
        """
        if not self.will_fit(block):
            room = f"the remaining space of {self.remaining_space}"
            msg = f"{block.type!r} block does not fit into {room}; ask will_fit() first, and flush() when it says no"
            raise ValueError(msg)
        candidate = self._weighed(block)
        if candidate.text:
            self._taken.append(candidate)
            self._candidate = None

    def flush(self) -> Section | None:
        """Return the open section, `None` when it is empty, and begin a new one."""
        if not self._taken:
            return None
        taken, self._taken, self._candidate = self._taken, [], None
        text = self._separator.join(candidate.text for candidate in taken)
        return Section(tuple(candidate.block for candidate in taken), text, taken[-1].joined)

    def _weighed(self, block: Block) -> _Candidate:
        """Return the candidate for `block`, weighed once however often it is asked about before it is added."""
        if self._candidate is None or self._candidate.block is not block:
            check_instance("block", block, Block, _REMEDY)
            self._candidate = self._weigh(block)
        return self._candidate

    def _weigh(self, block: Block) -> _Candidate:
        self._window.text = text = _trimmed_content(block)
        unit = Unit(len(self._taken), block.type, 0, len(text), Kind.ELEMENT)
        entry = self._scale.weigh(unit, self._taken[-1].entry if self._taken else None)
        return _Candidate(block, text, entry, self._joined_with(text, entry))

    def _joined_with(self, text: str, entry: Entry) -> int:
        """Return the length of the open section with `text`: measured, unless the sum is exact or too long anyway."""
        if not self._taken:
            return entry.length if entry.length <= self._size else self._ruler.length(text, 0)
        total = joined_length(self._taken[0].entry, entry)
        if self._ruler.additive or total > self._size:
            return total
        return self._ruler.length(self._separator.join([*(taken.text for taken in self._taken), text]), 0)


def _trimmed_content(block: Block) -> str:
    """Return what a section holds of a block: a text block is trimmed as in `section_blocks`."""
    if block.type != TEXT:
        return block.content
    fresh = block.start == 0
    content = block.content
    begin = skip_byte_order_mark(content) if fresh else 0
    return content[first_ink(content, begin, len(content), fresh=fresh) :].rstrip()
