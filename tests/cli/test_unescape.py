"""`semantic-xml split --unescape`, and the hint of `stats` that names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlLoader, SemanticXmlSplitter
from tests.cli.running import Run
from tests.paths import BUNDLE
from tests.tools.bundle_maker import SourceFile, make_bundle

CODE = "def f(a):\n    return a < 1 and 'x' or \"y\"\n\n\n"
FILES = [SourceFile("a.py", CODE * 20), SourceFile("b.py", CODE), SourceFile("c.py", "x = 1\n")]


@pytest.fixture
def parsable(tmp_path: Path) -> Path:
    """Write a bundle in the style of `repomix --parsable-style`."""
    path = tmp_path / "parsable.xml"
    path.write_text(make_bundle(FILES, "inline").text, encoding="utf-8", newline="")
    return path


def plain(documents: list[Document]) -> list[tuple[str, object]]:
    return [(document.page_content, document.metadata) for document in documents]


@pytest.mark.parametrize("flags", [[], ["--no-add-start-index"]], ids=["positions", "no positions"])
def test_chunks_are_those_of_the_loader_and_the_splitter(run: Run, parsable: Path, flags: list[str]) -> None:
    positions = not flags
    loader = SemanticXmlLoader(parsable, unescape=True, add_start_index=positions)
    expected = loader.load_and_split(SemanticXmlSplitter(300, add_start_index=positions))
    ran = run("split", parsable, "--unescape", "--chunk-size", "300", *flags)
    assert (ran.code, ran.err) == (0, "")
    assert plain(ran.documents) == plain(expected)
    assert not any("&lt;" in document.page_content for document in ran.documents)


def test_standard_input_is_unescaped_too(run: Run, parsable: Path) -> None:
    documents = run("split", "-", "--unescape", stdin=parsable.read_bytes()).documents
    assert [document.metadata["identity"] for document in documents] == [None, "a.py", "b.py", "c.py", None]


def test_without_the_flag_contents_stay_escaped(run: Run, parsable: Path) -> None:
    assert any("&lt;" in document.page_content for document in run("split", parsable).documents)


def test_an_oversized_block_is_named_with_its_line_in_the_bundle(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "b.xml"
    path.write_text(f"a\nb\n<file path='a.py'>{'x &lt; 1 ' * 20}</file>\n", encoding="utf-8")
    ran = run("split", path, "--unescape", "--chunk-size", "50", "--oversized", "error")
    assert ran.code == 1
    assert f"{path}, line 3: file a.py has length" in ran.err


def test_a_folder_cannot_be_unescaped(run: Run, tmp_path: Path) -> None:
    ran = run("split", tmp_path, "--unescape")
    assert ran.code == 1
    assert "--unescape is for bundles, not for folders" in ran.err


def test_stats_name_the_flag_where_most_contents_are_escaped(run: Run, parsable: Path) -> None:
    err = run("stats", parsable).err
    assert err == (
        f"semantic-xml: {parsable}: the contents of 2 of 3 elements are escaped (&lt;, &amp;); "
        "decode them with `semantic-xml split --unescape` or SemanticXmlLoader(unescape=True)\n"
    )


def test_stats_say_nothing_of_a_bundle_with_raw_contents(run: Run, tmp_path: Path) -> None:
    raw = tmp_path / "raw.xml"
    raw.write_text(make_bundle([*FILES, SourceFile("d.html", "<p>a &lt; b</p>\n")], "repomix").text, encoding="utf-8")
    assert (run("stats", raw).err, run("stats", BUNDLE).err) == ("", "")
