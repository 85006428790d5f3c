"""Units → groups: what shares a chunk, separators included.

Knows lengths and the rules of sections. Cuts nothing: a unit is moved whole, or is left to others when it is too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from langchain_semantic_xml._sections.units import Kind, Unit, join_spans, unit_spans
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Options


class Group(NamedTuple):
    """Consecutive units that make one chunk, or one unit that is too long for a chunk.

    Args:
        units: The units, repeated ones first; exactly one when `oversized`.
        text: The joined text; `""` when `oversized`.
        length: The measured length of `text`; when `oversized`, some number above `chunk_size`.
        spans: The longest source spans whose slices, joined by the separator, are the text.
        lead: Heading and opening lines that go with the first part of an oversized unit.
        trail: Closing lines that go with its last part.
        oversized: Whether the unit alone is longer than `chunk_size`.
    """

    units: tuple[Unit, ...]
    text: str
    length: int
    spans: tuple[tuple[int, int], ...]
    lead: tuple[Unit, ...] = ()
    trail: tuple[Unit, ...] = ()
    oversized: bool = False


class Entry(NamedTuple):
    """A unit with its length, and the running total that gives the length of any stretch of units.

    Args:
        unit: The unit.
        length: Its length alone.
        total: The length of everything up to its end, joints included, less the ruler's base for each.
    """

    unit: Unit
    length: int
    total: int


def joined_length(first: Entry, last: Entry) -> int:
    """Return the length of the text from `first` to `last`, joints included: exact if the ruler is additive."""
    return last.total - first.total + first.length


class Scale:
    """The accounting of lengths: weighs units alone, and what stands between two of them.

    With an additive ruler nothing is sliced and every answer is exact; with any other, sums are estimates.

    Attributes:
        joint: What a separator adds to the length of a joined text; 0 without one.
    """

    __slots__ = ("_additive", "_base", "_gaps", "_limit", "_ruler", "_separator", "_source", "joint")

    def __init__(self, source: Window, separator: str | None, ruler: Ruler, limit: int) -> None:
        """Weigh units of `source`; how much longer than `limit` one is, is nobody's concern."""
        self._source = source
        self._limit = limit
        self._separator = separator
        self._ruler = ruler
        self._additive = ruler.additive
        self._base = ruler.empty_length
        self._gaps: dict[str, int] = {}
        self.joint = 0 if separator is None else ruler.length(separator, 0) - ruler.empty_length

    def weigh(self, unit: Unit, before: Entry | None) -> Entry:
        """Return the entry of a unit that follows the entry `before`."""
        length = unit.end - unit.start if self._additive else self._measure(unit)
        total = length - self._base
        if before is not None:
            total += before.total + self._joint(before.unit, unit)
        return Entry(unit, length, total)

    def _measure(self, unit: Unit) -> int:
        """Return the length of one unit; of one that is longer than the limit, some number above that."""
        shift = self._source.offset
        length = self._ruler.length_within(self._source.text, unit.start - shift, unit.end - shift, self._limit)
        return self._limit + 1 if length is None else length

    def _joint(self, left: Unit, right: Unit) -> int:
        """Return the length of what joins two units: the separator, or the source's own white space."""
        if self._separator is not None and left.block != right.block:
            return self.joint
        if self._additive:
            return right.start - left.end
        gap = self._source.slice(left.end, right.start)
        if gap not in self._gaps:
            self._gaps[gap] = self._ruler.length(gap, left.end) - self._base
        return self._gaps[gap]


def iter_groups(units: Iterable[Unit], source: Window, options: Options, ruler: Ruler) -> Iterator[Group]:
    r"""Pack units into groups that fit `chunk_size`, tearing no section to fill one.

    Greedy and lazy: a unit is pulled only when the groups that do not depend on it are out, and `source` is asked only
    for the units pulled so far, back to the first unit of the last group. Amortised O(1) per unit and character.

    Args:
        units: The units, in source order.
        source: The text that they point into.
        options: The options.
        ruler: What measures.

    Yields:
        Every unit once, in order; with an overlap, also again at the start of the next group.

    Example:
        >>> from langchain_semantic_xml.values import Extent
        >>> from langchain_semantic_xml._sections.units import cut_units
        >>> text = "# A\none\n# B\ntwo"
        >>> units = cut_units(Window(text), [Extent("text", 0, len(text))], frozenset(), strip=True)
        >>> [group.text for group in iter_groups(units, Window(text), Options(chunk_size=10), Ruler(len))]
        ['# A\none', '# B\ntwo']
    """
    packer = _Packer(source, options, ruler)
    for unit in units:
        packer.take(unit)
        if packer.groups:
            yield from packer.groups
            packer.groups = []
    packer.finish()
    yield from packer.groups


def _leads(unit: Unit) -> bool:
    """Whether a unit belongs to what follows it: a heading without text, or a container's opening line."""
    return unit.kind is Kind.LONE_HEADING or unit.kind is Kind.OPENING


def _begins(unit: Unit) -> bool:
    """Whether a unit begins a section."""
    return unit.kind is Kind.HEADING or unit.kind is Kind.LONE_HEADING


def _most(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """Return the greatest count in `[low, high)` that fits, else `low`; the greatest is tried first, then halves."""
    trial = high - 1
    while high - low > 1:
        if fits(trial):
            low = trial
        else:
            high = trial
        trial = (low + high) // 2
    return low


class _Oversized:
    """An oversized unit that waits for the closing lines that go with its last part.

    Args:
        entry: The unit.
        lead: What goes with its first part.
        room: How long its closing lines may be together, with what joins them to it.
    """

    __slots__ = ("_entry", "_lead", "_room", "_trail")

    def __init__(self, entry: Entry, lead: tuple[Unit, ...], room: int) -> None:
        self._entry = entry
        self._lead = lead
        self._room = room
        self._trail: list[Unit] = []

    def takes(self, entry: Entry) -> bool:
        """Whether the unit that follows goes with the last part; if so, it is kept."""
        takes = entry.unit.kind is Kind.CLOSING and entry.total - self._entry.total <= self._room
        if takes:
            self._trail.append(entry.unit)
        return takes

    def group(self) -> Group:
        """Return the unit as a group that is not cut yet."""
        unit = self._entry.unit
        span = (unit.start, unit.end)
        return Group((unit,), "", self._entry.length, (span,), self._lead, tuple(self._trail), oversized=True)


class _Packer:
    """The open group, and the rules by which it takes units and is closed.

    The entries of the open group are, in this order: `[:fresh]` repeated from the group before, `[fresh:mark]` whole
    sections, and from `mark`, if there is one, the latest section, joined for as long as all of it fits. From `tail`
    on, all are headings and opening lines, which belong to what comes next.

    Responsibilities: decide what joins, where to close, and what is carried over; emit each group as it is closed.
    """

    __slots__ = (
        "_combine_under",
        "_entries",
        "_fresh",
        "_mark",
        "_new_after",
        "_options",
        "_oversized",
        "_previous",
        "_ruler",
        "_scale",
        "_size",
        "_source",
        "_tail",
        "groups",
    )  # fmt: skip

    def __init__(self, source: Window, options: Options, ruler: Ruler) -> None:
        self._source = source
        self._options = options
        self._ruler = ruler
        self._scale = Scale(source, options.separator, ruler, options.chunk_size)
        self._size = options.chunk_size
        self._combine_under = self._size if options.combine_under is None else options.combine_under
        self._new_after = self._size + 1 if options.new_after is None else options.new_after  # + 1: never reached
        self._entries: list[Entry] = []
        self._fresh = 0
        self._tail = 0
        self._mark: int | None = None
        self._previous: Entry | None = None
        self._oversized: _Oversized | None = None
        self.groups: list[Group] = []

    def take(self, unit: Unit) -> None:
        """Take the next unit; what it closes is added to `groups`."""
        entry = self._scale.weigh(unit, self._previous)
        self._previous = entry
        if self._oversized is not None:
            if self._oversized.takes(entry):
                return
            self._release()
        if entry.length > self._size:
            self._hold(entry)
        elif self._entries and self._parted(unit):
            self._drain()
            self._append(entry)
        else:
            self._place(entry)

    def finish(self) -> None:
        """Close what is open: no unit follows."""
        self._release()
        self._drain()

    # Joining

    def _place(self, entry: Entry) -> None:
        """Put a unit that fits alone into the open group, closing groups before it until it fits there too."""
        while self._entries and not self._joins(entry):
            if self._is_crowded_out(entry):
                self._forget_repeated()
            else:
                self._close(self._break_before(entry), entry)
        self._append(entry)

    def _joins(self, entry: Entry) -> bool:
        """Whether a unit may enter the open group; if it begins a section, that is marked."""
        fits = joined_length(self._entries[0], entry) <= self._size
        if self._only_leads:  # what leads never stays behind for the sake of a soft limit
            return fits
        begins = _begins(entry.unit)
        if begins:
            self._mark = self._tail
        if not fits or entry.unit.kind is Kind.CLOSING:
            return fits
        if joined_length(self._entries[self._fresh], self._entries[-1]) >= self._new_after:
            return False
        return not begins or self._whole_sections() < self._combine_under

    def _whole_sections(self) -> int:
        """Return the length of what is new up to the headings and openings that belong to the next unit."""
        return joined_length(self._entries[self._fresh], self._entries[self._tail - 1])

    def _is_crowded_out(self, entry: Entry) -> bool:
        """Whether only repeated entries part a unit from new ones that it belongs to.

        That is the section, heading or opening that is all that is new; or, for a closing, whatever is new.
        """
        if not self._fresh or self._mark is not None:
            return False
        first = self._entries[self._fresh]
        belongs = entry.unit.kind is Kind.CLOSING or _begins(first.unit) or _leads(first.unit)
        return belongs and joined_length(first, entry) <= self._size < joined_length(self._entries[0], entry)

    @property
    def _only_leads(self) -> bool:
        """Whether nothing new is open but what belongs to the next unit."""
        return self._tail == self._fresh

    def _append(self, entry: Entry) -> None:
        self._entries.append(entry)
        if not _leads(entry.unit):
            self._tail = len(self._entries)

    def _parted(self, unit: Unit) -> bool:
        """Whether a unit may share no group with the units before it."""
        last = self._entries[-1].unit
        return last.block != unit.block and (self._options.isolates(unit.type) or self._options.isolates(last.type))

    # Closing

    def _break_before(self, entry: Entry) -> int:
        """Return how many entries to close so that `entry` may follow the rest.

        Before the latest section, which is not torn; else before the headings and openings that fit beside `entry`. A
        group of nothing but these is closed as it is when yet another comes: moving all but one on would crawl.
        """
        if self._mark is not None:
            return self._mark
        if self._only_leads and _leads(entry.unit):
            return len(self._entries)
        at = self._tail
        while at < len(self._entries) and joined_length(self._entries[at], entry) > self._size:
            at += 1
        return at

    def _close(self, at: int, following: Entry | None = None) -> None:
        """Emit the first `at` entries, or as many of them as do fit, and carry on with the rest."""
        at = self._emit(at)
        repeated = self._repeated(at, following) if following else []
        shift = len(repeated) - at
        self._entries[:at] = repeated
        self._fresh = len(repeated)
        self._tail = max(self._tail + shift, self._fresh)
        self._mark = self._mark + shift if self._mark is not None and self._mark > at else None

    def _drain(self) -> None:
        """Close all that is open; what would follow may not or does not."""
        if self._only_leads:
            self._forget_repeated()
        elif self._mark == self._tail:  # headings that nothing follows are not joined to what precedes them
            self._close(self._tail)
        while self._entries:
            self._close(len(self._entries))

    def _repeated(self, at: int, following: Entry) -> list[Entry]:
        """Return the last of the first `at` entries, as many as fit the overlap and leave room for what is new."""
        overlap = self._options.chunk_overlap
        if not overlap or self._options.isolates(self._entries[at - 1].unit.type):
            return []
        carried = at < len(self._entries)
        fits_too = not carried or joined_length(self._entries[at], following) <= self._size
        newest = following if fits_too else self._entries[-1]
        start = at
        while start and self._may_repeat(self._entries[start - 1], self._entries[at - 1], newest):
            start -= 1
        if not self._ruler.additive and at - start > 1:
            start = at - _most(1, at - start + 1, lambda count: self._measured(at - count, at) <= overlap)
        return self._entries[start:at]

    def _may_repeat(self, first: Entry, last: Entry, newest: Entry) -> bool:
        return joined_length(first, last) <= self._options.chunk_overlap and joined_length(first, newest) <= self._size

    def _forget_repeated(self) -> None:
        """Give up the repeated entries of the open group."""
        del self._entries[: self._fresh]
        self._tail -= self._fresh
        self._mark = None if self._mark is None else self._mark - self._fresh
        self._fresh = 0

    # Emitting

    def _emit(self, at: int) -> int:
        """Add the group of the first `at` entries, or of as many as prove to fit; return how many."""
        while True:
            units = tuple(entry.unit for entry in self._entries[:at])
            spans = unit_spans(units, self._options.separator)
            text = join_spans(self._source, spans, self._options.separator)
            length = self._length(at, text)
            if length <= self._size:
                self.groups.append(Group(units, text, length, spans))
                return at
            if at - self._fresh > 1:
                at = self._give_back(at)
            else:
                at -= self._fresh
                self._forget_repeated()

    def _give_back(self, at: int) -> int:
        """Return how many of the first `at` entries to emit, since all of them prove to be too long together.

        Up to the latest section, if it is among them; else as many as fit, less the headings and openings at their
        end. One new entry stays in any case.
        """
        if self._mark is not None and self._mark < at:
            return self._mark
        at = _most(self._fresh + 1, at, lambda count: self._measured(0, count) <= self._size)
        end = at
        while end > self._fresh and _leads(self._entries[end - 1].unit):
            end -= 1
        if end > self._fresh:
            return end
        moves_one = at - self._fresh > 1 and not _leads(self._entries[at].unit)
        return at - moves_one

    def _length(self, at: int, text: str) -> int:
        """Return the length of `text`, the text of the first `at` entries."""
        if at == 1 or self._ruler.additive:
            return joined_length(self._entries[0], self._entries[at - 1])
        return self._ruler.length(text, self._entries[0].unit.start)

    def _measured(self, start: int, end: int) -> int:
        """Return the measured length of the text of the entries `[start:end]`."""
        spans = unit_spans((entry.unit for entry in self._entries[start:end]), self._options.separator)
        return self._ruler.length(join_spans(self._source, spans, self._options.separator), spans[0][0])

    # Oversized units

    def _hold(self, entry: Entry) -> None:
        """Close what is open, but for what goes with the first part of an oversized unit, and wait for its last."""
        apart = self._options.isolates(entry.unit.type) or self._options.isolates(TEXT)
        room = -1 if apart else self._size // 2  # at least as much is left for the part itself
        at = len(self._entries)
        beyond = entry.length - self._ruler.empty_length
        while at > self._tail and joined_length(self._entries[at - 1], entry) - beyond <= room:
            at -= 1
        lead = tuple(lead.unit for lead in self._entries[at:])
        del self._entries[at:]
        self._drain()
        self._oversized = _Oversized(entry, lead, room - self._ruler.empty_length)

    def _release(self) -> None:
        """Emit the oversized unit that waits, if one does."""
        if self._oversized is not None:
            self.groups.append(self._oversized.group())
            self._oversized = None
