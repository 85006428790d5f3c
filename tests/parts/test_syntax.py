"""Source code → its outline, and what the splitter makes of it with `syntax=True`."""

from __future__ import annotations

import importlib
import pickle
import re
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._parts.node_types import node_types_for
from langchain_semantic_xml._parts.outlines import Outline
from langchain_semantic_xml._parts.syntax import outline_of
from langchain_semantic_xml.lengths import tiktoken_length
from langchain_semantic_xml.typing import Repeat
from tests.laws.checks import check_laws
from tests.paths import SOURCES

PYTHON = dedent('''\
    """What the module does."""
    import os

    LIMIT = 3


    class Loader(Base):
        """Loads."""

        size = 4

        # Above the method.
        @property
        def name(self) -> str:
            return "name"

        async def lazy_load(
            self,
            path: str,
        ) -> str:
            if path:
                with open(path) as file:
                    return file.read()

            def inner():
                return 1

            return inner()


    @cache
    def free(): return 1


    # The end.
    ''')


def outline(code: str, path: str = "a.py", before: str = "", after: str = "") -> Outline:
    types = node_types_for(None, path)
    assert types is not None
    found = outline_of(before + code + after, len(before), len(before) + len(code), types)
    assert found is not None
    return found


def described(code: str, path: str) -> list[tuple[str, str, str]]:
    """Return for each definition its dotted name, its first line and the last line of its signature."""
    found = outline(code, path)
    return [
        (
            found.scope_of(definition.start, definition.end) or "",
            code[definition.start :].split("\n", 1)[0].strip(),
            code[slice(*definition.signature)].rstrip("\n").rpartition("\n")[2].strip(),
        )
        for definition in found.definitions
    ]


def file(path: str, code: str) -> str:
    return f'<file path="{path}">\n{code}</file>\n'


def split(
    text: str,
    chunk_size: int,
    length_function: Callable[[str], int] = len,
    **options: Any,  # noqa: ANN401 - the splitter's options
) -> list[Document]:
    """Split with `syntax`; assert the laws."""
    splitter = SemanticXmlSplitter(chunk_size, length_function=length_function, syntax=True, **options)
    documents = splitter.create_documents([text])
    check_laws(text, documents, chunk_size=chunk_size, length_function=length_function, syntax=True, **options)
    return documents


# Outlines


def test_definitions_have_names_comments_and_decorators_above_and_signatures() -> None:
    """Rule: P2."""
    assert described(PYTHON, "a.py") == [
        ("Loader", "class Loader(Base):", "class Loader(Base):"),
        ("Loader.name", "# Above the method.", "def name(self) -> str:"),
        ("Loader.lazy_load", "async def lazy_load(", ") -> str:"),
        ("Loader.lazy_load.inner", "def inner():", "def inner():"),
        ("free", "@cache", ""),
    ]


LANGUAGES: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "js": (
        (
            "/** Doc. */\nexport default class A extends B {\n  #x = 1;\n\n  get it() {\n    return 1;\n  }\n}\n\n"
            "const run = async (a) => {\n  await a;\n};\n\nexports.go = function () {\n  return 1;\n};\n"
        ),
        [
            ("A", "/** Doc. */", "export default class A extends B {"),
            ("A.it", "get it() {", "get it() {"),
            ("run", "const run = async (a) => {", "const run = async (a) => {"),
            ("exports.go", "exports.go = function () {", "exports.go = function () {"),
        ],
    ),
    "ts": (
        (
            "export interface Shape {\n  area(): number;\n}\n\n@Injectable()\nexport class Box<T> implements Shape {\n"
            "  constructor(private a: T) {\n    this.a = a;\n  }\n}\n\nnamespace N {\n  export function f(): void {\n"
            "    g();\n  }\n}\n"
        ),
        [
            ("Shape", "export interface Shape {", "export interface Shape {"),
            ("Box", "@Injectable()", "export class Box<T> implements Shape {"),
            ("Box.constructor", "constructor(private a: T) {", "constructor(private a: T) {"),
            ("N", "namespace N {", "namespace N {"),
            ("N.f", "export function f(): void {", "export function f(): void {"),
        ],
    ),
    "tsx": (
        "export function App({ a }: Props) {\n  return (\n    <div>{a}</div>\n  );\n}\n",
        [("App", "export function App({ a }: Props) {", "export function App({ a }: Props) {")],
    ),
    "go": (
        (
            "package p\n\n// Server serves.\ntype Server struct {\n\ta int\n}\n\n// Run runs.\n"
            "func (s *Server) Run(a int) error {\n\treturn nil\n}\n\nfunc (q Stack[T]) Pop() T {\n\treturn q.x\n}\n"
        ),
        [
            ("Server", "// Server serves.", "type Server struct {"),
            ("Server.Run", "// Run runs.", "func (s *Server) Run(a int) error {"),
            ("Stack.Pop", "func (q Stack[T]) Pop() T {", "func (q Stack[T]) Pop() T {"),
        ],
    ),
    "rs": (
        (
            "/// Doc.\n#[derive(Debug)]\npub struct P {\n    x: i32,\n}\n\nimpl fmt::Display for P {\n"
            "    fn fmt(&self) -> R\n    where\n        T: Copy,\n    {\n        ok()\n    }\n}\n\n"
            "mod m {\n    fn f() {\n        g();\n    }\n}\n"
        ),
        [
            ("P", "/// Doc.", "pub struct P {"),
            ("P", "impl fmt::Display for P {", "impl fmt::Display for P {"),
            ("P.fmt", "fn fmt(&self) -> R", "{"),
            ("m", "mod m {", "mod m {"),
            ("m.f", "fn f() {", "fn f() {"),
        ],
    ),
    "java": (
        (
            "package p;\n\n/** Doc. */\n@Entity\npublic class A {\n    private int x;\n\n    @Override\n"
            "    public int get() {\n        return x;\n    }\n\n    record P(int a) {\n        P {\n"
            "            check(a);\n        }\n    }\n}\n"
        ),
        [
            ("A", "/** Doc. */", "public class A {"),
            ("A.get", "@Override", "public int get() {"),
            ("A.P", "record P(int a) {", "record P(int a) {"),
            ("A.P.P", "P {", "P {"),
        ],
    ),
    "rb": (
        (
            "# Doc.\nmodule M\n  class A < B\n    attr_reader :x\n\n    def go(a)\n      a.each do |b|\n        b\n"
            "      end\n    end\n\n    def self.make\n      new\n    end\n  end\nend\n"
        ),
        [
            ("M", "# Doc.", "module M"),
            ("M.A", "class A < B", "class A < B"),
            ("M.A.go", "def go(a)", "def go(a)"),
            ("M.A.make", "def self.make", "def self.make"),
        ],
    ),
    "c": (
        "/* Doc. */\nstatic int *f(int a)\n{\n  return 0;\n}\n\nstruct P {\n  int x;\n};\n",
        [("f", "/* Doc. */", "{"), ("P", "struct P {", "struct P {")],
    ),
    "cpp": (
        (
            "namespace n {\n\ntemplate <class T>\nclass A : public B {\n public:\n  int f() {\n    return 1;\n"
            "  }\n};\n\nvoid A::g() {\n  h();\n}\n\n}\n"
        ),
        [
            ("n", "namespace n {", "namespace n {"),
            ("n.A", "template <class T>", "class A : public B {"),
            ("n.A.f", "int f() {", "int f() {"),
            ("n.A::g", "void A::g() {", "void A::g() {"),
        ],
    ),
}


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_each_language_has_its_definitions(suffix: str) -> None:
    code, expected = LANGUAGES[suffix]
    assert outline(code, f"a.{suffix}").complete
    assert described(code, f"a.{suffix}") == expected


@pytest.mark.parametrize("before", ["", "prose\n", "\u00e9\U0001f600\ud800\n"])
def test_offsets_are_those_of_the_text_around(before: str) -> None:
    code = PYTHON.replace("Loads.", "L\u00e4dt \U0001f600 \ud800.").replace("name", "n\u00e4me")
    inside, alone = outline(code, before=before, after="</file>"), outline(code)
    shift = len(before)
    assert [(d.start - shift, d.end - shift, d.name) for d in inside.definitions] == [
        (d.start, d.end, d.name) for d in alone.definitions
    ]
    assert [[cut - shift for cut in level.cuts] for level in inside.levels] == [list(e.cuts) for e in alone.levels]
    assert "Loader.n\u00e4me" in [alone.scope_of(d.start, d.end) for d in alone.definitions]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_boundaries_are_starts_of_lines_and_definitions_lie_inside_each_other(path: Path) -> None:
    code = path.read_text(encoding="utf-8")
    found = outline(code)
    assert found.complete
    cuts = [cut for level in found.levels for cut in level.cuts]
    assert len(cuts) == len(set(cuts))
    in_lines = [cut for cut in cuts if cut and code[cut - 1] != "\n"]
    assert all(code.find("\n", cut) - code.rfind("\n", 0, cut) > 160 for cut in in_lines)
    starts = [definition.start for definition in found.definitions]
    assert starts == sorted(starts)
    for definition in found.definitions:
        assert definition.start <= definition.signature[0] <= definition.signature[1] <= definition.end
        if definition.parent >= 0:
            parent = found.definitions[definition.parent]
            assert parent.start <= definition.start < definition.end <= parent.end


def test_code_with_errors_has_the_definitions_that_can_be_understood() -> None:
    found = outline(
        "def good():\n    return 1\n\n\n)]}\n\n\ndef other(:\n    x = (\n\n\nclass C:\n    def m(self):\n        pass\n"
    )
    assert not found.complete
    assert found.definitions[0].name == "good"


@given(
    code=st.text(st.sampled_from("def class():\n\t {}[]<>/*\"'#;=xé\r\\`$@"), max_size=400),
    suffix=st.sampled_from(sorted(LANGUAGES)),
)
def test_no_text_is_refused(code: str, suffix: str) -> None:
    """Rule: L6."""
    found = outline(code, f"a.{suffix}")
    assert all(0 <= cut <= len(code) for level in found.levels for cut in level.cuts)


def test_nesting_of_any_depth_is_looked_into() -> None:
    """Rule: L6."""
    found = outline("x = " + "[\n" * 5_000 + "]\n" * 5_000)
    assert found.definitions == ()


def test_a_text_that_takes_the_parser_too_many_steps_has_no_outline() -> None:
    """Rule: L6."""
    types = node_types_for("cpp", None)
    assert types is not None
    text = "+-*/" * 1_000
    assert outline_of(text, 0, len(text), types) is None
    documents = split(file("a.cpp", text), 500)
    assert {document.metadata["scope"] for document in documents} == {None}


def test_a_language_without_a_grammar_has_none() -> None:
    assert node_types_for("markdown", "a.py") is None
    assert node_types_for(None, None) is None


# Parts


def test_a_part_says_in_which_definition_it_is() -> None:
    """Rule: M1."""
    documents = split(file("a.py", PYTHON), 220)
    scopes = [document.metadata["scope"] for document in documents]
    assert scopes == [None, "Loader", "Loader.lazy_load", None], [d.page_content for d in documents]
    assert all("scope" in document.metadata for document in documents)


def test_without_syntax_there_is_no_scope() -> None:
    """Rule: M1."""
    documents = SemanticXmlSplitter(220).create_documents([file("a.py", PYTHON)])
    assert all("scope" not in document.metadata for document in documents)


def test_chunks_that_are_no_parts_of_code_have_none() -> None:
    text = (
        "# Prose\n\n" + "words and words. " * 40 + "\n\n" + file("a.py", "x = 1\n") + file("b.md", "more words. " * 40)
    )
    assert {document.metadata["scope"] for document in split(text, 200)} == {None}


def test_the_sources_own_scope_is_kept() -> None:
    """Rule: M1."""
    splitter = SemanticXmlSplitter(220, syntax=True)
    documents = splitter.create_documents([file("a.py", PYTHON)], [{"scope": "mine"}])
    assert {document.metadata["scope"] for document in documents} == {"mine"}
    assert "Loader" in [document.metadata["chunk_scope"] for document in documents]


def methods(count: int, lines: int) -> str:
    """Write a class with methods of so many lines of 20 characters."""
    body = "".join(f"        value = {number:03}\n" for number in range(lines))
    return "class Big(Base):\n" + "\n".join(
        f"    def method_{number}(self, argument: int) -> int:\n{body}" for number in range(count)
    )


def test_signatures_are_repeated_at_the_head_of_a_part() -> None:
    """Rule: P5."""
    documents = split(file("a.py", methods(2, 60)), 400, repeat="signatures")
    inside = [document for document in documents if document.metadata["scope"] == "Big.method_0"]
    assert len(inside) > 1
    for document in inside[1:]:
        assert document.page_content.startswith(
            '<file path="a.py">\nclass Big(Base):\n    def method_0(self, argument: int) -> int:\n        value = '
        )
        assert document.page_content.count("def method_0") == 1


def test_what_is_repeated_is_no_part_of_the_span() -> None:
    """Rule: M1, P5."""
    text = file("a.py", methods(2, 30))
    for document in split(text, 400, repeat="signatures"):
        own = text[document.metadata["start_index"] : document.metadata["end_index"]]
        assert own.count("class Big") == (document.metadata["part"] == 1)


def test_a_part_that_begins_with_a_definition_does_not_repeat_its_signature() -> None:
    """Rule: P5."""
    documents = split(file("a.py", methods(6, 8)), 420, repeat="signatures")
    assert all(document.page_content.count("class Big") == 1 for document in documents)
    for document in documents:
        names = re.findall(r"def (method_\d)", document.page_content)
        assert len(names) == len(set(names))


def test_outer_signatures_give_way_when_all_leave_too_little_room() -> None:
    """Rule: P5."""
    code = f"class Outer({', '.join(f'Base{number:02}' for number in range(20))}):\n" + methods(1, 40).replace(
        "\n", "\n    "
    )
    code = code.rstrip(" ")
    documents = split(file("a.py", "x = 1\n" + code.replace("class Big", "    class Big", 1)), 300, repeat="signatures")
    assert not any(document.page_content.count("class Outer") for document in documents[2:])
    assert any(document.page_content.count("def method_0") for document in documents[2:])


@pytest.mark.parametrize("lines", [2, 5, 9])
@pytest.mark.parametrize("size", [400, 900])
def test_no_definition_that_fits_is_torn(lines: int, size: int) -> None:
    """Rule: P2."""
    code = methods(12, lines)
    text = file("a.py", code)
    documents = split(text, size)
    edges = {document.metadata["start_index"] for document in documents}
    offset = text.index(code)
    for definition in outline(code).definitions[1:]:
        inside = range(offset + definition.start + 1, offset + definition.end)
        assert edges.isdisjoint(inside)


def test_definitions_in_strings_are_not_taken_for_definitions() -> None:
    """Rule: P2."""
    quoted = '"""\n' + "".join(f"def fake_{number}():\n    pass\n\n" for number in range(9)) + '"""\n'
    real = "def real():\n" + "".join(f"    x = {number}\n" for number in range(20))
    documents = split(file("a.py", f"TEXT = {quoted}\n\n{real}"), 400)
    assert documents[-1].metadata["scope"] == "real"
    assert documents[-1].page_content.startswith('<file path="a.py">\ndef real():')


def test_lengths_in_tokens_are_kept() -> None:
    length = tiktoken_length("cl100k_base")
    text = "".join(file(path.name, path.read_text(encoding="utf-8")) for path in SOURCES[:12])
    documents = split(text, 300, length, repeat="signatures")
    assert any(document.metadata["scope"] for document in documents)


@given(
    data=st.data(),
    size=st.integers(60, 900),
    repeat=st.sampled_from(("tags", "signatures", "breadcrumb", None)),
    suffix=st.sampled_from(sorted(LANGUAGES)),
)
def test_the_laws_hold(data: st.DataObject, size: int, repeat: Repeat | None, suffix: str) -> None:
    """Rule: L1, L2, L3, L4."""
    snippets = st.sampled_from(
        [code for code, _ in LANGUAGES.values()]
        + [PYTHON, methods(2, 9), "<file path='x'>\n", "\u00e9\r\n", "}\n", "'''\n"]
    )
    code = "".join(data.draw(st.lists(snippets, min_size=1, max_size=6)))
    text = "# Files\n" + file(f"a.{suffix}", code) + "end\n"
    split(text, size, repeat=repeat)


@given(size=st.integers(100, 500), overlap=st.integers(1, 99))
def test_the_laws_hold_with_overlap(size: int, overlap: int) -> None:
    """Rule: L1, L2, L3, L4, P4."""
    text = file("a.py", methods(3, 12))
    documents = SemanticXmlSplitter(size, overlap, syntax=True, repeat="signatures").create_documents([text])
    check_laws(text, documents, chunk_size=size, chunk_overlap=overlap, syntax=True, repeat="signatures")


def test_a_stream_gives_the_same() -> None:
    """Rule: L7."""
    text = "".join(file(path.name, path.read_text(encoding="utf-8")) for path in SOURCES)
    splitter = SemanticXmlSplitter(900, syntax=True, repeat="signatures")
    pieces = (text[start : start + 4096] for start in range(0, len(text), 4096))
    assert list(splitter.lazy_split_text(pieces)) == splitter.create_documents([text])


def test_fewer_functions_are_torn_than_without() -> None:
    """Rule: P2."""
    codes = [path.read_text(encoding="utf-8") for path in SOURCES]
    text = "".join(file(path.name, code) for path, code in zip(SOURCES, codes, strict=True))
    functions = [
        range(text.index(code) + definition.start + 1, text.index(code) + definition.end)
        for code in codes
        for definition in outline(code).definitions
        if definition.is_callable
    ]

    def torn(documents: list[Document]) -> int:
        starts = [document.metadata["start_index"] for document in documents]
        return sum(any(start in function for start in starts) for function in functions)

    with_syntax = SemanticXmlSplitter(1500, syntax=True).create_documents([text])
    assert torn(with_syntax) < 0.7 * torn(SemanticXmlSplitter(1500).create_documents([text]))


# The extra


def test_without_tree_sitter_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    with pytest.raises(ImportError, match=r'pip install "langchain-semantic-xml\[code\]"'):
        SemanticXmlSplitter(syntax=True)


def test_a_grammar_that_is_not_installed_leaves_the_separators(monkeypatch: pytest.MonkeyPatch) -> None:
    syntax = importlib.import_module("langchain_semantic_xml._parts.syntax")
    monkeypatch.setitem(sys.modules, "tree_sitter_ruby", None)
    syntax._load_language.cache_clear()  # noqa: SLF001 - what other tests have loaded
    text = file("a.rb", LANGUAGES["rb"][0] * 4)
    contents = [document.page_content for document in split(text, 300)]
    assert contents == SemanticXmlSplitter(300).split_text(text)
    syntax._load_language.cache_clear()  # noqa: SLF001


def test_the_splitter_pickles() -> None:
    """Rule: L5."""
    splitter = SemanticXmlSplitter(220, syntax=True, repeat="signatures")
    text = file("a.py", PYTHON)
    copy = pickle.loads(pickle.dumps(splitter))  # noqa: S301 - our own bytes
    assert copy.split_text(text) == splitter.split_text(text)


@pytest.mark.parametrize(
    "statement",
    ["function a{}(){{return {}}}", "var a{}=function(){{return {}}};", "class A{}{{m(){{return {}}}}}"],
)
def test_code_on_one_line_is_cut_between_its_definitions(statement: str) -> None:
    """Rule: P2."""
    statements = [statement.format(number, number) for number in range(12)]
    code = "".join(statements) + "\n"
    parts = split(file("m.js", code), 110)
    assert len(parts) > 3
    held = [part.page_content.removeprefix('<file path="m.js">\n').removesuffix("\n</file>") for part in parts]
    starts = [code.index(text) for text in held]
    assert set(starts) <= {code.index(text) for text in statements}


def test_the_methods_of_a_class_on_one_line_are_definitions() -> None:
    """Rule: P2."""
    code = "class A{" + "".join(f"m{number}(){{return {number}}}" for number in range(18)) + "}\n"
    parts = split(file("m.js", code), 110)
    assert all(re.match(r"class A\{m0|m\d", part.page_content.split("\n")[1]) for part in parts)
    assert {part.metadata["scope"] for part in parts} <= {"A"}


def test_a_parser_that_takes_too_long_leaves_the_patterns_with_a_warning() -> None:
    """Rule: L6."""
    types = node_types_for("cpp", None)
    assert types is not None
    code = "int f(int a) { return a + 1; }\n" * 20_000
    with pytest.warns(UserWarning, match="syntax_seconds=0.0001"):
        assert outline_of(code, 0, len(code), types, 0.0001) is None
