"""What a tag is, and how its attributes are read.

Rule: B1.
"""

from __future__ import annotations

import pytest

from tests.boundaries.marked import check

BYTE_ORDER_MARK = "\ufeff"


def attributes_of(tag: str) -> dict[str, str]:
    """Read the attributes of an opening tag of a `file`, which must be an element with this tag."""
    (block,) = check(f"⟦{tag}\nx\n</file>⟧")
    return dict(block.attributes)


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
        pytest.param(f"a\n{BYTE_ORDER_MARK}⟦<file>a</file>⟧", id="directly before a tag at the start of a line"),
        pytest.param(f"⟦<file/>⟧\n{BYTE_ORDER_MARK}⟦<file/>⟧\n", id="between two elements"),
        pytest.param(f"⟦<file/>⟧\n{BYTE_ORDER_MARK}\n⟦<file/>⟧\n".replace(BYTE_ORDER_MARK, "x"), id="text between"),
        pytest.param(f"\n{BYTE_ORDER_MARK} <file>a</file>", id="before blanks elsewhere it is a character"),
        pytest.param(f"x{BYTE_ORDER_MARK}<file>a</file>", id="amid a line it is a character"),
        pytest.param(f"{BYTE_ORDER_MARK}{BYTE_ORDER_MARK}<file>a</file>", id="a second one is a character"),
    ],
)
def test_a_byte_order_mark_before_a_tag_is_blank(marked: str) -> None:
    check(marked)
