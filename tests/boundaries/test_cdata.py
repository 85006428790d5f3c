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


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(
            "⟦<file path='a'><![CDATA[\nx = ']]></file>'\ny\n]]></file>⟧\nz\n", id="the one that ends its line"
        ),
        pytest.param("⟦<file path='a'><![CDATA[']]></file>'\n]]></file>⟧ <b>\n", id="or that a tag follows"),
        pytest.param("⟦<file path='a'><![CDATA[']]></file>⟧'\n]]></file> x\n", id="none does: the first"),
        pytest.param("⟦<file path='a'><![CDATA[a]]>b\n]]></file>⟧\n", id="an end within the content is passed over"),
        pytest.param(
            "⟦<file path='a'><![CDATA[x]]></file>⟧ is one.\n⟦<file path='b'><![CDATA[y]]></file>⟧ is two.\n",
            id="not over the next opening",
        ),
        pytest.param(
            "⟦<file path='a'><![CDATA[\n<file path='q'>\n']]></file>'\n]]></file>⟧\n⟦<file path='b'/>⟧\n",
            id="an opening in the section does not count",
        ),
        pytest.param("so ⟦<file path='a'><![CDATA[']]></file>⟧'\n]]></file>\n", id="amid a line the first"),
    ],
)
def test_of_several_ends_of_a_section_the_clear_one_counts(marked: str) -> None:
    check(marked)


def test_an_xml_comment_hides_nothing() -> None:
    check("<!--\n⟦<file path='a'>\nx\n</file>⟧\n-->\n<!-- ⟦<file path='b'/>⟧ -->\n")
