"""Bytes stand for inputs, so that mutated bytes are inputs too; a failure found that way is reported as any other."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from tests.fuzz import guided
from tests.fuzz.checks import check
from tests.fuzz.encoding import FRAGMENTS, HEADER, LONGEST, decode, encode
from tests.fuzz.inputs import fits_something
from tests.fuzz.planted import Forgetful
from tests.fuzz.targets import Target, check_found_blocks, seeds


@given(st.text(max_size=200))
def test_every_text_can_be_written(text: str) -> None:
    assert decode(encode(text)).text == text


def test_a_fragment_takes_no_more_than_two_bytes() -> None:
    assert all(len(encode(fragment)) <= HEADER + 2 for fragment in FRAGMENTS)
    assert [decode(encode(fragment)).text for fragment in FRAGMENTS] == list(FRAGMENTS)


def test_the_last_code_point_can_be_written_and_so_can_a_lone_surrogate() -> None:
    assert decode(encode("\U0010ffff\ud800")).text == "\U0010ffff\ud800"


@given(st.binary(max_size=300))
def test_any_bytes_are_an_input_that_the_splitter_takes(data: bytes) -> None:
    found = decode(data)
    assert len(found.text) <= LONGEST
    SemanticXmlSplitter(**found.options)


@given(st.text(max_size=50))
def test_a_header_of_zeros_leaves_all_options_but_the_size_at_their_defaults(text: str) -> None:
    found = decode(encode(text))
    assert (list(found.options), found.metadata, found.salt) == (["chunk_size"], {}, 0)


def test_a_step_writes_again_what_the_steps_before_it_wrote() -> None:
    last_two, three_times = 0xE2, 3 * 16 - 1
    assert decode(bytes(HEADER) + b"abc" + bytes((last_two, three_times))).text == "abcbcbcbc"


@pytest.mark.parametrize("place", [place for place in range(HEADER) if place != 9])
def test_a_byte_of_the_header_changes_no_more_than_one_thing(place: int) -> None:
    header = bytearray(HEADER)
    header[place] = 200
    found, plain = decode(encode("text", bytes(header))), decode(encode("text"))
    changed = {name for name, value in found.options.items() if plain.options.get(name) != value}
    changed -= {"chunk_size"} if "length_function" in changed else set()  # room for what the function adds
    assert len(changed) + (found.metadata != plain.metadata) + (found.salt != plain.salt) <= 1


def test_random_headers_reach_every_option() -> None:
    rng = Random(1)  # noqa: S311 - reproducible, not secret
    made = [decode(encode("some text", rng.randbytes(HEADER))) for _ in range(300)]
    names = {name for found in made for name in found.options}
    assert names == {
        "add_start_index", "chunk_overlap", "chunk_size", "combine_under", "deterministic_ids", "elements", "isolate",
        "length_function", "new_after", "oversized", "repeat", "separator", "strip_whitespace",
    }  # fmt: skip


def test_the_inputs_that_a_run_begins_with_break_no_law() -> None:
    found = [decode(data) for _, data in seeds()]
    assert len(found) > 100
    for each in found:
        check_found_blocks(each)
        if fits_something(each.options):
            check(each)


def test_a_planted_fault_is_reported_once_as_a_test_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    target = Target("splitter", 0.0, end=codes.append, splitter=Forgetful)
    for text in ("fine", 'a "quote"', 'another "quote"'):
        target.check(encode(text))
    said = capsys.readouterr().out
    assert said.count("def test_guided_splitter_1") == 1
    assert "    check_input(\n" in said
    assert (target.inputs, target.kinds.total(), len(target.kinds)) == (3, 2, 1)


def test_a_run_that_broke_a_law_ends_the_process_with_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    target = Target("splitter", 0.0, end=codes.append, splitter=Forgetful)
    target.check(encode('"'))
    assert codes == [1]
    assert "failures          1\n" in capsys.readouterr().out


def test_a_run_says_once_what_it_did_and_leaves_a_good_end_to_the_fuzzer(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    target = Target("blocks", 0.0, end=codes.append)
    target.check(encode("<file>a</file>"))
    target.check(encode("b"))
    assert codes == []
    assert capsys.readouterr().out.split()[:4] == ["inputs", "1", "characters", "14"]


def test_the_command_refuses_an_unknown_target(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        guided.main(["--target", "sections"])
    assert "invalid choice: 'sections'" in capsys.readouterr().err
