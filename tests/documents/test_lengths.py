"""Length functions that count tokens, and the ruler that checks every length function."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from langchain_semantic_xml._text.rulers import LengthRate, Ruler
from langchain_semantic_xml.lengths import (
    HuggingFaceLength,
    SlowTokenizerLength,
    TiktokenLength,
    huggingface_length,
    tiktoken_length,
)

END = "<|endoftext|>"


@pytest.fixture(scope="module")
def cl100k() -> TiktokenLength:
    return tiktoken_length("cl100k_base")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """A small tokenizer that truncates, pads, and adds begin and end tokens, as those of models do."""
    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=[END], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    trained.train_from_iterator(["def function(value): return value", "the end of the text"], trainer)
    trained.post_processor = processors.TemplateProcessing(single=f"{END} $A {END}", special_tokens=[(END, 0)])
    trained.enable_truncation(8)
    trained.enable_padding(length=8)
    return trained


@pytest.fixture(scope="module")
def huggingface(tokenizer: Tokenizer) -> HuggingFaceLength:
    length = huggingface_length(tokenizer)
    assert isinstance(length, HuggingFaceLength)
    return length


class PythonTokenizer:
    """Stands for a `transformers` tokenizer without a Rust core."""

    def tokenize(self, text: str, *, split_special_tokens: bool) -> list[str]:
        assert split_special_tokens
        return text.split()


def test_tiktoken_counts_what_the_encoding_makes(cl100k: TiktokenLength) -> None:
    assert cl100k("hello world") == 2
    assert cl100k("") == 0


def test_a_special_token_in_a_file_is_text(cl100k: TiktokenLength, huggingface: HuggingFaceLength) -> None:
    assert cl100k(END) > 1
    assert huggingface(END) > 1


def test_tiktoken_takes_langchains_options_for_special_tokens() -> None:
    assert tiktoken_length("cl100k_base", allowed_special="all")(f"a{END}") == 2
    assert tiktoken_length("cl100k_base", allowed_special={END})(END) == 1
    with pytest.raises(ValueError, match="disallowed special token"):
        tiktoken_length("cl100k_base", disallowed_special="all")(END)


def test_a_model_names_its_encoding() -> None:
    assert tiktoken_length(model_name="gpt-4").encoding.name == "cl100k_base"


def test_an_encoding_of_ones_own_counts_and_pickles() -> None:
    mine = tiktoken.Encoding(
        "mine", pat_str=r"\w+|\W", mergeable_ranks={bytes([byte]): byte for byte in range(256)}, special_tokens={}
    )
    length = tiktoken_length(mine)
    assert length("abc") == 3
    assert pickle.loads(pickle.dumps(length))("abc") == 3  # noqa: S301 - our own bytes


@pytest.mark.parametrize("run", ["a", "\n", " ", "=", "\u6f22", "\r\n", "ab1"])
def test_a_long_run_is_counted_in_pieces_with_a_few_tokens_more_at_most(cl100k: TiktokenLength, run: str) -> None:
    text = "before " + run * 20_000 + " after"
    exact = len(cl100k.encoding.encode_ordinary(text))
    assert exact <= cl100k(text) <= exact + 3 * (len(text) // 4096 + 1)


@given(st.lists(st.sampled_from(["word ", "\n", "x" * 4096, " " * 4096, "x" * 4095 + " "]), max_size=4).map("".join))
def test_text_without_long_runs_is_counted_exactly(cl100k: TiktokenLength, text: str) -> None:
    if max(map(len, text.split()), default=0) <= 4096 and " " * 4090 not in text:
        assert cl100k(text) == len(cl100k.encoding.encode_ordinary(text))


def test_the_users_tokenizer_is_neither_changed_nor_obeyed_in_truncating_and_padding(tokenizer: Tokenizer) -> None:
    before = tokenizer.to_str()
    length = huggingface_length(tokenizer)
    assert length("") == 0
    assert length("xyz" * 100) > 8
    assert tokenizer.to_str() == before
    assert tokenizer.encode_special_tokens is False


def test_a_transformers_tokenizer_is_counted_by_its_core(tokenizer: Tokenizer) -> None:
    class Fast:
        backend_tokenizer = tokenizer

    assert huggingface_length(Fast())("the end") == huggingface_length(tokenizer)("the end")


def test_a_transformers_tokenizer_without_core_is_asked_for_its_tokens() -> None:
    length = huggingface_length(PythonTokenizer())
    assert isinstance(length, SlowTokenizerLength)
    assert length("two words") == 2


def test_what_is_no_tokenizer_is_refused() -> None:
    with pytest.raises(TypeError, match=r"AutoTokenizer\.from_pretrained"):
        huggingface_length("gpt2")


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


@pytest.mark.parametrize("clone", [copy.deepcopy, pickled])
@pytest.mark.parametrize("name", ["cl100k", "huggingface"])
def test_a_clone_counts_alike(
    name: str, clone: Callable[[object], Callable[[str], int]], request: pytest.FixtureRequest
) -> None:
    length = request.getfixturevalue(name)
    assert clone(length)(f"def f(): {END}") == length(f"def f(): {END}")


def test_a_registered_encoding_pickles_as_its_name(cl100k: TiktokenLength) -> None:
    assert len(pickle.dumps(cl100k)) < 1_000


def test_the_libraries_are_imported_only_when_used() -> None:
    code = (
        "import sys, langchain_semantic_xml.lengths\n"
        "assert not {'tiktoken', 'tokenizers', 'transformers'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_tiktoken_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(ImportError, match=r"pip install .langchain-semantic-xml\[tiktoken\]"):
        tiktoken_length()


def failing(text: str) -> int:
    if text:
        msg = "out of memory"
        raise RuntimeError(msg)
    return 0


def test_an_exception_of_a_length_function_passes_with_a_note_of_the_place() -> None:
    with pytest.raises(RuntimeError, match="out of memory") as raised:
        Ruler(failing).length("x", 17)
    assert raised.value.__notes__ == ["raised by length_function failing for the text at offset 17"]


@pytest.mark.parametrize(
    ("answer", "error"), [(-1, ValueError), (1.0, TypeError), (None, TypeError), (True, TypeError), ("1", TypeError)]
)
def test_an_answer_that_is_no_length_is_refused_with_the_place(answer: object, error: type[Exception]) -> None:
    def odd(text: str) -> int:
        return answer if text else 0  # type: ignore[return-value]

    with pytest.raises(error, match=rf"length_function .*odd returned {answer!r} for the text at offset 5"):
        Ruler(odd).length("x", 5)


class Integer:
    """An integer that is no `int`, as NumPy's are."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_integers_of_another_type_are_lengths() -> None:
    def count(text: str) -> int:
        return Integer(len(text))  # type: ignore[return-value]

    length = Ruler(count).length("abc", 0)
    assert (length, type(length)) == (3, int)


def test_a_negative_integer_of_another_type_is_refused() -> None:
    def count(text: str) -> int:
        return Integer(-len(text))  # type: ignore[return-value]

    with pytest.raises(ValueError, match="must return an int >= 0"):
        Ruler(count).length("abc", 0)


def test_what_is_not_callable_is_refused() -> None:
    with pytest.raises(TypeError, match="must be a callable"):
        Ruler(3)  # type: ignore[arg-type]


@given(st.text(alphabet="ab \n", max_size=400), st.integers(0, 60), st.lists(st.text(max_size=50), max_size=3))
def test_the_length_within_a_limit_is_exact_whatever_was_measured_before(
    text: str, limit: int, before: list[str]
) -> None:
    def words_and_constant(text: str) -> int:
        return len(text.split()) + 2

    ruler = Ruler(words_and_constant)
    for other in before:
        ruler.length_within(other, 0, len(other), limit)
    length = words_and_constant(text)
    assert ruler.length_within(text, 0, len(text), limit) == (length if length <= limit else None)


def test_a_text_far_too_long_is_not_measured_as_a_whole() -> None:
    measured = 0

    def counting(text: str) -> int:
        nonlocal measured
        measured += len(text)
        return len(text) // 4

    ruler = Ruler(counting)
    assert ruler.length_within("x" * 1_000_000, 0, 1_000_000, 800) is None
    assert measured < 20_000


def test_an_estimated_rate_trusts_a_steady_ratio_wholly() -> None:
    rate = LengthRate()
    rate.learn(100, 100)
    assert rate.characters_within(50) == 50
    rate.learn(100, 25)
    assert 50 * 4 > rate.characters_within(50) >= 50 * 3


def test_an_unknown_encoding_or_model_is_named_with_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"tiktoken knows no encoding 'cl99k'; it has .*cl100k_base"):
        tiktoken_length("cl99k")
    with pytest.raises(KeyError, match="tiktoken knows no model 'gpt-99'; name its encoding"):
        tiktoken_length(model_name="gpt-99")


def test_a_vocabulary_that_cannot_be_fetched_is_named_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")  # a port without a server
    with pytest.raises(OSError, match=r"^the vocabulary of p50k_edit cannot be fetched: Connection refused; connect"):
        tiktoken_length("p50k_edit")
