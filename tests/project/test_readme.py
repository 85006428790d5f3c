"""The README is executed: each Python block runs, and prints what the block after it says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.paths import ROOT

README = ROOT / "README.md"
BUNDLE = Path("tests", "data", "bundle.xml")


class Fence(NamedTuple):
    """A fenced block of the README.

    Args:
        before: What stands between the fence before it and this one.
        language: The word after its opening fence.
        line: The number of lines above its text.
        text: What it holds.
    """

    before: str
    language: str
    line: int
    text: str


def _fences() -> Iterator[Fence]:
    text = README.read_text(encoding="utf-8")
    at = 0
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Fence(text[at : match.start()].strip(), match[1], text.count("\n", 0, match.start(2)), match[2])
        at = match.end()


@pytest.fixture
def _checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder that holds the example bundle where the checkout has it, and may be written to."""
    tmp_path.joinpath(BUNDLE).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / BUNDLE, tmp_path / BUNDLE)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_checkout")
def test_the_python_of_the_readme_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {"__name__": "readme"}
    shown = 0
    for block, following in pairwise((*_fences(), Fence("", "", 0, ""))):
        if block.language != "python":
            continue
        # Empty lines in front give each line of the block its number in the README, also in a traceback.
        program = compile("\n" * block.line + block.text, str(README), "exec")
        exec(program, names)  # noqa: S102 - our own README
        printed = capsys.readouterr().out
        if following.before == "prints":
            assert printed == following.text
            shown += 1
    assert shown, "the README shows no output"
