"""LangChain's indexing: an unchanged bundle costs nothing, and a changed file replaces only its own chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.vectorstores import VectorStore
from typing_extensions import override

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.loaders import SemanticXmlLoader
from tests.integrations import require
from tests.tools.bundle_maker import SourceFile, make_bundle

for package in ("chromadb", "langchain_chroma", "langchain_qdrant", "qdrant_client"):
    require(package)

from tests.integrations.stores import KINDS  # noqa: E402 - only after it is known what is there

pytestmark = pytest.mark.integration

Changes = tuple[int, int]
Cleanup = Literal["incremental", "full", "scoped_full"]
CLEANUPS: tuple[Cleanup, ...] = ("incremental", "full", "scoped_full")
SPLITTER = SemanticXmlSplitter(300, deterministic_ids=True)
UNCHANGED = (0, 0)


class Records(InMemoryRecordManager):
    """LangChain's record manager with a clock that ticks whenever it is read: no test depends on how fast it runs."""

    def __init__(self) -> None:
        super().__init__("bundle")
        self._ticks = count(1)

    @override
    def get_time(self) -> float:
        return next(self._ticks)


def id_of(document: Document) -> str:
    """Return the id that our splitter made: as `key_encoder`, it is the id in the store too."""
    assert document.id is not None
    return document.id


class Index:
    """A store and its records."""

    def __init__(self, store: VectorStore) -> None:
        self.store = store
        self.records = Records()

    def update(
        self,
        documents: list[Document],
        cleanup: Cleanup = "scoped_full",
        *,
        key_encoder: Literal["blake2b"] | Callable[[Document], str] = id_of,
        batch_size: int = 100,
    ) -> Changes:
        """Index `documents`; return how many chunks were added and how many deleted."""
        result = index(
            documents,
            self.records,
            self.store,
            cleanup=cleanup,
            source_id_key="source",
            key_encoder=key_encoder,
            batch_size=batch_size,
        )
        return result["num_added"], result["num_deleted"]

    def contents(self) -> list[str]:
        """Return the texts in the store, in the order of the alphabet."""
        return sorted(document.page_content for document in self.store.similarity_search("tea", k=1000))


def module(name: str, *lines: str) -> SourceFile:
    """Make a source file of several chunks; each of `lines` replaces one of its lines, from the first on."""
    body = [f"{name}_{number} = {number}  # {name} of the kettle" for number in range(20)]
    return SourceFile(f"src/{name}.py", "\n".join([*lines, *body[len(lines) :]]) + "\n")


BEFORE = [module("green"), module("black"), module("herbal")]
SAME_LENGTH = [module("green"), module("black", "black_0 = 9  # black of the kettle"), module("herbal")]
LONGER = [module("green"), module("black", *["black += 1  # one more line"] * 50), module("herbal")]
WITHOUT = [module("green"), module("herbal")]


def write(path: Path, files: list[SourceFile]) -> Path:
    path.write_bytes(make_bundle(files, "ace").text.encode())
    return path


def whole(path: Path) -> list[Document]:
    """Split the bundle as one text: positions count in the bundle, and files may share a chunk."""
    return SPLITTER.create_documents([path.read_bytes().decode()], [{"source": str(path)}])


def by_block(path: Path) -> list[Document]:
    """Split each block by itself: where a block is does not tell in the ids of its chunks."""
    return SPLITTER.split_documents(SemanticXmlLoader(path).lazy_load())


def by_block_without_positions(path: Path) -> list[Document]:
    return SPLITTER.split_documents(SemanticXmlLoader(path, add_start_index=False).lazy_load())


WAYS = {"the whole bundle": whole, "block by block": by_block, "without positions": by_block_without_positions}
Way = Callable[[Path], list[Document]]
all_ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
block_ways = pytest.mark.parametrize("way", [by_block, by_block_without_positions])
all_cleanups = pytest.mark.parametrize("cleanup", CLEANUPS)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return write(tmp_path / "bundle.xml", BEFORE)


@pytest.fixture(params=["in memory", "Chroma", "Qdrant in memory"])
def indexed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    with KINDS[request.param].open(tmp_path) as store:
        yield Index(store)


def chunks_with(documents: list[Document], identity: str) -> int:
    """Count the chunks that hold some of a file."""
    return sum(identity in (document.metadata["identities"] or ()) for document in documents)


@all_ways
@all_cleanups
def test_an_unchanged_bundle_adds_and_deletes_nothing(indexed: Index, bundle: Path, way: Way, cleanup: Cleanup) -> None:
    chunks = way(bundle)
    assert indexed.update(chunks, cleanup) == (len(chunks), 0)
    assert indexed.update(way(bundle), cleanup) == UNCHANGED
    assert indexed.contents() == sorted(chunk.page_content for chunk in chunks)


@all_cleanups
def test_the_ids_in_the_store_are_those_of_the_splitter(indexed: Index, bundle: Path, cleanup: Cleanup) -> None:
    chunks = by_block(bundle)
    indexed.update(chunks, cleanup)
    found = indexed.store.get_by_ids([id_of(chunk) for chunk in chunks])
    assert sorted(document.page_content for document in found) == indexed.contents()


@all_ways
@all_cleanups
def test_a_change_that_keeps_the_length_replaces_one_chunk_or_one_file(
    indexed: Index, bundle: Path, way: Way, cleanup: Cleanup
) -> None:
    indexed.update(way(bundle), cleanup)
    after = way(write(bundle, SAME_LENGTH))
    # Of the whole bundle, only the chunk with the changed line; block by block, the file, whose id has changed.
    expected = 1 if way is whole else chunks_with(after, "src/black.py")
    assert indexed.update(after, cleanup) == (expected, expected)
    assert indexed.contents() == sorted(chunk.page_content for chunk in after)


@block_ways
@all_cleanups
def test_a_file_that_grows_replaces_only_its_own_chunks_where_blocks_are_split_by_themselves(
    indexed: Index, bundle: Path, way: Way, cleanup: Cleanup
) -> None:
    before = way(bundle)
    indexed.update(before, cleanup)
    after = way(write(bundle, LONGER))
    changes = chunks_with(after, "src/black.py"), chunks_with(before, "src/black.py")
    assert indexed.update(after, cleanup) == changes
    assert 0 < changes[0] < len(after) // 2
    assert indexed.contents() == sorted(chunk.page_content for chunk in after)


@pytest.mark.parametrize("files", [LONGER, WITHOUT], ids=["grows", "is gone"])
def test_a_file_that_changes_in_length_moves_what_comes_after_it_where_the_whole_bundle_is_split(
    indexed: Index, bundle: Path, files: list[SourceFile]
) -> None:
    indexed.update(before := whole(bundle))
    after = whole(write(bundle, files))
    added, deleted = indexed.update(after)
    assert chunks_with(after, "src/black.py") < added < len(after)  # what comes before it stays
    assert chunks_with(before, "src/black.py") < deleted < len(before)
    assert indexed.contents() == sorted(chunk.page_content for chunk in after)


@block_ways
@all_cleanups
def test_a_file_that_is_gone_takes_only_its_own_chunks_with_it(
    indexed: Index, bundle: Path, way: Way, cleanup: Cleanup
) -> None:
    before = way(bundle)
    indexed.update(before, cleanup)
    after = way(write(bundle, WITHOUT))
    assert indexed.update(after, cleanup) == (0, chunks_with(before, "src/black.py"))
    assert indexed.contents() == sorted(chunk.page_content for chunk in after)


@pytest.mark.parametrize("cleanup", ["incremental", "scoped_full"])
def test_another_bundle_stays_where_only_one_is_indexed_again(
    indexed: Index, bundle: Path, tmp_path: Path, cleanup: Cleanup
) -> None:
    other = by_block(write(tmp_path / "other.xml", BEFORE))
    indexed.update([*by_block(bundle), *other], cleanup)
    after = by_block(write(bundle, WITHOUT))
    indexed.update(after, cleanup)
    assert indexed.contents() == sorted(chunk.page_content for chunk in [*after, *other])


@pytest.mark.parametrize("indexed", ["in memory", "Chroma"], indirect=True)
@pytest.mark.parametrize("way", [by_block, by_block_without_positions])
def test_langchains_own_hashes_see_a_move_only_where_positions_are_among_the_metadata(
    indexed: Index, bundle: Path, way: Way
) -> None:
    indexed.update(before := way(bundle), key_encoder="blake2b")
    assert indexed.update(way(bundle), key_encoder="blake2b") == UNCHANGED
    after = way(write(bundle, LONGER))
    own = chunks_with(after, "src/black.py"), chunks_with(before, "src/black.py")
    assert (indexed.update(after, key_encoder="blake2b") == own) is (way is by_block_without_positions)


@pytest.mark.parametrize("indexed", ["Qdrant in memory"], indirect=True)
def test_qdrant_takes_no_hash_for_an_id(indexed: Index, bundle: Path) -> None:
    with pytest.raises(ValueError, match="UUID"):
        indexed.update(by_block(bundle), key_encoder="blake2b")


@pytest.mark.parametrize("cleanup", ["scoped_full", "full"])
def test_batches_smaller_than_a_bundle_do_no_harm_with_a_full_cleanup(
    indexed: Index, bundle: Path, cleanup: Cleanup
) -> None:
    indexed.update(by_block(bundle), cleanup, batch_size=4)
    assert indexed.update(by_block(bundle), cleanup, batch_size=4) == UNCHANGED


def test_batches_smaller_than_a_bundle_are_written_anew_with_an_incremental_cleanup(
    indexed: Index, bundle: Path
) -> None:
    chunks = by_block(bundle)
    indexed.update(chunks, "incremental", batch_size=4)
    assert indexed.update(chunks, "incremental", batch_size=4) != UNCHANGED
    assert indexed.contents() == sorted(chunk.page_content for chunk in chunks)
