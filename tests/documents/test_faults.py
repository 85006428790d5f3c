"""What fails around a split: the stream, the documents, the length function, the files.

An error passes as it is or names what failed, what was given before it was right, and the next call is as any first
one. Full disks and killed processes are in `test_faults_of_writing`.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlLoader, SemanticXmlSplitter, iter_blocks, parse_blocks
from langchain_semantic_xml.errors import UnreadableFileError
from tests.documents.test_public_reports_sizes import BUNDLE
from tests.laws.strategies import Bundle, bundles

LONG = BUNDLE * 20


class LineLostError(Exception):
    """What a stream of someone's own may raise."""


def failing(pieces: Sequence[str], error: BaseException) -> Iterator[str]:
    yield from pieces
    raise error


class FailingFile:
    """An open file of which the disk cannot be read to its end."""

    def __init__(self, text: str, error: Exception) -> None:
        self._text = text
        self._error = error

    def read(self, size: int, /) -> str:
        if not self._text:
            raise self._error
        piece, self._text = self._text[:size], self._text[size:]
        return piece


def up_to_the_fault(chunks: Iterator[Document], error: type[BaseException]) -> tuple[list[Document], BaseException]:
    """Return the Documents that come before an error, and the error."""
    before: list[Document] = []
    with pytest.raises(error) as raised:
        before.extend(iter(lambda: next(chunks), None))
    assert next(chunks, None) is None, "after an error nothing more comes"
    return before, raised.value


# Streams


@pytest.mark.parametrize("read", [0, 1, 1_000, 20_000, len(LONG)])
@pytest.mark.parametrize(
    "error",
    [LineLostError("line 7"), OSError(5, "Input/output error"), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_a_stream_passes_as_it_is_and_what_came_before_was_right(read: int, error: Exception) -> None:
    splitter = SemanticXmlSplitter(400, 40, deterministic_ids=True)
    expected = splitter.create_documents([LONG])
    pieces = [LONG[start : min(start + 100, read)] for start in range(0, read, 100)]
    for stream in (failing(pieces, error), FailingFile(LONG[:read], error)):
        before, raised = up_to_the_fault(splitter.lazy_split_text(stream), type(error))
        assert raised is error
        assert before == expected[: len(before)]
        assert len(before) > len(expected) / 2 or read < len(LONG), "nothing is held back that was decided"
    assert list(splitter.lazy_split_text([LONG])) == splitter.create_documents([LONG]) == expected


@settings(max_examples=50)
@given(bundles(), st.data(), st.integers(20, 200), st.integers(0, 15))
def test_what_comes_before_a_fault_does_not_depend_on_it(
    bundle: Bundle, data: st.DataObject, size: int, overlap: int
) -> None:
    read = data.draw(st.integers(0, len(bundle.text)))
    splitter = SemanticXmlSplitter(size, overlap)
    stream = failing([bundle.text[:read]], LineLostError())
    before, _ = up_to_the_fault(splitter.lazy_split_text(stream), LineLostError)
    assert before == splitter.create_documents([bundle.text])[: len(before)]


def test_an_error_among_the_documents_comes_after_the_chunks_of_those_before_it() -> None:
    def documents() -> Iterator[Document]:
        yield Document(page_content=BUNDLE)
        raise LineLostError

    splitter = SemanticXmlSplitter(400)
    before, _ = up_to_the_fault(splitter.lazy_split_documents(documents()), LineLostError)
    assert before == splitter.create_documents([BUNDLE])


def test_what_is_no_text_in_a_stream_is_named_by_its_number() -> None:
    splitter = SemanticXmlSplitter(400)
    pieces: list[str] = [LONG, b"<file>"]  # type: ignore[list-item]
    before, error = up_to_the_fault(splitter.lazy_split_text(iter(pieces)), TypeError)
    assert str(error).startswith("text_or_stream[1] must be a str, not bytes; decode it first")
    assert before == splitter.create_documents([LONG])[: len(before)]


# Length functions


class FailsOnce:
    """A length function that counts its calls, and raises on one of them."""

    def __init__(self, on_call: int, error: BaseException) -> None:
        self.calls = 0
        self._on_call = on_call
        self._error = error

    def __call__(self, text: str, /) -> int:
        self.calls += 1
        if self.calls == self._on_call:
            raise self._error
        return len(text.split())


@pytest.mark.parametrize(
    "error",
    [
        LineLostError("tokenizer"),
        MemoryError(),
        KeyboardInterrupt(),
        RecursionError(),
        StopIteration(),
        GeneratorExit(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_after_a_length_function_has_raised_once_the_next_call_is_right(
    error: BaseException,
) -> None:
    never = FailsOnce(0, error)
    expected = SemanticXmlSplitter(60, 7, never).create_documents([BUNDLE])
    for call in {2, 3, 10, never.calls // 2, never.calls}:
        splitter = SemanticXmlSplitter(60, 7, FailsOnce(call, error))
        with pytest.raises((type(error), RuntimeError)) as raised:  # a generator must turn StopIteration into the other
            splitter.create_documents([BUNDLE])
        assert error in (raised.value, raised.value.__cause__)
        assert splitter.create_documents([BUNDLE]) == expected


def test_what_was_given_before_a_length_function_raised_was_right() -> None:
    counting = FailsOnce(0, LineLostError())
    expected = SemanticXmlSplitter(60, length_function=counting).create_documents([BUNDLE])
    lengths = set()
    for call in range(1, counting.calls + 1):
        splitter = SemanticXmlSplitter(60, length_function=FailsOnce(call, LineLostError()))
        before, _ = up_to_the_fault(splitter.lazy_split_text(BUNDLE), LineLostError)
        assert before == expected[: len(before)]
        lengths.add(len(before))
    assert len(lengths) > 2


# Iterators that are left


def test_an_iterator_that_is_closed_early_closes_its_stream() -> None:
    closed = False

    def pieces() -> Iterator[str]:
        nonlocal closed
        try:
            while True:
                yield BUNDLE
        finally:
            closed = True

    chunks = SemanticXmlSplitter(400).lazy_split_text(pieces())
    next(chunks)
    assert not closed
    del chunks
    assert closed


def test_blocks_that_are_not_asked_for_cost_nothing_and_hold_nothing() -> None:
    blocks = iter_blocks(LONG)
    first = next(blocks)
    del blocks
    assert parse_blocks(LONG)[0] == first


# Files


def written(folder: Path, name: str, *, packed: bool) -> Path:
    path = folder / name
    text = f"<file path='{name}'>\n{'x = 1' * 99}\n</file>\n" * 500
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


@pytest.mark.parametrize("on_error", ["raise", "skip"])
@pytest.mark.parametrize("what", ["gone", "a folder", "emptied", "cut", "bytes that are no text"])
def test_a_file_that_changes_between_listing_and_reading_is_never_left_out_in_silence(
    tmp_path: Path, on_error: str, what: str
) -> None:
    names = ["a.xml", "b.xml.gz", "c.xml"]
    _, bad, _ = (written(tmp_path, name, packed=name.endswith(".gz")) for name in names)
    documents = SemanticXmlLoader(tmp_path, on_error=on_error).lazy_load()  # type: ignore[arg-type]
    data = bad.read_bytes()
    bad.unlink()
    if what == "a folder":
        bad.mkdir()
    elif what != "gone":
        bad.write_bytes({"emptied": b"", "cut": data[:-20], "bytes that are no text": b"\xff"}[what])
    seen: list[object] = []
    if what == "emptied":  # no bytes are a file without blocks, packed or not
        seen += [document.metadata["identity"] for document in documents]
    elif on_error == "skip":
        with pytest.warns(UserWarning, match=r"b\.xml\.gz is skipped: "):
            seen += [document.metadata["identity"] for document in documents]
    else:
        with pytest.raises((UnreadableFileError, OSError), match=r"b\.xml\.gz"):
            seen.extend(document.metadata["identity"] for document in documents)
    whole = ["a.xml"] * 500 if on_error == "raise" and what != "emptied" else ["a.xml"] * 500 + ["c.xml"] * 500
    assert [name for name in seen if name != "b.xml.gz"] == whole
    assert "b.xml.gz" not in seen or (what, on_error) == ("cut", "raise")
