"""Where parts are cut and what they repeat, in texts that are made to tell a rule from one a step away."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._parts.cutting import Part, cut_parts
from langchain_semantic_xml._parts.languages import levels_for
from langchain_semantic_xml._text.rulers import LengthFunction, Ruler
from tests.parts.test_parts import LENGTH_FUNCTIONS, Element, elements, sizes


def words(text: str) -> int:
    return len(text.split())


def parts_of(body: str, size: int, *, path: str = "a.py", **options: object) -> list[str]:
    """Cut a file into parts and show what each holds between the tags that it repeats."""
    head, tail = f'<file path="{path}">\n', "</file>"
    parts = SemanticXmlSplitter(size, **options).split_text(f"{head}{body}{tail}")  # type: ignore[arg-type]
    return [part.removeprefix(head).removesuffix(tail) for part in parts]


def parts_of_element(element: Element, size: int, function: LengthFunction = len, **options: object) -> list[Part]:
    """Cut an element; its tags are known, whether they are repeated or not."""
    (body_start, body_end), (start, end) = element.body_span, (element.start, element.end)
    return cut_parts(
        element.text,
        start,
        end,
        levels=levels_for("python", None, ["file"]),
        ruler=Ruler(function),
        chunk_size=size,
        tags=((start, body_start), (body_end, end)),
        **options,  # type: ignore[arg-type]
    )


@given(elements, sizes(), st.sampled_from(LENGTH_FUNCTIONS), st.booleans())
def test_a_tag_that_fits_is_in_one_part(
    element: Element, size_and_overlap: tuple[int, int], function: LengthFunction, strip: bool
) -> None:
    size, overlap = size_and_overlap
    parts = parts_of_element(element, size, function, body=None, chunk_overlap=overlap, strip=strip)
    for start, end in [(element.start, element.body_span[0]), (element.body_span[1], element.end)]:
        tag = element.text[start:end].strip()
        at = element.text.index(tag, start)
        if parts and function(element.text[start:end]) <= size:
            spans = [span for part in parts for span in part.spans]
            assert any(span[0] <= at and at + len(tag) <= span[1] for span in spans)


@given(elements, sizes(), st.sampled_from(LENGTH_FUNCTIONS), st.booleans(), st.booleans())
def test_what_is_repeated_is_visible_and_no_longer_than_the_overlap(
    element: Element, size_and_overlap: tuple[int, int], function: LengthFunction, repeats: bool, strip: bool
) -> None:
    size, overlap = size_and_overlap
    body = element.body_span if repeats else None
    parts = parts_of_element(element, size, function, body=body, chunk_overlap=overlap, strip=strip)
    for part, following in pairwise(parts):
        repeated = element.text[following.spans[0][0] : part.spans[-1][1]]
        assert not repeated or (repeated.strip() and function(repeated) <= overlap)


@given(elements, sizes(), st.sampled_from(LENGTH_FUNCTIONS))
def test_no_blank_line_stands_at_the_ends_of_what_is_between_repeated_tags(
    element: Element, size_and_overlap: tuple[int, int], function: LengthFunction
) -> None:
    size, overlap = size_and_overlap
    parts = parts_of_element(element, size, function, body=element.body_span, chunk_overlap=overlap)
    if len(parts) > 1 and parts[1].text.startswith(element.head):
        slices = [part.text.removeprefix(element.head).removesuffix(element.tail) for part in parts]
        assert [text for text in slices if re.search(r"\A[^\S\n]*\n|\n[^\S\n]*\Z", text)] == []


@pytest.mark.parametrize(
    ("lead", "trail", "repeats"),
    [
        ("", "", True),
        ("# Short\n\n", "", True),
        ("", "\n\n</files>", True),
        ("# A heading that leaves no room for what is below it\n\n", "", False),
        ("", "\n\n</files-that-leave-no-room-for-what-is-above-them>", False),
    ],
    ids=["alone", "below a heading", "above a closing", "below a long heading", "above a long closing"],
)
def test_tags_are_repeated_where_they_leave_room_beside_headings_and_closings(
    lead: str, trail: str, repeats: bool
) -> None:
    element = Element("", "<file path='a/b.py'>\n", "x = 1\n" * 30, "</file>", "")
    parts = parts_of_element(element, 80, body=element.body_span, lead=lead, trail=trail)
    assert all(part.length <= 80 for part in parts)
    assert parts[1].text.startswith(element.head) is repeats


def test_a_blank_body_leaves_one_line_end_between_the_tags() -> None:
    assert parts_of("\n \n" * 100, 40) == [""]
    assert SemanticXmlSplitter(40).split_text("<file>" + "\n" * 99 + "</file>") == ["<file>\n</file>"]


def test_a_decorator_reaches_over_its_own_lines_alone() -> None:
    stubs = "@one\ndef f(\n    a,\n): ...\n", "def g(): ...\n"
    assert parts_of("".join(stubs) + "x = 1\n" * 6, 76)[0] == stubs[0]
    within = "class A:\n    @one\n    def f(\n        a,\n    ): ...\n", "    def g(self): ...\n"
    assert parts_of("".join(within) + "    x = 1\n" * 5, 106)[0] == within[0]


def test_what_is_repeated_is_counted_by_the_length_function() -> None:
    body = "\n".join(" ".join(map(str, range(line, line + 10))) for line in range(0, 40, 10))
    held = [
        list(map(int, part.split())) for part in parts_of(body, 12, path="a", chunk_overlap=4, length_function=words)
    ]
    assert len(held) > 4
    repeated = [part[-1] + 1 - following[0] for part, following in pairwise(held)]
    assert min(repeated) >= 1
    assert max(repeated) == 4


def test_fences_in_code_are_no_fences() -> None:
    body = 'x = """\n```\n"""\n\n\ndef f():\n    return 1\n', 'y = """\n```\n"""\nz = 1\n'
    assert parts_of("\n\n".join(body) + "zz = 22\n" * 4, 80)[0] == body[0]


@pytest.mark.parametrize(
    ("before", "start"),
    [("", 0), ("\n", 0), ("\n", 1), ("\n</file> ", 9), ("x = 1\n", 6)],
    ids=["nothing", "a blank line", "a line end", "a tag", "a line"],
)
@pytest.mark.parametrize(
    "above",
    ["# What it does, at length.\n", "@one(\n    argument,\n    other,\n)\n"],
    ids=["a comment", "a decorator with arguments"],
)
def test_what_is_in_the_first_line_of_a_text_stays_with_the_definition_below_it(
    before: str, start: int, above: str
) -> None:
    definition, rest = f"{above}def f(): ...\n", "\nx = 1\ny = 2\n"
    text = before + definition + rest
    parts = cut_parts(
        text,
        start,
        len(text),
        body=None,
        levels=levels_for("python", None),
        ruler=Ruler(len),
        chunk_size=len(definition) + 5,
    )
    assert [part.text for part in parts] == [definition.rstrip(), rest.strip()]


def slices_of(
    text: str, size: int, function: LengthFunction = len, language: str | None = None, **options: object
) -> list[str]:
    """Cut a whole text, without anything around it."""
    parts = cut_parts(
        text,
        0,
        len(text),
        body=None,
        levels=levels_for(language, None),
        ruler=Ruler(function),
        chunk_size=size,
        **options,  # type: ignore[arg-type]
    )
    return [part.text for part in parts]


@pytest.mark.parametrize(
    ("blanks", "last"),
    [(10, "aaaa bbbb" + " " * 10), (11, "aaaa bbbb"), (100, "aaaa bbbb")],
    ids=["half a part", "more", "far more"],
)
def test_blanks_at_the_end_are_in_the_last_part_unless_they_take_most_of_one(blanks: int, last: str) -> None:
    text = "x" * 20 + "\n" + "aaaa bbbb" + " " * blanks
    assert slices_of(text, 20, strip=False)[-1] == ("\n" + last if len(last) < 20 else last)


def test_blanks_at_the_end_that_do_not_fit_are_left_out_together() -> None:
    assert slices_of("aaaaaa   b   ", 6, strip=False) == ["aaaaaa", "   b"]


def test_a_rest_that_fits_exactly_is_the_last_part() -> None:
    assert slices_of("aaaa aaaa\nbbbb bbbb", 9) == ["aaaa aaaa", "bbbb bbbb"]
    assert slices_of("aaaa aaaa\nbbbb bb", 9, trail="\n>") == ["aaaa aaaa", "bbbb bb\n>"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "  \n", " \r\n"], ids=ascii)
def test_parts_end_with_whole_line_ends_and_the_blanks_before_them(line_end: str) -> None:
    body = "".join(f"line = {number}{line_end}" for number in range(10, 40))
    parts = parts_of(body, 80)
    assert len(parts) > 5
    assert all(re.fullmatch(rf"(?:line = \d\d{line_end})+", part) for part in parts)
    assert "".join(parts) == body


def characters_without_marks(text: str) -> int:
    return sum(1 for character in text if character != "\u0301")


def test_a_cluster_of_more_code_points_than_the_window_reaches_is_whole_where_it_fits() -> None:
    cluster = "e" + "\u0301" * 20
    slices = slices_of(cluster * 5, 3, characters_without_marks)
    assert "".join(slices) == cluster * 5
    assert all(text == cluster * characters_without_marks(text) for text in slices)


@pytest.mark.parametrize(("size", "repeats"), [(60, True), (59, False)], ids=["half", "more than half"])
def test_tags_are_repeated_where_they_take_half_of_a_part_at_most(size: int, repeats: bool) -> None:
    element = Element("", "<file path='a/bc.py'>\n", "x = 1\n" * 30, "</file>\n", "")
    assert len(element.head + element.tail) == 30
    parts = parts_of_element(element, size, body=element.body_span)
    assert parts[1].text.startswith(element.head) is repeats


def test_one_character_behind_a_tag_is_a_part_of_its_own_where_the_tag_takes_all_of_one() -> None:
    tag = '<file path="a">'
    assert slices_of(f"{tag}b", len(tag), tags=((0, len(tag)),)) == [tag, "b"]


def test_a_decorator_reaches_to_the_definition_below_it_alone() -> None:
    first, second = "@one(\n    argument,\n)\ndef f(): ...\n", "@two\ndef g(): ...\n"
    between = "\nx = 1\ny = 2\nz = 3\n"
    parts = slices_of(first + between + second, 50, language="python")
    assert parts == [first.rstrip(), (between + second).strip()]


def test_a_comment_that_begins_where_a_part_may_be_cut_at_the_earliest_is_not_torn_off() -> None:
    definition, rest = "# What it does, ...\n" + "def f(): return 1234\n", "\nx = 1\ny = 2\n"
    assert definition.index("def") == 20
    parts = slices_of(f"x = 1\n{definition}{rest}", 52, language="python")
    assert parts == [f"x = 1\n{definition}".rstrip(), rest.strip()]


def test_a_line_above_that_is_too_long_to_look_at_belongs_to_what_is_before_it() -> None:
    long, definition = "# One.\nx = '" + "y" * 1000 + "'\n", "def f():\n" + "    x = 1\n" * 50
    assert slices_of(long + definition, 1300, language="python")[0] == long.rstrip()


def class_of(name: str, methods: int = 4, indentation: str = "") -> str:
    lines = [f"class {name}:", *["    def method(self):", "        x = 1", "        y = 2"] * methods]
    return "".join(f"{indentation}{line}\n" for line in lines)


@pytest.mark.parametrize("indentation", ["", "    "], ids=["of a file", "of a class"])
@pytest.mark.parametrize("room", [0, 1, 60, 120], ids="room for {}".format)
def test_classes_that_fit_are_whole(indentation: str, room: int) -> None:
    pytest.importorskip("tree_sitter_python")
    classes = [class_of(name, indentation=indentation) for name in "ABCD"]
    body = ("class Outer:\n" + "    x = 1\n" * 20 if indentation else "") + "".join(classes)
    size = len('<file path="a.py">\n</file>') + len(classes[0]) + room
    parts = parts_of(body, size, syntax=True)
    assert [part.rstrip() for part in parts[-4:]] == [code.rstrip() for code in classes]


def test_a_function_that_fits_beside_no_overlap_is_cut_nevertheless() -> None:
    pytest.importorskip("tree_sitter_python")
    code = "".join(f"def function_{name}():\n" + "    x = 1\n" * 8 for name in "abcd")
    parts = parts_of(code, 150, syntax=True, chunk_overlap=40)
    assert [part.count("x = 1") > 1 for part in parts] == [True] * len(parts)
    assert parts[-1].endswith("x = 1\n")


def test_what_follows_an_overlap_of_half_a_part_is_new() -> None:
    pytest.importorskip("tree_sitter_python")
    functions = [f"def f_{name}():\n" + "    x = 12\n" * 3 for name in "abcd"]
    assert {len(function) for function in functions} == {44}
    parts = parts_of("".join(functions), 70, syntax=True, chunk_overlap=22)
    assert functions[1].rstrip() in [part.rstrip() for part in parts]
    assert all(part.endswith(("x = 12\n", "():\n")) for part in parts)
    assert len(parts) == 9


@pytest.mark.parametrize(("blank_lines", "stays"), [(0, True), (1, True), (2, True), (3, True), (4, False)])
def test_a_heading_stays_with_what_is_a_few_blank_lines_below_it(blank_lines: int, stays: bool) -> None:
    above = "aaaa aaaa aaaa aaaa\n\n## Heading\n" + "\n" * blank_lines
    text = above + "bbbb bbbb\n" * 10
    first = slices_of(text, 2 * len(above), language="markdown")[0]
    assert ("bbbb" in first) is stays


def test_a_part_with_one_more_character_than_a_definition_is_not_in_its_scope() -> None:
    pytest.importorskip("tree_sitter_python")
    function, line = "def f():\n" + "    x = 1\n" * 5, "y\n"
    code = function + line + "def g():\n" + "    x = 1\n" * 9
    # The middle of the window is in the line.
    size = len('<file path="a.py">\n</file>') + 2 * len(function + line)
    first, *_ = SemanticXmlSplitter(size, syntax=True).create_documents([f'<file path="a.py">\n{code}</file>'])
    assert first.page_content.endswith(f"{function}{line}</file>")
    assert first.metadata["scope"] is None
