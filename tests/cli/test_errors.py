"""Errors of the command: one line that names the place and the remedy."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

from tests.cli.running import TEXT, Run


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("split", 2, ["BUNDLE", "split --help"]),
        ("splt x", 2, ["splt", "--help"]),
        ("split --chunksize 5 x", 2, ["--chunksize"]),
        ("split --chunk-size many x", 2, ["--chunk-size", "many"]),
        ("split --chunk-size 0 x", 2, ["--chunk-size 0", ">= 1"]),
        ("split --chunk-size 5 --chunk-overlap 9 x", 2, ["--chunk-overlap 9", "--chunk-size 5", "lower it"]),
        ("split --isolate fiel x", 2, ["--isolate: no block has the type 'fiel'", "add it to --elements"]),
        ("split --elements a<b x", 2, ["--elements", "'a<b'", "XML Name"]),
        ("split --elements text x", 2, ["--elements text", "'text'"]),
        ("split --elements file=a,,b x", 2, ["--elements", "''", "XML Name"]),
        ("split --elements file --elements file=id x", 2, ["--elements", "'file' has two different rules"]),
        (r"split --separator a\q x", 2, ["--separator", r"\q", r"\n"]),
        ("split --separator - --keep-whitespace x", 2, ["--separator", "--keep-whitespace", "leave one"]),
        ("split --encoding utf-9 x", 2, ["--encoding 'utf-9'", "utf-8"]),
        ("split --encoding rot13 x", 2, ["--encoding 'rot13'"]),
        ("split --lookahead 0 x", 2, ["--lookahead 0"]),
        ("split --tokenizer cl200k x", 2, ["--tokenizer cl200k", "cl100k_base"]),
        ("split --tokenizer none.json x", 1, ["none.json", "tokenizer.json"]),
        ("split --tokenizer bad.json x", 1, ["bad.json", "tokenizer.json"]),
        ("split missing.xml", 1, ["missing.xml", "no such file"]),
        ("split https://tea.example/b.xml", 1, ["is an address, not a file; download it first"]),
        ("split gz.xml", 1, ["gz.xml: it is packed with gzip", "rename it, or unpack it"]),
        ("split bom.xml", 1, ["bom.xml: its byte-order mark says utf-16", "name the encoding utf-16"]),
        ("split missing.xml/x", 1, ["missing.xml/x"]),
        ("split folder --glob /etc/*", 1, ["folder: --glob '/etc/*' is no pattern of paths in a folder"]),
        ("split x --glob", 2, ["--glob"]),
        ("split bad.json/x", 1, ["bad.json/x", "Not a directory"]),
        ("split none/*.xml", 1, ["none/*.xml: no file in", "matches '*.xml'"]),
        ("split - -", 1, ["standard input", "once"]),
        ("split x -o folder", 1, ["folder", "is a folder"]),
        ("split x -o none/chunks.jsonl", 1, ["none/chunks.jsonl", "'none' does not exist"]),
        (f"split x -o {'n' * 300}", 1, ["nnn: cannot be written: File name too long"]),
        ("split x -o x", 1, ["x: is read as a bundle"]),
        ("split ff.xml", 1, ["ff.xml, line 3", "byte 0xff", "at byte 8", "--encoding"]),
        ("split cut.xml", 1, ["cut.xml, line 1", "at byte 1"]),
        ("split cut.xml --encoding utf-16", 1, ["cut.xml", "utf-16", "BOM"]),
        ("split short.gz", 1, ["short.gz", "ends too early"]),
        ("split plain.gz", 1, ["plain.gz", "gzip"]),
        ("split x --chunk-size 5 --oversized error", 1, ["x, line 2", "file a\\nb has length", "--chunk-size 5"]),
        ("stats x --chunk-size 5 --oversized error", 1, ["x, line 2", "--oversized split or keep"]),
        ("view x", 2, ["--output"]),
        ("view missing.xml -o y", 1, ["missing.xml"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_an_error_is_one_line_that_names_the_place_and_the_remedy(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, code: int, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text('tea\n<file path="a&#10;b">\nx\n</file>\n', encoding="utf-8")
    (tmp_path / "ff.xml").write_bytes(b"1\r\n\xc3\xa9\r\n4\xff\n")
    (tmp_path / "cut.xml").write_bytes(b"a\xc3")
    (tmp_path / "bad.json").write_bytes(b"{")
    (tmp_path / "short.gz").write_bytes(gzip.compress(TEXT.encode())[:-20])
    (tmp_path / "plain.gz").write_bytes(TEXT.encode())
    (tmp_path / "gz.xml").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "bom.xml").write_bytes(TEXT.encode("utf-16"))
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    ran = run(*arguments.split(" "))
    assert ran.code == code
    assert ran.err.startswith("semantic-xml: ")
    assert ran.err.count("\n") == 1
    assert [word for word in words if word not in ran.err] == []
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="a superuser may read and write everything")
@pytest.mark.parametrize("arguments", ["split secret.xml", "split x -o sealed/chunks.jsonl"])
def test_what_may_not_be_read_or_written_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text("tea", encoding="utf-8")
    (tmp_path / "secret.xml").touch(mode=0)
    (tmp_path / "sealed").mkdir(mode=0o500)
    ran = run(*arguments.split())
    assert ran.code == 1
    assert arguments.rsplit(maxsplit=1)[-1] in ran.err
    assert "Permission denied" in ran.err


@pytest.mark.parametrize(
    ("package", "arguments", "remedy"),
    [
        ("click", ["--help"], "langchain-semantic-xml[cli]"),
        ("rich", ["--help"], "langchain-semantic-xml[cli]"),
        ("tiktoken", ["split", "--tokenizer", "cl100k_base", "-"], "langchain-semantic-xml[tiktoken]"),
        ("tokenizers", ["split", "--tokenizer", "x.json", "-"], "langchain-semantic-xml[huggingface]"),
    ],
    ids=["click", "rich", "tiktoken", "tokenizers"],
)
def test_a_package_that_is_missing_is_named_with_its_extra(
    run: Run, monkeypatch: pytest.MonkeyPatch, package: str, arguments: list[str], remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    ran = run(*arguments)
    assert (ran.code, ran.out) == (1, b"")
    assert ran.err.count("\n") == 1
    assert f'{package}: pip install "{remedy}"' in ran.err


def test_a_module_of_ours_that_is_missing_is_not_taken_for_an_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_semantic_xml._cli.commands", None)
    with pytest.raises(ModuleNotFoundError, match=r"_cli\.commands"):
        run("--help")


def test_a_vocabulary_that_cannot_be_fetched_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")  # nobody listens there
    ran = run("split", "--tokenizer", "p50k_base", "-")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "--tokenizer p50k_base" in ran.err
    assert "TIKTOKEN_CACHE_DIR" in ran.err
