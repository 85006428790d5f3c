"""What guided fuzzing runs on each input, and the inputs that it begins with."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import monotonic, process_time

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.typing import SplitterOptions
from tests.fuzz.checks import COMPARED, check, check_against_the_reference, check_blocks
from tests.fuzz.encoding import HEADER, decode, encode
from tests.fuzz.inputs import Input, fits_something
from tests.fuzz.reports import as_test, failure_of
from tests.fuzz.running import shrunk, write

_DATA = Path(__file__).parent.parent / "data"
_REFERENCE = 3
"""The salt with which `check_input` asks the reference too."""


def check_found_blocks(found: Input) -> None:
    """Assert what must hold of the blocks of a text; of a short one also that the reference finds the same."""
    check_blocks(found.text, found.options)
    if len(found.text) <= COMPARED:
        check_against_the_reference(found.text, found.options)


class Target:
    """Checks one input after the other, and reports each new kind of failure.

    Args:
        name: `"blocks"` or `"splitter"`.
        seconds: After so long, say what was done; and `end`, if there were failures.
        end: Ends the process with an exit code.
        splitter: The class that is checked; a test gives one with a fault.
    """

    def __init__(
        self,
        name: str,
        seconds: float,
        end: Callable[[int], object],
        splitter: type[SemanticXmlSplitter] = SemanticXmlSplitter,
    ) -> None:
        self.inputs = self.characters = 0
        self.kinds: Counter[str] = Counter()
        self._blocks_only = name == "blocks"
        self._name = name
        self._splitter = splitter
        self._end = end
        self._began, self._worked = monotonic(), process_time()
        self._seconds = seconds
        self._told = False

    def check(self, data: bytes) -> None:
        """Check the input that bytes stand for.

        Raises:
            Exception: What the input raised, if it does not do so again.
        """
        found = decode(data)
        self.inputs += 1
        self.characters += len(found.text)
        try:
            if fits_something(found.options):
                self._check(found)
        except Exception:
            if not self._report(found):
                raise
        if not self._told and monotonic() - self._began > self._seconds:
            self._told = True
            self._tell()

    def _check(self, found: Input) -> None:
        if self._blocks_only:
            check_found_blocks(found)
        else:
            check(found, self._splitter)

    def _report(self, found: Input) -> bool:
        """Count a failure, and print the first of each kind; `False` if the input does not fail again."""
        if self._blocks_only:
            elements = found.options.get("elements")
            found = Input(
                found.text,
                SplitterOptions() if elements is None else SplitterOptions(elements=elements),
                salt=_REFERENCE,
            )
        failure = failure_of(found, self._splitter)
        if failure is None:
            return False
        self.kinds[failure.kind] += 1
        if self.kinds[failure.kind] == 1:
            name = f"guided_{self._name}_{len(self.kinds)}"
            write(sys.stdout, f"\n{as_test(shrunk(found, failure, self._splitter), name, failure)}\n\n")
        return True

    def _tell(self) -> None:
        seconds, worked = monotonic() - self._began, process_time() - self._worked
        lines = [
            f"inputs            {self.inputs:,}",
            f"characters        {self.characters:,}",
            f"seconds           {seconds:,.1f} ({self.inputs / seconds:,.0f} inputs a second)",
            f"processor time    {worked:,.1f} ({self.inputs / worked:,.0f} inputs a second)",
            f"failures          {self.kinds.total():,}",
            *(f"  {times:,} x {kind}" for kind, times in self.kinds.most_common()),
        ]
        write(sys.stdout, "\n".join(lines) + "\n")
        if self.kinds:
            self._end(1)


def seeds() -> Iterator[tuple[str, bytes]]:
    """Yield names and bytes of the inputs to begin with: the texts of `tests/data`, under options drawn for each."""
    for number, text in enumerate(_texts()):
        rng = Random(number)  # noqa: S311 - reproducible, not secret
        yield f"seed-{number}", encode(text)
        yield f"seed-{number}-options", encode(text, rng.randbytes(HEADER))


def _texts() -> Iterator[str]:
    for name in ("blocks", "chunks"):
        yield from (case["text"] for case in json.loads((_DATA / "cases" / f"{name}.json").read_text("utf-8")))
    for path in (_DATA / "bundle.xml", *sorted((_DATA / "parts").glob("*.txt"))):
        yield path.read_text("utf-8")
