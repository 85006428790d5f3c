"""Elements that repeat in a text and that no rule names."""

from __future__ import annotations

import pytest

from langchain_semantic_xml import ElementRule, UnknownElement, parse_blocks, unknown_elements


def pages(count: int, attributes: str = " url='u'") -> str:
    return f"<page{attributes}>\nx\n</page>\n" * count


def test_a_repeated_element_comes_with_its_count_its_attributes_an_example_and_a_rule() -> None:
    assert unknown_elements(pages(3, " url='u' n='1'")) == [
        UnknownElement("page", 3, ("url", "n"), "<page url='u' n='1'>", ElementRule("page"))
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="no text"),
        pytest.param("prose\n" * 100, id="prose"),
        pytest.param(pages(1), id="one alone"),
        pytest.param("<page>\nx\n" * 3, id="never closed"),
        pytest.param("a <page>x</page>\n" * 3, id="amid a line"),
        pytest.param("<file path='a'>\nx\n</file>\n" * 3, id="known"),
        pytest.param(f"<file path='a'>\n{pages(3)}</file>\n", id="inside a known element"),
        pytest.param("<div>\nx\n</div>\n" * 3, id="layout of HTML"),
        pytest.param("<files>\n<file path='a'>\nx\n</file>\n</files>\n" * 3, id="containers of known elements"),
        pytest.param(f"So:\n```\n{pages(3)}```\n", id="examples in a fence"),
    ],
)
def test_nothing_is_unknown(text: str) -> None:
    assert unknown_elements(text) == []


def test_elements_inside_an_unknown_one_are_not_reported() -> None:
    text = "<page>\n<part>\n1\n</part>\n<part>\n2\n</part>\n</page>\n" * 2
    assert [element.name for element in unknown_elements(text)] == ["page"]


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        pytest.param(pages(2), "u", id="a usual attribute"),
        pytest.param(pages(2, " key='k'"), "k", id="an unusual attribute"),
        pytest.param("<page>\n<title>t</title>\nx\n</page>\n" * 2, "t", id="a child"),
        pytest.param("<page>\nx\n</page>\n" * 2, None, id="nothing"),
    ],
)
def test_the_rule_finds_the_elements_and_what_names_them(text: str, identity: str | None) -> None:
    (element,) = unknown_elements(text)
    assert [block.identity for block in parse_blocks(text, elements=[element.rule])] == [identity, identity]


def test_the_most_frequent_come_first() -> None:
    text = pages(2) + "<note>\ny\n</note>\n" * 3
    assert [(element.name, element.count) for element in unknown_elements(text)] == [("note", 3), ("page", 2)]


def test_a_text_of_many_names_takes_linear_time() -> None:
    text = "".join(f"<n{number}>\nx\n</n{number}>\n" * 2 for number in range(5_000))
    assert len(unknown_elements(text)) == 32


def test_only_text_is_looked_at() -> None:
    with pytest.raises(TypeError, match="text must be a str, not bytes"):
        unknown_elements(b"x")  # type: ignore[arg-type]
