"""The pages of the documentation: their fenced blocks, and a way to run the Python in them.

`python -m tests.project.pages PAGE [NEED]` runs the Python of one page in the folder where it is started.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Iterable
from contextlib import nullcontext, redirect_stdout
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from tests.paths import BUNDLE, ROOT
from tests.tools.ray_cluster import local_cluster

README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = (*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md")))

_FENCE = re.compile(r"^(?:<!-- needs: (\w+) -->\n)?([ ]*)```(\w+)\n(.*?)^\2```$", re.MULTILINE | re.DOTALL)


class Fence(NamedTuple):
    """A fenced block of a page.

    Args:
        before: The text between the previous fence and this one, without blanks around it.
        need: The module that the block needs besides the quick tests' own; `""` for none.
        language: The word after the opening fence.
        line: The number of lines above the block's text.
        text: The block's text.
    """

    before: str
    need: str
    language: str
    line: int
    text: str


def name_of(page: Path) -> str:
    """Return the page's path in the repository."""
    return page.relative_to(ROOT).as_posix()


def read_fences(page: Path) -> list[Fence]:
    """Return the fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    fences = []
    end = 0
    for match in _FENCE.finditer(text):
        need, _, language, block = match.groups("")
        line = text.count("\n", 0, match.start(4))
        fences.append(Fence(text[end : match.start()].strip(), need, language, line, dedent(block)))
        end = match.end()
    return fences


def needs_of(page: Path) -> list[str]:
    """Return the modules that blocks of a page need, each once."""
    return list(dict.fromkeys(fence.need for fence in read_fences(page) if fence.need))


def fill_folder(folder: Path) -> None:
    """Put the example bundle where the pages look for it: at its place in a checkout, and in `bundles`."""
    for path in (folder / BUNDLE.relative_to(ROOT), folder / "bundles" / BUNDLE.name):
        path.parent.mkdir(parents=True)
        shutil.copyfile(BUNDLE, path)


def run_python(page: Path, needs: Iterable[str] = ()) -> int:
    """Run the Python of a page in order, as one program, and compare the output with the page.

    The block after a block of Python is its output if only the word "prints" stands between the two.

    Args:
        page: The page.
        needs: Blocks that need one of these modules run too.

    Returns:
        How many outputs were compared.
    """
    names: dict[str, object] = {"__name__": page.stem}
    allowed = {"", *needs}
    compared = 0
    for block, following in pairwise([*read_fences(page), Fence("", "", "", 0, "")]):
        if block.language != "python" or block.need not in allowed:
            continue
        # Empty lines in front give each line of the block its number in the page, also in a traceback.
        program = compile("\n" * block.line + block.text, str(page), "exec")
        with redirect_stdout(io.StringIO()) as output:
            exec(program, names)  # noqa: S102 - our own page
        if following.before == "prints":
            printed = output.getvalue()
            assert printed == following.text, f"{name_of(page)}, line {block.line}, printed:\n{printed}"
            compared += 1
    return compared


def main() -> None:
    """Run one page; with Ray, in a small cluster that leaves nothing behind."""
    page, needs = Path(sys.argv[1]), sys.argv[2:]
    with local_cluster(2) if "ray" in needs else nullcontext():
        run_python(page, needs)


if __name__ == "__main__":
    main()
