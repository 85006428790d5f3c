"""Blocks and attributes as values, and their lines."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from functools import partial

import pytest

from langchain_semantic_xml import (
    Block,
    parse_blocks,
)
from langchain_semantic_xml.values import Attributes


def test_a_block_is_frozen_and_takes_no_new_attributes() -> None:
    block = Block.from_text("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        block.content = "b"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        block.note = "b"  # type: ignore[attr-defined]
    assert not hasattr(block, "__dict__")


def pickled(value: Block, protocol: int = pickle.DEFAULT_PROTOCOL) -> Block:
    twin = pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own
    assert isinstance(twin, Block)
    return twin


CLONES = [
    pytest.param(copy.copy, id="copy"),
    pytest.param(copy.deepcopy, id="deepcopy"),
    *(pytest.param(partial(pickled, protocol=number), id=f"pickle {number}") for number in range(6)),
]


@pytest.mark.parametrize("clone", CLONES)
def test_a_block_pickles_and_copies(clone: Callable[[Block], Block]) -> None:
    (block,) = parse_blocks("<file path='a' z='1' b='2'>x</file>")
    twin = clone(block)
    assert twin == block
    assert hash(twin) == hash(block)
    assert list(twin.attributes) == ["path", "z", "b"]


def test_blocks_are_compared_and_hashed_by_value() -> None:
    text = "<file path='a'>x</file>"
    (block,), (same,), (moved,) = parse_blocks(text), parse_blocks(text), parse_blocks(" " + text)
    assert block == same
    assert len({block, same, moved}) == 2


def test_attributes_are_a_mapping_that_is_read_only() -> None:
    attributes = parse_blocks("<file path='a' b='c'>x</file>")[0].attributes
    assert (dict(attributes), len(attributes), "b" in attributes) == ({"path": "a", "b": "c"}, 2, True)
    with pytest.raises(TypeError):
        attributes["path"] = "b"  # type: ignore[index]
    with pytest.raises(TypeError):
        del attributes["path"]  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="read-only; cannot set 'note'"):
        attributes.note = "x"
    with pytest.raises(AttributeError, match="read-only"):
        del attributes.note  # type: ignore[attr-defined]
    assert not hasattr(attributes, "update")
    assert not hasattr(attributes, "pop")


def test_attributes_do_not_see_later_changes_of_what_they_were_made_from() -> None:
    items = {"a": "1"}
    attributes = Attributes(items)
    items["a"] = "2"
    assert attributes == {"a": "1"}


def test_attributes_equal_any_mapping_and_hash_without_regard_to_order() -> None:
    one, other = Attributes({"a": "1", "b": "2"}), Attributes({"b": "2", "a": "1"})
    assert one == other == {"a": "1", "b": "2"}
    assert hash(one) == hash(other)
    assert one != Attributes({"a": "1"})
    assert repr(one) == "Attributes({'a': '1', 'b': '2'})"


def test_text_and_bare_elements_have_no_attributes_and_no_identity() -> None:
    text, element = parse_blocks("a\n<file>b</file>")
    assert (dict(text.attributes), text.identity) == ({}, None)
    assert (dict(element.attributes), element.identity) == ({}, None)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a", 1),
        ("a\n", 1),
        ("a\nb", 2),
        ("a\nb\n", 2),
        ("\na", 2),
        ("a\r\nb\r\n", 2),
        ("a\rb", 1),
        ("a\fb\vc\u2028d\u2029e\x85f\x1cg", 1),
        ("a\n\n", 2),
        ("", 0),
    ],
    ids=ascii,
)
def test_lines_are_counted_as_a_text_editor_does(content: str, lines: int) -> None:
    assert Block.from_text(content).lines == lines


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_start_lines_are_those_of_the_source(line_end: str) -> None:
    text = "# A\n\n<file>\nx\n</file>\n\n\n<file>b</file> c\n<file/>".replace("\n", line_end)
    blocks = [(block.type, block.start_line, block.lines) for block in parse_blocks(text)]
    assert blocks == [("text", 1, 2), ("file", 3, 3), ("file", 8, 1), ("text", 8, 1), ("file", 9, 1)]


@pytest.mark.parametrize("character", ["\f", "\v", "\u2028", "\u2029", "\x85", "\x1e", "\r"], ids=ascii)
def test_no_other_character_begins_a_line(character: str) -> None:
    (text, element) = parse_blocks(f"a{character}b{character}c\n<file>x{character}y</file>")
    assert (text.start_line, text.lines) == (1, 1)
    assert (element.start_line, element.lines) == (2, 1)


def test_a_block_made_from_text_stands_alone() -> None:
    block = Block.from_text("<page>a</page>\n", type="page")
    assert (block.type, block.start, block.end, block.start_line, block.lines) == ("page", 0, 15, 1, 1)
    assert (dict(block.attributes), block.identity) == ({}, None)
    with pytest.raises(TypeError, match="content must be a str, not bytes"):
        Block.from_text(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="type must be a str, not NoneType"):
        Block.from_text("a", None)  # type: ignore[arg-type]


def test_lines_are_counted_from_the_first_character() -> None:
    assert [block.start_line for block in parse_blocks("\n<file/>\n\n<file/>")] == [2, 4]


def test_a_self_closing_element_has_no_identity_beside_its_attributes() -> None:
    (element, _) = parse_blocks("<file/>\n<path>a</path>\n")
    assert element.identity is None


def test_attributes_are_listed_in_the_order_written() -> None:
    (element,) = parse_blocks("<file b='2' a='1' path='p'/>")
    assert list(element.attributes.values()) == ["2", "1", "p"]
    assert list(element.attributes.items()) == [("b", "2"), ("a", "1"), ("path", "p")]
