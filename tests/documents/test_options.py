"""The options of the splitter have the same names and defaults wherever they stand."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.typing import SplitterOptions, TokenSplitterOptions
from langchain_semantic_xml.values import Options

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
