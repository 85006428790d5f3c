"""Elements in Markdown code fences are examples.

Rule: B9.
"""

from __future__ import annotations

import pytest

from tests.boundaries.marked import check, file

BYTE_ORDER_MARK = "\ufeff"

EXAMPLE = file("example", "x")
LONG_LINE = "x" * 1100


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"See\n```\n{EXAMPLE}```\n", id="backticks"),
        pytest.param(f"See\n~~~\n{EXAMPLE}~~~\n", id="tildes"),
        pytest.param(f"See\n```xml title='a'\n{EXAMPLE}```\n", id="an info string"),
        pytest.param(f"See\n   ```\n{EXAMPLE}   ```\n", id="three spaces"),
        pytest.param(f"See\n````\n```\n{EXAMPLE}```\n````\n", id="a fence in a longer fence"),
        pytest.param(f"See\n```\n{EXAMPLE}`````\n", id="a longer closing line"),
        pytest.param("See\n```\nsee <file path='a'>x</file>\n```\n", id="an inline element"),
        pytest.param("See\n```\n<file path='a'/>\n```\n", id="a self-closing element"),
        pytest.param(f"{BYTE_ORDER_MARK}```\n{EXAMPLE}```\nso\n", id="after a byte-order mark"),
        pytest.param(f"See\n```\n{EXAMPLE}```\n".replace("\n", "\r\n"), id="CRLF"),
        pytest.param(f"⟦{EXAMPLE.rstrip()}⟧\n```\n{EXAMPLE}```\n⟦{EXAMPLE.rstrip()}⟧\n", id="between two elements"),
        pytest.param(f"See\n```\n1\n```\n⟦{EXAMPLE.rstrip()}⟧\n```\n2\n```\n", id="not between two fences"),
        pytest.param(f"```\n⟦{EXAMPLE.rstrip()}⟧\n", id="not in a fence that never closes"),
        pytest.param(f"See\n````\n⟦{EXAMPLE.rstrip()}⟧\n```\n", id="not in one that a shorter line should close"),
        pytest.param(f"```\n⟦{EXAMPLE.rstrip()}⟧\n~~~\n", id="not in one that other characters should close"),
        pytest.param(f"```\n⟦{EXAMPLE.rstrip()}⟧\n``` x\n", id="not in one that an info string should close"),
        pytest.param(f"    ```\n⟦{EXAMPLE.rstrip()}⟧\n    ```\n", id="not after four spaces"),
        pytest.param(f"``\n⟦{EXAMPLE.rstrip()}⟧\n``\n", id="not in two backticks"),
        pytest.param(f"See\n``` a`b\n⟦{EXAMPLE.rstrip()}⟧\n```\n", id="not after an info string with a backtick"),
        pytest.param("```\n⟦<file path='a'>\n1\n```\n2\n</file>⟧\n", id="not one that ends after the fence"),
        pytest.param("⟦<file path='a'>\n```\n</file>⟧\n⟦<file path='b'>\n```\n</file>⟧\n", id="fences inside elements"),
        pytest.param(
            'q <output name="t"> y\nsee ⟦<file path="a">\n```\n</file>⟧ z\n```\n'
            '⟦<file path="o">\nx <file> y\n</file>\n```\nz</file>⟧ w\n',
            id="a fence counts from the last element",
        ),
        pytest.param(
            f"See\n```\n<file path='a'/>\n{LONG_LINE}\n```\n",
            id="a fence that closes late",
        ),
        pytest.param(
            f'see ⟦<output name="t">x <file path="a">y</file>\n```\n<file path="b"/>\n{LONG_LINE}\n```\n</output>⟧ z\n',
            id="a fence that closes late parts nothing",
        ),
    ],
)
def test_an_element_in_a_fence_is_an_example(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"```xml\n⟦{EXAMPLE.rstrip()}⟧\n```\n", id="the fence is all of the text"),
        pytest.param(f"\n {BYTE_ORDER_MARK}".strip() + f"~~~\n⟦{EXAMPLE.rstrip()}⟧\n~~~\n\n", id="blanks apart"),
        pytest.param(
            f"```\n<files>\n⟦{EXAMPLE.rstrip()}⟧\n</files>\n```\nDone.\n", id="a container's line comes first in it"
        ),
        pytest.param(f"```\n\n<files x='1'>\n⟦{EXAMPLE.rstrip()}⟧\n```\nDone.\n", id="after a blank line"),
        pytest.param(f"```\n{EXAMPLE}```\nand so on\n", id="not when prose goes on after an example"),
        pytest.param(f"```\n<files> x\n{EXAMPLE}```\nand so on\n", id="not when the line holds more"),
        pytest.param(f"```\n</files>\n{EXAMPLE}```\nand so on\n", id="not a closing line"),
        pytest.param(f"So:\n```\n<files>\n{EXAMPLE}</files>\n```\n", id="not after prose"),
    ],
)
def test_a_bundle_sent_as_one_code_block_is_no_example(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(("lines", "hides"), [(150, True), (250, False)])
def test_a_long_fence_is_a_pasted_bundle(lines: int, *, hides: bool) -> None:
    filler = "filler\n" * (lines - 3)
    element = EXAMPLE.rstrip("\n")
    check(f"See\n```\n{filler}{element}\n```\n" if hides else f"See\n```\n{filler}⟦{element}⟧\n```\n")
