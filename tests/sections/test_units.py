"""What a unit is: text cut at headings and container lines, trimmed or not, and the fences that hide them.

Rule: S2.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml._sections.units import Kind, Unit, cut_units
from langchain_semantic_xml._text.fences import fenced_spans
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Extent

ELEMENT, TEXT, HEADING, LONE, OPENING, CLOSING = Kind


def units_of(text: str, *, strip: bool = True) -> list[Unit]:
    """Cut a text that holds no element but `file`."""
    extents = [Extent("text", 0, len(text))]
    return list(cut_units(Window(text), extents, frozenset({"file"}), strip=strip))


def named(text: str, *, strip: bool = True) -> list[tuple[Kind, str]]:
    """Cut a text and show each unit's kind and characters."""
    return [(unit.kind, text[unit.start : unit.end]) for unit in units_of(text, strip=strip)]


def after_element(text: str) -> list[tuple[Kind, str]]:
    """Cut a text that follows an element without a line end."""
    element = "<file/>"
    window = Window(element + text)
    extents = [Extent("file", 0, len(element)), Extent("text", len(element), len(element + text))]
    units = list(cut_units(window, extents, frozenset({"file"}), strip=True))[1:]
    return [(unit.kind, window.slice(unit.start, unit.end)) for unit in units]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        pytest.param("one\n\ntwo", [(TEXT, "one\n\ntwo")], id="text without headings is one unit"),
        pytest.param("a\n# B\nc", [(TEXT, "a"), (HEADING, "# B\nc")], id="a heading begins a unit"),
        pytest.param("# A\n\n## B\nc", [(LONE, "# A"), (HEADING, "## B\nc")], id="a heading before a heading is lone"),
        pytest.param("# A\n \n", [(LONE, "# A")], id="a heading followed by blank lines is lone"),
        pytest.param("   ###### A", [(LONE, "   ###### A")], id="three spaces and six signs are a heading"),
        pytest.param("    # A", [(TEXT, "    # A")], id="four spaces are none"),
        pytest.param("\t# A", [(TEXT, "\t# A")], id="a tab is none"),
        pytest.param("####### A", [(TEXT, "####### A")], id="seven signs are none"),
        pytest.param("#A\n#", [(TEXT, "#A"), (LONE, "#")], id="a sign needs a blank or the line end"),
        pytest.param("# A\r\nb\r\n# C\r\n", [(HEADING, "# A\r\nb"), (LONE, "# C")], id="CRLF"),
        pytest.param("a\f# B\u2028# C", [(TEXT, "a\f# B\u2028# C")], id="only a line feed ends a line"),
        pytest.param("Title\n=====\nx", [(TEXT, "Title\n=====\nx")], id="an underline is no heading"),
    ],
)
def test_text_is_cut_before_its_headings(text: str, units: list[tuple[Kind, str]]) -> None:
    assert named(text) == units


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        pytest.param("<files>", OPENING, id="opening"),
        pytest.param("</files>", CLOSING, id="closing"),
        pytest.param("  \t<files>", OPENING, id="indented"),
        pytest.param("<files>  \t\r", OPENING, id="blanks after it"),
        pytest.param('<files note="a > b" n=\'">"\' bare x=1>', OPENING, id="any attributes"),
        pytest.param("</files >", CLOSING, id="closing with a blank"),
        pytest.param("<a:b-c.d_1>", OPENING, id="any XML Name"),
        pytest.param("<ünï>", OPENING, id="beyond ASCII"),
        pytest.param("<filename>", OPENING, id="longer than an element's name"),
        pytest.param("<file>", TEXT, id="an element's name"),
        pytest.param("</file>", TEXT, id="an element's closing"),
        pytest.param("<files/>", TEXT, id="self-closing"),
        pytest.param('<files n="1" />', TEXT, id="self-closing with attributes"),
        pytest.param("<!-- note -->", TEXT, id="comment"),
        pytest.param("<?xml version='1.0'?>", TEXT, id="processing instruction"),
        pytest.param("<a></a>", TEXT, id="two tags"),
        pytest.param("<a> b", TEXT, id="text after it"),
        pytest.param("b <a>", TEXT, id="text before it"),
        pytest.param("<1a>", TEXT, id="no XML Name"),
        pytest.param("< a>", TEXT, id="blank before the name"),
        pytest.param('<a b="c>', TEXT, id="quote that never ends"),
        pytest.param("<a", TEXT, id="tag that never ends"),
        pytest.param("<https://example.com>", TEXT, id="autolink"),
    ],
)
def test_a_container_line_is_a_unit_by_itself(line: str, kind: Kind) -> None:
    text = f"before\n{line}\nafter"
    whole = [(TEXT, text)]
    parted = [(TEXT, "before"), (kind, line.rstrip()), (TEXT, "after")]
    assert named(text) == (whole if kind is TEXT else parted)


def test_a_container_that_shares_its_line_with_elements_is_a_unit_too() -> None:
    assert named("intro\n<files>") == [(TEXT, "intro"), (OPENING, "<files>")]
    assert after_element("</files>\nend") == [(CLOSING, "</files>"), (TEXT, "end")]


def test_text_that_goes_on_in_an_elements_line_begins_with_no_heading_and_no_indentation() -> None:
    assert after_element("  # a\n  # b") == [(TEXT, "# a"), (LONE, "  # b")]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        pytest.param("```\n# a\n<b>\n```\n# c", [TEXT, LONE], id="a fence hides headings and containers"),
        pytest.param("~~~ py\n# a\n~~~\n# c", [TEXT, LONE], id="tildes"),
        pytest.param("````\n```\n# a\n````", [TEXT], id="a shorter fence does not close"),
        pytest.param("```\n~~~\n# a\n```", [TEXT], id="another mark does not close"),
        pytest.param("```\n# a\n``` py\n# b\n```", [TEXT], id="a fence with an info string does not close"),
        pytest.param("```\n# a", [TEXT, LONE], id="a fence that never closes hides nothing"),
        pytest.param(
            "````\n```\n# a\n```\n# b", [TEXT, LONE], id="the fence after an unclosed one is looked at afresh"
        ),
        pytest.param("``` a`b\n# a\n```", [TEXT, HEADING], id="backticks in the info string are inline code"),
        pytest.param("    ```\n# a\n    ```", [TEXT, HEADING], id="four spaces are no fence"),
        pytest.param("```\n# a\n```\r\n# b", [TEXT, LONE], id="blanks may follow a closing fence"),
        pytest.param("# a\n```\n# b\n```\n# c\n```\n# d\n```", [HEADING, HEADING], id="several fences"),
    ],
)
def test_headings_in_code_fences_are_text(text: str, kinds: list[Kind]) -> None:
    assert [unit.kind for unit in units_of(text)] == kinds


def test_fences_are_paired_in_order() -> None:
    text = "```\na\n```\n```\nb\n```"
    assert [text[start:end] for start, end in fenced_spans(text, 0, len(text))] == ["```\na\n```", "```\nb\n```"]


def test_each_fence_finds_the_nearest_that_is_wide_enough() -> None:
    text = "`````\n```\n~~~~\n````\n``````\n```"
    assert [text[start:end] for start, end in fenced_spans(text, 0, len(text))] == ["`````\n```\n~~~~\n````\n``````"]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        pytest.param(" \n\n  a\n  b \n\n", "  a\n  b", id="blank lines and trailing blanks go, indentation stays"),
        pytest.param("\ufeffa", "a", id="a byte-order mark goes"),
        pytest.param("\ufeff\n  a", "  a", id="so does the line of a byte-order mark"),
        pytest.param("\ufeff  a", "  a", id="indentation after a byte-order mark stays"),
    ],
)
def test_units_are_trimmed(text: str, unit: str) -> None:
    assert [characters for _, characters in named(text)] == [unit]


def test_a_heading_may_follow_a_byte_order_mark() -> None:
    assert named("\ufeff# A") == [(LONE, "# A")]


@pytest.mark.parametrize("strip", [True, False])
@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "\ufeff\n "])
def test_blank_text_is_no_unit(text: str, *, strip: bool) -> None:
    assert units_of(text, strip=strip) == []


def test_a_blank_stretch_that_is_not_stripped_belongs_to_the_unit_before_it() -> None:
    assert named("\n a\n\n<b>\n \n# c\n\n", strip=False) == [
        (TEXT, "\n a\n\n"),
        (OPENING, "<b>\n \n"),
        (LONE, "# c\n\n"),
    ]


def test_a_byte_order_mark_is_in_no_unit_even_if_nothing_is_stripped() -> None:
    assert named("\ufeff\n# a", strip=False) == [(LONE, "\n# a")]


def test_elements_are_units_as_they_are() -> None:
    window = Window("a <file> x </file>\n")
    extents = [Extent("text", 0, 2), Extent("file", 2, 18)]
    assert list(cut_units(window, extents, frozenset({"file"}), strip=True)) == [
        Unit(0, extents[0], 0, 1, TEXT),
        Unit(1, extents[1], 2, 18, ELEMENT),
    ]


def test_an_extent_is_taken_only_when_its_unit_is_wanted() -> None:
    extents = iter([Extent("file", 0, 1), Extent("file", 1, 2)])
    next(cut_units(Window("ab"), extents, frozenset(), strip=True))
    assert next(extents).start == 1


def test_the_window_of_a_stream_may_move_on_between_units() -> None:
    text = "x\n# a\n\n# b\n"
    window = Window(text)
    units = cut_units(window, [Extent("text", 0, len(text))], frozenset(), strip=False)
    first = next(units)
    window.release(first.end)
    window.forget_before(first.end)
    assert [(unit.start, unit.end) for unit in (first, *units)] == [(0, 2), (2, 7), (7, 11)]


LINES = [
    "# h",
    "#",
    "```",
    "````",
    "~~~ x",
    "<w>",
    "</w>",
    "  <w a='>'>",
    "<file>",
    "text",
    "  indented",
    "",
    " ",
    "\r",
]


@given(st.lists(st.sampled_from(LINES)), st.sampled_from(["", "\ufeff"]))
def test_units_hold_every_character_that_is_not_blank_once_and_in_order(lines: list[str], mark: str) -> None:
    text = mark + "\n".join(lines)
    units = units_of(text)
    ends = [0, *(unit.end for unit in units)]
    starts = [*(unit.start for unit in units), len(text)]
    assert all(text[end:start].strip("\ufeff \r\n") == "" for end, start in zip(ends, starts, strict=True))
    assert all(text[unit.start : unit.end].strip() for unit in units)
    assert all(unit.start == len(mark) or text[unit.start - 1] == "\n" for unit in units)


@given(st.lists(st.sampled_from(LINES)), st.sampled_from(["", "\ufeff"]))
def test_units_that_are_not_stripped_tile_their_text(lines: list[str], mark: str) -> None:
    text = mark + "\n".join(lines)
    units = units_of(text, strip=False)
    assert "".join(text[unit.start : unit.end] for unit in units) == ("\n".join(lines) if units else "")
    assert [unit.kind for unit in units] == [unit.kind for unit in units_of(text)]
    assert all(text[unit.start : unit.end].strip("\ufeff \r\n") for unit in units)
