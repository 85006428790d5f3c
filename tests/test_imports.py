"""The order of the modules, and what importing the package costs."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import langchain_semantic_xml

PACKAGE = "langchain_semantic_xml"
SOURCES = {path.stem: path for path in Path(langchain_semantic_xml.__file__).parent.glob("*.py")}

BOUNDARY_FINDER = ("tags", "scan", "examples", "lanes", "seams")
# From the bottom up: a module may import the modules of ours that stand beside it, all of them above it.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "spans": (),
    "rulers": (),
    "fences": (),
    "examples": (),
    "formats": ("spans",),
    "tags": ("spans",),
    "scan": ("spans", "tags"),
    "lanes": ("spans", "tags", "scan"),
    "seams": ("spans", "tags", "scan"),
    "boundaries": ("spans", "formats", *BOUNDARY_FINDER),
    "sections": ("spans", "rulers", "fences"),
    "parts": ("spans", "rulers"),
    "languages": ("spans", "parts"),
    "lengths": ("rulers",),
    "splitter": (
        *("spans", "rulers", "fences", "formats", *BOUNDARY_FINDER),
        *("boundaries", "sections", "parts", "languages", "lengths"),
    ),
    "loaders": ("spans", "formats", "splitter"),
    "arrow": ("spans", "formats", "splitter"),
    "display": ("spans", "splitter"),
}
MAY_IMPORT["__init__"] = MAY_IMPORT["cli"] = tuple(MAY_IMPORT)
KNOWS_LANGCHAIN = {"languages", "lengths", "splitter", "loaders", "arrow", "display", "cli", "__init__"}
# Imported, if ever, where they are used: each takes from a tenth of a second to many seconds.
HEAVY = {
    *("IPython", "daft", "datasets", "jax", "langchain", "numpy", "pandas", "pyarrow", "pyspark", "ray"),
    *("sentence_transformers", "spacy", "tiktoken", "tokenizers", "torch", "transformers"),
}


def _imports_of(module: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(SOURCES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            assert node.module is not None
            yield from (
                (f"{PACKAGE}.{alias.name}" for alias in node.names) if node.module == PACKAGE else (node.module,)
            )


def test_the_table_runs_downward() -> None:
    seen: set[str] = set()
    for module, allowed in MAY_IMPORT.items():
        if module != "__init__":
            assert set(allowed) - {"cli", "__init__"} <= seen, module
        seen.add(module)


def test_every_module_has_its_place() -> None:
    assert set(SOURCES) <= set(MAY_IMPORT)


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_imports_run_downward_only(module: str) -> None:
    ours = {name.removeprefix(f"{PACKAGE}.") for name in _imports_of(module) if name.startswith(f"{PACKAGE}.")}
    assert ours <= set(MAY_IMPORT[module])


@pytest.mark.parametrize("module", sorted(set(SOURCES) - KNOWS_LANGCHAIN))
def test_the_core_needs_the_standard_library_alone(module: str) -> None:
    foreign = {name.partition(".")[0] for name in _imports_of(module)} - sys.stdlib_module_names - {PACKAGE}
    assert foreign == set()


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


def test_importing_the_package_loads_nothing_heavy() -> None:
    by_langchain = _packages_loaded_by("import langchain_core.documents, langchain_text_splitters")
    assert _packages_loaded_by(f"import {PACKAGE}") & HEAVY <= by_langchain
