"""Bytes ↔ inputs, so that a fuzzer that mutates bytes changes a text by fragments, and options one at a time.

The first `HEADER` bytes choose the options, one byte for each; zeros are the defaults. Every other byte is a step that
writes some of the text: a character of ASCII, a fragment of a tag, a line of code, any code point, or what was just
written again. All bytes mean something, and every text can be written, so that real texts can be where a run begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar

from langchain_semantic_xml.typing import SplitterOptions
from tests.fuzz.generators import CLUSTERS, CODE, LONG, ODD_LINES, PROSE, SEAMS
from tests.fuzz.inputs import DEFAULTS, LENGTHS, METADATA, SEPARATORS, Input
from tests.laws.strategies import ELEMENTS, LINES, MARKS, TAGS

HEADER = 12
"""How many bytes choose the options."""
LONGEST = 2_000
"""A text ends when it has become so long."""

Value = TypeVar("Value")

_LINES_OF_CODE = tuple(line for lines in CODE.values() for line in lines)
_KINDS = (TAGS, MARKS, SEAMS, ODD_LINES, LINES, PROSE, CLUSTERS, LONG, _LINES_OF_CODE)
FRAGMENTS = tuple(fragment for fragment in dict.fromkeys(chain(*_KINDS)) if len(fragment) > 1)
"""What one or two bytes write; the first of them, tags and marks, one."""

# The first byte of a step. Below are the characters of ASCII.
_NEAR = 0x80
_FAR = 0xC0
_CODE_POINT = 0xD0
_AGAIN = 0xE1
_NEARS = _FAR - _NEAR
_PLANE = 1 << 16


def decode(data: bytes) -> Input:
    """Return the input that bytes stand for; missing ones count as zero."""
    text = _text(data[HEADER:])
    header = data[:HEADER].ljust(HEADER, b"\0")
    return Input(text, _options(header, len(text)), _choice(METADATA, header[10]), header[11])


def encode(text: str, header: bytes = bytes(HEADER)) -> bytes:
    """Return bytes that write a text, with fragments where it has them."""
    return header + b"".join(_steps(text))


# SplitterOptions.


def _options(header: bytes, characters: int) -> SplitterOptions:
    elements = _choice(ELEMENTS, header[0])
    function = _choice(_LENGTHS, header[1])
    # As `inputs` does: no more than some hundred chunks, and room for what the function adds to any text.
    size = 1 + characters // 100 + header[2] * (1, 4, 16)[header[3] % 3] + function("")
    options = SplitterOptions(
        chunk_size=size,
        chunk_overlap=_share(header[4], size - 1) or 0,
        length_function=function,
        separator=_choice(SEPARATORS, header[5]),
        new_after=_share(header[6], size),
        combine_under=_share(header[7], size),
    )
    if elements is not None:
        options["elements"] = elements
    if isolate := _choice((None, True, ("text",), ("file",), None if elements else ("output", "text")), header[8]):
        options["isolate"] = isolate
    flags = header[9]
    if flags & 3:
        options["oversized"] = ("keep", "split", "error")[(flags & 3) - 1]
    for bit, option, value in _FLAGS:
        if flags & bit:
            options[option] = value  # type: ignore[literal-required]
    for option, default in DEFAULTS.items():
        if options[option] == default:  # type: ignore[literal-required]
            del options[option]  # type: ignore[misc]
    return options


_LENGTHS = tuple(dict.fromkeys(reversed(LENGTHS)))
"""The default first."""
_FLAGS = (
    (4, "repeat", None),
    (8, "strip_whitespace", False),
    (16, "deterministic_ids", True),
    (32, "add_start_index", False),
)


def _choice(values: Sequence[Value], byte: int) -> Value:
    return values[byte % len(values)]


def _share(byte: int, whole: int) -> int | None:
    """Return a share of `whole`; `None` for half of all bytes."""
    return (byte - 128) * whole // 127 if byte >= 128 else None


# Texts.


def _text(data: bytes) -> str:
    written: list[str] = []
    characters = 0
    steps = iter(data)
    for first in steps:
        for piece in _pieces(first, steps, written):
            written.append(piece)
            characters += len(piece)
        if characters >= LONGEST:
            break
    return "".join(written)[:LONGEST]


def _pieces(first: int, steps: Iterator[int], written: list[str]) -> Sequence[str]:
    """Return what one step writes, after what is written already."""
    if first < _NEAR:
        return (chr(first),)
    if first < _FAR:
        return (FRAGMENTS[first - _NEAR],)
    second = next(steps, 0)
    if first < _CODE_POINT:
        return (_choice(FRAGMENTS, _NEARS + (first - _FAR) * 256 + second),)
    if first < _AGAIN:
        return (chr((first - _CODE_POINT) * _PLANE + second * 256 + next(steps, 0)),)
    return written[_AGAIN - 1 - first :] * (1 + second // 16)


def _steps(text: str) -> Iterator[bytes]:
    at = 0
    while at < len(text):
        number = next(
            (number for number in _BY_FIRST.get(text[at], ()) if text.startswith(FRAGMENTS[number], at)), None
        )
        if number is None:
            yield _character(ord(text[at]))
            at += 1
        else:
            yield _fragment(number)
            at += len(FRAGMENTS[number])


def _fragment(number: int) -> bytes:
    if number < _NEARS:
        return bytes((_NEAR + number,))
    high, low = divmod(number - _NEARS, 256)
    return bytes((_FAR + high, low))


def _character(code: int) -> bytes:
    if code < _NEAR:
        return bytes((code,))
    plane, rest = divmod(code, _PLANE)
    return bytes((_CODE_POINT + plane, *divmod(rest, 256)))


def _by_first() -> dict[str, list[int]]:
    """Return the numbers of the fragments that begin with each character, the longest first."""
    numbers: dict[str, list[int]] = {}
    for number in sorted(range(len(FRAGMENTS)), key=lambda number: -len(FRAGMENTS[number])):
        numbers.setdefault(FRAGMENTS[number][0], []).append(number)
    return numbers


_BY_FIRST = _by_first()
