"""The work that hostile texts make grows as they do: the lines of the package that are run are counted, not timed."""

from __future__ import annotations

from random import Random

import pytest

from tests.laws.effort import exponent, peak, seconds, steps
from tests.laws.recipes import (
    FALLING,
    INDENTED,
    LANGUAGES,
    RISING,
    ROOT,
    UNLIKE,
    WIDENING,
    Recipe,
    Run,
    Setup,
    Unit,
    mutated,
    new_recipe,
)

LINEAR = 1.1
"""Exponents are a little more than 1 where short texts are spared some of the work."""


def repeated(text: str, *, closing: str = "", language: str | None = None, setup: Setup = Setup()) -> Recipe:  # noqa: B008 - frozen
    return Recipe((Run((Unit(text),), closing=closing),), language=language, setup=setup)


HURRIED = Setup(door="hurried stream")
HOSTILE = {
    "openings that never close, in a stream": repeated('<document>\nx\n<file path="a">\nx\n</file>\n', setup=HURRIED),
    "openings with a name that never close, in a stream": repeated(
        '<document path="b">\nx\n<file path="a">\nx\n</file>\n', setup=HURRIED
    ),
    "openings within lines that never close, in a stream": repeated(
        'x <document path="b"> x <file path="a">x</file> ', setup=HURRIED
    ),
    "elements of unlike indentation, in a stream": repeated(
        f'{UNLIKE}<file path="a">\n{UNLIKE}</file>\n', setup=HURRIED
    ),
    "CDATA that never ends, in a stream": repeated('<file path="a"><![CDATA[x\n', setup=HURRIED),
    "openings, then closings, in a stream": repeated('<file path="a">\n', closing="</file>\n", setup=HURRIED),
    "glued openings of unlike indentation": repeated(f'{UNLIKE}<file path="a">x\n', closing="</file>\n"),
    "openings of unlike indentation, closings at line ends": repeated(f"{UNLIKE}<output>\n", closing="x</output>\n"),
    "numbers that fall": repeated(f'<document index="{FALLING}">\nx\n', closing="</document>\n"),
    "containers on one line": repeated('<b><file path="a">x</file></b>'),
    "CDATA with many ends": repeated("<file path='a'><![CDATA[\n", closing="']]></file>'\n"),
    "CDATA with many ends, in a stream": repeated(
        "<file path='a'><![CDATA[\n", closing="']]></file>'\n", setup=HURRIED
    ),
    "openings of unlike indentation": repeated(f'{UNLIKE}<file path="a">\n', closing="</file>\n"),
    "definitions ever further in": repeated(f"{WIDENING}template x\n", language="cpp", setup=Setup(share=0.34)),
    "decorators above definitions": repeated("@a(\n    b\n)\ndef f():\n", language="python", setup=Setup(share=0.34)),
    "seams with falling numbers": Recipe(
        (Run((Unit(f'<document index="{FALLING}">x</document>'),)),), before="<documents>", after="</documents>"
    ),
}


@pytest.mark.parametrize("recipe", HOSTILE.values(), ids=HOSTILE)
def test_steps_grow_as_the_text_does(recipe: Recipe) -> None:
    """Steps grow linearly with every hostile shape.

    Rule: B12, L6.
    """
    # The windows of a stream are all of their full size only where a text has many.
    small = 12_000 if recipe.setup.door == "hurried stream" else 3_000
    assert exponent(steps(recipe, small), steps(recipe, 4 * small)) < LINEAR


def test_steps_are_the_same_on_every_run() -> None:
    recipe = repeated('<file path="a">\nx\n</file>\n')
    steps(recipe, 1_000)  # patterns are compiled
    assert steps(recipe, 1_000) == steps(recipe, 1_000)


def test_work_that_grows_with_the_square_is_seen() -> None:
    # The result grows with the square too, but for its contents, which is why it is not told with what is asked for.
    recipe = repeated(f"a{RISING}=b ", setup=Setup(size=60))
    recipe = Recipe(recipe.runs, before="<file ", after=f">\n{'x ' * 900}\n</file>", setup=recipe.setup)
    assert exponent(peak(recipe, 2_000), peak(recipe, 16_000)) < 1.3
    assert steps(recipe, 8_000).size > steps(recipe, 1_000).size


@pytest.mark.parametrize("seed", range(20))
def test_a_drawn_recipe_is_split_and_so_is_what_it_is_changed_to(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - reproducible, not secret
    recipe, other = new_recipe(rng), new_recipe(rng)
    for each in (recipe, mutated(rng, recipe, other)):
        effort = steps(each, 800)
        assert effort.size >= effort.characters >= 1
        assert len(each.render(8_000)) > len(each.render(800))


def test_markers_stand_for_what_differs_between_rounds() -> None:
    run = Run((Unit(f"{RISING}{INDENTED}{WIDENING}{UNLIKE}\n"),))
    text, _ = run.render(40)
    assert text.split("\n")[:3] == ["0 ", "1  \t", "2    \t "]


def test_closings_stand_at_the_end_once_for_each_round() -> None:
    recipe = Recipe((Run((Unit("<a>"),), closing="</a>"), Run((Unit("x"),))), before="(", after=")")
    text = recipe.render(60)
    assert text == f"({'<a>' * 4}{'x' * 30}{'</a>' * 4})"


def test_a_unit_may_be_repeated_as_often_as_the_root_of_the_text_is_long() -> None:
    run = Run((Unit("\n", ROOT), Unit("x")))
    assert run.render(10_000)[0].startswith("\n" * 101 + "x\n")


def test_a_language_puts_everything_into_one_element() -> None:
    assert repeated("x", language="go").render(3) == '<file path="a.go">\nxxx\n</file>\n'
    assert {"go", "python", "markdown"} <= set(LANGUAGES)


def test_time_is_measured_of_a_call_that_gives_results() -> None:
    effort = seconds(repeated("# a\nb\n"), 1_000, calls=2)
    assert effort.cost > 0
    assert effort.size > 1_000
