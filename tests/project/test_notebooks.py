"""The notebooks as they are committed: run from a clean kernel, in order, and fit to be read by others.

They are not executed here; that takes packages and minutes that these tests do without.
"""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.paths import ROOT

FOLDER = ROOT / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
NAMES = ["01_quickstart.ipynb", "02_rag_with_chroma.ipynb", "03_chunking_compared.ipynb", "04_retrieval.ipynb"]

# What belongs to one machine: home and temporary folders, environments, addresses of objects.
PRIVATE = re.compile(
    r"(?<![\w.])/(?:home|Users|root|tmp|var|opt|usr|mnt|private)/\w|site-packages|\b[A-Z]:\\|0x[0-9a-f]{6,}"
)
LOCAL_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
PNG = b"\x89PNG\r\n\x1a\n"


class Output(NamedTuple):
    """An output of a cell.

    Args:
        kind: Its type, as the format names it.
        stream: The name of the stream; empty where it is none.
        texts: What it says, by media type.
        png: Its picture.
        alt: The description of the picture.
    """

    kind: str
    stream: str
    texts: dict[str, str]
    png: bytes
    alt: str


class Cell(NamedTuple):
    """A cell: `number` tells when it was executed; None where it was not."""

    kind: str
    source: str
    number: int | None
    outputs: tuple[Output, ...]


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def text_of(value: str | list[str]) -> str:
    """Return a text that the format holds whole or as its lines."""
    return value if isinstance(value, str) else "".join(value)


def output_of(output: dict[str, Any]) -> Output:
    data = {media: text_of(value) for media, value in output.get("data", {}).items()}
    picture = base64.b64decode(data.pop("image/png", ""))
    alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
    texts = data | {"stream": text_of(output.get("text", ""))}
    return Output(output["output_type"], output.get("name", ""), texts, picture, alt)


def cells_of(path: Path) -> list[Cell]:
    return [
        Cell(
            cell["cell_type"],
            text_of(cell["source"]),
            cell.get("execution_count"),
            tuple(map(output_of, cell.get("outputs", ()))),
        )
        for cell in read(path)["cells"]
    ]


def code_of(path: Path) -> list[Cell]:
    return [cell for cell in cells_of(path) if cell.kind == "code"]


def outputs_of(path: Path) -> Iterator[Output]:
    return (output for cell in code_of(path) for output in cell.outputs)


each_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def test_the_notebooks_are_there() -> None:
    assert [path.name for path in PATHS] == NAMES


@each_notebook
def test_it_opens_with_any_python_3_kernel(path: Path) -> None:
    notebook = read(path)
    assert (notebook["nbformat"], notebook["metadata"]["kernelspec"]["name"]) == (4, "python3")


@each_notebook
def test_every_cell_was_executed_once_and_in_order(path: Path) -> None:
    numbers = [cell.number for cell in code_of(path)]
    assert numbers == list(range(1, len(numbers) + 1))


@each_notebook
def test_its_outputs_are_committed(path: Path) -> None:
    printing = [
        cell for cell in code_of(path) if re.search(r"^\s*(?:print|show|show_chunks)\(", cell.source, re.MULTILINE)
    ]
    assert printing
    assert all(cell.outputs for cell in printing)


@each_notebook
def test_no_output_is_an_error_or_a_warning(path: Path) -> None:
    assert {(output.kind, output.stream) for output in outputs_of(path)} <= {
        ("stream", "stdout"),
        ("display_data", ""),
        ("execute_result", ""),
    }


@each_notebook
def test_nothing_in_it_belongs_to_one_machine(path: Path) -> None:
    shown = [text for output in outputs_of(path) for text in output.texts.values()]
    texts = [*shown, *(cell.source for cell in cells_of(path))]
    assert [match[0] for text in texts for match in PRIVATE.finditer(text)] == []


@each_notebook
def test_no_cell_says_when_or_where_it_ran(path: Path) -> None:
    notebook = read(path)
    assert set(notebook["metadata"]) <= {"kernelspec", "language_info"}
    assert all(cell["metadata"] == {} for cell in notebook["cells"])


@each_notebook
def test_a_picture_is_described(path: Path) -> None:
    for output in outputs_of(path):
        assert (output.png == b"") == (output.alt == "")
        if output.png:
            assert output.png.startswith(PNG)
            assert output.texts["text/plain"] == output.alt


def test_the_comparison_has_pictures() -> None:
    assert sum(output.png != b"" for output in outputs_of(FOLDER / NAMES[2])) >= 5


@each_notebook
def test_it_says_what_it_is_and_how_to_run_it(path: Path) -> None:
    opening = cells_of(path)[0]
    assert opening.kind == "markdown"
    assert opening.source.startswith("# ")
    assert "pip install -e . --group notebooks" in opening.source
    assert f"jupyter execute notebooks/{path.name}" in opening.source


@each_notebook
def test_its_links_lead_to_files(path: Path) -> None:
    for cell in cells_of(path):
        if cell.kind == "markdown":
            for target in LOCAL_LINK.findall(cell.source):
                assert (FOLDER / target).is_file(), target


@each_notebook
def test_it_is_plain_python_and_asserts_what_it_claims(path: Path) -> None:
    trees = [ast.parse(cell.source) for cell in code_of(path)]
    assert any(isinstance(node, ast.Assert) for tree in trees for node in ast.walk(tree))


@each_notebook
def test_it_is_small_enough_to_be_reviewed(path: Path) -> None:
    assert path.stat().st_size < 600_000
