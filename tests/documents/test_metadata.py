"""The metadata of Documents: the keys, their values, attributes, and keys that the source's metadata have already.

Rule: M1, M2.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.laws import checks as laws

OTHER_KEYS = set(laws.KEYS)
POSITION_KEYS = set(laws.POSITION_KEYS)
KEYS = OTHER_KEYS | POSITION_KEYS

A = "<file path='a.py' language='python'>\nx = 1\n</file>"
B = "<file path='b.py'>\ny = 2\n</file>"
LS = "<output command='ls'>\na.py\n</output>"
BARE = "<file>\nz\n</file>"
BIG = "<file path='big.txt'>\n" + "\n".join(f"some words {number}" for number in range(30)) + "\n</file>"


def metadata_of(text: str, chunk_size: int = 4000, **options: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - options
    """Split one text without metadata of its own."""
    return [chunk.metadata for chunk in SemanticXmlSplitter(chunk_size, **options).create_documents([text])]


def one(text: str, own: Mapping[Any, Any] | None = None, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - options
    """Return the metadata of the one chunk of a text."""
    (chunk,) = SemanticXmlSplitter(**options).create_documents([text], [own or {}])
    return dict(chunk.metadata)


# The set of keys


EVERY_KIND = f"# Files\n<files>\n{A}\n{B}\n</files>\n{LS}\nwords\n{BARE}\n{BIG}\nwords"


@pytest.mark.parametrize("size", [20, 60, 150, 4000])
@pytest.mark.parametrize("oversized", ["split", "keep"])
def test_every_chunk_has_all_keys(size: int, oversized: Any) -> None:  # noqa: ANN401 - one of the literals
    for metadata in metadata_of(EVERY_KIND, size, oversized=oversized):
        assert set(metadata) >= KEYS
        assert set(metadata) - KEYS <= {"path", "language", "command"}


@pytest.mark.parametrize("size", [20, 60, 4000])
def test_chunks_without_attributes_have_no_other_keys(size: int) -> None:
    for metadata in metadata_of(f"# A\nwords\n{BARE}\nmore words", size):
        assert set(metadata) == KEYS


@pytest.mark.parametrize("size", [20, 60, 4000])
def test_the_position_keys_are_left_out_on_demand(size: int) -> None:
    with_them = metadata_of(EVERY_KIND, size)
    without = metadata_of(EVERY_KIND, size, add_start_index=False)
    assert without == [
        {key: value for key, value in metadata.items() if key not in POSITION_KEYS} for metadata in with_them
    ]


@pytest.mark.parametrize("size", [20, 60, 150, 4000])
def test_values_are_scalars_or_lists_of_strings_that_are_not_empty(size: int) -> None:
    for metadata in metadata_of(EVERY_KIND + "\n<file path='' n>\n</file>\n<output/>", size):
        for key, value in metadata.items():
            if isinstance(value, list):
                assert value, key
                assert {type(item) for item in value} == {str}, key
            else:
                assert type(value) in (str, int, bool, type(None)), key


def test_metadata_is_plain_json() -> None:
    metadata = metadata_of(EVERY_KIND, 150)
    assert json.loads(json.dumps(metadata)) == metadata


def test_the_sources_metadata_comes_first_and_in_its_order() -> None:
    keys = list(one(A, {"z": 1, "source": "b.xml", "a": 2}))
    assert keys[:3] == ["z", "source", "a"]
    assert set(keys[3:]) == KEYS | {"path", "language"}
    assert keys.index("path") > keys.index("parent_id")


# block_type, block_types, block_count, identity, identities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("words", ("text", ["text"], 1, None, None), id="text"),
        pytest.param(A, ("file", ["file"], 1, "a.py", ["a.py"]), id="an element"),
        pytest.param(BARE, ("file", ["file"], 1, None, None), id="an element without identity"),
        pytest.param("<file path=''>x</file>", ("file", ["file"], 1, None, None), id="an empty identity"),
        pytest.param(f"words\n{A}", ("file", ["text", "file"], 2, "a.py", ["a.py"]), id="text and an element"),
        pytest.param(f"{A}\nwords", ("file", ["file", "text"], 2, "a.py", ["a.py"]), id="in the order of the text"),
        pytest.param(f"{A}\n{B}", ("file", ["file"], 2, None, ["a.py", "b.py"]), id="two elements of a type"),
        pytest.param(f"{A}\n{BARE}", ("file", ["file"], 2, None, ["a.py"]), id="two, one without identity"),
        pytest.param(f"{BARE}\n{BARE}", ("file", ["file"], 2, None, None), id="two without identity"),
        pytest.param(f"{A}\n{A}", ("file", ["file"], 2, None, ["a.py", "a.py"]), id="the same identity twice"),
        pytest.param(f"{A}\n{LS}", ("mixed", ["file", "output"], 2, None, ["a.py", "ls"]), id="two types"),
        pytest.param(
            f"{LS}\nwords\n{A}\n{LS}\nwords",
            ("mixed", ["output", "text", "file"], 5, None, ["ls", "a.py", "ls"]),
            id="types are told once, identities each time",
        ),
        pytest.param("# A\n1\n# B\n2\n<files>\n3", ("text", ["text"], 1, None, None), id="units count as one block"),
        pytest.param(
            f"# A\n<files>\n{A}\n</files>\n# B\nx", ("file", ["text", "file"], 3, "a.py", ["a.py"]), id="containers"
        ),
        pytest.param("<file path='a'/>", ("file", ["file"], 1, "a", ["a"]), id="self-closing"),
        pytest.param(
            "<document index='1'>\n<source>s.md</source>\nx\n</document>",
            ("document", ["document"], 1, "s.md", ["s.md"]),
            id="an identity that is no attribute",
        ),
    ],
)
def test_a_chunk_says_what_is_in_it(text: str, expected: tuple[object, ...]) -> None:
    metadata = one(text)
    keys = ("block_type", "block_types", "block_count", "identity", "identities")
    assert tuple(metadata[key] for key in keys) == expected


def test_an_elements_name_may_be_mixed() -> None:
    assert one("<mixed>x</mixed>", elements=["mixed"])["block_type"] == "mixed"


def test_a_block_counts_in_each_chunk_that_holds_a_unit_of_it() -> None:
    metadata = metadata_of(f"# One\nwords\n\n# Two\nmore\n{A}", 62, combine_under=0)
    assert [(chunk["block_count"], chunk["block_types"]) for chunk in metadata] == [
        (1, ["text"]),
        (2, ["text", "file"]),
    ]


def test_repeated_blocks_count_too() -> None:
    text = "<file path='a'/>\n<file path='b'/>\n<file path='c'/>"
    metadata = metadata_of(text, 34, chunk_overlap=16)
    assert [chunk["identities"] for chunk in metadata] == [["a", "b"], ["b", "c"]]
    assert [chunk["block_count"] for chunk in metadata] == [2, 2]


# part, parts, oversized, parent_id


def test_parts_are_numbered_and_know_their_element() -> None:
    before, *parts, after = metadata_of(f"{A}\n{BIG}\n{B}", 120)
    count = len(parts)
    assert count > 2
    assert [(part["part"], part["parts"]) for part in parts] == [(number, count) for number in range(1, count + 1)]
    for part in parts:
        assert (part["block_type"], part["block_count"], part["identity"]) == ("file", 1, "big.txt")
        assert (part["path"], part["oversized"]) == ("big.txt", False)
    for whole in (before, after):
        assert (whole["part"], whole["parts"]) == (None, None)


def test_parts_of_text_are_numbered_too() -> None:
    parts = metadata_of("some words " * 30, 50)
    assert [part["part"] for part in parts] == list(range(1, len(parts) + 1))
    assert {(part["parts"], part["block_type"], part["identity"]) for part in parts} == {(len(parts), "text", None)}


def test_the_parts_of_each_block_are_counted_apart() -> None:
    parts = metadata_of(f"{BIG}\n{BIG}", 150)
    half = len(parts) // 2
    assert [part["part"] for part in parts] == [*range(1, half + 1)] * 2
    assert {part["parts"] for part in parts} == {half}


@pytest.mark.parametrize("size", [40, 60], ids=["tags of more than half the size", "tags of less"])
def test_a_blank_body_gives_part_one_of_one(size: int) -> None:
    (metadata,) = metadata_of("<file path='a'>" + "\n" * 100 + "</file>", size)
    assert (metadata["part"], metadata["parts"], metadata["oversized"]) == (1, 1, False)


def test_a_heading_in_a_part_is_counted() -> None:
    first, second, *_ = metadata_of(f"# Big\n{BIG}", 120)
    assert (first["block_types"], first["block_count"], first["identity"]) == (["text", "file"], 2, "big.txt")
    assert (second["block_types"], second["block_count"]) == (["file"], 1)


def test_oversized_tells_what_is_longer_than_the_size() -> None:
    chunks = SemanticXmlSplitter(100, oversized="keep").create_documents([f"{A}\n{BIG}\n{B}"])
    assert [chunk.metadata["oversized"] for chunk in chunks] == [False, True, False]
    assert all(chunk.metadata["oversized"] is (len(chunk.page_content) > 100) for chunk in chunks)
    assert [chunk.metadata["part"] for chunk in chunks] == [None] * 3


def test_a_character_longer_than_the_size_is_oversized() -> None:
    metadata = metadata_of("a\U0001f600b", 3, length_function=lambda text: len(text.encode()))
    assert [chunk["oversized"] for chunk in metadata] == [False, True, False]
    assert [chunk["part"] for chunk in metadata] == [1, 2, 3]


@pytest.mark.parametrize("name", ["doc-1", "", None], ids=repr)
def test_the_sources_id_is_the_parent_id(name: str | None) -> None:
    document = Document(page_content=f"{A}\n{BIG}", id=name)
    for deterministic in (False, True):
        chunks = SemanticXmlSplitter(120, deterministic_ids=deterministic).split_documents([document])
        assert {chunk.metadata["parent_id"] for chunk in chunks} == {name}


# Attributes


def test_the_attributes_of_the_only_element_are_added() -> None:
    metadata = one(f"# A\n{A}\nwords")
    assert (metadata["path"], metadata["language"]) == ("a.py", "python")


def test_attributes_without_a_value_are_empty() -> None:
    assert one("<file path='a' raw>x</file>")["raw"] == ""


def test_two_elements_add_no_attributes() -> None:
    assert set(one(f"{A}\n{B}")) == KEYS


def test_attributes_that_collide_with_keys_get_the_types_name() -> None:
    metadata = one("<file path='a' identity='i' part='p' start_line='7' chunk='c'>x</file>")
    assert (metadata["identity"], metadata["part"], metadata["start_line"]) == ("a", None, 1)
    assert (metadata["file_identity"], metadata["file_part"], metadata["file_start_line"]) == ("i", "p", "7")
    assert metadata["chunk"] == "c"


def test_attributes_that_collide_with_the_sources_metadata_get_the_types_name() -> None:
    metadata = one("<output command='ls' source='s'>x</output>", {"source": "b.xml", "command": "split"})
    assert (metadata["source"], metadata["command"]) == ("b.xml", "split")
    assert (metadata["output_source"], metadata["output_command"]) == ("s", "ls")


@pytest.mark.parametrize("own", [None, 0, "", [], False], ids=repr)
def test_whatever_the_source_has_under_a_name_stays(own: object) -> None:
    metadata = one(A, {"path": own, "identity": own})
    assert (metadata["path"], metadata["identity"]) == (own, own)
    assert (metadata["file_path"], metadata["chunk_identity"]) == ("a.py", "a.py")


def test_an_attribute_is_left_out_where_both_names_are_taken() -> None:
    own = {"path": 1, "file_path": 2}
    metadata = one(A, own)
    assert set(metadata) == KEYS | set(own) | {"language"}
    assert (metadata["path"], metadata["file_path"]) == (1, 2)


@pytest.mark.parametrize(
    "tag",
    ["<file path='1' file_path='2' part='3' file_part='4'>", "<file file_part='4' part='3' file_path='2' path='1'>"],
)
def test_an_attributes_own_name_goes_before_a_longer_one(tag: str) -> None:
    metadata = one(f"{tag}x</file>", {"path": "own"})
    assert (metadata["path"], metadata["file_path"], metadata["part"], metadata["file_part"]) == ("own", "2", None, "4")


def test_an_attribute_collides_with_position_keys_even_where_they_are_left_out() -> None:
    metadata = one("<file start_line='7'>x</file>", add_start_index=False)
    assert "start_line" not in metadata
    assert metadata["file_start_line"] == "7"


def test_an_attribute_does_not_take_the_name_of_a_key_that_moved_aside() -> None:
    metadata = one("<file path='a' chunk_identity='c'>x</file>", {"identity": 1})
    assert (metadata["identity"], metadata["chunk_identity"], metadata["file_chunk_identity"]) == (1, "a", "c")


def test_a_longer_name_that_is_a_key_is_taken() -> None:
    text = "<block type='x' count='2' part='3'>x</block>"
    metadata = one(text, {"type": "own", "count": "own"}, elements=["block"])
    assert (metadata["block_type"], metadata["block_count"], metadata["block_part"]) == ("block", 1, "3")
    assert (metadata["type"], metadata["count"]) == ("own", "own")


def test_attributes_with_the_same_names_on_every_part() -> None:
    parts = metadata_of(BIG.replace("path=", "part='9' path="), 120)
    assert {(part["file_part"], part["path"]) for part in parts} == {("9", "big.txt")}


# Collisions with the source's metadata


def test_a_key_that_the_source_has_is_stored_beside_it() -> None:
    own = dict.fromkeys(sorted(KEYS), "own")
    metadata = one(A, own)
    assert {key: metadata[key] for key in own} == own
    fresh = one(A)
    assert {key: metadata[f"chunk_{key}"] for key in KEYS} == {key: fresh[key] for key in KEYS}


def test_a_key_that_is_taken_twice_moves_on() -> None:
    own = {"identity": 1, "chunk_identity": 2}
    metadata = one(A, own)
    assert {key: metadata[key] for key in own} == own
    assert metadata["chunk_chunk_identity"] == "a.py"


def test_chunks_can_be_split_again() -> None:
    splitter = SemanticXmlSplitter(200)
    once = splitter.create_documents([f"{A}\n{BIG}"], [{"source": "b.xml"}])
    twice = SemanticXmlSplitter(100).split_documents(once)
    thrice = SemanticXmlSplitter(80).split_documents(twice)
    assert {chunk.metadata["source"] for chunk in thrice} == {"b.xml"}
    assert thrice[0].metadata["identity"] == thrice[0].metadata["chunk_chunk_identity"] == "a.py"
    first = twice[0].metadata
    assert {first[f"chunk_{key}"] for key in ("start_index", "start_line")} == {0, 1}


def test_every_chunk_has_the_same_names_for_the_keys() -> None:
    splitter = SemanticXmlSplitter(120)
    own = {"identity": 1, "part": 2, "start_line": 3}
    chunks = splitter.create_documents([EVERY_KIND], [own])
    for chunk in chunks:
        assert KEYS | {"chunk_identity", "chunk_part", "chunk_start_line"} <= set(chunk.metadata)


def test_keys_and_values_of_any_kind_are_kept() -> None:
    own: dict[Any, Any] = {
        1: "one",
        None: 2,
        ("a", 1): 3,
        "list": [{}],
        "set": {1},
        "inf": float("inf"),
        "type": object,
    }
    before = copy.deepcopy(own)
    for deterministic in (False, True):
        metadata = one(A, own, deterministic_ids=deterministic)
        assert {key: metadata[key] for key in own} == before
        assert metadata["path"] == "a.py"
    assert own == before


# Positions


def check_positions(text: str, chunks: list[Document]) -> None:
    """Assert that lines are those of the characters, and that each chunk begins and ends where it says."""
    for chunk in chunks:
        start, end = chunk.metadata["start_index"], chunk.metadata["end_index"]
        assert chunk.metadata["start_line"] == text.count("\n", 0, start) + 1
        assert chunk.metadata["end_line"] == text.count("\n", 0, end - 1) + 1
        assert not text[start:end].isspace()


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("overlap", [0, 19])
@pytest.mark.parametrize("size", [20, 60, 150, 4000])
@pytest.mark.parametrize(
    "options", [{}, {"separator": None}, {"strip_whitespace": False}, {"oversized": "keep"}], ids=str
)
def test_lines_and_characters_are_those_of_the_source(
    line_end: str, overlap: int, size: int, options: dict[str, Any]
) -> None:
    text = f"\n\n{EVERY_KIND}\n\n".replace("\n", line_end)
    check_positions(text, SemanticXmlSplitter(size, min(overlap, size - 1), **options).create_documents([text]))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_positions_are_these(line_end: str) -> None:
    text = line_end.join(["", "# A", "", "<file path='a'>", "x", "</file>", "", "<file path='b'/>", ""])
    first, second = metadata_of(text, 37, new_after=1)
    assert (first["start_line"], first["end_line"]) == (2, 6)
    assert text[first["start_index"] : first["end_index"]].startswith("# A")
    assert text[first["start_index"] : first["end_index"]].endswith("</file>")
    assert (second["start_line"], second["end_line"]) == (8, 8)
    assert text[second["start_index"] : second["end_index"]] == "<file path='b'/>"


@pytest.mark.parametrize("character", ["\f", "\v", "\u2028", "\u2029", "\x85", "\r"], ids=ascii)
def test_only_a_line_feed_ends_a_line(character: str) -> None:
    metadata = one(f"a{character}b{character}\n<file path='x'>{character}</file>{character}")
    assert (metadata["start_line"], metadata["end_line"]) == (1, 2)


def test_a_chunk_that_ends_in_a_line_end_ends_on_that_line() -> None:
    metadata = one("a\nb\n", strip_whitespace=False)
    assert (metadata["end_index"], metadata["end_line"]) == (4, 2)


@pytest.mark.parametrize("text", ["a", "\ufeffa", "\U0001f600a", "\ud800a", "a\u0301"], ids=ascii)
def test_positions_count_code_points(text: str) -> None:
    metadata = one(text)
    assert metadata["end_index"] == len(text)
    assert metadata["start_index"] == text.startswith("\ufeff")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_the_positions_of_parts_leave_repeated_tags_out(line_end: str) -> None:
    text = f"{A}\n{BIG}\n".replace("\n", line_end)
    _, *parts = SemanticXmlSplitter(120).create_documents([text])
    check_positions(text, parts)
    lines = text.split(line_end)
    for number, part in enumerate(parts):
        first, last = part.metadata["start_line"], part.metadata["end_line"]
        inner = part.page_content.split(line_end)
        if number:
            inner = inner[1:]
        if number < len(parts) - 1:
            inner = inner[:-1]
        assert inner == lines[first - 1 : last]


def test_repeated_chunks_are_where_they_are() -> None:
    text = "\n".join(["<file path='a'>same</file>"] * 4)
    metadata = metadata_of(text, 30)
    assert [chunk["start_index"] for chunk in metadata] == [0, 27, 54, 81]
    assert [chunk["start_line"] for chunk in metadata] == [1, 2, 3, 4]


def test_a_chunk_with_an_overlap_starts_where_the_overlap_does() -> None:
    text = "<file path='a'/>\n<file path='b'/>\n<file path='c'/>"
    metadata = metadata_of(text, 34, chunk_overlap=16)
    assert [(chunk["start_index"], chunk["end_index"]) for chunk in metadata] == [(0, 33), (17, 50)]
    assert [(chunk["start_line"], chunk["end_line"]) for chunk in metadata] == [(1, 2), (2, 3)]


def test_overlapping_parts_start_where_the_overlap_does() -> None:
    chunks = SemanticXmlSplitter(120, 40).create_documents([BIG])
    check_positions(BIG, chunks)
    for before, after in pairwise(chunks):
        assert before.metadata["start_index"] < after.metadata["start_index"] < before.metadata["end_index"]
        assert before.metadata["end_index"] < after.metadata["end_index"]


def test_a_heading_before_a_part_is_in_its_positions() -> None:
    first = metadata_of(f"\n# Big\n{BIG}", 120)[0]
    assert (first["start_index"], first["start_line"]) == (1, 2)


def test_positions_start_anew_with_every_text() -> None:
    chunks = SemanticXmlSplitter().create_documents([A, A])
    assert [chunk.metadata["start_index"] for chunk in chunks] == [0, 0]
    assert [chunk.metadata["start_line"] for chunk in chunks] == [1, 1]
