"""No chunk is longer than `chunk_size`, by any length function and with any `chunk_overlap`."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import tiktoken
from langchain_text_splitters import TextSplitter
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from langchain_semantic_xml import SemanticXmlSplitter
from tests.documents.splitting import BUNDLE, A, big, file, small, split, utf8, words

# chunk_size and length_function


@pytest.mark.parametrize(("size", "counts"), [(17, [1, 1, 1, 1]), (18, [2, 2]), (27, [2, 2]), (28, [3, 1]), (38, [4])])
def test_a_chunk_takes_what_fits_separators_included(size: int, counts: list[int]) -> None:
    chunks = split(small(4), size, elements=["a"])
    assert [chunk.count("<a>") for chunk in chunks] == counts


def test_an_element_of_exactly_the_size_is_whole_and_one_longer_is_cut() -> None:
    assert split(A, len(A)) == [A]
    assert len(split(A, len(A) - 1)) > 1


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_any_size_will_do(size: int) -> None:
    split(BUNDLE, size)


@pytest.mark.parametrize("text", ["", " ", "\n\n\t", "\ufeff", "\ufeff \n"], ids=ascii)
def test_nothing_in_nothing_out(text: str) -> None:
    assert split(text) == []


def framed(text: str) -> int:
    """Measure as tokenizers do that add begin and end tokens: not even empty text has length 0."""
    return len(text) + 2


def coarse(text: str) -> int:
    """Measure in steps: joined texts are shorter than the sum of their pieces."""
    return -(-len(text) // 8)


@pytest.mark.parametrize("measure", [words, utf8, framed, coarse], ids=lambda measure: str(measure.__name__))
@pytest.mark.parametrize("size", [4, 9, 40])
def test_any_measure_is_kept(measure: Callable[[str], int], size: int) -> None:
    split(BUNDLE + big("ü", 12), size, length_function=measure)


def test_the_joined_text_is_what_is_measured() -> None:
    # Each element counts 1 of 8, two with their separator 3 of 8 (18 characters): sums would put 2 into a chunk.
    assert [chunk.count("<a>") for chunk in split(small(4), 2, length_function=coarse, elements=["a"])] == [1] * 4
    assert [chunk.count("<a>") for chunk in split(small(4), 3, length_function=coarse, elements=["a"])] == [2, 2]


class Count:
    """An integer of another library."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __index__(self) -> int:
        return self._value


def test_what_is_as_good_as_an_int_is_a_length() -> None:
    splitter = SemanticXmlSplitter(18, length_function=lambda text: Count(len(text)), elements=["a"])  # type: ignore[arg-type, return-value]
    assert [chunk.count("<a>") for chunk in splitter.split_text(small(4))] == [2, 2]


@pytest.mark.parametrize(
    ("answer", "error"),
    [(1.0, TypeError), (None, TypeError), ("1", TypeError), (True, TypeError), (-1, ValueError)],
    ids=repr,
)
def test_what_is_no_length_is_refused(answer: object, error: type[Exception]) -> None:
    def measure(_: str) -> int:
        return answer  # type: ignore[return-value]

    with pytest.raises(error, match=r"length_function .*measure returned"):
        SemanticXmlSplitter(length_function=measure).split_text("a\n<file>b</file>")


def test_an_error_of_the_length_function_is_passed_on() -> None:
    def measure(text: str) -> int:
        if "poison" in text:
            msg = "cannot measure poison"
            raise KeyError(msg)
        return len(text)

    with pytest.raises(KeyError, match="cannot measure poison") as raised:
        SemanticXmlSplitter(length_function=measure).split_text("a\n<file path='a'>poison</file>")
    assert any("length_function" in note for note in getattr(raised.value, "__notes__", ()))


# Measured in tokens


def whitespace_tokenizer() -> Tokenizer:
    """Return a Hugging Face tokenizer that counts words and signs."""
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))  # noqa: S106 - a token of another kind
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


class Own(SemanticXmlSplitter):
    """A subclass, which the constructors must return."""


MAKERS: list[Callable[..., SemanticXmlSplitter]] = [
    lambda **options: Own.from_tiktoken_encoder("cl100k_base", **options),
    lambda **options: Own.from_tiktoken_encoder(model_name="gpt-4", **options),
    lambda **options: Own.from_huggingface_tokenizer(whitespace_tokenizer(), **options),
]


@pytest.mark.parametrize("make", MAKERS, ids=["encoding", "model", "tokenizer"])
def test_a_splitter_measures_in_tokens(make: Callable[..., SemanticXmlSplitter]) -> None:
    splitter = make(chunk_size=40, chunk_overlap=5, separator="\n", deterministic_ids=True)
    assert type(splitter) is Own
    documents = splitter.create_documents([BUNDLE + big()])
    assert len(documents) > 3
    clone = pickle.loads(pickle.dumps(splitter))  # noqa: S301 - our own
    assert clone.create_documents([BUNDLE + big()]) == documents


def test_no_chunk_has_more_tokens_than_its_size() -> None:
    encoding = tiktoken.get_encoding("cl100k_base")
    chunks = SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base", chunk_size=40).split_text(BUNDLE + big())
    lengths = [len(encoding.encode(chunk)) for chunk in chunks]
    assert max(lengths) <= 40
    assert max(lengths) > 30


@pytest.mark.parametrize("make", MAKERS, ids=["encoding", "model", "tokenizer"])
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"chunk_sise": 1}, TypeError),
        ({"length_function": len}, TypeError),
        ({"chunk_size": 0}, ValueError),
        ({"isolate": "file"}, TypeError),
    ],
    ids=str,
)
def test_wrong_options_beside_a_tokenizer_are_refused(
    make: Callable[..., SemanticXmlSplitter], options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error, match=next(iter(options))):
        make(**options)


@pytest.mark.parametrize("name", ["from_tiktoken_encoder", "from_huggingface_tokenizer"])
def test_the_constructors_have_langchains_parameters(name: str) -> None:
    ours, langchains = (inspect.signature(getattr(cls, name)).parameters for cls in (Own, TextSplitter))
    assert [parameter.kind for parameter in ours.values()] == [parameter.kind for parameter in langchains.values()]
    named = [key for key, parameter in langchains.items() if parameter.kind is not parameter.VAR_KEYWORD]
    assert list(ours)[: len(named)] == named


# chunk_overlap


@pytest.mark.parametrize(
    ("overlap", "chunks"),
    [
        pytest.param(0, ["01", "23", "4"], id="none"),
        pytest.param(7, ["01", "23", "4"], id="less than an element"),
        pytest.param(8, ["01", "12", "23", "34"], id="an element"),
        pytest.param(17, ["01", "12", "23", "34"], id="the most there can be"),
    ],
)
def test_whole_elements_that_fit_the_overlap_are_repeated(overlap: int, chunks: list[str]) -> None:
    contents = split(small(5), 18, chunk_overlap=overlap, elements=["a"])
    assert ["".join(filter(str.isdigit, content)) for content in contents] == chunks


def test_several_elements_are_repeated_when_they_fit_joined() -> None:
    for overlap, chunks in ((17, ["012", "234"]), (18, ["012", "123", "234"])):
        contents = split(small(5), 28, chunk_overlap=overlap, elements=["a"])
        assert ["".join(filter(str.isdigit, content)) for content in contents] == chunks


def test_no_overlap_pushes_a_chunk_over_its_size() -> None:
    text = f"<a>0</a>\n{file('x', 'y' * 20, name='a')}"
    assert split(text, len(text) - 1, chunk_overlap=20, elements=["a"]) == text.split("\n", 1)


def test_parts_repeat_lines() -> None:
    chunks = split(big(), 150, chunk_overlap=40)
    assert len(chunks) > 2
    for before, after in pairwise(chunks):
        first = after.split("\n")[1]
        assert first in before.split("\n")


def test_isolated_blocks_are_not_repeated() -> None:
    chunks = split(small(4), 28, chunk_overlap=10, elements=["a"], isolate=["a"])
    assert chunks == small(4).split("\n")
