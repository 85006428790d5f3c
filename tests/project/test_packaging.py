"""What a user installs: metadata, entry point, types, public names and their signatures."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from importlib.metadata import distribution
from importlib.resources import files

import pytest

import langchain_semantic_xml
from langchain_semantic_xml import Block, ElementRule, Section
from langchain_semantic_xml._cli import main as cli
from tests.paths import ROOT

DISTRIBUTION = distribution("langchain-semantic-xml")
CHANGELOG = ROOT / "CHANGELOG.md"

PUBLIC_NAMES = [
    "Block",
    "ChunkView",
    "ContextPacker",
    "ElementRule",
    "OversizedBlockError",
    "Section",
    "SectionBuilder",
    "SemanticXmlBlobParser",
    "SemanticXmlLoader",
    "SemanticXmlSplitter",
    "SourceTreeLoader",
    "UnknownElement",
    "UnreadableFileError",
    "cite",
    "has_semantic_elements",
    "iter_blocks",
    "parse_blocks",
    "section_blocks",
    "show_chunks",
    "unknown_elements",
]
SIGNATURES = {
    "parse_blocks": "(text, *, elements=None)",
    "iter_blocks": "(text, *, elements=None)",
    "has_semantic_elements": "(text, *, elements=None)",
    "section_blocks": (
        "(blocks, *, chunk_size, separator='\\n\\n', length_function=<built-in function len>,"
        " new_after=None, combine_under=None, isolate=())"
    ),
    "SemanticXmlSplitter": (
        "(chunk_size=4000, chunk_overlap=0, length_function=<built-in function len>, *, add_start_index=True,"
        " strip_whitespace=True, elements=None, separator='\\n\\n', new_after=None, combine_under=None, isolate=(),"
        " oversized='split', syntax=False, granularity='element', syntax_seconds=None, repeat='tags',"
        " deterministic_ids=False)"
    ),
}


def _without_types(signature: inspect.Signature) -> str:
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def test_the_public_names_are_exactly_these() -> None:
    assert sorted(langchain_semantic_xml.__all__) == PUBLIC_NAMES


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_a_public_name_has_a_docstring_of_its_own(name: str) -> None:
    public = getattr(langchain_semantic_xml, name)
    assert inspect.cleandoc(public.__doc__ or "")
    assert not (public.__doc__ or "").startswith(f"{name}("), "a docstring that the dataclass decorator made"


@pytest.mark.parametrize("name", [name for name in PUBLIC_NAMES if name[0].isupper()])
def test_every_public_method_has_a_docstring(name: str) -> None:
    public = getattr(langchain_semantic_xml, name)
    own = {key: member for key, member in vars(public).items() if not key.startswith("_")}
    methods = {
        key: member
        for key, member in own.items()
        if inspect.isroutine(member) or isinstance(member, (property, classmethod, staticmethod))
    }
    assert [key for key, method in methods.items() if not method.__doc__] == []


@pytest.mark.parametrize(("name", "expected"), SIGNATURES.items(), ids=SIGNATURES.keys())
def test_a_signature_spells_out_its_options_in_order(name: str, expected: str) -> None:
    assert _without_types(inspect.signature(getattr(langchain_semantic_xml, name))) == expected


def test_a_section_builder_asks_for_its_size_first() -> None:
    parameters = list(inspect.signature(langchain_semantic_xml.SectionBuilder).parameters)
    assert parameters[0] == "chunk_size"


def test_the_values_have_their_fields_in_order() -> None:
    block = ["type", "content", "start", "end", "start_line", "lines", "attributes", "identity"]
    assert [field.name for field in fields(Block)] == block
    assert [field.name for field in fields(Section)] == ["blocks", "text", "length"]
    rule = ["name", "identity", "identity_children", "body", "bare"]
    assert [field.name for field in fields(ElementRule)][: len(rule)] == rule


def test_the_core_needs_langchains_two_packages_and_what_they_need_themselves() -> None:
    required = [text for text in DISTRIBUTION.requires or () if "extra ==" not in text]
    assert {re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in required} == {
        "langchain-core",
        "langchain-text-splitters",
        "typing-extensions",
    }


def test_what_only_the_work_on_the_package_needs_is_not_published() -> None:
    assert set(DISTRIBUTION.metadata.get_all("Provides-Extra") or ()) == {
        *("arrow", "cli", "code", "huggingface", "llama-index", "progress", "ray", "tiktoken"),
    }


def test_the_package_says_its_version() -> None:
    assert langchain_semantic_xml.__version__ == DISTRIBUTION.version


def test_the_changelog_begins_with_what_is_installed() -> None:
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == DISTRIBUTION.version


def test_the_package_says_that_it_is_typed() -> None:
    assert files(langchain_semantic_xml).joinpath("py.typed").is_file()


def test_the_command_is_installed_under_its_name() -> None:
    (script,) = [entry for entry in DISTRIBUTION.entry_points if entry.group == "console_scripts"]
    assert (script.name, script.load()) == ("semantic-xml", cli.main)
