"""The README is executed: its Python blocks, and each `semantic-xml` command with the output it shows."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BUNDLE = Path("tests", "data", "bundle.xml")


class Fence(NamedTuple):
    """A fenced block: the word after its opening fence, its first line's number, its text."""

    language: str
    line: int
    text: str


def _fences() -> Iterator[Fence]:
    text = README.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Fence(match[1], text.count("\n", 0, match.start(2)), match[2])


@pytest.fixture
def _checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder that holds the example bundle where the checkout has it, and may be written to."""
    tmp_path.joinpath(BUNDLE).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / BUNDLE, tmp_path / BUNDLE)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_checkout")
def test_the_python_of_the_readme_does_what_it_says() -> None:
    blocks = [fence for fence in _fences() if fence.language == "python"]
    assert blocks, "the README shows no Python"
    names: dict[str, object] = {"__name__": "readme"}
    for block in blocks:
        if ">>>" in block.text:
            _run_examples(block, names)
        else:
            exec(compile("\n" * block.line + block.text, str(README), "exec"), names)  # noqa: S102 - our own README


def _run_examples(block: Fence, names: dict[str, object]) -> None:
    examples = doctest.DocTestParser().get_doctest(block.text, names, "README.md", str(README), block.line)
    doctest.DebugRunner(optionflags=doctest.ELLIPSIS).run(examples, clear_globs=False)
    names.update(examples.globs)


@pytest.mark.usefixtures("_checkout")
def test_the_commands_of_the_readme_print_what_it_shows() -> None:
    scripts = sysconfig.get_path("scripts")
    for block in _fences():
        if block.language != "console":
            continue
        for session in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, output = session.partition("\n")
            if command.startswith("semantic-xml"):
                shell = f'PATH="{scripts}:$PATH"; {command}'
                run = subprocess.run(shell, shell=True, check=True, capture_output=True, text=True)  # noqa: S602 - our own README
                assert run.stdout.rstrip() == output.rstrip(), command
