"""The tree of paths beside the list of chunks."""

from __future__ import annotations

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml._view.paths import PathTree, Row, split_path
from tests.view.pages import read, split


def tree_of(*paths: str) -> list[Row]:
    """Make the tree of chunks that have one path each."""
    return PathTree({number: [split_path(path)] for number, path in enumerate(paths)}).rows


def test_folders_count_the_chunks_below_them_and_stand_in_the_order_of_the_bundle() -> None:
    rows = tree_of("src/b.py", "src/b.py", "src/a.py", "README.md")
    assert rows == [Row("src", 1, 2, 3), Row("b.py", 2, 1, 2), Row("a.py", 2, 2, 1), Row("README.md", 1, 3, 1)]


def test_a_folder_that_holds_one_folder_is_joined_with_it() -> None:
    assert [row.name for row in tree_of("src/pack/a.py", "src/pack/b.py")] == ["src/pack", "a.py", "b.py"]


def test_a_chunk_with_several_files_of_a_folder_counts_there_once() -> None:
    tree = PathTree({1: [("src", "a.py"), ("src", "b.py")]})
    assert [row.chunks for row in tree.rows] == [1, 1, 1]
    assert tree.rows_of(1) == [1, 2]
    assert tree.rows_of(2) == []


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("a/b.py", ("a", "b.py")),
        ("/usr/lib", ("/usr", "lib")),
        ("./a//b", (".", "a", "b")),
        ("ls -l /usr", ("ls -l /usr",)),
        ("https://teapot.example/a", ("https://teapot.example/a",)),
        ("/", ("/",)),
        ("", ("",)),
    ],
)
def test_a_path_is_split_at_its_folders_and_a_command_is_not(path: str, names: tuple[str, ...]) -> None:
    assert split_path(path) == names


def test_a_path_of_a_thousand_folders_is_no_deeper_than_the_page_can_show() -> None:
    assert len(split_path("a/" * 1000)) == 20


def test_files_of_several_sources_stand_below_their_source() -> None:
    page = read([*split(source="a.xml"), *split(source="b.xml")])
    rows = [row for row in page.of("li") if row.attributes.get("role") == "treeitem"]
    assert [row.text.split()[0] for row in rows if row.attributes["aria-level"] == "1"] == ["a.xml", "b.xml"]


def test_a_document_without_elements_stands_under_the_file_that_its_metadata_name() -> None:
    documents = [Document("x", metadata={"path": f"src/{name}.py"}) for name in "ab"]
    rows = [row for row in read(documents).of("li") if row.attributes.get("role") == "treeitem"]
    assert [row.text.split() for row in rows] == [["src", "2"], ["a.py", "1"], ["b.py", "1"]]


def test_a_text_of_the_only_source_stands_under_no_path() -> None:
    documents = [Document("x", metadata={"source": "b.xml"}), *split("<file path='a'>\nx\n</file>", source="b.xml")]
    assert read(documents).of("details", "paths") == []


def test_one_path_needs_no_tree() -> None:
    assert read([Document("x", metadata={"identity": "a.py"})]).of("details", "paths") == []
