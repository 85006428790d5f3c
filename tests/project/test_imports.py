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

from tests.paths import PACKAGE, SOURCES

NAME = "langchain_semantic_xml"

# From the bottom up: a wing, or a module at the top, may import what is listed beside it, all of it above.
WINGS: dict[str, tuple[str, ...]] = {
    "errors": (),
    "_text": ("errors",),
    "values": ("_text",),
    "typing": ("_text", "values"),
    "_boundaries": ("errors", "_text", "values", "typing"),
    "_sections": ("_text", "values"),
    "_parts": ("errors", "_text", "values"),
    "boundaries": ("_text", "values", "typing", "_boundaries"),
    "sections": ("_text", "values", "typing", "_sections"),
    "_documents": ("errors", "_text", "values", "_boundaries", "_sections", "_parts"),
    "lengths": ("_text",),
    "splitter": ("errors", "_text", "values", "typing", "_boundaries", "_parts", "_documents", "lengths"),
    "loaders": ("errors", "_text", "values", "typing", "_boundaries", "_parts", "_documents"),
    "_context": ("errors", "_text", "values", "_boundaries", "_parts", "_documents"),
    "context": ("_text", "typing", "_documents", "_context"),
    "arrow": ("_text", "_documents", "splitter"),
    "llama_index": ("_text", "_documents"),
    "_view": ("_text", "values", "_documents", "_context"),
    "display": ("_text", "values", "_view"),
    "_cli": (
        *("errors", "_text", "values", "typing", "_boundaries", "_sections", "_documents"),
        *("boundaries", "lengths", "splitter", "loaders", "display"),
    ),
    "__main__": ("_cli",),
    "__init__": ("errors", "_text", "values", "boundaries", "sections", "splitter", "loaders", "context", "display"),
}
# What needs more than the standard library, LangChain's two packages and what these bring.
NEEDS_OTHERS = {
    "_context",
    "context",
    "_parts",
    "splitter",
    "loaders",
    "arrow",
    "llama_index",
    "lengths",
    "_view",
    "display",
    "_cli",
    "__init__",
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


def _wing(path: Path) -> str:
    """Return the wing that a module is in, or the module's own name if it stands at the top."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports_of(path: Path, *, on_import_only: bool = False) -> Iterator[str]:
    """List what a module imports: anywhere in it, or only in statements that run when it is imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if on_import_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            assert node.module is not None
            if node.module == NAME:
                yield from (f"{NAME}.{alias.name}" for alias in node.names)
            else:
                yield node.module


def _imports_of_ours(path: Path) -> Iterator[str]:
    return (name.removeprefix(f"{NAME}.") for name in _imports_of(path) if name.startswith(f"{NAME}."))


def _module(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix().removesuffix(".py")


by_module = pytest.mark.parametrize("path", SOURCES, ids=_module)


def test_the_table_runs_downward() -> None:
    wings = list(WINGS)
    for place, allowed in enumerate(WINGS.values()):
        assert set(allowed) <= set(wings[:place]), wings[place]


def test_boundaries_sections_and_parts_do_not_know_each_other() -> None:
    cutters = {"_boundaries", "_sections", "_parts"}
    assert all(cutters.isdisjoint(WINGS[cutter]) for cutter in cutters)


def test_every_module_has_its_place() -> None:
    assert {_wing(path) for path in SOURCES} == set(WINGS)


def test_the_top_floor_is_small() -> None:
    assert len([path for path in SOURCES if path.parent == PACKAGE]) <= 17


@by_module
def test_imports_run_downward_only(path: Path) -> None:
    wings = {name.partition(".")[0] for name in _imports_of_ours(path)}
    assert wings - {_wing(path)} <= set(WINGS[_wing(path)])


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = {_module(path).replace("/", "."): set(_imports_of_ours(path)) for path in SOURCES}
    while free := {module for module, imports in modules.items() if imports.isdisjoint(modules)}:
        modules = {module: imports for module, imports in modules.items() if module not in free}
    assert modules == {}


@pytest.mark.parametrize("path", [path for path in SOURCES if _wing(path) not in NEEDS_OTHERS], ids=_module)
def test_the_core_needs_the_standard_library_alone(path: Path) -> None:
    foreign = {name.partition(".")[0] for name in _imports_of(path)} - sys.stdlib_module_names - {NAME}
    assert foreign == set()


@by_module
def test_a_heavy_package_is_imported_only_where_it_is_used(path: Path) -> None:
    assert {name.partition(".")[0] for name in _imports_of(path, on_import_only=True)}.isdisjoint(HEAVY)


@cache
def _packages_loaded_by(statement: str) -> set[str]:
    """Run `statement` in a new interpreter and list the top-level packages that it has loaded."""
    program = f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{n.partition('.')[0] for n in sys.modules}})))"
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    loaded: list[str] = json.loads(run.stdout)
    return set(loaded)


def test_importing_the_package_loads_nothing_that_langchain_does_not_load() -> None:
    ours = _packages_loaded_by(f"import {NAME}")
    langchain = _packages_loaded_by("import langchain_core.documents, langchain_text_splitters")
    assert ours - langchain - sys.stdlib_module_names == {NAME}
