"""A folder of bundles, split by the workers of a real Ray cluster into Parquet: just what one process makes of it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.arrow import output_schema, split_batch
from langchain_semantic_xml.lengths import tiktoken_length
from tests.integrations import require
from tests.tools.bundle_maker import STYLES, make_bundle, read_sources
from tests.tools.ray_cluster import local_cluster

require("ray.data")

import pyarrow as pa  # noqa: E402 - only where it is installed
import pyarrow.compute as pc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import ray  # noqa: E402
import ray.data  # noqa: E402

ROOT = Path(__file__).parent.parent
pytestmark = [
    pytest.mark.integration,
    # Ray warns of defaults of its own: `use_push_based_shuffle`, `use_polars`.
    pytest.mark.filterwarnings("ignore:`use_:DeprecationWarning"),
    # It leaves its logs and processes to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning"),
]


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    with local_cluster(2):
        yield
    gc.collect()  # what Ray leaves is found now, not in another test


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the same sources, packed in every style, one bundle of each of their directories."""
    folder = tmp_path_factory.mktemp("bundles")
    for style in STYLES:
        for sources in ("data", "tools", "benchmarks"):
            bundle = make_bundle(read_sources(ROOT / sources), style)
            folder.joinpath(f"{sources}-{style}.xml").write_text(bundle.text, encoding="utf-8")
    return folder


def decode(batch: pa.Table) -> pa.Table:
    names = pc.replace_substring_regex(batch["path"], r"^.*/", "")
    return pa.table({"id": names, "text": batch["bytes"].cast(pa.string())})


def read(folder: Path, schema: pa.Schema) -> pa.Table:
    """Read what was written; older readers give the items of a list another name, which a cast takes back."""
    written = pq.read_table(folder)
    assert written.schema.names == schema.names
    return written.cast(schema)


def in_order(chunks: pa.Table) -> pa.Table:
    return chunks.sort_by([("parent_id", "ascending"), ("start_index", "ascending")])


@pytest.mark.parametrize("length_function", ["characters", "tokens"])
def test_workers_write_the_rows_that_one_process_makes(length_function: str, folder: Path, tmp_path: Path) -> None:
    measure = len if length_function == "characters" else tiktoken_length("cl100k_base")
    splitter = SemanticXmlSplitter(800, length_function=measure, deterministic_ids=True)
    files = ray.data.read_binary_files(str(folder), include_paths=True, override_num_blocks=5)
    texts = files.map_batches(decode, batch_format="pyarrow", batch_size=2)
    chunks = texts.map_batches(split_batch, batch_format="pyarrow", fn_kwargs={"splitter": splitter})
    chunks.write_parquet(str(tmp_path))

    paths = sorted(folder.iterdir())
    alone = pa.table({"id": [path.name for path in paths], "text": [path.read_text("utf-8") for path in paths]})
    expected = split_batch(alone, splitter)
    assert len(list(tmp_path.iterdir())) > 1
    written = read(tmp_path, expected.schema)
    assert in_order(written).equals(in_order(expected))
    sources = [Document(page_content=path.read_text("utf-8"), id=path.name) for path in paths]
    documents = splitter.split_documents(sources)
    assert in_order(written)["page_content"].to_pylist() == [document.page_content for document in documents]
    assert in_order(written)["id"].to_pylist() == [document.id for document in documents]


def test_blocks_without_chunks_have_the_schema_of_all(tmp_path: Path) -> None:
    splitter = SemanticXmlSplitter()
    texts = pa.table({"text": pa.array([None, " ", "one chunk", None], pa.string()), "row": [0, 1, 2, 3]})
    chunks = ray.data.from_arrow([texts.slice(row, 1) for row in range(4)]).map_batches(
        partial(split_batch, splitter=splitter), batch_format="pyarrow", batch_size=None
    )
    chunks.write_parquet(str(tmp_path))
    assert read(tmp_path, output_schema(texts.schema, splitter))["row"].to_pylist() == [2]


def test_an_error_in_a_worker_reaches_the_user_with_its_message() -> None:
    splitter = SemanticXmlSplitter(4, oversized="error")
    chunks = ray.data.from_arrow(pa.table({"text": ["too long"]})).map_batches(
        split_batch, batch_format="pyarrow", fn_kwargs={"splitter": splitter}
    )
    with pytest.raises(ray.exceptions.RayTaskError, match=r"OversizedBlockError: text at line 1 .* raise chunk_size"):
        chunks.materialize()
