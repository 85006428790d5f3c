"""The name under which a key is written is the name under which it is read.

Rule: M3.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter, show_chunks
from langchain_semantic_xml._documents.names import KEYS, SYNTAX_KEYS, choose_keys, name_to_write, read_value

OWN = [
    {},
    {"part": "own"},
    {"part": "own", "chunk_part": "own too"},
    dict.fromkeys(KEYS, "own"),
    {name: "own" for key in KEYS for name in (key, f"chunk_{key}", f"chunk_chunk_{key}")},
]


@pytest.mark.parametrize("own", OWN, ids=len)
@pytest.mark.parametrize("key", [*KEYS, *SYNTAX_KEYS])
def test_a_written_value_is_read_again(own: dict[str, str], key: str) -> None:
    metadata = {**own, name_to_write(key, own): "ours"}
    assert read_value(metadata, key) == "ours"
    assert {name: metadata[name] for name in own} == own


def test_a_key_that_was_not_written_reads_as_none() -> None:
    assert read_value({"path": "a.py"}, "part") is None


def test_the_keys_stand_in_one_order_whichever_are_written() -> None:
    everything = choose_keys(positions=True, syntax=True)
    for positions in (True, False):
        for syntax in (True, False):
            chosen = choose_keys(positions=positions, syntax=syntax)
            assert [key for key in everything if key in chosen] == list(chosen)
            assert ("start_line" in chosen, "scope" in chosen) == (positions, syntax)


ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        [*KEYS, *SYNTAX_KEYS, *(f"chunk_{key}" for key in KEYS), "chunk_chunk_part", "source", "id", "type"]
    ),
    st.sampled_from(["", "0", "5", "/etc/passwd", "None", "&lt;b&gt;"]),
    max_size=8,
)


@given(ATTRIBUTES, ATTRIBUTES, st.sampled_from([{}, {"source": "b.xml"}, {"part": 1, "chunk_parts": 2}]))
def test_no_attribute_changes_a_value_that_readers_trust(
    first: dict[str, str], second: dict[str, str], own: dict[str, object]
) -> None:
    """Rule: M2."""

    def make(*attributes: dict[str, str]) -> list[Document]:
        tags = [" ".join(["<file", *(f'{name}="{value}"' for name, value in each.items())]) for each in attributes]
        text = "".join(f"{tag} path='a.py'>\nx\n</file>\n" for tag in tags)
        return SemanticXmlSplitter(isolate=True, syntax=True).create_documents([text], [own])

    hostile, plain = make(first, second), make({}, {})
    places = {"start_index", "end_index"}
    for document, expected in zip(hostile, plain, strict=True):
        for key in {*KEYS, *SYNTAX_KEYS} - places - {"content_start_line", "content_end_line"}:
            assert read_value(document.metadata, key) == read_value(expected.metadata, key)
        for key in ("source", "id"):
            assert document.metadata.get(key, "missing") == expected.metadata.get(key, "missing")
    show_chunks(hostile, source=None)
