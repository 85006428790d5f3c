"""Parts of an oversized block: what holds for every text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parts.making import (
    FAMILY,
    FLAG,
    LENGTH_FUNCTIONS,
    Element,
    bodies,
    check_parts,
    cut_element,
    cut_text,
    elements,
    sizes,
)


@pytest.mark.parametrize("length_function", LENGTH_FUNCTIONS, ids=lambda function: function.__name__)
@given(elements, sizes(), st.sampled_from(["python", None, "go"]), st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_parts_keep_the_laws(
    length_function: Callable[[str], int],
    element: Element,
    size_and_overlap: tuple[int, int],
    language: str | None,
    repeats: bool,
    strip: bool,
) -> None:
    """Rule: L1, L2, L3, P1, P3."""
    size, overlap = size_and_overlap
    parts = cut_element(
        element, size, length_function, repeats=repeats, language=language, overlap=overlap, strip=strip
    )
    check_parts(element, parts, size=size, overlap=overlap, length_function=length_function, repeats=repeats)


@given(elements, st.integers(40, 120), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_lead_and_a_trail_count_in_the_size(element: Element, size: int, repeats: bool) -> None:
    """Rule: L1, S5."""
    lead, trail = "# Title\n\n", "\n\n</files>"
    parts = cut_element(element, size, repeats=repeats, language=None, lead=lead, trail=trail)
    check_parts(element, parts, size=size, repeats=repeats, lead=lead, trail=trail)


@given(bodies, st.integers(21, 80))
@settings(max_examples=150, deadline=None)
def test_without_stripping_parts_tile_the_text_but_for_blanks_too_long_to_share_a_part(body: str, size: int) -> None:
    """Rule: L3."""
    parts = cut_text(body, size, strip=False)
    edges = [0, *(edge for part in parts for span in part.spans for edge in span), len(body)]
    gaps = [body[before:after] for before, after in zip(edges[::2], edges[1::2], strict=True)]
    longest_blank = max((len(blanks) for blanks in re.findall(r"\s+", body)), default=0)
    if parts and longest_blank <= size // 3:
        assert "".join(gaps) == ""
    assert not "".join(gaps).strip()


@given(bodies, st.integers(1, 60), st.sampled_from(LENGTH_FUNCTIONS))
@settings(max_examples=150, deadline=None)
def test_no_cut_tears_a_cluster_that_fits(body: str, size: int, length_function: Callable[[str], int]) -> None:
    """Rule: P2."""
    parts = cut_text(body, size, length_function)
    for cluster in (FAMILY, FLAG, "e\u0301", "1\ufe0f\u20e3", "\u1100\u1161\u11a8"):
        if length_function(cluster) > size:
            continue
        for match in re.finditer(re.escape(cluster), body):
            holders = [part for part in parts if any(s <= match.start() and match.end() <= e for s, e in part.spans)]
            assert holders, (cluster, parts)
