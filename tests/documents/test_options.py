"""The options of the splitter: the same names and defaults wherever they stand, and what is refused.

The errors as values are tested in `test_option_errors`.
"""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any

import pytest
from langchain_text_splitters import TextSplitter

from langchain_semantic_xml import ElementRule, SemanticXmlSplitter
from langchain_semantic_xml.typing import SplitterOptions, TokenSplitterOptions
from langchain_semantic_xml.values import Options
from tests.documents.splitting import A

SIGNATURE = inspect.signature(SemanticXmlSplitter).parameters
STORED = {field.name: field.default for field in fields(Options)}
RESOLVED = {"elements"}
"""Options that the splitter turns into other values before it stores them."""


def test_the_signature_the_stored_options_and_the_typed_dictionary_have_the_same_names() -> None:
    assert list(STORED) == list(SIGNATURE)
    assert set(SplitterOptions.__annotations__) == set(SIGNATURE)


@pytest.mark.parametrize("name", sorted(set(SIGNATURE) - RESOLVED))
def test_an_option_has_one_default(name: str) -> None:
    assert STORED[name] == SIGNATURE[name].default


def test_constructors_that_count_tokens_take_every_option_but_the_length_function() -> None:
    assert set(SplitterOptions.__annotations__) - set(TokenSplitterOptions.__annotations__) == {"length_function"}


def test_the_options_have_these_defaults() -> None:
    assert {name: parameter.default for name, parameter in SIGNATURE.items()} == {
        "chunk_size": 4000,
        "chunk_overlap": 0,
        "length_function": len,
        "add_start_index": True,
        "strip_whitespace": True,
        "elements": None,
        "separator": "\n\n",
        "new_after": None,
        "combine_under": None,
        "isolate": (),
        "oversized": "split",
        "syntax": False,
        "granularity": "element",
        "syntax_seconds": None,
        "repeat": "tags",
        "deterministic_ids": False,
    }


def test_all_options_but_the_first_three_are_named() -> None:
    assert SemanticXmlSplitter(100, 10, len).split_text(A) == [A]
    with pytest.raises(TypeError):
        SemanticXmlSplitter(100, 10, len, True)  # type: ignore[call-arg]


def test_it_is_a_text_splitter_of_langchain() -> None:
    assert isinstance(SemanticXmlSplitter(), TextSplitter)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"chunk_size": 0}, ValueError, "chunk_size=0 is too small; give a whole number >= 1"),
        ({"chunk_size": -5}, ValueError, "chunk_size=-5"),
        ({"chunk_size": True}, TypeError, "chunk_size=True must be an int, not bool"),
        ({"chunk_size": 10.0}, TypeError, "chunk_size=10.0 must be an int, not float"),
        ({"chunk_size": "10"}, TypeError, "chunk_size='10' must be an int, not str"),
        ({"chunk_size": None}, TypeError, "chunk_size=None"),
        ({"chunk_overlap": -1}, ValueError, "chunk_overlap=-1"),
        ({"chunk_overlap": False}, TypeError, "chunk_overlap=False"),
        ({"chunk_size": 10, "chunk_overlap": 10}, ValueError, "chunk_overlap=10 must be less than chunk_size=10"),
        ({"chunk_size": 10, "chunk_overlap": 11}, ValueError, "chunk_overlap=11 must be less than chunk_size=10"),
        ({"chunk_overlap": 4000}, ValueError, "chunk_overlap=4000 must be less than chunk_size=4000"),
        ({"length_function": None}, TypeError, "length_function=None must be a callable"),
        ({"length_function": 3}, TypeError, "length_function=3 must be a callable"),
        ({"add_start_index": 1}, TypeError, "add_start_index=1 must be True or False"),
        ({"add_start_index": None}, TypeError, "add_start_index=None"),
        ({"strip_whitespace": "no"}, TypeError, "strip_whitespace='no'"),
        ({"elements": "file"}, TypeError, "elements='file'"),
        ({"elements": ["a b"]}, ValueError, "'a b' is not an XML Name"),
        ({"elements": ["text"]}, ValueError, "text"),
        ({"elements": [1]}, TypeError, "1 must be a name"),
        ({"elements": [ElementRule("a"), ElementRule("a", bare=False)]}, ValueError, "two different rules"),
        ({"separator": 1}, TypeError, "separator=1 must be a str"),
        ({"separator": b"\n"}, TypeError, "separator=b'\\n' must be a str"),
        ({"new_after": -1}, ValueError, "new_after=-1"),
        ({"new_after": True}, TypeError, "new_after=True"),
        ({"combine_under": -1}, ValueError, "combine_under=-1"),
        ({"combine_under": 1.5}, TypeError, "combine_under=1.5"),
        ({"isolate": "file"}, TypeError, "isolate='file' must be an iterable of block types, or True"),
        ({"isolate": b"file"}, TypeError, "isolate=b'file'"),
        ({"isolate": None}, TypeError, "isolate=None"),
        ({"isolate": [None]}, TypeError, "isolate: None must be a str, not NoneType"),
        ({"isolate": ["flie"]}, ValueError, "isolate: no block has the type 'flie'; choose among"),
        ({"isolate": ["output"], "elements": ["file"]}, ValueError, "isolate: no block has the type 'output'"),
        ({"oversized": "cut"}, ValueError, 'oversized=\'cut\' must be "split", "keep" or "error"'),
        ({"oversized": "Split"}, ValueError, "oversized='Split'"),
        ({"oversized": None}, ValueError, "oversized=None"),
        ({"oversized": True}, ValueError, "oversized=True"),
        ({"repeat": "yes"}, ValueError, "repeat='yes' must be"),
        ({"granularity": "line"}, ValueError, "granularity='line' must be"),
        ({"syntax_seconds": 0}, ValueError, "syntax_seconds=0"),
        ({"syntax_seconds": "1"}, TypeError, "syntax_seconds='1'"),
        ({"syntax": "python"}, TypeError, "syntax='python'"),
        ({"deterministic_ids": 0}, TypeError, "deterministic_ids=0"),
        ({"chunk_sise": 10}, TypeError, "chunk_sise"),
        ({"keep_separator": True}, TypeError, "keep_separator"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_wrong_option_is_refused_by_name_value_and_remedy(
    options: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error) as raised:
        SemanticXmlSplitter(**options)
    assert says in str(raised.value)


def test_an_unhashable_value_is_refused_like_any_other() -> None:
    with pytest.raises(ValueError, match="oversized"):
        SemanticXmlSplitter(oversized=["split"])  # type: ignore[arg-type]
