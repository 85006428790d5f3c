"""`semantic-xml stats`: numbers of blocks and chunks, as JSON and as a table."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from langchain_semantic_xml import SemanticXmlSplitter, parse_blocks
from tests.cli.running import TEXT, Run
from tests.paths import BUNDLE


def numbers_of(values: Sequence[int]) -> dict[str, int]:
    middle = sorted(values)[(len(values) - 1) // 2]
    return {"count": len(values), "min": min(values), "median": middle, "max": max(values), "total": sum(values)}


@pytest.mark.parametrize(
    ("flags", "splitter"),
    [
        (["--chunk-size", "300"], SemanticXmlSplitter(300)),
        (["--chunk-size", "500", "--chunk-overlap", "200"], SemanticXmlSplitter(500, 200)),
        (
            ["--isolate-all", "--oversized", "keep", "--chunk-size", "200"],
            SemanticXmlSplitter(200, oversized="keep", isolate=True),
        ),
    ],
    ids=["split", "overlap", "kept"],
)
def test_stats_count_what_the_parser_finds_and_the_splitter_makes(
    run: Run, flags: list[str], splitter: SemanticXmlSplitter
) -> None:
    stats = json.loads(run("stats", BUNDLE, "--json", *flags).out)
    documents = splitter.create_documents([TEXT])
    sizes: dict[str, list[int]] = {}
    for block in parse_blocks(TEXT):
        sizes.setdefault(block.type, []).append(len(block.content))
    assert stats["blocks"] == {kind: numbers_of(values) for kind, values in sizes.items()}
    assert stats["chunks"] == numbers_of([len(document.page_content) for document in documents])
    assert stats["oversized"] == sum(document.metadata["oversized"] for document in documents)
    assert len(stats["cuts"]) == sum(
        (document.metadata["parts"] or 0) > 1 == document.metadata["part"] for document in documents
    )


def test_stats_say_what_was_cut_and_where(run: Run) -> None:
    stats = json.loads(run("stats", BUNDLE, "--json", "--chunk-size", "600").out)
    cut = {"source": str(BUNDLE), "type": "file", "identity": "src/teapot/brew.py"}
    assert stats["cuts"] == [{**cut, "start_line": 7, "end_line": 42, "parts": 2}]
    assert stats["fill"] == pytest.approx(stats["chunks"]["total"] / stats["chunks"]["count"] / 600, abs=1e-4)


def test_stats_measure_in_tokens(run: Run) -> None:
    stats = json.loads(run("stats", BUNDLE, "--json", "--tokenizer", "cl100k_base").out)
    length = SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base")._length_function  # noqa: SLF001
    assert stats["unit"] == "tokens of cl100k_base"
    assert stats["blocks"]["document"]["total"] == sum(
        length(block.content) for block in parse_blocks(TEXT) if block.type == "document"
    )


def test_stats_of_several_bundles_are_added(run: Run) -> None:
    one = json.loads(run("stats", BUNDLE, "--json").out)
    two = json.loads(run("stats", BUNDLE, "-", "--json", stdin=TEXT.encode()).out)
    assert two["bundles"] == [str(BUNDLE), "-"]
    assert two["blocks"]["file"]["total"] == 2 * one["blocks"]["file"]["total"]
    assert two["chunks"]["count"] == 2 * one["chunks"]["count"]


def test_stats_of_nothing_are_zero(run: Run) -> None:
    stats = json.loads(run("stats", "-", "--json").out)
    assert stats["chunks"] == {"count": 0, "min": None, "median": None, "max": None, "total": 0}
    assert (stats["blocks"], stats["cuts"], stats["fill"]) == ({}, [], None)
    assert run("stats", "-").out.splitlines()[-1] == b"Oversized: 0. Cut: 0."


def test_stats_are_a_table_for_people(run: Run) -> None:
    shown = run("stats", BUNDLE, "--chunk-size", "600").out.decode()
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[0] == "length in characters count min median max total"
    assert "file 2 331 331 926 1,257" in lines
    assert "Chunks fill 65% of chunk size 600 on average. Oversized: 0. Cut: 1." in lines
    assert lines[-1] == "file src/teapot/brew.py 7-42 2"
    assert shown.splitlines() == [line.rstrip() for line in shown.splitlines()]


def test_the_table_shows_names_as_they_are_and_on_one_line(run: Run) -> None:
    name = "[red]:tea:\u202e\x1b[31m&#10;" + "x" * 1000
    text = f'<file path="{name}">\n' + "word \n" * 100 + "</file>\n"
    shown = run("stats", "-", "--chunk-size", "300", stdin=text.encode()).out.decode()
    last = shown.splitlines()[-1]
    assert last.startswith(r"file [red]:tea:\u202e\x1b[31m\nxxx")
    assert "…" in last
    assert len(last) < 120


def test_the_table_names_the_bundle_where_there_are_several(run: Run) -> None:
    shown = run("stats", BUNDLE, "-", "--chunk-size", "600", stdin=TEXT.encode()).out.decode()
    assert f"{BUNDLE}: file src/teapot/brew.py" in shown
    assert "-: file src/teapot/brew.py" in shown


def test_the_table_stops_at_twenty_cuts_and_json_has_all(run: Run) -> None:
    text = "".join(f'<file path="{number}">\n' + "word \n" * 20 + "</file>\n" for number in range(30)).encode()
    shown = run("stats", "-", "--chunk-size", "100", stdin=text).out.decode()
    assert shown.splitlines()[-1] == "… and 10 more; --json lists all"
    assert len(json.loads(run("stats", "-", "--json", "--chunk-size", "100", stdin=text).out)["cuts"]) == 30
