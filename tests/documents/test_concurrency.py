"""One splitter, used by many at once: threads, processes, tasks and half-read iterators get what one alone gets."""

from __future__ import annotations

import asyncio
import copy
import multiprocessing
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from itertools import chain, cycle, islice, zip_longest

import pytest
from langchain_core.documents import Document
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from langchain_semantic_xml import SemanticXmlSplitter
from tests.paths import TESTS
from tests.tools.bundle_maker import STYLES, SourceFile, make_bundle, read_sources

COUNT, FEW = 1000, 100
THREADS, PROCESSES = 8, 2


@cache
def documents() -> tuple[Document, ...]:
    """Make bundles of every style, of one to three pieces of these tests: code that is full of tags."""
    lines = [line for source in read_sources(TESTS) for line in source.text.splitlines()]

    def piece(number: int) -> SourceFile:
        start = number * 7919 % len(lines)
        return SourceFile(f"piece-{number}.py", "\n".join(lines[start : start + number % 40]))

    styles = list(STYLES)
    return tuple(
        Document(
            page_content=make_bundle(map(piece, range(n, n + 1 + n % 3)), styles[n % len(styles)]).text,
            id=str(n),
            metadata={"number": n, "nested": {"tags": [n]}},
        )
        for n in range(COUNT)
    )


def in_characters() -> SemanticXmlSplitter:
    return SemanticXmlSplitter(300, 30, deterministic_ids=True)


def in_tiktoken_tokens() -> SemanticXmlSplitter:
    return SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base", chunk_size=100, isolate=["output"])


def in_huggingface_tokens() -> SemanticXmlSplitter:
    tokenizer = Tokenizer(WordLevel({"?": 0}, "?"))
    tokenizer.pre_tokenizer = Whitespace()
    return SemanticXmlSplitter.from_huggingface_tokenizer(tokenizer, chunk_size=60, chunk_overlap=9)


Make = Callable[[], SemanticXmlSplitter]
each_length = pytest.mark.parametrize(
    ("make", "count"),
    [
        pytest.param(in_characters, COUNT, id="characters"),
        pytest.param(in_tiktoken_tokens, FEW, id="tiktoken"),  # counting tokens takes much longer
        pytest.param(in_huggingface_tokens, FEW, id="Hugging Face"),
    ],
)


@cache
def alone(make: Make, count: int = COUNT) -> tuple[list[Document], ...]:
    """Split the documents one after the other, each with a splitter that nothing else has used."""
    return tuple(make().split_documents([document]) for document in documents()[:count])


@pytest.fixture
def many_switches() -> Iterator[None]:
    """Let threads take turns a thousand times as often as they do."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(interval / 1000)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Start processes that inherit nothing: what they know of a splitter is what its pickle says."""
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        yield pool


def test_the_documents_are_worth_it() -> None:
    assert len({document.page_content for document in documents()}) == COUNT
    chunks = list(chain.from_iterable(alone(in_characters)))
    assert len(chunks) > 5 * COUNT
    assert {"text", "file", "document"} <= {chunk.metadata["block_type"] for chunk in chunks}
    assert any(chunk.metadata["part"] for chunk in chunks)


@each_length
@pytest.mark.usefixtures("many_switches")
def test_threads_that_share_a_splitter_get_what_each_alone_gets(make: Make, count: int) -> None:
    splitter = make()
    with ThreadPoolExecutor(THREADS) as pool:
        found = tuple(pool.map(splitter.split_documents, ([document] for document in documents()[:count])))
    assert found == alone(make, count)


@each_length
def test_processes_get_what_one_alone_gets(make: Make, count: int, processes: ProcessPoolExecutor) -> None:
    lists = [[document] for document in documents()[:count]]
    found = processes.map(make().split_documents, lists, chunksize=count // (4 * PROCESSES))
    assert tuple(found) == alone(make, count)


def pickled(splitter: SemanticXmlSplitter, protocol: int) -> SemanticXmlSplitter:
    twin = pickle.loads(pickle.dumps(splitter, protocol))  # noqa: S301 - our own
    assert isinstance(twin, SemanticXmlSplitter)
    return twin


@each_length
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_splitter_splits_as_its_original_does(make: Make, count: int, protocol: int) -> None:
    some = documents()[: count // 10]
    assert pickled(make(), protocol).split_documents(some) == list(chain.from_iterable(alone(make, count)[: len(some)]))


@each_length
def test_a_deep_copy_splits_as_its_original_does(make: Make, count: int) -> None:
    some = documents()[: count // 10]
    assert copy.deepcopy(make()).split_documents(some) == list(chain.from_iterable(alone(make, count)[: len(some)]))


def test_a_splitter_that_has_been_used_pickles_as_a_new_one() -> None:
    splitter = in_characters()
    new = pickle.dumps(splitter)
    splitter.split_documents(documents()[:50])
    list(zip(splitter.lazy_split_documents(documents()), range(3), strict=False))
    assert pickle.dumps(splitter) == new


@pytest.mark.usefixtures("many_switches")
def test_threads_that_iterate_lazily_do_not_disturb_each_other() -> None:
    splitter = in_characters()
    shares = [documents()[number::THREADS] for number in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda share: list(splitter.lazy_split_documents(share)), shares))
    assert found == [list(chain.from_iterable(alone(in_characters)[number::THREADS])) for number in range(THREADS)]


def test_iterators_that_are_read_in_turn_do_not_disturb_each_other() -> None:
    splitter = in_characters()
    streams = [splitter.lazy_split_text(iter(document.page_content)) for document in documents()[:100]]
    turns = list(zip_longest(*streams))
    for number, document in enumerate(documents()[:100]):
        found = [turn[number] for turn in turns if turn[number] is not None]
        assert found == list(splitter.lazy_split_text(document.page_content))


def test_an_iterator_may_go_on_in_another_thread() -> None:
    chunks = in_characters().lazy_split_documents(documents()[:50])
    expected = list(chain.from_iterable(alone(in_characters)[:50]))
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        turns = islice(cycle([first, second]), len(expected))
        assert [pool.submit(next, chunks).result() for pool in turns] == expected
    assert next(chunks, None) is None


def test_tasks_that_are_gathered_get_what_each_alone_gets() -> None:
    splitter = in_characters()

    async def split_all() -> list[list[Document]]:
        tasks = (splitter.atransform_documents([document]) for document in documents())
        return [list(chunks) for chunks in await asyncio.gather(*tasks)]

    assert tuple(asyncio.run(split_all())) == alone(in_characters)


def test_threads_may_split_the_same_document_at_the_same_time() -> None:
    splitter, same = in_characters(), documents()[COUNT - 1]
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(splitter.split_documents, [[same]] * 100))
    assert all(chunks == alone(in_characters)[-1] for chunks in found)
    nested = [id(chunk.metadata["nested"]["tags"]) for chunks in found for chunk in chunks]
    assert len(set(nested)) == len(nested)


def test_one_that_fails_leaves_the_others_alone() -> None:
    splitter = in_characters()
    with ThreadPoolExecutor(THREADS) as pool:
        futures = [pool.submit(splitter.split_documents, [document]) for document in documents()[:100]]
        failing = [pool.submit(splitter.split_documents, ["no document"]) for _ in range(100)]  # type: ignore[list-item]
    assert tuple(future.result() for future in futures) == alone(in_characters)[:100]
    assert all(isinstance(future.exception(), TypeError) for future in failing)
