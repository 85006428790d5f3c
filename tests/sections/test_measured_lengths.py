"""What is measured, how often, and what becomes of units that prove too long together.

Rule: S1.
"""

from __future__ import annotations

from collections import Counter

from langchain_semantic_xml._sections.grouping import iter_groups
from langchain_semantic_xml._sections.open_group import Group
from langchain_semantic_xml._sections.units import cut_units
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.values import Options
from tests.sections.making import ELEMENTS, bundle, file, groups_of, squared, texts, with_penalty


def test_a_unit_that_does_not_fit_when_measured_is_given_back() -> None:
    a, b, c = map(file, "abc")
    assert texts(a, b, c, chunk_size=45, separator="", length_function=with_penalty) == [a + b, c]
    assert texts(a, b, c, chunk_size=34, separator="", length_function=with_penalty) == [a, b, c]


def test_the_latest_passage_is_given_back_whole() -> None:
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


def test_each_unit_is_measured_once_and_each_group_at_most_twice() -> None:
    measured: Counter[str] = Counter()

    def length(text: str) -> int:
        measured[text] += 1
        return len(text)

    made = texts(*map(file, "abcde"), chunk_size=30, length_function=length)
    assert len(made) == 3
    assert [measured[file(name)] for name in "abcde"] == [1] * 5
    assert [measured[text] for text in made[:2]] == [1, 1]
    joined = [text for text in measured if text.count("<file>") > 1 and text not in made]
    assert all(text.startswith((file("a"), file("c"))) for text in joined), "a group, or the text, and one unit more"
    assert sum(measured[text] for text in joined) <= 2 + 1  # the text as a whole


def test_nothing_is_sliced_to_be_measured_by_len() -> None:
    class Unsliced(Window):
        def slice(self, start: int, end: int) -> str:
            assert (start, end) in spans, "only groups are sliced"
            return super().slice(start, end)

    made = bundle(*map(file, "abcde"))
    units, groups, _ = groups_of(made, Options(chunk_size=30))
    spans = {span for group in groups if isinstance(group, Group) for span in group.spans}
    assert list(iter_groups(units, Unsliced(made.text), Options(chunk_size=30), Ruler(len))) == groups


def test_units_are_pulled_only_when_they_are_needed() -> None:
    made = bundle(*map(file, "abcd"))
    units = iter(cut_units(Window(made.text), made.extents, frozenset(ELEMENTS), strip=True))
    next(iter_groups(units, Window(made.text), Options(chunk_size=20), Ruler(len)))
    assert next(units).block == 2
