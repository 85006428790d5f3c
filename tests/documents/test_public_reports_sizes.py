"""What people report of text splitters, second part: sizes, separators, overlap, tokens, and whether it ever ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice, pairwise
from types import FrameType

import pytest
import tiktoken
from langchain_text_splitters import RecursiveCharacterTextSplitter
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from langchain_semantic_xml import OversizedBlockError, SemanticXmlSplitter, parse_blocks
from tests.laws.checks import check_laws, squeeze
from tests.tools.bundle_maker import SourceFile, make_bundle

BEGIN, END = "<s>", "</s>"
A, B = '<file path="a">\n1\n</file>', '<file path="b">\n2\n</file>'  # 25 characters each
PYTHON = SourceFile("step.py", "".join(f"def step_{n}(value):\n    return {n!r} + value\n\n" for n in range(40)))
BUNDLE = make_bundle([PYTHON, SourceFile("notes.md", "# Notes\n\n" + "Some words. " * 90)], "ace").text


@cache
def framing_tokenizer() -> Tokenizer:
    """Train a byte-level tokenizer that adds begin and end tokens, truncates and pads, as those of models do."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=[BEGIN, END], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([BUNDLE], trainer)
    special = [(token, tokenizer.token_to_id(token)) for token in (BEGIN, END)]
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{BEGIN} $A {END}", special_tokens=special)
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding(length=16)
    return tokenizer


def framed(text: str) -> int:
    """Count characters, and a begin and an end token for each text that is measured."""
    return len(text) + 2


def rounded(text: str) -> int:
    """Count in steps: the joined text is shorter than the sum of its pieces, and sometimes longer."""
    return -(-len(text) // 10) + len(text.split()) // 3


# Sizes


def test_no_chunk_is_over_its_size_without_saying_so() -> None:
    for chunk in SemanticXmlSplitter(300).create_documents([BUNDLE]):
        assert len(chunk.page_content) <= 300 or chunk.metadata.get("oversized")


def test_what_is_oversized_is_an_error_or_a_flag_but_never_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    kept = SemanticXmlSplitter(300, oversized="keep").create_documents([BUNDLE])
    assert [chunk.metadata["oversized"] for chunk in kept] == [len(chunk.page_content) > 300 for chunk in kept]
    assert any(chunk.metadata["oversized"] for chunk in kept)
    with pytest.raises(OversizedBlockError, match=r"step\.py"):
        SemanticXmlSplitter(300, oversized="error").split_text(BUNDLE)
    assert caplog.records == []


def test_an_overlap_equal_to_the_size_is_refused() -> None:
    with pytest.raises(ValueError, match="chunk_overlap=30 must be less than chunk_size=30"):
        SemanticXmlSplitter(chunk_size=30, chunk_overlap=30)


def test_overlap_does_not_push_a_chunk_over_its_size() -> None:
    contents = SemanticXmlSplitter(50, 20, elements=["a"]).split_text("".join(f"<a>{n:020}</a>\n" for n in range(9)))
    assert max(map(len, contents)) <= 50


def test_overlap_cuts_no_block_that_fits() -> None:
    text = "\n\n".join(f'<file path="{n}">\nline {n}\n</file>' for n in range(12))
    for content in SemanticXmlSplitter(80, 30).split_text(text):
        for block in parse_blocks(content):
            assert (block.type, block.content in text) == ("file", True)
            assert block.content.count("<file") == block.content.count("</file>") == 1


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("measure", [len, framed, rounded], ids=lambda measure: str(measure.__name__))
def test_splitting_ends_however_small_the_size_and_large_the_overlap(measure: Callable[[str], int], size: int) -> None:
    text = f"# Title\r\n\r\n{A}\n{B}\n\u0301\ud800\n"
    lazy = SemanticXmlSplitter(size, size - 1, measure).lazy_split_text(text)
    chunks = list(islice(lazy, len(text) + 1))
    assert len(chunks) <= len(text), "each chunk brings at least one character that is new"
    for before, after in pairwise(chunks):
        assert after.metadata["end_index"] > before.metadata["end_index"]
    check_laws(text, chunks, chunk_size=size, chunk_overlap=size - 1, length_function=measure)


# Separators

SEPARATORS = [".", "|", "\\d", "(?", "\\", "\\1", "$0", "[", "*", "(?i)x", "\\g<0>", "{0}", "%s", "\n.\n"]


@pytest.mark.parametrize("separator", [".", "|", "\\d", "[0-9]", "a?"])
def test_a_separator_with_a_meaning_in_patterns_is_taken_as_it_is(separator: str) -> None:
    assert SemanticXmlSplitter(80, separator=separator).split_text(f"{A}\n\n{B}") == [f"{A}{separator}{B}"]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_any_separator_is_joined_and_measured_as_it_is(separator: str) -> None:
    text = f"{A}\n\n{B}\n\n# Title{separator}\n\n{separator}{A}\n"
    for size in (25, 50 + len(separator), 200):
        chunks = SemanticXmlSplitter(size, separator=separator).create_documents([text])
        check_laws(text, chunks, chunk_size=size, separator=separator)


@pytest.mark.parametrize("separator", ["\n\n", "\n", "---"])
def test_a_separator_counts_once_for_each_place_where_it_stands(separator: str) -> None:
    exact = 3 * len(A) + 2 * len(separator)
    text = f"{A}\n\n{A}\n\n{A}"
    assert len(SemanticXmlSplitter(exact, separator=separator).split_text(text)) == 1, "counted twice"
    assert len(SemanticXmlSplitter(exact - 1, separator=separator).split_text(text)) == 2, "not counted"


# Lengths that do not add up


def test_begin_and_end_tokens_are_counted_once_for_a_chunk() -> None:
    whole = f"{A}\n{B}\n{A}"
    assert SemanticXmlSplitter(framed(whole), 0, framed, separator="\n").split_text(whole) == [whole]
    assert len(SemanticXmlSplitter(framed(whole) - 1, 0, framed, separator="\n").split_text(whole)) == 2


@pytest.mark.parametrize("size", [20, 50, 400])
@pytest.mark.parametrize("overlap", [0, 9])
def test_a_tokenizer_that_frames_truncates_and_pads_is_asked_for_the_tokens_of_the_text(
    size: int, overlap: int
) -> None:
    bare = Tokenizer.from_str(framing_tokenizer().to_str())
    bare.no_truncation()
    bare.no_padding()
    before = framing_tokenizer().to_str()
    splitter = SemanticXmlSplitter.from_huggingface_tokenizer(
        framing_tokenizer(), chunk_size=size, chunk_overlap=overlap
    )
    lengths = [len(bare.encode(chunk, add_special_tokens=False)) for chunk in splitter.split_text(BUNDLE)]
    assert max(lengths) <= size
    assert sorted(lengths)[len(lengths) // 2] > size / 2, "and not for that of the frame, the cut or the padding"
    assert framing_tokenizer().to_str() == before


@pytest.mark.parametrize("size", [20, 50, 400])
@pytest.mark.parametrize("overlap", [0, 9])
def test_chunks_measured_in_tokens_of_tiktoken_are_kept_when_measured_again(size: int, overlap: int) -> None:
    encoding = tiktoken.get_encoding("cl100k_base")
    splitter = SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base", chunk_size=size, chunk_overlap=overlap)
    lengths = [len(encoding.encode(chunk)) for chunk in splitter.split_text(BUNDLE)]
    assert max(lengths) <= size
    assert sorted(lengths)[len(lengths) // 2] > size / 2


SPECIAL = f"{BEGIN} <|endoftext|> {END} <|fim_prefix|> [CLS] [UNK]"
TOKENIZERS = ["tiktoken", "Hugging Face"]


def counting(tokenizer: str, size: int) -> SemanticXmlSplitter:
    if tokenizer == "tiktoken":
        return SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base", chunk_size=size)
    return SemanticXmlSplitter.from_huggingface_tokenizer(framing_tokenizer(), chunk_size=size)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_a_file_that_names_special_tokens_is_split_like_any_other(tokenizer: str) -> None:
    text = f'<file path="tokens.py">\n{(SPECIAL + chr(10)) * 30}</file>'
    chunks = counting(tokenizer, 100).split_text(text)
    assert len(chunks) > 5
    assert "".join(chunks).count("<|endoftext|>") == 30


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_a_special_token_is_measured_as_the_text_that_it_is(tokenizer: str) -> None:
    token = "<|endoftext|>" if tokenizer == "tiktoken" else BEGIN
    text = f"{token} " * 40
    assert len(counting(tokenizer, 60).split_text(text)) > 1, "as one token each they would fit"


def test_langchains_own_length_function_refuses_the_same_file() -> None:
    theirs = RecursiveCharacterTextSplitter.from_tiktoken_encoder("cl100k_base", chunk_size=100, chunk_overlap=0)
    with pytest.raises(ValueError, match="special token"):
        theirs.split_text(SPECIAL)


@pytest.mark.parametrize("measure", [framed, rounded], ids=["framed", "rounded"])
@pytest.mark.parametrize("size", [12, 40, 130])
@pytest.mark.parametrize("overlap", [0, 5])
def test_a_length_function_that_does_not_add_up_keeps_every_law(
    measure: Callable[[str], int], size: int, overlap: int
) -> None:
    chunks = SemanticXmlSplitter(size, overlap, measure).create_documents([BUNDLE])
    check_laws(BUNDLE, chunks, chunk_size=size, chunk_overlap=overlap, length_function=measure)


# Size and shape of the text


def test_a_huge_opening_tag_is_cut_like_any_other_text() -> None:
    command = "".join(f"--option-{n}=value " for n in range(9_000))
    text = f'<output command="{command}">\ndone\n</output>'
    contents = SemanticXmlSplitter(1_000).split_text(text)
    assert max(map(len, contents)) <= 1_000
    assert squeeze("".join(contents)) == squeeze(text)


def test_5000_levels_are_no_recursion() -> None:
    text = "<file>\n" * 5_000 + "</file>\n" * 5_000
    contents = SemanticXmlSplitter(1_000, repeat=None).split_text(text)
    assert squeeze("".join(contents)) == squeeze(text)
    assert len(parse_blocks(text)) == 1


@contextmanager
def counted_calls() -> Iterator[Callable[[], int]]:
    """Count calls of functions, Python's and C's: work that no other job on the machine changes."""
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event.endswith("call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield lambda: calls
    finally:
        sys.setprofile(before)


GROWING = {
    "openings": "<file path='a'>\n",
    "closings": "</file>\n",
    "quotes": "<file path='a\n",
    "fences": "```\n<file path='a'>\n",
    "CDATA": "<file path='a'><![CDATA[\n",
    "headings": "# Heading\n\n",
    "elements": f"{A}\n\n",
    "raw quotes": '<output command="a "b" c">\n',
    "lines": "some words of a line\n",
}


@pytest.mark.parametrize("unit", GROWING.values(), ids=GROWING)
def test_twice_the_text_takes_no_more_than_twice_the_calls_and_characters_measured(unit: str) -> None:
    def work(repetitions: int) -> tuple[int, int]:
        measured = 0

        def measure(text: str) -> int:
            nonlocal measured
            measured += len(text)
            return len(text)

        with counted_calls() as calls:
            SemanticXmlSplitter(200, 20, measure).split_text(unit * repetitions)
            return calls(), measured

    (calls, measured), (more_calls, more_measured) = work(1_000), work(2_000)
    assert more_calls <= 2.1 * calls
    assert more_measured <= 2.1 * measured
