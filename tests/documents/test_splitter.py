"""The methods of the splitter, and what may happen around a call.

What the Documents say of themselves is tested in `test_metadata`, the laws as properties in `test_properties`.
"""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading
from collections import ChainMap, OrderedDict, UserDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import ElementRule, SemanticXmlSplitter
from tests.documents.splitting import BUNDLE, A, B, big, contents, own_metadata, small, split, utf8, words
from tests.laws.checks import squeeze

# Doors


@pytest.mark.parametrize("size", [20, 60, 4000])
def test_every_door_gives_the_same_documents(size: int) -> None:
    splitter = SemanticXmlSplitter(size, chunk_overlap=9, deterministic_ids=True)
    text, own = BUNDLE + big(), {"source": "b.xml"}
    created = splitter.create_documents([text], [own])
    document = Document(page_content=text, metadata=own)
    assert contents(created) == splitter.split_text(text)
    assert splitter.split_documents([document]) == created
    assert list(splitter.lazy_split_documents(iter([document]))) == created
    assert list(splitter.transform_documents([document])) == created
    assert list(asyncio.run(splitter.atransform_documents([document]))) == created
    bare = splitter.create_documents([text])
    assert list(splitter.lazy_split_text(text)) == bare
    assert list(splitter.lazy_split_text(text[n : n + 9] for n in range(0, len(text), 9))) == bare


def test_no_texts_and_no_documents_give_none() -> None:
    splitter = SemanticXmlSplitter()
    assert splitter.create_documents([]) == splitter.split_documents([]) == splitter.split_documents(iter(())) == []
    assert splitter.create_documents([], []) == list(splitter.transform_documents([])) == []


def test_generators_of_texts_and_metadatas_are_read_in_step() -> None:
    texts, metadatas = (text for text in ["", A, " \n", B]), ({"n": number} for number in range(4))
    chunks = SemanticXmlSplitter().create_documents(texts, metadatas)
    assert [(chunk.page_content, chunk.metadata["n"]) for chunk in chunks] == [(A, 1), (B, 3)]


@pytest.mark.parametrize(
    ("texts", "metadatas", "says"),
    [
        (2, 1, r"more texts than metadatas \(1\)"),
        (1, 2, r"more metadatas than texts \(1\)"),
        (0, 1, r"more metadatas than texts \(0\)"),
        (1, 0, r"more texts than metadatas \(0\)"),
    ],
)
@pytest.mark.parametrize("kind", [list, iter], ids=["lists", "iterators"])
def test_each_text_needs_its_metadata(
    texts: int, metadatas: int, says: str, kind: Callable[[list[Any]], Iterable[Any]]
) -> None:
    with pytest.raises(ValueError, match=says):
        SemanticXmlSplitter().create_documents(kind([A] * texts), kind([{}] * metadatas))


@pytest.mark.parametrize("value", [None, "source", [("a", 1)], 3], ids=repr)
def test_metadata_that_is_no_mapping_is_refused(value: Any) -> None:  # noqa: ANN401 - anything
    with pytest.raises(TypeError, match=r"metadatas\[1\] must be a mapping"):
        SemanticXmlSplitter().create_documents([A, A], [{}, value])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda s: s.create_documents(A), "texts must be an iterable of str, not str; put a single one into a list"),
        (lambda s: s.create_documents(None), "texts must be an iterable of str, not NoneType"),
        (lambda s: s.create_documents(b"x"), "texts must be an iterable of str, not bytes"),
        (lambda s: s.create_documents([A, None]), r"texts\[1\] must be a str, not NoneType"),
        (lambda s: s.create_documents([A, b"x"]), r"texts\[1\] must be a str, not bytes; decode it first"),
        (lambda s: s.create_documents([Document(page_content=A)]), r"texts\[0\] must be a str, not Document"),
        (lambda s: s.create_documents(Document(page_content=A)), "texts must be an iterable of str, not Document"),
        (lambda s: s.split_documents(A), "documents must be an iterable of Document, not str"),
        (lambda s: s.split_documents(Document(page_content=A)), "documents must be an iterable of Document"),
        (lambda s: s.split_documents(None), "documents must be an iterable of Document, not NoneType"),
        (lambda s: s.split_documents([Document(page_content=A), A]), r"documents\[1\] must be a Document, not str"),
        (lambda s: s.split_documents([None]), r"documents\[0\] must be a Document, not NoneType"),
        (lambda s: s.split_documents([{"page_content": A}]), r"documents\[0\] must be a Document, not dict"),
        (lambda s: s.transform_documents([A]), r"documents\[0\] must be a Document, not str"),
        (lambda s: s.split_text(None), "text must be a str, not NoneType"),
        (lambda s: s.split_text([A]), "text must be a str, not list"),
        (lambda s: s.split_text(Document(page_content=A)), "text must be a str, not Document; pass its page_content"),
        (lambda s: s.split_text(A.encode()), "text must be a str, not bytes; decode it first"),
        (lambda s: s.lazy_split_text(None), "text_or_stream must be a str, not NoneType"),
        (lambda s: s.lazy_split_text(b"x"), "text_or_stream must be a str, not bytes"),
        (lambda s: s.lazy_split_text(Document(page_content=A)), "text_or_stream must be a str, not Document"),
        (lambda s: s.lazy_split_documents(A), "documents must be an iterable of Document, not str"),
        (lambda s: list(s.lazy_split_documents([A])), r"documents\[0\] must be a Document, not str"),
    ],
)
def test_what_a_door_does_not_take_is_refused_with_a_remedy(
    call: Callable[[SemanticXmlSplitter], object], says: str
) -> None:
    with pytest.raises(TypeError, match=says):
        call(SemanticXmlSplitter())


def test_documents_are_taken_only_when_their_chunks_are_asked_for() -> None:
    taken: list[int] = []

    def documents() -> Iterator[Document]:
        for number in range(9):
            taken.append(number)
            yield Document(page_content=f"{A}\n{B}", metadata={"n": number})

    chunks = SemanticXmlSplitter(30).lazy_split_documents(documents())
    assert taken == []
    assert [next(chunks).metadata["n"] for _ in range(4)] == [0, 0, 1, 1]
    assert taken == [0, 1]


def test_lazy_calls_of_one_splitter_do_not_meet() -> None:
    splitter = SemanticXmlSplitter(60, chunk_overlap=20)
    text, other = BUNDLE + big(), big("other") + BUNDLE
    pairs = list(zip(splitter.lazy_split_text(text), splitter.lazy_split_text(other), strict=False))
    assert contents(one for one, _ in pairs) == splitter.split_text(text)[: len(pairs)]
    assert contents(two for _, two in pairs) == splitter.split_text(other)[: len(pairs)]


def test_documents_of_a_subclass_are_split_into_documents() -> None:
    class Page(Document):
        number: int = 1

    chunks = SemanticXmlSplitter().split_documents([Page(page_content=BUNDLE, metadata={"a": 1}, id="p")])
    assert [type(chunk) for chunk in chunks] == [Document]
    assert (chunks[0].metadata["a"], chunks[0].metadata["parent_id"]) == (1, "p")


def test_a_subclass_of_str_is_split_into_plain_strings() -> None:
    class Prompt(str):
        __slots__ = ()

    chunks = SemanticXmlSplitter(60).split_text(Prompt(BUNDLE))
    assert chunks == SemanticXmlSplitter(60).split_text(BUNDLE)
    assert {type(chunk) for chunk in chunks} == {str}


class Frozen(Mapping[str, object]):
    """The least that a mapping can do."""

    def __getitem__(self, key: str) -> object:
        return {"a": [1]}[key]

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    "metadata",
    [Frozen(), MappingProxyType({"a": [1]}), UserDict({"a": [1]}), ChainMap({"a": [1]}), OrderedDict({"a": [1]})],
    ids=lambda metadata: type(metadata).__name__,
)
def test_a_mapping_of_any_kind_is_metadata(metadata: Mapping[str, Any]) -> None:
    first, second = SemanticXmlSplitter(30, deterministic_ids=True).create_documents([f"{A}\n{B}"], [metadata])
    first.metadata["a"].append(2)
    assert (type(second.metadata), second.metadata["a"], metadata["a"]) == (dict, [1], [1])
    assert "block_type" not in metadata


# Purity


@pytest.mark.parametrize("size", [20, 60, 4000])
def test_inputs_are_unchanged(size: int) -> None:
    texts, metadatas = [BUNDLE, big()], [own_metadata(), own_metadata()]
    documents = [Document(page_content=BUNDLE, metadata=own_metadata(), id="1")]
    splitter = SemanticXmlSplitter(size, deterministic_ids=True)
    for chunk in [*splitter.create_documents(texts, metadatas), *splitter.split_documents(documents)]:
        chunk.metadata["tags"].append("changed")
        chunk.metadata["nested"]["list"][0]["deep"] = 2
        chunk.metadata["set"].clear()
        chunk.metadata["source"] = "changed"
    assert (texts, metadatas) == ([BUNDLE, big()], [own_metadata(), own_metadata()])
    assert documents == [Document(page_content=BUNDLE, metadata=own_metadata(), id="1")]


def test_nothing_is_shared_between_chunks() -> None:
    one = own_metadata()
    chunks = SemanticXmlSplitter(60).create_documents([BUNDLE, BUNDLE], [one, one])
    first, *others = chunks
    for value in first.metadata.values():
        if isinstance(value, (list, dict, set)):
            value.clear()
    fresh = SemanticXmlSplitter(60).create_documents([BUNDLE, BUNDLE], [own_metadata(), own_metadata()])
    assert others == fresh[1:]


def test_what_is_shared_within_one_metadata_stays_shared_within_one_chunk() -> None:
    shared = [1]
    first, second = SemanticXmlSplitter(30).create_documents([f"{A}\n{B}"], [{"a": shared, "b": shared}])
    assert first.metadata["a"] is first.metadata["b"]
    assert first.metadata["a"] is not second.metadata["a"]


def test_a_splitter_is_not_changed_by_what_it_was_made_from() -> None:
    names, isolate = ["a"], {"a"}
    splitter = SemanticXmlSplitter(elements=names, isolate=isolate)
    names.append("file")
    isolate.clear()
    assert splitter.split_text(f"{small(2)}\n{A}") == ["<a>0</a>", "<a>1</a>", A]


CLONES: list[Callable[[SemanticXmlSplitter], SemanticXmlSplitter]] = [
    copy.copy,
    copy.deepcopy,
    lambda splitter: pickle.loads(pickle.dumps(splitter, 2)),  # noqa: S301 - our own
    lambda splitter: pickle.loads(pickle.dumps(splitter, pickle.HIGHEST_PROTOCOL)),  # noqa: S301 - our own
]


@pytest.mark.parametrize("clone", CLONES, ids=["copy", "deepcopy", "pickle 2", "pickle"])
@pytest.mark.parametrize("used", [False, True], ids=["new", "used"])
def test_a_copied_splitter_splits_alike(
    clone: Callable[[SemanticXmlSplitter], SemanticXmlSplitter], *, used: bool
) -> None:
    splitter = SemanticXmlSplitter(
        60,
        20,
        utf8,
        elements=["file", ElementRule("output", identity=("command",), bare=False)],
        separator=None,
        isolate=["output"],
        deterministic_ids=True,
    )
    if used:
        splitter.split_text(BUNDLE)
    text = BUNDLE + big()
    assert clone(splitter).create_documents([text]) == splitter.create_documents([text])


def test_a_splitter_learns_nothing_from_a_call() -> None:
    splitter = SemanticXmlSplitter(60, 20, words)
    before = pickle.dumps(splitter)
    expected = splitter.create_documents([BUNDLE])
    splitter.split_text("x" * 100_000)
    with pytest.raises(TypeError):
        splitter.split_text(None)  # type: ignore[arg-type]
    assert splitter.create_documents([BUNDLE]) == expected
    assert pickle.dumps(splitter) == before


def test_threads_share_a_splitter() -> None:
    splitter = SemanticXmlSplitter(100, 30, words, deterministic_ids=True)
    texts = [BUNDLE * (number % 5) + big(str(number)) for number in range(16)]
    expected = [splitter.create_documents([text]) for text in texts]
    barrier = threading.Barrier(4)

    def work(first: int) -> list[tuple[int, list[Document]]]:
        barrier.wait()
        order = [*range(first, len(texts)), *range(first)]
        return [(number, splitter.create_documents([texts[number]])) for number in order]

    with ThreadPoolExecutor(4) as pool:
        for results in pool.map(work, [0, 4, 8, 12]):
            assert all(documents == expected[number] for number, documents in results)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ud800<file path='\udfff'>\0\ud83d</file>\udc00" * 9, id="surrogates and NUL"),
        pytest.param("<file path='a'>" + "\u0301" * 500 + "</file>", id="one cluster"),
        pytest.param("<file path='a'>" + " \n" * 500 + "</file>", id="a blank body"),
        pytest.param("# h\n" * 500, id="headings alone"),
        pytest.param("<files>\n" * 500, id="openings alone"),
        pytest.param("</files>\n" * 500, id="closings alone"),
        pytest.param("\r" * 500 + "x", id="carriage returns"),
    ],
)
def test_no_text_raises(text: str) -> None:
    split(text, 100)
    split(text, 100, chunk_overlap=30, separator=None)


def test_five_thousand_levels_are_cut() -> None:
    text = "<file path='a'>\n" * 5000 + "</file>\n" * 5000
    chunks = SemanticXmlSplitter(1000, repeat=None).split_text(text)
    assert max(map(len, chunks)) <= 1000
    assert squeeze("".join(chunks)) == squeeze(text)
