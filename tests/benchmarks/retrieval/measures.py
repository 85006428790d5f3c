"""What is measured of a splitter: per question, and then the mean with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from tests.benchmarks.retrieval.corpora import Question
from tests.benchmarks.retrieval.ink import overlap
from tests.benchmarks.retrieval.pieces import Piece, retrieved
from tests.benchmarks.retrieval.retrievers import Ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUDGETS = (3_000, 6_000, 12_000)
"""So many characters are retrieved."""
_SAMPLES = 5_000
_SEED = 11


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


def answer(question: Question, pieces: Sequence[Piece], ranking: Ranking) -> tuple[Answer, ...]:
    """Say how well a question is answered within each of the budgets; blanks do not count."""
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
        import numpy as np  # noqa: PLC0415 - the group `retrieval` brings it

        generator = np.random.default_rng(_SEED)
        self._weights = generator.multinomial(questions, [1 / questions] * questions, size=_SAMPLES) / questions

    def mean(self, values: Sequence[float]) -> Estimate:
        """Estimate the mean of a value per question."""
        return _estimate(fmean(values), self._weights @ values)

    def gain(self, values: Sequence[float], base: Sequence[float]) -> Estimate:
        """Estimate by how much the mean of a value is above another's, relative to that."""
        samples = (self._weights @ values) / (self._weights @ base) - 1
        return _estimate(fmean(values) / fmean(base) - 1, samples)


def _estimate(mean: float, samples: NDArray[np.float64]) -> Estimate:
    ordered = sorted(samples.tolist())
    tail = len(ordered) // 40
    return Estimate(mean, ordered[tail], ordered[-1 - tail])
