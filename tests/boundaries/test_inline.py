"""Elements anywhere in a line.

Rule: B8.
"""

from __future__ import annotations

import pytest

from langchain_semantic_xml import (
    ElementRule,
)
from tests.boundaries.marked import check


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("see ⟦<file path='a.rb'>code</file>⟧ there", id="with identity, anywhere"),
        pytest.param("⟦<file>a</file>⟧ b", id="bare, at the start of a line"),
        pytest.param("List<file>x</file>", id="bare, amid a line"),
        pytest.param("a ⟦<file path='a'/>⟧ b", id="self-closing, with identity"),
        pytest.param("a <file/> b", id="self-closing and bare, amid a line"),
        pytest.param("a <file path=''>x</file>", id="an empty identity is none"),
        pytest.param("a <file lang='py'>x</file>", id="an attribute is no identity"),
        pytest.param("a ⟦<file><path>a.rb</path>x</file>⟧", id="an identity's child is one"),
        pytest.param("⟦<file path='a'>1<file path='b'>2</file>3</file>⟧4</file>", id="the balanced closing"),
        pytest.param("⟦<file path='a'>1\n2\n3</file>⟧", id="over several lines"),
        pytest.param("⟦<file path='a'>1</file>⟧⟦<file path='b'>2</file>⟧", id="side by side"),
        pytest.param(
            "see <file path='a'> and\n⟦<file path='b'>\nb\n</file>⟧\nso </file> on",
            id="none reaches over an element with lines of its own",
        ),
        pytest.param(
            "⟦<file path='b'>\nsee <file path='a'>x</file>\n</file>⟧\nsee ⟦<file path='c'>x</file>⟧",
            id="none within an element with lines of its own",
        ),
        pytest.param(
            'see <file path="a">x </output> y\n⟦<file path="b">\ny\n</file>⟧\nz</file>',
            id="parted by the tag after the next",
        ),
        pytest.param('⟦<file path="a"/>⟧\nsee ⟦<file path="b">x</file>⟧ z\n', id="what came before parts nothing"),
        pytest.param('see <file path="a">x\n⟦<file path="b"/>⟧\ny</file>\n', id="parted by a self closing line"),
        pytest.param(
            'see ⟦<file path="a">x\n<file path="b"/> y\n</file>⟧ z\n',
            id="not parted by a self closing tag with text behind",
        ),
        pytest.param(
            'see <file path="a">x\n⟦<file path="b"><![CDATA[y]]></file>⟧ z\n</file> w\n',
            id="parted by cdata at the start of a line",
        ),
    ],
)
def test_inline_elements_are_found_in_the_gaps(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("<page>x</page>", id="bare, in one line"),
        pytest.param("<page>\nx\n</page>\n", id="bare, with lines of its own"),
        pytest.param("<page/>", id="bare, self-closing"),
        pytest.param("<page lang='en'>x</page>", id="with another attribute"),
        pytest.param("a ⟦<page url='u'>x</page>⟧", id="with identity, in one line"),
        pytest.param("⟦<page url='u'>\nx\n</page>⟧\n", id="with identity, with lines of its own"),
    ],
)
def test_without_bare_only_an_identity_starts_an_element(marked: str) -> None:
    check(marked, [ElementRule("page", identity=("url",), bare=False)])
