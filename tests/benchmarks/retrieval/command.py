"""The command: which corpora, retrievers and splitters, and what becomes of the results."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from tests.benchmarks.retrieval.corpora import CORPORA, TESTS, Corpus, load_corpus
from tests.benchmarks.retrieval.measures import Answer, answer
from tests.benchmarks.retrieval.modes import MODES
from tests.benchmarks.retrieval.pieces import Located
from tests.benchmarks.retrieval.report import Result, Summary, sum_up, table_of_json, tables, write_json
from tests.benchmarks.retrieval.retrievers import MiniLm, Retriever, bm25
from tests.benchmarks.retrieval.splitters import BASELINE, PEERS, Splitter, ours
from tests.benchmarks.tables import say, say_header

CHUNK_SIZES = (800, 1_500)
ALL_TESTS = "all-tests"


def measure(
    corpora: Sequence[Corpus],
    splitters: Sequence[Splitter],
    retrievers: Mapping[str, Retriever],
    sizes: Sequence[int] = CHUNK_SIZES,
) -> Iterator[list[Summary]]:
    """Yield for each retriever and chunk size what was measured, the baseline first.

    Splitters whose package is not installed are left out.
    """
    for name, retriever in retrievers.items():
        for size in sizes:
            results = [
                _result(splitter.name, name, size, corpora, located, retriever)
                for splitter, located in _cut(corpora, [BASELINE, *splitters], size)
            ]
            yield sum_up(results, results[0])


def _cut(
    corpora: Sequence[Corpus], splitters: Sequence[Splitter], size: int
) -> Iterator[tuple[Splitter, list[Located]]]:
    for splitter in splitters:
        try:
            yield splitter, [splitter.split(corpus, size) for corpus in corpora]
        except ImportError as error:
            say(f"{splitter.name}: left out, {error}")


def _result(
    splitter: str,
    retriever_name: str,
    size: int,
    corpora: Sequence[Corpus],
    located: Sequence[Located],
    retriever: Retriever,
) -> Result:
    lengths = [len(piece.text) for each in located for piece in each.pieces]
    answers = [
        found for corpus, each in zip(corpora, located, strict=True) for found in _answers(corpus, each, retriever)
    ]
    return Result(
        splitter=splitter,
        retriever=retriever_name,
        chunk_size=size,
        chunks=len(lengths),
        characters=fmean(lengths),
        lost=sum(each.lost for each in located),
        answers=tuple(answers),
    )


def _answers(corpus: Corpus, located: Located, retriever: Retriever) -> Iterator[tuple[Answer, ...]]:
    rankings = retriever([piece.text for piece in located.pieces], [question.text for question in corpus.questions])
    for question, ranking in zip(corpus.questions, rankings, strict=True):
        yield answer(question, located.pieces, ranking)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the benchmark `retrieval` to those of the others."""
    group = parser.add_argument_group("retrieval")
    group.add_argument("--corpus", choices=[*CORPORA, ALL_TESTS], default=ALL_TESTS, help="default: %(default)s")
    group.add_argument("--retriever", choices=["bm25", "minilm", "both"], default="both", help="default: %(default)s")
    group.add_argument("--modes", nargs="*", choices=MODES, help="which ways of ours; all by default")
    group.add_argument("--peers", nargs="*", help="others whose name holds one of these; all by default")
    group.add_argument("--questions", type=int, default=300, help="per corpus; default: %(default)s")
    group.add_argument("--sizes", type=int, nargs="*", default=CHUNK_SIZES, help="chunk sizes; default: %(default)s")
    group.add_argument("--cache", type=Path, help="a folder that keeps embeddings from one run to the next")
    group.add_argument("--json", type=Path, help="a file to write the results to")
    group.add_argument("--show", type=Path, help="measure nothing, and show the results in such a file")


def run(options: argparse.Namespace) -> None:
    """Print tables for each retriever and chunk size."""
    if options.show is not None:
        for line in table_of_json(options.show):
            say(line)
        return
    say_header("retrieval: how much of a function is found by what its docstring says")
    try:
        corpora = [load_corpus(name, options.questions) for name in _names(options.corpus)]
        retrievers = _retrievers(options.retriever, options.cache)
    except ImportError as error:
        say(f"left out, {error}")
        return
    for corpus in corpora:
        say(f"{corpus.name}: {len(corpus.files)} files, {len(corpus.text):,} characters, {_described(corpus)}")
    everything: list[Summary] = []
    for summaries in measure(corpora, _splitters(options.modes, options.peers), retrievers, options.sizes):
        first = summaries[0].result
        say(f"\n### {first.retriever}, chunk_size={first.chunk_size:,}, {len(first.answers)} questions\n")
        for line in tables(summaries):
            say(line)
        everything += summaries
    if options.json is not None:
        write_json(options.json, everything)


def _described(corpus: Corpus) -> str:
    sizes = sorted(question.answer.end - question.answer.start for question in corpus.questions)
    return f"{len(sizes)} questions, the median function has {sizes[len(sizes) // 2]} characters without blanks"


def _names(corpus: str) -> Sequence[str]:
    return TESTS if corpus == ALL_TESTS else (corpus,)


def _retrievers(name: str, cache: Path | None) -> dict[str, Retriever]:
    retrievers: dict[str, Retriever] = {}
    if name in ("bm25", "both"):
        retrievers["BM25"] = bm25
    if name in ("minilm", "both"):
        retrievers["MiniLM"] = MiniLm(cache)
    return retrievers


def _splitters(modes: Sequence[str] | None, peers: Sequence[str] | None) -> list[Splitter]:
    others = [peer for peer in PEERS if peers is None or any(part in peer.name for part in peers)]
    return [*others, *(ours(mode, MODES[mode]) for mode in (MODES if modes is None else modes))]
