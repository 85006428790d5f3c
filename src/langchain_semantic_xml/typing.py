"""What users annotate their own code with: the types of options, and the options of the splitter as a `TypedDict`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol, TypedDict, runtime_checkable

from langchain_semantic_xml._text.rulers import LengthFunction
from langchain_semantic_xml.values import ElementRule, Granularity, Oversized, Repeat

__all__ = [
    "CodeSplitterOptions",
    "Elements",
    "Granularity",
    "LengthFunction",
    "OnError",
    "Oversized",
    "Repeat",
    "SplitterOptions",
    "TextFile",
    "TokenSplitterOptions",
]

Elements = Iterable[str | ElementRule]
"""Names or `ElementRule`s of elements."""

OnError = Literal["raise", "skip"]
"""What a loader does with a file that it cannot read."""


@runtime_checkable
class TextFile(Protocol):
    """A file opened in text mode."""

    def read(self, size: int, /) -> str:
        """Return at most `size` characters; `""` at the end."""


class _SharedOptions(TypedDict, total=False):
    """Options that each way to make a splitter takes by name."""

    chunk_overlap: int
    add_start_index: bool
    strip_whitespace: bool
    elements: Elements | None
    separator: str | None
    new_after: int | None
    combine_under: int | None
    isolate: Iterable[str] | bool
    oversized: Oversized
    syntax: bool
    granularity: Granularity
    syntax_seconds: float | None
    repeat: Repeat | None
    deterministic_ids: bool | Literal["content"]


class CodeSplitterOptions(_SharedOptions, total=False):
    """Options of `SemanticXmlSplitter.for_code`, which takes the size apart from the others."""

    length_function: LengthFunction


class TokenSplitterOptions(_SharedOptions, total=False):
    """Options of `SemanticXmlSplitter` for constructors that choose the length function themselves."""

    chunk_size: int


class SplitterOptions(TokenSplitterOptions, total=False):
    """All options of `SemanticXmlSplitter`; an option that is missing has its default.

    Example:
        >>> from langchain_semantic_xml import SemanticXmlSplitter
        >>> options: SplitterOptions = {"chunk_size": 100, "separator": None}
        >>> SemanticXmlSplitter(**options).options.chunk_size
        100
    """

    length_function: LengthFunction
