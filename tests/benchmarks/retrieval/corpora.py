"""The corpora: sources of installed packages as one bundle each, and questions whose right answer is known.

One corpus is for trying things out; what is reported is measured on the two others, by other authors. The versions are
pinned by the group `retrieval`, so that everyone measures the same texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.benchmarks.retrieval.ink import Ink, Span
from tests.benchmarks.retrieval.sources import Function, strip_docstrings
from tests.tools.bundle_maker import SourceFile, make_bundle

SHORTEST, LONGEST = 40, 300
"""A question has so many characters."""
_SEED = 7
_TESTS = frozenset(["test", "tests"])


class Part(NamedTuple):
    """Sources of one installed package.

    Args:
        distribution: What it is called where it is installed from.
        version: The one that the group `retrieval` pins.
        folder: Which of its sources, as a path from where packages are installed.
    """

    distribution: str
    version: str
    folder: str


CORPORA: dict[str, tuple[Part, ...]] = {
    "tuning": (
        Part("boltons", "26.2.0", "boltons"),
        Part("click", "8.5.1", "click"),
        Part("jinja2", "3.1.6", "jinja2"),
    ),
    "first": (
        Part("more-itertools", "10.8.0", "more_itertools"),
        Part("tornado", "6.5.7", "tornado"),
        Part("traitlets", "5.16.1", "traitlets"),
    ),
    "second": (Part("networkx", "3.4.2", "networkx/algorithms"),),
}
"""Of about a megabyte each: tools for the command line and templates; servers, typed attributes and iterators; graphs.

They are pure Python without dependencies of weight, run on every Python that this package runs on, have a sentence for
nearly every function, and share no author.
"""
TESTS = ("first", "second")


class Question(NamedTuple):
    """A question, and where its answer is.

    Args:
        text: The first paragraph of a function's docstring, which is not in the corpus.
        answer: The function, decorators included, in the ink of the corpus.
    """

    text: str
    answer: Span


@dataclass(frozen=True, slots=True)
class Corpus:
    """A bundle and its questions.

    Args:
        name: One of `CORPORA`.
        text: The bundle.
        ink: The same without its blanks.
        files: What each file element holds, as offsets of the text, with its path.
        questions: In the order of their answers.
    """

    name: str
    text: str
    ink: Ink
    files: tuple[tuple[str, Span], ...]
    questions: tuple[Question, ...]


def load_corpus(name: str, questions: int) -> Corpus:
    """Make a corpus of what is installed, the same on every run.

    Args:
        name: One of `CORPORA`.
        questions: How many; fewer where there are not so many.

    Raises:
        ImportError: If a package is not installed in its version.
    """
    return make_corpus(name, [file for part in CORPORA[name] for file in _read(part)], questions)


def make_corpus(name: str, sources: Sequence[SourceFile], questions: int) -> Corpus:
    r"""Make a corpus of Python sources: take out their docstrings, and pack them as a bundler would.

    Example:
        >>> source = 'def f(n):\n    "Return the number that comes after another."\n    return n + 1\n'
        >>> corpus = make_corpus("mine", [SourceFile("a.py", source)], 300)
        >>> (question,) = corpus.questions
        >>> question.text, corpus.ink.text[question.answer.start : question.answer.end]
        ('Return the number that comes after another.', 'deff(n):returnn+1')
    """
    stripped = [strip_docstrings(source.text) for source in sources]
    bundle = make_bundle(
        [SourceFile(source.path, shorter.text) for source, shorter in zip(sources, stripped, strict=True)], "repomix"
    )
    ink = Ink(bundle.text)
    files = []
    pool = []
    for element, source in zip(bundle.truth, stripped, strict=True):
        start = bundle.text.index("\n", element.start) + 1
        files.append((element.identity, Span(start, start + len(source.text))))
        pool += [_question(function, start, ink) for function in source.functions]
    return Corpus(name, bundle.text, ink, tuple(files), tuple(_sample(pool, questions)))


def _question(function: Function, file_start: int, ink: Ink) -> Question:
    return Question(function.summary, ink.span(file_start + function.start, file_start + function.end))


def _sample(pool: Sequence[Question], size: int) -> list[Question]:
    """Draw among the questions that are of a good length and have one answer only."""
    times = Counter(question.text for question in pool)
    good = [question for question in pool if SHORTEST <= len(question.text) <= LONGEST and times[question.text] == 1]
    drawn = Random(_SEED).sample(good, min(size, len(good)))  # noqa: S311 - the same questions on every run
    return sorted(drawn, key=lambda question: question.answer)


def _read(part: Part) -> Iterator[SourceFile]:
    root = _root(part)
    for path in sorted((root / part.folder).rglob("*.py")):
        relative = path.relative_to(root)
        if _TESTS.isdisjoint(relative.parts):
            yield SourceFile(relative.as_posix(), path.read_text(encoding="utf-8"))


def _root(part: Part) -> Path:
    """Return the folder where a package is installed in its version; raise `ImportError` where there is none."""
    try:
        installed = version(part.distribution)
    except PackageNotFoundError:
        installed = "nothing"
    spec = find_spec(part.folder.partition("/")[0])
    if installed != part.version or spec is None or spec.origin is None:
        msg = (
            f"the corpora need {part.distribution}=={part.version}, and {installed} is installed: "
            'pip install "langchain-semantic-xml[retrieval]"'
        )
        raise ImportError(msg)
    return Path(spec.origin).parents[1]
