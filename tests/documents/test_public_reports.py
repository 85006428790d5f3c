"""What people report of text splitters, first part: the Documents, their positions, their metadata, their sources.

Each report is a test named after what it proves. The other parts: `test_public_reports_sizes`,
`test_public_reports_text`.
"""

from __future__ import annotations

import asyncio
import copy
import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, pairwise, zip_longest
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.documents.test_public_reports_sizes import framing_tokenizer
from tests.laws.checks import check_laws

LICENSE = '<file path="LICENSE">\nPermission is hereby granted, free of charge.\n</file>'
BODY = "".join(f"def step_{line}(value):\n    return value + {line}\n\n" for line in range(60))
BUNDLE = f'# Code\n\n<file path="a.py">\n{BODY}</file>\n\n<output command="ls">\na.py\n</output>\n\nThe end.\n'


def nested() -> dict[str, Any]:
    return {"source": "b.xml", "tags": ["t"], "loader": {"pages": [{"number": 1}], "seen": {1, 2}}}


# Positions


def test_repeated_chunks_have_their_own_positions() -> None:
    text = f"# One\n\n{LICENSE}\n\n# Two\n\n{LICENSE}\n\n# Three\n\n{LICENSE}"
    chunks = SemanticXmlSplitter(80, isolate=["file"]).create_documents([text])
    starts = [chunk.metadata["start_index"] for chunk in chunks if chunk.page_content == LICENSE]
    assert starts == [7, 91, 177]
    assert all(text.startswith(LICENSE, start) for start in starts)


def test_a_chunk_that_was_joined_anew_still_has_its_position() -> None:
    text = f"# Title\n\n\n\n\n{LICENSE}\n\n\n\n{LICENSE}"  # more blank lines than the separator has
    [first, second] = SemanticXmlSplitter(90).create_documents([text])
    assert [first.metadata["start_index"], second.metadata["start_index"]] == [0, text.rindex("<file")]


@pytest.mark.parametrize("counted_by", ["tiktoken", "Hugging Face"])
@pytest.mark.parametrize("overlap", [0, 7, 39])
def test_positions_are_exact_with_overlap_and_tokenizers(counted_by: str, overlap: int) -> None:
    options: dict[str, Any] = {"chunk_size": 80, "chunk_overlap": overlap, "separator": None, "repeat": None}
    if counted_by == "tiktoken":
        splitter = SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base", **options)
    else:
        splitter = SemanticXmlSplitter.from_huggingface_tokenizer(framing_tokenizer(), **options)
    chunks = splitter.create_documents([BUNDLE])
    assert len(chunks) > 10
    for chunk in chunks:
        assert BUNDLE[chunk.metadata["start_index"] : chunk.metadata["end_index"]] == chunk.page_content
    repeated = [before.metadata["end_index"] - after.metadata["start_index"] for before, after in pairwise(chunks)]
    assert (max(repeated) > 0) is (overlap > 0), "overlap is in tokens, positions are in characters"


def test_positions_are_exact_where_overlap_repeats_a_line_that_occurs_often() -> None:
    chunks = SemanticXmlSplitter(60, 25).create_documents(["<output>\nline\n</output>\n\n" * 30])
    starts = [chunk.metadata["start_index"] for chunk in chunks]
    assert len(chunks) > 10
    assert starts == sorted(set(starts)), "no two chunks begin at the same character"
    assert -1 not in starts


# Metadata


def test_metadata_are_shared_neither_between_chunks_nor_with_their_source() -> None:
    source = Document(page_content=BUNDLE, metadata=nested())
    first, *others = SemanticXmlSplitter(500).split_documents([source])
    assert others
    first.metadata["tags"].append("changed")
    first.metadata["loader"]["seen"].clear()
    assert source.metadata == nested()
    assert all(chunk.metadata["tags"] == ["t"] for chunk in others)


def test_one_mapping_given_for_all_texts_is_shared_by_none() -> None:
    same = nested()
    first, second = SemanticXmlSplitter().create_documents(["one", "two"], [same, same])
    first.metadata["loader"]["pages"][0]["number"] = 9
    assert second.metadata["loader"]["pages"] == [{"number": 1}]


def test_nested_metadata_arrive_whole_in_every_chunk() -> None:
    chunks = SemanticXmlSplitter(500, deterministic_ids=True).create_documents([BUNDLE], [nested()])
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        assert {key: chunk.metadata[key] for key in nested()} == nested()


def test_unhashable_values_and_keys_that_are_no_strings_are_kept() -> None:
    metadata: dict[object, object] = {1: "one", None: [2], ("a", 1): {"b": {3}}, b"x": bytearray(b"y"), 2.5: {}}
    for chunk in SemanticXmlSplitter(500, deterministic_ids=True).create_documents([BUNDLE], [metadata]):
        found: dict[object, object] = dict(chunk.metadata)
        assert {key: found[key] for key in metadata} == metadata


def test_the_sources_own_metadata_are_never_overwritten() -> None:
    own = {"path": "bundle.xml", "start_index": 1000, "command": None}
    for chunk in SemanticXmlSplitter(500).create_documents([BUNDLE], [own]):
        assert {key: chunk.metadata[key] for key in own} == own


def cyclic() -> dict[str, Any]:
    metadata: dict[str, Any] = {"pages": []}
    metadata["pages"].append(metadata)
    return metadata


def test_metadata_that_hold_themselves_are_copied_and_named() -> None:
    first, second = (SemanticXmlSplitter(deterministic_ids=True).create_documents(["x"], [cyclic()]) for _ in range(2))
    assert first[0].metadata["pages"][0]["pages"] is first[0].metadata["pages"]
    assert first[0].id == second[0].id


class Endless:
    """Gives the whole numbers from 1, one after the other."""

    def __init__(self) -> None:
        self._last = 0

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self._last += 1
        return self._last


@pytest.mark.parametrize("ids", [False, True], ids=["without ids", "with ids"])
@pytest.mark.parametrize("iterator", [lambda: iter([1, 2]), Endless], ids=["finite", "endless"])
def test_an_iterator_among_the_metadata_is_not_used_up(iterator: Callable[[], Iterator[int]], *, ids: bool) -> None:
    metadata = {"i": iterator()}
    [chunk] = SemanticXmlSplitter(deterministic_ids=ids).create_documents(["x"], [metadata])
    expected = list(islice(iterator(), 2))
    assert list(islice(metadata["i"], 2)) == list(islice(chunk.metadata["i"], 2)) == expected


class AnswersAll(Mapping[str, str]):
    """Has one key, and a value for any other, as mappings of settings do."""

    def __getitem__(self, key: str) -> str:
        return f"value of {key}"

    def __iter__(self) -> Iterator[str]:
        return iter(["source"])

    def __len__(self) -> int:
        return 1


def test_a_mapping_with_an_answer_to_everything_has_the_keys_that_it_lists() -> None:
    [chunk] = SemanticXmlSplitter().create_documents(["x"], [AnswersAll()])
    assert (chunk.metadata["source"], chunk.metadata["block_type"]) == ("value of source", "text")


class OddKeys(AnswersAll):
    def __iter__(self) -> Iterator[str]:
        return iter([["no key"]])  # type: ignore[list-item]


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        ({"a": 1, "lock": threading.Lock()}, r"metadata\['lock'\] cannot be copied into each chunk: cannot pickle"),
        ({"pages": (page for page in "ab")}, r"metadata\['pages'\] cannot be copied .*; leave it out"),
        ({("deep", 1): deep()}, r"metadata\[\('deep', 1\)\] cannot be copied .*recursion"),
        (OddKeys(), "metadata must have keys that a dict can have: .*unhashable.*; use strings"),
    ],
    ids=["a lock", "a generator", "100,000 levels", "a key that is a list"],
)
def test_metadata_that_cannot_be_copied_are_named(metadata: Mapping[str, Any], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        SemanticXmlSplitter().create_documents(["x"], [metadata])


# Texts and their metadatas


def test_texts_and_metadatas_may_be_generators() -> None:
    numbers = range(3)
    chunks = SemanticXmlSplitter().create_documents(
        (f"text {n}" for n in numbers), ({"n": n} for n in numbers if n < len(nested()))
    )
    assert [(chunk.page_content, chunk.metadata["n"]) for chunk in chunks] == [(f"text {n}", n) for n in numbers]


def test_empty_texts_move_no_metadata_to_another_text() -> None:
    chunks = SemanticXmlSplitter().create_documents(["", "a", "", "b"], [{"n": 0}, {"n": 1}, {"n": 2}, {"n": 3}])
    assert [(chunk.page_content, chunk.metadata["n"]) for chunk in chunks] == [("a", 1), ("b", 3)]


def test_a_text_without_its_metadata_is_an_error_and_not_left_out() -> None:
    with pytest.raises(ValueError, match=r"more texts than metadatas \(1\); give one mapping for each text"):
        SemanticXmlSplitter().create_documents(["a", "b"], [{"n": 1}])


def test_the_id_of_the_source_is_not_lost() -> None:
    chunks = SemanticXmlSplitter(500).split_documents(
        [Document(page_content=BUNDLE, id="doc-1"), Document(page_content=BUNDLE)]
    )
    assert {chunk.metadata.get("parent_id", "lost") for chunk in chunks} == {"doc-1", None}


class Page(Document):
    """A Document of someone's own, with a field and a constructor of its own."""

    number: int

    def __init__(self, page_content: str, number: int) -> None:
        super().__init__(page_content=page_content, number=number, metadata={"n": [number]})


def test_a_subclass_of_document_with_its_own_constructor_is_split_and_stays_as_it_was() -> None:
    page = Page(BUNDLE, 7)
    before = copy.deepcopy(page)
    chunks = SemanticXmlSplitter(500).split_documents([page])
    assert {type(chunk) for chunk in chunks} == {Document}
    assert all(chunk.metadata["n"] == [7] for chunk in chunks)
    assert page == before
    check_laws(BUNDLE, chunks, chunk_size=500, source_metadata={"n": [7]})


# Calls


def test_a_splitter_that_is_used_again_does_not_mix_results() -> None:
    splitter = SemanticXmlSplitter(500)
    first = splitter.split_text(BUNDLE)
    assert splitter.split_text("another text") == ["another text"]
    assert splitter.split_text(BUNDLE) == first == SemanticXmlSplitter(500).split_text(BUNDLE)


def test_a_call_that_was_given_up_leaves_nothing_to_the_next() -> None:
    splitter = SemanticXmlSplitter(500, 50)
    expected = splitter.create_documents([BUNDLE])
    next(splitter.lazy_split_text(BUNDLE))
    given_up = splitter.lazy_split_documents([Document(page_content=BUNDLE)] * 2)
    assert list(islice(given_up, len(expected) + 1))[:-1] == expected
    assert splitter.create_documents([BUNDLE]) == expected


def test_many_awaited_calls_of_one_splitter_do_not_meet() -> None:
    splitter = SemanticXmlSplitter(300, 30, deterministic_ids=True)
    sources = [
        [Document(page_content=BUNDLE.replace("step", f"step_{n}"), id=str(n), metadata={"n": n})] for n in range(50)
    ]

    async def split_all() -> list[list[Document]]:
        return [list(chunks) for chunks in await asyncio.gather(*map(splitter.atransform_documents, sources))]

    for source, chunks in zip_longest(sources, asyncio.run(split_all())):
        assert chunks == splitter.split_documents(source)


def test_the_event_loop_goes_on_while_documents_are_split() -> None:
    loop_went_on = threading.Event()

    def waits_for_the_loop(text: str) -> int:
        assert loop_went_on.wait(60), "the loop stands still while a document is measured"
        return len(text)

    async def split_and_go_on() -> list[Document]:
        splitter = SemanticXmlSplitter(500, length_function=waits_for_the_loop)
        splitting = asyncio.ensure_future(splitter.atransform_documents([Document(page_content=BUNDLE)]))
        await asyncio.sleep(0)
        loop_went_on.set()
        return list(await splitting)

    chunks = asyncio.run(split_and_go_on())
    assert chunks == SemanticXmlSplitter(500).split_documents([Document(page_content=BUNDLE)])
