"""The search for texts whose work grows faster than they do: what it keeps, shows and leaves out."""

from __future__ import annotations

from tests.benchmarks.growth_search import Worst, measured, search, shown_recipe, simplified
from tests.laws.recipes import Recipe, Run, Setup, Unit
from tests.laws.test_growth import repeated


def test_of_each_niche_the_worst_recipe_is_kept() -> None:
    worst = Worst()
    bad, other, elsewhere = repeated("a"), repeated("b"), repeated("c", language="go")
    cost = measured(bad)
    assert cost is not None
    for value, recipe in ((1.5, bad), (1.2, other), (1.1, elsewhere)):
        worst.add(value, recipe, cost)
    assert [recipe for _, recipe, _ in worst.ranked()] == [bad, elsewhere]


def test_a_recipe_is_shown_as_python() -> None:
    recipe = repeated("é", language="go", setup=Setup(share=0.34))
    shown = shown_recipe(recipe)
    assert eval(shown, {"Recipe": Recipe, "Run": Run, "Unit": Unit, "Setup": Setup}) == recipe  # noqa: S307 - our own
    assert shown == "Recipe(runs=(Run(units=(Unit(text='\\xe9'),)),), language='go', setup=Setup(share=0.34))"


def test_what_a_recipe_does_not_need_to_grow_is_left_out() -> None:
    needed, needless = Run((Unit("\n# a"),)), Run((Unit("b"), Unit("c")))
    recipe = Recipe((needless, needed), before="d", setup=Setup(door="blocks", overlap=0.5))
    assert simplified(recipe, "steps", 0.0) != recipe


def test_a_search_measures_and_keeps_what_it_finds() -> None:
    tried, worst = search(1.0, seed=3)
    assert tried >= 1
    assert any(found.ranked() for found in worst)
