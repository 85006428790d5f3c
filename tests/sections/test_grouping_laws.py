"""What holds for the groups of any text under any options.

Rule: S1, S2, S3, S4, S5, P4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml._sections.grouping import OversizedUnit
from langchain_semantic_xml._sections.open_group import Group
from langchain_semantic_xml._sections.units import Kind, Unit, join_spans, unit_spans
from langchain_semantic_xml.typing import LengthFunction
from langchain_semantic_xml.values import Options
from tests.sections.making import FUNCTIONS, LEADS, Bundle, bundle, file, groups_of, output, whole

PIECES = st.sampled_from(
    [
        *("# h\n", "## a longer heading\n", "# h\ntext\n", "some text\n", "  indented\n\n", "\n", " ", "x" * 45 + "\n"),
        *("<w>\n", "</w>\n", "</a-longer-container>\n", "```\n# no heading\n```\n", "# " + "h" * 20 + "\n"),
        *(file(""), file("x" * 7), file("x" * 15), file("x" * 60), output("y"), output("y" * 40)),
    ]
)
BUNDLES = st.lists(PIECES, max_size=25).map(lambda pieces: bundle(*pieces))
ISOLATE = st.sampled_from([frozenset(), frozenset({"file"}), frozenset({"output", "text"}), True])


@st.composite
def drawn_options(draw: st.DrawFn, /, **fixed: object) -> Options:
    """Draw options; what is fixed is as given."""
    chunk_size = draw(st.integers(8, 90))
    drawn: dict[str, object] = {
        "chunk_size": chunk_size,
        "separator": draw(st.sampled_from(["\n\n", "", None])),
        "new_after": draw(st.none() | st.integers(0, 90)),
        "combine_under": draw(st.none() | st.integers(0, 90)),
        "isolate": draw(ISOLATE),
        "chunk_overlap": draw(st.just(0) | st.integers(0, chunk_size - 1)),
        "strip_whitespace": draw(st.booleans()),
    }
    return Options(**{**drawn, **fixed})  # type: ignore[arg-type]


def length_of(options: Options, units: Sequence[Unit]) -> int:
    """The length of units when they are joined, counted anew."""
    if options.separator is None:
        return units[-1].end - units[0].start
    length = units[0].end - units[0].start
    for left, right in pairwise(units):
        length += len(options.separator) if left.block != right.block else right.start - left.end
        length += right.end - right.start
    return length


def new_units_of(groups: Iterable[Group | OversizedUnit]) -> Iterator[list[Unit]]:
    """Yield the units of each group that are in no group before it."""
    last = (-1, -1)
    for group in groups:
        yield [unit for unit in whole(group) if (unit.block, unit.start) > last]
        last = max(last, (whole(group)[-1].block, whole(group)[-1].start))


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_every_group_fits_and_is_what_its_spans_say(made: Bundle, options: Options, function: LengthFunction) -> None:
    _, groups, window = groups_of(made, options, function)
    for group in groups:
        if isinstance(group, OversizedUnit):
            assert function(window.slice(group.unit.start, group.unit.end)) > options.chunk_size
            continue
        assert group.text == (options.separator or "").join(window.slice(*span) for span in group.spans)
        assert group.length == function(group.text) <= options.chunk_size


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_every_unit_comes_once_and_in_order(made: Bundle, options: Options, function: LengthFunction) -> None:
    units, groups, _ = groups_of(made, options, function)
    new_units = list(new_units_of(groups))
    assert [unit for units in new_units for unit in units] == units
    assert all(new_units), "a group brings nothing new"
    if options.chunk_overlap == 0:
        assert [unit for group in groups for unit in whole(group)] == units


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_what_is_repeated_is_the_end_of_the_group_before(
    made: Bundle, options: Options, function: LengthFunction
) -> None:
    _, groups, window = groups_of(made, options, function)
    for before, group, new_units in zip(groups, groups[1:], list(new_units_of(groups))[1:], strict=False):
        again = whole(group)[: len(whole(group)) - len(new_units)]
        if not again:
            continue
        assert again == whole(before)[-len(again) :]
        assert isinstance(before, Group)
        assert isinstance(group, Group)
        assert not any(options.isolates(unit.extent.type) for unit in again)
        text = join_spans(window, unit_spans(again, options.separator), options.separator)
        assert function(text) <= options.chunk_overlap


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_isolated_blocks_are_alone(made: Bundle, options: Options, function: LengthFunction) -> None:
    _, groups, _ = groups_of(made, options, function)
    for group in groups:
        blocks = {unit.block for unit in whole(group)}
        assert len(blocks) == 1 or not any(options.isolates(unit.extent.type) for unit in whole(group))


@given(BUNDLES, drawn_options(isolate=frozenset()))
def test_no_heading_and_no_opening_ends_a_group_when_the_next_unit_fits_beside_it(
    made: Bundle, options: Options
) -> None:
    _, groups, _ = groups_of(made, options)
    new_units = list(new_units_of(groups))
    for group, units, following in zip(groups, new_units, new_units[1:], strict=False):
        last, first = whole(group)[-1], following[0]
        if (
            isinstance(group, OversizedUnit)
            or last.kind not in LEADS
            or length_of(options, (last, first)) > options.chunk_size
        ):
            continue
        first_is_oversized = first.end - first.start > options.chunk_size
        only_leads = all(unit.kind in LEADS for unit in units) and first.kind in LEADS
        assert only_leads or first_is_oversized


@given(BUNDLES, drawn_options(isolate=frozenset(), new_after=None))
def test_a_closing_begins_a_group_only_when_it_does_not_fit_the_one_before(made: Bundle, options: Options) -> None:
    _, groups, _ = groups_of(made, options)
    new_units = list(new_units_of(groups))
    for group, units, following in zip(groups, new_units, new_units[1:], strict=False):
        if following[0].kind is Kind.CLOSING and isinstance(group, Group):
            assert length_of(options, (*units, following[0])) > options.chunk_size


def passages_of(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Cut units into passages: each begins with a heading, and with the headings and openings right before that."""
    passage: list[Unit] = []
    for unit in units:
        if unit.kind in (Kind.HEADING, Kind.LONE_HEADING):
            tail = len(passage)
            while tail and passage[tail - 1].kind in LEADS:
                tail -= 1
            if tail:
                yield passage[:tail]
            passage = passage[tail:]
        passage.append(unit)
    if passage:
        yield passage


@given(BUNDLES, drawn_options(isolate=frozenset(), new_after=None))
def test_no_passage_that_fits_is_torn(made: Bundle, options: Options) -> None:
    units, groups, _ = groups_of(made, options)
    home = {unit: number for number, new_units in enumerate(new_units_of(groups)) for unit in new_units}
    for passage in passages_of(units):
        if length_of(options, passage) <= options.chunk_size:
            homes = {home[unit] for unit in passage}
            taken_by_oversized = any(isinstance(groups[number], OversizedUnit) for number in homes)
            assert len(homes) == 1 or taken_by_oversized


def first_of(group: Group | OversizedUnit) -> Unit:
    return group.units[0] if isinstance(group, Group) else group.unit


@given(BUNDLES, drawn_options(isolate=frozenset(), new_after=None, combine_under=None, chunk_overlap=0))
def test_neighbours_of_whole_passages_would_not_fit_together(made: Bundle, options: Options) -> None:
    units, groups, _ = groups_of(made, options)
    starts = {passage[0] for passage in passages_of(units)}
    for left, right, third in zip(groups, groups[1:], [*groups[2:], None], strict=False):
        if isinstance(left, OversizedUnit) or isinstance(right, OversizedUnit):
            continue
        # An opening line before a heading might yet have turned out to be the passage's own.
        complete = third is None or (first_of(third) in starts and first_of(third).kind is not Kind.OPENING)
        if complete and any(unit.kind not in LEADS for unit in right.units):
            joined = length_of(options, (*left.units, *right.units))
            assert joined > options.chunk_size


@given(BUNDLES, drawn_options())
def test_equal_inputs_give_equal_groups(made: Bundle, options: Options) -> None:
    assert groups_of(made, options)[1] == groups_of(made, options)[1]
