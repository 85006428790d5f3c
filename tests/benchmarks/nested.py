"""Bundles inside bundles: how many elements of the outer bundle are found exactly, and how many are invented.

Every third file of the outer bundle holds a bundle of its own, whole or cut off at the end of some line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import langchain_text_splitters

from langchain_semantic_xml import parse_blocks
from tests.benchmarks.tables import Table, say, say_header
from tests.paths import PACKAGE
from tests.tools.bundle_maker import STYLES, Bundle, SourceFile, make_bundle, read_sources

INNER = ("ace", "section", "repomix", "inline", "cxml")
OUTER = (*INNER, "repomix, listed", "glued")
_FILES = 24
_INNER_FILES = 6
_EVERY = 3

Maker = Callable[[Sequence[SourceFile]], Bundle]


class Score(NamedTuple):
    """How many elements there are, how many were found exactly, and how many that are none."""

    true: int
    exact: int
    invented: int


def make_outer(files: Sequence[SourceFile], style: str) -> Bundle:
    """Pack files in the style of a bundler, one that lists its files, or one that glues contents to the tags."""
    if style == "glued":
        return _make_glued(files)
    if style != "repomix, listed":
        return make_bundle(files, style)
    bundle = make_bundle(files, "repomix")
    placeholder = "<directory_structure>\nsrc/\n"
    listing = "<directory_structure>\n" + "".join(f"{file.path}\n" for file in files)
    shift = len(listing) - len(placeholder)
    truth = [element._replace(start=element.start + shift, end=element.end + shift) for element in bundle.truth]
    return Bundle(bundle.text.replace(placeholder, listing, 1), truth)


def _make_glued(files: Sequence[SourceFile]) -> Bundle:
    bundle = make_bundle(files, "repomix")
    text, truth, at = "", [], 0
    for moved, element in enumerate(bundle.truth):
        tag_end = bundle.text.index(">\n", element.start) + 1
        text += bundle.text[at:tag_end]
        at = tag_end + 1
        truth.append(element._replace(start=element.start - moved, end=element.end - moved - 1))
    return Bundle(text + bundle.text[at:], truth)


def is_decided(outer: str, inner: str, *, is_cut: bool) -> bool:
    """Return whether the rules decide where the elements of the outer bundle end.

    They do not where the inner bundle has tags like those of the outer one, and neither a container that closes nor a
    listing of the outer files tells them apart.

    Rule: B4, B5, B13.
    """
    are_alike = outer in {"ace", "repomix", "glued"} and inner in {"ace", "repomix"}
    return not are_alike if is_cut else (outer, inner) != ("ace", "ace")


def is_chain_decided(outer: str, middle: str, inner: str, *, is_cut: bool) -> bool:
    """Return whether the rules decide where an outer element ends that holds a bundle with a bundle in it.

    Each of the two must be decided alone. Where only the attributes tell the middle one from the outer one, the
    innermost must not have those of the outer one again.

    Rule: B4, B5, B13.
    """
    if outer in {"repomix", "glued"} and (middle, inner) == ("ace", "repomix"):
        return False
    return is_decided(outer, middle, is_cut=is_cut) and is_decided(outer, inner, is_cut=is_cut)


def nest(sources: Sequence[SourceFile], inner: str, rng: Random, *, is_cut: bool) -> list[SourceFile]:
    """Choose files for an outer bundle; every third one becomes a bundle of other files.

    The first ones stay as they are, so that the numbers of an inner bundle do not go on where the outer ones would.
    """
    files = rng.sample(list(sources), _FILES)
    for number in range(_INNER_FILES + 1, _FILES, _EVERY):
        others = [SourceFile(f"demo/{path}", text) for path, text in rng.sample(list(sources), _INNER_FILES)]
        text = make_bundle(others, inner).text
        if is_cut:
            ends = [place for place, character in enumerate(text) if character == "\n"] or [len(text)]
            text = text[: rng.choice(ends)]
        files[number] = SourceFile(f"examples/bundle-{number}.txt", text)
    return files


def score(bundle: Bundle) -> Score:
    """Compare the elements that are found with those that the bundle was made of."""
    truth = {(element.start, element.end, element.type, element.identity) for element in bundle.truth}
    blocks = parse_blocks(bundle.text)
    found = {(block.start, block.end, block.type, block.identity) for block in blocks if block.type != "text"}
    return Score(len(truth), len(truth & found), len(found - truth))


def scores(outer: str, inner: str, *, is_cut: bool, least: int, seed: int = 0) -> Iterator[tuple[Bundle, Score]]:
    """Yield bundles of one cell of the table and their scores, until they have `least` elements together."""
    sources = _sources()
    rng = Random(f"{outer} {inner} {is_cut} {seed}")  # noqa: S311 - reproducible, not secret
    total = 0
    while total < least:
        bundle = make_outer(nest(sources, inner, rng, is_cut=is_cut), outer)
        found = score(bundle)
        total += found.true
        yield bundle, found


def _sources() -> list[SourceFile]:
    """Return files without tags of elements: what they hold besides the nested bundle is not the question."""
    folders = (PACKAGE, Path(langchain_text_splitters.__file__).parent)
    files = [file for folder in folders for file in read_sources(folder)]
    return [file for file in files if not any(f"<{style.type}" in file.text for style in STYLES.values())]


def run(*, least: int = 500) -> None:
    """Print a row for each outer and inner style, whole and cut off, with at least `least` elements each."""
    say_header("nested: elements of the outer bundle found exactly, and elements invented")
    table = Table(["outer", "inner", "state", "decided", "true", "exact", "invented"], [18, 10, 8, 8, 6, 6, 9])
    for outer in OUTER:
        for inner in INNER:
            for state in ("whole", "cut off"):
                cell = scores(outer, inner, is_cut=state == "cut off", least=least)
                total = [sum(column) for column in zip(*(found for _, found in cell), strict=True)]
                decided = "yes" if is_decided(outer, inner, is_cut=state == "cut off") else "no"
                table.row(outer, inner, state, decided, *(f"{count:,}" for count in total))
    say()


if __name__ == "__main__":
    run(least=int(sys.argv[1]) if len(sys.argv) > 1 else 500)
