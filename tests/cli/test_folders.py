"""The command over a folder: each text file is split by itself, and the skipped files are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from langchain_semantic_xml import SemanticXmlSplitter, SourceTreeLoader
from tests.cli.running import Run, load

CODE = "def brew(pot):\n    return pot\n\n\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "src"
    (tree / "teapot").mkdir(parents=True)
    (tree / "teapot" / "brew.py").write_text(CODE * 9, encoding="utf-8")
    (tree / "notes.md").write_text("# Tea\n\nStrong.\n", encoding="utf-8")
    (tree / "bundle.xml").write_text('<file path="a.py">\nx = 1\n</file>\n', encoding="utf-8")
    (tree / "logo.png").write_bytes(b"\x89PNG\0")
    (tree / "latin.txt").write_bytes(b"caf\xe9\n")
    (tree / ".gitignore").write_text("build\n", encoding="utf-8")
    (tree / "build").mkdir()
    (tree / "build" / "out.py").write_text("out\n", encoding="utf-8")
    return tree


def test_a_folder_is_split_as_its_loader_and_a_splitter_do(run: Run, tree: Path) -> None:
    ran = run("split", tree, "--chunk-size", "120", "--glob", "**/*.py")
    documents = SemanticXmlSplitter(120).split_documents(SourceTreeLoader(tree, glob="**/*.py").load())
    assert (ran.code, ran.err) == (0, "")
    assert ran.documents == documents
    assert {document.metadata["path"] for document in documents} == {"teapot/brew.py"}
    assert len(documents) > 2


def test_skipped_files_are_counted_on_standard_error(run: Run, tree: Path) -> None:
    ran = run("split", tree)
    assert ran.code == 0
    assert ran.err == (
        f"semantic-xml: {tree}: skipped 1 binary, 1 not readable; "
        "name their --encoding, or take --encoding-errors replace\n"
    )
    paths = [document.metadata["path"] for document in ran.documents]
    assert paths == [".gitignore", "bundle.xml", "notes.md", "teapot/brew.py"]


def test_the_files_of_a_folder_are_read_in_their_encoding(run: Run, tree: Path) -> None:
    for flags in (["--encoding", "cp1252"], ["--encoding-errors", "replace"]):
        ran = run("split", tree, "--glob", "latin.txt", *flags)
        assert [document.page_content for document in ran.documents] in (["café"], ["caf\ufffd"])


def test_ignored_files_are_split_if_wanted(run: Run, tree: Path) -> None:
    ran = run("split", tree, "--no-gitignore", "--glob", "build/*")
    assert [document.page_content for document in ran.documents] == ["out"]


def test_an_output_in_the_folder_is_no_source_the_next_time(run: Run, tree: Path) -> None:
    output = tree / "chunks.jsonl"
    for _ in range(2):
        assert run("split", tree, "-o", output).code == 0
        assert "chunks.jsonl" not in {document.metadata["path"] for document in load(output.read_bytes())}


def test_folders_and_bundles_follow_one_another(run: Run, tree: Path) -> None:
    ran = run("split", tree, tree / "bundle.xml", "--glob", "*.md")
    assert [document.metadata["source"] for document in ran.documents] == [
        str(tree / "notes.md"),
        str(tree / "bundle.xml"),
    ]


def test_stats_of_a_folder_count_every_file(run: Run, tree: Path) -> None:
    stats = json.loads(run("stats", tree, "--json", "--chunk-size", "120").out)
    documents = SemanticXmlSplitter(120).split_documents(SourceTreeLoader(tree, encoding_errors="ignore").load())
    readable = [document for document in documents if document.metadata["path"] != "latin.txt"]
    assert stats["bundles"] == [str(tree)]
    assert stats["blocks"]["file"]["count"] == 1
    assert stats["blocks"]["text"]["count"] == 3
    assert stats["chunks"]["total"] == sum(len(document.page_content) for document in readable)
    (cut,) = stats["cuts"]
    assert (cut["source"], cut["start_line"]) == (str(tree / "teapot" / "brew.py"), 1)
    assert cut["parts"] == sum(document.metadata["path"] == "teapot/brew.py" for document in readable)


def test_the_table_names_the_file_of_a_folder_that_was_cut(run: Run, tree: Path) -> None:
    shown = run("stats", tree, "--chunk-size", "120").out.decode()
    assert f"{tree / 'teapot' / 'brew.py'}: text" in shown


def test_view_shows_the_files_of_a_folder(run: Run, tree: Path) -> None:
    page = run("view", tree, "-o", "-").out.decode()
    assert "brew(pot)" in page
    assert "Strong." in page
    assert f"<h2><bdi>{tree / 'notes.md'}</bdi></h2>" in page


def test_an_oversized_block_names_its_file(run: Run, tree: Path) -> None:
    ran = run("split", tree, "--chunk-size", "120", "--oversized", "error")
    assert ran.code == 1
    assert f"{tree / 'teapot' / 'brew.py'}, line 1: " in ran.err


def test_an_empty_folder_gives_no_chunks(run: Run, tmp_path: Path) -> None:
    ran = run("split", tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, b"", "")
