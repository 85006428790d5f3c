"""What the tests of this folder share: texts with their blocks, groups of them, and functions that are not additive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from langchain_semantic_xml._sections.grouping import OversizedUnit, iter_groups
from langchain_semantic_xml._sections.open_group import Group
from langchain_semantic_xml._sections.units import Kind, Unit, cut_units
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml._text.window import Window
from langchain_semantic_xml.typing import LengthFunction
from langchain_semantic_xml.values import Extent, Options

ELEMENTS = ("file", "output")
LEADS = (Kind.LONE_HEADING, Kind.OPENING)


def file(content: str) -> str:
    """A file of `len(content) + 13` characters."""
    return f"<file>{content}</file>"


def output(content: str) -> str:
    """An output of `len(content) + 17` characters."""
    return f"<output>{content}</output>"


SIX = file("xxxxxx")
"""A file of 19 characters."""
BIG = file("x" * 50)
"""A file of 63 characters."""


class Bundle(NamedTuple):
    """A text with its blocks."""

    text: str
    extents: list[Extent]


def bundle(*pieces: str) -> Bundle:
    """Put elements and texts one after the other; a blank text is no block."""
    extents: list[Extent] = []
    end = 0
    for piece in pieces:
        start, end = end, end + len(piece)
        element = next((name for name in ELEMENTS if piece.startswith(f"<{name}>")), "text")
        if element == "text" and extents and extents[-1].type == "text" and extents[-1].end == start:
            extents[-1] = Extent("text", extents[-1].start, end)
        elif element != "text" or piece.strip():
            extents.append(Extent(element, start, end))
    return Bundle("".join(pieces), extents)


def groups_of(
    made: Bundle, options: Options, length_function: LengthFunction = len
) -> tuple[list[Unit], list[Group | OversizedUnit], Window]:
    """Cut and group a bundle."""
    window = Window(made.text)
    units = list(cut_units(window, made.extents, frozenset(ELEMENTS), strip=options.strip_whitespace))
    return units, list(iter_groups(units, window, options, Ruler(length_function))), window


def texts(*pieces: str, **options: object) -> list[str]:
    """Group a bundle and show the text of each group; of an oversized unit, its lead, the unit and its trail."""
    function = options.pop("length_function", len)
    _, groups, window = groups_of(bundle(*pieces), Options(**options), function)  # type: ignore[arg-type]

    def show(units: Iterable[Unit]) -> str:
        return "+".join(window.slice(unit.start, unit.end) for unit in units)

    return [
        group.text
        if isinstance(group, Group)
        else " | ".join(filter(None, map(show, (group.lead, (group.unit,), group.trail))))
        for group in groups
    ]


def whole(group: Group | OversizedUnit) -> tuple[Unit, ...]:
    """Return all units of a group, those that go with an oversized unit too, in order."""
    return group.units if isinstance(group, Group) else (*group.lead, group.unit, *group.trail)


def by_words(text: str) -> int:
    """Additive over separators, but not `len`."""
    return len(text.split())


def with_ends(text: str) -> int:
    """As tokenizers that add a token at either end."""
    return len(text) // 2 + 2


def squared(text: str) -> int:
    """Far from additive: joined texts are much longer than their pieces."""
    return len(text) ** 2 // 20


def with_penalty(text: str) -> int:
    """Longer, joined, than its pieces by what stands between them."""
    return len(text) + 7 * text.count("><")


def capped(text: str) -> int:
    """As a function that counts white space only: most texts have no length at all."""
    return text.count("\n")


FUNCTIONS = [len, by_words, with_ends, squared, with_penalty, capped]


def failing_over(limit: int) -> LengthFunction:
    """Return a length function that fails when a text is longer than `limit`."""

    def length(text: str) -> int:
        if len(text) > limit:
            msg = f"{len(text)} characters are too many"
            raise ValueError(msg)
        return len(text) // 10

    return length


def notes_of(error: BaseException) -> list[str]:
    """Return the notes of an exception."""
    return list(getattr(error, "__notes__", ()))
