"""How time grows with hostile texts: eight times the text should take about eight times as long.

A ratio within one run says more than times do: it is the same on a slow machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from langchain_semantic_xml import SemanticXmlSplitter, parse_blocks
from tests.benchmarks.shapes import SHAPES, Shape
from tests.benchmarks.tables import Table, say, say_header
from tests.benchmarks.timing import best

SMALL, LARGE = 2_000, 16_000
_DOUBLED = 2 * SMALL
_SUSPECT = 10.0
_PATIENCE = 60.0
"""Where the large text would take more seconds than this if time were quadratic, one of twice the small is used."""

Task = Callable[[str], object]


class Growth(NamedTuple):
    """What was measured of one task with one shape.

    Args:
        ratio: The time of the large text, divided by that of the small one.
        nanoseconds: The time per character of the largest text measured.
    """

    ratio: float
    nanoseconds: float


class Subject(NamedTuple):
    """What is measured.

    Args:
        name: The name of its column.
        task: Makes the task for a shape's text of so many characters.
    """

    name: str
    task: Callable[[Shape, int], Task]


def count_words(text: str) -> int:
    """Measure text by its words: a length function that is not additive, and quick."""
    return len(text.split())


def _parser(shape: Shape) -> Task:
    return lambda text: parse_blocks(text, elements=shape.elements)


def _splitter(shape: Shape, size: int, length_function: Callable[[str], int] = len) -> Task:
    splitter = SemanticXmlSplitter(size, int(size * shape.overlap), length_function, elements=shape.elements)
    return lambda text: splitter.create_documents([text])


SUBJECTS = (
    Subject("parse_blocks", lambda shape, _: _parser(shape)),
    Subject("1,000", lambda shape, _: _splitter(shape, 1_000)),
    Subject("10**9", lambda shape, _: _splitter(shape, 10**9)),
    # What is linear only because chunks are small is found where they grow with the text.
    Subject("a third", lambda shape, characters: _splitter(shape, max(1, characters // 3))),
    Subject("200 words", lambda shape, _: _splitter(shape, 200, count_words)),
)


def measure(shape: Shape, subject: Subject) -> Growth:
    """Measure how the time of `subject` grows; what seems to grow too fast is measured again, more often."""
    growth = _measure(shape, subject, rounds=1)
    return _measure(shape, subject, rounds=4) if _SUSPECT < growth.ratio < 3 * _SUSPECT else growth


def _measure(shape: Shape, subject: Subject, *, rounds: int) -> Growth:
    small, _ = _seconds(shape, subject, SMALL, 3 * rounds)
    if small * (LARGE / SMALL) ** 2 <= _PATIENCE:
        large, characters = _seconds(shape, subject, LARGE, rounds)
        return Growth(large / small, large / characters * 1e9)
    doubled, characters = _seconds(shape, subject, _DOUBLED, 1)
    return Growth((doubled / small) ** 3, doubled / characters * 1e9)


def _seconds(shape: Shape, subject: Subject, repetitions: int, rounds: int) -> tuple[float, int]:
    text = shape.make(repetitions)
    task = subject.task(shape, len(text))
    return best(lambda: task(text), rounds=rounds), len(text)


def run(wanted: Sequence[str] = ()) -> None:
    """Print the growth of every shape whose name holds one of `wanted`, all by default; then what grows too fast."""
    say_header(f"linear: time with {LARGE:,} repetitions / with {SMALL:,}, and ns per character")
    say("parse_blocks, and create_documents at four sizes of chunk. The goal is at most about 8.")
    say()
    table = Table(["shape", "characters", *(subject.name for subject in SUBJECTS)], [40, 10, *[14] * len(SUBJECTS)])
    suspects: list[str] = []
    for name, shape in SHAPES.items():
        if wanted and not any(part in name for part in wanted):
            continue
        growths = {subject.name: measure(shape, subject) for subject in SUBJECTS}
        table.row(name, f"{len(shape.make(LARGE)):,}", *map(_cell, growths.values()))
        suspects += [
            f"{name}, {subject}: x{growth.ratio:.0f}" for subject, growth in growths.items() if growth.ratio > _SUSPECT
        ]
    say()
    say(f"More than x{_SUSPECT:.0f}: {'; '.join(suspects) or 'none'}.")
    say()


def _cell(growth: Growth) -> str:
    mark = "!" if growth.ratio > _SUSPECT else " "
    return f"x{growth.ratio:.1f}{mark} {growth.nanoseconds:5.0f} ns"
