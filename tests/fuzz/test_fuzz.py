"""The fuzzer finds a fault that was put into the splitter, shrinks it, and finds none in the splitter as it is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from langchain_semantic_xml import ElementRule, SemanticXmlSplitter
from tests.fuzz.checks import check_input
from tests.fuzz.generators import LARGE
from tests.fuzz.inputs import LARGE_EVERY, METADATA, BatchedWords, Input, count_with_begin_and_end, make_input
from tests.fuzz.planted import Forgetful
from tests.fuzz.reports import as_test, failure_of
from tests.fuzz.running import Run, fuzz, shrunk
from tests.paths import ROOT

SEED = 20


class Raising(SemanticXmlSplitter):
    """A splitter with a fault: it raises on what is more than three lines long, with some sizes."""

    def split_text(self, text: str) -> list[str]:
        if text.count("\n") > 2 and self._chunk_size > 9:
            msg = "a planted fault"
            raise RuntimeError(msg)
        return super().split_text(text)


def test_the_splitter_breaks_no_law_on_a_few_hundred_inputs() -> None:
    tally = fuzz(Run(SEED, 0, 300))
    assert tally.inputs == 300
    assert not tally.kinds


@pytest.mark.parametrize(
    ("splitter", "text", "options"),
    [(Forgetful, '"', {}), (Raising, "\n\n\n", {})],
    ids=["a law is broken", "an exception is raised"],
)
def test_a_planted_fault_is_found_and_shrunk(
    splitter: type[SemanticXmlSplitter], text: str, options: Mapping[str, object]
) -> None:
    tally = fuzz(Run(SEED, 0, 60, splitter=splitter), quiet=True)
    assert tally.kinds
    found, failure = next(
        (found, failure)
        for found in (make_input(SEED, number) for number in range(60))
        if (failure := failure_of(found, splitter)) is not None
    )
    smallest = shrunk(found, failure, splitter)
    assert (smallest.text, dict(smallest.options), dict(smallest.metadata)) == (text, options, {})


def test_a_run_says_what_it_did() -> None:
    tally = fuzz(Run(SEED, 0, 50, splitter=Forgetful), quiet=True)
    assert tally.inputs == 50
    assert tally.large == 0
    assert tally.characters == sum(len(make_input(SEED, number).text) for number in range(50))
    assert 0 < tally.kinds.total() < 50


def test_two_processes_share_the_inputs_of_one() -> None:
    numbers = range(LARGE_EVERY - 10, LARGE_EVERY + 10)  # each gets half of them
    tally = fuzz(Run(SEED, numbers.start, numbers.stop, processes=2))
    texts = [make_input(SEED, number).text for number in numbers]
    assert (tally.inputs, tally.large, tally.characters) == (20, 1, sum(map(len, texts)))
    assert not tally.kinds


def test_an_input_is_the_same_on_every_run_and_differs_from_the_next() -> None:
    made = [make_input(SEED, number) for number in range(100)]
    assert made == [make_input(SEED, number) for number in range(100)]
    assert len({found.text for found in made}) > 90
    assert make_input(SEED + 1, 0) != made[0]


def test_one_input_of_a_thousand_has_more_than_a_million_characters() -> None:
    lengths = [len(make_input(SEED, number).text) for number in range(LARGE_EVERY)]
    assert [number for number, length in enumerate(lengths) if length > LARGE] == [LARGE_EVERY - 1]


def test_a_failure_is_written_as_a_test_that_fails() -> None:
    found = Input(
        'é "<file>\ud800',
        {"chunk_size": 9, "length_function": BatchedWords(), "elements": (ElementRule("file"),)},
        METADATA[3],
        salt=4,
    )
    failure = failure_of(found, Forgetful)
    assert failure is not None
    written = as_test(found, "seed_1_input_2", failure).replace(
        "        salt=4,", "        salt=4, splitter=Forgetful,"
    )
    names: dict[str, Any] = {"Forgetful": Forgetful}
    exec(compile(written, "pasted", "exec"), names)  # noqa: S102 - what a person would paste
    with pytest.raises(AssertionError, match=failure.message[:12]):
        names["test_seed_1_input_2"]()


def test_the_command_counts_its_inputs_and_ends_well() -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--only", "7", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    assert done.stdout.split()[:2] == ["inputs", "1"]


def test_a_closing_line_after_an_oversized_text_is_cut_when_it_is_too_long() -> None:
    check_input("x\n</x>", chunk_size=4, length_function=count_with_begin_and_end, strip_whitespace=False)
