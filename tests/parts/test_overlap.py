"""The end of a part that the next part repeats."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml.typing import LengthFunction
from tests.parts.making import LENGTH_FUNCTIONS, Element, bodies_of_parts, cut_element, elements, sizes, words


@given(elements, sizes(), st.sampled_from(LENGTH_FUNCTIONS), st.booleans(), st.booleans())
def test_what_is_repeated_is_visible_and_no_longer_than_the_overlap(
    element: Element, size_and_overlap: tuple[int, int], function: LengthFunction, repeats: bool, strip: bool
) -> None:
    """Rule: P4."""
    size, overlap = size_and_overlap
    parts = cut_element(element, size, function, repeats=repeats, overlap=overlap, strip=strip)
    for part, following in pairwise(parts):
        repeated = element.text[following.spans[0][0] : part.spans[-1][1]]
        assert not repeated or (repeated.strip() and function(repeated) <= overlap)


def test_what_is_repeated_is_counted_by_the_length_function() -> None:
    """Rule: P4."""
    body = "\n".join(" ".join(map(str, range(line, line + 10))) for line in range(0, 40, 10))
    held = [
        list(map(int, part.split()))
        for part in bodies_of_parts(body, 12, path="a", chunk_overlap=4, length_function=words)
    ]
    assert len(held) > 4
    repeated = [part[-1] + 1 - following[0] for part, following in pairwise(held)]
    assert min(repeated) >= 1
    assert max(repeated) == 4


def test_a_function_that_fits_beside_no_overlap_is_cut_nevertheless() -> None:
    """Rule: P4."""
    pytest.importorskip("tree_sitter_python")
    code = "".join(f"def function_{name}():\n" + "    x = 1\n" * 8 for name in "abcd")
    parts = bodies_of_parts(code, 150, syntax=True, chunk_overlap=40)
    assert [part.count("x = 1") > 1 for part in parts] == [True] * len(parts)
    assert parts[-1].endswith("x = 1\n")


def test_what_follows_an_overlap_of_half_a_part_is_new() -> None:
    """Rule: P4."""
    pytest.importorskip("tree_sitter_python")
    functions = [f"def f_{name}():\n" + "    x = 12\n" * 3 for name in "abcd"]
    assert {len(function) for function in functions} == {44}
    parts = bodies_of_parts("".join(functions), 70, syntax=True, chunk_overlap=22)
    assert functions[1].rstrip() in [part.rstrip() for part in parts]
    assert all(part.endswith(("x = 12\n", "():\n")) for part in parts)
    assert len(parts) == 9
