"""The lines of a chunk in the file itself, and its citation.

Rule: M4, L8.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from langchain_core.document_loaders import Blob
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlBlobParser, SemanticXmlSplitter, cite
from langchain_semantic_xml.typing import SplitterOptions
from tests.tools.bundle_maker import STYLES, SourceFile, make_bundle

PYTHON = SourceFile(
    "src/brew.py",
    "\n\n".join(f"def f{n}():\n    # line {5 * n + 2}\n    return '<&>'  # line {5 * n + 3}\n" for n in range(30)),
)
PROSE = SourceFile("docs/tea.md", "".join(f"line {n} of the text about tea\n" if n % 7 else "\n" for n in range(1, 90)))
FILES = [PYTHON, PROSE, SourceFile("empty.txt", "\n\n"), SourceFile("one.txt", "line 1")]
NAMES = [file.path for file in FILES]
_LINE = re.compile(r"\bline (\d+)\b")


def split_whole(text: str, splitter: SemanticXmlSplitter) -> list[Document]:
    return splitter.create_documents([text], [{"source": "b.xml"}])


def split_loaded(text: str, splitter: SemanticXmlSplitter) -> list[Document]:
    return splitter.split_documents(SemanticXmlBlobParser().lazy_parse(Blob.from_data(text, path="b.xml")))


def split_stream(text: str, splitter: SemanticXmlSplitter) -> list[Document]:
    pieces = (text[start : start + 97] for start in range(0, len(text), 97))
    return list(splitter.lazy_split_text(pieces, metadata={"source": "b.xml"}))


def make_splitter(size: int, options: SplitterOptions) -> SemanticXmlSplitter:
    return SemanticXmlSplitter(**options | SplitterOptions(chunk_size=size))


Way = Callable[[str, SemanticXmlSplitter], list[Document]]
WAYS = {"the whole text": split_whole, "each block": split_loaded, "a stream": split_stream}
all_ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())


def check_lines(chunks: list[Document]) -> int:
    """Assert that chunks say the lines that they hold, as far as they hold numbered lines; return how many do."""
    checked = 0
    for chunk in chunks:
        first, last = chunk.metadata["content_start_line"], chunk.metadata["content_end_line"]
        found = [int(number) for number in _LINE.findall(chunk.page_content)]
        if first is None:
            assert last is None
            assert len(chunk.metadata["identities"] or ()) != 1 or not found
            continue
        path, _, lines = cite(chunk).rpartition(":")
        assert (path in NAMES, lines) == (True, f"{first}-{last}")
        assert first <= min(found)
        assert max(found) <= last
        assert min(found) - first <= 1  # the line of a def, which has no number
        assert last == max(found)
        checked += 1
    return checked


@all_ways
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("size", [240, 600, 4000])
@pytest.mark.parametrize("style", STYLES)
def test_a_chunk_says_in_which_lines_of_its_file_it_stands(style: str, size: int, line_end: str, way: Way) -> None:
    text = make_bundle(FILES, style).text.replace("\n", line_end)
    options: list[SplitterOptions] = [
        {"isolate": True},
        {"chunk_overlap": 90, "isolate": ["file", "document"]},
        {"repeat": None},
        {"separator": None, "strip_whitespace": False},
    ]
    checked = [check_lines(way(text, make_splitter(size, each))) for each in options]
    assert checked[0] > 2


@all_ways
def test_the_lines_are_right_with_syntax(way: Way) -> None:
    text = make_bundle(FILES, "repomix").text
    splitter = SemanticXmlSplitter(300, syntax=True, repeat="signatures")
    assert check_lines(way(text, splitter)) > 10


@pytest.mark.parametrize("size", [240, 600])
def test_chunks_that_are_split_again_keep_the_lines_of_the_file(size: int) -> None:
    alone, without_tags = SplitterOptions(isolate=True), SplitterOptions(isolate=True, repeat=None)
    for options in (alone, without_tags):
        once = split_whole(make_bundle(FILES, "repomix").text, make_splitter(1200, options))
        assert check_lines(make_splitter(size, options).split_documents(once)) > 5


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("<file path='a'>\nx\ny\n</file>", (1, 2), id="the tag on a line of its own"),
        pytest.param("<file path='a'>\n\n\nx\n\n</file>", (3, 3), id="blank lines at the head count"),
        pytest.param("<file path='a'>x\ny</file>", (1, 2), id="glued"),
        pytest.param("<file path='a'>  \nx\n</file>", (1, 1), id="blanks after the tag"),
        pytest.param("<file>\n<path>a</path>\nx\n</file>", (1, 1), id="an identity child"),
        pytest.param("<file path='a'>\n<path>b</path>\nx\n</file>", (1, 2), id="a child that names nothing is content"),
        pytest.param("<document><source>a</source><document_content>\nx\n</document_content></document>", (1, 1),
                     id="a body"),
        pytest.param("<file path='a'><![CDATA[\nx\ny\n]]></file>", (1, 2), id="CDATA"),
        pytest.param("<file path='a'>\n<![CDATA[x\ny]]>\n</file>", (1, 2), id="CDATA on the next line"),
        pytest.param("  <file path='a'>\n    x\n  </file>", (1, 1), id="indented"),
        pytest.param("# A\n\n<file path='a'>\nx\n</file>\n\nwords", (1, 1), id="text around it"),
        pytest.param("<file path='a' lines='10-12'>\nx\ny\n</file>", (10, 11), id="a stated range"),
        pytest.param("<file path='a' lines='L10-L12'>\nx\n</file>", (10, 10), id="a stated range with L"),
        pytest.param("<file path='a' start_line='7'>\nx\n</file>", (7, 7), id="a stated start"),
        pytest.param("<file path='a' startLine='7'>\nx\n</file>", (7, 7), id="a stated start in camel case"),
        pytest.param("<file path='a' lines='12'>\nx\n</file>", (1, 1), id="a count is no range"),
        pytest.param("<file path='a' lines='0-12'>\nx\n</file>", (1, 1), id="no line is number 0"),
        pytest.param("<file path='a' lines='12-10'>\nx\n</file>", (1, 1), id="a range runs forward"),
        pytest.param("<file path='a' lines='1234567890-1234567899'>\nx\n</file>", (1, 1), id="too many digits"),
        pytest.param("<file path='a' lines='5-9'>\n40: x\n41:\n42: y\n</file>", (40, 42), id="printed numbers win"),
        pytest.param("<file path='a'>\n  1  x\n  2  \n  3  y\n</file>", (1, 3), id="numbers in a column"),
        pytest.param("<file path='a'>\n\n \n</file>", (None, None), id="nothing visible"),
        pytest.param("<file path='a'/>", (None, None), id="self-closing"),
        pytest.param("<file path='a'>\nx\n⋮----\ny\n</file>", (None, None), id="compressed by repomix"),
        pytest.param("<file path='a'>\nx = '⋮----'\n</file>", (1, 1), id="the mark inside a line"),
        pytest.param("<file path='a'>\nx\n</file>\n<file path='b'>\ny\n</file>", (None, None), id="several elements"),
        pytest.param("words", (None, None), id="text"),
    ],
)  # fmt: skip
def test_content_lines(text: str, lines: tuple[int | None, int | None]) -> None:
    (chunk,) = SemanticXmlSplitter().create_documents([text])
    assert (chunk.metadata["content_start_line"], chunk.metadata["content_end_line"]) == lines


def test_the_block_of_a_loader_has_the_lines_of_its_whole_content() -> None:
    text = "<file path='a'>\n\nx\ny\n</file>\nwords\n"
    blocks = SemanticXmlBlobParser().parse(Blob.from_data(text, path="b.xml"))
    assert [(block.metadata["content_start_line"], block.metadata["content_end_line"]) for block in blocks] == [
        (2, 3),
        (None, None),
    ]


def test_a_key_of_the_users_own_is_kept() -> None:
    (chunk,) = SemanticXmlSplitter().create_documents(
        ["<file path='a'>\nx\n</file>"], [{"content_start_line": "mine", "content_end_line": 7}]
    )
    assert (chunk.metadata["content_start_line"], chunk.metadata["content_end_line"]) == ("mine", 7)
    assert (chunk.metadata["chunk_content_start_line"], chunk.metadata["chunk_content_end_line"]) == (1, 1)
    assert cite(chunk) == "a:1-1"


@pytest.mark.parametrize(
    ("metadata", "plain", "link"),
    [
        pytest.param({"identity": "src/a b.py", "content_start_line": 3, "content_end_line": 9},
                     "src/a b.py:3-9", "src/a%20b.py#L3-L9", id="a file"),
        pytest.param({"identity": "a#b?.py", "content_start_line": 1, "content_end_line": 1},
                     "a#b?.py:1-1", "a%23b%3F.py#L1-L1", id="a name with characters of links"),
        pytest.param({"identities": ["a.py", "b.py"]}, "a.py, b.py", "a.py,%20b.py", id="several elements"),
        pytest.param({"source": "b.xml"}, "b.xml", "b.xml", id="text"),
        pytest.param({}, "", "", id="nothing known"),
        pytest.param({"identity": "a\ud800", "content_start_line": 1, "content_end_line": 2},
                     "a\ud800:1-2", "a%ED%A0%80#L1-L2", id="a lone surrogate"),
        pytest.param({"identity": 7, "identities": 8, "source": 9}, "", "", id="values of other types"),
    ],
)  # fmt: skip
def test_a_citation(metadata: dict[str, object], plain: str, link: str) -> None:
    document = Document("x", metadata=metadata)
    assert cite(document) == plain
    assert cite(document, link=True) == link


def test_only_documents_are_cited() -> None:
    with pytest.raises(TypeError, match="must be a Document"):
        cite("a.py")  # type: ignore[arg-type]
