"""CDATA and self-closing tags say where an element ends.

Rule: B10.
"""

from __future__ import annotations

import pytest

from tests.boundaries.marked import check


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("⟦<file path='a'><![CDATA[</file>]]></file>⟧", id="hides a closing tag"),
        pytest.param("⟦<file path='a'><![CDATA[\n</file>\n]]></file>⟧\nx\n", id="hides a closing line"),
        pytest.param("⟦<file path='a'>\n<![CDATA[\n</file>\n]]>\n</file>⟧\nx\n", id="white space around it"),
        pytest.param("see ⟦<file path='a'><![CDATA[</file>]]></file>⟧", id="amid a line"),
        pytest.param("⟦<file path='a'><![CDATA[</file>]]]]><![CDATA[></file>]]></file>⟧", id="an escaped end of it"),
        pytest.param("⟦<file path='a'><![CDATA[</file>⟧]]>x</file>", id="not when text follows it"),
        pytest.param("⟦<file path='a'><![CDATA[</file>⟧]]></output>", id="not when another closing follows it"),
        pytest.param("⟦<file path='a'>x<![CDATA[</file>⟧]]></file>", id="not when text precedes it"),
        pytest.param("⟦<file path='a'><![CDATA[</file>⟧", id="not when it never ends"),
        pytest.param("⟦<file path='a'><![cdata[</file>⟧]]></file>", id="not in small letters"),
        pytest.param("⟦<file path='a'/>⟧\n⟦<file path='b'>\nx\n</file>⟧\n", id="a self-closing element is a block"),
        pytest.param("⟦<file/>⟧\nx\n</file>\n", id="a self-closing element takes no closing"),
        pytest.param("⟦<file/>⟧<path>a</path>\n", id="a closed tag has no child"),
    ],
)
def test_cdata_and_self_closing_tags_say_where_the_element_ends(marked: str) -> None:
    check(marked)
