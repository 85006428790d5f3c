"""Bundles that we made, so that the true place of each element is known."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import files_to_prompt
import langchain_text_splitters
import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter, parse_blocks
from tests.laws.checks import check_laws
from tests.paths import PACKAGE, TESTS
from tests.tools.bundle_maker import STYLES, Bundle, SourceFile, make_bundle, read_sources

FOLDERS = {
    "our package": PACKAGE,
    "our tests": TESTS,
    "files-to-prompt": Path(files_to_prompt.__file__).parent,
    "langchain-text-splitters": Path(langchain_text_splitters.__file__).parent,
}
# Contents are escaped, or indented deeper than any tag: no tag in them can be taken for a boundary.
UNAMBIGUOUS = ["inline", "section"]

every_style = pytest.mark.parametrize("style", STYLES)
every_folder = pytest.mark.parametrize("folder", FOLDERS)


@cache
def _bundle_of(folder: str, style: str) -> Bundle:
    return make_bundle(read_sources(FOLDERS[folder]), style)


def _elements(text: str) -> list[tuple[int, int, str, str | None]]:
    return [
        (block.start, block.end, block.type, block.identity) for block in parse_blocks(text) if block.type != "text"
    ]


@every_folder
@every_style
def test_every_packed_file_is_one_block(folder: str, style: str) -> None:
    bundle = _bundle_of(folder, style)
    assert _elements(bundle.text) == bundle.truth


@every_style
def test_a_bundle_inside_a_bundle_stays_inside(style: str) -> None:
    inner = [SourceFile(f"examples/{name}.xml", _bundle_of("files-to-prompt", name).text) for name in STYLES]
    bundle = make_bundle([SourceFile("a.py", "a = 1\n"), *inner, SourceFile("z.py", "z = 1\n")], style)
    assert _elements(bundle.text) == bundle.truth


@every_style
def test_windows_line_ends_change_no_boundary(style: str) -> None:
    files = [SourceFile(path, text.replace("\n", "\r\n")) for path, text in read_sources(FOLDERS["our package"])]
    bundle = make_bundle(files, style)
    assert _elements(bundle.text) == bundle.truth


@every_style
@pytest.mark.parametrize("chunk_size", [300, 2000, 20_000])
def test_the_laws_hold_for_a_bundle_of_sources(style: str, chunk_size: int) -> None:
    text = _bundle_of("our package", style).text
    documents = SemanticXmlSplitter(chunk_size=chunk_size).create_documents([text])
    check_laws(text, documents, chunk_size=chunk_size)


line = st.sampled_from(
    [
        *("", "x = 1", "    y = 2", "\t", "# Heading", "- item", "```", "~~~xml"),
        *("<file>", "</file>", '<file path="in.py">', '<file path="in.py"/>', '    <file path="deep">', "    </file>"),
        *("<sources>", "</sources>", "</files>", "text</file>", '<file path="a">x</file>', "<![CDATA["),
        *('<document index="2">', "</document>", '<output command="ls "-l"">', "</output>", "<file", '="', "'>"),
    ]
)
content = st.lists(line, min_size=1, max_size=12).map("\n".join).filter(lambda text: text.strip() != "")
path = st.sampled_from(["a.py", "src/b & c.ts", "it's.md", 'say "hi".txt', "<odd>.xml", "no-suffix"])
packed_files = st.lists(st.builds(SourceFile, path, content), min_size=1, max_size=5)


@pytest.mark.parametrize("style", UNAMBIGUOUS)
@given(files=packed_files)
def test_no_content_moves_a_boundary_of_an_unambiguous_style(style: str, files: list[SourceFile]) -> None:
    bundle = make_bundle(files, style)
    assert _elements(bundle.text) == bundle.truth
