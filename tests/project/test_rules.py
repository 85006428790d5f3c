"""`docs/rules.md` states every rule once; code and tests cite it by its id, as in `Rule: B5.`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.paths import PACKAGE, ROOT, TESTS
from tests.project.pages import DOCS

RULES = DOCS / "rules.md"
LETTERS = {"B": 13, "S": 5, "P": 8, "M": 6, "L": 9}
"""How many rules each letter has."""

_TITLE = re.compile(r"^### ([A-Z]\d+)\. .+?(?P<planned> \(not built\))?$", re.MULTILINE)
_CITATION = re.compile(r"\bRules?: ([A-Z]\d+(?:, [A-Z]\d+)*)(\.?)")

Citations = dict[str, list[str]]


def read_rules() -> dict[str, bool]:
    """Return for each rule whether it is built."""
    return {match[1]: match["planned"] is None for match in _TITLE.finditer(RULES.read_text(encoding="utf-8"))}


def citations_in(folder: Path) -> Citations:
    """Return for each rule where the Python files of a folder cite it."""
    found: Citations = {}
    for path in sorted(folder.rglob("*.py")):
        if path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            for citation in _CITATION.finditer(line):
                for rule in citation[1].split(", "):
                    found.setdefault(rule, []).append(f"{path.relative_to(ROOT).as_posix()}:{number}")
    return found


RULES_BUILT = read_rules()
BUILT = [rule for rule, is_built in RULES_BUILT.items() if is_built]
IN_CODE, IN_TESTS = citations_in(PACKAGE), citations_in(TESTS)


def test_every_rule_is_stated_once_and_in_order() -> None:
    stated = [match[1] for match in _TITLE.finditer(RULES.read_text(encoding="utf-8"))]
    assert stated == [f"{letter}{number}" for letter, count in LETTERS.items() for number in range(1, count + 1)]


@pytest.mark.parametrize("rule", [rule for rule in BUILT if rule[0] != "L"])
def test_a_rule_that_is_built_is_cited_by_its_code(rule: str) -> None:
    assert IN_CODE.get(rule)


@pytest.mark.parametrize("rule", BUILT)
def test_a_rule_that_is_built_is_cited_by_a_test(rule: str) -> None:
    assert IN_TESTS.get(rule)


@pytest.mark.parametrize("citations", [IN_CODE, IN_TESTS], ids=["in the code", "in the tests"])
def test_citations_name_rules_that_are_built(citations: Citations) -> None:
    assert {rule: places for rule, places in citations.items() if not RULES_BUILT.get(rule)} == {}


def test_a_citation_has_one_form() -> None:
    assert list(_malformed([PACKAGE, TESTS])) == []


def _malformed(folders: Iterable[Path]) -> list[str]:
    """Return the lines that cite a rule in another form than `Rule: B5.` or `Rule: B2, B3.`."""
    other = re.compile(r"\bRules: [A-Z]\d|\b[Rr]ule \d|\(rules? [A-Z]?\d")
    return [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if other.search(line) or any(citation[2] != "." for citation in _CITATION.finditer(line))
    ]
