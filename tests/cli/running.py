"""What the tests of the command share: a run in this process, and what it left behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

import click
from langchain_core.documents import Document

from langchain_semantic_xml._cli.commands import program
from tests.paths import BUNDLE

TEXT = BUNDLE.read_text(encoding="utf-8")
COMMANDS = ("split", "stats", "view")


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


Run = Callable[..., Ran]


def option_of(command: str, name: str) -> click.Option | None:
    for option in program.commands[command].params:
        if isinstance(option, click.Option) and option.name == name:
            return option
    return None
