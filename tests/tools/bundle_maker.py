"""Pack sources into one tagged text, in the style of a known bundler, and say where each element lies.

Examples and benchmarks need bundles of any size whose right answer is known. `make_bundle` gives
both; the command does the same for a folder and writes the truth beside the bundle:

    python -m tests.tools.bundle_maker src bundle.xml --style cxml
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape as escape_markup


class SourceFile(NamedTuple):
    """A file to pack: its path as the bundle shows it, and its text."""

    path: str
    text: str


class Element(NamedTuple):
    """The true place of an element: code points `[start, end)` of the bundle."""

    start: int
    end: int
    type: str
    identity: str


class Bundle(NamedTuple):
    """A bundle and the true places of its elements, in order."""

    text: str
    truth: list[Element]


@dataclass(frozen=True)
class Style:
    """How one bundler lays out its output.

    Args:
        before: What comes before the first element.
        between: What comes between two elements.
        after: What comes after the last element.
        render: Makes the element of a file, given its number from 1.
        type: The name of the elements.
    """

    before: str
    between: str
    after: str
    render: Callable[[int, SourceFile], str]
    type: str = "file"


def _escape(text: str) -> str:
    return escape_markup(text, {'"': "&quot;", "'": "&apos;"})


def _closed(text: str) -> str:
    """End the last line, so that the closing tag has a line of its own."""
    return text if text.endswith("\n") else f"{text}\n"


def _attributes(path: str) -> str:
    _, dot, suffix = path.rpartition(".")
    language = f' language="{_escape(suffix)}"' if dot and "/" not in suffix else ""
    return f'path="{_escape(path)}"{language}'


def _ace(_: int, file: SourceFile) -> str:
    return f"<file {_attributes(file.path)}>\n{_closed(file.text)}</file>"


def _section(_: int, file: SourceFile) -> str:
    content = re.sub(r"^(?!$)", "    ", _closed(file.text), flags=re.MULTILINE)
    return f"<file {_attributes(file.path)}>\n{content}  </file>"


def _repomix(_: int, file: SourceFile) -> str:
    return f'<file path="{file.path}">\n{_closed(file.text)}</file>'


def _inline(_: int, file: SourceFile) -> str:
    return f'<file path="{_escape(file.path)}">{_escape(file.text)}</file>'


def _cxml(number: int, file: SourceFile) -> str:
    return (
        f'<document index="{number}">\n<source>{file.path}</source>\n'
        f"<document_content>\n{file.text}\n</document_content>\n</document>"
    )


STYLES = {
    # Elements at the margin, between Markdown headings; contents raw.
    "ace": Style("# Context\n\nRead this before you answer.\n\n# Sources\n\n", "\n\n", "\n\n# Task\n\nGo on.\n", _ace),
    # Elements inside a named section, indented by two, their contents by four.
    "section": Style("# Review\n\n<sources>\n  ", "\n  ", "\n</sources>\n", _section),
    # repomix --style xml: a blank line between elements; paths and contents raw.
    "repomix": Style(
        "A packed codebase.\n\n<file_summary>\n<purpose>\nFor review.\n</purpose>\n</file_summary>\n\n"
        "<directory_structure>\nsrc/\n</directory_structure>\n\n<files>\nThe contents of every file.\n\n",
        "\n\n",
        "\n\n</files>\n",
        _repomix,
    ),
    # repomix --parsable-style: no line end between elements; paths and contents escaped.
    "inline": Style(
        "<repomix><file_summary>A packed codebase.</file_summary><files>The contents of every file.",
        "",
        "</files></repomix>",
        _inline,
    ),
    # files-to-prompt --cxml: the path in a child; contents raw, with a line end after their own.
    "cxml": Style("<documents>\n", "\n", "\n</documents>\n", _cxml, type="document"),
}


def make_bundle(files: Iterable[SourceFile], style: str) -> Bundle:
    """Pack `files` in the named style.

    Example:
        >>> make_bundle([SourceFile("a.py", "x = 1")], "inline").truth
        [Element(start=90, end=120, type='file', identity='a.py')]
    """
    layout = STYLES[style]
    pieces = [layout.before]
    truth: list[Element] = []
    offset = len(layout.before)
    for number, file in enumerate(files, start=1):
        if truth:
            pieces.append(layout.between)
            offset += len(layout.between)
        element = layout.render(number, file)
        truth.append(Element(offset, offset + len(element), layout.type, file.path))
        pieces.append(element)
        offset += len(element)
    pieces.append(layout.after)
    return Bundle("".join(pieces), truth)


def read_sources(folder: Path) -> Iterator[SourceFile]:
    """Read the text files below `folder` in the order of their paths; line ends stay as they are."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if text.strip() and "\0" not in text:
            yield SourceFile(path.relative_to(folder).as_posix(), text)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder whose text files are packed")
    parser.add_argument("bundle", type=Path, help="the bundle to write; the truth goes to BUNDLE.truth.json")
    parser.add_argument("--style", choices=STYLES, default="ace", help="whose layout (default: %(default)s)")
    options = parser.parse_args()

    bundle = make_bundle(read_sources(options.folder), options.style)
    options.bundle.write_bytes(bundle.text.encode())
    Path(f"{options.bundle}.truth.json").write_text(json.dumps(bundle.truth), encoding="utf-8")


if __name__ == "__main__":
    main()
