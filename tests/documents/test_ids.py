"""The ids of `deterministic_ids=True`: the same in every process, different for every chunk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.documents.splitting import BUNDLE, A, B, file, own_metadata

# deterministic_ids


def ids_of(documents: Iterable[Document]) -> list[str]:
    """Return the ids; assert that each is a UUID of version 5, and that no two are the same."""
    ids = [document.id for document in documents if document.id is not None]
    assert {uuid.UUID(name).version for name in ids} <= {5}
    assert len(set(ids)) == len(ids)
    return ids


SAME = "\n".join(["<file path='a'>same</file>"] * 3)


def test_chunks_have_no_ids_unless_wanted() -> None:
    chunks = SemanticXmlSplitter(30).split_documents([Document(page_content=SAME, id="source")])
    assert [chunk.id for chunk in chunks] == [None] * 3


def test_ids_are_the_same_on_every_call_and_of_every_splitter() -> None:
    made = [
        ids_of(SemanticXmlSplitter(60, deterministic_ids=True).create_documents([BUNDLE], [own_metadata()]))
        for _ in range(2)
    ]
    assert made[0] == made[1]
    assert len(made[0]) > 2


def test_repeated_chunks_of_one_text_have_ids_of_their_own() -> None:
    assert len(ids_of(SemanticXmlSplitter(30, deterministic_ids=True).create_documents([SAME]))) == 3


def test_parts_and_overlaps_have_ids_of_their_own() -> None:
    splitter = SemanticXmlSplitter(60, 25, deterministic_ids=True)
    text = file("a", *["same"] * 100)
    assert len(ids_of(splitter.create_documents([text]))) == len(splitter.split_text(text)) > 5


@pytest.mark.parametrize("metadata", [{}, {"source": "a"}], ids=["no metadata", "metadata"])
def test_equal_texts_in_one_call_have_ids_of_their_own(metadata: dict[str, object]) -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    assert len(ids_of(splitter.create_documents([SAME, SAME], [metadata, metadata]))) == 6
    documents = [Document(page_content=SAME, metadata=metadata) for _ in range(2)]
    assert len(ids_of(splitter.split_documents(documents))) == 6


def test_the_sources_id_stands_for_its_metadata_and_place() -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    alone = ids_of(splitter.split_documents([Document(page_content=SAME, id="1")]))
    other = Document(page_content=SAME, id="2")
    again = ids_of(splitter.split_documents([other, Document(page_content=SAME, metadata={"fetched": 1}, id="1")]))
    assert again[3:] == alone


def test_ids_need_no_positions_in_the_metadata() -> None:
    splitters = [SemanticXmlSplitter(30, add_start_index=flag, deterministic_ids=True) for flag in (True, False)]
    first, second = (ids_of(splitter.create_documents([SAME])) for splitter in splitters)
    assert first == second


def test_an_empty_id_is_an_id() -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    empty, none = Document(page_content=SAME, id=""), Document(page_content=SAME)
    assert len(ids_of(splitter.split_documents([empty, none]))) == 6


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": "1"}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": {"b": 1}}, {"a": {"b": 2}}),
        ({"a": {1, 2}}, {"a": {1, 3}}),
        ({"a": "b,c"}, {"a": ["b", "c"]}),
        ({"a": "1", "b": "2"}, {"a": "1','b':'2"}),
    ],
    ids=repr,
)
def test_other_metadata_gives_other_ids(one: dict[str, object], other: dict[str, object]) -> None:
    splitter = SemanticXmlSplitter(deterministic_ids=True)
    first, second = (splitter.create_documents([A], [metadata]) for metadata in (one, other))
    assert len(ids_of([*first, *second])) == 2


def test_equal_metadata_gives_equal_ids_whatever_the_order() -> None:
    splitter = SemanticXmlSplitter(deterministic_ids=True)
    one, other = {"a": 1, "b": {"c": 2, "d": {8, 16, 0}}}, {"b": {"d": {0, 16, 8}, "c": 2}, "a": 1}
    assert ids_of(splitter.create_documents([A], [one])) == ids_of(splitter.create_documents([A], [other]))


def test_a_changed_chunk_gets_another_id_and_one_before_it_does_not() -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    one = ids_of(splitter.create_documents([f"{A}\n{B}"]))
    other = ids_of(splitter.create_documents([f"{A}\n{B.replace('2', '3')}"]))
    assert one[0] == other[0]
    assert one[1] != other[1]


IN_ANOTHER_PROCESS = f"""
import collections, dataclasses, datetime, decimal, enum, functools, json, pathlib, types
from langchain_semantic_xml import SemanticXmlSplitter

class Plain: pass
class Color(enum.Enum): RED = 1
@dataclasses.dataclass
class Holder: value: object
def function(): pass
words = {{"alpha", "beta", "gamma", "delta", "epsilon"}}
kinds = {{
    "none": None, "float": 0.1, "nan": float("nan"), "bytes": b"x", "surrogate": "\\ud800",
    "path": pathlib.PurePosixPath("a"), "date": datetime.date(2024, 1, 2), "decimal": decimal.Decimal("1.0"),
    "enum": Color.RED, "class": Plain, "set": words, "frozenset": frozenset(words), "set in list": [words],
    "set in dict": {{"a": words}}, "set in tuple": (1, words),
    "sets in set": {{frozenset(words), frozenset({{"x", "y"}})}},
    "object": object(), "plain object": Plain(), "object in list": [Plain()],
    "object in dict": {{"a": {{"b": Plain()}}}},
    "counter": collections.Counter(words), "defaultdict": collections.defaultdict(list, a=[words]),
    "dataclass": Holder(1), "set in dataclass": Holder(words), "object in dataclass": Holder(Plain()),
    "set in deque": collections.deque([words]), "set in namespace": types.SimpleNamespace(a=words),
    "function": function, "lambda": lambda: 1, "partial": functools.partial(function), "method": Plain().__init__,
    "exception": ValueError("a", 1),
}}
splitter = SemanticXmlSplitter(30, deterministic_ids=True)
text = {SAME!r} + "\\n\\udfff"
print(json.dumps({{kind: [chunk.id for chunk in splitter.create_documents([text], [{{"own": value, 1: 2}}])]
                  for kind, value in kinds.items()}}))
"""


def ids_in_a_process(seed: str) -> dict[str, list[str]]:
    printed = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    ids: dict[str, list[str]] = json.loads(printed)
    return ids


@pytest.fixture(scope="module")
def ids_in_processes() -> list[dict[str, list[str]]]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ids_in_a_process, ["1", "2"]))


KINDS = [
    "none", "float", "nan", "bytes", "surrogate", "path", "date", "decimal", "enum", "class", "set", "frozenset",
    "set in list", "set in dict", "set in tuple", "sets in set", "object", "plain object", "object in list",
    "object in dict", "counter", "defaultdict", "dataclass", "set in dataclass", "object in dataclass",
    "set in deque", "set in namespace", "function", "lambda", "partial", "method", "exception",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_the_same_in_every_process_whatever_the_metadata(
    kind: str, ids_in_processes: list[dict[str, list[str]]]
) -> None:
    one, other = (ids[kind] for ids in ids_in_processes)
    assert len(set(one)) == 3
    assert one == other


def test_these_are_all_kinds_of_metadata_that_are_tried(ids_in_processes: list[dict[str, list[str]]]) -> None:
    assert list(ids_in_processes[0]) == KINDS
