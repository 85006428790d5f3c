"""Elements whose content begins on the line of the opening tag, first on its line.

Rule: B2, B3, B8.
"""

from __future__ import annotations

import pytest

from tests.boundaries.marked import check


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("⟦<file path='a'>x\n</file>⟧\n", id="its closing is alone on its line"),
        pytest.param("⟦<file path='a'>x\nuse </file> so\n</file>⟧\n", id="a closing amid a line is content"),
        pytest.param("⟦<file path='a'>x\n  </file>\n</file>⟧\n", id="a closing at another indentation is content"),
        pytest.param("  ⟦<file path='a'>x\n</file>\n  </file>⟧\n", id="indented"),
        pytest.param("⟦<file path='a'>x\n<file path='b'>y\n</file>\n</file>⟧\nz\n", id="another one in it is depth"),
        pytest.param("⟦<file path='a'>\n<file path='b'>y\n</file>\n</file>⟧\nz\n", id="one in a filled one is depth"),
        pytest.param("⟦<file path='a'>x\n<file path='b'>\ny\n</file>\n</file>⟧\nz\n", id="a filled one in it is depth"),
        pytest.param("⟦<file path='a'>x\n<file path='b'/>\n</file>⟧\nz\n", id="a self-closing one is no depth"),
        pytest.param("⟦<file path='a'>x\n<file path='b'>y</file>\n</file>⟧\nz\n", id="a one-line element is no depth"),
        pytest.param("⟦<file path='a'>x\n</file>\ny\n</file>⟧\nz\n", id="surplus closings extend it"),
        pytest.param(
            "⟦<file path='a'>x\n</file>⟧\n⟦<file path='b'>y\n</file>\nz\n</file>⟧\n", id="up to the next glued opening"
        ),
        pytest.param("⟦<file path='a'>x\n</file>⟧\n⟦<file>y\n</file>⟧\n</file>\n", id="or the next bare one"),
        pytest.param("⟦<file path='a'><files>\n1\n</files>\n</file>⟧\n", id="a container is glued to it"),
        pytest.param("<file path='a'> looks so:\n⟦<file path='b'>\nx\n</file>⟧\n", id="prose: nothing balances it"),
        pytest.param("<file> elements follow:\n⟦<file path='a'>\nx\n</file>⟧\n", id="prose: without an identity"),
        pytest.param(
            "⟦<file path='a'>x\n</file>⟧\n\n⟦<file path='b'>y\n\n\n</file>⟧\n\n⟦<file path='c'>\nz\n</file>⟧\n",
            id="glued and filled ones side by side",
        ),
    ],
)
def test_content_glued_to_the_opening_tag_changes_nothing_about_the_closing(marked: str) -> None:
    check(marked)


NESTED = "".join(f"<file path='{name}'>\n1\n</file>\n\n" for name in "bcdef")


def test_a_wrapper_may_be_glued_to_the_outer_tag() -> None:
    """A nesting over five elements is believed, though each inner closing is followed. Rule: B5."""
    check(f"⟦<file path='a'><files>\n{NESTED}</files>\n</file>⟧\n\n⟦<file path='z'>x\n</file>⟧\n")


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(
            "<docs>\n⟦<file path='a'>x = '</file>'\ny</file>⟧\n⟦<file path='b'>z</file>⟧\n</docs>\n",
            id="on to the closing that ends its line and that an opening follows",
        ),
        pytest.param(
            "<docs>\n⟦<file path='a'>x = '</file>'\ny</file>⟧\n</docs>\n", id="or that a container's closing follows"
        ),
        pytest.param(
            "⟦<file path='a'>x = '</file>'\ny</file>\nz</file>⟧\n⟦<file path='b'/>⟧\n", id="the last one of several"
        ),
        pytest.param("⟦<file path='a'>x = '</file>⟧'\ny</file>\n", id="not one that the end of the text follows"),
        pytest.param("⟦<file path='a'>x = '</file>⟧'\ny</file> w\n⟦<file path='b'/>⟧\n", id="not one amid a line"),
        pytest.param("⟦<file path='a'>x</file>⟧\ny</file>\n⟦<file path='b'/>⟧\n", id="not when its line ends there"),
        pytest.param("⟦<file path='a'>x</file>⟧<b>\ny</file>\n⟦<file path='b'/>⟧\n", id="not when a tag follows it"),
        pytest.param("so: ⟦<file path='a'>x</file>⟧'\ny</file>\n⟦<file path='b'/>⟧\n", id="not amid a line"),
        pytest.param("⟦<file>x</file>⟧'\ny</file>\n⟦<file path='b'/>⟧\n", id="not without an identity"),
        pytest.param(
            "⟦<file path='a'>x</file>⟧ is one.\n⟦<file path='b'>y</file>⟧ is two.\n", id="not over the next opening"
        ),
    ],
)
def test_content_glued_to_both_tags_goes_on_to_a_closing_that_is_followed(marked: str) -> None:
    check(marked)


def test_a_title_may_be_content_of_another_document() -> None:
    check("<docs>⟦<doc title='a'>s = \"<p><doc>x</doc></p>\"</doc>⟧⟦<doc title='b'>y</doc>⟧</docs>")
