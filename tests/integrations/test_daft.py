"""Texts in Daft, split batch by batch, and back into Daft: what one process makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.arrow import output_schema, split_batch, split_batches
from tests.integrations import require
from tests.tools.bundle_maker import STYLES, make_bundle, read_sources

require("daft")

import daft  # noqa: E402 - only where it is installed
import pyarrow as pa  # noqa: E402

TESTS = Path(__file__).parent.parent
pytestmark = pytest.mark.integration


def test_batches_from_daft_go_back_as_chunks(tmp_path: Path) -> None:
    splitter = SemanticXmlSplitter(800)
    bundles = {style: make_bundle(read_sources(TESTS / "tools"), style).text for style in STYLES}
    table = pa.table({"id": list(bundles), "text": list(bundles.values()), "place": range(len(bundles))})
    texts = daft.from_arrow(table).into_batches(2)

    schema = output_schema(texts.schema().to_pyarrow_schema(), splitter)
    batches = split_batches(texts.to_arrow_iter(), splitter)
    chunks = daft.from_arrow(pa.RecordBatchReader.from_batches(schema, batches))
    chunks.write_parquet(str(tmp_path))

    written = daft.read_parquet(str(tmp_path)).sort(["place", "start_index"])
    assert written.to_pydict() == daft.from_arrow(split_batch(table, splitter)).to_pydict()
