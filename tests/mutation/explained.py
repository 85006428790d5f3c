"""Mutants that live for a reason, as data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_name("explained.json")


@dataclass(frozen=True, slots=True)
class Change:
    """What a mutant changes, told so that it is found again after other lines of the module have changed.

    Args:
        function: The function, `Class.method` for a method.
        before: The changed lines as the module has them, without indentation.
        after: The same lines of the mutant.
    """

    function: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.function}\n    - {self.before}\n    + {self.after}"


def explained_changes(module: str) -> dict[Change, str]:
    """Return the changes to `module` that no test can notice, with the reasons."""
    listed: dict[str, list[dict[str, str]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return {
        Change(entry["function"], entry["before"], entry["after"]): entry["reason"] for entry in listed.get(module, ())
    }
