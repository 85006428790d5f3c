"""The splitter: each option from both sides, each door, and what may happen around a call.

What the Documents say of themselves is tested in `test_metadata`, the laws as properties in `test_properties`.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import os
import pickle
import subprocess
import sys
import threading
import uuid
from collections import ChainMap, OrderedDict, UserDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import pytest
import tiktoken
from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from langchain_semantic_xml import ElementRule, OversizedBlockError, SemanticXmlSplitter
from tests.laws.checks import check_laws, squeeze


def file(path: str, *lines: str, name: str = "file") -> str:
    """Write an element with lines of its own, without a line end after it."""
    return "\n".join([f"<{name} path='{path}'>", *lines, f"</{name}>"])


def big(path: str = "big", lines: int = 30) -> str:
    """Write an element of about 12 characters a line."""
    return file(path, *(f"some words {number}" for number in range(lines)))


def small(count: int) -> str:
    """Write elements `a` of eight characters each, one a line; two of them and a separator have 18."""
    return "\n".join(f"<a>{number}</a>" for number in range(count))


def split(text: str, chunk_size: int = 4000, **options: Any) -> list[str]:  # noqa: ANN401 - the splitter's options
    """Split a text; assert the laws for the Documents, and that both eager doors agree; return the contents."""
    splitter = SemanticXmlSplitter(chunk_size, **options)
    documents = splitter.create_documents([text])
    check_laws(text, documents, chunk_size=chunk_size, **options)
    contents = [document.page_content for document in documents]
    assert splitter.split_text(text) == contents
    return contents


A, B = file("a", "1"), file("b", "2")  # 27 characters each
BUNDLE = f"# Files\n<files>\n{A}\n\n{B}\n</files>\n\n<output command='ls'>\na b\n</output>\nDone.\n"

# Options


def test_the_options_have_these_defaults() -> None:
    parameters = inspect.signature(SemanticXmlSplitter).parameters
    assert {name: parameter.default for name, parameter in parameters.items()} == {
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
        "repeat_tags": True,
        "syntax": False,
        "repeat_signatures": False,
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
        ({"repeat_tags": "yes"}, TypeError, "repeat_tags='yes'"),
        ({"syntax": "python"}, TypeError, "syntax='python'"),
        ({"repeat_signatures": True}, ValueError, "add syntax=True"),
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


def words(text: str) -> int:
    return len(text.split())


def utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


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


# strip_whitespace


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        pytest.param("  a\n", "  a", id="the indentation of the first line stays"),
        pytest.param("\n \n\ta \t\n\n", "\ta", id="blank lines at the ends go"),
        pytest.param("\r\n\r\na\r\n\r\n", "a", id="CRLF"),
        pytest.param("a\n\n\n b", "a\n\n\n b", id="blank lines within stay"),
        pytest.param("a  \nb", "a  \nb", id="trailing blanks of inner lines stay"),
        pytest.param("\ufeffa", "a", id="a byte-order mark goes"),
    ],
)
def test_blank_lines_at_the_ends_go_and_indentation_stays(text: str, stripped: str) -> None:
    assert split(text) == [stripped]


@pytest.mark.parametrize("text", ["  a\n", "\n \n\ta \t\n\n", "a\r\n\r\n", "\n\n# A\n\n# B\n\n"], ids=ascii)
def test_white_space_stays_on_demand(text: str) -> None:
    assert split(text, strip_whitespace=False) == [text]


def test_unstripped_text_is_joined_as_it_is() -> None:
    assert split(f"\n intro \n{A}\n outro\n\n", strip_whitespace=False) == [f"\n intro \n\n\n{A}\n\n\n outro\n\n"]


def test_stripped_text_meets_its_neighbours_at_the_separator() -> None:
    assert split(f"\n intro \n{A}\n outro\n\n") == [f" intro\n\n{A}\n\n outro"]


# separator


@pytest.mark.parametrize("separator", ["", "\n", "\n\n", "\n---\n", " ", "§"], ids=repr)
def test_the_separator_stands_between_blocks_and_counts(separator: str) -> None:
    joined = f"<a>0</a>{separator}<a>1</a>"
    assert split(small(2), len(joined), elements=["a"], separator=separator) == [joined]
    assert len(split(small(2), len(joined) - 1, elements=["a"], separator=separator)) == 2


def test_units_of_one_text_keep_their_white_space() -> None:
    text = "# A\n\n\n\none\n\n\n# B\ntwo"
    assert split(text, separator="-----") == [text]


@pytest.mark.parametrize("size", [30, 60, 70, 120, 4000])
@pytest.mark.parametrize("strip", [True, False], ids=["stripped", "unstripped"])
def test_without_a_separator_chunks_are_slices_of_the_source(size: int, *, strip: bool) -> None:
    text = f"\n\n  Intro\n\n\n{A} \n \n\t{B}\n\n<output command='x'/> mid \n{BUNDLE}"
    splitter = SemanticXmlSplitter(size, separator=None, strip_whitespace=strip, repeat_tags=False)
    chunks = splitter.create_documents([text])
    for chunk in chunks:
        assert chunk.page_content == text[chunk.metadata["start_index"] : chunk.metadata["end_index"]]
    check_laws(text, chunks, chunk_size=size, separator=None, strip_whitespace=strip, repeat_tags=False)


def test_the_white_space_of_the_source_counts() -> None:
    text = "<a>0</a>\n\n\n\n\n<a>1</a>"
    assert split(text, 21, elements=["a"], separator=None) == [text]
    assert len(split(text, 20, elements=["a"], separator=None)) == 2


# new_after


@pytest.mark.parametrize(
    ("new_after", "chunks"),
    [
        pytest.param(0, ["0", "1", "2", "3"], id="nothing"),
        pytest.param(8, ["0", "1", "2", "3"], id="reached by one"),
        pytest.param(9, ["01", "23"], id="passed by the second"),
        pytest.param(18, ["01", "23"], id="reached by two"),
        pytest.param(19, ["012", "3"], id="not reached by two"),
        pytest.param(5000, ["0123"], id="more than the size"),
        pytest.param(None, ["0123"], id="off"),
    ],
)
def test_a_chunk_that_has_reached_the_soft_maximum_takes_no_more(new_after: int | None, chunks: list[str]) -> None:
    contents = split(small(4), elements=["a"], new_after=new_after)
    assert ["".join(filter(str.isdigit, content)) for content in contents] == chunks


def test_a_heading_is_not_left_alone_for_the_soft_maximum() -> None:
    assert split(f"# A long heading\n{A}", new_after=3) == [f"# A long heading\n\n{A}"]


def test_a_containers_closing_goes_past_the_soft_maximum() -> None:
    assert split(f"<files>\n{A}\n{B}\n</files>", new_after=10) == [f"<files>\n\n{A}", f"{B}\n\n</files>"]


# combine_under


@pytest.mark.parametrize(
    ("combine_under", "chunks"),
    [
        pytest.param(0, ["# A\n1", "# B\n2", "# C\n3"], id="off"),
        pytest.param(5, ["# A\n1", "# B\n2", "# C\n3"], id="no section is smaller"),
        pytest.param(6, ["# A\n1\n# B\n2", "# C\n3"], id="one is, two are not"),
        pytest.param(12, ["# A\n1\n# B\n2\n# C\n3"], id="two are"),
        pytest.param(None, ["# A\n1\n# B\n2\n# C\n3"], id="as the size"),
    ],
)
def test_sections_smaller_than_this_are_joined(combine_under: int | None, chunks: list[str]) -> None:
    assert split("# A\n1\n# B\n2\n# C\n3", combine_under=combine_under) == chunks


def test_sections_are_not_torn_to_fill_a_chunk() -> None:
    text = f"# A\n{A}\n# B\n{B}\n{A}"
    section = f"# B\n\n{B}\n\n{A}"
    assert split(text, len(section)) == [f"# A\n\n{A}", section]


def test_a_section_that_does_not_fit_is_filled_greedily() -> None:
    section = f"# A\n\n{A}\n\n{B}"
    assert split(f"# A\n{A}\n{B}\n{A}\n", len(section)) == [section, A]


def test_a_heading_goes_with_what_follows() -> None:
    text = f"some words before\n# H\n{A}"
    assert split(text, len(A) + 5) == ["some words before", f"# H\n\n{A}"]


def test_a_containers_opening_goes_with_what_follows() -> None:
    text = f"{A}\n<files>\n{B}\n</files>"
    assert split(text, len(A) + 20) == [A, f"<files>\n\n{B}\n\n</files>"]


# isolate


@pytest.mark.parametrize(
    ("isolate", "chunks"),
    [
        pytest.param((), ["t1 f1 o f2 t2"], id="nothing"),
        pytest.param(False, ["t1 f1 o f2 t2"], id="False"),
        pytest.param(["output"], ["t1 f1", "o", "f2 t2"], id="one type"),
        pytest.param({"file"}, ["t1", "f1", "o", "f2", "t2"], id="a set"),
        pytest.param(["text"], ["t1", "f1 o f2", "t2"], id="text"),
        pytest.param(True, ["t1", "f1", "o", "f2", "t2"], id="all"),
        pytest.param(iter(["output"]), ["t1 f1", "o", "f2 t2"], id="an iterator"),
    ],
)
def test_isolated_types_share_no_chunk(isolate: Iterable[str] | bool, chunks: list[str]) -> None:
    text = "t1\n<file path='1'>f1</file>\n<output>o</output>\n<file path='2'>f2</file>\nt2"
    splitter = SemanticXmlSplitter(isolate=isolate)
    for _ in range(2):  # an iterator is read once, when the splitter is made
        contents = [" ".join(_words_outside_tags(content)) for content in splitter.split_text(text)]
        assert contents == chunks


def _words_outside_tags(content: str) -> Iterator[str]:
    for piece in content.replace("<", "\0<").replace(">", "\0").split("\0"):
        if not piece.startswith("<"):
            yield from piece.split()


def test_not_even_a_heading_shares_a_chunk_with_an_isolated_block() -> None:
    assert split(f"# A\n{A}\n</x>", isolate=["file"]) == ["# A", A, "</x>"]


def test_units_of_one_isolated_text_stay_together() -> None:
    assert split("# A\n1\n# B\n2", isolate=["text"]) == ["# A\n1\n# B\n2"]


# oversized and repeat_tags


def test_parts_carry_the_tags_of_their_element() -> None:
    parts = split(big(), 120)
    assert len(parts) > 2
    for part in parts:
        assert part.startswith("<file path='big'>\nsome words ")
        assert part.endswith("\n</file>")


def test_parts_leave_no_line_out_and_cut_none() -> None:
    lines = [line for part in split(big(), 120) for line in part.split("\n")[1:-1]]
    assert lines == big().split("\n")[1:-1]


def test_tags_are_not_repeated_on_demand() -> None:
    parts = split(big(), 120, repeat_tags=False)
    assert [part.count("<file") for part in parts] == [1] + [0] * (len(parts) - 1)
    assert [part.count("</file>") for part in parts] == [0] * (len(parts) - 1) + [1]


def test_tags_that_leave_less_than_half_are_not_repeated() -> None:
    head, tail = "<file path='big'>\n", "\n</file>"
    shell = len(head + tail)
    for size, repeated in ((2 * shell, True), (2 * shell - 1, False)):
        parts = split(big(), size)
        assert all(part.startswith(head) for part in parts) is repeated


def test_what_fits_is_never_cut_beside_what_does_not() -> None:
    chunks = split(f"{A}\n{big()}\n{B}", 100)
    assert (chunks[0], chunks[-1]) == (A, B)


def test_a_heading_and_containers_go_with_the_first_and_the_last_part() -> None:
    chunks = split(f"# Files\n<files>\n{big()}\n</files>\n{A}", 150)
    assert chunks[0].startswith("# Files\n<files>\n\n<file path='big'>\nsome words 0\n")
    assert chunks[-2].endswith("\n</file>\n\n</files>")
    assert chunks[-1] == A


def test_the_source_stands_around_the_parts_without_a_separator() -> None:
    chunks = split(f"<files>\n\n\n{big()}\n\n\n</files>", 150, separator=None)
    assert chunks[0].startswith("<files>\n\n\n<file path='big'>\n")
    assert chunks[-1].endswith("\n</file>\n\n\n</files>")


def test_a_heading_that_does_not_fit_beside_the_tag_is_a_chunk() -> None:
    heading = "# " + "h" * 70
    chunks = split(f"{heading}\n{big()}", 80)
    assert chunks[0] == heading


def test_text_that_heads_nothing_does_not_go_with_a_part() -> None:
    chunks = split(f"words\n{big()}\nwords", 120)
    assert (chunks[0], chunks[-1]) == ("words", "words")


def test_an_isolated_oversized_block_takes_no_heading_along() -> None:
    chunks = split(f"# A\n{big()}\n</files>", 120, isolate=["file"])
    assert (chunks[0], chunks[-1]) == ("# A", "</files>")


def test_text_is_cut_at_its_headings_before_it_is_oversized() -> None:
    text = "# A\none one one\n# B\ntwo two two"
    for oversized in ("split", "keep", "error"):
        assert split(text, 15, oversized=oversized) == ["# A\none one one", "# B\ntwo two two"]


def test_an_oversized_block_is_kept_on_demand() -> None:
    chunks = split(f"# A\n<files>\n{big()}\n</files>\n{A}", 100, oversized="keep")
    assert chunks == ["# A\n<files>", big(), f"</files>\n\n{A}"] or chunks == ["# A\n<files>", big(), "</files>", A]


def test_oversized_text_is_kept_too() -> None:
    text = "some words " * 20
    assert split(f"{text}\n{A}", 100, oversized="keep") == [text.rstrip(), A]


def test_nothing_oversized_is_no_error() -> None:
    assert split(A, len(A), oversized="error") == [A]


@pytest.mark.parametrize(
    ("text", "fields", "says"),
    [
        pytest.param(
            f"Intro\r\n\r\n{big()}\n",
            ("file", "big", (9, 9 + len(big())), 3, len(big()), 50),
            f"file 'big' at line 3 (characters 9 to {9 + len(big())}) has length {len(big())}, more than chunk_size=50",
            id="an element",
        ),
        pytest.param(
            f"\n\n  {'w ' * 40}\n",
            ("text", None, (2, 83), 3, 81, 50),
            "text at line 3 (characters 2 to 83) has length 81, more than chunk_size=50",
            id="text",
        ),
    ],
)
@pytest.mark.parametrize("clone", [lambda e: e, copy.copy, lambda e: pickle.loads(pickle.dumps(e))])  # noqa: S301
def test_the_error_for_an_oversized_block_says_which(
    text: str,
    fields: tuple[object, ...],
    says: str,
    clone: Callable[[OversizedBlockError], OversizedBlockError],
) -> None:
    with pytest.raises(OversizedBlockError) as raised:
        SemanticXmlSplitter(50, oversized="error").split_text(text)
    error = clone(raised.value)
    assert isinstance(error, ValueError)
    assert (error.type, error.identity, error.span, error.line, error.length, error.chunk_size) == fields
    assert str(error).startswith(says)
    assert "raise chunk_size" in str(error)


@pytest.mark.parametrize(
    "door",
    [
        lambda splitter: splitter.split_text(big()),
        lambda splitter: splitter.create_documents([A, big()]),
        lambda splitter: splitter.split_documents([Document(page_content=big())]),
        lambda splitter: list(splitter.lazy_split_text(big())),
        lambda splitter: list(splitter.lazy_split_text(iter([big()]))),
        lambda splitter: list(splitter.lazy_split_documents([Document(page_content=big())])),
    ],
    ids=["text", "create", "documents", "lazy text", "stream", "lazy documents"],
)
def test_every_door_raises_for_an_oversized_block(door: Callable[[SemanticXmlSplitter], object]) -> None:
    with pytest.raises(OversizedBlockError):
        door(SemanticXmlSplitter(50, oversized="error"))


def test_the_length_of_an_oversized_block_is_the_measured_one() -> None:
    with pytest.raises(OversizedBlockError) as raised:
        SemanticXmlSplitter(20, length_function=words, oversized="error").split_text(big())
    assert raised.value.length == words(big())


# Doors


def contents(documents: Iterable[Document]) -> list[str]:
    return [document.page_content for document in documents]


@pytest.mark.parametrize("size", [20, 60, 4000])
def test_every_door_gives_the_same_documents(size: int) -> None:
    splitter = SemanticXmlSplitter(size, chunk_overlap=9, deterministic_ids=True)
    text, own = BUNDLE + big(), {"source": "b.xml"}
    created = splitter.create_documents([text], [own])
    document = Document(page_content=text, metadata=own)
    assert contents(created) == splitter.split_text(text)
    assert splitter.split_documents([document]) == created
    assert list(splitter.lazy_split_documents(iter([document]))) == created
    assert list(splitter.transform_documents([document])) == created
    assert list(asyncio.run(splitter.atransform_documents([document]))) == created
    bare = splitter.create_documents([text])
    assert list(splitter.lazy_split_text(text)) == bare
    assert list(splitter.lazy_split_text(text[n : n + 9] for n in range(0, len(text), 9))) == bare


def test_no_texts_and_no_documents_give_none() -> None:
    splitter = SemanticXmlSplitter()
    assert splitter.create_documents([]) == splitter.split_documents([]) == splitter.split_documents(iter(())) == []
    assert splitter.create_documents([], []) == list(splitter.transform_documents([])) == []


def test_generators_of_texts_and_metadatas_are_read_in_step() -> None:
    texts, metadatas = (text for text in ["", A, " \n", B]), ({"n": number} for number in range(4))
    chunks = SemanticXmlSplitter().create_documents(texts, metadatas)
    assert [(chunk.page_content, chunk.metadata["n"]) for chunk in chunks] == [(A, 1), (B, 3)]


@pytest.mark.parametrize(
    ("texts", "metadatas", "says"),
    [
        (2, 1, r"more texts than metadatas \(1\)"),
        (1, 2, r"more metadatas than texts \(1\)"),
        (0, 1, r"more metadatas than texts \(0\)"),
        (1, 0, r"more texts than metadatas \(0\)"),
    ],
)
@pytest.mark.parametrize("kind", [list, iter], ids=["lists", "iterators"])
def test_each_text_needs_its_metadata(
    texts: int, metadatas: int, says: str, kind: Callable[[list[Any]], Iterable[Any]]
) -> None:
    with pytest.raises(ValueError, match=says):
        SemanticXmlSplitter().create_documents(kind([A] * texts), kind([{}] * metadatas))


@pytest.mark.parametrize("value", [None, "source", [("a", 1)], 3], ids=repr)
def test_metadata_that_is_no_mapping_is_refused(value: Any) -> None:  # noqa: ANN401 - anything
    with pytest.raises(TypeError, match=r"metadatas\[1\] must be a mapping"):
        SemanticXmlSplitter().create_documents([A, A], [{}, value])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda s: s.create_documents(A), "texts must be an iterable of str, not str; put a single one into a list"),
        (lambda s: s.create_documents(None), "texts must be an iterable of str, not NoneType"),
        (lambda s: s.create_documents(b"x"), "texts must be an iterable of str, not bytes"),
        (lambda s: s.create_documents([A, None]), r"texts\[1\] must be a str, not NoneType"),
        (lambda s: s.create_documents([A, b"x"]), r"texts\[1\] must be a str, not bytes; decode it first"),
        (lambda s: s.create_documents([Document(page_content=A)]), r"texts\[0\] must be a str, not Document"),
        (lambda s: s.create_documents(Document(page_content=A)), "texts must be an iterable of str, not Document"),
        (lambda s: s.split_documents(A), "documents must be an iterable of Document, not str"),
        (lambda s: s.split_documents(Document(page_content=A)), "documents must be an iterable of Document"),
        (lambda s: s.split_documents(None), "documents must be an iterable of Document, not NoneType"),
        (lambda s: s.split_documents([Document(page_content=A), A]), r"documents\[1\] must be a Document, not str"),
        (lambda s: s.split_documents([None]), r"documents\[0\] must be a Document, not NoneType"),
        (lambda s: s.split_documents([{"page_content": A}]), r"documents\[0\] must be a Document, not dict"),
        (lambda s: s.transform_documents([A]), r"documents\[0\] must be a Document, not str"),
        (lambda s: s.split_text(None), "text must be a str, not NoneType"),
        (lambda s: s.split_text([A]), "text must be a str, not list"),
        (lambda s: s.split_text(Document(page_content=A)), "text must be a str, not Document; pass its page_content"),
        (lambda s: s.split_text(A.encode()), "text must be a str, not bytes; decode it first"),
        (lambda s: s.lazy_split_text(None), "text_or_stream must be a str, not NoneType"),
        (lambda s: s.lazy_split_text(b"x"), "text_or_stream must be a str, not bytes"),
        (lambda s: s.lazy_split_text(Document(page_content=A)), "text_or_stream must be a str, not Document"),
        (lambda s: s.lazy_split_documents(A), "documents must be an iterable of Document, not str"),
        (lambda s: list(s.lazy_split_documents([A])), r"documents\[0\] must be a Document, not str"),
    ],
)
def test_what_a_door_does_not_take_is_refused_with_a_remedy(
    call: Callable[[SemanticXmlSplitter], object], says: str
) -> None:
    with pytest.raises(TypeError, match=says):
        call(SemanticXmlSplitter())


def test_documents_are_taken_only_when_their_chunks_are_asked_for() -> None:
    taken: list[int] = []

    def documents() -> Iterator[Document]:
        for number in range(9):
            taken.append(number)
            yield Document(page_content=f"{A}\n{B}", metadata={"n": number})

    chunks = SemanticXmlSplitter(30).lazy_split_documents(documents())
    assert taken == []
    assert [next(chunks).metadata["n"] for _ in range(4)] == [0, 0, 1, 1]
    assert taken == [0, 1]


def test_lazy_calls_of_one_splitter_do_not_meet() -> None:
    splitter = SemanticXmlSplitter(60, chunk_overlap=20)
    text, other = BUNDLE + big(), big("other") + BUNDLE
    pairs = list(zip(splitter.lazy_split_text(text), splitter.lazy_split_text(other), strict=False))
    assert contents(one for one, _ in pairs) == splitter.split_text(text)[: len(pairs)]
    assert contents(two for _, two in pairs) == splitter.split_text(other)[: len(pairs)]


def test_documents_of_a_subclass_are_split_into_documents() -> None:
    class Page(Document):
        number: int = 1

    chunks = SemanticXmlSplitter().split_documents([Page(page_content=BUNDLE, metadata={"a": 1}, id="p")])
    assert [type(chunk) for chunk in chunks] == [Document]
    assert (chunks[0].metadata["a"], chunks[0].metadata["parent_id"]) == (1, "p")


def test_a_subclass_of_str_is_split_into_plain_strings() -> None:
    class Prompt(str):
        __slots__ = ()

    chunks = SemanticXmlSplitter(60).split_text(Prompt(BUNDLE))
    assert chunks == SemanticXmlSplitter(60).split_text(BUNDLE)
    assert {type(chunk) for chunk in chunks} == {str}


class Frozen(Mapping[str, object]):
    """The least that a mapping can do."""

    def __getitem__(self, key: str) -> object:
        return {"a": [1]}[key]

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    "metadata",
    [Frozen(), MappingProxyType({"a": [1]}), UserDict({"a": [1]}), ChainMap({"a": [1]}), OrderedDict({"a": [1]})],
    ids=lambda metadata: type(metadata).__name__,
)
def test_a_mapping_of_any_kind_is_metadata(metadata: Mapping[str, Any]) -> None:
    first, second = SemanticXmlSplitter(30, deterministic_ids=True).create_documents([f"{A}\n{B}"], [metadata])
    first.metadata["a"].append(2)
    assert (type(second.metadata), second.metadata["a"], metadata["a"]) == (dict, [1], [1])
    assert "block_type" not in metadata


# Purity


def own_metadata() -> dict[str, Any]:
    return {"tags": ["t"], "nested": {"list": [{"deep": 1}]}, "set": {1}, "source": "b.xml"}


@pytest.mark.parametrize("size", [20, 60, 4000])
def test_inputs_are_unchanged(size: int) -> None:
    texts, metadatas = [BUNDLE, big()], [own_metadata(), own_metadata()]
    documents = [Document(page_content=BUNDLE, metadata=own_metadata(), id="1")]
    splitter = SemanticXmlSplitter(size, deterministic_ids=True)
    for chunk in [*splitter.create_documents(texts, metadatas), *splitter.split_documents(documents)]:
        chunk.metadata["tags"].append("changed")
        chunk.metadata["nested"]["list"][0]["deep"] = 2
        chunk.metadata["set"].clear()
        chunk.metadata["source"] = "changed"
    assert (texts, metadatas) == ([BUNDLE, big()], [own_metadata(), own_metadata()])
    assert documents == [Document(page_content=BUNDLE, metadata=own_metadata(), id="1")]


def test_nothing_is_shared_between_chunks() -> None:
    one = own_metadata()
    chunks = SemanticXmlSplitter(60).create_documents([BUNDLE, BUNDLE], [one, one])
    first, *others = chunks
    for value in first.metadata.values():
        if isinstance(value, (list, dict, set)):
            value.clear()
    fresh = SemanticXmlSplitter(60).create_documents([BUNDLE, BUNDLE], [own_metadata(), own_metadata()])
    assert others == fresh[1:]


def test_what_is_shared_within_one_metadata_stays_shared_within_one_chunk() -> None:
    shared = [1]
    first, second = SemanticXmlSplitter(30).create_documents([f"{A}\n{B}"], [{"a": shared, "b": shared}])
    assert first.metadata["a"] is first.metadata["b"]
    assert first.metadata["a"] is not second.metadata["a"]


def test_a_splitter_is_not_changed_by_what_it_was_made_from() -> None:
    names, isolate = ["a"], {"a"}
    splitter = SemanticXmlSplitter(elements=names, isolate=isolate)
    names.append("file")
    isolate.clear()
    assert splitter.split_text(f"{small(2)}\n{A}") == ["<a>0</a>", "<a>1</a>", A]


CLONES: list[Callable[[SemanticXmlSplitter], SemanticXmlSplitter]] = [
    copy.copy,
    copy.deepcopy,
    lambda splitter: pickle.loads(pickle.dumps(splitter, 2)),  # noqa: S301 - our own
    lambda splitter: pickle.loads(pickle.dumps(splitter, pickle.HIGHEST_PROTOCOL)),  # noqa: S301 - our own
]


@pytest.mark.parametrize("clone", CLONES, ids=["copy", "deepcopy", "pickle 2", "pickle"])
@pytest.mark.parametrize("used", [False, True], ids=["new", "used"])
def test_a_copied_splitter_splits_alike(
    clone: Callable[[SemanticXmlSplitter], SemanticXmlSplitter], *, used: bool
) -> None:
    splitter = SemanticXmlSplitter(
        60,
        20,
        utf8,
        elements=["file", ElementRule("output", identity=("command",), bare=False)],
        separator=None,
        isolate=["output"],
        deterministic_ids=True,
    )
    if used:
        splitter.split_text(BUNDLE)
    text = BUNDLE + big()
    assert clone(splitter).create_documents([text]) == splitter.create_documents([text])


def test_a_splitter_learns_nothing_from_a_call() -> None:
    splitter = SemanticXmlSplitter(60, 20, words)
    before = pickle.dumps(splitter)
    expected = splitter.create_documents([BUNDLE])
    splitter.split_text("x" * 100_000)
    with pytest.raises(TypeError):
        splitter.split_text(None)  # type: ignore[arg-type]
    assert splitter.create_documents([BUNDLE]) == expected
    assert pickle.dumps(splitter) == before


def test_threads_share_a_splitter() -> None:
    splitter = SemanticXmlSplitter(100, 30, words, deterministic_ids=True)
    texts = [BUNDLE * (number % 5) + big(str(number)) for number in range(16)]
    expected = [splitter.create_documents([text]) for text in texts]
    barrier = threading.Barrier(4)

    def work(first: int) -> list[tuple[int, list[Document]]]:
        barrier.wait()
        order = [*range(first, len(texts)), *range(first)]
        return [(number, splitter.create_documents([texts[number]])) for number in order]

    with ThreadPoolExecutor(4) as pool:
        for results in pool.map(work, [0, 4, 8, 12]):
            assert all(documents == expected[number] for number, documents in results)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ud800<file path='\udfff'>\0\ud83d</file>\udc00" * 9, id="surrogates and NUL"),
        pytest.param("<file path='a'>" + "\u0301" * 500 + "</file>", id="one cluster"),
        pytest.param("<file path='a'>" + " \n" * 500 + "</file>", id="a blank body"),
        pytest.param("# h\n" * 500, id="headings alone"),
        pytest.param("<files>\n" * 500, id="openings alone"),
        pytest.param("</files>\n" * 500, id="closings alone"),
        pytest.param("\r" * 500 + "x", id="carriage returns"),
    ],
)
def test_no_text_raises(text: str) -> None:
    split(text, 100)
    split(text, 100, chunk_overlap=30, separator=None)


def test_five_thousand_levels_are_cut() -> None:
    text = "<file path='a'>\n" * 5000 + "</file>\n" * 5000
    chunks = SemanticXmlSplitter(1000, repeat_tags=False).split_text(text)
    assert max(map(len, chunks)) <= 1000
    assert squeeze("".join(chunks)) == squeeze(text)


# deterministic_ids


def ids_of(documents: Iterable[Document]) -> list[str]:
    """Return the ids; assert that each is a UUID of version 5, and that no two are the same."""
    ids = [document.id for document in documents if document.id is not None]
    assert {uuid.UUID(name).version for name in ids} <= {5}
    assert len(set(ids)) == len(ids)
    return ids


SAME = "\n".join(["<file path='a'>same</file>"] * 3)


def test_chunks_have_no_ids_unless_wanted() -> None:
    chunks = SemanticXmlSplitter(30).split_documents([Document(page_content=SAME, id="source")])
    assert [chunk.id for chunk in chunks] == [None] * 3


def test_ids_are_the_same_on_every_call_and_of_every_splitter() -> None:
    made = [
        ids_of(SemanticXmlSplitter(60, deterministic_ids=True).create_documents([BUNDLE], [own_metadata()]))
        for _ in range(2)
    ]
    assert made[0] == made[1]
    assert len(made[0]) > 2


def test_repeated_chunks_of_one_text_have_ids_of_their_own() -> None:
    assert len(ids_of(SemanticXmlSplitter(30, deterministic_ids=True).create_documents([SAME]))) == 3


def test_parts_and_overlaps_have_ids_of_their_own() -> None:
    splitter = SemanticXmlSplitter(60, 25, deterministic_ids=True)
    text = file("a", *["same"] * 100)
    assert len(ids_of(splitter.create_documents([text]))) == len(splitter.split_text(text)) > 5


@pytest.mark.parametrize("metadata", [{}, {"source": "a"}], ids=["no metadata", "metadata"])
def test_equal_texts_in_one_call_have_ids_of_their_own(metadata: dict[str, object]) -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    assert len(ids_of(splitter.create_documents([SAME, SAME], [metadata, metadata]))) == 6
    documents = [Document(page_content=SAME, metadata=metadata) for _ in range(2)]
    assert len(ids_of(splitter.split_documents(documents))) == 6


def test_the_sources_id_stands_for_its_metadata_and_place() -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    alone = ids_of(splitter.split_documents([Document(page_content=SAME, id="1")]))
    other = Document(page_content=SAME, id="2")
    again = ids_of(splitter.split_documents([other, Document(page_content=SAME, metadata={"fetched": 1}, id="1")]))
    assert again[3:] == alone


def test_ids_need_no_positions_in_the_metadata() -> None:
    splitters = [SemanticXmlSplitter(30, add_start_index=flag, deterministic_ids=True) for flag in (True, False)]
    first, second = (ids_of(splitter.create_documents([SAME])) for splitter in splitters)
    assert first == second


def test_an_empty_id_is_an_id() -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    empty, none = Document(page_content=SAME, id=""), Document(page_content=SAME)
    assert len(ids_of(splitter.split_documents([empty, none]))) == 6


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": "1"}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": {"b": 1}}, {"a": {"b": 2}}),
        ({"a": {1, 2}}, {"a": {1, 3}}),
        ({"a": "b,c"}, {"a": ["b", "c"]}),
        ({"a": "1", "b": "2"}, {"a": "1','b':'2"}),
    ],
    ids=repr,
)
def test_other_metadata_gives_other_ids(one: dict[str, object], other: dict[str, object]) -> None:
    splitter = SemanticXmlSplitter(deterministic_ids=True)
    first, second = (splitter.create_documents([A], [metadata]) for metadata in (one, other))
    assert len(ids_of([*first, *second])) == 2


def test_equal_metadata_gives_equal_ids_whatever_the_order() -> None:
    splitter = SemanticXmlSplitter(deterministic_ids=True)
    one, other = {"a": 1, "b": {"c": 2, "d": {8, 16, 0}}}, {"b": {"d": {0, 16, 8}, "c": 2}, "a": 1}
    assert ids_of(splitter.create_documents([A], [one])) == ids_of(splitter.create_documents([A], [other]))


def test_a_changed_chunk_gets_another_id_and_one_before_it_does_not() -> None:
    splitter = SemanticXmlSplitter(30, deterministic_ids=True)
    one = ids_of(splitter.create_documents([f"{A}\n{B}"]))
    other = ids_of(splitter.create_documents([f"{A}\n{B.replace('2', '3')}"]))
    assert one[0] == other[0]
    assert one[1] != other[1]


IN_ANOTHER_PROCESS = f"""
import collections, dataclasses, datetime, decimal, enum, functools, json, pathlib, types
from langchain_semantic_xml import SemanticXmlSplitter

class Plain: pass
class Color(enum.Enum): RED = 1
@dataclasses.dataclass
class Holder: value: object
def function(): pass
words = {{"alpha", "beta", "gamma", "delta", "epsilon"}}
kinds = {{
    "none": None, "float": 0.1, "nan": float("nan"), "bytes": b"x", "surrogate": "\\ud800",
    "path": pathlib.PurePosixPath("a"), "date": datetime.date(2024, 1, 2), "decimal": decimal.Decimal("1.0"),
    "enum": Color.RED, "class": Plain, "set": words, "frozenset": frozenset(words), "set in list": [words],
    "set in dict": {{"a": words}}, "set in tuple": (1, words),
    "sets in set": {{frozenset(words), frozenset({{"x", "y"}})}},
    "object": object(), "plain object": Plain(), "object in list": [Plain()],
    "object in dict": {{"a": {{"b": Plain()}}}},
    "counter": collections.Counter(words), "defaultdict": collections.defaultdict(list, a=[words]),
    "dataclass": Holder(1), "set in dataclass": Holder(words), "object in dataclass": Holder(Plain()),
    "set in deque": collections.deque([words]), "set in namespace": types.SimpleNamespace(a=words),
    "function": function, "lambda": lambda: 1, "partial": functools.partial(function), "method": Plain().__init__,
    "exception": ValueError("a", 1),
}}
splitter = SemanticXmlSplitter(30, deterministic_ids=True)
text = {SAME!r} + "\\n\\udfff"
print(json.dumps({{kind: [chunk.id for chunk in splitter.create_documents([text], [{{"own": value, 1: 2}}])]
                  for kind, value in kinds.items()}}))
"""


def ids_in_a_process(seed: str) -> dict[str, list[str]]:
    printed = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    ids: dict[str, list[str]] = json.loads(printed)
    return ids


@pytest.fixture(scope="module")
def ids_in_processes() -> list[dict[str, list[str]]]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ids_in_a_process, ["1", "2"]))


KINDS = [
    "none", "float", "nan", "bytes", "surrogate", "path", "date", "decimal", "enum", "class", "set", "frozenset",
    "set in list", "set in dict", "set in tuple", "sets in set", "object", "plain object", "object in list",
    "object in dict", "counter", "defaultdict", "dataclass", "set in dataclass", "object in dataclass",
    "set in deque", "set in namespace", "function", "lambda", "partial", "method", "exception",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_the_same_in_every_process_whatever_the_metadata(
    kind: str, ids_in_processes: list[dict[str, list[str]]]
) -> None:
    one, other = (ids[kind] for ids in ids_in_processes)
    assert len(set(one)) == 3
    assert one == other


def test_these_are_all_kinds_of_metadata_that_are_tried(ids_in_processes: list[dict[str, list[str]]]) -> None:
    assert list(ids_in_processes[0]) == KINDS


def test_what_goes_beside_a_kept_block_says_that_it_is_too_long() -> None:
    splitter = SemanticXmlSplitter(chunk_size=2, oversized="keep", length_function=lambda text: len(text) + 3)
    documents = splitter.create_documents([">\n</t>"])
    assert [document.metadata["oversized"] for document in documents] == [True] * len(documents)


def test_a_heading_that_leaves_a_part_no_room_is_a_chunk_by_itself() -> None:
    splitter = SemanticXmlSplitter(chunk_size=2, length_function=lambda text: len(text.strip()))
    assert splitter.split_text("#\n#\nx") == ["#", "#", "x"]
