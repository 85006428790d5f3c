"""The flags of the command: each does what the option of its name does; and its help."""

from __future__ import annotations

import gzip
import inspect
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from tokenizers import Tokenizer

from langchain_semantic_xml import ElementRule, SemanticXmlSplitter
from langchain_semantic_xml._cli.commands import program
from tests.cli.running import COMMANDS, TEXT, Ran, Run, option_of
from tests.paths import BUNDLE

PARAMETERS = {
    name: parameter for name, parameter in inspect.signature(SemanticXmlSplitter).parameters.items() if name != "self"
}
FLAG_OF = {"length_function": "tokenizer"}
"""Flags that have another name than their option, because they take something else."""
STANDS_FOR = {"length_function": None, "separator": None, "elements": None, "isolate": ()}
"""What a flag is when it was not given, where that stands for the option's default."""
SPLIT_ONLY = {"add_start_index", "deterministic_ids"}
"""What numbers and pages have no use for, or need."""


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
        (["--repeat", "none", "--chunk-size", "300"], {"repeat": None, "chunk_size": 300}),
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


def test_syntax_and_signatures_are_flags(run: Run, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.xml"
    code = "class Tea:\n    def brew(self):\n" + "        self.pour(1)\n" * 9
    bundle.write_text(f'<file path="tea.py">\n{code}</file>\n', encoding="utf-8")
    documents = run("split", bundle, "--chunk-size", "160", "--syntax", "--repeat", "signatures").documents
    assert documents[-1].metadata["scope"] == "Tea.brew"
    assert documents[-1].page_content.startswith(
        '<file path="tea.py">\nclass Tea:\n    def brew(self):\n        self.pour'
    )


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
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "brew.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", bool)
    ours = next(part for part in example.split("|") if part.strip().startswith("semantic-xml"))
    words = shlex.split(ours)[1:]
    patterns = {word for word in words if "*" in word and f"'{word}'" not in ours}  # the shell leaves quoted ones alone
    arguments = [path for word in words for path in (map(str, Path().glob(word)) if word in patterns else [word])]
    ran = run(*arguments, stdin=TEXT.encode())
    assert (ran.code, "chunk" in ran.err) == (0, "split" in ours and "-o" in arguments)
    assert ran.out or (tmp_path / arguments[-1]).stat().st_size


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    ran = run()
    assert ran.code == 0
    assert b"Commands:\n  split " in ran.out


def test_the_version_is_shown(run: Run) -> None:
    from importlib.metadata import version  # noqa: PLC0415

    assert run("--version") == Ran(0, f"semantic-xml {version('langchain-semantic-xml')}\n".encode(), "")
