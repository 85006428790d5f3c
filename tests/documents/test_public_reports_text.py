"""What people report of text splitters, third part: what becomes of the text, and of tags and what looks like one."""

from __future__ import annotations

from html import escape
from typing import SupportsIndex

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import Block, SemanticXmlSplitter, has_semantic_elements, parse_blocks
from tests.laws.checks import check_laws, squeeze

CODE = "def f():\n    if True:\n        return 1\n\n    return 2"
A = f'<file path="a.py">\n{CODE}\n</file>'


def files(*bodies: str) -> list[str]:
    return [f'<file path="{number}">\n{body}\n</file>' for number, body in enumerate(bodies)]


# White space


def test_the_first_line_of_a_chunk_keeps_its_indentation() -> None:
    text = "Intro.\n\n    indented code\n    and more of it\n\n        deeper still\n"
    contents = SemanticXmlSplitter(chunk_size=40, chunk_overlap=0).split_text(text)
    lines = [line for content in contents for line in content.splitlines() if line.strip()]
    assert len(contents) > 1
    assert lines == [line for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("size", [30, 50])
def test_the_parts_of_a_file_keep_the_indentation_of_every_line(size: int) -> None:
    contents = SemanticXmlSplitter(size, repeat=None).split_text(A)
    assert len(contents) > 1
    assert [line for content in contents for line in content.splitlines() if line] == list(filter(None, A.split("\n")))


@pytest.mark.parametrize("size", [20, 45, 4000])
def test_no_carriage_return_leaks_out_of_a_line_end(size: int) -> None:
    text = f'# Title\r\n\r\n<file path="a.py">\r\n{"x = 1" * 9}\r\n</file>\r\n\r\nmore text\r\nof two lines\r\n'
    chunks = SemanticXmlSplitter(size).create_documents([text])
    assert {chunk.metadata["identity"] for chunk in chunks} - {None} <= {"a.py"}
    for chunk in chunks:
        assert chunk.page_content == chunk.page_content.strip("\r\n"), "a line end is cut off whole"
        assert not any("\r" in value for value in chunk.metadata.values() if isinstance(value, str))


def test_windows_and_unix_line_ends_give_the_same_chunks() -> None:
    text = f"# Title\n\n{A}\n\n<output command='ls'>\na.py\n</output>\n\n- one\n- two\n"
    unix, windows = (
        SemanticXmlSplitter(isolate=True).create_documents([form]) for form in (text, text.replace("\n", "\r\n"))
    )
    assert [chunk.page_content.replace("\r\n", "\n") for chunk in windows] == [chunk.page_content for chunk in unix]
    for key in ("block_type", "identity", "start_line", "end_line"):
        assert [chunk.metadata[key] for chunk in windows] == [chunk.metadata[key] for chunk in unix]


def test_a_byte_order_mark_neither_hides_the_first_element_nor_becomes_a_chunk() -> None:
    chunks = SemanticXmlSplitter(isolate=True).create_documents([f"\ufeff{A}\n\ntext"])
    assert [chunk.page_content for chunk in chunks] == [A, "text"]
    assert chunks[0].metadata["start_index"] == 1


@pytest.mark.parametrize("blank", [" \n\n", " \n\t\n", "\u2003\n", "\r\n\r\n", "\x0c\n"], ids=repr)
def test_no_chunk_is_blank(blank: str) -> None:
    text = blank * 40 + A + blank * 40 + "text" + blank * 40
    contents = SemanticXmlSplitter(25, separator=blank).split_text(text)
    assert contents
    assert all(content.strip() for content in contents)


# Fences, strings, comments, attributes, CDATA


def test_a_fence_that_never_closes_does_not_lose_the_rest() -> None:
    text = f"Some code:\n\n```python\nx = 1\n\n{A}\n\nlast words"
    joined = "".join(SemanticXmlSplitter().split_text(text))
    assert squeeze(joined) == squeeze(text)
    assert [block.type for block in parse_blocks(text)] == ["text", "file", "text"]


HIDING_PLACES = {
    "in a string": 'print("</file>")',
    "in a comment of Python": "x = 1  # </file> ends it",
    "in a comment of XML": "<!-- </file> -->",
    "in a comment of many lines": "<!--\n  <file>\n  </file>\n-->",
    "in a docstring": '"""Write\n    <file path="b">\n    </file>\n"""',
    "in an attribute": '<a title="</file>">',
    "indented as code": "    </file>\nafter it",
    "in a bundle inside": '<files>\n<file path="inner">\nx\n</file>\n</files>',
}


@pytest.mark.parametrize("body", HIDING_PLACES.values(), ids=HIDING_PLACES)
def test_a_closing_tag_in_the_content_ends_nothing(body: str) -> None:
    text = "\n\n".join(files(f"{body}\nthe end of the first", "second"))
    contents = SemanticXmlSplitter(len(body) + 60, isolate=["file"]).split_text(text)
    assert contents == text.split("\n\n")


@pytest.mark.parametrize("inner", ["</file>", "\n</file>\n", '<file path="x">\n</file>\n</file>', "]]]]><![CDATA[>"])
def test_a_closing_tag_in_cdata_ends_nothing(inner: str) -> None:
    first = f'<file path="a"><![CDATA[{inner}&amp;]]></file>'
    contents = SemanticXmlSplitter(len(first), isolate=["file"]).split_text(f"{first}\n\n{files('y')[0]}")
    assert contents == [first, files("y")[0]]


def test_a_closing_tag_in_an_attribute_of_the_element_ends_nothing() -> None:
    command = "ls > a.txt; grep -c '</output>' b.xml"
    element = f'<output command="{command}">\n1\n</output>'
    chunks = SemanticXmlSplitter(isolate=True).create_documents([f"{element}\n\nafter"])
    assert [chunk.page_content for chunk in chunks] == [element, "after"]
    assert chunks[0].metadata["command"] == command


@pytest.mark.parametrize("empty", ['<file path="empty"/>', "<file path='empty' />", '<file\n  path="empty"\n/>'])
def test_a_self_closing_element_does_not_swallow_the_next(empty: str) -> None:
    contents = SemanticXmlSplitter(isolate=True).split_text(f"{empty}\ntext\n\n{A}")
    assert contents == [empty, "text", A]


# Texts of a type of their own


class Markup(str):
    """A text as template engines have it: what is cut from it is of its type, what is added to it is escaped."""

    __slots__ = ()

    def __getitem__(self, key: SupportsIndex | slice) -> Markup:
        return Markup(super().__getitem__(key))

    def __add__(self, other: str) -> Markup:
        return Markup(super().__add__(escape(other)))

    def __radd__(self, other: str) -> Markup:
        return Markup(escape(other) + str(self))

    def __str__(self) -> str:
        return "not the text"

    def __len__(self) -> int:
        return 0


@pytest.mark.parametrize("size", [40, 4000])
def test_a_text_of_a_type_of_its_own_is_split_as_the_characters_that_it_has(size: int) -> None:
    text = f"# Title\n\n{A}\n\ntext\n"
    splitter = SemanticXmlSplitter(size, size // 4, separator="<hr>")
    plain = splitter.create_documents([text])
    document = Document.model_construct(page_content=Markup(text), metadata={})
    assert splitter.create_documents([Markup(text)]) == splitter.split_documents([document]) == plain
    assert list(splitter.lazy_split_text(Markup(text))) == list(splitter.lazy_split_text([Markup(text)])) == plain
    contents = splitter.split_text(Markup(text))
    assert contents == splitter.split_text(text)
    assert {type(content) for content in contents} == {str}


def test_blocks_of_a_text_of_a_type_of_its_own_are_plain() -> None:
    blocks = parse_blocks(Markup(A))
    assert blocks == parse_blocks(A)
    assert {type(blocks[0].content), type(blocks[0].identity), type(blocks[0].attributes["path"])} == {str}
    assert type(Block.from_text(Markup(A)).content) is str
    assert has_semantic_elements(Markup(A))


@pytest.mark.parametrize("value", [None, b"bytes", 3], ids=repr)
def test_a_document_that_was_made_without_checks_is_refused_by_name(value: object) -> None:
    document = Document.model_construct(page_content=value, metadata={})
    with pytest.raises(TypeError, match=rf"documents\[0\]\.page_content must be a str, not {type(value).__name__}"):
        SemanticXmlSplitter().split_documents([document])


# Attributes and entities


def test_no_attribute_is_dropped() -> None:
    tag = """<file path="a b.py" language='python' lines=10 readonly data-x="" xml:lang="de" Größe="1">"""
    [chunk] = SemanticXmlSplitter().create_documents([f"{tag}\nx\n</file>"])
    expected = {"path": "a b.py", "language": "python", "lines": "10", "readonly": "", "data-x": "", "xml:lang": "de"}
    assert {key: chunk.metadata.get(key) for key in expected} == expected
    assert chunk.metadata["Größe"] == "1"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a &amp;lt; b", "a &lt; b"),
        ("&amp;amp;", "&amp;"),
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("&#38;#65;", "&#65;"),
    ],
)
def test_entities_of_attributes_are_decoded_once(written: str, meant: str) -> None:
    [chunk] = SemanticXmlSplitter().create_documents([f'<output command="{written}">\nx\n</output>'])
    assert chunk.metadata.get("command") == meant
    assert written in chunk.page_content


def test_entities_of_contents_are_left_as_they_are() -> None:
    text = files("a &lt; b &amp;amp; &nbsp; &#65; &copy; &unknown;")[0]
    assert SemanticXmlSplitter().split_text(text) == [text]


# Order, and what looks like something of ours


def test_nothing_changes_its_place() -> None:
    text = "\n\n".join(f"text {number}\n\n{element}" for number, element in enumerate(files(*"abcdef")))
    contents = SemanticXmlSplitter(60).split_text(text)
    assert len(contents) > 2
    assert squeeze("".join(contents)) == squeeze(text)


@pytest.mark.parametrize("placeholder", ["@@0@@", "@@1@@", "@@7@@"])
def test_a_text_that_holds_a_placeholder_is_given_back_as_it_is(placeholder: str) -> None:
    text = "\n\n".join([f"See {placeholder} here.", *files("x"), placeholder])
    assert SemanticXmlSplitter().split_text(text) == [text]


@pytest.mark.parametrize(
    "lookalike",
    ["\0", "\0BLOCK0\0", "__BLOCK_0__", "{0}", "{block}", "%s", "%(block)s", "$1", "\\1", "\\g<0>", "\ue000", "\uffff"],
    ids=ascii,
)
def test_whatever_a_placeholder_could_be_is_text(lookalike: str) -> None:
    text = f'{lookalike}\n\n<file path="{lookalike}">\n{lookalike}\n</file>\n\n{lookalike}\n'
    for size in (1, 20, 4000):
        chunks = SemanticXmlSplitter(size, separator=lookalike).create_documents([text])
        check_laws(text, chunks, chunk_size=size, separator=lookalike)
    assert parse_blocks(text)[1].identity == lookalike


def test_the_name_of_an_element_is_no_pattern() -> None:
    text = "<a.b>\nx\n</a.b>\n\nsee <axb>y</axb> there"
    contents = SemanticXmlSplitter(isolate=True, elements=["a.b"]).split_text(text)
    assert contents == text.split("\n\n")
    assert [block.type for block in parse_blocks(text, elements=["a.b"])] == ["a.b", "text"]
