"""Length functions that count tokens: tiktoken's and Hugging Face's, as values that pickle.

Each counts a special token in a bundle as plain text: `<|endoftext|>` in a file is thirteen characters. The libraries
are imported only when a length function is made. Knows nothing of splitting.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Protocol, cast

if TYPE_CHECKING:
    from tiktoken import Encoding
    from tokenizers import Tokenizer

_LONGEST_RUN = 4096
_LONG_BLANK = re.compile(rf"(?<!\s)\s{{{_LONGEST_RUN + 1},}}")
_LONG_RUN = re.compile(rf"{_LONG_BLANK.pattern}|(?<!\S)\S{{{_LONGEST_RUN + 1},}}")


@dataclass(frozen=True, slots=True)
class TiktokenLength:
    r"""The number of tokens that a tiktoken encoding makes of a text.

    A run of more than 4,096 characters without a blank, or of blanks alone, is counted in pieces of 4,096: some
    releases of tiktoken need time that grows with the square of such a run, or fail on it. Each cut may add a few
    tokens to the count; text without such runs is counted exactly.

    Args:
        encoding: The encoding. A registered one pickles as its name, any other by its contents.
        allowed_special: Special tokens that the text may hold as such; each then counts as one.
        disallowed_special: Special tokens that the text must not hold: tiktoken raises `ValueError`.
    """

    encoding: Encoding
    allowed_special: frozenset[str] = frozenset()
    disallowed_special: frozenset[str] = frozenset()

    def __call__(self, text: str, /) -> int:
        """Count the tokens of `text`."""
        return sum(map(len, map(self._encode, _cut_long_runs(text))))

    def _encode(self, text: str) -> list[int]:
        if not (self.allowed_special or self.disallowed_special):
            return self.encoding.encode_ordinary(text)
        return self.encoding.encode(
            text, allowed_special=self.allowed_special, disallowed_special=self.disallowed_special
        )


def _cut_long_runs(text: str) -> list[str]:
    """Cut `text` inside runs that are too long; most texts have no such run."""
    if len(text) <= _LONGEST_RUN or not _has_long_run(text):
        return [text]
    return [text[start:end] for start, end in pairwise([0, *_find_cuts(text), len(text)])]


def _has_long_run(text: str) -> bool:
    return max(map(len, text.split()), default=0) > _LONGEST_RUN or _LONG_BLANK.search(text) is not None


def _find_cuts(text: str) -> Iterator[int]:
    for run in _LONG_RUN.finditer(text):
        yield from range(run.start() + _LONGEST_RUN, run.end(), _LONGEST_RUN)


def tiktoken_length(
    encoding: str | Encoding = "gpt2",
    model_name: str | None = None,
    allowed_special: Literal["all"] | AbstractSet[str] | None = None,
    disallowed_special: Literal["all"] | Collection[str] = (),
) -> TiktokenLength:
    """Make a length function of a tiktoken encoding.

    LangChain's default for `disallowed_special` is `"all"`, with which a file that holds `<|endoftext|>` cannot be
    split. The default here counts such a token as text; pass `"all"` to get the error.

    Args:
        encoding: The name of an encoding, or an `Encoding` that you made.
        model_name: The name of a model, to take its encoding instead.
        allowed_special: Special tokens that count as one token each; `"all"` for all.
        disallowed_special: Special tokens that are an error; `"all"` for all that are not allowed.

    Raises:
        ImportError: If tiktoken is not installed.
        ValueError: If tiktoken knows no such encoding.
        KeyError: If tiktoken knows no such model.
        OSError: If the vocabulary must be fetched, and there is no network.
    """
    try:
        import tiktoken  # noqa: PLC0415 - only this length function needs it
    except ImportError as error:
        msg = 'counting tokens with tiktoken needs the package: pip install "langchain-semantic-xml[tiktoken]"'
        raise ImportError(msg) from error
    try:
        if model_name is not None:
            encoding = tiktoken.encoding_for_model(model_name)
        elif isinstance(encoding, str):
            encoding = tiktoken.get_encoding(encoding)
    except ValueError as error:
        msg = f"tiktoken knows no encoding {encoding!r}; it has {', '.join(sorted(tiktoken.list_encoding_names()))}"
        raise ValueError(msg) from error
    except KeyError as error:
        msg = f"tiktoken knows no model {model_name!r}; name its encoding, such as 'cl100k_base' or 'o200k_base'"
        raise KeyError(msg) from error
    except OSError as error:
        name = encoding if model_name is None else f"the model {model_name}"
        msg = (
            f"the vocabulary of {name} cannot be fetched: {_find_reason(error)}; "
            "connect once, or set TIKTOKEN_CACHE_DIR to a folder that has it"
        )
        raise OSError(msg) from error
    allowed = _list_special(allowed_special or (), encoding)
    return TiktokenLength(encoding, allowed, _list_special(disallowed_special, encoding) - allowed)


def _find_reason(error: BaseException) -> str:
    """Return the first cause that the system gives, such as "Connection refused"; libraries wrap it in long texts."""
    reason = type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        reason = getattr(cause, "strerror", None) or reason
        cause = cause.__cause__ or cause.__context__
    return reason


def _list_special(tokens: Iterable[str], encoding: Encoding) -> frozenset[str]:
    return frozenset(encoding.special_tokens_set if tokens == "all" else tokens)


@dataclass(frozen=True, slots=True)
class HuggingFaceLength:
    """The number of tokens that a `tokenizers.Tokenizer` makes of a text, without begin and end tokens.

    Args:
        tokenizer: A tokenizer that nothing else uses. It neither truncates nor pads, and takes special tokens for text.
    """

    tokenizer: Tokenizer

    def __call__(self, text: str, /) -> int:
        """Count the tokens of `text`."""
        return len(self.tokenizer.encode(_replace_surrogates(text), add_special_tokens=False))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by contents: the tokenizer's own pickle forgets that special tokens are text."""
        return _length_from_json, (self.tokenizer.to_str(),)


def _length_from_json(serialized: str) -> HuggingFaceLength:
    """Make a length function of a tokenizer in its JSON form; the user's own tokenizer does not change."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - only this length function needs it

    tokenizer = Tokenizer.from_str(serialized)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return HuggingFaceLength(tokenizer)


def _replace_surrogates(text: str) -> str:
    """Return `text` with a replacement for each lone surrogate, which has no UTF-8 form."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class SlowTokenizer(Protocol):
    """The one method that a `transformers` tokenizer without a Rust core must have."""

    def tokenize(self, text: str, *, split_special_tokens: bool) -> list[str]:
        """Return the tokens of a text."""


@dataclass(frozen=True, slots=True)
class SlowTokenizerLength:
    """The number of tokens that a `transformers` tokenizer without a Rust core makes of a text.

    Args:
        tokenizer: The tokenizer; pickles as it does.
    """

    tokenizer: SlowTokenizer

    def __call__(self, text: str, /) -> int:
        """Count the tokens of `text`."""
        return len(self.tokenizer.tokenize(_replace_surrogates(text), split_special_tokens=True))


def huggingface_length(tokenizer: object) -> HuggingFaceLength | SlowTokenizerLength:
    """Make a length function of a `tokenizers.Tokenizer` or of any `transformers` tokenizer.

    Begin and end tokens are not counted, and a special token in the text counts as the text that it is.

    Raises:
        TypeError: If `tokenizer` is neither.
    """
    core = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if hasattr(core, "encode_special_tokens") and hasattr(core, "to_str"):
        return _length_from_json(cast("Tokenizer", core).to_str())
    if callable(getattr(tokenizer, "tokenize", None)):
        return SlowTokenizerLength(cast("SlowTokenizer", tokenizer))
    msg = (
        f"tokenizer={tokenizer!r} must be a tokenizers.Tokenizer or a transformers tokenizer, "
        "such as AutoTokenizer.from_pretrained(...)"
    )
    raise TypeError(msg)
