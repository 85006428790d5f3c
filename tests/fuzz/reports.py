"""What went wrong with an input, told by its kind and as a test to paste."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

from langchain_semantic_xml import SemanticXmlSplitter
from tests.fuzz.checks import check
from tests.fuzz.inputs import METADATA, Input

_LONGEST_TEST = 20_000
_LONGEST_LINE = 110


@dataclass(frozen=True, slots=True)
class Failure:
    """A law that an input breaks.

    Args:
        kind: The exception and the line that raised it; failures of one kind are taken for one fault.
        message: What the exception says, in one line.
    """

    kind: str
    message: str


def failure_of(found: Input, splitter: type[SemanticXmlSplitter] = SemanticXmlSplitter) -> Failure | None:
    """Check an input, and return what it breaks."""
    try:
        check(found, splitter)
    except Exception as error:  # noqa: BLE001 - whatever it is, no text may raise it
        frame = traceback.extract_tb(error.__traceback__)[-1]
        kind = f"{type(error).__name__} in {Path(frame.filename).name}, {frame.name}: {frame.line}"
        return Failure(kind[:_LONGEST_LINE], ascii(str(error))[1:-1][:_LONGEST_LINE])
    return None


def as_test(found: Input, name: str, failure: Failure) -> str:
    """Write an input as a test to paste."""
    if len(found.text) > _LONGEST_TEST:
        return f"# {name}: the text still has {len(found.text)} characters; make it again with --only"
    arguments = [_literal(found.text)]
    if found.metadata:
        arguments.append(f"metadata=METADATA[{METADATA.index(found.metadata)}]")
    if found.salt:
        arguments.append(f"salt={found.salt}")
    arguments += [f"{option}={_literal(value)}" for option, value in found.options.items()]
    lines = [
        *_imports(found),
        "",
        "",
        f"def test_{name}() -> None:",
        f"    # {failure.kind}",
        f"    # {failure.message}".rstrip(),
        "    check_input(",
        *(f"        {argument}," for argument in arguments),
        "    )",
    ]
    return "\n".join(lines)


def _literal(value: object) -> str:
    """Write a value as Python, in characters that any terminal shows."""
    return value.__name__ if isinstance(value, FunctionType) else ascii(value)


def _imports(found: Input) -> list[str]:
    lines = ["from tests.fuzz.checks import check_input"]
    if found.metadata:
        lines.append("from tests.fuzz.inputs import METADATA")
    function = found.options.get("length_function", len)
    if function is not len:
        lines.append(f"from tests.fuzz.inputs import {_literal(function).removesuffix('()')}")
    if "ElementRule(" in repr(found.options.get("elements")):
        lines.insert(0, "from langchain_semantic_xml import ElementRule")
    return lines
