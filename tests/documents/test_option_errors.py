"""A wrong option is an error with parts: its name, its value, what is wrong and what to do."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable

import pytest

from langchain_semantic_xml import ElementRule, SemanticXmlLoader, SemanticXmlSplitter
from langchain_semantic_xml._cli.flags import write_as_flag
from langchain_semantic_xml.errors import OptionError, OptionTypeError, OptionValueError

MAKERS: dict[str, tuple[Callable[[], object], str, object, str, str]] = {
    "a number that is too small": (
        lambda: SemanticXmlSplitter(0),
        *("chunk_size", 0),
        *("chunk_size=0 is too small; give a whole number >= 1", "--chunk-size 0 is too small"),
    ),
    "a type": (
        lambda: SemanticXmlSplitter("9"),  # type: ignore[arg-type]
        *("chunk_size", "9"),
        *("chunk_size='9' must be an int, not str; give a whole number >= 1", "--chunk-size '9' must be an int"),
    ),
    "a value that another option forbids": (
        lambda: SemanticXmlSplitter(5, 9),
        *("chunk_overlap", 9),
        "chunk_overlap=9 must be less than chunk_size=5; lower it, or raise chunk_size",
        "--chunk-overlap 9 must be less than --chunk-size 5; lower it, or raise --chunk-size",
    ),
    "an item": (
        lambda: SemanticXmlSplitter(isolate=["flie"], elements=["file"]),
        *("isolate", "flie"),
        "isolate: no block has the type 'flie'; choose among file, text, or add it to elements",
        "--isolate: no block has the type 'flie'; choose among file, text, or add it to --elements",
    ),
    "a choice": (
        lambda: SemanticXmlSplitter(oversized="cut"),  # type: ignore[arg-type]
        *("oversized", "cut"),
        *('oversized=\'cut\' must be "split", "keep" or "error"', "--oversized 'cut' must be"),
    ),
    "a flag": (
        lambda: SemanticXmlLoader("x", show_progress=1),  # type: ignore[arg-type]
        *("show_progress", 1),
        *("show_progress=1 must be True or False, not int", "--show-progress 1 must be True"),
    ),
    "a rule": (
        lambda: ElementRule("a<b"),
        *("name", "a<b"),
        "name: 'a<b' is not an XML Name; write it without '<', '>', '/' or white space",
        "--name: 'a<b' is not an XML Name",
    ),
}


@pytest.fixture(params=MAKERS)
def case(request: pytest.FixtureRequest) -> tuple[OptionError, str, object, str, str]:
    make, *expected = MAKERS[request.param]
    with pytest.raises(OptionError) as caught:
        make()
    return (caught.value, *expected)  # type: ignore[return-value]


def test_an_error_names_its_option_and_its_value(case: tuple[OptionError, str, object, str, str]) -> None:
    error, option, value, message, _ = case
    assert (error.option, error.value, str(error)) == (option, value, message)


def test_each_door_writes_the_options_in_its_own_way(case: tuple[OptionError, str, object, str, str]) -> None:
    error, *_, flags = case
    assert error.message(write_as_flag).startswith(flags)


@pytest.mark.parametrize("clone", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])  # noqa: S301 - our own
def test_a_copy_is_equal_and_says_the_same(
    case: tuple[OptionError, str, object, str, str], clone: Callable[[OptionError], OptionError]
) -> None:
    twin = clone(case[0])
    assert (twin, hash(twin), str(twin), repr(twin)) == (case[0], hash(case[0]), str(case[0]), repr(case[0]))


def test_errors_of_different_kinds_or_values_differ() -> None:
    error = OptionValueError("chunk_size", 0, "is too small")
    assert error != OptionValueError("chunk_size", 1, "is too small")
    assert error != OptionTypeError("chunk_size", 0, "is too small")
    assert error != ValueError("chunk_size", 0, "is too small", "", False)


def test_the_errors_are_the_ones_that_users_catch() -> None:
    with pytest.raises(ValueError, match="chunk_size=0"):
        SemanticXmlSplitter(0)
    with pytest.raises(TypeError, match=re.escape("chunk_size=0.5")):
        SemanticXmlSplitter(0.5)  # type: ignore[arg-type]
