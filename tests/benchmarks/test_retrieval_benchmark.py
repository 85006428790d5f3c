"""The benchmark of retrieval measures what it says: its corpora, its places, its budgets and its intervals."""

from __future__ import annotations

import argparse
import ast
import json
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_text_splitters import RecursiveCharacterTextSplitter

from langchain_semantic_xml import SemanticXmlSplitter
from tests import paths
from tests.benchmarks.retrieval import command
from tests.benchmarks.retrieval.corpora import CORPORA, TESTS, Corpus, Part, Question, load_corpus, make_corpus
from tests.benchmarks.retrieval.ink import Ink, Span, overlap, without_blanks
from tests.benchmarks.retrieval.measures import BUDGETS, Answer, Bootstrap, Estimate, answer
from tests.benchmarks.retrieval.modes import MODES
from tests.benchmarks.retrieval.pieces import Piece, locate, place, retrieved
from tests.benchmarks.retrieval.report import Result, sum_up, table_of_json, tables, write_json
from tests.benchmarks.retrieval.retrievers import bm25, words_of
from tests.benchmarks.retrieval.sources import strip_docstrings
from tests.benchmarks.retrieval.splitters import BASELINE, PEERS, ours
from tests.tools.bundle_maker import SourceFile

BUNDLE = paths.BUNDLE.read_bytes().decode("utf-8")
STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))
SOURCES = [
    SourceFile(path.name, path.read_text(encoding="utf-8"))
    for package in ("email", "json", "importlib")
    for path in sorted((STANDARD_LIBRARY / package).glob("*.py"))
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return make_corpus("standard library", SOURCES, 50)


# Sources without docstrings.


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param('"""Doc."""\nx = 1\n', "x = 1\n", id="of a module"),
        pytest.param('#!python\n"""Doc.\n\nMore.\n"""\n\nx = 1\n', "#!python\n\nx = 1\n", id="below a comment"),
        pytest.param('class A:\n    """Doc."""\n\n    x = 1\n', "class A:\n\n    x = 1\n", id="of a class"),
        pytest.param('def f():\n    """Doc."""\n', "def f():\n    pass\n", id="all of a body"),
        pytest.param('def f():\n    """Doc."""', "def f():\n    pass", id="all of a body, without a line end"),
        pytest.param('def f(): "Doc."\n', "def f(): pass\n", id="on the line of its function"),
        pytest.param('def f(): "Doc."; g()\n', "def f(): pass; g()\n", id="before other code"),
        pytest.param('def f():\n    "Doc."  # why\n    g()\n', "def f():\n    pass  # why\n    g()\n", id="a comment"),
        pytest.param('def f():\n    ("a"\n     "b")\n    g()\n', "def f():\n    g()\n", id="in parentheses"),
        pytest.param("async def f():\n    r'''Dôc.'''\n    'é'\n", "async def f():\n    'é'\n", id="of a coroutine"),
        pytest.param('def f():\r\n    """Doc."""\r\n    g()\r\n', "def f():\r\n    g()\r\n", id="CRLF"),
        pytest.param('é = "é"; é\ndef f():\n\t"é"\n\tg()\n', 'é = "é"; é\ndef f():\n\tg()\n', id="beyond ASCII"),
        pytest.param('def f():\n    f"""{x}"""\n    b""\n', 'def f():\n    f"""{x}"""\n    b""\n', id="none"),
        pytest.param('x = 1\n"""Not one."""\n', 'x = 1\n"""Not one."""\n', id="a string that documents nothing"),
    ],
)
def test_a_docstring_goes_and_all_else_stays(source: str, expected: str) -> None:
    assert strip_docstrings(source).text == expected
    ast.parse(expected)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.path)
def test_without_docstrings_a_source_means_the_same(source: SourceFile) -> None:
    stripped = strip_docstrings(source.text).text
    assert _meaning(stripped) == _meaning(source.text)
    assert not any(map(ast.get_docstring, _documentable(ast.parse(stripped))))


def _documentable(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module]:
    return (
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module))
    )


def _meaning(source: str) -> str:
    """Return what a source says, docstrings and `pass` left out."""
    tree = ast.parse(source)
    for node in _documentable(tree):
        first = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body = [statement for statement in node.body[first:] if not isinstance(statement, ast.Pass)]
    return ast.dump(tree)


def test_a_function_reaches_from_its_first_decorator_to_its_end() -> None:
    decorators = "    @one\n    @two(\n        3)\n"
    source = f'class A:\n{decorators}    def f(self):\n        "Make tea."\n        return 1\n\n    x = 2\n'
    stripped = strip_docstrings(source)
    ((start, end, _summary),) = stripped.functions
    assert dedent(stripped.text[start:end]) == "@one\n@two(\n    3)\ndef f(self):\n    return 1"


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.path)
def test_each_function_is_where_it_is_said_to_be(source: SourceFile) -> None:
    stripped = strip_docstrings(source.text)
    nodes = [
        node
        for node in ast.walk(ast.parse(source.text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node) is not None
    ]
    found = [ast.parse(dedent(stripped.text[function.start : function.end])) for function in stripped.functions]
    assert sorted(map(_name, found)) == sorted(node.name for node in nodes)


def _name(tree: ast.Module) -> str:
    (function,) = tree.body
    assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
    return function.name


@pytest.mark.parametrize(
    ("docstring", "summary"),
    [
        ("Make tea.", "Make tea."),
        ("\n    Make\n    tea.\n\n    Hot.\n    ", "Make tea."),
        ("Make  tea.\n  \n    Hot.", "Make tea."),
        ("", ""),
    ],
)
def test_a_summary_is_the_first_paragraph_on_one_line(docstring: str, summary: str) -> None:
    (function,) = strip_docstrings(f'def f():\n    """{docstring}"""\n').functions
    assert function.summary == summary


def test_a_source_that_is_not_python_is_refused() -> None:
    with pytest.raises(ValueError, match="source is not Python"):
        strip_docstrings("def f(:\n")


# Corpora.


def test_no_question_can_be_read_in_its_answer(corpus: Corpus) -> None:
    answers = [corpus.ink.text[question.answer.start : question.answer.end] for question in corpus.questions]
    assert len(answers) == 50
    assert not any(
        without_blanks(question.text) in text for question, text in zip(corpus.questions, answers, strict=True)
    )


def test_a_question_has_one_answer_and_a_good_length(corpus: Corpus) -> None:
    everything = make_corpus("all", SOURCES, 10_000).questions
    assert len({question.text for question in everything}) == len(everything) > 100
    assert all(40 <= len(question.text) <= 300 for question in everything)
    assert set(corpus.questions) < set(everything)


def test_a_paragraph_of_two_functions_is_no_question() -> None:
    twice = '    """Return what was put in, as it was put in."""\n'
    source = f"def f():\n{twice}def g():\n{twice}def h():\n{twice.replace('what', 'that which')}"
    (question,) = make_corpus("mine", [SourceFile("a.py", source)], 300).questions
    assert question.text == "Return that which was put in, as it was put in."


def test_the_same_questions_are_drawn_on_every_run(corpus: Corpus) -> None:
    assert make_corpus("again", SOURCES, 50).questions == corpus.questions


def test_each_file_of_a_corpus_is_where_it_is_said_to_be(corpus: Corpus) -> None:
    assert [path for path, _ in corpus.files] == [source.path for source in SOURCES]
    for (_, (start, end)), source in zip(corpus.files, SOURCES, strict=True):
        assert corpus.text[start:end] == strip_docstrings(source.text).text


def test_the_corpora_share_no_package() -> None:
    packages = [part.distribution for parts in CORPORA.values() for part in parts]
    assert len(set(packages)) == len(packages)
    assert set(TESTS) < set(CORPORA)


@pytest.mark.parametrize("part", [Part("pytest", "0.0.1", "pytest"), Part("no-such-package", "1.0", "no_such_package")])
def test_another_version_than_the_pinned_one_is_refused_with_the_remedy(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CORPORA, "first", (part,))
    with pytest.raises(ImportError, match=rf"{part.distribution}=={part.version}.*pip install .*\[retrieval\]"):
        load_corpus("first", 10)


# Places.


@given(
    span=st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted).map(lambda ends: Span(*ends)),
    others=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted).map(lambda ends: Span(*ends))),
)
def test_an_overlap_counts_each_character_once(span: Span, others: list[Span]) -> None:
    covered = {place for other in others for place in range(*other)}
    assert overlap(span, others) == len(covered & set(range(*span)))


@given(st.text("ab \n\u2003\x1c"), st.data())
def test_ink_is_what_is_not_blank(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    ink = Ink(text)
    inked = ink.span(start, end)
    assert ink.text[inked.start : inked.end] == without_blanks(text[start:end])


@pytest.mark.parametrize("size", [60, 300, 1_500])
def test_chunks_are_found_where_their_splitter_knows_them_to_be(size: int) -> None:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0, add_start_index=True)
    documents = splitter.create_documents([BUNDLE])
    ink = Ink(BUNDLE)
    pieces, lost = locate([document.page_content for document in documents], ink)
    starts = [document.metadata["start_index"] for document in documents]
    ends = [start + len(document.page_content) for start, document in zip(starts, documents, strict=True)]
    assert [piece.span for piece in pieces] == [ink.span(*ends) for ends in zip(starts, ends, strict=True)]
    assert lost == 0


def test_a_chunk_that_is_not_in_the_corpus_is_counted_as_lost() -> None:
    pieces, lost = locate(["one", "invented", "two", " \n"], Ink("one two"))
    assert [piece.text for piece in pieces] == ["one", "two"]
    assert lost == 1


def test_a_head_that_is_put_before_chunks_is_paid_for_and_is_none_of_the_corpus() -> None:
    ((piece,), _) = locate(["b"], Ink("a b"), head="<file>\n")
    assert piece == Piece("<file>\nb", Span(1, 2), lead=6)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [60, 800])
def test_chunks_of_ours_hold_each_character_of_a_corpus_once(mode: str, size: int) -> None:
    corpus = make_corpus("bundle", [SourceFile("teapot.xml.py", '"""Doc."""\nx = 1\n')], 1)
    corpus = Corpus("bundle", BUNDLE, Ink(BUNDLE), (), corpus.questions)
    pieces, _ = ours(mode, MODES[mode]).split(corpus, size)
    assert [piece.span.start for piece in pieces] == [0, *(piece.span.end for piece in pieces[:-1])]
    assert pieces[-1].span.end == len(corpus.ink.text)


def test_a_chunk_that_does_not_hold_its_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not hold 'two'"):
        place("one", Span(3, 6), Ink("one two"))


# Budgets.


@given(
    texts=st.lists(st.text("a \n", min_size=1, max_size=12), max_size=8),
    head=st.sampled_from(["", "<f>\n", "< f >"]),
    budget=st.integers(0, 60),
)
def test_a_budget_is_spent_to_its_last_character(texts: list[str], head: str, budget: int) -> None:
    ink = Ink("".join(texts))
    pieces, _ = locate(texts, ink, head=head)
    taken = list(retrieved(range(len(pieces)), pieces, budget))
    shown = "".join(piece.text for piece in pieces)[:budget]
    assert sum(read for _, read in taken) == len(without_blanks(shown))
    assert sum(span.end - span.start for span, _ in taken) == shown.count("a")


def test_what_is_cut_off_by_the_budget_is_not_found() -> None:
    pieces = [Piece("<f>\nabcdef\n</f>", Span(0, 6), lead=3), Piece("ghij", Span(6, 10))]
    spans = [span for span, _ in retrieved([0, 1], pieces, 7)]
    assert spans == [Span(0, 3)]
    assert [span for span, _ in retrieved([1, 0], pieces, 2)] == [Span(6, 8)]
    assert [span for span, _ in retrieved([0], pieces, 2)] == [Span(0, 0)]


def test_recall_hit_and_precision_of_an_answer() -> None:
    question = Question("Where?", Span(0, 4_000))
    pieces = [Piece("x" * 2_000, Span(10_000, 12_000)), Piece("y" * 8_000, Span(2_000, 10_000))]
    small, middle, large = answer(question, pieces, [0, 1])
    assert BUDGETS == (3_000, 6_000, 12_000)
    assert small == Answer(recall=0.25, hit=1.0, precision=1 / 3)
    assert middle == Answer(recall=0.5, hit=1.0, precision=1 / 3)
    assert large == Answer(recall=0.5, hit=1.0, precision=0.2)


# Retrievers and intervals.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("snake_case", ["snake", "case"]),
        ("camelCase", ["camel", "case"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("_PRIVATE_NAME", ["private", "name"]),
        ("Größe übt", ["größe", "übt"]),
        ('<file path="a/b.py">', ["file", "path", "a", "b", "py"]),
        ("…", []),
    ],
)
def test_words_are_those_of_identifiers_in_lower_case(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_bm25_finds_the_file_that_a_question_is_about(corpus: Corpus) -> None:
    pytest.importorskip("rank_bm25")
    texts = [corpus.text[start:end] for _, (start, end) in corpus.files]
    ((best, *others),) = bm25(texts, ["quopri: quote and unquote hex"])
    assert corpus.files[best][0] == "quoprimime.py"
    assert sorted([best, *others]) == list(range(len(texts)))


def test_equal_chunks_rank_in_the_order_of_the_corpus() -> None:
    pytest.importorskip("rank_bm25")
    assert list(bm25(["a", "b", "a", "c d", "e f"], ["a", "?"])) == [[0, 2, 1, 3, 4], [0, 1, 2, 3, 4]]


def test_an_interval_is_about_its_mean_and_narrows_with_more_questions() -> None:
    pytest.importorskip("numpy")
    mean, low, high = Bootstrap(100).mean([0.0, 1.0] * 50)
    assert mean == 0.5
    assert low < 0.42
    assert high > 0.58
    _, closer, _ = Bootstrap(1_000).mean([0.0, 1.0] * 500)
    assert closer > low


def test_differences_are_paired() -> None:
    pytest.importorskip("numpy")
    base = [0.0, 0.25, 0.5, 1.0] * 20
    bootstrap = Bootstrap(len(base))
    assert bootstrap.gain(base, base) == Estimate(0, 0, 0)
    assert bootstrap.gain([value / 2 for value in base], base) == pytest.approx(Estimate(-0.5, -0.5, -0.5))


# Reports and the command.


def _results() -> Sequence[Result]:
    found, missed = Answer(1.0, 1.0, 0.1), Answer(0.0, 0.0, 0.0)
    half = [(found, found, found), (missed, missed, missed)] * 10
    whole = [(found, found, found)] * 20
    return [
        Result("base", "BM25", 800, chunks=3, characters=700.0, lost=0, answers=tuple(half)),
        Result("better", "BM25", 800, chunks=4, characters=500.0, lost=1, answers=tuple(whole)),
    ]


def test_a_table_tells_recall_and_what_it_gained() -> None:
    pytest.importorskip("numpy")
    base, better = _results()
    lines = list(tables(sum_up([base, better], base)))
    (row,) = (line for line in lines if line.startswith("| better | 1.000 (1.000 to 1.000) |"))
    assert "+100.0%" in row
    assert "| better | 1.000 | 1.000 | 1.000 | 0.100 | 0.100 | 0.100 | 4 | 500 | 1 |" in lines
    assert len({line.count("|") for line in lines[:4]}) == 1


def test_results_are_kept_as_json(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    base, better = _results()
    write_json(tmp_path / "results.json", sum_up([base, better], base))
    data = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert data["budgets"] == list(BUDGETS)
    assert [row["splitter"] for row in data["rows"]] == ["base", "better"]
    assert data["rows"][1]["gain"][0]["mean"] == 1.0
    assert [row["questions"] for row in data["rows"]] == [20, 20]
    measured, _, counted, _, header, *_ = table_of_json(tmp_path / "results.json")
    assert (measured, counted) == (data["measured"], "20 questions, recall at 6,000 characters:")
    assert header.startswith("| splitter | ")


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_is_made_of_options_that_there_are(mode: str) -> None:
    assert ours(mode, MODES[mode]).split(make_corpus("none", [], 1), 800).lost == 0
    SemanticXmlSplitter(**dict(MODES[mode]))  # type: ignore[arg-type]


def test_each_splitter_has_a_name_of_its_own() -> None:
    names = [splitter.name for splitter in (BASELINE, *PEERS, *(ours(mode, MODES[mode]) for mode in MODES))]
    assert len(set(names)) == len(names)


def test_the_command_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(CORPORA, "tuning", (Part("no-such-package", "1.0", "no_such_package"),))
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    command.run(parser.parse_args(["--corpus", "tuning", "--retriever", "bm25"]))
    assert "left out, the corpora need no-such-package==1.0, and nothing is installed" in capsys.readouterr().out
