"""Random texts: bundles in the layouts of known tools, and texts that are hard on a parser or on a cutter.

Made for speed, a few thousand a second: fragments are drawn in bulk and joined. Every text is a function of the
`Random` it is made with. What the right blocks are is not known here; `checks` knows what must hold of any text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from tests.boundaries.reference import BOM
from tests.laws.strategies import COMMANDS, FENCES, LINES, MARKS, PATHS, RAW_COMMANDS, TAGS
from tests.tools.bundle_maker import STYLES, SourceFile, make_bundle

Maker = Callable[[Random], str]

CODE: dict[str, tuple[str, ...]] = {
    "py": (
        "import re", "", "@cache", "def area(width: int) -> int:", '    """Return it."""', "    return width * 2",
        "class Shape(Base):", "    async def draw(self):", "        if self.x < 1 and y > 2:", "            pass",
        '    text = "</file>"', "x = [", "    1,", "]", "\tx = '''", "'''", "# a comment",
    ),
    "ts": (
        "export class Shape<T> {", "  private x = 1;", "  draw(): void {", "    return <div>{x}</div>;", "  }", "}",
        "const f = (a: Map<string, number>) => {", "};", "import { a } from 'b';", "/* a", " * comment */", "// line",
        "interface A { b: string }", "enum E {", "",
    ),
    "rb": ("module A", "  class B < C", "    def d", "      puts 'x'", "    end", "  end", "end", "", "=begin", "=end"),
    "go": ("package main", "func main() {", "\tif x := <-c; x > 1 {", "\t}", "}", "type T struct {", "\tA int"),
    "java": ("public class A<T> {", "    /** Doc. */", "    @Override", "    public int b() {", "    }", "}", ""),
    "html": ("<!doctype html>", "<html>", "<body class='a'>", "<p>text", "</body>", "</html>", "<script>", "</script>"),
    "xml": ("<?xml version='1.0'?>", "<root>", '  <file path="inner">', "  </file>", "</root>", "<!-- a -->", "<a/>"),
    "c": ("#include <stdio.h>", "int main(void) {", '    printf("%d\\n", a << 2);', "}", "struct s {", "/*", "*/"),
    "sql": ("CREATE TABLE a (", "  b INT", ");", "SELECT * FROM a WHERE b < 1;", "-- note", ""),
    "json": ("{", '  "a": [1, 2, {"b": null}],', '  "c": "<file>"', "}", "[]"),
    "css": ("a > b {", "  color: red;", "}", "@media print {", "/* x */"),
    "rst": ("Title", "=====", "", "Part", "----", ".. note::", "   text", "* item", "***", "::"),
    "tex": ("\\chapter{A}", "\\section{B}", "\\begin{itemize}", "  \\item x", "\\end{itemize}", "$x < 1$", "% note"),
    "unknown": ("line of text", "    indented", "\ttabbed", "", "   ", "a\tb"),
}  # fmt: skip
PROSE = (
    "# Title", "## Part", "### Deeper", "###### Six", "#not a heading", "Setext", "======", "------", "***", "- item",
    "  - nested", "1. first", "2) second", "> quote", "| a | b |", "|---|---|", "    indented code", "", "", "",
    "A sentence ends here. Another one begins! Does it? Yes.", "Words that go on and on without any end of a sentence",
    "e.g. this, i.e. that; Mr. X said so...", "**Bold** and `code` and <b>markup</b>.", "日本語の文。次の文。",
    "Ärger über Öl. Größe!", "[link](http://a.b/c?d=e&f=g)", "<thinking>", "</thinking>", "<instructions>",
    "</instructions>", "line\twith\ttabs", "trailing blanks   ", "<br>", "Q: a?", "A: b.",
)  # fmt: skip
CLUSTERS = (
    "e\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\U0001f1eb",
    "\U0001f44d\U0001f3fd", "\u1112\u1161\u11ab", "한글", "\u0301", "\u200d", "\ufe0f", "❤\ufe0f", "#\ufe0f\u20e3",
    "नमस्ते", "สวัสดี", "עברית", "\u202e", "\u202c", "a", "b ", " ", "\r\n", "\n", "\u200b", "\ufeff", "\U0010ffff", "ﬁ",
    "İ", "ß", "\x00", "\x1b[0m", "\ud83d", "\ude00", "\U000e0067", "z\u0336\u0337\u0338", "\u2028", "\u2029", "\x85",
    "\x1f", "\u3000", "。", "\uff01",
)  # fmt: skip
SEAMS = ("", "", "", "", "\n", "text\n", "<file path='s'/>\n", "</w>\n", "</files>\n", "text</file>\n")
LONG = (
    "a", "ab ", "é", " ", "\t", "\n", "x\n", "<", "<a>", "\u0301", "\u200d", "\r", "\r\n", "=", "🏁", "#", "`",
    "word. ",
)  # fmt: skip
ODD_LINES = (
    "</file>", '<file path="in.py">', "<file>", "</output>", "<output>", '<output command="ls "-l"">', "</document>",
    '<document index="2">', "</document_content>", "<document_content>", "<source>x</source>", "</files>", "<files>",
    "text</file>", "text</output>", '<file path="a">x</file>', '<file path="s"/>', "<![CDATA[", "]]>", *FENCES,
    "  </file>", '  <file path="deep">', "<file", '="', "'>", "&lt;file&gt;",
)  # fmt: skip


class Form(NamedTuple):
    """The layout of one tool: what comes before the elements, what they look like, and what comes after them."""

    before: str
    elements: tuple[str, ...]
    after: str


FORMS = (
    Form("", ('<file path="{path}">\n{body}\n</file>\n', "<file path='{path}' language='x'>\n{body}</file>\n"), ""),
    Form("# Outputs\n\n", ('<output command="{command}">\n{body}\n</output>\n\n', "<output>\n{body}</output>\n"), ""),
    Form("", ("<returncode>{n}</returncode>\n<output>\n{body}</output>\n", "THOUGHT: {body}\n"), ""),
    Form(
        "<files>\n",
        ('<file>\n<path>{path}</path>\n<content lines="1-2">\n{body}\n</content>\n</file>\n',),
        "</files>\n",
    ),
    Form("<files>", ('<file path="{path}">{body}</file>',), "</files>\n"),
    Form(
        "<documents>",
        ('<document index="{n}"><src>\n{path}\n</src><document-content>\n{body}\n</document-content></document>',),
        "</documents>",
    ),
    Form(
        "<documents>\n",
        ('<document index="{n}">\n<source>{path}</source>\n<document_content>{body}</document_content></document>\n',),
        "</documents>\n",
    ),
    Form(
        "<attachments>\n",
        ('<attachment id="{path}" filePath="/{path}">\n{body}\n</attachment>\n',),
        "</attachments>\n",
    ),
    Form(
        "",
        ('<file_content path="{path}">\n{body}\n</file_content>\n\n', '<diff range="1-{n}">\n{body}\n</diff>\n'),
        "",
    ),
    Form("<files>\n", ('  <file path="{path}">\n{body}\n  </file>\n', '  <file path="{path}"/>\n'), "</files>\n"),
    Form("<files>\n\n", ('<file path="{path}"><![CDATA[{body}]]></file>\n\n', "{body}\n\n"), "</files>\n"),
    Form(
        "", ("<file path='{path}'>{command}</file> ", "# Part {n}\n\n{body}\n\n", "```xml\n<file>d</file>\n```\n"), ""
    ),
)


def count(rng: Random, mean: float) -> int:
    """Draw a small number, now and then a larger one."""
    return int(rng.expovariate(1.0 / mean))


def code(rng: Random, suffix: str | None = None) -> str:
    """Lines of one language, in no sensible order."""
    lines = CODE[suffix or rng.choice(SUFFIXES)]
    return "\n".join(rng.choices(lines, k=1 + count(rng, 3)))


def prose(rng: Random) -> str:
    """Markdown: headings, lists, tables, sentences."""
    return "\n".join(rng.choices(PROSE, k=1 + count(rng, 3)))


def clusters(rng: Random) -> str:
    """Characters that people see as one, alone or torn, controls, and marks of direction."""
    return "".join(rng.choices(CLUSTERS, k=1 + count(rng, 8)))


def long_run(rng: Random) -> str:
    """One thing many times: a long word, line, indentation or stack of marks."""
    return rng.choice(LONG) * (1 + count(rng, 30))


def odd_lines(rng: Random) -> str:
    """Lines of content that look like tags, marks of CDATA and fences."""
    return "\n".join(rng.choices(ODD_LINES, k=1 + count(rng, 2)))


def anything(rng: Random) -> str:
    """Code points from everywhere."""
    ranges = rng.choices((0x20, 0x80, 0x250, 0x3100, 0xE000, 0x10FFFF), k=1 + count(rng, 8))
    return "".join([chr(int(rng.random() * (top + 1))) for top in ranges])


def garbage(rng: Random) -> str:
    """Fragments of tags, quotes, fences, marks of CDATA, white space and odd characters."""
    return "".join(rng.choices(rng.choice((TAGS, TAGS + MARKS, TAGS + MARKS, MARKS)), k=2 + count(rng, 10)))


def garbage_lines(rng: Random) -> str:
    """Lines most of which are a tag that fills them; often only a few different ones, so that many match."""
    lines = LINES if rng.random() < 0.4 else rng.choices(LINES, k=2 + count(rng, 3))
    return "\n".join(rng.choices(lines, k=2 + count(rng, 8))) + "\n"


def fences(rng: Random) -> str:
    """Fences that close, or do not, with elements in and after them; now and then nearly 200 lines long."""
    lines = rng.choices((*FENCES, "```", "~~~", *ODD_LINES), k=2 + count(rng, 8))
    if rng.random() < 0.02:
        lines.insert(int(rng.random() * len(lines)), "\n" * rng.randrange(185, 203))
    return "\n".join(lines)


def nesting(rng: Random) -> str:
    """Openings and closings that are many levels deep, balanced or nearly."""
    depth = 1 + count(rng, 8 if rng.random() < 0.95 else 300)
    opening = rng.choice(('<file path="a">', "<file>", "<output>", "<document>", "<w>"))
    closing = f"</{opening[1:].split()[0].rstrip('>')}>"
    seam = rng.choice(("\n", "\n", "", "\nx\n", "\n  "))
    lines = [opening] * depth + ["x"] + [closing] * max(0, depth + rng.choice((0, 0, 0, 1, -1, 2)))
    return seam.join(lines)


def doubtful(rng: Random) -> str:
    """An opening, elements that may be inside it, and a distant closing; with a wrapper or text, or without."""
    inner = "".join(
        rng.choice(('<file path="b">\nx\n</file>\n', "<file>\n</file>\n")) + rng.choice(SEAMS)
        for _ in range(1 + count(rng, 4))
    )
    before, behind = rng.choice(
        (("", ""), ("<w>\n", "</w>\n"), ("  <w a='>'>\n", "</w>\n"), ("<w>\n", ""), ("x\n", ""))
    )
    after = rng.choice(
        ("", "\n", "</files>\n", "x\n", "</w>\n", "<file path='c'>\ny\n</file>\n", "<output command='d'/>")
    )
    return f'<file path="a">\n{before}{inner}{behind}</file>\n{after}'


BODIES: tuple[Maker, ...] = (code, code, code, prose, odd_lines, clusters, long_run, garbage, garbage_lines, anything)


def path(rng: Random) -> str:
    """A path, mostly one that tells its language."""
    if rng.random() < 0.2:
        return rng.choice(PATHS)
    return rng.choice(("", "src/", "a/b c/", "é/")) + rng.choice(("a", "main", "x.test", "README")) + _suffix(rng)


def _suffix(rng: Random) -> str:
    return f".{rng.choice(SUFFIXES)}"


def source_file(rng: Random) -> SourceFile:
    """A file of one language, or one of anything."""
    if rng.random() < 0.6:
        suffix = rng.choice(SUFFIXES)
        return SourceFile(f"{rng.choice(('a', 'src/b', 'c d'))}.{suffix}", code(rng, suffix))
    return SourceFile(path(rng), rng.choice(BODIES)(rng))


def packed(rng: Random) -> str:
    """A bundle in one of the layouts of `bundle_maker`; now and then it holds one in another layout."""
    files = [source_file(rng) for _ in range(1 + count(rng, 1))]
    if rng.random() < 0.1:
        inner = make_bundle(files, rng.choice(STYLE_NAMES)).text
        files.insert(int(rng.random() * len(files)), SourceFile("inner.xml", inner))
    return make_bundle(files, rng.choice(STYLE_NAMES)).text


def laid_out(rng: Random) -> str:
    """Elements in the layout of a transcript, an editing agent, a tool that names files by a child, and others."""
    form = rng.choice(FORMS)
    command = rng.choice(COMMANDS + RAW_COMMANDS)
    elements = [
        rng.choice(form.elements).format(n=number, path=path(rng), command=command, body=rng.choice(BODIES)(rng))
        for number in range(1, 2 + count(rng, 1.5))
    ]
    return "".join((form.before, *elements, form.after))


def several(rng: Random) -> str:
    """Texts of several kinds, one after the other."""
    parts = [rng.choice(PLAIN)(rng) for _ in range(2 + count(rng, 1))]
    return rng.choice(("\n", "\n\n", "", " ")).join(parts)


def damaged(rng: Random) -> str:
    """A text with something deleted, repeated, inserted or cut off in a few places."""
    text = rng.choice((packed, laid_out, laid_out, nesting))(rng)
    for _ in range(1 + count(rng, 1)):
        start = int(rng.random() * len(text))
        end = start + rng.choice((0, 1, 7, 40))
        mend = rng.choice(("", "", text[start:end] * 2, rng.choice(MARKS), rng.choice(TAGS)))
        text = text[:start] + mend + text[end:]
    return text


SUFFIXES = tuple(CODE)
STYLE_NAMES = tuple(STYLES)
PLAIN: tuple[Maker, ...] = (
    packed, laid_out, laid_out, garbage, garbage_lines, fences, nesting, prose, code, clusters, long_run, anything,
)  # fmt: skip
WEIGHTS: dict[Maker, int] = {
    packed: 20, laid_out: 26, damaged: 14, garbage: 12, garbage_lines: 8, several: 6, fences: 4, doubtful: 4,
    nesting: 3, prose: 3, clusters: 2, long_run: 1, code: 1, anything: 1,
}  # fmt: skip
MAKERS = tuple(WEIGHTS)
BOUNDS = tuple(accumulate(WEIGHTS.values()))


def small_text(rng: Random) -> str:
    """A text of any kind, mostly a few hundred characters long."""
    text = rng.choices(MAKERS, cum_weights=BOUNDS)[0](rng)
    return _finished(rng, text)


def _finished(rng: Random, text: str) -> str:
    """Choose the line ends, and whether a byte-order mark comes first."""
    luck = rng.random()
    if luck < 0.15:
        text = text.replace("\n", "\r\n")
    elif luck < 0.17:
        text = text.replace("\n", "\r")
    return BOM + text if rng.random() < 0.03 else text


LARGE = 1_000_000
"""A large text has more characters than this, so that it has more bytes too, in any encoding."""


def large_text(rng: Random) -> str:
    """A text of more than a million characters: many elements, one that is huge, or texts of every kind."""
    return _finished(rng, rng.choice((_many, _many, _huge, _mixed))(rng))


def _until_large(rng: Random, pool: Sequence[str], seam: str) -> str:
    mean = sum(map(len, pool)) // len(pool) + len(seam)
    pieces = rng.choices(pool, k=LARGE // max(mean, 1) + 1)
    missing = LARGE + 1 - sum(map(len, pieces))
    return seam.join([*pieces, "x = 1\n" * (missing // 6 + 1)])


def _many(rng: Random) -> str:
    form = rng.choice(FORMS)
    bodies = ["\n".join(code(rng) for _ in range(20)) for _ in range(20)]
    pool = [
        rng.choice(form.elements).format(n=number, path=path(rng), command="ls", body=rng.choice(bodies))
        for number in range(1, 60)
    ]
    return form.before + _until_large(rng, pool, "") + form.after


def _huge(rng: Random) -> str:
    maker = rng.choice((prose, code, packed, clusters))
    suffix = _suffix(rng)
    body = _until_large(rng, [maker(rng) for _ in range(100)], rng.choice(("\n", "\n\n", " ")))
    return f'# Before\n\n<file path="huge{suffix}">\n{body}\n</file>\n\n<file path="b.py">\nx\n</file>\n'


def _mixed(rng: Random) -> str:
    pool = [rng.choices(MAKERS, cum_weights=BOUNDS)[0](rng) for _ in range(400)]
    return _until_large(rng, pool, rng.choice(("\n", "\n\n", "")))
