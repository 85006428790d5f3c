"""The laws notice what they are for: a result with one fault breaks them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.laws.checks import check_laws, is_one_cluster

TEXT = "# Sources\n\n" + "".join(f'<file path="{i}.py">\nx = {i}\ny = {i}\n</file>\n\n' for i in range(6))
OVERSIZED = '<file path="big.py">\n' + "".join(f"line_{i:02} = {i}\n" for i in range(20)) + "</file>\n"


def _documents() -> list[Document]:
    return SemanticXmlSplitter(chunk_size=90).create_documents([TEXT + OVERSIZED])


def _check(documents: list[Document]) -> None:
    check_laws(TEXT + OVERSIZED, documents, chunk_size=90)


def _set(key: str, value: object, at: int = 1) -> Callable[[list[Document]], None]:
    def fault(documents: list[Document]) -> None:
        documents[at].metadata[key] = value

    return fault


def _move(key: str, by: int, at: int = 1) -> Callable[[list[Document]], None]:
    def fault(documents: list[Document]) -> None:
        documents[at].metadata[key] += by

    return fault


def _replace(old: str, new: str, at: int = 1) -> Callable[[list[Document]], None]:
    def fault(documents: list[Document]) -> None:
        assert old in documents[at].page_content
        documents[at].page_content = documents[at].page_content.replace(old, new, 1)

    return fault


def _share_a_value(documents: list[Document]) -> None:
    documents[2].metadata["identities"] = documents[1].metadata["identities"]


FAULTS: dict[str, Callable[[list[Document]], None]] = {
    "a chunk is lost": lambda documents: documents.__delitem__(1),
    "a chunk is there twice": lambda documents: documents.insert(1, documents[1]),
    "two chunks change places": lambda documents: documents.insert(1, documents.pop(2)),
    "a part is lost": lambda documents: documents.__delitem__(-1),
    "a character is lost": _replace("x", ""),
    "a character is another": _replace("y", "z"),
    "a line end is lost": _replace("\n", ""),
    "a separator is too long": _replace("\n\n", "\n\n\n", at=0),
    "a part has a tag that is not its element's": _replace('<file path="big.py">', '<file path="pig.py">', at=-2),
    "a chunk is blank": lambda documents: documents.append(Document(" \n", metadata=documents[-1].metadata)),
    "a chunk is too long": lambda documents: documents.__setitem__(
        slice(1, 2), [documents[1].model_copy(update={"page_content": documents[1].page_content * 2})]
    ),
    "a chunk is called oversized": _set("oversized", value=True),
    "a start is early": _move("start_index", by=-1),
    "a start is late": _move("start_index", by=1),
    "an end is early": _move("end_index", by=-1),
    "an end is late": _move("end_index", by=1),
    "a line is wrong": _move("start_line", by=1),
    "a last line is wrong": _move("end_line", by=1),
    "a key is missing": lambda documents: documents[1].metadata.__delitem__("identity"),
    "a list is empty": _set("identities", value=[]),
    "a value fits into no store": _set("extra", value={"a": 1}),
    "a type is wrong": _set("block_type", value="output"),
    "the parts begin at two": _set("part", value=2, at=-2),
    "a value is shared": _share_a_value,
}


def test_a_right_result_breaks_no_law() -> None:
    _check(_documents())


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_breaks_a_law(fault: Callable[[list[Document]], None]) -> None:
    documents = _documents()
    fault(documents)
    with pytest.raises(AssertionError):
        _check(documents)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", True),
        ("\r\n", True),
        ("e\N{COMBINING ACUTE ACCENT}", True),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", True),
        ("\U0001f1e9\U0001f1ea", True),
        ("", False),
        ("ab", False),
        ("\n\r", False),
    ],
)
def test_a_cluster_is_one_character_as_a_person_sees_it(text: str, expected: bool) -> None:
    assert is_one_cluster(text) is expected
