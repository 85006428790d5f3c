"""What is measured of a splitter: per question, and then the mean with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.retrieval.corpora import Question
from tests.benchmarks.retrieval.ink import overlap
from tests.benchmarks.retrieval.pieces import Piece, retrieved
from tests.benchmarks.retrieval.retrievers import Rank

BUDGETS = (3_000, 6_000, 12_000)
"""So many characters are retrieved."""
_SAMPLES = 5_000
_SEED = 11

Values: TypeAlias = NDArray[np.float64]


class Answer(NamedTuple):
    """How well one question was answered.

    Args:
        recall: The share of the wanted function that was retrieved.
        hit: Whether any of it was: 0 or 1.
        precision: The share of what was retrieved that was wanted.
    """

    recall: float
    hit: float
    precision: float


class Estimate(NamedTuple):
    """A mean and the interval that holds it in 95 of 100 samples of as many questions."""

    mean: float
    low: float
    high: float


def answer(question: Question, pieces: Sequence[Piece], rank: Rank) -> tuple[Answer, ...]:
    """Ask a question, and say how well it was answered within each of the budgets; blanks do not count."""
    ranking = rank(question.text)
    size = question.answer.end - question.answer.start
    answers = []
    for budget in BUDGETS:
        taken = list(retrieved(ranking, pieces, budget))
        found = overlap(question.answer, [span for span, _ in taken])
        read = sum(ink for _, ink in taken)
        answers.append(Answer(found / size, float(found > 0), found / read if read else 0.0))
    return tuple(answers)


class Bootstrap:
    """Draws samples of as many questions, the same ones for every splitter, so that differences are paired.

    Args:
        questions: How many there are.
    """

    def __init__(self, questions: int) -> None:
        generator = np.random.default_rng(_SEED)
        shares = np.full(questions, 1 / questions)
        self._weights = generator.multinomial(questions, shares, size=_SAMPLES) / questions

    def mean(self, values: Values) -> Estimate:
        """Estimate the mean of a value per question."""
        return _estimate(float(values.mean()), self._weights @ values)

    def gain(self, values: Values, base: Values) -> Estimate:
        """Estimate by how much the mean of a value is above another's, relative to that."""
        samples = (self._weights @ values) / (self._weights @ base) - 1
        return _estimate(float(values.mean() / base.mean() - 1), samples)


def _estimate(mean: float, samples: Values) -> Estimate:
    low, high = np.quantile(samples, [0.025, 0.975])
    return Estimate(mean, float(low), float(high))
