"""`docs/benchmarks.md`: a section for each benchmark, written by the run that measured it.

`python -m tests.benchmarks --write NAME` replaces the section of that benchmark and leaves the others as they are.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import TextIO

from tests.paths import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"

_INTRODUCTION = """\
# Benchmarks

Each section is written by the command in it, with its date and its machine. The machine is shared with other work, so
read ratios and not seconds: what is compared was measured in one run, in turns.
`python -m tests.benchmarks --write NAME` measures again and writes the section of that name. Other splitters are
measured where they are installed. A benchmark without a section here takes long and has not been
run yet.
"""

# In the order of the page.
SECTIONS: dict[str, tuple[str, str]] = {
    "speed": (
        "Speed",
        """\
Bundles of installed sources become chunks. `slicing` is the least that any splitter could do with the same chunks: cut
them out of the text, and make a Document of each. `ratio` is the time beside that least one.""",
    ),
    "speed --large": (
        "Speed, large bundles",
        "The same with bundles of 100 MB, without the peers that would take minutes.",
    ),
    "nested": (
        "Bundles inside bundles",
        """\
Every third file of a bundle is itself a bundle, whole or cut off at the end of some line. The rules do not decide where
the two look alike and neither a container that closes nor a listing tells them apart.""",
    ),
    "streams": (
        "Streams",
        """\
A bundle that is never held: megabytes per second, the time to the first Document, and memory. The memory that is taken
before belongs to the data of the benchmark itself.""",
    ),
    "growth": (
        "Growth",
        "The exponents of time and memory over growing bundles: 1 is linear. The text itself is not counted.",
    ),
    "measured": (
        "Measured characters",
        """\
A length function that counts tokens is the dearest part of splitting. The table counts the characters that are handed
to it, for each character of the source, and how full the chunks are.""",
    ),
    "fill": (
        "Fill",
        """\
How full chunks are, for each kind of text and each unit of length. The peer is `RecursiveCharacterTextSplitter`: it
cuts files anywhere, so it may fill more where files and passages are kept whole.""",
    ),
    "definitions": (
        "Definitions",
        "How many parts of code begin at a definition, beside LangChain's splitter for the same language.",
    ),
    "syntax": ("Syntax", "What `syntax=True` costs beside the separators of the language."),
    "scaling": ("Scaling", "Ray Data with one worker and with two, beside one process."),
    "linear": ("Hostile texts", "Eight times the text should take about eight times as long, whatever it holds."),
    "growth-search": ("Growth search", "A search for texts whose time or memory grows faster than their length."),
    "retrieval": (
        "Retrieval",
        """\
Sources of installed packages without their docstrings are one bundle. The first paragraphs of the docstrings are the
questions, and the function that had the docstring is the answer. Chunks are taken in the order of their rank until
6,000 characters are used up, repeated tags and signatures counted. Recall is the share of the function among them. The
numbers in brackets are the 95 % interval of the paired gain over `RecursiveCharacterTextSplitter`. Options were chosen
on other corpora. [The notebook](../notebooks/04_retrieval.ipynb) tells more.""",
    ),
}


class _Tee(io.TextIOBase):
    """Writes to several streams at once."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()


@contextmanager
def record_output() -> Iterator[io.StringIO]:
    """Keep what is printed, and print it all the same."""
    kept = io.StringIO()
    with redirect_stdout(_Tee(sys.stdout, kept)):
        yield kept


def write_section(name: str, flags: Sequence[str], output: str) -> None:
    """Write the section of a benchmark.

    Args:
        name: The benchmark's name.
        flags: The flags that it was run with.
        output: What it printed.
    """
    key = f"{name} --large" if f"{name} --large" in SECTIONS and "--large" in flags else name
    title, explanation = SECTIONS[key]
    command = " ".join(["python -m tests.benchmarks", name, *flags])
    sections = _read_sections()
    sections[title] = f"{explanation}\n\n```bash\n{command}\n```\n\n{_fenced(output)}"
    titles = [title for title, _ in SECTIONS.values() if title in sections]
    PAGE.write_text(
        "\n".join([_INTRODUCTION, *(f"## {title}\n\n{sections[title]}" for title in titles)]), encoding="utf-8"
    )


def _fenced(output: str) -> str:
    """Return what was printed as a block of text; tables of Markdown stay tables."""
    lines = [line.rstrip() for line in output.strip().split("\n")]
    text = "\n".join(lines)
    return f"{text}\n" if re.search(r"^\| ---", text, re.MULTILINE) else f"```text\n{text}\n```\n"


def _read_sections() -> dict[str, str]:
    """Return the text below each title of the page."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    _, *parts = re.split(r"^## (.+)\n\n", text, flags=re.MULTILINE)
    return {title: f"{body.rstrip()}\n" for title, body in zip(parts[::2], parts[1::2], strict=True)}
