"""What a recipe costs: the steps, the time and the memory of splitting its text, beside the size of text and result."""

from __future__ import annotations

import gc
import math
import signal
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, cast

from langchain_core.documents import Document

import langchain_semantic_xml
from langchain_semantic_xml import Block, Section, SemanticXmlSplitter, iter_blocks, section_blocks
from langchain_semantic_xml.typing import Oversized, Repeat
from tests.fuzz.inputs import LENGTHS, SEPARATORS
from tests.laws.recipes import RULES, Recipe

PATIENCE = 20.0
"""A call may take so many seconds of processor time."""
_GROWN = 2
_COUNTED = 0.05
"""Fewer seconds of processor time than this may be none by its count."""
_PIECE = 1 << 8
_LOOKAHEADS = 6
"""So many lookaheads of a hurried stream are in a text: what is waited for grows with it."""
_PER_RESULT = 200
"""How many characters what is said of one result counts, its lists and attributes apart."""

if TYPE_CHECKING:
    from _typeshed import TraceFunction

_PACKAGE = str(Path(langchain_semantic_xml.__file__).parent)

Result = Document | Block | Section


class OutOfPatienceError(Exception):
    """A call took longer than `PATIENCE`."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one call cost.

    Args:
        characters: The length of the text.
        size: The same, and the length of what was made of it: growth that the result explains is no fault.
        cost: Steps, seconds or bytes.
    """

    characters: int
    size: int
    cost: float


def exponent(small: Effort, large: Effort) -> float:
    """Return the power with which the cost grows: 1 where it grows as text and result together do.

    Where the larger text is hardly larger, because its units are long, the power says nothing and is 0.
    """
    grown = large.size / small.size
    return math.log(large.cost / small.cost) / math.log(grown) if grown > _GROWN and small.cost > 0 else 0.0


def steps(recipe: Recipe, characters: int) -> Effort:
    """Return how many lines of the package are run: the same number on every run and every machine.

    What happens inside one line, such as a search, is not seen; that is what `seconds` is for.

    Raises:
        OutOfPatienceError: If it takes too long.
    """
    text = recipe.render(characters)
    call = caller(recipe, len(text))
    lines = 0

    def count(frame: FrameType, event: str, _: object) -> TraceFunction | None:
        nonlocal lines
        if event == "call":
            return count if frame.f_code.co_filename.startswith(_PACKAGE) else None
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        results = list(_patiently(call(text)))
    finally:
        sys.settrace(before)
    return Effort(len(text), len(text) + sum(map(_size, results)), lines)


def seconds(recipe: Recipe, characters: int, calls: int = 1) -> Effort:
    """Return the time of the fastest of some calls.

    Of each call that is the processor's time, or the clock's where that is less: the one knows nothing of other
    processes but is counted coarsely, the other is exact for calls too short to be interrupted.

    Raises:
        OutOfPatienceError: If a call takes too long.
    """
    text = recipe.render(characters)
    call = caller(recipe, len(text))
    times: list[float] = []
    for _ in range(calls):
        taken, results = _timed(call, text)
        times.append(taken)
    return Effort(len(text), len(text) + sum(map(_size, results)), min(times))


def peak(recipe: Recipe, characters: int) -> Effort:
    """Return the most bytes that are taken at a time while results are let go one by one."""
    text = recipe.render(characters)
    call = caller(recipe, len(text))
    size = len(text)
    tracemalloc.start()
    try:
        for result in _patiently(call(text)):
            size += _size(result)
        return Effort(len(text), size, tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def caller(recipe: Recipe, characters: int) -> Callable[[str], Iterator[Result]]:
    """Return what splits the text of a recipe, as its setup says."""
    setup = recipe.setup
    elements = RULES[setup.elements]
    if setup.door == "blocks":
        return lambda text: iter_blocks(text, elements=elements)
    length = LENGTHS[setup.length]
    size = (max(1, int(setup.share * characters)) if setup.share else setup.size) + length("")
    new_after = None if setup.new_after is None else int(size * setup.new_after)
    combine_under = None if setup.combine_under is None else int(size * setup.combine_under)
    if setup.door == "sections":
        return lambda text: iter(
            section_blocks(
                iter_blocks(text, elements=elements),
                chunk_size=size,
                separator=SEPARATORS[setup.separator] or "",
                length_function=length,
                new_after=new_after,
                combine_under=combine_under,
                isolate=setup.isolate,
            )
        )
    splitter = SemanticXmlSplitter(
        size,
        int(size * setup.overlap),
        length,
        elements=elements,
        separator=SEPARATORS[setup.separator],
        new_after=new_after,
        combine_under=combine_under,
        isolate=setup.isolate,
        oversized=cast("Oversized", setup.oversized),
        repeat=cast("Repeat | None", setup.repeat),
        strip_whitespace=setup.strip,
    )
    if setup.door == "stream":
        return lambda text: splitter.lazy_split_text(_pieces(text))
    if setup.door == "hurried stream":
        lookahead = 1 + characters // _LOOKAHEADS
        return lambda text: splitter.lazy_split_text(_pieces(text), lookahead=lookahead)
    return splitter.lazy_split_text


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))


def _size(result: Result) -> int:
    if isinstance(result, Document):
        lists = (value for value in result.metadata.values() if isinstance(value, (list, str)))
        return len(result.page_content) + _PER_RESULT + sum(8 * len(value) for value in lists)
    if isinstance(result, Section):
        return len(result.text) + _PER_RESULT + 8 * len(result.blocks)
    return len(result.content) + _PER_RESULT


def _timed(call: Callable[[str], Iterator[Result]], text: str) -> tuple[float, list[Result]]:
    gc.disable()
    try:
        worked, began = time.process_time(), time.perf_counter()
        results = list(_patiently(call(text)))
        taken, worked = time.perf_counter() - began, time.process_time() - worked
        return min(taken, worked) if worked >= _COUNTED else taken, results
    finally:
        gc.enable()


def _patiently(results: Iterator[Result]) -> Iterator[Result]:
    """Yield what `results` does, but raise `OutOfPatienceError` when that takes too long."""
    before = signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield from results
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    # Between two instructions of Python or, as these look for signals too, in the middle of a regular expression.
    raise OutOfPatienceError
