"""Where parts are cut: tags, clusters, fences and definitions that stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.typing import LengthFunction
from tests.parts.making import (
    LENGTH_FUNCTIONS,
    Element,
    bodies_of_parts,
    class_of,
    cut_element,
    elements,
    sizes,
    slices_of,
)


def characters_without_marks(text: str) -> int:
    return sum(1 for character in text if character != "\u0301")


@given(elements, sizes(), st.sampled_from(LENGTH_FUNCTIONS), st.booleans())
def test_a_tag_that_fits_is_in_one_part(
    element: Element, size_and_overlap: tuple[int, int], function: LengthFunction, strip: bool
) -> None:
    """Rule: L4."""
    size, overlap = size_and_overlap
    parts = cut_element(element, size, function, repeats=False, overlap=overlap, strip=strip)
    for start, end in [(element.start, element.body_span[0]), (element.body_span[1], element.end)]:
        tag = element.text[start:end].strip()
        at = element.text.index(tag, start)
        if parts and function(element.text[start:end]) <= size:
            spans = [span for part in parts for span in part.spans]
            assert any(span[0] <= at and at + len(tag) <= span[1] for span in spans)


def test_one_character_behind_a_tag_is_a_part_of_its_own_where_the_tag_takes_all_of_one() -> None:
    """Rule: L4."""
    tag = '<file path="a">'
    assert slices_of(f"{tag}b", len(tag), tags=((0, len(tag)),)) == [tag, "b"]


def test_a_rest_that_fits_exactly_is_the_last_part() -> None:
    """Rule: P1."""
    assert slices_of("aaaa aaaa\nbbbb bbbb", 9) == ["aaaa aaaa", "bbbb bbbb"]
    assert slices_of("aaaa aaaa\nbbbb bb", 9, trail="\n>") == ["aaaa aaaa", "bbbb bb\n>"]


def test_a_cluster_of_more_code_points_than_the_window_reaches_is_whole_where_it_fits() -> None:
    """Rule: P2."""
    cluster = "e" + "\u0301" * 20
    slices = slices_of(cluster * 5, 3, characters_without_marks)
    assert "".join(slices) == cluster * 5
    assert all(text == cluster * characters_without_marks(text) for text in slices)


def test_fences_in_code_are_no_fences() -> None:
    """Rule: P2."""
    body = 'x = """\n```\n"""\n\n\ndef f():\n    return 1\n', 'y = """\n```\n"""\nz = 1\n'
    assert bodies_of_parts("\n\n".join(body) + "zz = 22\n" * 4, 80)[0] == body[0]


@pytest.mark.parametrize("indentation", ["", "    "], ids=["of a file", "of a class"])
@pytest.mark.parametrize("room", [0, 1, 60, 120], ids="room for {}".format)
def test_classes_that_fit_are_whole(indentation: str, room: int) -> None:
    """Rule: P2."""
    pytest.importorskip("tree_sitter_python")
    classes = [class_of(name, indentation=indentation) for name in "ABCD"]
    body = ("class Outer:\n" + "    x = 1\n" * 20 if indentation else "") + "".join(classes)
    size = len('<file path="a.py">\n</file>') + len(classes[0]) + room
    parts = bodies_of_parts(body, size, syntax=True)
    assert [part.rstrip() for part in parts[-4:]] == [code.rstrip() for code in classes]


def test_a_part_with_one_more_character_than_a_definition_is_not_in_its_scope() -> None:
    """Rule: P2."""
    pytest.importorskip("tree_sitter_python")
    function, line = "def f():\n" + "    x = 1\n" * 5, "y\n"
    code = function + line + "def g():\n" + "    x = 1\n" * 9
    # The middle of the window is in the line.
    size = len('<file path="a.py">\n</file>') + 2 * len(function + line)
    first, *_ = SemanticXmlSplitter(size, syntax=True).create_documents([f'<file path="a.py">\n{code}</file>'])
    assert first.page_content.endswith(f"{function}{line}</file>")
    assert first.metadata["scope"] is None
