"""Whatever a user or a maintainer may name is on its page: modules, public names, options, flags, metadata keys."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import langchain_semantic_xml
from langchain_semantic_xml import (
    SemanticXmlLoader,
    SemanticXmlSplitter,
    SourceTreeLoader,
    arrow,
    errors,
    lengths,
    typing,
)
from langchain_semantic_xml._cli.commands import program
from langchain_semantic_xml._documents.names import KEYS, SYNTAX_KEYS
from tests.paths import PACKAGE, SOURCES
from tests.project.pages import DOCS, README


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def first_cells(page: Path, heading: str) -> set[str]:
    """Return what stands in backquotes in the first cells of the table below a heading."""
    below = read(page).partition(f"\n{heading}\n")[2]
    table = re.search(r"^\|.*?(?=\n\n|\Z)", below, re.MULTILINE | re.DOTALL)
    assert table, heading
    return {name for row in table[0].split("\n") for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def parameters_of(function: object) -> set[str]:
    return set(inspect.signature(function).parameters)  # type: ignore[arg-type]  # classes and functions


def test_every_module_has_a_line_in_the_picture_of_the_package() -> None:
    modules = {path.relative_to(PACKAGE).as_posix() for path in SOURCES}
    of_wings = {path.relative_to(PACKAGE).as_posix() for path in SOURCES if path.parent != PACKAGE}
    modules -= {name for name in of_wings if name.endswith("__init__.py")}
    listed = re.findall(r"^\| `([\w/]+\.py)` \|", read(DOCS / "architecture.md"), re.MULTILINE)
    assert sorted(listed) == sorted(modules)


def public_names() -> Iterator[str]:
    yield from (*langchain_semantic_xml.__all__, "__version__", *typing.__all__)
    for module in (arrow, errors, lengths):
        for name, value in vars(module).items():
            if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_"):
                yield name


def members() -> Iterator[tuple[str, str]]:
    """Yield the public methods and properties that the public classes define themselves."""
    for name in langchain_semantic_xml.__all__:
        public = getattr(langchain_semantic_xml, name)
        if inspect.isclass(public) and not issubclass(public, Exception):
            for member, value in vars(public).items():
                if not member.startswith("_") and (
                    inspect.isfunction(value) or isinstance(value, (property, classmethod))
                ):
                    yield name, member


@pytest.mark.parametrize("name", list(public_names()))
def test_every_public_name_is_listed(name: str) -> None:
    assert re.search(rf"`[\w.]*\b{name}\b[^`]*`", read(DOCS / "api.md"))


@pytest.mark.parametrize(("owner", "member"), list(members()))
def test_every_public_method_is_named_in_the_documentation(owner: str, member: str) -> None:
    pages = [README, *DOCS.glob("*.md")]
    assert any(re.search(rf"\b{member}\b", read(page)) for page in pages), f"{owner}.{member}"


def test_every_option_of_the_splitter_has_its_row() -> None:
    assert first_cells(README, "### Options") == parameters_of(SemanticXmlSplitter)


def test_every_metadata_key_has_its_row() -> None:
    assert first_cells(README, "### Metadata") == {*KEYS, *SYNTAX_KEYS}


def test_every_option_of_the_loader_has_its_row() -> None:
    assert first_cells(DOCS / "loaders.md", "## Options") == parameters_of(SemanticXmlLoader)


def test_every_option_of_the_source_tree_loader_has_its_row() -> None:
    assert first_cells(DOCS / "loaders.md", "## Source trees") == parameters_of(SourceTreeLoader)


def test_every_command_and_flag_is_named() -> None:
    commands = program.commands
    flags = {
        flag
        for command in commands.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for flag in (*parameter.opts, *parameter.secondary_opts)
    }
    page = DOCS / "command-line.md"
    named = set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", read(page)))
    assert sorted(flags - named) == []
    assert set(commands) == {cell.split()[0] for cell in first_cells(page, "## Commands")}


def test_the_page_of_commands_names_no_flag_that_is_gone() -> None:
    commands = [program, *program.commands.values()]
    parameters = [parameter for command in commands for parameter in command.params]
    known = {flag for parameter in parameters for flag in (*parameter.opts, *parameter.secondary_opts)}
    named = set(re.findall(r"`(--[a-z-]+)", read(DOCS / "command-line.md")))
    assert sorted(named - known - {"--help", "--version"}) == []
