"""What is said of mutants that live is said of code that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

import langchain_semantic_xml
from tests.mutation.explained import Change, explained_changes
from tests.mutation.targets import TARGETS, Target

EXPLAINED = [(module, change, reason) for module in TARGETS for change, reason in explained_changes(module).items()]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_mutated_module_and_the_tests_that_judge_it_are_there(target: Target) -> None:
    assert Path(langchain_semantic_xml.__file__).with_name(f"{target.module}.py").is_file()
    assert [name for name in target.tests if not Path(__file__).with_name(f"{name}.py").is_file()] == []


@pytest.mark.parametrize(
    ("module", "change", "reason"), EXPLAINED, ids=[f"{module}-{change.function}" for module, change, _ in EXPLAINED]
)
def test_an_explained_mutant_changes_code_that_the_module_has(module: str, change: Change, reason: str) -> None:
    source = Path(langchain_semantic_xml.__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    assert " ".join(change.before.split()) in " ".join(source.split())
    assert change.before != change.after
    assert len(reason.split()) > 3
