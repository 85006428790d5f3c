"""Which elements are blocks: the default rules, names, and rules of one's own; what names an element."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from langchain_semantic_xml import (
    ElementRule,
    SemanticXmlSplitter,
    has_semantic_elements,
    iter_blocks,
    parse_blocks,
)
from langchain_semantic_xml._boundaries.formats import DEFAULT_RULES, resolve_elements


def identities(text: str, elements: Iterable[str | ElementRule] | None = None) -> list[str | None]:
    """Return the identities of the elements of a text."""
    return [block.identity for block in parse_blocks(text, elements=elements) if block.type != "text"]


def types(text: str, elements: Iterable[str | ElementRule] | None = None) -> list[str]:
    return [block.type for block in parse_blocks(text, elements=elements)]


# The default rules


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        pytest.param("<file path='p' name='n' src='s' filename='f'>x</file>", "p", id="file: path first"),
        pytest.param("<file filename='f' src='s' name='n'>x</file>", "n", id="file: then name, in whatever order"),
        pytest.param("<file filename='f' src='s'>x</file>", "s", id="file: then src"),
        pytest.param("<file filename='f'>x</file>", "f", id="file: then filename"),
        pytest.param("<file path='' name='n'>x</file>", "n", id="file: an empty attribute is passed over"),
        pytest.param("<file path name='n'>x</file>", "n", id="file: one without value is passed over"),
        pytest.param("<file><path>a.ts</path>x</file>", "a.ts", id="file: a child"),
        pytest.param("<file name='n'><path>a.ts</path>x</file>", "n", id="file: an attribute before a child"),
        pytest.param("<file name=''><path>a.ts</path>x</file>", "a.ts", id="file: a child after an empty attribute"),
        pytest.param("<file><source>s</source>x</file>", None, id="file: a source is no child of it"),
        pytest.param("<file id='i'>x</file>", None, id="file: id is no identity"),
        pytest.param("<output command='c' name='n'>x</output>", "c", id="output: command first"),
        pytest.param("<output cmd='c' name='n'>x</output>", "n", id="output: then name"),
        pytest.param("<output cmd='c'>x</output>", "c", id="output: then cmd"),
        pytest.param("<output path='p'>x</output>", None, id="output: path is no identity"),
        pytest.param("<document path='p' name='n'>x</document>", "p", id="document: path first"),
        pytest.param(
            "<document index='1'>\n<source>s</source>\nx\n</document>", "s", id="document: source before index"
        ),
        pytest.param("<document index='1'>\n<src>s</src>\nx\n</document>", "s", id="document: src too"),
        pytest.param("<document index='1'>x</document>", "1", id="document: else index"),
        pytest.param("<document index='1' name='n'>x</document>", "n", id="document: name before index"),
        pytest.param("<document index='0'>x</document>", "0", id="document: zero is an index"),
        pytest.param("<command name='n'>x</command>", "n", id="command"),
        pytest.param("<diff range='a..b'>x</diff>", "a..b", id="diff"),
        pytest.param("<file_content path='p'>x</file_content>", "p", id="file_content"),
        pytest.param("<final_file_content path='p'>x</final_file_content>", "p", id="final_file_content"),
        pytest.param("<attachment id='i' folderPath='d' filePath='p'>x</attachment>", "p", id="attachment: filePath"),
        pytest.param("<attachment id='i' folderPath='d'>x</attachment>", "d", id="attachment: then folderPath"),
        pytest.param("<attachment id='i'>x</attachment>", "i", id="attachment: then id"),
        pytest.param("<file_content file='f'>x</file_content>", "f", id="file_content: then file"),
        pytest.param("<final_file_content file='f'>x</final_file_content>", "f", id="final_file_content: then file"),
        pytest.param("<doc path='p' url='u' title='t'>x</doc>", "t", id="doc: title first"),
        pytest.param("<doc path='p' url='u'>x</doc>", "u", id="doc: then url"),
        pytest.param("<doc path='p'>x</doc>", "p", id="doc: then path"),
        pytest.param("<code_selection lines='1-2' path='p'>x</code_selection>", "p", id="code_selection"),
        pytest.param("<file_contents path='p'>x</file_contents>", "p", id="file_contents"),
        pytest.param("<dyad-write description='d' path='p'>x</dyad-write>", "p", id="dyad-write"),
        pytest.param("<dyad-file path='p'>x</dyad-file>", "p", id="dyad-file"),
        pytest.param("<lov-write file_path='p'>x</lov-write>", "p", id="lov-write"),
        pytest.param("<boltAction type='file' filePath='p'>x</boltAction>", "p", id="boltAction"),
        pytest.param("<read_file><path>p</path></read_file>", "p", id="read_file: a child"),
        pytest.param("<write_to_file>\n<path>p</path>\nx\n</write_to_file>", "p", id="write_to_file: a child"),
        pytest.param("<replace_in_file><path>p</path>x</replace_in_file>", "p", id="replace_in_file: a child"),
        pytest.param("<apply_diff>\n<path>p</path>\nx\n</apply_diff>", "p", id="apply_diff: a child"),
    ],
)
def test_the_default_rules_know_where_each_elements_identity_is(text: str, identity: str | None) -> None:
    assert identities(text) == [identity]


@pytest.mark.parametrize("rule", [rule for rule in DEFAULT_RULES if not rule.bare], ids=lambda rule: str(rule.name))
def test_a_name_that_occurs_in_other_texts_needs_an_identity(rule: ElementRule) -> None:
    assert identities(f"<{rule.name}>\nx\n</{rule.name}>\n<{rule.name} lang='a'/>\n") == []


def test_the_default_rules_are_these() -> None:
    assert [rule.name for rule in DEFAULT_RULES] == [
        "file",
        "output",
        "document",
        "command",
        "diff",
        "file_content",
        "final_file_content",
        "attachment",
        "doc",
        "code_selection",
        "file_contents",
        "dyad-write",
        "dyad-file",
        "lov-write",
        "boltAction",
        "write_to_file",
        "read_file",
        "replace_in_file",
        "apply_diff",
    ]
    assert [rule.name for rule in DEFAULT_RULES if rule.bare] == [rule.name for rule in DEFAULT_RULES][:8]


@pytest.mark.parametrize("name", ["document_content", "source", "path", "files", "documents", "page", "text"])
def test_other_names_are_no_elements_by_default(name: str) -> None:
    assert types(f"<{name} path='a'>x</{name}>") == ["text"]


# The identity's child


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        pytest.param("<file>\n  <path> a b.ts </path>\nx\n</file>", "a b.ts", id="on the next line, blanks around it"),
        pytest.param("<file>\r\n<path>a.ts</path>\r\nx\r\n</file>", "a.ts", id="after CRLF"),
        pytest.param("<file><path>a&amp;b</path>x</file>", "a&amp;b", id="verbatim: contents are raw"),
        pytest.param("<file><path>a<b>.ts</path>x</file>", "a<b>.ts", id="with angles"),
        pytest.param("<file><path></path>x</file>", None, id="an empty child is none"),
        pytest.param("<file><path> \t </path>x</file>", None, id="a blank child is none"),
        pytest.param("<file>x<path>a.ts</path></file>", None, id="not after text"),
        pytest.param("<file><size>9</size><path>a.ts</path></file>", None, id="not after another child"),
        pytest.param("<file><path>a.ts</file>", None, id="not without its closing tag"),
        pytest.param("<file><paths>a.ts</paths>x</file>", None, id="not of a longer name"),
        pytest.param("<file path=''/>\n<path>a.ts</path>", None, id="not after a self-closing tag"),
        pytest.param("<file><![CDATA[<path>a.ts</path>]]></file>", None, id="not in CDATA"),
    ],
)
def test_a_child_names_an_element_only_directly_after_its_opening_tag(text: str, identity: str | None) -> None:
    assert identities(text) == [identity]


def test_an_identity_never_is_an_empty_string() -> None:
    assert identities("<file path='' name='' src=''>x</file>\n<document index=''>y</document>") == [None, None]


# The option `elements`

PAGE = "<page path='p' name='n' filePath='f' id='i' url='u'>x</page>"


def test_a_name_among_the_default_rules_takes_its_default_rule() -> None:
    assert identities("<output cmd='ls'>x</output>\n<file path='a'>y</file>", ["output"]) == ["ls"]


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        (PAGE, "p"),
        ("<page id='i' href='h' url='u' title='t' name='n' file='d' filePath='c' file_path='b'>x</page>", "b"),
        ("<page id='i' href='h' url='u' title='t' name='n' file='d' filePath='c'>x</page>", "c"),
        ("<page id='i' href='h' url='u' title='t' name='n' file='d'>x</page>", "d"),
        ("<page id='i' href='h' url='u' title='t' name='n'>x</page>", "n"),
        ("<page id='i' href='h' url='u' title='t'>x</page>", "t"),
        ("<page id='i' href='h' url='u'>x</page>", "u"),
        ("<page id='i' href='h'>x</page>", "h"),
        ("<page id='i'>x</page>", "i"),
        ("<page lang='l'>x</page>", None),
        ("<page>x</page>", None),
    ],
)
def test_any_other_name_has_the_common_identity_attributes(text: str, identity: str | None) -> None:
    assert identities(text, ["page"]) == [identity]


def test_a_rule_of_ones_own_says_where_the_identity_is() -> None:
    rule = ElementRule("page", identity=("url",), identity_children=("title", "h1"), fallback=("n",))
    text = "<page url='u' n='1'>x</page>\n<page n='2'><h1>T</h1>x</page>\n<page n='3'>x</page>\n<page path='p'>x</page>"
    assert identities(text, [rule]) == ["u", "T", "3", None]


def test_a_rule_of_ones_own_replaces_the_default_one_of_its_name() -> None:
    assert identities("<file path='p' url='u'>x</file>", [ElementRule("file", identity=("url",))]) == ["u"]


def test_names_and_rules_may_be_mixed() -> None:
    text = "<page url='u'>x</page>\n<file path='a'>y</file>"
    assert identities(text, ["file", ElementRule("page", identity=("url",))]) == ["u", "a"]


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param(["page"], id="list"),
        pytest.param(("page",), id="tuple"),
        pytest.param({"page"}, id="set"),
        pytest.param(frozenset({"page"}), id="frozenset"),
        pytest.param({"page": 1}.keys(), id="keys"),
        pytest.param({"page": 1}, id="dict"),
    ],
)
def test_any_iterable_of_names_will_do(elements: Iterable[str]) -> None:
    assert types("<page>x</page>\n<file>y</file>", elements) == ["page", "text"]


def test_a_generator_of_names_will_do() -> None:
    splitter = SemanticXmlSplitter(elements=(name for name in ["page"]))
    for _ in range(2):
        assert [chunk.metadata["block_type"] for chunk in splitter.create_documents([PAGE])] == ["page"]


def test_no_elements_leave_text() -> None:
    assert types("<file>x</file>", []) == ["text"]


@pytest.mark.parametrize("elements", [["page", "page"], ["file", DEFAULT_RULES[0]], [ElementRule("a"), "a"]], ids=str)
def test_the_same_rule_twice_is_one(elements: list[str | ElementRule]) -> None:
    assert len(resolve_elements(elements)) == 1


@pytest.mark.parametrize(
    "elements",
    [
        [ElementRule("page"), ElementRule("page", identity=("url",))],
        ["page", ElementRule("page", bare=False)],
        ["file", ElementRule("file")],
    ],
    ids=["two rules", "a name and a rule", "a default rule and a rule"],
)
def test_two_rules_for_one_name_are_refused(elements: list[str | ElementRule]) -> None:
    with pytest.raises(ValueError, match="has two different rules; keep one of them"):
        parse_blocks("", elements=elements)


@pytest.mark.parametrize(
    ("elements", "error", "says"),
    [
        ("file", TypeError, r"elements='file' must be an iterable .* such as \['file'\]"),
        (b"file", TypeError, "elements=b'file' must be an iterable"),
        (ElementRule("file"), TypeError, "must be an iterable"),
        (3, TypeError, "elements=3 must be an iterable"),
        (True, TypeError, "elements=True must be an iterable"),
        ([None], TypeError, "None must be a name or an ElementRule, not NoneType"),
        ([b"file"], TypeError, "b'file' must be a name or an ElementRule, not bytes"),
        ([["file"]], TypeError, "must be a name or an ElementRule, not list"),
        ([""], ValueError, "'' is not an XML Name"),
        (["<file>"], ValueError, "'<file>' is not an XML Name"),
        (["a b"], ValueError, "'a b' is not an XML Name"),
        (["1a"], ValueError, "'1a' is not an XML Name"),
        (["-a"], ValueError, "'-a' is not an XML Name"),
        (["a\n"], ValueError, "is not an XML Name"),
        (["text"], ValueError, "choose another element name"),
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "door",
    [
        lambda elements: parse_blocks("", elements=elements),
        lambda elements: iter_blocks("", elements=elements),
        lambda elements: has_semantic_elements("", elements=elements),
        lambda elements: SemanticXmlSplitter(elements=elements),
    ],
    ids=["parse_blocks", "iter_blocks", "has_semantic_elements", "SemanticXmlSplitter"],
)
def test_wrong_elements_are_refused_at_every_door(
    door: Callable[[Any], object], elements: object, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        door(elements)


@pytest.mark.parametrize("name", ["a", "A-b.c_d", "ns:page", "_x", "seité", "файл", "文件", "a·b", "x1"])
def test_any_xml_name_can_be_an_elements(name: str) -> None:
    assert types(f"<{name} id='1'>x</{name}>", [name]) == [name]


@pytest.mark.parametrize("name", ["a.b", "a-b"])
def test_a_name_is_no_pattern(name: str) -> None:
    other = name.replace(".", "x").replace("-", "x")
    assert types(f"<{other} id='1'>x</{other}>", [name]) == ["text"]


@pytest.mark.parametrize("elements", [["a", "ab", "a-b"], ["a-b", "ab", "a"], ["ab", "a", "a-b"]], ids=str)
def test_a_name_that_begins_another_hides_it_not(elements: list[str]) -> None:
    assert types("<ab>1</ab>\n<a>2</a>\n<a-b>3</a-b>", elements) == ["ab", "a", "a-b"]


# ElementRule, the value


def test_a_rule_has_these_defaults() -> None:
    rule = ElementRule("page")
    assert rule.identity == ("path", "file_path", "filePath", "file", "name", "title", "url", "href", "id")
    assert (rule.identity_children, rule.body, rule.bare) == ((), (), True)


def test_a_rule_freezes_its_names() -> None:
    names = ["url"]
    rule = ElementRule("page", identity=names, body=(name for name in ["b"]))  # type: ignore[arg-type]
    names.append("title")
    assert (rule.identity, rule.body) == (("url",), ("b",))
    assert hash(rule) == hash(ElementRule("page", identity=("url",), body=("b",)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        rule.name = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    "clone",
    [copy.copy, copy.deepcopy, lambda rule: pickle.loads(pickle.dumps(rule))],  # noqa: S301 - our own
    ids=["copy", "deep", "pickle"],
)
def test_a_rule_copies_and_pickles(clone: Callable[[ElementRule], ElementRule]) -> None:
    rule = ElementRule("page", identity=("url",), bare=False)
    assert clone(rule) == rule


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"name": None}, TypeError, "name: None must be a str"),
        ({"name": "text"}, ValueError, "the type of the text between elements"),
        ({"name": "a>"}, ValueError, "name: 'a>' is not an XML Name"),
        ({"name": "a", "identity": "path"}, TypeError, r"identity='path' must be an iterable .*\('path',\)"),
        ({"name": "a", "identity": None}, TypeError, "identity=None must be an iterable"),
        ({"name": "a", "identity": (1,)}, TypeError, "identity: 1 must be a str"),
        ({"name": "a", "identity_children": "path"}, TypeError, "identity_children='path'"),
        ({"name": "a", "identity_children": ("<path>",)}, ValueError, "'<path>' is not an XML Name"),
        ({"name": "a", "body": "body"}, TypeError, "body='body'"),
        ({"name": "a", "bare": 0}, TypeError, "bare=0 must be True or False"),
        ({"name": "a", "bar": True}, TypeError, "bar"),
        ({}, TypeError, "name"),
    ],
    ids=repr,
)
def test_a_wrong_rule_is_refused(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        ElementRule(**options)


# The body


def test_the_default_body_of_a_document_is_what_is_cut() -> None:
    lines = "".join(f"line {number}\n" for number in range(40))
    head = "<document index='1'>\n<source>a.txt</source>\n<document_content>\n"
    tail = "\n</document_content>\n</document>"
    parts = SemanticXmlSplitter(250).split_text(head + lines.rstrip("\n") + tail)
    assert len(parts) > 1
    assert all(part.startswith(head) and part.endswith(tail) for part in parts)
    assert "\n".join(part[len(head) : -len(tail)] for part in parts) == lines.rstrip("\n")


def test_a_rule_of_ones_own_may_name_the_body() -> None:
    rule = ElementRule("page", identity=("url",), body=("main",))
    head, tail = "<page url='u'>\n<main>\n", "\n</main>\n</page>"
    text = head + "\n".join(["some words of text"] * 20) + tail
    parts = SemanticXmlSplitter(150, elements=[rule]).split_text(text)
    assert len(parts) > 1
    assert all(part.startswith(head) and part.endswith(tail) for part in parts)
    assert {
        chunk.metadata["identity"] for chunk in SemanticXmlSplitter(150, elements=[rule]).create_documents([text])
    } == {"u"}
