"""Recipes of hostile texts: what a search may put together, and how it changes what it has put together.

A recipe makes a text of any length and says how it is split. Its text is a stretch before, runs of units that are
repeated, and a stretch after; in a unit some characters stand for what differs from one repetition to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from random import Random
from typing import TypeVar

from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from langchain_semantic_xml import ElementRule
from tests.fuzz.encoding import FRAGMENTS
from tests.fuzz.inputs import LENGTHS, SEPARATORS
from tests.laws.strategies import ELEMENTS

Value = TypeVar("Value")

RISING, FALLING, INDENTED, WIDENING, UNLIKE = MARKERS = "\ue000\ue001\ue002\ue003\ue004"
"""Stand for a number that rises or falls, up to 49 blanks, ever more blanks, and blanks that are never the same."""
_MARKER = re.compile(f"[{MARKERS}]")
_WIDEST = 2_000
ROOT = 0
"""As a unit's `times`: as many as the square root of what the run may hold."""

LANGUAGES = tuple(language.value for language in Language)
MANY_RULES: tuple[str | ElementRule, ...] = (
    *("file", "output", "document", "w", "a", "src", "path"),
    *(f"name-{number}" for number in range(60)),
    ElementRule("files", identity_children=("src", "path"), body=("w", "content"), bare=False),
)
CONSTANT_SIZES = (20, 60, 200, 600)
SIZE_SHARES = (0.02, 0.34, 0.9, 2.0)


@dataclass(frozen=True, slots=True)
class Unit:
    """What a run repeats.

    Args:
        text: The text; may hold `MARKERS`.
        times: How many times in a row, in each round of the run.
    """

    text: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Run:
    """Units that take turns.

    Args:
        units: The units.
        weight: How much of the text the run is, beside the others.
        closing: What stands at the end of the text once for each round of the run, as closing tags do.
    """

    units: tuple[Unit, ...]
    weight: int = 1
    closing: str = ""

    def render(self, characters: int) -> tuple[str, str]:
        """Return about so many characters, and the closings among them that belong to the end."""
        root = isqrt(max(1, characters))
        parts = [unit.text * (unit.times or 1 + root // max(1, len(unit.text))) for unit in self.units]
        once = "".join(parts)
        if not _MARKER.search(once):
            rounds = max(1, characters // (len(once) + len(self.closing) or 1))
            return once * rounds, self.closing * rounds
        rounds_done: list[str] = []
        length = 0
        while length < characters:
            rounds_done.append(_marked(once, len(rounds_done)))
            length += len(rounds_done[-1]) + len(self.closing) or characters
        return "".join(rounds_done), self.closing * len(rounds_done)


def _marked(text: str, number: int) -> str:
    """Put into the place of each marker what it is in round `number`."""
    for marker, make in _MEANINGS.items():
        if marker in text:
            text = text.replace(marker, make(number))
    return text


_MEANINGS: dict[str, Callable[[int], str]] = {
    RISING: str,
    FALLING: lambda number: str(9_999_999 - number),
    INDENTED: lambda number: " " * (number % 50),
    WIDENING: lambda number: " " * (number % _WIDEST),
    UNLIKE: lambda number: f"{number:b}".translate({ord("0"): " ", ord("1"): "\t"}),
}


@dataclass(frozen=True, slots=True)
class Setup:
    """How a text is split.

    Args:
        door: Which function of the package.
        size: The size of chunks; with `share` that share of the text instead.
        share: See `size`.
        overlap: As a share of the size.
        length: Which of `LENGTHS`.
        separator: Which of `SEPARATORS`.
        new_after: As a share of the size.
        combine_under: As a share of the size.
        isolate: The option.
        oversized: The option.
        repeat: The option.
        strip: The option `strip_whitespace`.
        elements: Which of `RULES`.
    """

    door: str = "documents"
    size: int = 200
    share: float | None = None
    overlap: float = 0.0
    length: int = -1
    separator: int = 0
    new_after: float | None = None
    combine_under: float | None = None
    isolate: tuple[str, ...] | bool = ()
    oversized: str = "split"
    repeat: str | None = "tags"
    strip: bool = True
    elements: int = 0


RULES: tuple[tuple[str | ElementRule, ...] | None, ...] = (*dict.fromkeys(ELEMENTS), MANY_RULES)
DOORS = ("documents", "documents", "documents", "blocks", "blocks", "stream", "hurried stream", "sections")
_CHOICES: dict[str, Sequence[object]] = {
    "door": DOORS,
    "size": CONSTANT_SIZES,
    "share": (None, None, *SIZE_SHARES),
    "overlap": (0.0, 0.0, 0.1, 0.5),
    "length": (-1, *range(-1, len(LENGTHS) - 1)),
    "separator": range(len(SEPARATORS)),
    "new_after": (None, None, 0.0, 0.3, 0.9),
    "combine_under": (None, None, 0.0, 0.3, 0.9),
    "isolate": ((), (), True, ("text",)),
    "oversized": ("split", "split", "keep"),
    "repeat": ("tags", None, "breadcrumb", "signatures"),
    "strip": (True, False),
    "elements": (0, *range(len(RULES))),
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A family of texts, and how they are split.

    Args:
        before: What comes first.
        runs: What is repeated.
        after: What comes last.
        language: Puts all of it into one element whose path has this suffix.
        setup: How it is split.
    """

    runs: tuple[Run, ...]
    before: str = ""
    after: str = ""
    language: str | None = None
    setup: Setup = Setup()

    def render(self, characters: int) -> str:
        """Return a text of about so many characters."""
        weights = sum(run.weight for run in self.runs)
        rendered = [run.render(characters * run.weight // weights) for run in self.runs]
        body = "".join(text for text, _ in rendered) + "".join(closing for _, closing in reversed(rendered))
        text = f"{self.before}{body}{self.after}"
        return text if self.language is None else f'<file path="a.{self.language}">\n{text}\n</file>\n'


# Drawing and changing.


def _keywords() -> tuple[str, ...]:
    """Return lines that begin with what LangChain takes for a boundary in any language."""
    listed = (RecursiveCharacterTextSplitter.get_separators_for_language(language) for language in _listed_languages())
    words = (re.sub(r"\\(.)", r"\1", separator) for separators in listed for separator in separators)
    return tuple(dict.fromkeys(f"\n{word.lstrip()}" for word in words if word.strip()))


def _listed_languages() -> list[Language]:
    listed = []
    for language in Language:
        try:
            RecursiveCharacterTextSplitter.get_separators_for_language(language)
        except ValueError:
            continue
        listed.append(language)
    return listed


_MORE = (
    "@a(", ")", "\n)", "\n    )", "\n@a\n", "\n# a", "\n// a", "\n * a", "template ", "async ", "static ", "public ",
    "x" * 100, "\n" * 40, " " * 70, "a b ", ". ", "a\n===\n", "\n---\n", "(", "{", "}\n", "]", ";", ":", ",", "-", "*",
    "| a |\n", "1. ", "&#0", "&amp;", "u\u0301", "\u200d", "\u1100", "<path>", "<src>x</src>", "<w>\n", "</w>\n", "\n",
)  # fmt: skip
_POOLS: tuple[Sequence[str], ...] = (FRAGMENTS, FRAGMENTS[:64], _MORE, _keywords(), tuple(MARKERS), ("\n", " "))
_POOL_WEIGHTS = (30, 20, 20, 12, 8, 10)


def fragment(rng: Random) -> str:
    """Draw something that the package might take notice of."""
    return rng.choice(rng.choices(_POOLS, _POOL_WEIGHTS)[0])


def new_recipe(rng: Random) -> Recipe:
    """Draw a recipe."""
    runs = tuple(_run(rng) for _ in range(rng.choice((1, 1, 1, 2, 2, 3))))
    before, after = (_text(rng, 2) if rng.random() < 0.4 else "" for _ in range(2))
    language = rng.choice(LANGUAGES) if rng.random() < 0.4 else None
    setup = Setup()
    for _ in range(rng.randrange(6)):
        setup = _other_setup(rng, setup)
    return Recipe(runs, before, after, language, setup)


def _run(rng: Random) -> Run:
    units = tuple(_unit(rng) for _ in range(rng.choice((1, 1, 2, 2, 3, 4))))
    closing = rng.choice(("</file>\n", "</file>", "</w>\n", "]]>", "x", fragment(rng))) if rng.random() < 0.15 else ""
    return Run(units, rng.choice((1, 1, 1, 5)), closing.translate(dict.fromkeys(map(ord, MARKERS))))


def _unit(rng: Random) -> Unit:
    return Unit(_text(rng, 4) or "x", rng.choice((1, 1, 1, 1, 2, 5, 50, ROOT)))


def _text(rng: Random, most: int) -> str:
    return "".join(fragment(rng) for _ in range(rng.randint(1, most)))


def _other_setup(rng: Random, setup: Setup) -> Setup:
    option = rng.choice(tuple(_CHOICES))
    return replace(setup, **{option: rng.choice(_CHOICES[option])})  # type: ignore[arg-type]


def mutated(rng: Random, recipe: Recipe, other: Recipe) -> Recipe:
    """Change a recipe in one to three places; now and then, a run of another one is added."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        recipe = rng.choice(_CHANGES)(rng, recipe, other)
    return recipe


def _change_setup(rng: Random, recipe: Recipe, _: Recipe) -> Recipe:
    return replace(recipe, setup=_other_setup(rng, recipe.setup))


def _take_setup(_: Random, recipe: Recipe, other: Recipe) -> Recipe:
    return replace(recipe, setup=other.setup)


def _change_language(rng: Random, recipe: Recipe, _: Recipe) -> Recipe:
    return replace(recipe, language=rng.choice((None, *LANGUAGES)))


def _change_edge(rng: Random, recipe: Recipe, _: Recipe) -> Recipe:
    text = rng.choice(("", _text(rng, 2)))
    return replace(recipe, before=text) if rng.random() < 0.5 else replace(recipe, after=text)


def _add_run(rng: Random, recipe: Recipe, other: Recipe) -> Recipe:
    run = rng.choice((*other.runs, _run(rng)))
    at = rng.randint(0, len(recipe.runs))
    return replace(recipe, runs=(*recipe.runs[:at], run, *recipe.runs[at:])[:4])


def _drop_run(rng: Random, recipe: Recipe, _: Recipe) -> Recipe:
    if len(recipe.runs) == 1:
        return recipe
    at = rng.randrange(len(recipe.runs))
    return replace(recipe, runs=(*recipe.runs[:at], *recipe.runs[at + 1 :]))


def _change_run(rng: Random, recipe: Recipe, _: Recipe) -> Recipe:
    at = rng.randrange(len(recipe.runs))
    run = recipe.runs[at]
    run = replace(run, units=_changed_units(rng, run.units)) if rng.random() < 0.8 else _reweighed(rng, run)
    return replace(recipe, runs=(*recipe.runs[:at], run, *recipe.runs[at + 1 :]))


def _reweighed(rng: Random, run: Run) -> Run:
    return replace(run, weight=rng.choice((1, 2, 5)), closing=rng.choice(("", run.closing, _run(rng).closing)))


def _changed_units(rng: Random, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    at = rng.randrange(len(units))
    luck = rng.random()
    if luck < 0.15:
        return (*units[:at], _unit(rng), *units[at:])[:5]
    if luck < 0.25 and len(units) > 1:
        return (*units[:at], *units[at + 1 :])
    if luck < 0.4:
        changed = replace(units[at], times=rng.choice((1, 2, 3, 5, 20, 100, ROOT)))
    else:
        changed = replace(units[at], text=_changed_text(rng, units[at].text) or "x")
    return (*units[:at], changed, *units[at + 1 :])


def _changed_text(rng: Random, text: str) -> str:
    start = rng.randint(0, len(text))
    end = min(len(text), start + rng.choice((0, 0, 1, 1, 4)))
    return f"{text[:start]}{rng.choice((fragment(rng), fragment(rng), ''))}{text[end:]}"[:300]


_CHANGES: tuple[Callable[[Random, Recipe, Recipe], Recipe], ...] = (
    _change_run, _change_run, _change_run, _change_run, _change_setup, _change_setup, _take_setup, _change_language,
    _change_edge, _add_run, _drop_run,
)  # fmt: skip
