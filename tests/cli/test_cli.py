"""The command `semantic-xml`: what it writes, what its flags do, and what it says when something is wrong."""

from __future__ import annotations

import gzip
import inspect
import io
import json
import os
import shlex
import signal
import stat
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from langchain_core.documents import Document
from tokenizers import Tokenizer, models, pre_tokenizers

from langchain_semantic_xml import ElementRule, SemanticXmlSplitter, parse_blocks
from langchain_semantic_xml._cli import progress as cli_progress
from langchain_semantic_xml._cli.commands import program
from langchain_semantic_xml._cli.main import main
from langchain_semantic_xml._cli.progress import ReadingBar
from tests.paths import BUNDLE

TEXT = BUNDLE.read_text(encoding="utf-8")
COMMANDS = ("split", "stats", "view")
PARAMETERS = {
    name: parameter for name, parameter in inspect.signature(SemanticXmlSplitter).parameters.items() if name != "self"
}
FLAG_OF = {"length_function": "tokenizer"}
"""Flags that have another name than their option, because they take something else."""
STANDS_FOR = {"length_function": None, "separator": None, "elements": None, "isolate": ()}
"""What a flag is when it was not given, where that stands for the option's default."""
SPLIT_ONLY = {"add_start_index", "deterministic_ids"}
"""What numbers and pages have no use for, or need."""


class Ran(NamedTuple):
    """What a run of the command left behind."""

    code: int
    out: bytes
    err: str

    @property
    def documents(self) -> list[Document]:
        return load(self.out)


def load(lines: bytes) -> list[Document]:
    """Load JSON lines as a user does."""
    return [Document(**json.loads(line)) for line in lines.splitlines()]


def option_of(command: str, name: str) -> click.Option | None:
    for option in program.commands[command].params:
        if isinstance(option, click.Option) and option.name == name:
            return option
    return None


Run = Callable[..., Ran]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main([os.fspath(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Ran(code, out, err.decode())

    return run


@pytest.fixture
def tokenizer_json(tmp_path: Path) -> Path:
    """Write a tokenizer of words."""
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    return path


# split


def test_each_line_loads_as_the_document_that_the_splitter_makes(run: Run) -> None:
    ran = run("split", BUNDLE, "--chunk-size", "600")
    assert (ran.code, ran.err) == (0, "")
    assert ran.documents == SemanticXmlSplitter(600).create_documents([TEXT], [{"source": str(BUNDLE)}])


def test_a_line_has_the_fields_of_a_document_and_no_others(run: Run) -> None:
    fields = json.loads(run("split", BUNDLE).out.splitlines()[0])
    assert fields.keys() == Document(page_content="").model_dump().keys()


def test_several_bundles_follow_one_another_under_their_own_names(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_text('<file path="z.py" source="elsewhere">\nz\n</file>\n', encoding="utf-8")
    documents = run("split", BUNDLE, other, "--chunk-size", "600").documents
    assert [document.metadata["source"] for document in documents[-2:]] == [str(BUNDLE), str(other)]
    assert documents[-1].metadata["start_line"] == 1
    assert documents[-1].metadata["file_source"] == "elsewhere"


def test_a_dash_is_standard_input_and_standard_output(run: Run) -> None:
    ran = run("split", "-", "-o", "-", stdin=TEXT.encode())
    assert [(document.page_content, document.metadata["source"]) for document in ran.documents] == [(TEXT.strip(), "-")]


def test_positions_are_exact_whatever_the_line_ends(run: Run, tmp_path: Path) -> None:
    bundle = tmp_path / "crlf.xml"
    text = "\ufeff" + TEXT.replace("\n", "\r\n")
    bundle.write_bytes(text.encode())
    documents = run("split", bundle, "--chunk-size", "700", "--keep-whitespace", "--no-repeat-tags").documents
    assert len(documents) > 3
    for document in documents:
        assert document.page_content == text[document.metadata["start_index"] : document.metadata["end_index"]]


def test_a_name_in_gz_is_unpacked_and_packed(run: Run, tmp_path: Path) -> None:
    bundle, output = tmp_path / "bundle.xml.GZ", tmp_path / "chunks.jsonl.gz"
    bundle.write_bytes(gzip.compress(TEXT.encode()))
    ran = run("split", bundle, "-o", output)
    assert ran == Ran(0, b"", "")
    first = output.read_bytes()
    assert [document.page_content for document in load(gzip.decompress(first))] == [TEXT.strip()]
    assert run("split", bundle, "-o", output).code == 0
    assert output.read_bytes() == first, "the same input must give the same bytes"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "cp1252", "shift_jis", "utf-7"])
def test_a_bundle_is_read_in_its_encoding(run: Run, tmp_path: Path, encoding: str) -> None:
    text = '<file path="a">\n¶\n</file>\n' if encoding != "shift_jis" else '<file path="a">\n茶\n</file>\n'
    bundle = tmp_path / "bundle.xml"
    bundle.write_bytes((text * 4000).encode(encoding))
    documents = run("split", bundle, "--encoding", encoding, "--chunk-size", "30").documents
    assert {document.page_content for document in documents} == {text.strip()}
    assert len(documents) == 4000


@pytest.mark.parametrize(("errors", "expected"), [("replace", "a\ufffdb"), ("backslashreplace", r"a\xffb")], ids=ascii)
def test_bytes_that_are_no_text_are_replaced_if_wished(run: Run, errors: str, expected: str) -> None:
    ran = run("split", "-", "--encoding-errors", errors, stdin=b"a\xffb")
    assert [document.page_content for document in ran.documents] == [expected]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("<script>alert(1)</script></style><!-- ]]>", "utf-8"),
        ("nul \0 escape \x1b[31m bell \a delete \x7f", "utf-8"),
        ("right to left \u202e and back \u2066", "utf-8"),
        ("lines \u2028 \u2029 \x85 \v \f end", "utf-8"),
        ("\U0001f3c1 \ufffe \uffff \U0010ffff", "utf-8"),
        ('"quotes" \\ and \\u0041 \\n', "utf-8"),
        ("lone \ud800 and \udfff, reversed \udc00\ud800", "raw_unicode_escape"),
    ],
    ids=["markup", "controls", "bidi", "line-separators", "beyond", "escapes", "surrogates"],
)
def test_hostile_text_comes_back_the_same_from_one_line(run: Run, text: str, encoding: str) -> None:
    element = f'<file path="a">\n{text}\n</file>'
    ran = run("split", "-", "--encoding", encoding, stdin=element.encode(encoding))
    assert ran.out.isascii()
    assert ran.out.count(b"\n") == 1
    assert [document.page_content for document in ran.documents] == [element]


def test_hostile_attributes_come_back_the_same(run: Run) -> None:
    element = '<file path="\0\ud800\u202e" id="</script>">\nx\n</file>'
    ran = run("split", "-", "--encoding", "raw_unicode_escape", stdin=element.encode("raw_unicode_escape"))
    (document,) = ran.documents
    assert (document.metadata["path"], document.metadata["id"]) == ("\0\ud800\u202e", "</script>")


def test_ten_megabytes_in_one_chunk_come_back_the_same(run: Run) -> None:
    text = f'<file path="a">\n{"0123456789" * 1_000_000}\n</file>'
    (document,) = run("split", "-", "--oversized", "keep", stdin=text.encode()).documents
    assert document.page_content == text
    assert document.metadata["oversized"] is True


def test_an_empty_bundle_gives_an_empty_file(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "chunks.jsonl"
    assert run("split", "-", "-o", output) == Ran(0, b"", "")
    assert output.read_bytes() == b""


# Where it is written


def test_a_new_file_has_the_mode_of_any_new_file(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    output = tmp_path / "chunks.jsonl"
    run("split", BUNDLE, "-o", output)
    assert stat.S_IMODE(output.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


def test_a_file_that_is_replaced_keeps_its_mode_and_its_link(run: Run, tmp_path: Path) -> None:
    output, link = tmp_path / "chunks.jsonl", tmp_path / "link.jsonl"
    output.write_text("old", encoding="utf-8")
    output.chmod(0o640)
    link.symlink_to(output.name)
    run("split", BUNDLE, "-o", link)
    assert link.is_symlink()
    assert len(load(output.read_bytes())) == 1
    assert stat.S_IMODE(output.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chunks.jsonl", "link.jsonl"]


def test_the_longest_name_can_be_written(run: Run, tmp_path: Path) -> None:
    output = tmp_path / ("🫖" * 62 + ".jsonl")
    assert run("split", BUNDLE, "-o", output).code == 0
    assert len(load(output.read_bytes())) == 1


def test_a_device_is_written_to_and_not_replaced(run: Run) -> None:
    assert run("split", BUNDLE, "-o", os.devnull) == Ran(0, b"", "")
    assert not Path(os.devnull).is_file()


# Flags


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", PARAMETERS)
def test_every_option_of_the_splitter_is_a_flag(command: str, name: str) -> None:
    wanted = command == "split" or name not in SPLIT_ONLY
    assert (option_of(command, FLAG_OF.get(name, name)) is not None) == wanted


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_flag_that_is_not_given_leaves_the_default(name: str) -> None:
    given = program.commands["split"].make_context("split", [str(BUNDLE)]).params[FLAG_OF.get(name, name)]
    if name in STANDS_FOR:
        assert given == STANDS_FOR[name]
    else:
        assert given == PARAMETERS[name].default


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--chunk-size", "300"], {"chunk_size": 300}),
        (["--chunk-size", "300", "--chunk-overlap", "80"], {"chunk_size": 300, "chunk_overlap": 80}),
        (["--no-add-start-index"], {"add_start_index": False}),
        (["--no-strip-whitespace"], {"strip_whitespace": False}),
        (["--elements", "output", "--elements", "document"], {"elements": ["output", "document"]}),
        (["--elements", "file=language"], {"elements": [ElementRule("file", identity=("language",))]}),
        (["--elements", "file=x,path"], {"elements": [ElementRule("file", identity=("x", "path"))]}),
        (["--separator", r"\n\t--\\n\r"], {"separator": "\n\t--\\n\r"}),
        (["--separator", ""], {"separator": ""}),
        (["--keep-whitespace"], {"separator": None}),
        (["--new-after", "200"], {"new_after": 200}),
        (["--combine-under", "0", "--chunk-size", "1500"], {"combine_under": 0, "chunk_size": 1500}),
        (["--isolate", "output", "--isolate", "text"], {"isolate": ["output", "text"]}),
        (["--isolate-all"], {"isolate": True}),
        (["--oversized", "keep", "--chunk-size", "300"], {"oversized": "keep", "chunk_size": 300}),
        (["--no-repeat-tags", "--chunk-size", "300"], {"repeat_tags": False, "chunk_size": 300}),
        (["--deterministic-ids"], {"deterministic_ids": True}),
    ],
    ids=lambda value: " ".join(value).replace("\\", "") if isinstance(value, list) else "",
)
def test_a_flag_does_what_its_option_does(run: Run, flags: list[str], options: dict[str, Any]) -> None:
    ran = run("split", BUNDLE, *flags)
    assert ran.err == ""
    assert ran.documents == SemanticXmlSplitter(**options).create_documents([TEXT], [{"source": str(BUNDLE)}])


@pytest.mark.parametrize("name", ["cl100k_base", "gpt-4"])
def test_tiktoken_counts_by_encoding_or_model(run: Run, name: str) -> None:
    splitter = SemanticXmlSplitter.from_tiktoken_encoder("cl100k_base", chunk_size=150)
    documents = run("split", BUNDLE, "--tokenizer", name, "--chunk-size", "150").documents
    assert documents == splitter.create_documents([TEXT], [{"source": str(BUNDLE)}])


def test_a_tokenizer_of_hugging_face_counts_from_its_file(run: Run, tokenizer_json: Path) -> None:
    splitter = SemanticXmlSplitter.from_huggingface_tokenizer(Tokenizer.from_file(str(tokenizer_json)), chunk_size=90)
    documents = run("split", BUNDLE, "--tokenizer", tokenizer_json, "--chunk-size", "90").documents
    assert len(documents) > 1
    assert documents == splitter.create_documents([TEXT], [{"source": str(BUNDLE)}])


def test_an_element_that_never_closes_is_waited_for_no_longer_than_the_lookahead(run: Run) -> None:
    text = '<file path="open">\n' + "never closed\n" * 9000 + '<output command="ls">\nb\n</output>\n'
    patient = run("split", "-", "--lookahead", "1000000", stdin=text.encode()).documents
    hasty = run("split", "-", "--lookahead", "10", stdin=text.encode()).documents
    assert "".join(document.page_content for document in hasty).count("never closed") == 9000
    assert [document.metadata["start_index"] for document in patient] != [
        document.metadata["start_index"] for document in hasty
    ]


# Help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_documents_every_option(run: Run, command: str) -> None:
    shown = run(command, "--help").out.decode("ascii")
    for parameter in program.commands[command].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.opts} has no help"
            assert all(flag in shown for flag in (*parameter.opts, *parameter.secondary_opts))
        else:
            assert parameter.metavar == "BUNDLE..."
            assert "  BUNDLE is a text file" in shown


def examples() -> list[str]:
    return [
        line.partition("  #")[0].strip()
        for command in COMMANDS
        for line in inspect.cleandoc(program.commands[command].help or "").splitlines()
        if "semantic-xml" in line
    ]


def test_help_has_examples_of_every_command() -> None:
    assert len(examples()) >= 8


@pytest.mark.parametrize("example", examples())
def test_an_example_of_the_help_runs(run: Run, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bundle.xml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "bundle.xml.gz").write_bytes(gzip.compress(TEXT.encode()))
    monkeypatch.chdir(tmp_path)
    ours = next(part for part in example.split("|") if part.strip().startswith("semantic-xml"))
    words = shlex.split(ours)[1:]
    arguments = [path for word in words for path in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]
    ran = run(*arguments, stdin=TEXT.encode())
    assert (ran.code, ran.err) == (0, "")
    assert ran.out or (tmp_path / arguments[-1]).stat().st_size


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    ran = run()
    assert ran.code == 0
    assert b"Commands:\n  split " in ran.out


def test_the_version_is_shown(run: Run) -> None:
    from importlib.metadata import version  # noqa: PLC0415

    assert run("--version") == Ran(0, f"semantic-xml {version('langchain-semantic-xml')}\n".encode(), "")


# stats


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


# view


def test_view_writes_a_page_with_the_text_as_text(run: Run, tmp_path: Path) -> None:
    bundle, output = tmp_path / "b.xml", tmp_path / "report.html"
    bundle.write_text('<file path="a">\n<script>alert("tea")</script>\n</file>\n', encoding="utf-8")
    assert run("view", bundle, "-o", output, "--title", "Tea & cake") == Ran(0, b"", "")
    page = output.read_text(encoding="utf-8")
    assert "<title>Tea &amp; cake</title>" in page
    assert "&lt;script&gt;alert" in page
    assert "<script>alert" not in page


def test_view_shows_several_bundles(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_text('<file path="cake.md">\nflour\n</file>\n', encoding="utf-8")
    page = run("view", BUNDLE, other, "-o", "-").out.decode()
    assert "flour" in page
    assert "teapot" in page
    assert str(other) in page


# Errors


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
        ("split missing.xml/x", 1, ["missing.xml/x"]),
        ("split folder", 1, ["folder", "is a folder", "folder/*.xml"]),
        ("split bad.json/x", 1, ["bad.json/x", "Not a directory"]),
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


# The process


def test_signals_are_handled_as_before_when_the_command_is_over(run: Run) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run("split", BUNDLE)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_the_command_runs_in_a_thread_too(run: Run) -> None:
    ran: list[Ran] = []
    thread = threading.Thread(target=lambda: ran.append(run("split", BUNDLE)))
    thread.start()
    thread.join()
    assert [len(each.documents) for each in ran] == [1]


@pytest.mark.parametrize(
    ("delay", "quiet", "shown"),
    [(0.0, False, True), (1e9, False, False), (0.0, True, False)],
    ids=["at-work", "soon-over", "quiet"],
)
def test_a_bar_shows_how_much_was_read(monkeypatch: pytest.MonkeyPatch, delay: float, quiet: bool, shown: bool) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    monkeypatch.setattr(cli_progress, "_DELAY", delay)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with open(theirs, "w", encoding="utf-8") as terminal:  # noqa: PTH123 - a descriptor
        monkeypatch.setattr("sys.stderr", terminal)
        with ReadingBar(2000, quiet=quiet) as bar:
            bar.advance(500)
            bar.advance()
        terminal.write("end")
    seen = b""
    while not seen.endswith(b"end"):
        seen += os.read(ours, 4096)
    os.close(ours)
    assert (b"Reading" in seen) == shown
    assert (b"0.5/2.0 kB" in seen) == shown


def test_syntax_and_signatures_are_flags(run: Run, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.xml"
    code = "class Tea:\n    def brew(self):\n" + "        self.pour(1)\n" * 9
    bundle.write_text(f'<file path="tea.py">\n{code}</file>\n', encoding="utf-8")
    documents = run("split", bundle, "--chunk-size", "160", "--syntax", "--repeat-signatures").documents
    assert documents[-1].metadata["scope"] == "Tea.brew"
    assert documents[-1].page_content.startswith(
        '<file path="tea.py">\nclass Tea:\n    def brew(self):\n        self.pour'
    )


def test_signatures_without_syntax_are_refused_in_the_words_of_flags(run: Run) -> None:
    refused = run("split", BUNDLE, "--repeat-signatures")
    assert refused.code == 2
    assert "--repeat-signatures" in refused.err
    assert "add --syntax" in refused.err
    assert "True" not in refused.err
