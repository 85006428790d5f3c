"""The name under which a key is written is the name under which it is read.

Rule: M3.
"""

from __future__ import annotations

import pytest

from langchain_semantic_xml._documents.names import KEYS, SCOPE_KEY, choose_keys, name_to_write, read_value

OWN = [
    {},
    {"part": "own"},
    {"part": "own", "chunk_part": "own too"},
    dict.fromkeys(KEYS, "own"),
    {name: "own" for key in KEYS for name in (key, f"chunk_{key}", f"chunk_chunk_{key}")},
]


@pytest.mark.parametrize("own", OWN, ids=len)
@pytest.mark.parametrize("key", [*KEYS, SCOPE_KEY])
def test_a_written_value_is_read_again(own: dict[str, str], key: str) -> None:
    metadata = {**own, name_to_write(key, own): "ours"}
    assert read_value(metadata, key) == "ours"
    assert {name: metadata[name] for name in own} == own


def test_a_key_that_was_not_written_reads_as_none() -> None:
    assert read_value({"path": "a.py"}, "part") is None


def test_the_keys_stand_in_one_order_whichever_are_written() -> None:
    everything = choose_keys(positions=True, scope=True)
    for positions in (True, False):
        for scope in (True, False):
            chosen = choose_keys(positions=positions, scope=scope)
            assert [key for key in everything if key in chosen] == list(chosen)
            assert ("start_line" in chosen, SCOPE_KEY in chosen) == (positions, scope)
