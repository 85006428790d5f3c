"""The order of the modules, and what importing the package costs."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import langchain_semantic_xml

PACKAGE = "langchain_semantic_xml"
SOURCES = {path.stem: path for path in Path(langchain_semantic_xml.__file__).parent.glob("*.py")}

# Each finder or cutter with the modules that it alone is made of.
BOUNDARIES = ("tags", "scan", "examples", "lanes", "seams", "boundaries", "streams")
SECTIONS = ("units", "packing", "sections")
CLI = ("cli_errors", "cli_reading", "cli_writing", "cli_progress", "cli_options", "cli_stats")
PARTS = ("clusters", "levels", "outlines", "parts", "languages")
SYNTAX = ("grammars", "syntax")
# From the bottom up: a module may import the modules of ours that stand beside it, all of them above it.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "spans": (),
    "fences": (),
    "errors": (),
    "options": ("spans",),
    "rulers": ("options",),
    "formats": ("spans",),
    "tags": ("spans",),
    "scan": ("spans", "tags"),
    "examples": ("spans", "scan"),
    "lanes": ("spans", "tags", "scan"),
    "seams": ("spans", "tags", "scan"),
    "boundaries": ("spans", "formats", *BOUNDARIES[:-2]),
    "streams": ("spans", "tags", "boundaries"),
    "units": ("spans", "fences"),
    "packing": ("spans", "rulers", "units"),
    "sections": ("spans", "options", "rulers", "fences", *SECTIONS[:-1]),
    "clusters": (),
    "levels": (),
    "outlines": ("levels",),
    "parts": ("spans", "rulers", "fences", "clusters", "levels", "outlines"),
    "languages": ("levels",),
    "grammars": ("languages",),
    "syntax": ("levels", "outlines", "grammars"),
    "lengths": ("rulers",),
    "chunks": ("spans", "rulers", "errors", "tags", *SECTIONS, *PARTS, *SYNTAX),
    "metadata": ("spans",),
    "splitter": (
        *("spans", "options", "rulers", "errors", "formats", "lengths", "chunks", "metadata"),
        *(*BOUNDARIES, *SECTIONS, *PARTS, *SYNTAX),
    ),
    "files": (),
    "loaders": ("spans", "options", "formats", "files", "tags", "streams", "metadata"),
    "arrow": ("metadata", "splitter"),
    "visible": (),
    "traces": (),
    "page": ("spans", "traces", "visible"),
    "display": ("spans", "traces", "page"),
    "cli_errors": (),
    "cli_reading": ("files", "cli_errors"),
    "cli_writing": ("files", "cli_errors", "cli_reading"),
    "cli_progress": (),
    "cli_options": ("spans", "rulers", "formats", "lengths", "packing", "chunks", "splitter", "cli_errors"),
    "cli_stats": ("spans", "rulers", "tags", "streams", "cli_errors"),
    "cli_commands": ("errors", "options", "formats", "tags", "streams", "splitter", "files", "display", *CLI),
    "cli": ("cli_errors", "cli_commands"),
    "__main__": ("cli",),
}
MAY_IMPORT["__init__"] = tuple(MAY_IMPORT)
NEEDS_OTHERS = {
    *("languages", "syntax", "lengths", "splitter", "loaders", "arrow", "traces", "page", "display", "__init__"),
    *("cli", "cli_reading", "cli_progress", "cli_options", "cli_stats", "cli_commands"),
}
# Imported, if ever, where they are used: each takes from a tenth of a second to many seconds.
HEAVY = {
    *(
        "IPython",
        "chromadb",
        "llama_index",
        "qdrant_client",
        "rich",
        "tqdm",
        "daft",
        "datasets",
        "jax",
        "langchain",
        "numpy",
        "pandas",
        "pyarrow",
        "pyspark",
        "ray",
    ),
    *("sentence_transformers", "spacy", "tiktoken", "tokenizers", "torch", "transformers", "tree_sitter"),
}


def _imports_of(module: str, *, on_import_only: bool = False) -> Iterator[str]:
    """List what `module` imports: anywhere in it, or only in statements that run when it is imported."""
    tree = ast.parse(SOURCES[module].read_text(encoding="utf-8"))
    for node in tree.body if on_import_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            assert node.module is not None
            yield from (
                (f"{PACKAGE}.{alias.name}" for alias in node.names) if node.module == PACKAGE else (node.module,)
            )


def test_the_table_runs_downward() -> None:
    modules = list(MAY_IMPORT)
    for place, allowed in enumerate(MAY_IMPORT.values()):
        assert set(allowed) <= set(modules[:place]), modules[place]


def test_boundaries_sections_and_parts_do_not_know_each_other() -> None:
    groups = [set(BOUNDARIES), set(SECTIONS), set(PARTS)]
    for group in groups:
        others = set().union(*groups) - group
        assert all(others.isdisjoint(MAY_IMPORT[module]) for module in group)


def test_every_module_has_its_place() -> None:
    assert set(SOURCES) <= set(MAY_IMPORT)


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_imports_run_downward_only(module: str) -> None:
    ours = {name.removeprefix(f"{PACKAGE}.") for name in _imports_of(module) if name.startswith(f"{PACKAGE}.")}
    assert ours <= set(MAY_IMPORT[module])


@pytest.mark.parametrize("module", sorted(set(SOURCES) - NEEDS_OTHERS))
def test_the_core_needs_the_standard_library_alone(module: str) -> None:
    foreign = {name.partition(".")[0] for name in _imports_of(module)} - sys.stdlib_module_names - {PACKAGE}
    assert foreign == set()


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_a_heavy_package_is_imported_only_where_it_is_used(module: str) -> None:
    assert {name.partition(".")[0] for name in _imports_of(module, on_import_only=True)}.isdisjoint(HEAVY)


@cache
def _packages_loaded_by(statement: str) -> set[str]:
    """Run `statement` in a new interpreter and list the top-level packages that it has loaded."""
    program = f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{n.partition('.')[0] for n in sys.modules}})))"
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    loaded: list[str] = json.loads(run.stdout)
    return set(loaded)


def test_importing_the_package_loads_nothing_that_langchain_does_not_load() -> None:
    ours = _packages_loaded_by(f"import {PACKAGE}")
    langchain = _packages_loaded_by("import langchain_core.documents, langchain_text_splitters")
    assert ours - langchain - sys.stdlib_module_names == {PACKAGE}
