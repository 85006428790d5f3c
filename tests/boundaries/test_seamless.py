"""Elements without line ends between them.

Rule: B7.
"""

from __future__ import annotations

import pytest

from tests.boundaries.marked import check


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(
            "<files>⟦<file path='a'>1 </file> 2</file>⟧⟦<file path='b'>3</file>⟧</files>",
            id="a closing that no opening follows is content",
        ),
        pytest.param(
            "<files>⟦<file path='a'>1</file>⟧⟦<file path='b'>2\n</file>\n3</file>⟧</files>\n",
            id="the last one ends before the container's closing",
        ),
        pytest.param(
            "<files>⟦<file path='a'>\n<file path='x'>1</file>\n</file>⟧⟦<file path='b'>2</file>⟧</files>",
            id="an opening in the content",
        ),
        pytest.param("<files>⟦<file path='a'/>⟧⟦<file path='b'>2</file>⟧</files>", id="a self-closing one"),
        pytest.param("Intro\n<files>⟦<file path='a'></file>x</file>⟧</files>", id="after a line of text"),
        pytest.param("<all><files>⟦<file path='a'></file>x</file>⟧</files></all>", id="the innermost container"),
        pytest.param(
            "<documents>⟦<document index='1'>1</document><document index='7'>x</document>⟧"
            "⟦<document index='2'>2</document>⟧</documents>",
            id="with numbers, by the next number",
        ),
        pytest.param(
            "<documents>⟦<document index='1'>1</document>⟧⟦<document index='4'>4</document>⟧</documents>",
            id="with numbers of which some are left out",
        ),
        pytest.param(
            "<documents>⟦<document index='1'>1</document></documents><document index='9'>x</document>⟧"
            "⟦<document index='2'>2</document></documents> y</document>⟧</documents>",
            id="with numbers, the last one by the last closing of the container",
        ),
        pytest.param(
            "⟦<file path='z'>\n1\n</file>⟧\n"
            "<files>⟦<file path='a'>1 </file>⟧ 2</file>⟦<file path='b'>3</file>⟧</files>",
            id="not when an element starts a line before",
        ),
        pytest.param("x ⟦<file path='a'>1 </file>⟧ 2</file>⟦<file path='b'>3</file>⟧", id="not without a container"),
        pytest.param(
            "<files> \n⟦<file path='a'>1 </file>⟧ 2</file>⟦<file path='b'>3</file>⟧</files>",
            id="not when the container is on another line",
        ),
        pytest.param("<files>⟦<file path='a'>1</file>⟧⟦<file path='b'>2</file>⟧ text", id="a container without end"),
        pytest.param(
            '<files>⟦<file path="a"><![CDATA[</file></files>]]></file>⟧⟦<file path="b">x</file>⟧</files>',
            id="cdata hides what would close",
        ),
        pytest.param(
            '<files>⟦<file path="a">x</file>⟧⟦<file path="b">y</file> z</file>⟧</files>',
            id="goes on after each of them",
        ),
        pytest.param(
            '<files>⟦<file path="a">x</file>⟧</files>\n⟦<file path="b">\nx\n</file>⟧\n'
            '<files>⟦<file path="c">y</file>⟧ z</file></files>\n',
            id="a container after the first is no other",
        ),
        pytest.param(
            '<files>⟦<file path="a">\n```\n</file>⟧</files>\n⟦<file path="b">\nx\n</file>⟧\n```\n',
            id="fences count from the last of them",
        ),
        pytest.param(
            "<p t='P'><core spec>⟦<doc title='a'>1</doc> 2</doc>⟧</core spec>"
            "<agents>⟦<doc title='b'>3</doc>4</doc>⟧</agents></p>",
            id="the run goes on in the next container of the line",
        ),
        pytest.param(
            "<p><a>⟦<doc title='a'>1</doc> 2</doc>⟧</a>⟦<doc title='b'>3</doc>4</doc>⟧</p>",
            id="and in the container around it",
        ),
        pytest.param("<p><a>⟦<doc title='a'>1</doc></b> 2</doc>⟧</p>", id="of an open container only"),
        pytest.param(
            "<p><a>⟦<doc title='a'>1</doc>⟧</p> and <p>⟦<doc title='b'>3</doc>⟧4</doc></p>", id="not after text between"
        ),
        pytest.param(
            "<p><a>⟦<doc title='a'>1</doc>⟧</p>\n<p>⟦<doc title='b'>3</doc>⟧4</doc></p>", id="not on another line"
        ),
        pytest.param("<p>x</p> ⟦<doc title='a'>1</doc>⟧ 2</doc></p>", id="a closed container is none"),
    ],
)
def test_elements_without_line_ends_between_them_end_at_seams(marked: str) -> None:
    check(marked)
