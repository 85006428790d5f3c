"""Texts in a real Spark session, split by `mapInArrow`: what one process makes of them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.arrow import output_schema, split_batches
from tests.integrations import require
from tests.tools.bundle_maker import STYLES, make_bundle, read_sources

require("pyspark")

from pyspark.sql import SparkSession  # noqa: E402 - only where it is installed
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TESTS = Path(__file__).parent.parent
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark runs on Java"),
    # Spark imports pandas to look at its version; no pandas is used here.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        settings = {"spark.ui.enabled": "false", "spark.sql.execution.arrow.maxRecordsPerBatch": "2"}
        session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
        yield session
        session.stop()


def split(texts: DataFrame, splitter: SemanticXmlSplitter) -> DataFrame:
    schema = from_arrow_schema(output_schema(to_arrow_schema(texts.schema), splitter))
    return texts.mapInArrow(partial(split_batches, splitter=splitter), schema)


def test_mapping_in_arrow_gives_the_rows_that_one_process_makes(spark: SparkSession) -> None:
    splitter = SemanticXmlSplitter(800, deterministic_ids=True)
    bundles = {style: make_bundle(read_sources(TESTS / "tools"), style).text for style in STYLES}
    rows = [(style, text, place) for place, (style, text) in enumerate(bundles.items())]
    texts = spark.createDataFrame([*rows, ("none", None, 9)], "id string, text string, place int").repartition(3)

    chunks = split(texts, splitter).orderBy("place", "start_index").collect()

    documents = splitter.split_documents([Document(page_content=text, id=style) for style, text in bundles.items()])
    assert len(chunks) == len(documents) > len(bundles)
    for chunk, document in zip(chunks, documents, strict=True):
        assert (chunk.page_content, chunk.id) == (document.page_content, document.id)
        assert chunk.place == list(bundles).index(chunk.parent_id)
        ours = {key: value for key, value in document.metadata.items() if key in chunk}
        assert {key: chunk[key] for key in ours} == ours
        attributes = {key: value for key, value in document.metadata.items() if key not in chunk}
        assert (chunk.attributes or {}) == attributes


def test_partitions_without_rows_are_no_trouble(spark: SparkSession) -> None:
    texts = spark.createDataFrame([("a",)], "text string").repartition(4)
    assert [chunk.page_content for chunk in split(texts, SemanticXmlSplitter()).collect()] == ["a"]
