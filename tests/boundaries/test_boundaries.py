"""Where blocks begin and end: each boundary rule of the design, from both sides of its conditions.

Most tests are tables of marked texts: `⟦` and `⟧` stand around each element that must be found, and are no part of
the text. Everything between them must come back as text.
"""

from __future__ import annotations

import copy
import dataclasses
import pickle
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import (
    Block,
    ElementRule,
    has_semantic_elements,
    iter_blocks,
    parse_blocks,
)
from langchain_semantic_xml.values import Attributes

BYTE_ORDER_MARK = "\ufeff"


def unmark(marked: str) -> str:
    """Return the text of a marked text."""
    return marked.replace("⟦", "").replace("⟧", "")


def mark(text: str, blocks: list[Block]) -> str:
    """Write the marks around the elements among `blocks`."""
    pieces, at = [], 0
    for block in blocks:
        if block.type != "text":
            pieces += [text[at : block.start], "⟦", text[block.start : block.end], "⟧"]
            at = block.end
    return "".join([*pieces, text[at:]])


def check(marked: str, elements: list[str | ElementRule] | None = None) -> list[Block]:
    """Assert that exactly the marked elements are found and that the blocks tile the text; return the blocks."""
    text = unmark(marked)
    blocks = parse_blocks(text, elements=elements)
    assert mark(text, blocks) == marked
    at = 0
    for block in blocks:
        assert text[block.start : block.end] == block.content
        assert_blank(text, at, block.start)
        assert block.start_line == text.count("\n", 0, block.start) + 1
        at = block.end
    assert_blank(text, at, len(text))
    assert has_semantic_elements(text, elements=elements) is ("⟦" in marked)
    return blocks


def assert_blank(text: str, start: int, end: int) -> None:
    between = text[start:end]
    assert (between.removeprefix(BYTE_ORDER_MARK) if start == 0 else between).strip() == ""


def attributes_of(tag: str) -> dict[str, str]:
    """Read the attributes of an opening tag of a `file`, which must be an element with this tag."""
    (block,) = check(f"⟦{tag}\nx\n</file>⟧")
    return dict(block.attributes)


def file(path: str, *lines: str, indent: str = "") -> str:
    """Write an element as a bundler does: tags on lines of their own."""
    return "".join(f"{indent}{line}\n" for line in (f'<file path="{path}">', *lines, "</file>"))


# Rule 1: tags


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("⟦<file>a</file>⟧", id="no attribute"),
        pytest.param("⟦<file\tpath='a'>x</file>⟧", id="a tab after the name"),
        pytest.param("⟦<file\npath='a'\n>\nx\n</file>⟧", id="a tag over several lines"),
        pytest.param("⟦<file\r\n  path='a'>\r\nx\r\n</file>⟧", id="a tag over CRLF lines"),
        pytest.param("⟦<file path='a'\n/>⟧", id="a self-closing tag over two lines"),
        pytest.param("⟦<file>a</file >⟧", id="a blank in the closing tag"),
        pytest.param("⟦<file></file>⟧", id="no content"),
        pytest.param("<files>x</files>", id="a longer name"),
        pytest.param("<filename>x</filename>", id="a longer word"),
        pytest.param("<file-a>x</file-a>", id="a hyphen is part of a name"),
        pytest.param("<file.a>x</file.a>", id="a dot is part of a name"),
        pytest.param("<file:a>x</file:a>", id="a colon is part of a name"),
        pytest.param("<ns:file>x</ns:file>", id="a prefix is part of a name"),
        pytest.param("<fileé>x</fileé>", id="a letter of any script is part of a name"),
        pytest.param("<File>x</File>", id="another case"),
        pytest.param("<file>x</FILE>", id="a closing in another case"),
        pytest.param("< file>x</file>", id="a blank before the name"),
        pytest.param("<file>x</ file>", id="a blank after the slash"),
        pytest.param("<file", id="the text ends after the name"),
        pytest.param("<file path='a'", id="the text ends in the tag"),
        pytest.param("<file path='a>x</file>\n", id="a quote never ends"),
        pytest.param("<", id="an angle alone"),
        pytest.param("&lt;file>x&lt;/file>", id="escaped angles"),
    ],
)
def test_a_tag_is_its_whole_case_sensitive_name(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        pytest.param('<file path="a > b">', {"path": "a > b"}, id="double quotes protect the tag's end"),
        pytest.param("<file path='a /> b'>", {"path": "a /> b"}, id="single quotes protect a self-closing end"),
        pytest.param("""<file path="it's">""", {"path": "it's"}, id="the other quote is a character"),
        pytest.param("""<file path='a "b" c'>""", {"path": 'a "b" c'}, id="double quotes in single ones"),
        pytest.param('<file path="a\nb">', {"path": "a\nb"}, id="a value may span lines"),
        pytest.param('<file path="<b>">', {"path": "<b>"}, id="a tag in a value"),
        pytest.param('<file path="</file>">', {"path": "</file>"}, id="the closing tag in a value"),
        pytest.param("<file path=a.py>", {"path": "a.py"}, id="unquoted"),
        pytest.param("<file path=src/a/b.py>", {"path": "src/a/b.py"}, id="slashes in an unquoted value"),
        pytest.param("<file path=a lang=py>", {"path": "a", "lang": "py"}, id="two unquoted values"),
        pytest.param('<file path = "a">', {"path": "a"}, id="blanks around the sign"),
        pytest.param("<file path='a' raw>", {"path": "a", "raw": ""}, id="no value"),
        pytest.param("<file raw path='a'>", {"raw": "", "path": "a"}, id="no value, another after it"),
        pytest.param("<file path=''>", {"path": ""}, id="an empty value"),
        pytest.param("<file\tpath='a'\n  b='c'  >", {"path": "a", "b": "c"}, id="any white space between"),
        pytest.param("<file z='1' a='2' m='3'>", {"z": "1", "a": "2", "m": "3"}, id="the order written"),
        pytest.param("<file path='1' path='2'>", {"path": "1"}, id="the first of two counts"),
        pytest.param("<file xml:lang='en' data-x.y='1'>", {"xml:lang": "en", "data-x.y": "1"}, id="any XML name"),
        pytest.param("<file pfad='ä' größe='5'>", {"pfad": "ä", "größe": "5"}, id="any script"),
    ],
)
def test_attributes_are_read_as_written(tag: str, attributes: dict[str, str]) -> None:
    assert list(attributes_of(tag).items()) == list(attributes.items())


@pytest.mark.parametrize(
    ("written", "value"),
    [
        pytest.param("&lt;&gt;&amp;&quot;&apos;", "<>&\"'", id="the five entities"),
        pytest.param("&amp;lt;", "&lt;", id="decoded once only"),
        pytest.param("&lt", "&lt", id="no semicolon"),
        pytest.param("&lt x;", "&lt x;", id="a semicolon elsewhere"),
        pytest.param("a&b", "a&b", id="a bare ampersand"),
        pytest.param("?a=1&copy=2&amp=3", "?a=1&copy=2&amp=3", id="a query string"),
        pytest.param("&nbsp;&LT;", "&nbsp;&LT;", id="other names and cases"),
        pytest.param("&#65;&#x42;&#x1F600;", "AB\U0001f600", id="decimal and hexadecimal"),
        pytest.param("&#xe9;&#xE9;", "éé", id="either case of digits"),
        pytest.param("&#X41;", "&#X41;", id="a capital X is none"),
        pytest.param("&#65", "&#65", id="a number without a semicolon"),
        pytest.param("&#;&#x;&;", "&#;&#x;&;", id="no digits"),
        pytest.param("&#-1;&#+1;&#1_0;", "&#-1;&#+1;&#1_0;", id="what int() would take"),
        pytest.param("&#\u0663;", "&#\u0663;", id="digits of another script"),
        pytest.param("&#000000000000065;", "A", id="leading zeros"),
        pytest.param("&#10;&#9;&#xD;", "\n\t\r", id="line ends and tabs"),
        pytest.param("&#0;&#x1F;", "&#0;&#x1F;", id="control characters are none of XML"),
        pytest.param("&#xD800;&#57343;", "&#xD800;&#57343;", id="surrogates are no characters"),
        pytest.param("&#xFFFE;&#xFFFF;", "&#xFFFE;&#xFFFF;", id="non-characters"),
        pytest.param("&#x10FFFF;", "\U0010ffff", id="the last character"),
        pytest.param("&#x110000;&#1114112;", "&#x110000;&#1114112;", id="one after the last"),
        pytest.param(f"&#{'9' * 5000};", f"&#{'9' * 5000};", id="a number too long to convert"),
        pytest.param(f"&#x{'F' * 5000};", f"&#x{'F' * 5000};", id="a hexadecimal number too long to convert"),
    ],
)
def test_references_in_values_are_decoded_and_all_else_is_verbatim(written: str, value: str) -> None:
    assert attributes_of(f'<file path="{written}">') == {"path": value}


def test_references_in_contents_stay() -> None:
    (block,) = check("⟦<file path='a'>&lt;b&gt; &amp;</file>⟧")
    assert block.content == "<file path='a'>&lt;b&gt; &amp;</file>"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        pytest.param(
            '<output command="git log --format="%h <%an>"">', 'git log --format="%h <%an>"', id="quotes in quotes"
        ),
        pytest.param('<output command="echo "a" "b"">', 'echo "a" "b"', id="several"),
        pytest.param("<output command='echo 'a' b'>", "echo 'a' b", id="single quotes"),
        pytest.param('<output command="awk "{print $1 > f}"">', 'awk "{print $1 > f}"', id="an end within"),
        pytest.param('  <output command="grep "x" f">', 'grep "x" f', id="indented"),
        pytest.param('<output command="a"b">  ', 'a"b', id="blanks after it"),
        pytest.param('<output command="a"b="c">', 'a"b="c', id="no blank between two attributes"),
        pytest.param('<output command="a &amp; "b"">', 'a & "b"', id="with an entity"),
        pytest.param("""<output n='1' command="grep "x" f">""", 'grep "x" f', id="after another attribute"),
    ],
)
def test_a_line_with_raw_quotes_is_one_tag(line: str, command: str) -> None:
    indent = line[: len(line) - len(line.lstrip())]
    (block,) = check(f"{indent}⟦{line.lstrip()}\nx\n{indent}</output>⟧\n")
    assert block.identity == command


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param('see <output command="a "b" c">x</output>', id="not first on its line"),
        pytest.param('<output command="a "b" c">x</output>', id="its line ends in its own closing tag"),
        pytest.param('<output command="a "b" c"> x\n</output>', id="its line does not end in >"),
        pytest.param('<output command="a "b" c"\n>\nx\n</output>', id="its line ends before >"),
    ],
)
def test_elsewhere_raw_quotes_are_text(marked: str) -> None:
    check(marked)


def test_the_self_closing_end_is_no_part_of_an_unquoted_value() -> None:
    (block,) = check("⟦<file path=a.py/>⟧")
    assert block.identity == "a.py"


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"{BYTE_ORDER_MARK}⟦<file>a</file>⟧", id="before a bare element"),
        pytest.param(f"{BYTE_ORDER_MARK}  ⟦<file path='a'>\n  </file> x\n  </file>⟧", id="before indentation"),
        pytest.param(f"{BYTE_ORDER_MARK}", id="alone"),
        pytest.param(f"{BYTE_ORDER_MARK} \n\t", id="before blanks"),
        pytest.param(f"{BYTE_ORDER_MARK}# Notes\n⟦<file>a</file>⟧", id="before text"),
        pytest.param(f"\n{BYTE_ORDER_MARK}<file>a</file>", id="elsewhere it is a character"),
        pytest.param(f"{BYTE_ORDER_MARK}{BYTE_ORDER_MARK}<file>a</file>", id="a second one is a character"),
    ],
)
def test_a_byte_order_mark_at_the_start_is_blank(marked: str) -> None:
    check(marked)


# Rule 2: line style


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


# Rule 3: surplus closings


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


# Rule 4: never balanced

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


# Rule 5: lone opening, distant lone closing


AND = "and\n"


def run_of(count: int, between: str = "\n", path: str = "inner") -> str:
    return between.join(f"<file path='{path}{number}'>\n{number}\n</file>\n" for number in range(count))


def lone_pair(elements: int, between: str = "\n") -> str:
    """Write an element with a lone opening line, others, and one with a lone closing line, unmarked.

    The first one's nesting thus runs over the lone opening, all others and the opening of the last one.
    """
    middle = run_of(elements, path="b")
    return f"<file path='a'>\n{LONE}</file>\n{between}{middle}\n<file path='c'>\nc\n</file>\nmore\n</file>\n"


def test_a_nesting_over_three_elements_is_believed() -> None:
    text = lone_pair(1).rstrip("\n")
    check(f"⟦{text}⟧\n")


def test_a_nesting_over_four_elements_against_a_followed_closing_is_not() -> None:
    blocks = parse_blocks(lone_pair(2))
    assert [(block.type, block.identity) for block in blocks] == [
        ("file", "a"),
        ("file", "b0"),
        ("file", "b1"),
        ("file", "c"),
    ]
    assert blocks[-1].content.endswith("</file>\nmore\n</file>")


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"⟦<file path='a'>\n<files>\n{run_of(6)}</files>\n</file>⟧\nx\n", id="a wrapper of its own"),
        pytest.param(f"⟦<file path='a'>\n  <files n='6'>\n{run_of(6)}x</files>\n</file>⟧\nx\n", id="an indented one"),
        pytest.param(f"⟦<file path='a'>\n{run_of(6, between=AND)}</file>⟧\nx\n", id="text between the inner elements"),
        pytest.param(
            f"⟦<file path='a'>\n{run_of(3)}and\n{run_of(3)}</file>⟧\nx\n", id="text between two inner elements"
        ),
        pytest.param(
            "⟦<file path='a'>\n" + "<file>\n1\n</file>\n" * 6 + "</file>⟧\nx\n", id="no earlier closing is followed"
        ),
    ],
)
def test_a_long_nesting_is_believed_for_a_reason(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "", id="no wrapper"),
        pytest.param("see <files>\n", "</files>\n", id="an opening amid a line"),
        pytest.param("<files>\n", "", id="a wrapper that does not close"),
        pytest.param("", "</files>\n", id="a wrapper that does not open"),
        pytest.param("<files>\n", "</documents>\n", id="two wrappers' halves"),
        pytest.param("<files/>\n", "</files>\n", id="a self-closing one"),
        pytest.param("</files>\n", "<files>\n", id="the wrong way round"),
        pytest.param("<output>\n", "</output>\n", id="an element wraps nothing"),
        pytest.param("text\n", "text\n", id="text outside the run"),
    ],
)
def test_a_long_nesting_without_a_reason_is_cut_at_the_earlier_followed_closing(before: str, after: str) -> None:
    inner = run_of(6).split("\n\n")
    text = f"<file path='a'>\n{before}{run_of(6)}{after}</file>\n\n<file path='z'>\n</file>\n"
    outer = parse_blocks(text)[0]
    assert outer.content == f"<file path='a'>\n{before}{inner[0]}"


# Rule 6: end-of-line closing


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(
            "⟦<output command='ls'>\na\nb</output>⟧\n\n⟦<output command='pwd'>\n/</output>⟧\n", id="agent transcripts"
        ),
        pytest.param(
            "⟦<output command='ls'>\na</output>\nb</output>⟧\n\n⟦<output command='pwd'>\n/</output>⟧\n",
            id="the last before the next opening",
        ),
        pytest.param("⟦<output command='ls'>\na</output>⟧\nb</output>\n", id="no opening follows: the first"),
        pytest.param("⟦<output command='ls'>\na</output>\nb\n</output>⟧\n", id="a closing with its own line wins"),
        pytest.param(
            "⟦<output command='ls'>\na</output>⟧\n\n⟦<output command='pwd'>\n/\n</output>⟧\n",
            id="but not one after the next opening",
        ),
        pytest.param(
            "⟦<output command='ls'>\na</output>\n  <output command='x'>\nb</output>⟧\n"
            "⟦<output command='y'>\n</output>⟧",
            id="an opening at another indentation does not count",
        ),
        pytest.param(
            "⟦<output command='ls'>\na</output>\n<output> x\nb</output>⟧\n⟦<output command='y'>\n</output>⟧",
            id="an opening that shares its line does not count",
        ),
        pytest.param(
            "⟦<output command='ls'>\ntry <output>x</output>\nend</output>⟧\n", id="a one-line element closes itself"
        ),
        pytest.param("⟦<output command='ls'>\na</output>⟧ \t\r\nb</output>\n", id="blanks after it"),
        pytest.param("⟦<output command='ls'>\na</output> b\nc</output>⟧\n", id="text after it"),
    ],
)
def test_a_closing_at_the_end_of_a_text_line_ends_an_element_without_another(marked: str) -> None:
    check(marked)


# Rule 7: inline style


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
    ],
)
def test_elements_without_line_ends_between_them_end_at_seams(marked: str) -> None:
    check(marked)


# Rule 8: inline elements


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


# Rule 9: fences

EXAMPLE = file("example", "x")


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"```\n{EXAMPLE}```\n", id="backticks"),
        pytest.param(f"~~~\n{EXAMPLE}~~~\n", id="tildes"),
        pytest.param(f"```xml title='a'\n{EXAMPLE}```\n", id="an info string"),
        pytest.param(f"   ```\n{EXAMPLE}   ```\n", id="three spaces"),
        pytest.param(f"````\n```\n{EXAMPLE}```\n````\n", id="a fence in a longer fence"),
        pytest.param(f"```\n{EXAMPLE}`````\n", id="a longer closing line"),
        pytest.param("```\nsee <file path='a'>x</file>\n```\n", id="an inline element"),
        pytest.param("```\n<file path='a'/>\n```\n", id="a self-closing element"),
        pytest.param(f"{BYTE_ORDER_MARK}```\n{EXAMPLE}```\n", id="after a byte-order mark"),
        pytest.param(f"```\n{EXAMPLE}```\n".replace("\n", "\r\n"), id="CRLF"),
        pytest.param(f"⟦{EXAMPLE.rstrip()}⟧\n```\n{EXAMPLE}```\n⟦{EXAMPLE.rstrip()}⟧\n", id="between two elements"),
        pytest.param(f"```\n1\n```\n⟦{EXAMPLE.rstrip()}⟧\n```\n2\n```\n", id="not between two fences"),
        pytest.param(f"```\n⟦{EXAMPLE.rstrip()}⟧\n", id="not in a fence that never closes"),
        pytest.param(f"````\n⟦{EXAMPLE.rstrip()}⟧\n```\n", id="not in one that a shorter line should close"),
        pytest.param(f"```\n⟦{EXAMPLE.rstrip()}⟧\n~~~\n", id="not in one that other characters should close"),
        pytest.param(f"```\n⟦{EXAMPLE.rstrip()}⟧\n``` x\n", id="not in one that an info string should close"),
        pytest.param(f"    ```\n⟦{EXAMPLE.rstrip()}⟧\n    ```\n", id="not after four spaces"),
        pytest.param(f"``\n⟦{EXAMPLE.rstrip()}⟧\n``\n", id="not in two backticks"),
        pytest.param(f"``` a`b\n⟦{EXAMPLE.rstrip()}⟧\n```\n", id="not after an info string with a backtick"),
        pytest.param("```\n⟦<file path='a'>\n1\n```\n2\n</file>⟧\n", id="not one that ends after the fence"),
        pytest.param("⟦<file path='a'>\n```\n</file>⟧\n⟦<file path='b'>\n```\n</file>⟧\n", id="fences inside elements"),
    ],
)
def test_an_element_in_a_fence_is_an_example(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(("lines", "hides"), [(150, True), (250, False)])
def test_a_long_fence_is_a_pasted_bundle(lines: int, *, hides: bool) -> None:
    filler = "filler\n" * (lines - 3)
    element = EXAMPLE.rstrip("\n")
    check(f"```\n{filler}{element}\n```\n" if hides else f"```\n{filler}⟦{element}⟧\n```\n")


# Rule 10: CDATA and self-closing elements


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
    ],
)
def test_cdata_and_self_closing_tags_say_where_the_element_ends(marked: str) -> None:
    check(marked)


# Rule 11: text


def test_text_is_verbatim() -> None:
    before, between, after = "\n\n  Intro \n", "\r\n\tmore\r\n\r\n", " tail\f\n\n"
    element = "<file>a</file>"
    blocks = parse_blocks(before + element + between + element + after)
    assert [block.content for block in blocks] == [before, element, between, element, after]


@pytest.mark.parametrize(
    "blank", ["\n", " \t ", "\r\n\r\n", "\f\v", "\xa0", "\u2028\u2029", "\u3000", "\x1c\x85"], ids=ascii
)
def test_blank_text_is_dropped(blank: str) -> None:
    assert parse_blocks(blank) == []
    blocks = parse_blocks(blank.join(["", "<file path='a'/>", "<file path='b'/>", ""]))
    assert [block.identity for block in blocks] == ["a", "b"]


@pytest.mark.parametrize("visible", ["\0", "\u200b", "\ud800", "\x07", "\ufeff"], ids=ascii)
def test_what_is_no_white_space_is_text(visible: str) -> None:
    assert [block.content for block in parse_blocks(f" {visible} ")] == [f" {visible} "]


# Rule 12, and totality


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<file path='a'>\n" * 5000 + "</file>\n" * 5000, id="5,000 levels"),
        pytest.param("<file path='a'>" * 5000 + "</file>" * 5000, id="5,000 levels in one line"),
        pytest.param("<file path='a'>\n" * 20_000, id="openings alone"),
        pytest.param("</file>\n" * 20_000, id="closings alone"),
        pytest.param("<file " + "a=" * 20_000, id="a tag without end"),
        pytest.param("<file path='" * 5000, id="quotes without end"),
        pytest.param("```\n~~~\n" * 5000 + "<file/>", id="fences without end"),
        pytest.param("<![CDATA[" * 5000, id="CDATA without end"),
        pytest.param("<file path='\ud800'>\udfff\0</file>", id="lone surrogates and NUL"),
    ],
)
def test_no_text_raises_or_loses_a_character(text: str) -> None:
    blocks = parse_blocks(text)
    assert "".join(block.content for block in blocks).split() == text.split()


# Doors: laziness, options, refusals


def test_blocks_are_sliced_when_they_are_asked_for() -> None:
    text = "".join(f"<file path='{number}'>\n{'x' * 200_000}\n</file>\n" for number in range(20))
    tracemalloc.start()
    try:
        first = next(iter_blocks(text))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert first.identity == "0"
    assert peak < len(text) / 4


def test_arguments_are_checked_before_the_first_block_is_asked_for() -> None:
    with pytest.raises(TypeError):
        iter_blocks(b"x")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        iter_blocks("x", elements="file")


def test_an_iterator_of_blocks_runs_once() -> None:
    blocks = iter_blocks("<file>a</file>")
    assert isinstance(blocks, Iterator)
    assert (len(list(blocks)), list(blocks)) == (1, [])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("", False),
        (" \n", False),
        ("plain text", False),
        ("<file>a</file>", True),
        ("<file>a", False),
        ("a</file>", False),
        ("<page>a</page>", False),
        ("```\n<file>a</file>\n```", False),
        ("text <file path='a'/> text", True),
    ],
)
def test_a_text_says_whether_it_holds_elements(text: str, *, holds: bool) -> None:
    assert has_semantic_elements(text) is holds


DOORS: list[Callable[..., object]] = [parse_blocks, iter_blocks, has_semantic_elements]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: str(door.__name__))
@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "not NoneType"),
        (b"<file>a</file>", "not bytes; decode it first"),
        (bytearray(b"x"), "not bytearray; decode it first"),
        (Document(page_content="x"), "not Document; pass its page_content"),
        (["<file>a</file>"], "not list"),
        (3, "not int"),
    ],
    ids=["None", "bytes", "bytearray", "Document", "list", "int"],
)
def test_what_is_no_text_is_refused_by_its_kind(door: Callable[..., object], value: object, says: str) -> None:
    with pytest.raises(TypeError, match=f"text must be a str, {says}"):
        door(value)


def test_a_subclass_of_str_is_text() -> None:
    class Prompt(str):
        __slots__ = ()

    assert parse_blocks(Prompt("<file>a</file>")) == parse_blocks("<file>a</file>")


# Values


def test_a_block_is_frozen_and_takes_no_new_attributes() -> None:
    block = Block.from_text("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        block.content = "b"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        block.note = "b"  # type: ignore[attr-defined]
    assert not hasattr(block, "__dict__")


def pickled(value: Block, protocol: int = pickle.DEFAULT_PROTOCOL) -> Block:
    twin = pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own
    assert isinstance(twin, Block)
    return twin


CLONES = [
    pytest.param(copy.copy, id="copy"),
    pytest.param(copy.deepcopy, id="deepcopy"),
    *(pytest.param(partial(pickled, protocol=number), id=f"pickle {number}") for number in range(6)),
]


@pytest.mark.parametrize("clone", CLONES)
def test_a_block_pickles_and_copies(clone: Callable[[Block], Block]) -> None:
    (block,) = parse_blocks("<file path='a' z='1' b='2'>x</file>")
    twin = clone(block)
    assert twin == block
    assert hash(twin) == hash(block)
    assert list(twin.attributes) == ["path", "z", "b"]


def test_blocks_are_compared_and_hashed_by_value() -> None:
    text = "<file path='a'>x</file>"
    (block,), (same,), (moved,) = parse_blocks(text), parse_blocks(text), parse_blocks(" " + text)
    assert block == same
    assert len({block, same, moved}) == 2


def test_attributes_are_a_mapping_that_nobody_changes() -> None:
    attributes = parse_blocks("<file path='a' b='c'>x</file>")[0].attributes
    assert (dict(attributes), len(attributes), "b" in attributes) == ({"path": "a", "b": "c"}, 2, True)
    with pytest.raises(TypeError):
        attributes["path"] = "b"  # type: ignore[index]
    with pytest.raises(TypeError):
        del attributes["path"]  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="read-only; cannot set 'note'"):
        attributes.note = "x"
    with pytest.raises(AttributeError, match="read-only"):
        del attributes.note  # type: ignore[attr-defined]
    assert not hasattr(attributes, "update")
    assert not hasattr(attributes, "pop")


def test_attributes_do_not_see_later_changes_of_what_they_were_made_from() -> None:
    items = {"a": "1"}
    attributes = Attributes(items)
    items["a"] = "2"
    assert attributes == {"a": "1"}


def test_attributes_equal_any_mapping_and_hash_without_regard_to_order() -> None:
    one, other = Attributes({"a": "1", "b": "2"}), Attributes({"b": "2", "a": "1"})
    assert one == other == {"a": "1", "b": "2"}
    assert hash(one) == hash(other)
    assert one != Attributes({"a": "1"})
    assert repr(one) == "Attributes({'a': '1', 'b': '2'})"


def test_text_and_bare_elements_have_no_attributes_and_no_identity() -> None:
    text, element = parse_blocks("a\n<file>b</file>")
    assert (dict(text.attributes), text.identity) == ({}, None)
    assert (dict(element.attributes), element.identity) == ({}, None)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a", 1),
        ("a\n", 1),
        ("a\nb", 2),
        ("a\nb\n", 2),
        ("\na", 2),
        ("a\r\nb\r\n", 2),
        ("a\rb", 1),
        ("a\fb\vc\u2028d\u2029e\x85f\x1cg", 1),
        ("a\n\n", 2),
        ("", 0),
    ],
    ids=ascii,
)
def test_lines_are_counted_as_a_text_editor_does(content: str, lines: int) -> None:
    assert Block.from_text(content).lines == lines


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_start_lines_are_those_of_the_source(line_end: str) -> None:
    text = "# A\n\n<file>\nx\n</file>\n\n\n<file>b</file> c\n<file/>".replace("\n", line_end)
    blocks = [(block.type, block.start_line, block.lines) for block in parse_blocks(text)]
    assert blocks == [("text", 1, 2), ("file", 3, 3), ("file", 8, 1), ("text", 8, 1), ("file", 9, 1)]


@pytest.mark.parametrize("character", ["\f", "\v", "\u2028", "\u2029", "\x85", "\x1e", "\r"], ids=ascii)
def test_no_other_character_begins_a_line(character: str) -> None:
    (text, element) = parse_blocks(f"a{character}b{character}c\n<file>x{character}y</file>")
    assert (text.start_line, text.lines) == (1, 1)
    assert (element.start_line, element.lines) == (2, 1)


def test_a_block_made_from_text_stands_alone() -> None:
    block = Block.from_text("<page>a</page>\n", type="page")
    assert (block.type, block.start, block.end, block.start_line, block.lines) == ("page", 0, 15, 1, 1)
    assert (dict(block.attributes), block.identity) == ({}, None)
    with pytest.raises(TypeError, match="content must be a str, not bytes"):
        Block.from_text(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="type must be a str, not NoneType"):
        Block.from_text("a", None)  # type: ignore[arg-type]
