"""How the work grows with workers: one process, then Ray Data with one worker and with two, on the same bundles."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.arrow import split_batch
from tests.benchmarks.corpus import SMALL_FILES, bundle_text
from tests.benchmarks.tables import Table, say, say_header
from tests.tools.ray_cluster import local_cluster

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK_SIZE = 1_000
WORKERS = (1, 2)
_MEGABYTE = 1_000_000
_BUNDLES = 48
"""Of a megabyte each, and each a block of its own, so that two workers can share them evenly."""
_ROUNDS = 3


class Cost(NamedTuple):
    """What something took: seconds on the clock, and of processors, those of all processes of ours."""

    seconds: float
    processor: float


def run() -> None:
    """Print a table, or say what is missing."""
    say_header(f"scaling: {_BUNDLES} bundles of 1 MB of small files, chunks of {CHUNK_SIZE:,} characters")
    try:
        import psutil  # noqa: F401, PLC0415
        import pyarrow as pa  # noqa: PLC0415
        import ray.data  # noqa: F401, PLC0415
    except ImportError as error:
        say(f"left out: {error}; pip install psutil 'ray[data]'")
        return
    splitter = SemanticXmlSplitter(CHUNK_SIZE)
    text = bundle_text(SMALL_FILES, _MEGABYTE, emoji=False)
    documents = [Document(page_content=text, id=str(number)) for number in range(_BUNDLES)]
    tables = [pa.table({"id": [document.id], "text": [text]}) for document in documents]
    whole = pa.concat_tables(tables)

    table = Table(["", "seconds", "MB/s", "processor s", "overhead"], [26, 8, 6, 12, 9])
    plain = _cost(lambda: splitter.split_documents(documents))
    _print(table, "split_documents", plain, plain)
    _print(table, "split_batch", _cost(lambda: split_batch(whole, splitter)), plain)
    starts = []
    for workers in WORKERS:
        begin = perf_counter()
        with local_cluster(workers, object_store_memory=1_000_000_000):
            _split_with_ray(tables[:workers], splitter)
            starts.append(f"{perf_counter() - begin:.0f} s")
            cost = _cost(partial(_split_with_ray, tables, splitter))
        _print(table, f"Ray Data, workers: {workers}", cost, plain)
    say()
    say("Overhead: the time of all processors, beyond that of split_documents.")
    say(f"Starting a cluster and its workers, not counted above, took {' and '.join(starts)}.")
    say()


def _print(table: Table, name: str, cost: Cost, plain: Cost) -> None:
    overhead = f"{cost.processor / plain.processor - 1:.0%}"
    table.row(name, f"{cost.seconds:.2f}", f"{_BUNDLES / cost.seconds:.0f}", f"{cost.processor:.2f}", overhead)


def _cost(call: Callable[[], object]) -> Cost:
    """Return the medians of several rounds."""
    costs = [_cost_once(call) for _ in range(_ROUNDS)]
    return Cost(*(median(values) for values in zip(*costs, strict=True)))


def _cost_once(call: Callable[[], object]) -> Cost:
    gc.collect()
    begin, processor = perf_counter(), _processor_seconds()
    call()
    return Cost(perf_counter() - begin, _processor_seconds() - processor)


def _processor_seconds() -> float:
    """Return what this process and all that it has started, and that still run, have used of processors."""
    import psutil  # noqa: PLC0415

    me = psutil.Process()
    return sum(sum(process.cpu_times()[:2]) for process in (me, *me.children(recursive=True)))


def _split_with_ray(tables: list[pa.Table], splitter: SemanticXmlSplitter) -> None:
    """Put tables into the cluster's memory and chunks beside them."""
    import ray.data  # noqa: PLC0415

    texts = ray.data.from_arrow(tables)
    chunks = texts.map_batches(split_batch, batch_format="pyarrow", batch_size=None, fn_kwargs={"splitter": splitter})
    chunks.materialize()
