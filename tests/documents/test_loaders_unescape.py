"""Loaders with `unescape=True`: contents as of `repomix --parsable-style` decoded once, lines and tags as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.document_loaders import Blob
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter, parse_blocks
from langchain_semantic_xml.loaders import SemanticXmlBlobParser, SemanticXmlLoader
from tests.tools.bundle_maker import SourceFile, make_bundle

CODE = '''import os


class Loader:
    """It's a <loader> of "things" & more: &lt; is no tag."""

    def first(self, value):
        if value < 1 and value > -1:
            return 'one'
        return "two"

    def second(self, value):
        return value & 1 or os.environ['X'] < '&amp;'
'''
FILES = [SourceFile("app.py", CODE), SourceFile("plain.py", "x = 1\n"), SourceFile("a&b.md", "# A & B\n\n<br>\n")]
PARSABLE = make_bundle(FILES, "inline").text


def parse(text: str, *, unescape: bool = True) -> list[Document]:
    return SemanticXmlBlobParser(unescape=unescape).parse(Blob.from_data(text, path="bundle.xml"))


def contents(documents: list[Document]) -> list[str]:
    """Return what stands between the tags of each element."""
    elements = [document.page_content for document in documents if document.metadata["block_type"] != "text"]
    return [element[element.index(">") + 1 : element.rindex("</")] for element in elements]


def test_the_contents_of_a_parsable_bundle_are_the_files_that_were_packed() -> None:
    assert contents(parse(PARSABLE)) == [file.text for file in FILES]


def test_without_the_option_every_block_is_a_copy_of_its_source() -> None:
    assert [document.page_content for document in parse(PARSABLE, unescape=False)] == [
        block.content for block in parse_blocks(PARSABLE)
    ]


def test_tags_and_text_between_elements_stay_as_they_are() -> None:
    text = 'a &lt; b\n<file path="a&amp;b.py">x &lt; y</file>\nc &amp; d\n'
    assert [document.page_content for document in parse(text)] == [
        "a &lt; b\n",
        '<file path="a&amp;b.py">x < y</file>',
        "\nc &amp; d\n",
    ]


def test_only_the_text_of_a_block_differs_and_its_id() -> None:
    """Rule: M1, M4."""
    escaped, decoded = parse(PARSABLE, unescape=False), parse(PARSABLE)
    assert [document.metadata for document in decoded] == [document.metadata for document in escaped]
    assert len({document.id for document in decoded}) == len(decoded)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"),
        ("&#60;&#x3C;&#x1F600;", "<<\U0001f600"),
        ("&amp;lt;", "&lt;"),
        ("&amp;#10; &lt", "&#10; &lt"),
        ("&#10;&#xA;&#13;&#xD; &gt;", "&#10;&#xA;&#13;&#xD; >"),
        ("&nbsp;&#0;&unknown; &gt;", "&nbsp;&#0;&unknown; >"),
    ],
    ids=["named", "numeric", "once", "no semicolon", "line ends", "unknown"],
)
def test_references_are_decoded_once_and_those_to_line_ends_stay(written: str, meant: str) -> None:
    assert contents(parse(f"<file path='a'>\n{written}\n</file>\n")) == [f"\n{meant}\n"]


@pytest.mark.parametrize(
    "element",
    [
        "<file path='a'><![CDATA[x &lt; y]]></file>",
        "<file path='a'>\n<b>x &lt; y</b>\n</file>",
        "<file path='a'>x & y</file>",
        "<file path='a'></file>",
        "<file path='a'/>",
    ],
    ids=["CDATA", "raw tags", "no reference", "empty", "self-closing"],
)
def test_a_content_that_is_not_escaped_stays(element: str) -> None:
    assert [document.page_content for document in parse(element)] == [element]


def test_a_document_keeps_its_children_and_its_body_is_decoded() -> None:
    before, after = "<document index='1'>\n<source>a&amp;b</source>\n<document_content>\n", "\n</document_content>"
    [document] = parse(f"{before}x &lt; y{after}\n</document>")
    assert document.page_content == f"{before}x < y{after}\n</document>"


def test_tags_of_its_own_name_in_a_content_stay_escaped_so_that_it_is_one_element() -> None:
    content = "a &lt; b\n&lt;/file&gt;\n&lt;file path=&quot;q&quot;&gt;\n&lt;files&gt;"
    [document] = parse(f'<file path="a">{content}</file>')
    assert document.page_content == '<file path="a">a < b\n&lt;/file>\n&lt;file path="q">\n<files></file>'


@given(
    st.lists(
        st.sampled_from(
            (
                *("<file path='q'>", "</file>", "<output command='x'>", "</output>", "<document>", "</document>"),
                *(
                    "<file>",
                    "\n",
                    "  ",
                    "x = 1",
                    "&",
                    "<",
                    "'",
                    "<![CDATA[",
                    "]]>",
                    "&lt;",
                    "```",
                    "</files>",
                    "<files>",
                ),
            )
        ),
        max_size=12,
    ).map("".join)
)
def test_a_decoded_block_is_one_element_whatever_its_content_quotes(content: str) -> None:
    bundle = make_bundle([SourceFile("a.md", content), SourceFile("b.md", "x < 1\n")], "inline")
    for block in parse(bundle.text):
        if block.metadata["block_type"] != "text":
            assert [found.type for found in parse_blocks(block.page_content)] == ["file"]


def test_chunks_count_the_decoded_text_and_cite_the_lines_of_the_file() -> None:
    """Rule: M3, M4."""
    blocks = {block.metadata["identity"]: block.page_content for block in parse(PARSABLE)}
    chunks = SemanticXmlSplitter(160, repeat=None, separator=None, strip_whitespace=False).split_documents(
        parse(PARSABLE)
    )
    lines = CODE.split("\n")
    cited = [chunk for chunk in chunks if chunk.metadata["identity"] == "app.py"]
    assert len(cited) > 2
    for chunk in cited:
        known = chunk.metadata
        start, end = known["chunk_start_index"], known["chunk_end_index"]
        assert chunk.page_content == blocks["app.py"][start:end]
        first = next(line for line in chunk.page_content.split("\n") if line.strip())
        assert lines[known["content_start_line"] - 1] == first.removeprefix('<file path="app.py">')


def test_the_definition_of_decoded_code_is_known() -> None:
    splitter = SemanticXmlSplitter(160, syntax=True)
    decoded = splitter.split_documents(parse(PARSABLE))
    scopes = {scope for chunk in decoded if (scope := chunk.metadata["scope"])}
    symbols = {symbol for chunk in decoded for symbol in chunk.metadata["symbols"] or ()}
    assert "Loader" in scopes or "Loader.first" in scopes
    assert {"Loader", "Loader.first", "Loader.second"} <= symbols


def test_the_loader_hands_the_option_on(tmp_path: Path) -> None:
    path = tmp_path / "bundle.xml"
    path.write_text(PARSABLE, encoding="utf-8")
    assert contents(SemanticXmlLoader(path, unescape=True).load()) == [file.text for file in FILES]


def test_the_option_is_true_or_false() -> None:
    with pytest.raises(TypeError, match="unescape"):
        SemanticXmlLoader("bundle.xml", unescape="yes")  # type: ignore[arg-type]
