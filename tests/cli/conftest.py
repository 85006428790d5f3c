"""Fixtures of the tests of the command."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from langchain_semantic_xml._cli.main import main
from tests.cli.running import Ran, Run


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
