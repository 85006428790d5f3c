"""Which blocks share a section: the rules one by one, the laws on random bundles, and the public doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml._sections.grouping import Group, iter_groups
from langchain_semantic_xml._sections.units import Kind, Unit, cut_units, join_spans, unit_spans
from langchain_semantic_xml._text.checks import (
    check_chunk_overlap,
    check_chunk_size,
    check_combine_under,
    check_isolate,
    check_new_after,
    check_separator,
)
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.sections import SectionBuilder, section_blocks
from langchain_semantic_xml.typing import LengthFunction
from langchain_semantic_xml.values import Block, Extent, Options, Section

ELEMENTS = ("file", "output")
LEADS = (Kind.LONE_HEADING, Kind.OPENING)


def file(content: str) -> str:
    """A file of `len(content) + 13` characters."""
    return f"<file>{content}</file>"


def output(content: str) -> str:
    """An output of `len(content) + 17` characters."""
    return f"<output>{content}</output>"


class Bundle(NamedTuple):
    """A text with its blocks."""

    text: str
    extents: list[Extent]


def bundle(*pieces: str) -> Bundle:
    """Put elements and texts one after the other; a blank text is no block."""
    extents: list[Extent] = []
    end = 0
    for piece in pieces:
        start, end = end, end + len(piece)
        element = next((name for name in ELEMENTS if piece.startswith(f"<{name}>")), "text")
        if element == "text" and extents and extents[-1].type == "text" and extents[-1].end == start:
            extents[-1] = Extent("text", extents[-1].start, end)
        elif element != "text" or piece.strip():
            extents.append(Extent(element, start, end))
    return Bundle("".join(pieces), extents)


def groups_of(
    made: Bundle, options: Options, length_function: LengthFunction = len
) -> tuple[list[Unit], list[Group], Window]:
    """Cut and group a bundle."""
    source = Window(made.text)
    units = list(cut_units(source, made.extents, frozenset(ELEMENTS), strip=options.strip_whitespace))
    return units, list(iter_groups(units, source, options, Ruler(length_function))), source


def texts(*pieces: str, **options: object) -> list[str]:
    """Group a bundle and show the text of each group; of an oversized one, its lead, its unit and its trail."""
    function = options.pop("length_function", len)
    _, groups, source = groups_of(bundle(*pieces), Options(**options), function)  # type: ignore[arg-type]

    def show(units: Iterable[Unit]) -> str:
        return "+".join(source.slice(unit.start, unit.end) for unit in units)

    return [
        " | ".join(filter(None, map(show, (group.lead, group.units, group.trail)))) if group.oversized else group.text
        for group in groups
    ]


# Filling


def test_blocks_are_taken_while_they_fit_with_their_separators() -> None:
    pieces = file("a"), "\n", file("b"), "\n", file("c")
    assert texts(*pieces, chunk_size=30) == [f"{file('a')}\n\n{file('b')}", file("c")]
    assert texts(*pieces, chunk_size=29) == [file("a"), file("b"), file("c")]


def test_the_separator_is_what_was_asked_for() -> None:
    assert texts(file("a"), "\n", file("b"), chunk_size=99, separator="\n--\n") == [f"{file('a')}\n--\n{file('b')}"]


def test_without_a_separator_the_white_space_of_the_source_stays_and_counts() -> None:
    pieces = file("a"), "\n\n\n", file("b"), "\n"
    assert texts(*pieces, chunk_size=31, separator=None) == [f"{file('a')}\n\n\n{file('b')}"]
    assert texts(*pieces, chunk_size=30, separator=None) == [file("a"), file("b")]


def test_units_of_one_block_keep_the_white_space_between_them() -> None:
    assert texts("<a>\n\n\n\nx\n# B\n", file("b"), chunk_size=99) == [f"<a>\n\n\n\nx\n# B\n\n{file('b')}"]


def test_a_group_names_the_longest_spans_that_stay_together() -> None:
    _, groups, _ = groups_of(bundle("a\n# B\nb\n", file("c"), "\nd"), Options(chunk_size=99))
    assert [group.spans for group in groups] == [((0, 7), (8, 22), (23, 24))]
    _, groups, _ = groups_of(bundle("a\n# B\nb\n", file("c"), "\nd"), Options(chunk_size=99, separator=None))
    assert [group.spans for group in groups] == [((0, 24),)]


# Sections

SIX = file("xxxxxx")  # of 19 characters


@pytest.mark.parametrize(
    ("pieces", "options", "expected"),
    [
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX, "\n", SIX), {"chunk_size": 66},
            [f"# A\n\n{SIX}", f"# B\n\n{SIX}\n\n{SIX}"],
            id="a section is not torn to fill a chunk",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX), {"chunk_size": 50}, [f"# A\n\n{SIX}\n\n# B\n\n{SIX}"],
            id="small sections are joined while they fit",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX), {"chunk_size": 50, "combine_under": 0}, [f"# A\n\n{SIX}", f"# B\n\n{SIX}"],
            id="sections are not joined when that is turned off",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX), {"chunk_size": 50, "combine_under": 24}, [f"# A\n\n{SIX}", f"# B\n\n{SIX}"],
            id="a section of the size to combine under is not joined",
        ),
        pytest.param(
            ("# A\n", SIX, "\n", SIX, "\n", SIX, "\n# B\n", SIX), {"chunk_size": 50},
            [f"# A\n\n{SIX}\n\n{SIX}", f"{SIX}\n\n# B\n\n{SIX}"],
            id="a section longer than a chunk is torn, and its rest joined with the next",
        ),
        pytest.param(
            ("intro\n# A\n## B\n", SIX), {"chunk_size": 29}, ["intro", f"# A\n## B\n\n{SIX}"],
            id="headings that follow each other stay together",
        ),
        pytest.param(
            ("# A\n## B\n", SIX), {"chunk_size": 99, "combine_under": 0}, [f"# A\n## B\n\n{SIX}"],
            id="a heading is joined with what it heads even when sections are not",
        ),
        pytest.param(
            (SIX, "\n# A\n"), {"chunk_size": 99}, [SIX, "# A"],
            id="a heading at the end is not joined to what precedes it",
        ),
        pytest.param(
            (SIX, "\n<w>\n"), {"chunk_size": 99}, [f"{SIX}\n\n<w>"],
            id="an opening at the end is",
        ),
        pytest.param(
            (SIX, "\n<w>\n", SIX), {"chunk_size": 27}, [SIX, f"<w>\n\n{SIX}"],
            id="an opening goes on to the next unit",
        ),
        pytest.param(
            (SIX, "\n<w>\n", SIX), {"chunk_size": 24}, [SIX, f"<w>\n\n{SIX}"],
            id="an opening goes on when that just fits",
        ),
        pytest.param(
            ("a\n<w>\n", SIX), {"chunk_size": 23}, ["a\n<w>", SIX],
            id="an opening stays where the next unit does not fit beside it",
        ),
        pytest.param(
            (SIX, "\n</w>\n# B\n", SIX), {"chunk_size": 26}, [f"{SIX}\n\n</w>", f"# B\n\n{SIX}"],
            id="a closing goes with what precedes it",
        ),
        pytest.param(
            (SIX, "\n</w>\n", SIX), {"chunk_size": 99, "new_after": 5}, [f"{SIX}\n\n</w>", SIX],
            id="a closing goes with what precedes it past the soft maximum",
        ),
        pytest.param(
            (SIX, "\n", SIX, "\n", SIX), {"chunk_size": 99, "new_after": 20}, [f"{SIX}\n\n{SIX}", SIX],
            id="a chunk that has reached the soft maximum takes no further block",
        ),
        pytest.param(
            (SIX, "\n# A\n", SIX), {"chunk_size": 99, "new_after": 24}, [SIX, f"# A\n\n{SIX}"],
            id="a heading moves on when the soft maximum is reached",
        ),
        pytest.param(
            ("# A\n", SIX, "\n# B\n", SIX, "\n", SIX), {"chunk_size": 99, "new_after": 40},
            [f"# A\n\n{SIX}", f"# B\n\n{SIX}\n\n{SIX}"],
            id="a section is not torn by the soft maximum",
        ),
    ],
)  # fmt: skip
def test_sections(pieces: tuple[str, ...], options: dict[str, object], expected: list[str]) -> None:
    assert texts(*pieces, **options) == expected


def test_a_text_of_headings_fills_its_chunks() -> None:
    headings = "# h\n" * 10_000
    made = texts(headings, chunk_size=399, combine_under=0, new_after=1)
    assert len(made) == 100
    assert {len(text) for text in made} == {399}


def test_the_last_of_many_headings_go_with_the_text_that_follows() -> None:
    x = file("x" * 10)
    assert texts("# h\n" * 6, x, chunk_size=32) == ["# h\n# h\n# h\n# h", f"# h\n# h\n\n{x}"]


# Isolation


@pytest.mark.parametrize(
    ("pieces", "isolate", "expected"),
    [
        pytest.param((file("a"), output("b"), file("c"), file("d")), {"output"},
                     [file("a"), output("b"), f"{file('c')}\n\n{file('d')}"], id="a type"),
        pytest.param((file("a"), file("b")), True, [file("a"), file("b")], id="every type"),
        pytest.param(("a\n<w>\nb", file("c")), True, ["a\n<w>\nb", file("c")], id="units of one block still share"),
        pytest.param(("# A\n", file("a")), {"text"}, ["# A", file("a")], id="text"),
        pytest.param((file("a"), file("b")), False, [f"{file('a')}\n\n{file('b')}"], id="nothing"),
    ],
)  # fmt: skip
def test_isolated_blocks_share_no_chunk(pieces: tuple[str, ...], isolate: set[str] | bool, expected: list[str]) -> None:
    frozen = isolate if isinstance(isolate, bool) else frozenset(isolate)
    assert texts(*pieces, chunk_size=99, isolate=frozen, chunk_overlap=20) == expected


# Oversized blocks

BIG = file("x" * 50)


@pytest.mark.parametrize(
    ("pieces", "options", "expected"),
    [
        pytest.param(("a\n", BIG, "\nb"), {}, ["a", BIG, "b"], id="an oversized block is alone"),
        pytest.param(("a\n# B\n<w>\n", BIG), {}, ["a", f"# B+<w> | {BIG}"], id="headings and openings go with it"),
        pytest.param((BIG, "\n</w>\n</v>\nb"), {}, [f"{BIG} | </w>+</v>", "b"], id="closings go with it"),
        pytest.param(("# " + "A" * 20, "\n# B\n", BIG), {}, ["# " + "A" * 20, f"# B | {BIG}"],
                     id="only as many headings as leave half of the chunk"),
        pytest.param(("a\n# " + "B" * 20, "\n", BIG), {}, ["a", "# " + "B" * 20, BIG],
                     id="a heading that leaves less is a section of its own"),
        pytest.param((BIG, "\n</w>\n</" + "v" * 20 + ">\n"), {}, [f"{BIG} | </w>", "</" + "v" * 20 + ">"],
                     id="only as many closings as leave half of the chunk"),
        pytest.param(("# B\n", BIG, "\n</w>\n"), {"isolate": frozenset({"file"})}, ["# B", BIG, "</w>"],
                     id="nothing goes with an isolated type"),
        pytest.param(("# B\n", BIG, "\n</w>\n"), {"isolate": frozenset({"text"})}, ["# B", BIG, "</w>"],
                     id="isolated text goes with nothing"),
        pytest.param(("<w>\n" + "y" * 50, BIG), {}, [f"<w> | {'y' * 50}", BIG], id="a unit of text may be oversized"),
        pytest.param((file("a"), BIG, file("b")), {"chunk_overlap": 20}, [file("a"), BIG, file("b")],
                     id="nothing is repeated into or out of it"),
        pytest.param(("<w>\n", file("a"), file("b" * 20), BIG), {"chunk_overlap": 20},
                     [f"<w>\n\n{file('a')}", file("b" * 20), BIG], id="what is repeated is given up before it"),
    ],
)  # fmt: skip
def test_oversized_blocks(pieces: tuple[str, ...], options: dict[str, object], expected: list[str]) -> None:
    assert texts(*pieces, chunk_size=40, **options) == expected


def test_an_oversized_group_names_its_span_and_is_not_sliced() -> None:
    _, groups, _ = groups_of(bundle("a\n", BIG), Options(chunk_size=40))
    assert groups[1].spans == ((2, 2 + len(BIG)),)
    assert groups[1].text == ""
    assert groups[1].length > 40


# Overlap


def test_whole_units_that_fit_into_the_overlap_are_repeated() -> None:
    a, b, c, d = map(file, "abcd")
    assert texts(a, b, c, d, chunk_size=50, chunk_overlap=14) == [f"{a}\n\n{b}\n\n{c}", f"{c}\n\n{d}"]
    assert texts(a, b, c, d, chunk_size=50, chunk_overlap=13) == [f"{a}\n\n{b}\n\n{c}", d]


def test_what_is_repeated_leaves_room_for_the_next_unit() -> None:
    a, b, c, long = file("a"), file("b"), file("c"), file("d" * 10)
    made = texts(a, b, c, long, chunk_size=46, chunk_overlap=45)
    assert made == [f"{a}\n\n{b}\n\n{c}", f"{c}\n\n{long}"]


def test_what_is_repeated_is_a_span_of_its_own_chunk_too() -> None:
    _, groups, _ = groups_of(bundle("a\n<w>\nb\n", file("c" * 9)), Options(chunk_size=25, chunk_overlap=5))
    assert [group.spans for group in groups] == [((0, 7),), ((6, 7), (8, 30))]


def test_nothing_is_emitted_that_was_only_repeated() -> None:
    a, b = file("a"), file("b")
    assert texts(a, b, chunk_size=20, chunk_overlap=15) == [a, b]


def test_what_is_repeated_does_not_count_towards_the_soft_maximum() -> None:
    a, b, c = file("a"), file("b"), file("c")
    made = texts(a, b, c, chunk_size=50, chunk_overlap=14, new_after=20)
    assert made == [f"{a}\n\n{b}", f"{b}\n\n{c}"]


def test_a_section_is_not_torn_for_what_is_repeated() -> None:
    a, b, c = file("a"), file("b"), file("c")
    made = texts(a, "\n# B\n", b, c, chunk_size=40, chunk_overlap=14)
    assert made == [a, f"# B\n\n{b}\n\n{c}"]


def test_an_opening_is_not_kept_from_the_next_unit_by_what_is_repeated() -> None:
    a, b, c = file("a"), file("b"), file("c")
    assert texts(a, b, "<w>", c, chunk_size=30, chunk_overlap=14, separator="") == [a + b, f"<w>{c}"]


def test_a_closing_is_not_kept_from_what_precedes_it_by_what_is_repeated() -> None:
    a, b, c = file("a"), file("b"), file("c" * 3)
    assert texts(a, b, c, "</w>", chunk_size=30, chunk_overlap=14, separator="") == [a + b, f"{c}</w>"]


# Length functions that are not additive


def by_words(text: str) -> int:
    """Additive over separators, but not `len`."""
    return len(text.split())


def with_ends(text: str) -> int:
    """As tokenizers that add a token at either end."""
    return len(text) // 2 + 2


def squared(text: str) -> int:
    """Far from additive: joined texts are much longer than their pieces."""
    return len(text) ** 2 // 20


def with_penalty(text: str) -> int:
    """Longer, joined, than its pieces by what stands between them."""
    return len(text) + 7 * text.count("><")


def capped(text: str) -> int:
    """As a function that counts white space only: most texts have no length at all."""
    return text.count("\n")


FUNCTIONS = [len, by_words, with_ends, squared, with_penalty, capped]


def test_a_unit_that_does_not_fit_when_measured_is_given_back() -> None:
    a, b, c = map(file, "abc")
    assert texts(a, b, c, chunk_size=45, separator="", length_function=with_penalty) == [a + b, c]
    assert texts(a, b, c, chunk_size=34, separator="", length_function=with_penalty) == [a, b, c]


def test_the_latest_section_is_given_back_whole() -> None:
    a, b, c = map(file, "abc")
    made = texts(a, "\n# B\n", b, c, chunk_size=56, separator=" ", length_function=with_hidden_cost)
    assert made == [a, f"# B {b} {c}"]


def with_hidden_cost(text: str) -> int:
    """Longer from the third tag on: no two units show it."""
    return len(text) + 10 * (text.count("</file>") > 2)


def test_a_heading_before_a_unit_that_is_given_back_goes_with_it() -> None:
    a, b = map(file, "ab")
    made = texts(a, "<w>", b, chunk_size=31, separator="", length_function=lambda text: len(text) + text.count("><"))
    assert made == [a, f"<w>{b}"]


def test_what_is_repeated_is_given_up_when_it_proves_too_long() -> None:
    def length(text: str) -> int:
        return len(text) + 10 * ("b" in text and "c" in text)

    a, b, c = file("a"), file("b"), file("c")
    options = {"chunk_size": 29, "chunk_overlap": 14, "separator": ""}
    assert texts(a, b, c, **options) == [a + b, b + c]
    assert texts(a, b, c, **options, length_function=length) == [a + b, c]


def test_many_units_are_given_back_in_few_steps() -> None:
    calls = 0

    def length(text: str) -> int:
        nonlocal calls
        calls += 1
        return squared(text)

    made = texts(*(file("x") for _ in range(100)), chunk_size=500, separator="", length_function=length)
    assert {len(text) for text in made[:-1]} == {98}
    assert calls < 500


def test_each_unit_and_each_group_is_measured_once() -> None:
    measured: list[str] = []

    def length(text: str) -> int:
        measured.append(text)
        return len(text)

    made = texts(*map(file, "abcde"), chunk_size=30, length_function=length)
    assert len(made) == 3
    # Besides the empty text and the separator; `e` is a unit and a group, and measured once.
    assert sorted(measured) == sorted(["", "\n\n", *map(file, "abcde"), *made[:2]])


def test_nothing_is_sliced_to_be_measured_by_len() -> None:
    class Unsliced(Window):
        def slice(self, start: int, end: int) -> str:
            assert (start, end) in spans, "only groups are sliced"
            return super().slice(start, end)

    made = bundle(*map(file, "abcde"))
    units, groups, _ = groups_of(made, Options(chunk_size=30))
    spans = {span for group in groups for span in group.spans}
    assert list(iter_groups(units, Unsliced(made.text), Options(chunk_size=30), Ruler(len))) == groups


def test_units_are_pulled_only_when_they_are_needed() -> None:
    made = bundle(*map(file, "abcd"))
    units = iter(cut_units(Window(made.text), made.extents, frozenset(ELEMENTS), strip=True))
    next(iter_groups(units, Window(made.text), Options(chunk_size=20), Ruler(len)))
    assert next(units).block == 2


# Laws

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


def whole(group: Group) -> tuple[Unit, ...]:
    """Everything that a group brings, in order."""
    return (*group.lead, *group.units, *group.trail)


def length_of(options: Options, units: Sequence[Unit]) -> int:
    """The length of units when they are joined, counted anew."""
    if options.separator is None:
        return units[-1].end - units[0].start
    length = units[0].end - units[0].start
    for left, right in pairwise(units):
        length += len(options.separator) if left.block != right.block else right.start - left.end
        length += right.end - right.start
    return length


def news(groups: Iterable[Group]) -> Iterator[list[Unit]]:
    """Of each group, what no group before it brought."""
    last = (-1, -1)
    for group in groups:
        yield [unit for unit in whole(group) if (unit.block, unit.start) > last]
        last = max(last, (whole(group)[-1].block, whole(group)[-1].start))


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_every_group_fits_and_is_what_its_spans_say(made: Bundle, options: Options, function: LengthFunction) -> None:
    _, groups, source = groups_of(made, options, function)
    for group in groups:
        text = (options.separator or "").join(source.slice(*span) for span in group.spans)
        assert (function(text) > options.chunk_size) is group.oversized
        if group.oversized:
            assert len(group.units) == 1
        else:
            assert group.text == text
            assert group.length == function(text)
            assert not group.lead
            assert not group.trail


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_every_unit_comes_once_and_in_order(made: Bundle, options: Options, function: LengthFunction) -> None:
    units, groups, _ = groups_of(made, options, function)
    fresh = list(news(groups))
    assert [unit for units in fresh for unit in units] == units
    assert all(fresh), "a group brings nothing new"
    if options.chunk_overlap == 0:
        assert [unit for group in groups for unit in whole(group)] == units


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_what_is_repeated_is_the_end_of_the_group_before(
    made: Bundle, options: Options, function: LengthFunction
) -> None:
    _, groups, source = groups_of(made, options, function)
    for before, group, fresh in zip(groups, groups[1:], list(news(groups))[1:], strict=False):
        again = group.units[: len(whole(group)) - len(fresh)]
        if not again:
            continue
        assert again == before.units[-len(again) :]
        assert not before.oversized
        assert not group.oversized
        assert not any(options.isolates(unit.type) for unit in again)
        text = join_spans(source, unit_spans(again, options.separator), options.separator)
        assert function(text) <= options.chunk_overlap


@given(BUNDLES, drawn_options(), st.sampled_from(FUNCTIONS))
def test_isolated_blocks_are_alone(made: Bundle, options: Options, function: LengthFunction) -> None:
    _, groups, _ = groups_of(made, options, function)
    for group in groups:
        blocks = {unit.block for unit in whole(group)}
        assert len(blocks) == 1 or not any(options.isolates(unit.type) for unit in whole(group))


@given(BUNDLES, drawn_options(isolate=frozenset()))
def test_no_heading_and_no_opening_ends_a_group_when_the_next_unit_fits_beside_it(
    made: Bundle, options: Options
) -> None:
    _, groups, _ = groups_of(made, options)
    fresh = list(news(groups))
    for group, units, following in zip(groups, fresh, fresh[1:], strict=False):
        last, first = group.units[-1], following[0]
        if last.kind not in LEADS or length_of(options, (last, first)) > options.chunk_size:
            continue
        first_is_oversized = first.end - first.start > options.chunk_size
        only_leads = all(unit.kind in LEADS for unit in units) and first.kind in LEADS
        assert only_leads or first_is_oversized or group.oversized


@given(BUNDLES, drawn_options(isolate=frozenset(), new_after=None))
def test_a_closing_begins_a_group_only_when_it_does_not_fit_the_one_before(made: Bundle, options: Options) -> None:
    _, groups, _ = groups_of(made, options)
    fresh = list(news(groups))
    for group, units, following in zip(groups, fresh, fresh[1:], strict=False):
        if following[0].kind is Kind.CLOSING and not group.oversized:
            assert length_of(options, (*units, following[0])) > options.chunk_size


def sections_of(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Cut units into sections: each begins with a heading, and with the headings and openings right before that."""
    section: list[Unit] = []
    for unit in units:
        if unit.kind in (Kind.HEADING, Kind.LONE_HEADING):
            tail = len(section)
            while tail and section[tail - 1].kind in LEADS:
                tail -= 1
            if tail:
                yield section[:tail]
            section = section[tail:]
        section.append(unit)
    if section:
        yield section


@given(BUNDLES, drawn_options(isolate=frozenset(), new_after=None))
def test_no_section_that_fits_is_torn(made: Bundle, options: Options) -> None:
    units, groups, _ = groups_of(made, options)
    home = {unit: number for number, fresh in enumerate(news(groups)) for unit in fresh}
    for section in sections_of(units):
        if length_of(options, section) <= options.chunk_size:
            homes = {home[unit] for unit in section}
            taken_by_oversized = any(groups[number].oversized for number in homes)
            assert len(homes) == 1 or taken_by_oversized


@given(BUNDLES, drawn_options(isolate=frozenset(), new_after=None, combine_under=None, chunk_overlap=0))
def test_neighbours_of_whole_sections_would_not_fit_together(made: Bundle, options: Options) -> None:
    units, groups, _ = groups_of(made, options)
    starts = {section[0] for section in sections_of(units)}
    for left, right, third in zip(groups, groups[1:], [*groups[2:], None], strict=False):
        if left.oversized or right.oversized:
            continue
        # An opening line before a heading might yet have turned out to be the section's own.
        complete = third is None or (third.units[0] in starts and third.units[0].kind is not Kind.OPENING)
        if complete and any(unit.kind not in LEADS for unit in right.units):
            joined = length_of(options, (*left.units, *right.units))
            assert joined > options.chunk_size


@given(BUNDLES, drawn_options())
def test_equal_inputs_give_equal_groups(made: Bundle, options: Options) -> None:
    assert groups_of(made, options)[1] == groups_of(made, options)[1]


# section_blocks

PRIORITIES = [
    "Chunking Priorities",
    "Divide text into manageable chunks",
    "Preserve semantic boundaries",
    "Minimize mid-text chunk-splitting",
]


def sectioned(*contents: str | tuple[str, str], **options: object) -> list[Section]:
    """Section blocks given by their content, or by type and content."""
    blocks = [Block.from_text(*([c] if isinstance(c, str) else reversed(c))) for c in contents]
    return section_blocks(blocks, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("chunk_size", "lengths"), [(115, [85, 33]), (120, [120])])
def test_the_separators_between_blocks_count(chunk_size: int, lengths: list[int]) -> None:
    sections = sectioned(*PRIORITIES, chunk_size=chunk_size)
    assert "\n\n".join(section.text for section in sections) == "\n\n".join(PRIORITIES)
    assert [section.length for section in sections] == [len(section.text) for section in sections] == lengths


def test_text_blocks_are_trimmed_and_elements_are_not() -> None:
    (section,) = sectioned(" \n  a\n", ("file", " b "), "\n", chunk_size=99)
    assert section.text == "  a\n\n b "


def test_a_section_names_a_block_once() -> None:
    (section,) = sectioned("# A\na\n# B\nb", chunk_size=99)
    assert [block.content for block in section.blocks] == ["# A\na\n# B\nb"]


def test_a_block_may_be_in_two_sections() -> None:
    first, second = sectioned("# A\na\n# B\nb", chunk_size=6)
    assert (first.text, second.text) == ("# A\na", "# B\nb")
    assert first.blocks == second.blocks


def test_an_oversized_block_is_a_section_of_its_own() -> None:
    sections = sectioned("# A", ("file", "x" * 30), "</w>", chunk_size=20, length_function=with_ends)
    assert [(section.text, section.length) for section in sections] == [("# A\n\n" + "x" * 30, 19), ("</w>", 4)]
    sections = sectioned("a\n# B", ("file", "x" * 30), "</w>", chunk_size=20)
    assert [(section.text, section.length) for section in sections] == [
        *(("a", 1), ("# B", 3), ("x" * 30, 30), ("</w>", 4))
    ]


def test_tags_of_elements_are_no_container_lines() -> None:
    file = "file", "x" * 14
    assert [section.text for section in sectioned("a", "<page>", file, chunk_size=22)] == ["a", f"<page>\n\n{file[1]}"]
    listed = sectioned("a", "<page>", file, chunk_size=22, elements=["page"])
    assert [section.text for section in listed] == ["a\n\n<page>", file[1]]


def test_text_after_an_element_goes_on_in_its_line() -> None:
    blocks = [Block("file", "<file/>", 0, 7, 1, 1), Block("text", " # no heading", 7, 20, 1, 1)]
    assert [section.text for section in section_blocks(blocks, chunk_size=99)] == ["<file/>\n\n# no heading"]


def test_no_blocks_make_no_sections() -> None:
    assert section_blocks([], chunk_size=1) == []
    assert sectioned("", " \n", "\ufeff"[:0], chunk_size=1) == []


@pytest.mark.parametrize(
    ("call", "error", "remedy"),
    [
        pytest.param(lambda: section_blocks(Block.from_text("a"), chunk_size=9), TypeError, "list", id="one block"),  # type: ignore[arg-type]
        pytest.param(lambda: section_blocks("a", chunk_size=9), TypeError, "iterable of Block", id="a text"),  # type: ignore[arg-type]
        pytest.param(lambda: section_blocks(["a"], chunk_size=9), TypeError, "from_text", id="texts"),  # type: ignore[list-item]
        pytest.param(lambda: section_blocks(5, chunk_size=9), TypeError, "iterable", id="a number"),  # type: ignore[arg-type]
        pytest.param(lambda: sectioned(chunk_size=0), ValueError, "chunk_size=0", id="no size"),
        pytest.param(lambda: sectioned(chunk_size=True), TypeError, "chunk_size=True", id="a bool is no size"),
        pytest.param(lambda: sectioned(chunk_size=9.0), TypeError, "chunk_size=9.0", id="a float is no size"),
        pytest.param(lambda: sectioned(chunk_size=9, new_after=-1), ValueError, "new_after=-1", id="soft maximum"),
        pytest.param(lambda: sectioned(chunk_size=9, combine_under="1"), TypeError, "combine_under", id="combine"),
        pytest.param(
            lambda: sectioned(chunk_size=9, separator=None), TypeError, "SemanticXmlSplitter", id="no separator"
        ),
        pytest.param(
            lambda: sectioned(chunk_size=9, separator=1), TypeError, "separator=1", id="a number as separator"
        ),
        pytest.param(lambda: sectioned(chunk_size=9, isolate="file"), TypeError, r"\('file',\)", id="a bare type"),
        pytest.param(lambda: sectioned(chunk_size=9, isolate=[1]), TypeError, "isolate: 1", id="a number as type"),
        pytest.param(lambda: sectioned(chunk_size=9, elements="a"), TypeError, "elements='a'", id="a bare element"),
        pytest.param(
            lambda: sectioned(chunk_size=9, length_function=3), TypeError, "length_function=3", id="no function"
        ),
        pytest.param(lambda: check_chunk_overlap(9, 9), ValueError, "less than chunk_size=9", id="overlap"),
        pytest.param(lambda: check_chunk_overlap(-1, 9), ValueError, "chunk_overlap=-1", id="negative overlap"),
    ],
)
def test_a_wrong_option_is_an_error_that_names_the_remedy(
    call: Callable[[], object], error: type[Exception], remedy: str
) -> None:
    with pytest.raises(error, match=remedy):
        call()


def test_checked_options_are_returned() -> None:
    assert check_chunk_size(1) == 1
    assert check_chunk_overlap(0, 1) == 0
    assert check_new_after(None) is None
    assert check_new_after(0) == 0
    assert check_combine_under(3) == 3
    assert check_separator("") == ""
    assert check_isolate(["a", "b"]) == frozenset("ab")
    assert check_isolate(value=True) is True


# SectionBuilder


def filled(builder: SectionBuilder, *contents: str) -> SectionBuilder:
    """Add text blocks to a builder."""
    for content in contents:
        builder.add(Block.from_text(content))
    return builder


def test_an_empty_builder_has_all_its_space() -> None:
    builder = SectionBuilder(10)
    assert (builder.text_length, builder.remaining_space) == (0, 10)
    assert builder.flush() is None


def test_a_builder_counts_the_separators() -> None:
    builder = filled(SectionBuilder(20), "five5", "five5")
    assert (builder.text_length, builder.remaining_space) == (12, 6)
    assert builder.will_fit(Block.from_text("sixsix"))
    assert not builder.will_fit(Block.from_text("7 seven"))


def test_remaining_space_is_never_negative() -> None:
    assert filled(SectionBuilder(10), "x" * 9).remaining_space == 0
    assert filled(SectionBuilder(10), "x" * 30).remaining_space == 0


def test_an_oversized_block_fits_when_the_builder_is_empty_and_is_then_alone() -> None:
    builder = SectionBuilder(3)
    assert builder.will_fit(Block.from_text("four"))
    filled(builder, "four")
    assert not builder.will_fit(Block.from_text("x"))
    assert builder.flush() == Section((Block.from_text("four"),), "four", 4)


def test_a_block_that_does_not_fit_is_refused() -> None:
    builder = filled(SectionBuilder(10), "five5")
    with pytest.raises(ValueError, match=r"remaining space of 3.*flush\(\)"):
        builder.add(Block.from_text("four"))
    assert builder.text_length == 5


def test_a_builder_begins_anew_after_each_section() -> None:
    builder = filled(SectionBuilder(10), "one", "two")
    assert builder.flush() == Section((Block.from_text("one"), Block.from_text("two")), "one\n\ntwo", 8)
    assert builder.flush() is None
    assert filled(builder, "three").flush() == Section((Block.from_text("three"),), "three", 5)


def test_a_block_may_be_added_twice() -> None:
    block = Block.from_text("a")
    builder = SectionBuilder(10)
    builder.add(block)
    builder.add(block)
    assert builder.flush() == Section((block, block), "a\n\na", 4)


def test_a_builder_trims_text_and_leaves_out_blank_blocks() -> None:
    builder = filled(SectionBuilder(4), "\ufeff\n", " \n", "\n  ab\n", "\n")
    assert builder.will_fit(Block.from_text(" "))
    assert builder.flush() == Section((Block.from_text("\n  ab\n"),), "  ab", 4)


def test_a_builder_does_not_trim_elements() -> None:
    builder = SectionBuilder(9)
    builder.add(Block.from_text(" x ", "file"))
    assert builder.text_length == 3


def test_only_blocks_can_be_built_from() -> None:
    with pytest.raises(TypeError, match="from_text"):
        SectionBuilder(4).will_fit("text")  # type: ignore[arg-type]


def test_a_block_is_measured_once_however_often_it_is_asked_about() -> None:
    measured: list[str] = []

    def length(text: str) -> int:
        measured.append(text)
        return len(text)

    builder = SectionBuilder(9, length_function=length)
    for block in map(Block.from_text, ("abc", "def")):
        assert builder.will_fit(block)
        assert builder.will_fit(block)
        builder.add(block)
    assert builder.flush() is not None
    assert measured == ["", "\n\n", "abc", "def", "abc\n\ndef"]


@given(st.lists(st.text(max_size=9)), st.integers(1, 30), st.sampled_from(FUNCTIONS))
def test_what_a_builder_says_will_fit_does(contents: list[str], chunk_size: int, function: LengthFunction) -> None:
    builder = SectionBuilder(chunk_size, length_function=function)
    sections: list[Section | None] = []
    for block in map(Block.from_text, contents):
        if not builder.will_fit(block):
            sections.append(builder.flush())
        builder.add(block)
    for section in filter(None, [*sections, builder.flush()]):
        assert section.length == function(section.text)
        assert section.length <= chunk_size or len(section.blocks) == 1


@given(st.lists(st.text(st.characters(exclude_characters="#<`~\ufeff"), max_size=9)), st.integers(1, 30))
def test_a_builder_and_section_blocks_agree(contents: list[str], chunk_size: int) -> None:
    blocks = [Block.from_text(content) for content in contents]
    builder = SectionBuilder(chunk_size)
    sections: list[Section | None] = []
    for block in blocks:
        if not builder.will_fit(block):
            sections.append(builder.flush())
        builder.add(block)
    sections.append(builder.flush())
    assert section_blocks(blocks, chunk_size=chunk_size) == [section for section in sections if section]
