"""Hostile texts of any size: for each loop, search and pattern of the package, one that would like it to be slow.

A shape makes a text from a number of repetitions, and its length grows as that number does.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

from langchain_semantic_xml import ElementRule

Make = Callable[[int], str]


class Shape(NamedTuple):
    """A family of texts.

    Args:
        make: Makes the text with so many repetitions.
        overlap: The splitter's `chunk_overlap`, as a share of its `chunk_size`.
        elements: The option `elements`.
    """

    make: Make
    overlap: float = 0.0
    elements: tuple[ElementRule, ...] | None = None


FIVE_MEGABYTES = 312
"""Repeated 16,000 times, this many characters are 5 MB."""


def _element(path: str, body: str) -> str:
    return f'<file path="{path}">\n{body}\n</file>\n'


def _repeated(unit: str) -> Make:
    """Return what repeats `unit`."""
    return lambda n: unit * n


def _between(before: str, unit: str, after: str = "") -> Make:
    """Return what repeats `unit` between two texts."""
    return lambda n: f"{before}{unit * n}{after}"


def _inside(path: str, unit: str) -> Make:
    """Return what repeats `unit` in one element, which is then cut by the rules of its suffix."""
    return _between(f'<file path="{path}">\n', unit, "\n</file>\n")


def _indentations(n: int) -> list[str]:
    """Return `n` different indentations, all of the same few characters' length."""
    width = max(1, (n - 1).bit_length())
    return ["".join(blanks) for blanks, _ in zip(product(" \t", repeat=width), range(n), strict=False)]


def _nested(n: int) -> str:
    depths = [" " * (number % 50) for number in range(n)]
    return "".join(f'{depth}<file path="a">\n' for depth in depths) + "".join(
        f"{depth}</file>\n" for depth in reversed(depths)
    )


def _changing_indentation(n: int) -> str:
    return "".join(f'{" " * (number % 997)}<file path="a">\n' for number in range(n))


def _distant_closings(n: int) -> str:
    """Return openings of `n` indentations, each with inner elements and an unclosed wrapper; all closings at the end.

    Only the first two inner openings have an identity, so that no element reaches to the end.
    """
    lanes = _indentations(n)
    inner = [f'{lane}<file path="i">\n{lane}</file>\n' * 2 + f"{lane}<file>\n{lane}</file>\n" * 3 for lane in lanes]
    heads = [f'{lane}<file path="o">\n{lane}<w>\n{body}' for lane, body in zip(lanes, inner, strict=True)]
    return "".join(heads) + "".join(f"{lane}</file>\n" for lane in lanes)


def _widths(n: int) -> str:
    """Return fences each wider than the one before, in about 10 n characters."""
    return "".join(f"{'`' * width}a\n" for width in range(3, int((20 * n) ** 0.5)))


def _numbered(n: int) -> str:
    documents = (f'<document index="{n - number}">x</document>' for number in range(n))
    return f"<documents>{''.join(documents)}</documents>"


def _seamed(first: int, second: int) -> Make:
    """Return documents without line ends between them, whose numbers alternate."""
    pair = f'</document><document index="{first}"></document><document index="{second}">'
    return _between('<documents><document index="1">', pair, "</document></documents>")


def _many_names(n: int) -> str:
    """Return one element with `n` attributes, and a body of several parts for each of them."""
    names = " ".join(f"a{number}=b" for number in range(n))
    return f"<file {names}>\n{'x' * 8 * n}</file>"


_MARGIN_RUN = 4
"""How many blank lines, of those that `n` counts, stand in one run."""


def _blank_runs(n: int) -> str:
    """Return few very long runs of blank lines, each followed by an indented line, in code."""
    return _element("a.py", ("x" + "\n" * (n // _MARGIN_RUN) + " y\n") * (4 * _MARGIN_RUN))


TAGS: dict[str, Shape] = {
    "openings": Shape(_repeated('<file path="a">\n')),
    "openings on one line": Shape(_repeated('<file path="a">')),
    "closings": Shape(_repeated("</file>\n")),
    "closings on one line": Shape(_repeated("</file>")),
    "closings without end": Shape(_repeated("</file ")),
    "closings with blank lines": Shape(lambda n: '<file path="a">\n' * n + ("</file>" + "\n" * 30) * n),
    "openings, closings": Shape(lambda n: '<file path="a">\n' * n + "</file>\n" * n),
    "openings, closings, text": Shape(lambda n: '<file path="a">\nx' * n + "</file>\nx" * n),
    "surplus closings": Shape(_repeated('<file path="a">\n</file>\n</file>\n')),
    "less-than signs": Shape(_repeated("<" * 10)),
    "tags without end": Shape(_repeated("<file ")),
    "blanks in a tag": Shape(_repeated(f"<file {' ' * 10}\n")),
    "bare elements in prose": Shape(_repeated("<output>x</output> ")),
    "one-line elements": Shape(_repeated('<file path="a">x</file>\n')),
    "elements on one line": Shape(_repeated('<file path="a">x</file>')),
    "nested": Shape(_nested),
    "nested on one line": Shape(lambda n: '<file path="a">' * n + "</file>" * n),
    "changing indentation": Shape(_changing_indentation),
    "end-of-line closings": Shape(_repeated("<output>\nx</output>\n")),
    "openings, end-of-line closings": Shape(lambda n: "<output>\n" * n + "x</output>\n" * n),
    "closings before containers": Shape(lambda n: '<file path="a">\n' * n + "</file>\n</x>\n" * n),
    "distant closings": Shape(lambda n: '<file path="a">\n' * n + '</file>\n\n<file path="c">\n' * n + "</file>\n" * n),
    "distant closings, many indentations": Shape(_distant_closings, elements=(ElementRule("file", bare=False),)),
    "glued openings": Shape(_repeated('<file path="a">x\n')),
    "glued openings, closings": Shape(lambda n: '<file path="a">x\n' * n + "</file>\n" * n),
    "glued openings on one line": Shape(_between("<w>\n", '<file path="a">x', "\n")),
    "bare glued openings": Shape(_repeated("<file>x\n</file>\n")),
    "content glued to both tags": Shape(_repeated("<file path='a'>x</file>y\nz</file>\n")),
    "surplus at line ends": Shape(lambda n: "<file path='a'>x</file>y\n" + "z</file>\n" * n),
    "openings of unlike indentation, end-of-line closings": Shape(
        lambda n: "".join(f"{' ' * (number % 200)}<output>\nx\n" for number in range(n)) + "y</output>\n" * n
    ),
    "numbers that rise": Shape(
        lambda n: "".join(f"<document index='{number}'>\nx\n" for number in range(n)) + "</document>\n" * 3
    ),
    "numbers that fall": Shape(
        lambda n: "".join(f"<document index='{n - number}'>\nx\n</document>\n" for number in range(n)) + "<document>\n"
    ),
    "numbers that never come": Shape(
        lambda n: "<document index='1'>\n" * n + "</document>\n<document index='1'>\n" * n
    ),
    "doubted nestings of another kind": Shape(
        lambda n: "<file path='a'>\n" * n + '</file>\n\n<file path="c" lang="d">\n' * n + "</file>\n" * n
    ),
    "doubted folders": Shape(
        lambda n: "<file path='a'>\n" * n + '</file>\n\n<file path="a/c">\n' * n + "</file>\n" * n
    ),
    "listings": Shape(_repeated("<directory_structure>\na\n")),
    "a listing of deep folders": Shape(
        lambda n: (
            "<directory_structure>\n"
            + "".join(f"{' ' * (number % 50)}a/\n" for number in range(n))
            + "b\n</directory_structure>\n<file path='b'>\n<file path='c'>\n</file>\n"
        )
    ),
    "listed openings": Shape(
        lambda n: (
            "<directory_structure>\na\nb\n</directory_structure>\n"
            + "<file path='a'>\n<file path='b'>\n" * n
            + "</file>\n"
        )
    ),
    "byte-order marks": Shape(_repeated("\ufeff<file path='a'>\n\ufeff</file>\n")),
    "blanks before the end of a tag": Shape(_between('<file path="a"', " " * 20, ">\nx\n</file>")),
    "tabs before the end of a tag": Shape(_between('<file path="a"', "\t" * 20, "/>")),
    "line ends before the end of a tag": Shape(_between('<file path="a"', "\n" * 20, ">\nx\n</file>")),
    "blanks in a closing tag": Shape(_between('<file path="a">\nx\n</file', " " * 20, ">")),
    "many tags with blanks": Shape(_repeated(f'<file path="a"{" " * 200}>\n')),
    "wrapped runs": Shape(_repeated(f'<file path="a">\n<w>\n{_element("b", "1") * 5}</w>\n</file>\n\n')),
}
QUOTES: dict[str, Shape] = {
    "open quotes": Shape(_repeated('<file path="')),
    "open quotes, crossed": Shape(_repeated("<file path=\"x' b='")),
    "open quotes, interleaved": Shape(_repeated("<file a=\" x=' c=\" b=' ")),
    "open quotes, three states": Shape(_repeated("<file a=\"<file b='<file c d=e ")),
    "open quotes, one a line": Shape(_repeated('<file path="\n')),
    "open quotes, then one long value": Shape(_between("<file a='<file b=\"", "<file c ")),
    "raw quotes": Shape(_repeated('<file path="x"y">\n')),
    "raw quotes in one tag": Shape(_between('<file path="a"', '"b', ">\nx\n</file>")),
    "a tag of 100,000 attributes": Shape(_between("<file ", 'a="b" ' * 6, ">\nx\n</file>")),
    "a tag of many names, and a body": Shape(_many_names),
    "attributes that end in nothing": Shape(_repeated("<file " + "a=b " * 10 + "<")),
    "names and blanks": Shape(_between("<file ", "a ", "= =")),
    "one long name": Shape(_between("<file ", "a" * 20, "\n")),
    "one unquoted value of slashes": Shape(_between("<file path=", "/a" * 5, ">\nx\n</file>")),
    "entities": Shape(_between('<file path="', "&#0", '&amp;">x</file>')),
    "a command of 5 MB": Shape(_between('<output command="', "x" * FIVE_MEGABYTES, '">\nx\n</output>')),
    "a command of 5 MB, raw": Shape(_between('<output command="', 'x"' * (FIVE_MEGABYTES // 2), '">\nx\n</output>')),
}
CHILDREN_AND_CDATA: dict[str, Shape] = {
    "children": Shape(_repeated("<document><source>")),
    "children, two kinds": Shape(_repeated("<document><source><document><src>")),
    "children, one a line": Shape(_repeated("<document>\n<source>x\n")),
    "less-than signs in a child": Shape(_between("<document><source>", "<a" * 5, "</source>\nx\n</document>")),
    "a blank child": Shape(_between("<document><source>", " " * 10, "x")),
    "CDATA": Shape(_repeated('<file path="a"><![CDATA[')),
    "CDATA, one a line": Shape(_repeated('<file path="a"><![CDATA[\n')),
    "CDATA chain": Shape(_repeated('<file path="a"><![CDATA[x ]]>')),
    "CDATA chain, adjacent": Shape(_repeated('<![CDATA[ \n<file path="a"><![CDATA[x ]]>')),
    "CDATA chain, one section": Shape(lambda n: '<file path="a"><![CDATA[' * n + "]]><![CDATA[" * n),
    "CDATA chain, between openings": Shape(_repeated('<file path="a"><![CDATA[x]]><![CDATA[\n')),
    "CDATA, one end and blanks": Shape(lambda n: '<file path="a"><![CDATA[\n' * n + "]]>" + " " * (20 * n)),
    "CDATA, ends amid lines": Shape(lambda n: '<file path="a"><![CDATA[\n' * n + "']]></file>'\n" * n),
    "CDATA, clear ends": Shape(_repeated("<file path=\"a\"><![CDATA[\n']]></file>'\n]]></file>\n")),
    "CDATA after blank lines": Shape(_between('<file path="a">', "   \n", "<![CDATA[")),
}
SEAMS: dict[str, Shape] = {
    "alternating seams": Shape(_seamed(2, 1)),
    "alternating seams, numbers left out": Shape(_seamed(3, 5)),
    "seams, numbers falling": Shape(_numbered),
    "seams without a container's end": Shape(_between('<a><file path="a">', 'x</file><file path="b">')),
    "containers on one line": Shape(_between("<a>", '<b><file path="a">x</file></b>', "</a>")),
    "containers inside one another": Shape(lambda n: "<b>" * n + '<file path="a">x</file></b>' * n),
    "containers that never open": Shape(_between("<a>", '<file path="a">x</file></b>', "</a>")),
    "seams, names mixed": Shape(_between('<a><file path="a">', '</output><file path="b"></diff><file path="c">')),
}
PROSE: dict[str, Shape] = {
    "fences": Shape(lambda n: "```a\n" * n + _element("a", "x")),
    "blank lines, then fences": Shape(lambda n: "\n" * n + "```a\nx\n```\n" * n + _element("a", "x")),
    "fences around elements": Shape(_repeated("```a\n" + _element("a", "x"))),
    "fences of two widths": Shape(lambda n: "```a\n````\n" * n + _element("a", "x")),
    "fences of two widths around elements": Shape(_repeated('````a\n```\n<file path="a">x</file>\n')),
    "fences of growing widths": Shape(_widths),
    "fences of growing widths around elements": Shape(lambda n: _widths(n) + '<file path="a">x</file>\n' * n),
    "one fence around one line": Shape(_between("```\n", '<file path="a">x</file>', "\n```\n")),
    "backticks in lines": Shape(_repeated('x ``` y <file path="a">x</file>\n')),
    "headings": Shape(_repeated("# a\n")),
    "headings, overlapping": Shape(_repeated("# a\n"), overlap=0.5),
    "headings after a fence": Shape(_between("```\n", "# a\n")),
    "headings with text, overlapping": Shape(_repeated("# a\nb\n"), overlap=0.9),
    "container openings": Shape(_repeated("<w>\n")),
    "container openings, overlapping": Shape(_repeated("<w>\n"), overlap=0.5),
    "container closings": Shape(_repeated("</w>\n")),
    "containers, alternating": Shape(_repeated("<w>\n</w>\n"), overlap=0.5),
    "containers with open quotes": Shape(_repeated('<w a="x" b=\'\n')),
    "one container of quotes": Shape(_between("<w ", '"x" ', "'>\n")),
    "blank lines": Shape(_repeated("\n" * 10)),
    "blanks": Shape(_between("a", " " * 10, "b")),
    "CRLF only": Shape(_repeated("\r\n" * 5)),
    "form feeds": Shape(_repeated("\f\x1c\x85 <w>\f\n")),
    "words": Shape(_repeated("word ")),
    "sentences without blanks": Shape(_repeated('."" ')),
    "lines of one character": Shape(_repeated("x\n")),
}
PARTS: dict[str, Shape] = {
    "one long line": Shape(_inside("a", "x" * 20)),
    "a line of 5 MB": Shape(_repeated("x" * FIVE_MEGABYTES)),
    "a body of 5 MB of newlines": Shape(_inside("a", "\n" * FIVE_MEGABYTES)),
    "newlines, then a character": Shape(_between('<file path="a">\nx', "\n" * 10, "y\n</file>\n")),
    "runs of blank lines in code": Shape(_blank_runs),
    "templates": Shape(_inside("a.cpp", "template x\n")),
    "annotations": Shape(_inside("a.java", "@a class x\n")),
    "decorators": Shape(_inside("a.py", "@a\n")),
    "comments above definitions": Shape(_inside("a.py", "# a\n# b\ndef f():\n")),
    "modifiers": Shape(_inside("a.java", "public static final abstract private \n")),
    "indentation": Shape(_inside("a.py", " " * 40 + "\n")),
    "indentation in one line": Shape(_between('<file path="a.py">\nx\n', " " * 20, "y\n</file>\n")),
    "words between long ones": Shape(_inside("a", "a b " + "x" * 70 + " ")),
    "headings in an element": Shape(_inside("a.md", "# a\n")),
    "fences in an element": Shape(_inside("a.md", "```a\n````\n")),
    "one long fence in an element": Shape(_between('<file path="a.md">\n```\n', "x\n", "```\n</file>\n")),
    "rules": Shape(_inside("a.md", "-----\n")),
    "list items": Shape(_inside("a.md", " " * 39 + "1. \n")),
    "titles": Shape(_inside("a.rst", "a\n===\n")),
    "titles of prose": Shape(_inside("a.md", "a\n===\n\n---\n")),
    "headings with blank lines": Shape(_inside("a.md", "# a\n\n\n")),
    "closing brackets above definitions": Shape(_inside("a.py", "@a(\n)\n)\ndef f():\n")),
    "closing brackets below nothing": Shape(_inside("a.py", "a = f(\n    x,\n)\nb = 1\n")),
    "calls that look like methods": Shape(_inside("a.ts", "  async get a(b<c>(d): e {\n")),
    "names in markup": Shape(_inside("a.html", "<path<p <h1")),
    "elements in an element": Shape(_inside("a", '\n  <file path="b">\n  </file>')),
    "emoji clusters": Shape(_inside("a", "\U0001f469\u200d\U0001f680")),
    "flags": Shape(_inside("a", "\U0001f1e9\U0001f1ea")),
    "combining marks": Shape(_inside("a", "\u0301")),
    "letters with marks, overlapping": Shape(_inside("a", "e\u0301"), overlap=0.9),
    "CRLF in an element": Shape(_inside("a", "\r\n")),
    "Hangul": Shape(_inside("a", "\u1100")),
}
SHAPES: dict[str, Shape] = {**TAGS, **QUOTES, **CHILDREN_AND_CDATA, **SEAMS, **PROSE, **PARTS}
