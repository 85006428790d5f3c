"""Search for hostile texts that are worse than the known ones: those with which work grows faster than size.

Recipes are drawn, measured at two sizes and changed; those with the highest exponents, and those that cost most per
character, are changed further. What seems to grow too fast is measured again, at larger sizes, before it is believed.
Growth is beside text and result together: what an overlap repeats is work that was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from random import Random
from time import monotonic
from typing import NamedTuple

from tests.benchmarks.tables import Table, say, say_header
from tests.laws.effort import OutOfPatienceError, exponent, peak, seconds, steps
from tests.laws.recipes import Recipe, Setup, mutated, new_recipe

_SIZES = (1_500, 12_000)
_MEMORY_SIZES = (3_000, 24_000)
_SHORT_SIZES = (500, 4_000)
"""Calls so short that other processes seldom interrupt them."""
_TIMED_SIZES = (24_000, 384_000)
_LARGER_SIZES = (12_000, 192_000)
_SUSPECT = 1.15
"""Noise alone reaches such an exponent of time, though seldom twice."""
_MOST_RESULT = 40
"""A text whose result is so many times as long is left alone: its result is what costs."""
_KEPT = 30
_NEW = 0.3
_FIRST = 100
"""So many recipes are drawn before the first is changed; later, the share `_NEW`."""
_SHOWN = 10


class Cost(NamedTuple):
    """What a recipe costs; the search looks for recipes that have much of any of these.

    Args:
        steps: The exponent with which the number of steps grows.
        time: The exponent with which time grows.
        memory: The exponent with which memory grows.
        nanoseconds: Per character of the larger text and its result.
        bytes: Per character of the larger text and its result.
    """

    steps: float
    time: float
    memory: float
    nanoseconds: float
    bytes: float


_EVERY_COST = range(len(Cost._fields))
_WEIGHTS = (4, 4, 3, 1, 1)
"""How often the search goes on from a recipe that has much of each."""


@dataclass(slots=True)
class Worst:
    """The worst recipes for one kind of cost: of each niche one, so that the search stays broad."""

    kept: dict[object, tuple[float, Recipe, Cost]] = field(default_factory=dict)

    def add(self, value: float, recipe: Recipe, cost: Cost) -> None:
        """Keep a recipe if it is worse than the one of its niche; let the least bad one go where there are too many."""
        niche = _niche(recipe)
        if niche not in self.kept or self.kept[niche][0] < value:
            self.kept[niche] = value, recipe, cost
            if len(self.kept) > _KEPT:
                del self.kept[min(self.kept, key=lambda niche: self.kept[niche][0])]

    def ranked(self) -> list[tuple[float, Recipe, Cost]]:
        """Return what is kept, the worst first."""
        return sorted(self.kept.values(), key=lambda kept: -kept[0])


def _niche(recipe: Recipe) -> object:
    setup = recipe.setup
    return setup.door, recipe.language, setup.length, setup.share is None, setup.overlap > 0


def run(duration: float = 60.0, seed: int = 1) -> None:
    """Search for so many seconds, then print what was found."""
    say_header(f"growth-search: {duration:,.0f} seconds from seed {seed}")
    tried, worst = search(duration, seed)
    say(f"{tried:,} recipes. Exponents from {_SIZES[0]:,} to {_SIZES[1]:,} characters. Of the first {_SHOWN} again,")
    say(f"up to {_LARGER_SIZES[1]:,}, of time to {_TIMED_SIZES[1]:,}; what is confirmed is shown as simple as it gets.")
    for kind, found in zip(Cost._fields, worst, strict=True):
        say()
        table = Table([f"most {kind}", *Cost._fields, "again"], [18, 8, 8, 8, 12, 8, 8])
        for number, (_, recipe, cost) in enumerate(found.ranked()[:_SHOWN], 1):
            *exponents, nanoseconds, taken = cost
            again = confirmed(recipe, kind)
            shown = [*(f"{value:.2f}" for value in exponents), f"{nanoseconds:,.0f}", f"{taken:,.0f}"]
            table.row(str(number), *shown, "" if again is None else f"{again:.2f}")
            say(f"    {shown_recipe(simplified(recipe, kind, again) if again and again > _SUSPECT else recipe)}")
    say()


def search(duration: float, seed: int) -> tuple[int, tuple[Worst, ...]]:
    """Search for so many seconds; return how many recipes were measured, and the worst for each kind of cost."""
    rng = Random(seed)  # noqa: S311 - reproducible, not secret
    worst = tuple(Worst() for _ in _EVERY_COST)
    deadline = monotonic() + duration
    tried = 0
    while monotonic() < deadline:
        recipe = new_recipe(rng) if tried < _FIRST or rng.random() < _NEW else _changed(rng, worst)
        cost = measured(recipe)
        tried += 1
        if cost is None:
            continue
        for kind in _EVERY_COST:
            worst[kind].add(cost[kind], recipe, cost)
    return tried, worst


def _changed(rng: Random, worst: tuple[Worst, ...]) -> Recipe:
    """Change one of the recipes that are worst in some way, sooner a bad one."""
    kept = [recipe for _, recipe, _ in rng.choices(worst, _WEIGHTS)[0].ranked()]
    return mutated(rng, kept[int(rng.random() ** 2 * len(kept))], rng.choice(kept))


def measured(recipe: Recipe) -> Cost | None:
    """Return what a recipe costs; `None` where its result is too long."""
    small, large = _SIZES
    try:
        few = steps(recipe, small)
        if few.size > _MOST_RESULT * few.characters:
            return None
        many = steps(recipe, large)
        short, long = (seconds(recipe, size, calls=8) for size in _SHORT_SIZES)
        if exponent(short, long) > _SUSPECT:
            short, long = (seconds(recipe, size, calls=30) for size in _SHORT_SIZES)
        low, high = (peak(recipe, size) for size in _MEMORY_SIZES)
    except OutOfPatienceError:
        say(f"out of patience: {shown_recipe(recipe)}")
        return None
    grown = exponent(few, many), exponent(short, long), exponent(low, high)
    return Cost(*grown, long.cost / long.size * 1e9, high.cost / high.size)


def confirmed(recipe: Recipe, kind: str) -> float | None:
    """Return the exponent over larger sizes of a kind of cost that has one."""
    try:
        if kind == "steps":
            return exponent(*(steps(recipe, size) for size in _LARGER_SIZES))
        if kind == "time":
            return exponent(*(seconds(recipe, size, calls=3) for size in _TIMED_SIZES))
        if kind == "memory":
            return exponent(*(peak(recipe, size) for size in _LARGER_SIZES))
    except OutOfPatienceError:
        return float("inf")
    return None


def simplified(recipe: Recipe, kind: str, least: float) -> Recipe:
    """Return a recipe with less in it that grows nearly as fast."""
    changed = True
    while changed:
        changed = False
        for simpler in _simpler(recipe):
            again = confirmed(simpler, kind)
            if again is not None and again > 1 + 0.8 * (least - 1):
                recipe, changed = simpler, True
                break
    return recipe


def _simpler(recipe: Recipe) -> list[Recipe]:
    simpler = [
        *(replace(recipe, runs=(*recipe.runs[:at], *recipe.runs[at + 1 :])) for at in range(len(recipe.runs))),
        replace(recipe, before=""),
        replace(recipe, after=""),
        replace(recipe, language=None),
        *(
            replace(recipe, setup=replace(recipe.setup, **{option.name: getattr(Setup(), option.name)}))
            for option in fields(Setup)
        ),
    ]
    for at, run in enumerate(recipe.runs):
        for place in range(len(run.units)):
            fewer = replace(run, units=(*run.units[:place], *run.units[place + 1 :]))
            simpler.append(replace(recipe, runs=(*recipe.runs[:at], fewer, *recipe.runs[at + 1 :])))
    return [one for one in simpler if one != recipe and one.runs and all(run.units for run in one.runs)]


def shown_recipe(value: object) -> str:
    """Write a recipe as Python, without what has its default."""
    if isinstance(value, tuple) and value and all(map(is_dataclass, value)):
        return f"({', '.join(map(shown_recipe, value))},)"
    if not is_dataclass(value) or isinstance(value, type):
        return ascii(value)
    shown = (
        f"{option.name}={shown_recipe(getattr(value, option.name))}"
        for option in fields(value)
        if getattr(value, option.name) != option.default
    )
    return f"{type(value).__name__}({', '.join(shown)})"
