"""How the work grows with workers: one process, then Ray Data with one worker and with two, on the same bundles."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.arrow import split_batch
from tests.benchmarks.corpus import SMALL_FILES, bundle_text
from tests.benchmarks.tables import Table, say, say_header
from tests.benchmarks.timing import medians

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK_SIZE = 1_000
WORKERS = (1, 2)
_MEGABYTE = 1_000_000
_BUNDLES = 48
"""Of a megabyte each, and each a block of its own, so that two workers can share them evenly."""
_ROUNDS = 3

_QUIET = {
    "RAY_AUTH_MODE": "disabled",  # else it writes a token into the home directory
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_memory_monitor_refresh_ms": "0",  # in a container it takes the host's memory for ours
}


@contextmanager
def local_cluster(workers: int, *, object_store_memory: int = 100_000_000) -> Iterator[None]:
    """Start a Ray cluster on this machine that is small, asks no network and leaves nothing behind."""
    import ray  # noqa: PLC0415 - only who measures it needs it

    # The folder's path is short because those of sockets must be.
    with patch.dict(os.environ, _QUIET), tempfile.TemporaryDirectory(prefix="ray-") as folder:
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=object_store_memory,
            log_to_driver=False,
            _temp_dir=folder,
        )
        try:
            yield
        finally:
            ray.shutdown()


class Sample(NamedTuple):
    """What was measured of a cluster: the seconds until it had split anything, and those that all bundles took."""

    start: float
    seconds: float


def run() -> None:
    """Print a table, or say what is missing."""
    say_header(f"scaling: {_BUNDLES} bundles of 1 MB of small files, chunks of {CHUNK_SIZE:,} characters")
    try:
        import pyarrow as pa  # noqa: PLC0415
        import ray.data  # noqa: F401, PLC0415
    except ImportError as error:
        say(f"left out: {error}; pip install ray[data]")
        return
    splitter = SemanticXmlSplitter(CHUNK_SIZE)
    text = bundle_text(SMALL_FILES, _MEGABYTE, emoji=False)
    tables = [pa.table({"id": [str(number)], "text": [text]}) for number in range(_BUNDLES)]
    documents = [Document(page_content=text, id=str(number)) for number in range(_BUNDLES)]
    whole = pa.concat_tables(tables)
    alone = medians(
        {
            "split_documents": lambda: splitter.split_documents(documents),
            "split_batch": lambda: split_batch(whole, splitter),
        },
        rounds=_ROUNDS,
    )
    least = alone["split_batch"].seconds

    table = Table(["", "seconds", "MB/s", "times as fast", "overhead"], [26, 8, 6, 14, 9])
    for name, sample in alone.items():
        table.row(name, *_cells(sample.seconds, least), "")
    for workers in WORKERS:
        start, seconds = _measure(tables, splitter, workers)
        overhead = seconds * workers / least - 1
        table.row(f"Ray Data, workers: {workers}", *_cells(seconds, least), f"{overhead:.0%}")
        say(f"  (starting the cluster and its workers: {start:.1f} s)")
    say()
    say("Overhead: processor time of all workers beyond that of split_batch in one process.")
    say()


def _cells(seconds: float, least: float) -> tuple[str, str, str]:
    return f"{seconds:.2f}", f"{_BUNDLES / seconds:.0f}", f"{least / seconds:.2f}"


def _measure(tables: list[pa.Table], splitter: SemanticXmlSplitter, workers: int) -> Sample:
    begin = perf_counter()
    with local_cluster(workers, object_store_memory=1_000_000_000):
        _split_with_ray(tables[:workers], splitter)
        start = perf_counter() - begin
        return Sample(start, median(_split_with_ray(tables, splitter) for _ in range(_ROUNDS)))


def _split_with_ray(tables: list[pa.Table], splitter: SemanticXmlSplitter) -> float:
    """Return the seconds from tables in the cluster's memory to chunks there."""
    import ray.data  # noqa: PLC0415

    texts = ray.data.from_arrow(tables).materialize()
    begin = perf_counter()
    texts.map_batches(
        split_batch, batch_format="pyarrow", batch_size=None, fn_kwargs={"splitter": splitter}
    ).materialize()
    return perf_counter() - begin
