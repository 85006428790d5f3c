"""Elements with lines of their own: depth, surplus closings, openings without balance.

Rule: B2, B3, B4.
"""

from __future__ import annotations

import pytest

from tests.boundaries.marked import check, file


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("⟦<file path='a'>\n</file> is a tag\n</file>⟧", id="a closing with text after it"),
        pytest.param("⟦<file path='a'>\nuse </file> so\n</file>⟧", id="a closing amid a line"),
        pytest.param("⟦<file path='a'>\n  </file>\n</file>⟧", id="a closing that is indented more"),
        pytest.param("  ⟦<file path='a'>\n</file>\n  </file>⟧", id="a closing that is indented less"),
        pytest.param("\t⟦<file path='a'>\n    </file>\n\t</file>⟧", id="a tab is not four spaces"),
        pytest.param("⟦<file path='a'> \t\n</file> x\n</file>⟧ \t\n", id="blanks after the tags"),
        pytest.param("⟦<file path='a'>\r\n</file> x\r\n</file>⟧\r\n", id="CRLF"),
        pytest.param("⟦<file path='a'>\n<file>x</file>\n'</file>'\n</file>⟧", id="a one-line element is no depth"),
        pytest.param("⟦<file path='a'>\n<file path='b'/>\nx\n</file>⟧\n\ny", id="a self-closing tag is no depth"),
        pytest.param("⟦<file path='a'>\n  <file path='b'>\n</file>⟧\n\ny", id="another indentation is no depth"),
        pytest.param("⟦<file path='a'>\n<output command='b'>\n</file>⟧\n\ny", id="another name is no depth"),
        pytest.param("⟦<file path='a'>\n<file>\n1\n</file>\n2\n</file>⟧\n\ny", id="a nested element is depth"),
        pytest.param(
            "⟦<file path='a'>\n<files>\n"
            + "<file path='b'>\n1\n</file>\n" * 9
            + "</files>\n</file>⟧\n\n⟦<file path='c'>\n2\n</file>⟧\n",
            id="a bundle in a file stays inside",
        ),
        pytest.param("⟦<file><path>a.ts</path>\n</file> x\n</file>⟧", id="its identity's child on the line"),
        pytest.param("⟦<file><size>9</size>\n</file>⟧ x\n</file>", id="no other child on the line"),
        pytest.param("⟦<file path='a'>\n\n\n</file>⟧", id="blank lines"),
        pytest.param("⟦<file path='a'>\n</file>⟧", id="no line"),
        pytest.param("⟦<file path='a'>\n\f</file>\n</file>⟧", id="a form feed is no indentation"),
        pytest.param("⟦<file path='a'>\nx\u2028</file>\u2028y\n</file>⟧", id="U+2028 ends no line"),
        pytest.param("⟦<file path='a'>\nx\r</file>\ry\n</file>⟧", id="CR alone ends no line"),
    ],
)
def test_a_closing_tag_has_its_own_line_at_the_openings_indentation(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"⟦{file('a', 'x', '</file>').rstrip()}⟧\n\n⟦<file path='b'>\nb\n</file>⟧\n", id="one more"),
        pytest.param(f"⟦{file('a', '</file>', '1', '</file>', '2').rstrip()}⟧\n\n⟦<file/>⟧", id="two, text between"),
        pytest.param("⟦<file path='a'>\nx\n</file>\ny\n</file>⟧\nz\n", id="nothing follows the last"),
        pytest.param("⟦<file path='a'>\nx\n</file>⟧\n  </file>\n", id="not one at another indentation"),
        pytest.param("⟦<file path='a'>\nx\n</file>⟧\n</output>\n", id="not one of another name"),
        pytest.param("⟦<file path='a'>\nx\n</file>⟧\ny </file>\n", id="not one that shares its line"),
        pytest.param(
            "⟦<file path='a'>\n1\n</file>⟧\n⟦<file>\n2\n</file>\n</file>⟧\n",
            id="those after the next opening are the next element's",
        ),
        pytest.param(
            "⟦<file path='a'>\n<file>\n1\n</file>\n</file>\n</file>⟧\nx\n", id="after a nested element, depth 0 first"
        ),
    ],
)
def test_surplus_closings_extend_the_element(marked: str) -> None:
    check(marked)


LONE = "<file path='lone'>\n"


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(
            f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>\n2\n</file>⟧\n\n⟦<file path='b'>\nb\n</file>⟧\n",
            id="the first that an opening with identity follows",
        ),
        pytest.param(
            f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>⟧\n2\n</file>\n\n  ⟦<file path='b'>\n  b\n  </file>⟧\nx\n",
            id="an opening at another indentation does not count",
        ),
        pytest.param(
            f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>\n2\n</file>\n\n<file>\nb\n</file>⟧\n",
            id="a bare opening does not count, the end of the text does",
        ),
        pytest.param(
            f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>\n2\n</file>⟧\n\n</files>\nx\n",
            id="the first that a container's closing line follows",
        ),
        pytest.param(
            f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>⟧\n2\n</file>\n</files> x\n",
            id="a container's closing that shares its line does not count",
        ),
        pytest.param(
            f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>⟧\n2\n</file>\n</output>\nx\n",
            id="the closing of an element is no container's",
        ),
        pytest.param(
            f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>\n2\n</file>⟧\n \n\t\n", id="the end of the text, blanks apart"
        ),
        pytest.param(f"⟦<file path='a'>\n{LONE}{LONE}1\n</file>⟧\n2\n</file>\n3\n", id="none: the first closing"),
        pytest.param("⟦<file path='a'>\n1 </file>⟧\n2\n", id="none on its own line: one at a line's end"),
        pytest.param(f"<file path='a'>\n⟦{LONE}1 </file>⟧\n2\n", id="that one belongs to the last opening before it"),
        pytest.param("<file path='a'>\nx\n", id="no closing at all"),
        pytest.param("<file path='a'>\nx </file> y\n".replace("</file>", "</files>"), id="no closing of its name"),
    ],
)
def test_an_element_that_never_balances_ends_where_what_follows_says_so(marked: str) -> None:
    check(marked)


def numbered(index: int, content: str = "x\n") -> str:
    return f"⟦<document index='{index}'>\n{content}</document>⟧\n"


OPEN = "<document index='1'>\n1\n</document>\n<document index='2'>\n"


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(numbered(30, OPEN) + numbered(31), id="the next number"),
        pytest.param(numbered(30, OPEN) + numbered(33), id="a greater number where the next is left out"),
        pytest.param(f"<documents>\n{numbered(30, OPEN)}</documents>\n", id="a container's closing line"),
        pytest.param(numbered(30, OPEN) + "⟦<file path='a'>\nx\n</file>⟧\n", id="an element of another kind"),
        pytest.param(
            numbered(30, OPEN + "</document>\n<document index='40'>\n") + numbered(31),
            id="the next before a greater one",
        ),
    ],
)
def test_a_numbered_element_is_followed_by_a_greater_number(marked: str) -> None:
    """A cut-off bundle stands inside. Rule: B4."""
    check(marked)
