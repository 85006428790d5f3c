"""Hypothesis strategies for bundles of every style, and for texts that are no bundle at all.

`bundles()` renders what bundling tools and agents write and knows the right blocks, because it put them there.
`garbage()`, `line_garbage()` and `damaged_bundles()` know nothing but are hard on a parser.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from langchain_semantic_xml.values import ElementRule
from tests.boundaries.reference import BOM, Found, is_blank

Strategy = st.SearchStrategy


class Piece(NamedTuple):
    """An element of a bundle, or some of the text around it, before it has a position."""

    type: str
    content: str
    identity: str | None = None


class Bundle(NamedTuple):
    """A text and the blocks that it has by the way it was made."""

    text: str
    blocks: list[Found]


def prose(content: str) -> Piece:
    """Make a piece of text that is no element."""
    return Piece("text", content)


def assemble(pieces: Iterable[Piece]) -> Bundle:
    """Put pieces one after the other: neighbouring text is one block, blank text none."""
    blocks: list[Found] = []
    text = ""
    text_start = 0
    for piece in [*pieces, Piece("end", "")]:
        if piece.type != "text":
            if not is_blank(text[text_start:].removeprefix(BOM)):
                blocks.append(Found("text", text_start, len(text), None))
            text_start = len(text) + len(piece.content)
            blocks.append(Found(piece.type, len(text), text_start, piece.identity))
        text += piece.content
    return Bundle(text, blocks[:-1])


# Words, lines and bodies.

PATHS = ("a.py", "src/b c.ts", "docs/ünï.md", "x>y/z.rb", "deep/er/é.txt", "Makefile", "🏁.json")
COMMANDS = ("git status", "ls | grep 'x'", "echo a > b", "make -j2")
RAW_COMMANDS = ('git log --format="%h <%an>"', 'grep "x" "y z" a.c', 'echo "</b>"')
FENCES = ("```", "```xml", "~~~", "````", "   ```", "~~~~ info")


def paths() -> Strategy[str]:
    """Paths that need no quoting."""
    return st.sampled_from(PATHS)


def words() -> Strategy[str]:
    """Text of one line that holds no tag, no fence and is not blank."""
    return st.text(st.characters(codec=None, exclude_characters="<`~\r\n" + BOM), max_size=8).map(lambda w: w + ".")


def plain_lines() -> Strategy[str]:
    """Lines of content without tags: code, blank lines, fences."""
    return st.one_of(words(), st.sampled_from(("", "    x = 1", "\ty <", "a < b && c > d", "f<T>(x)", *FENCES)))


def mid_line_tags(name: str) -> Strategy[str]:
    """Lines that hold tags of `name` in their middle, where they mean nothing to an element in line style."""
    forms = (
        'print("</{0}>")',
        "fn f<{0}>() {{}}",
        'see <{0} path="q"> there',
        '<{0} path="one-line">x</{0}>',
        'x = "<![CDATA["',
        ']]> and "]]>"',
        "<{0}name>\n</{0}name>",
        "</{0}> is how it ends",
    )
    return st.sampled_from([form.format(name) for form in forms])


def lone_lines(name: str, temper: str) -> Strategy[str]:
    """Lines that look like a tag on a line of its own, and the text after them."""
    forms = {"openings": f'<{name} path="lone">\nto be opened', "closings": f"</{name}>\nto be closed"}
    return st.just(forms[temper])


@st.composite
def bodies(draw: st.DrawFn, name: str, temper: str = "plain") -> str:
    """Draw the content of an element in line style.

    The temper of a bundle says which doubtful lines its contents may hold: none, whole bundles, lone openings or
    lone closings. Of two kinds at once nobody could say what is right.
    """
    kinds = [plain_lines(), mid_line_tags(name)]
    if temper == "nested":
        kinds.append(nested_bundles(name))
    elif temper != "plain":
        kinds.append(lone_lines(name, temper))
    return "\n".join(draw(st.lists(st.one_of(kinds), min_size=1, max_size=5)))


def nested_bundles(name: str) -> Strategy[str]:
    """Whole bundles in one element's content, with a wrapper of their own."""
    element = bodies(name).map(lambda body: f'<{name} path="inner">\n{body}\n</{name}>')
    return st.lists(element, min_size=1, max_size=5).map(lambda found: "\n".join(["<files>", *found, "</files>"]))


TEMPERS = ("plain", "nested", "openings", "closings")


# Single elements.


@st.composite
def line_elements(draw: st.DrawFn, temper: str = "plain", indent: str = "", name: str = "file") -> Piece:
    """Draw an element whose tags have lines of their own; the first line's indentation is not part of it."""
    quote = draw(st.sampled_from("\"'"))
    path = draw(paths())
    more = draw(st.sampled_from(("", ' language="ruby"', " readonly size=3", "\n  note='of two lines'")))
    trailing = draw(st.sampled_from(("", "", " ", "\t")))
    body = draw(bodies(name, temper))
    return Piece(name, f"<{name} path={quote}{path}{quote}{more}>{trailing}\n{body}\n{indent}</{name}>", path)


@st.composite
def output_elements(draw: st.DrawFn, indent: str = "") -> Piece:
    """Draw a command's output, its command often with raw quotes."""
    command = draw(st.sampled_from(COMMANDS + RAW_COMMANDS))
    body = draw(bodies("output"))
    return Piece("output", f'<output command="{command}">\n{body}\n{indent}</output>', command)


def cdata_elements() -> Strategy[Piece]:
    """Files in CDATA, with closing tags on lines of their own and with a split end mark."""
    lines = st.sampled_from(("x", "</file>", '<file path="q">', "]]]]><![CDATA[>", ""))
    inner = st.lists(lines, min_size=1, max_size=4).map("\n".join)
    space = st.sampled_from(("", "\n"))
    return st.builds(
        lambda path, before, text, after: Piece(
            "file", f'<file path="{path}">{before}<![CDATA[{text}]]>{after}</file>', path
        ),
        paths(), space, inner, space,
    )  # fmt: skip


def self_closing_elements() -> Strategy[Piece]:
    """Files without content."""
    forms = st.sampled_from(('<file path="{}"/>', "<file path='{}' />", '<file\n  path="{}"\n/>'))
    return st.builds(lambda form, path: Piece("file", form.format(path), path), forms, paths())


def roo_elements() -> Strategy[Piece]:
    """Files that are named by a child on the line of their opening tag, or on the next."""
    return st.builds(
        lambda path, gap, body: Piece(
            "file", f'<file>{gap}<path>{path}</path>\n<content lines="1-2">\n{body}\n</content>\n</file>', path
        ),
        paths(), st.sampled_from(("", "\n", "\n  ")), bodies("file"),
    )  # fmt: skip


def one_line_elements() -> Strategy[Piece]:
    """Whole elements on one line, with an identity or, at the start of a line, without."""
    named = st.builds(lambda path, word: Piece("file", f"<file path='{path}'>{word}</file>", path), paths(), words())
    return named | words().map(lambda word: Piece("file", f"<file>{word}</file>"))


# Whole bundles, each a list of pieces.


@st.composite
def ace(draw: st.DrawFn) -> list[Piece]:
    """Draw headings, and under each of them elements; they may be indented."""
    indent = draw(st.sampled_from(("", "  ", "\t")))
    element = line_elements("plain", indent) | output_elements(indent)
    pieces = []
    for found in draw(st.lists(st.lists(element, min_size=1, max_size=3), min_size=1, max_size=3)):
        pieces.append(prose(f"# {draw(words())}\n\n"))
        pieces += [part for piece in found for part in (prose(indent), piece, prose("\n"))]
    return pieces


@st.composite
def repomix(draw: st.DrawFn) -> list[Piece]:
    """Draw prose, then elements in one container with blank lines between them."""
    temper = draw(st.sampled_from(TEMPERS))
    elements = [line_elements(temper)]
    if temper == "plain":
        elements += [cdata_elements(), self_closing_elements(), roo_elements()]
    found = draw(st.lists(st.one_of(elements), min_size=1, max_size=6))
    gap = draw(st.sampled_from(("\n", "\n\n")))
    intro = draw(st.sampled_from(("", "This file is a merged representation.\n\n")))
    return [prose(f"{intro}<files>\n"), *(p for piece in found for p in (piece, prose(gap))), prose("</files>\n")]


@st.composite
def inline(draw: st.DrawFn) -> list[Piece]:
    """Draw elements without line ends between them, in a container on the same line."""
    lines = st.lists(plain_lines() | st.sampled_from(('"</file>"', "</file>", "<b>x</b>")), min_size=1, max_size=4)
    found = draw(st.lists(st.tuples(paths(), lines.map("\n".join)), min_size=1, max_size=5))
    pieces = [Piece("file", f'<file path="{path}">{body}.</file>', path) for path, body in found]
    return [prose(draw(st.sampled_from(("", "# Files\n"))) + "<files>intro "), *pieces, prose("</files>\n")]


@st.composite
def toolslm(draw: st.DrawFn) -> list[Piece]:
    """Draw numbered documents on one line, whose contents may hold such documents with lower numbers."""
    stray = '<document index="0"><src>q</src></document><document index="0">'
    lines = st.lists(plain_lines() | st.sampled_from(("</document>", stray)), min_size=1, max_size=4)
    found = draw(st.lists(st.tuples(paths(), lines.map("\n".join)), min_size=1, max_size=5))
    pieces = []
    for number, (path, body) in enumerate(found, 1):
        content = f"<document-content>\n{body}\n</document-content>"
        pieces.append(Piece("document", f'<document index="{number}"><src>\n{path}\n</src>{content}</document>', path))
    return [prose("<documents>"), *pieces, prose("</documents>")]


@st.composite
def cxml(draw: st.DrawFn) -> list[Piece]:
    """Draw numbered documents on lines of their own, named by a child."""
    pieces = []
    for number, (path, body) in enumerate(draw(st.lists(st.tuples(paths(), bodies("document")), max_size=5)), 1):
        content = f"<document_content>\n{body}\n</document_content>"
        element = f'<document index="{number}">\n<source>{path}</source>\n{content}\n</document>'
        pieces += [Piece("document", element, path), prose("\n")]
    return [prose("<documents>\n"), *pieces, prose("</documents>\n")]


@st.composite
def glued(draw: st.DrawFn) -> list[Piece]:
    """Draw files whose content begins on the line of their opening tag."""
    pieces = []
    for path, first, body in draw(st.lists(st.tuples(paths(), words(), bodies("file")), min_size=1, max_size=5)):
        pieces += [Piece("file", f'<file path="{path}">{first}\n{body}\n</file>', path), prose("\n")]
    return [prose("<codebase>\n"), *pieces, prose("</codebase>\n")]


@st.composite
def listed(draw: st.DrawFn) -> list[Piece]:
    """Draw files that the bundle lists; some hold a bundle that is cut off in its last file."""
    names = draw(st.lists(st.sampled_from("abcdefg"), unique=True, min_size=2, max_size=5))
    pieces = []
    for number, name in enumerate(names):
        inner = draw(st.integers(0, 6)) if number + 1 < len(names) else 0
        cut = "".join(f'<file path="in/{at}">\n{at}\n</file>\n\n' for at in range(inner))
        body = f'{cut}<file path="in/last">\ncut o' if inner else draw(bodies("file"))
        pieces += [Piece("file", f'<file path="src/{name}">\n{body}\n</file>', f"src/{name}"), prose("\n\n")]
    lines = "".join(f"  {name}\n" for name in names)
    listing = f"<directory_structure>\nsrc/\n{lines}</directory_structure>\n\n<files>\n"
    return [prose(listing), *pieces, prose("</files>\n")]


def transcripts() -> Strategy[list[Piece]]:
    """Outputs whose closing tag stands at the end of the last line of text."""
    lines = st.lists(words(), min_size=1, max_size=3).map("\n".join)
    element = lines.map(lambda text: Piece("output", f"<output>\n{text}</output>"))
    turn = st.builds(lambda code, found: [prose(f"<returncode>{code}</returncode>\n"), found, prose("\n")],
                     st.integers(0, 2), element)  # fmt: skip
    return st.lists(turn, min_size=1, max_size=4).map(lambda turns: [piece for turn in turns for piece in turn])


@st.composite
def loose(draw: st.DrawFn) -> list[Piece]:
    """Draw elements of one line between prose, and examples in fences, which are prose."""
    fenced = st.sampled_from(('<file path="demo">\nx\n</file>', "<file>demo</file>", "plain"))
    marks = st.sampled_from(("```", "~~~~"))
    fence = st.builds(lambda mark, inner: prose(f"{mark}xml\n{inner}\n{mark}\n"), marks, fenced)
    line = words().map(lambda word: prose(f"{word}\n"))
    pieces = draw(st.lists(fence | line | one_line_elements(), max_size=8))
    return [
        prose("So:\n"),  # a fence that begins the text and ends it is a pasted bundle
        *(part for piece in pieces for part in ((piece, prose("\n")) if piece.type != "text" else (piece,))),
    ]


def with_line_ends(pieces: Sequence[Piece], newline: str) -> list[Piece]:
    """Write every line end of the bundle in one form."""
    return [piece._replace(content=piece.content.replace("\n", newline)) for piece in pieces]


@st.composite
def bundles(draw: st.DrawFn) -> Bundle:
    """Draw a bundle of any style, with either line end, with or without a byte-order mark."""
    pieces = draw(st.one_of(ace(), repomix(), inline(), toolslm(), cxml(), transcripts(), loose(), glued(), listed()))
    mark = draw(st.sampled_from(((), (), (prose(BOM),))))
    return assemble([*mark, *with_line_ends(pieces, draw(st.sampled_from(("\n", "\n", "\r\n"))))])


# Texts that nobody knows the right answer for.

TAGS = (
    "<file>", "<file >", '<file path="a">', "<file path='b'>", "<file path=c>", '<file path="">',
    '<file x="1" path="d" >', '<file path="a"/>', "<file/>", "<file path=a/>", "<file path=/>",
    '<file path="a" path="b">', "<file path=>", '<file path="a"b">', '<file path="a" "b">', "<file/x>",
    "<file a = 'b'>", "<file path='&lt;&#65;&#x42;&bad;&amp'>", "<file", "<file ", "<file path=", '<file path="',
    "<file path='", "</file>", "</file >", "</file\n>", "</file", "<output>", '<output command="x">', "</output>",
    '<output command="a "b" c">', '<output command="a "b" c"/>', '<document index="1">', '<document index="2">',
    '<document index="3">', "<document>", "</document>", '<document index="1"><src>s</src>', "<source>a</source>",
    "<source>", "</source>", "<src>\nb\n</src>", "<path>p</path>", "<path> p </path>", "<path></path>",
    "<path>\n</path>", "<path><path>p</path>", "</path>", '<command name="n">', "</command>", "<files>", "</files>",
    "<files/>", "<w a='>'>", "</w>", "</w >", "</files>\n", "<documents>", "</documents>", "<filename>",
    "</filename>", "<FILE>", "<>", "</>", "<file.x>", "<:é>", "</:é>", '<doc title="t">', "</doc>", "<core spec>",
    "</core spec>", "<read_file><path>p</path>", "</read_file>",
)  # fmt: skip
MARKS = (
    "<![CDATA[", "]]>", "]]><![CDATA[", "```", "```\n", "~~~", "````x", "``` `", '"', "'", "`", "<", ">", "/", "/>",
    "=", "&", BOM, "\n", "\n", "\n", "\n\n", "\r\n", "\r", " ", "  ", "\t", "    ", "x", "text ", "é", "🏁", "\0",
    "\f", "\v", "\x1c", "\x85", "\xa0", "\u2028", "\ud800", "\udfff", "# Heading\n", "</", "<!--", "-->", "<?x?>",
)  # fmt: skip
LINES = (
    *(f"{indent}{tag}{after}" for indent in ("", "", "  ")
      for tag in ('<file path="a">', "<file>", "</file>", "</file>", "<output>", "</output>")
      for after in ("", "", " ", "\r")),
    '<file path="a">', '<file path="b">', "</file>", "</file>", "text</file>", "text</output>", "text</file> ",
    "a <file>b</file>", "<file>c</file>", "d <file path='d'>d</file>", '<file path="s"/>', "<file/>", "  <file/>",
    '<file path="r"x">', '<file path="r"x"/>', "<files>", "</files>", "  </files>", "<w>", "</w>", "text", "text",
    "", "", "```", "```", "~~~", "````", '<file path="c"><![CDATA[', '<file path="c">', "<![CDATA[", "]]></file>",
    "]]>",
    "<file><path>p</path>", "<path>p</path>", "<file> <path>p</path> ", '<document index="1">', "</document>",
    "<source>s</source>", "<files><file path='i'>", "</file><file path='j'>", "</file></files>", "<file\npath='m'>",
    "x</output><output>", "</file></file>", "<file></file></file>", "- </file> </file>", "\f", "\x85",
    "<file path='g'>glued", "<file path='g'>x = '</file>'", "<output>glued", f"{BOM}<file path='m'>", "]]></file>'",
    "<directory_structure>\na\nb\n</directory_structure>",
)  # fmt: skip


def joined(parts: Strategy[str], most: int) -> Strategy[str]:
    """Texts that are up to `most` parts long."""
    return st.lists(parts, max_size=most).map("".join)


def garbage() -> Strategy[str]:
    """Random concatenations of fragments of tags, quotes, fences, CDATA marks, white space and odd characters."""
    return joined(st.one_of(st.sampled_from(TAGS), st.sampled_from(MARKS), st.text(max_size=3)), 30)


def line_garbage() -> Strategy[str]:
    """Random lines, most of them tags that fill their line: much depth, many matches, little sense."""
    few = st.lists(st.sampled_from(LINES), min_size=2, max_size=6, unique=True)
    from_few = few.flatmap(lambda pool: joined(st.sampled_from([f"{line}\n" for line in pool]), 24))
    return joined(st.sampled_from(LINES).map(lambda line: f"{line}\n"), 30) | from_few


@st.composite
def doubtful_nestings(draw: st.DrawFn) -> str:
    """Draw an opening, elements that may be inside it, and a distant closing, with or without a wrapper or text."""
    seams = ("", "", "", "\n", "text\n", "<file path='s'/>\n", "</w>\n", "a </w >\n", "\x85\n", "text</file>\n")
    opening = st.sampled_from(("<file>\n", '<file path="a">\n', '<file path="a">\nx\n'))
    inner = joined(st.builds("{}</file>\n{}".format, opening, st.sampled_from(seams)), 6)
    ahead = ("", "", "x\n", "<w>\n", "  <w a='>'>\n", "a <w>\n", "<w/>\n", "<w\na='<file>\n'>\n", "<files>\n")
    behind = ("", "", "x\n", "</w>\n", "</files>\n", "</file>\n", "x</file>\n")
    after = (
        "", "\n\n", "x\n", "</w>\n", "  </files>\n", "<file path='b'>\ny\n</file>\n", "<output command='c'/>",
    )  # fmt: skip
    outer = st.builds(
        "{}{}{}{}</file>\n{}".format,
        opening,
        st.sampled_from(ahead),
        inner,
        st.sampled_from(behind),
        st.sampled_from(after),
    )
    return draw(joined(outer, 3))


@st.composite
def fence_garbage(draw: st.DrawFn) -> str:
    """Draw fences that are closed, or not, after some or very many lines, and elements in and after them."""
    parts = (
        "```\n", "````\n", "~~~\n", "~~~ x`\n", "   ```xml\n", "    ```\n", "```\r\n", "``` `\n", "~~~~ \t\n", "x\n",
        "\n", '<file path="a">\nx\n</file>\n', "<file path='b'>x</file>\n", "<file path='c'>```\n", "</file>",
        "<file>x</file>", '<file path="d">\n```\n</file>\n', '<file path="d">\n', "</file>\n",
        "<output>\nx\n```</output>\n", "```",
    )  # fmt: skip
    most = joined(st.sampled_from(parts), 8)
    long = st.builds(
        lambda lines, element: "```\n" + element + "\n" * (lines - element.count("\n") - 1) + "```\n",
        st.integers(199, 202), st.sampled_from(('<file path="a">\nx\n</file>\n', "<file path='b'>x</file>")),
    )  # fmt: skip
    return draw(st.sampled_from(("", BOM))) + draw(most) + draw(st.just("") | long) + draw(most)


@st.composite
def odd_tags(draw: st.DrawFn) -> str:
    """Draw openings with odd attributes, odd children and odd CDATA, first on their line or not."""
    names = st.sampled_from(("path", "name", "x", "index", "src", "%h", "é"))
    values = (
        "a", "", " ", "a/", "/", "a>b", "&lt;&#65;&#x42;&bad;&amp", "&#1114111;&#1114112;", "&#0;&#xd800;&#X41;",
        "a\nb", "git", 'a "b" c', "a 'b' c", 'a"b', '--format="%h"',
    )  # fmt: skip
    forms = st.sampled_from((' {}="{}"', " {}='{}'", " {}={}", " {}", '{}="{}"', "\n{} = '{}'", ' {}="{}'))
    attributes = joined(st.builds(str.format, forms, names, st.sampled_from(values)), 3)
    ends = st.sampled_from((">", ">", " >", "/>", " />", "", "/ >", "\n>", ">\r", "></file>", "></file >"))
    children = (
        "", "", "<path>p</path>", " <path>p</path>", "\n<path>\n p\n</path>", "<path>p\nq</path>", "<path></path>",
        "<src>s</src>", "<path><path>p</path>", "<path>a<b></path>", "<path>p", "\xa0<path>p</path>",
    )  # fmt: skip
    cdata = st.sampled_from(("", "", "", "<![CDATA[", " \n<![CDATA[", "x<![CDATA["))
    contents = ("x", "\nx\n", "</file>", "\n</file>\n", "<file>", "]]>", "]]>]]><![CDATA[", "]]]]><![CDATA[>")
    closings = (
        "</file>", "</file>", "\n</file>\n", "]]></file>\n", "]]>\n</file>", "]]>x</file>", "]]>", "</document>",
    )  # fmt: skip
    element = st.builds(
        "{}<{}{}{}{}{}{}{}".format,
        st.sampled_from(("", "", "\n", "\n  ", "x ")),
        st.sampled_from(("file", "file", "file", "document")),
        attributes,
        ends,
        st.sampled_from(children),
        cdata,
        st.sampled_from(contents),
        st.sampled_from(closings),
    )
    return draw(joined(element, 4))


@st.composite
def inline_garbage(draw: st.DrawFn) -> str:
    """Draw texts that begin as an inline bundle does and go on with whatever makes its seams doubtful."""
    numbers = st.sampled_from(("1", "2", "3", "4", "02", "x", "0"))
    parts = (
        "<file path='a'>", "<file>", "</file>", "</file>", "</file><file path='b'>", "<file path='s'/>", "</files>",
        "</files >", "</document>", "</document></files>", "<src>s</src>",
        "<file path='c'><![CDATA[</file>]]></file>", "<files>", "\n", "x", " ", "<w>", "</w>",
    )  # fmt: skip
    numbered = numbers.map('<document index="{}">x</document>'.format) | numbers.map('<document index="{}">'.format)
    starts = (
        "<files>", "<files>", "<files>intro ", "text <files a='>'>", "<w><files>", "<files/>", "\n<files>\n", "",
        '<files>\n<file x="1"b" path="a">',
    )  # fmt: skip
    start = draw(st.sampled_from(starts))
    middle = draw(joined(numbered | st.sampled_from(parts), 14) | joined(numbered, 6))
    return start + middle + draw(st.sampled_from(("", "</files>", "</files>\n</document></files>")))


@st.composite
def damaged_bundles(draw: st.DrawFn) -> str:
    """Draw a bundle and delete, repeat or insert something in a few places."""
    text = draw(bundles()).text
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        end = min(end, start + draw(st.sampled_from((1, 7, 40))))
        mend = draw(st.sampled_from(("", text[start:end] * 2, *MARKS, *TAGS)))
        text = text[:start] + mend + text[end:]
    return text


def texts() -> Strategy[str]:
    """Draw any text that is hard on a parser."""
    return st.one_of(
        garbage(),
        odd_tags(),
        line_garbage(),
        doubtful_nestings(),
        fence_garbage(),
        inline_garbage(),
        damaged_bundles(),
    )


ELEMENTS: tuple[tuple[str | ElementRule, ...] | None, ...] = (
    None,
    None,
    ("file",),
    ("file", "w"),
    ("files", "file", ElementRule("output", bare=False)),
    (ElementRule("file", identity=("x", "path"), identity_children=("src", "path"), bare=False), "document"),
)
