"""The pages are executed: their Python runs and prints what they say, their commands write what they show."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.project.pages import PAGES, README, Fence, fill_folder, name_of, read_fences, run_python

LANGUAGES = {"bash", "console", "diff", "json", "mermaid", "python", "text"}
NEEDS = {"chromadb", "daft", "llama_index", "pyspark", "qdrant_client", "ray"}
ALL_FENCES = [(page, fence) for page in PAGES for fence in read_fences(page)]

of_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


def fences_in(*languages: str) -> pytest.MarkDecorator:
    chosen = [(page, fence) for page, fence in ALL_FENCES if fence.language in languages]
    return pytest.mark.parametrize(
        ("page", "fence"), chosen, ids=[f"{name_of(page)}:{fence.line}" for page, fence in chosen]
    )


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder that has the example bundle and may be written to."""
    fill_folder(tmp_path)
    monkeypatch.chdir(tmp_path)


@of_page
def test_the_python_of_a_page_prints_what_it_says(page: Path) -> None:
    run_python(page)


def test_the_readme_shows_outputs() -> None:
    assert run_python(README) >= 2


def test_a_wrong_output_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n\nprints\n\n```text\n2\n```\n", encoding="utf-8")
    monkeypatch.setattr("tests.project.pages.ROOT", tmp_path)
    with pytest.raises(AssertionError, match="printed"):
        run_python(page)


@fences_in("console")
def test_a_command_writes_what_the_page_shows(page: Path, fence: Fence) -> None:
    for command, expected in _commands(fence.text):
        arguments = shlex.split(command)
        assert arguments[0] == "semantic-xml", f"{name_of(page)}, line {fence.line}: {command}"
        ran = subprocess.run(
            [sys.executable, "-m", "langchain_semantic_xml", *arguments[1:]],
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONUTF8": "1"},
        )
        assert ran.stdout == expected


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a block, each behind `$ `, with the output below it."""
    for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        yield match[1], match[2]


@of_page
def test_a_page_marks_its_blocks_with_known_words(page: Path) -> None:
    fences = read_fences(page)
    assert {fence.language for fence in fences} <= LANGUAGES
    assert {fence.need for fence in fences if fence.need} <= NEEDS
    assert len(re.findall(r"^ *```", page.read_text(encoding="utf-8"), re.MULTILINE)) == 2 * len(fences), (
        "a fence without a language"
    )


@fences_in("text")
def test_no_python_hides_in_a_block_of_text(page: Path, fence: Fence) -> None:
    del page
    assert not _holds_statements(fence.text)


def _holds_statements(text: str) -> bool:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return False
    return any(isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign, ast.Call)) for node in ast.walk(tree))


@fences_in("python")
def test_python_is_written_on_as_many_lines_as_people_write(page: Path, fence: Fence) -> None:
    del page
    for node in ast.walk(ast.parse(fence.text)):
        if isinstance(node, (ast.For, ast.While, ast.With, ast.If, ast.FunctionDef, ast.ClassDef)):
            assert node.body[0].lineno > node.lineno, ast.unparse(node)


@of_page
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        assert linked.is_relative_to(ROOT), target
        if anchor:
            assert anchor in _anchors(linked), target


def _anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 300
