"""Vector stores as the tests use them: opened, closed, and asked with filters that mean the same in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from tests.integrations import require
from tests.integrations.embeddings import HashedWords

for package in ("chromadb", "langchain_chroma", "langchain_qdrant", "qdrant_client"):
    require(package)

from chromadb import PersistentClient  # noqa: E402 - only after it is known to be there
from chromadb.config import Settings  # noqa: E402
from langchain_chroma import Chroma  # noqa: E402
from langchain_qdrant import QdrantVectorStore  # noqa: E402
from qdrant_client import QdrantClient, models  # noqa: E402

EMBEDDINGS = HashedWords()


class _Closeable(Protocol):
    def close(self) -> None: ...


@contextmanager
def open_memory(_: Path) -> Iterator[VectorStore]:
    yield InMemoryVectorStore(EMBEDDINGS)


@contextmanager
def open_chroma(folder: Path, embeddings: Embeddings = EMBEDDINGS) -> Iterator[VectorStore]:
    client = PersistentClient(folder / "chroma", Settings(anonymized_telemetry=False))
    with closing(cast("_Closeable", client)):  # the class of the client can be closed, the type it is declared as not
        # The distance that a cosine needs; the default measures the square of the straight way.
        yield Chroma("bundle", embeddings, client=client, collection_metadata={"hnsw:space": "cosine"})


@contextmanager
def open_qdrant_in_memory(_: Path) -> Iterator[VectorStore]:
    yield from _qdrant(QdrantClient(":memory:"))


@contextmanager
def open_qdrant(folder: Path) -> Iterator[VectorStore]:
    yield from _qdrant(QdrantClient(path=str(folder / "qdrant")))


def _qdrant(client: QdrantClient) -> Iterator[VectorStore]:
    if not client.collection_exists("bundle"):
        cosine = models.VectorParams(size=EMBEDDINGS.size, distance=models.Distance.COSINE)
        client.create_collection("bundle", vectors_config=cosine)
    try:
        yield QdrantVectorStore(client, "bundle", EMBEDDINGS)
    finally:
        client.close()


@dataclass(frozen=True)
class Kind:
    """A kind of vector store.

    Args:
        open: Opens one in a folder.
        equals: Makes the filter "this key has this value".
        contains: Makes the filter "the list of this key has this value".
        covers: Makes the filter "this line lies from `start_line` to `end_line`".
        rewrite: Writes the metadata of chunks that are in it anew, without their vectors.
        lasts: Whether what is in it is still there after it was closed.
        keeps_none: Whether a key whose value is None is still there.
    """

    open: Callable[[Path], AbstractContextManager[VectorStore]]
    equals: Callable[[str, str], object]
    contains: Callable[[str, str], object]
    covers: Callable[[int], object]
    rewrite: Callable[[VectorStore, list[Document]], None]
    lasts: bool = False
    keeps_none: bool = True


def rewrite_in_memory(store: VectorStore, chunks: list[Document]) -> None:
    for chunk in chunks:
        cast("InMemoryVectorStore", store).store[str(chunk.id)]["metadata"] = chunk.metadata


def rewrite_in_chroma(store: VectorStore, chunks: list[Document]) -> None:
    collection = cast("Chroma", store)._collection  # noqa: SLF001 - its own update_documents() embeds again
    collection.update(ids=[str(chunk.id) for chunk in chunks], metadatas=[chunk.metadata for chunk in chunks])


def rewrite_in_qdrant(store: VectorStore, chunks: list[Document]) -> None:
    qdrant = cast("QdrantVectorStore", store)
    for chunk in chunks:
        qdrant.client.set_payload(qdrant.collection_name, {"metadata": chunk.metadata}, points=[str(chunk.id)])


def _memory_covers(line: int) -> Callable[[Document], bool]:
    return lambda document: document.metadata["start_line"] <= line <= document.metadata["end_line"]


def _chroma_covers(line: int) -> object:
    return {"$and": [{"start_line": {"$lte": line}}, {"end_line": {"$gte": line}}]}


def _qdrant_covers(line: int) -> models.Filter:
    return models.Filter(
        must=[
            models.FieldCondition(key="metadata.start_line", range=models.Range(lte=line)),
            models.FieldCondition(key="metadata.end_line", range=models.Range(gte=line)),
        ]
    )


def _qdrant_equals(key: str, value: str) -> models.Filter:
    """Make the filter; of a list, Qdrant compares every item."""
    return models.Filter(must=[models.FieldCondition(key=f"metadata.{key}", match=models.MatchValue(value=value))])


KINDS = {
    "in memory": Kind(
        open_memory,
        lambda key, value: lambda document: document.metadata.get(key) == value,
        lambda key, value: lambda document: value in (document.metadata.get(key) or ()),
        _memory_covers,
        rewrite_in_memory,
    ),
    "Chroma": Kind(
        open_chroma,
        lambda key, value: {key: value},
        lambda key, value: {key: {"$contains": value}},
        _chroma_covers,
        rewrite_in_chroma,
        lasts=True,
        keeps_none=False,
    ),
    "Qdrant in memory": Kind(open_qdrant_in_memory, _qdrant_equals, _qdrant_equals, _qdrant_covers, rewrite_in_qdrant),
    "Qdrant on disk": Kind(open_qdrant, _qdrant_equals, _qdrant_equals, _qdrant_covers, rewrite_in_qdrant, lasts=True),
}
