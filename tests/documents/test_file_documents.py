"""Documents that are files themselves, as LangChain's loaders make them.

Rule: M5.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlLoader, SemanticXmlSplitter, cite
from langchain_semantic_xml._documents.address import name_file

CODE = "# Tea.\nclass Tea:\n" + "".join(
    f"    # Brew {n}.\n    def brew_{n}(self):\n        # pour\n        return {n}\n\n" for n in range(12)
)


@pytest.mark.parametrize("key", ["path", "file_path", "filename", "source"])
def test_code_is_cut_at_its_definitions_and_cited_by_its_lines(key: str) -> None:
    chunks = SemanticXmlSplitter(200, syntax=True).split_documents([Document(CODE, metadata={key: "src/tea.py"})])
    lines = CODE.split("\n")
    assert [chunk.page_content.split("\n")[0] for chunk in chunks[1:]] == [
        line for line in lines if any(line == chunk.page_content.split("\n")[0] for chunk in chunks[1:])
    ]
    for chunk in chunks:
        first, last = chunk.metadata["content_start_line"], chunk.metadata["content_end_line"]
        assert chunk.page_content == "\n".join(lines[first - 1 : last])
        assert cite(chunk) == f"src/tea.py:{first}-{last}"
    assert [chunk.metadata["scope"] for chunk in chunks[1:]] == ["Tea"] * (len(chunks) - 1)
    symbols = [name for chunk in chunks for name in chunk.metadata["symbols"] or ()]
    assert symbols == ["Tea", *(f"Tea.brew_{n}" for n in range(12))]


def test_comments_of_code_are_no_headings() -> None:
    code = "x = 1\n\n# one\ny = 2\n\n# two\nz = 3\n"
    splitter = SemanticXmlSplitter(30, combine_under=0)
    by_name = splitter.split_documents([Document(code, metadata={"source": "a.py"})])
    assert [chunk.metadata["part"] for chunk in by_name] == list(range(1, len(by_name) + 1))
    assert [chunk.page_content for chunk in SemanticXmlSplitter(99, combine_under=0).split_documents(
        [Document(code, metadata={"source": "a.py"})]
    )] == [code.rstrip()]  # fmt: skip


def test_prose_is_cut_at_its_headings_as_ever() -> None:
    text = "# A\none\n\n# B\ntwo\n"
    splitter = SemanticXmlSplitter(10)
    chunks = splitter.split_documents([Document(text, metadata={"source": "a.md"})])
    assert [chunk.page_content for chunk in chunks] == splitter.split_text(text) == ["# A\none", "# B\ntwo"]
    assert list(map(cite, chunks)) == ["a.md:1-2", "a.md:4-5"]


def test_a_document_with_an_element_is_a_bundle() -> None:
    text = "words\n<file path='a.py'>\nx\n</file>"
    chunks = SemanticXmlSplitter(10, isolate=True).split_documents([Document(text, metadata={"source": "b.py"})])
    assert chunks[0].metadata["content_start_line"] is None


def test_the_text_between_the_elements_of_a_loaded_bundle_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "b.xml"
    path.write_text("# Words\n<file path='a.py'>\nx\n</file>\nmore\n", encoding="utf-8")
    chunks = SemanticXmlLoader(path).load_and_split(SemanticXmlSplitter())
    assert [chunk.metadata["content_start_line"] for chunk in chunks] == [None, 1, None]


def test_a_stream_is_no_file() -> None:
    (chunk,) = SemanticXmlSplitter().lazy_split_text(iter(["x = 1\n"]), metadata={"source": "a.py"})
    assert chunk.metadata["content_start_line"] is None


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        ({"path": "a", "source": "b"}, "a"),
        ({"filename": "a", "source": "b"}, "a"),
        ({"path": 5, "source": "b"}, "b"),
        ({"path": "", "source": None}, None),
        ({"title": "a"}, None),
    ],
)
def test_the_first_name_counts(metadata: dict[str, object], name: str | None) -> None:
    assert name_file(metadata) == name
