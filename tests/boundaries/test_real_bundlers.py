"""The real bundlers, run here and now: each file that they packed is found, whole and under its path.

The truth is the tool's own: files-to-prompt packs the files it is given, and repomix lists paths
and contents in its JSON style. A set `REQUIRE_REPOMIX` turns the absence of repomix, a program of
the npm registry, into a failure.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import files_to_prompt
import langchain_core
import langchain_text_splitters
import pytest

from langchain_semantic_xml import Block, parse_blocks
from tests.paths import PACKAGE, TESTS
from tests.tools.bundle_maker import STYLES, SourceFile, make_bundle

REPOMIX = shutil.which("repomix")
# What JavaScript's trim() removes, which is not what str.strip() removes.
JAVASCRIPT_BLANKS = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def _copy(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__", "node_modules"), symlinks=True)


def _our_sources(folder: Path) -> None:
    _copy(PACKAGE, folder / "src")
    _copy(TESTS, folder / "tests")


def _files_to_prompt_sources(folder: Path) -> None:
    """Its templates and, in the metadata, its README: examples of the format, packed in the format."""
    package = Path(files_to_prompt.__file__).parent
    _copy(package, folder / "files_to_prompt")
    for metadata in package.parent.glob("files_to_prompt-*.dist-info"):
        _copy(metadata, folder / "metadata")


def _repomix_sources(folder: Path) -> None:
    _copy(Path(_require_repomix()).resolve().parents[1], folder)


def _bundles(folder: Path) -> None:
    """Bundles of every style among plain files, and files whose form a bundler may change."""
    inner = [
        SourceFile("in/a.py", 'print("</file>")\n'),
        SourceFile("in/b.md", "# B\n\n```xml\n<file>\nx\n</file>\n```\n"),
    ]
    folder.joinpath("deep", "er").mkdir(parents=True)
    for style in STYLES:
        folder.joinpath("deep", f"{style}.xml").write_text(make_bundle(inner, style).text, encoding="utf-8")
    texts = {
        "a & b's.txt": "\n\n    indented, after blank lines\n\n\n",
        "deep/er/no-final-newline.md": "# Title\n\nlast line",
        "deep/windows.js": "let a = 1;\r\nlet b;\r\n",
        "marked.txt": "\ufeffafter a byte-order mark\n",
        "one-line.md": 'Write <file path="x">y</file> or <document index="1">.\n',
        "opening-only.md": '<file path="never/closed.py">\n',
        "unicode \N{SNOWMAN}.txt": "\N{FAMILY} \u2028 \x85 caf\N{LATIN SMALL LETTER E WITH ACUTE}\n",
    }
    for path, text in texts.items():
        folder.joinpath(path).write_bytes(text.encode())


MAKE: dict[str, Callable[[Path], None]] = {
    "our sources": _our_sources,
    "files-to-prompt's sources": _files_to_prompt_sources,
    "repomix's sources": _repomix_sources,
    "bundles and odd files": _bundles,
}
MAKE_LARGE: dict[str, Callable[[Path], None]] = {
    "langchain-core": lambda folder: _copy(Path(langchain_core.__file__).parent, folder),
    "langchain-text-splitters": lambda folder: _copy(Path(langchain_text_splitters.__file__).parent, folder),
    "hypothesis": lambda folder: _copy(Path(pytest.importorskip("hypothesis").__file__ or "").parent, folder),
}


@pytest.fixture(
    scope="module",
    params=[*MAKE, *(pytest.param(name, marks=pytest.mark.slow) for name in MAKE_LARGE)],
)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name: str = request.param
    folder = tmp_path_factory.mktemp("packed") / "project"
    (MAKE | MAKE_LARGE)[name](folder)
    return folder


def _texts_in(folder: Path) -> dict[str, str]:
    """Read the files that are text, by path; line ends stay as they are."""
    texts = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            texts[path.relative_to(folder).as_posix()] = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
    return texts


def _elements(text: str) -> list[Block]:
    return [block for block in parse_blocks(text) if block.type != "text"]


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


# --- files-to-prompt ---------------------------------------------------------------------------------------------


def test_each_file_that_files_to_prompt_packs_is_one_document(folder: Path, tmp_path: Path) -> None:
    texts = _texts_in(folder)
    bundle = _pack_with_files_to_prompt(folder, list(texts), tmp_path / "bundle.xml")

    documents = _elements(bundle)

    assert [document.identity for document in documents] == list(texts)
    assert [document.content for document in documents] == [
        _document(number, path, text) for number, (path, text) in enumerate(texts.items(), start=1)
    ]


def test_a_bundle_of_a_bundle_has_the_outer_documents_only(folder: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    _pack_with_files_to_prompt(folder, list(_texts_in(folder)), outer / "inner.xml")
    outer.joinpath("z.txt").write_text("the last file\n", encoding="utf-8")

    bundle = _pack_with_files_to_prompt(outer, ["inner.xml", "z.txt"], tmp_path / "bundle.xml")

    assert [document.identity for document in _elements(bundle)] == ["inner.xml", "z.txt"]


def _pack_with_files_to_prompt(folder: Path, paths: list[str], bundle: Path) -> str:
    subprocess.run(
        [sys.executable, "-m", "files_to_prompt", "--cxml", "--null", "--output", str(bundle)],
        input="\0".join(paths),
        cwd=folder,
        env=os.environ | {"PYTHONUTF8": "1"},
        text=True,
        encoding="utf-8",
        check=True,
    )
    return _read(bundle)


def _document(number: int, path: str, text: str) -> str:
    """Lay out a document as files-to-prompt does: it reads with universal newlines and adds one at the end."""
    content = text.replace("\r\n", "\n").replace("\r", "\n")
    return (
        f'<document index="{number}">\n<source>{path}</source>\n'
        f"<document_content>\n{content}\n</document_content>\n</document>"
    )


# --- repomix -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packed_by_repomix(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """List what repomix packs, by path, and check the list against the disk."""
    listing = _pack_with_repomix(folder, tmp_path_factory.mktemp("listing") / "bundle.json", "--style", "json")
    packed: dict[str, str] = json.loads(listing)["files"]
    on_disk = _texts_in(folder)
    sources = {path for path in on_disk if path.endswith((".py", ".js", ".md", ".json", ".xml"))}
    assert sources <= set(packed)
    assert packed == {path: on_disk[path].strip(JAVASCRIPT_BLANKS) for path in packed}
    return packed


def test_each_file_that_repomix_packs_is_one_file(
    folder: Path, packed_by_repomix: dict[str, str], tmp_path: Path
) -> None:
    bundle = _pack_with_repomix(folder, tmp_path / "bundle.xml", "--style", "xml")

    files = _elements(bundle)

    assert len(files) == len(packed_by_repomix)
    assert {file.identity: file.content for file in files} == {
        path: f'<file path="{path}">\n{text}\n</file>' for path, text in packed_by_repomix.items()
    }


def test_each_file_that_repomix_packs_in_parsable_style_is_one_file(
    folder: Path, packed_by_repomix: dict[str, str], tmp_path: Path
) -> None:
    bundle = _pack_with_repomix(folder, tmp_path / "bundle.xml", "--style", "xml", "--parsable-style")

    files = _elements(bundle)

    assert len(files) == len(packed_by_repomix)
    contents = {file.identity: _between_tags(file.content) for file in files}
    assert {path: html.unescape(content) for path, content in contents.items()} == packed_by_repomix


def _between_tags(element: str) -> str:
    """Return what is between the tags; in parsable style a content holds neither `<` nor `>`."""
    return element[element.index(">") + 1 : element.rindex("<")]


def _require_repomix() -> str:
    if REPOMIX is None:
        message = "repomix is not on PATH; `npm install --global repomix` installs it"
        if os.environ.get("REQUIRE_REPOMIX"):
            pytest.fail(message)
        pytest.skip(message)
    return REPOMIX


def _pack_with_repomix(folder: Path, bundle: Path, *style: str) -> str:
    """Pack everything in `folder`, whatever ignore files say, without looking for secrets or git history."""
    everything = ("--no-gitignore", "--no-dot-ignore", "--no-default-patterns")
    quick = ("--quiet", "--no-security-check", "--no-git-sort-by-changes")
    subprocess.run(
        [_require_repomix(), *everything, *quick, *style, "--output", str(bundle), "."],
        cwd=folder,
        env=os.environ | {"HOME": str(bundle.parent)},  # no configuration of the user's
        stdin=subprocess.DEVNULL,
        check=True,
    )
    return _read(bundle)
