"""What was measured, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.retrieval.measures import BUDGETS, Answer, Bootstrap, Estimate
from tests.benchmarks.tables import date_and_machine


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured of one splitter with one retriever.

    Args:
        splitter: Its name.
        retriever: The retriever's name.
        chunk_size: The size that was asked for.
        chunks: How many chunks there are.
        characters: The mean of their lengths.
        lost: How many chunks were not found in the corpus.
        answers: To each question, within each of the budgets.
    """

    splitter: str
    retriever: str
    chunk_size: int
    chunks: int
    characters: float
    lost: int
    answers: tuple[tuple[Answer, ...], ...]

    def values(self, measure: str, budget: int) -> list[float]:
        """Return a measure of `Answer` for each question within one of the budgets."""
        place = BUDGETS.index(budget)
        return [getattr(answers[place], measure) for answers in self.answers]


@dataclass(frozen=True, slots=True)
class Summary:
    """A result in a few numbers.

    Args:
        result: What is summed up.
        recall: The mean recall per budget.
        gain: How much that is above the baseline's, relative to it.
        hit: The mean share of questions with any hit per budget.
        precision: The mean precision per budget.
    """

    result: Result
    recall: tuple[Estimate, ...]
    gain: tuple[Estimate, ...]
    hit: tuple[Estimate, ...]
    precision: tuple[Estimate, ...]


def sum_up(results: Sequence[Result], baseline: Result) -> list[Summary]:
    """Sum up results with the same questions, retriever and chunk size."""
    bootstrap = Bootstrap(len(baseline.answers))

    def means(result: Result, measure: str) -> tuple[Estimate, ...]:
        return tuple(bootstrap.mean(result.values(measure, budget)) for budget in BUDGETS)

    def gains(result: Result) -> tuple[Estimate, ...]:
        return tuple(
            bootstrap.gain(result.values("recall", budget), baseline.values("recall", budget)) for budget in BUDGETS
        )

    return [
        Summary(result, means(result, "recall"), gains(result), means(result, "hit"), means(result, "precision"))
        for result in results
    ]


def tables(summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield the lines of two Markdown tables: recall, and what goes with it."""
    budgets = [f"{budget:,}" for budget in BUDGETS]
    recall = [f"recall @{budget}" for budget in budgets]
    yield from _table(
        ["splitter", *recall, *(f"gain @{budget}" for budget in budgets)],
        ([each.result.splitter, *map(_share, each.recall), *map(_gain, each.gain)] for each in summaries),
    )
    yield ""
    sizes = ["chunks", "characters", "lost"]
    yield from _table(
        [
            "splitter",
            *(f"hit @{budget}" for budget in budgets),
            *(f"precision @{budget}" for budget in budgets),
            *sizes,
        ],
        (
            [
                each.result.splitter,
                *(f"{hit.mean:.3f}" for hit in each.hit),
                *(f"{precision.mean:.3f}" for precision in each.precision),
                f"{each.result.chunks:,}",
                f"{each.result.characters:,.0f}",
                str(each.result.lost),
            ]
            for each in summaries
        ),
    )


def _share(estimate: Estimate) -> str:
    return f"{estimate.mean:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _gain(estimate: Estimate) -> str:
    return f"{estimate.mean:+.1%} ({estimate.low:+.1%} to {estimate.high:+.1%})"


def _table(names: Sequence[str], rows: Iterator[list[str]]) -> Iterator[str]:
    yield _line(names)
    yield _line(["---", *("---:" for _ in names[1:])])
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def write_json(path: Path, summaries: Sequence[Summary]) -> None:
    """Keep summaries."""
    data = {"measured": date_and_machine(), "budgets": BUDGETS, "rows": [_plain(summary) for summary in summaries]}
    path.write_text(f"{json.dumps(data, indent=1)}\n", encoding="utf-8")


def _plain(summary: Summary) -> dict[str, object]:
    result = summary.result
    measures = {"recall": summary.recall, "gain": summary.gain, "hit": summary.hit, "precision": summary.precision}
    return {
        "splitter": result.splitter,
        "retriever": result.retriever,
        "chunk_size": result.chunk_size,
        "chunks": result.chunks,
        "characters": result.characters,
        "lost": result.lost,
        "questions": len(result.answers),
        **{name: list(map(_rounded, estimates)) for name, estimates in measures.items()},
    }


def _rounded(estimate: Estimate) -> dict[str, float]:
    return {name: round(value, 5) for name, value in estimate._asdict().items()}


def table_of_json(path: Path, budget: int = 6_000) -> Iterator[str]:
    """Yield the lines of a Markdown table of kept results: the recall within one budget, and the gain.

    Args:
        path: A file that `write_json` wrote.
        budget: One of the budgets.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    place = data["budgets"].index(budget)
    cells: dict[str, dict[str, str]] = {}
    for row in data["rows"]:
        gain = Estimate(**row["gain"][place])
        recall = f"{row['recall'][place]['mean']:.3f}"
        is_baseline = gain == Estimate(0.0, 0.0, 0.0)
        column = f"{row['retriever']}, {row['chunk_size']:,}"
        told = recall if is_baseline else f"{recall} ({gain.low:+.0%} to {gain.high:+.0%})"
        cells.setdefault(row["splitter"], {})[column] = told
    columns = list(dict.fromkeys(column for row in cells.values() for column in row))
    yield f"{data['measured']}"
    yield ""
    yield f"{data['rows'][0]['questions']} questions, recall at {budget:,} characters:"
    yield ""
    yield from _table(
        ["splitter", *columns],
        ([splitter, *(row.get(column, "") for column in columns)] for splitter, row in cells.items()),
    )
