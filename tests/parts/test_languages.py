"""The inner boundaries of each language, shown by where its texts are cut.

Rule: P2.
"""

from __future__ import annotations

import re
import time
from importlib.metadata import version

import pytest
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from langchain_semantic_xml._parts.keywords import MARKUP_WORDS, WORDS
from langchain_semantic_xml._parts.languages import boundaries_for, language_of
from tests.parts.making import cut_text


def cut(text: str, language: str | None, size: int, nested: tuple[str, ...] = ()) -> list[str]:
    return [part.text for part in cut_text(text, size, language=language, nested=nested)]


@pytest.mark.parametrize(
    ("language", "identity", "expected"),
    [
        ("python", "a.rs", "python"),
        ("Python ", None, "python"),
        (None, "src/a.PY", "python"),
        ("klingon", "a.go", "go"),
        ("c++", None, "cpp"),
        (None, "a/b.tsx", "ts"),
        (None, "cat main.rb", "ruby"),
        (None, "src/Makefile", "makefile"),
        (None, "docker/Dockerfile.dev", "dockerfile"),
        (None, "go.sum", "markdown"),
        (None, "README", "markdown"),
        (None, "py", "python"),
        ("", "", "markdown"),
        (None, None, "markdown"),
    ],
)
def test_the_attribute_names_the_language_else_the_suffix_else_it_is_prose(
    language: str | None, identity: str | None, expected: str
) -> None:
    assert language_of(language, identity) == expected


LANGCHAIN = [language.value for language in Language if language is not Language.PERL]
KNOWN_TO_LANGCHAIN_ALONE = {
    *("\\n\\n", "\\n", "\n\n", "\n", " ", ""),
    *("$", "$$", "<br", "<span"),  # inside a sentence
}


@pytest.mark.parametrize("language", LANGCHAIN)
def test_every_language_that_langchain_separates_is_known_by_its_name(language: str) -> None:
    assert language_of(language, None) == language
    assert len(boundaries_for(language, None).kinds) > 4


@pytest.mark.parametrize("language", [*sorted(set(LANGCHAIN) & set(WORDS)), *MARKUP_WORDS])
def test_every_word_that_langchain_separates_at_is_in_the_table(language: str) -> None:
    """What a release of LangChain adds is reported here; the table is the package's own."""
    if version("langchain-text-splitters") < "1":
        pytest.skip("releases before 1.0 had words that later ones took back as wrong")
    if language == "visualbasic6":
        pytest.skip("its separators are patterns")
    ours = {word.replace("~", " ") for words in WORDS.get(language, ())[:3] for word in str(words).split()}
    ours |= set(MARKUP_WORDS.get(language, "").split())
    listed = RecursiveCharacterTextSplitter.get_separators_for_language(Language(language))
    plain = {re.sub(r"^(?:\s|\\n)+", "", re.sub(r"\\([\\({])", r"\1", word)).rstrip(" ") for word in listed}
    assert plain - ours - {word.strip() for word in KNOWN_TO_LANGCHAIN_ALONE} == set()


def test_what_the_table_does_not_name_is_prose() -> None:
    assert boundaries_for("perl", None) == boundaries_for(None, None)


DEFINITIONS = {
    "python": "class A:\n|@property\nasync def f():\n|# why\n@one\n@two\ndef g():\n",
    "js": "class A {}\n|export default function f() {}\n|/** doc\n * more\n */\nasync function g() {}\n|const x = 1\n",
    "ts": "interface A {}\n|export abstract class B {}\n|@Component\nexport class C {}\n|type D = 1\n",
    "go": "type A struct\n|// F does\nfunc F() {}\n|var x = 1\n",
    "rust": "struct A;\n|/// doc\n#[test]\npub(crate) fn f() {}\n|impl A {}\n|pub trait B {}\n",
    "ruby": "module A\n|class B\n|# doc\ndef c\n",
    "java": "public class A {}\n|/** doc */\n@Override\npublic static void f() {}\n|interface B {}\n",
    "kotlin": "data class A\n|@Test\nsuspend fun f() {}\n|sealed class B\n",
    "csharp": "namespace A;\n|[Serializable]\npublic sealed class B {}\n|record C;\n",
    "php": "class A {}\n|#[Attr]\nfinal class B {}\n|abstract function c();\n",
    "swift": "struct A {}\n|@objc\npublic func f() {}\n|protocol B {}\n",
    "scala": "object A\n|case class B\n|private def f = 1\n",
    "elixir": "defmodule A do\n|@doc false\ndefp f do\n",
    "haskell": "data A = B\n|-- doc\nclass C where\n",
    "lua": "function a() end\n|-- doc\nlocal function b() end\n",
    "powershell": "function A {}\n|# doc\nfunction B {}\n",
    "c": "struct a {};\n|/* doc */\nstatic int f(void) {}\n|void g(void) {}\n",
    "cpp": "class A {};\n|template <class T>\nclass B {};\n|namespace c {}\n",
    "sol": "contract A {}\n|/// doc\nfunction f() {}\n",
    "proto": "message A {}\n|// doc\nservice B {}\n",
}


@pytest.mark.parametrize("indentation", ["", "    "], ids=["at the margin", "indented"])
@pytest.mark.parametrize("language", DEFINITIONS)
def test_a_definition_begins_with_what_stands_directly_above_it(language: str, indentation: str) -> None:
    definitions = DEFINITIONS[language].split("|")
    if indentation:
        bindings = re.compile(r"(const|var|type|void|local function) |.*\n(static int|local function)")
        definitions = [lines for lines in definitions if not bindings.match(lines)]
    filler = f"{indentation}    x\n" * 8
    pieces = [re.sub("(?m)^(?=.)", indentation, lines) + filler for lines in definitions]
    size = max(map(len, pieces))
    starts = {piece.splitlines()[0] for piece in pieces}
    parts = cut("".join(pieces), language, size)
    assert {part.splitlines()[0] for part in parts} == starts, parts


def test_methods_are_cut_before_their_statements() -> None:
    method = "    def {}(self):\n        x = 1\n\n        y = 2\n"
    text = f"class A:\n{method.format('f')}\n{method.format('g')}"
    assert cut(text, "python", 70) == [
        text[: text.index("    def g")].rstrip(),
        text[text.index("    def g") :].rstrip(),
    ]


CHINESE = "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"


def test_prose_is_cut_at_its_coarsest_heading() -> None:
    text = "# A\n\none one\n\n## B\n\ntwo two\n\n# C\n\nthree\n\n## D\n\nfour"
    assert cut(text, None, 50) == ["# A\n\none one\n\n## B\n\ntwo two", "# C\n\nthree\n\n## D\n\nfour"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one two\nthree\n\nfour five\nsix", ["one two\nthree", "four five\nsix"]),
        ("- one two\n  three\n- four five", ["- one two\n  three", "- four five"]),
        ("One two three. Four five six.", ["One two three.", "Four five six."]),
        ("one two three four five six", ["one two three four", "five six"]),
        (f"{CHINESE}\u5341\u3002{CHINESE}", [f"{CHINESE}\u5341\u3002", CHINESE]),
    ],
    ids=["paragraphs", "list items", "sentences", "words", "sentences without blanks"],
)
def test_prose_is_cut_at(text: str, expected: list[str]) -> None:
    assert cut(text, None, 20 if len(expected[0]) > 11 else 15) == expected


def test_a_fence_is_not_cut_while_it_fits_in_a_part() -> None:
    fence = "```sh\n# no heading\n\ncmd one\n\n# nor this\ncmd two\n```"
    text = f"Some words before.\n\n{fence}\n\nSome words after."
    assert any(fence in part for part in cut(text, None, 60))


def test_in_a_fence_that_is_too_long_a_comment_is_no_heading() -> None:
    text = "```sh\n" + "# step\ncmd\n\nother\n" * 10 + "```"
    first, *others = cut(text, None, 60)
    assert first.startswith("```sh\n# step")
    assert all(part.startswith("other") for part in others), others


def test_a_title_of_restructuredtext_stays_on_its_underline() -> None:
    text = "One\n===\n\nsome text here\n\nTwo\n===\n\nother text here"
    assert cut(text, "rst", 40) == ["One\n===\n\nsome text here", "Two\n===\n\nother text here"]


def test_sections_of_latex_and_tags_of_html_begin_parts() -> None:
    assert cut("a b c d e f g h\n\\section{One}\ni j k", "latex", 30) == ["a b c d e f g h", "\\section{One}\ni j k"]
    assert cut("<p>one two</p><div>three</div>", "html", 20) == ["<p>one two</p>", "<div>three</div>"]


def test_nested_elements_come_before_everything() -> None:
    text = "def a():\n<file path='x'>\ndef b():\n    c\n</file>\ndef d():\n    e\n    f\n    g\n"
    assert cut(text, "python", 60, ("file",))[0].endswith("</file>")


def test_crlf_texts_are_cut_like_others() -> None:
    text = "class A:\n    x = 1\n\n\n@one\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    as_crlf = [part.replace("\r\n", "\n") for part in cut(text.replace("\n", "\r\n"), "python", 45)]
    assert as_crlf == cut(text, "python", 42)


@pytest.mark.parametrize(
    "language", [*sorted(DEFINITIONS), "html", "latex", "rst", "visualbasic6", "cobol", "r", "markdown"]
)
@pytest.mark.parametrize(
    "line",
    [
        "public " * 30_000,
        "\n" * 200_000,
        " " * 200_000 + "x",
        "// comment\n" * 20_000,
        "x" * 200_000,
        "\n   " * 50_000,
        "<" * 200_000,
    ],
    ids=["modifiers", "newlines", "blanks", "comments", "no blank", "indentation", "brackets"],
)
def test_no_pattern_takes_more_than_linear_time(language: str, line: str) -> None:
    """Rule: L6."""
    text = f"start\n{line}\nend"
    started = time.perf_counter()
    for size in (500, 150_000):
        cut(text, language, size)
    assert time.perf_counter() - started < 5


def test_a_call_whose_arguments_go_on_is_no_method() -> None:
    body = "  const one = 1;\n\n  source.subscribe(\n    createSubscriber(\n      subscriber,\n    )\n  );\n"
    call = f"function share() {{\n{body}}}\n"
    assert cut(call, "ts", 60)[1].lstrip().startswith("source.subscribe(")


@pytest.mark.parametrize("opening", ["name(a, b) {", "async name(): Promise<void> {", 'it("does", () => {'])
def test_a_method_and_a_test_of_a_script_begin_a_part(opening: str) -> None:
    text = f"class A {{\n  x = 1;\n  y = 2;\n  {opening}\n    f();\n  }}\n}}\n"
    assert cut(text, "ts", 48)[1].startswith(f"  {opening}")


@pytest.mark.parametrize("mark", ["---", "==="])
def test_a_title_stays_on_its_underline(mark: str) -> None:
    text = f"Some words before the title here.\n\nInstall\n{mark}\n\nSome text about it, and more of it."
    assert cut(text, None, 58)[1].startswith(f"Install\n{mark}")


def test_a_rule_after_a_blank_line_is_a_boundary() -> None:
    assert cut("Some words before.\n\n---\n\nSome text after it. And more.", None, 36)[1].startswith("---")


def test_a_heading_goes_with_what_it_heads_though_blank_lines_part_them() -> None:
    text = "Some words before the headings.\n\n# One\n\n## Two\n\nText that the headings are about, rather long."
    assert [part.split("\n")[0] for part in cut(text, "markdown", 64)] == ["Some words before the headings.", "# One"]


def test_a_decorator_goes_with_its_definition_though_its_arguments_take_lines() -> None:
    text = "x = 1\n" * 5 + "\n@decorate(\n    a=1,\n)\ndef f():\n    return 1\n"
    assert cut(text, "python", 60)[1].startswith("@decorate(")


def test_a_tag_of_markup_is_its_whole_name_and_no_tag_inside_a_sentence() -> None:
    text = "<div>Some words that come first.</div> <path>A line</path> with <span>a few</span> more words in it."
    assert cut(text, "html", 60)[1] == "with <span>a few</span> more words in it."


def test_headings_of_markup_come_before_paragraphs() -> None:
    text = "<p>Some words that come first.</p>\n<h2>Next</h2>\n<p>Words below the heading.</p>\n<p>And more.</p>"
    assert cut(text, "html", 66)[1].startswith("<h2>Next</h2>")
