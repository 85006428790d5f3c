"""Which lines are offered to an oversized unit, and that nothing else shares its chunks.

Rule: S5.
"""

from __future__ import annotations

import pytest

from langchain_semantic_xml._sections.grouping import OversizedUnit
from langchain_semantic_xml.values import Options
from tests.sections.making import BIG, bundle, file, groups_of, texts


@pytest.mark.parametrize(
    ("pieces", "options", "expected"),
    [
        pytest.param(("a\n", BIG, "\nb"), {}, ["a", BIG, "b"], id="an oversized block is alone"),
        pytest.param(("a\n# B\n<w>\n", BIG), {}, ["a", f"# B+<w> | {BIG}"], id="headings and openings go with it"),
        pytest.param((BIG, "\n</w>\n</v>\nb"), {}, [f"{BIG} | </w>+</v>", "b"], id="closings go with it"),
        pytest.param(("# " + "A" * 20, "\n# B\n", BIG), {}, ["# " + "A" * 20, f"# B | {BIG}"],
                     id="only as many headings as leave half of the chunk"),
        pytest.param(("a\n# " + "B" * 20, "\n", BIG), {}, ["a", "# " + "B" * 20, BIG],
                     id="a heading that leaves less is a section of its own"),
        pytest.param((BIG, "\n</w>\n</" + "v" * 20 + ">\n"), {}, [f"{BIG} | </w>", "</" + "v" * 20 + ">"],
                     id="only as many closings as leave half of the chunk"),
        pytest.param(("# B\n", BIG, "\n</w>\n"), {"isolate": frozenset({"file"})}, ["# B", BIG, "</w>"],
                     id="nothing goes with an isolated type"),
        pytest.param(("# B\n", BIG, "\n</w>\n"), {"isolate": frozenset({"text"})}, ["# B", BIG, "</w>"],
                     id="isolated text goes with nothing"),
        pytest.param(("<w>\n" + "y" * 50, BIG), {}, [f"<w> | {'y' * 50}", BIG], id="a unit of text may be oversized"),
        pytest.param((file("a"), BIG, file("b")), {"chunk_overlap": 20}, [file("a"), BIG, file("b")],
                     id="nothing is repeated into or out of it"),
        pytest.param(("<w>\n", file("a"), file("b" * 20), BIG), {"chunk_overlap": 20},
                     [f"<w>\n\n{file('a')}", file("b" * 20), BIG], id="what is repeated is given up before it"),
    ],
)  # fmt: skip
def test_oversized_blocks(pieces: tuple[str, ...], options: dict[str, object], expected: list[str]) -> None:
    assert texts(*pieces, chunk_size=40, **options) == expected


def test_an_oversized_unit_is_handed_on_unsliced() -> None:
    _, groups, _ = groups_of(bundle("a\n", BIG), Options(chunk_size=40))
    oversized = groups[1]
    assert isinstance(oversized, OversizedUnit)
    assert (oversized.unit.start, oversized.unit.end) == (2, 2 + len(BIG))
    assert (oversized.lead, oversized.trail) == ((), ())
