"""Parts of one oversized block: what holds for any text, and where a person would expect the cuts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_semantic_xml._parts.cutting import Part, cut_parts
from langchain_semantic_xml._parts.languages import levels_for
from langchain_semantic_xml._text.rulers import Ruler
from tests.laws.checks import is_one_cluster

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
FLAG = "\U0001f1eb\U0001f1f7"


def bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def with_begin_and_end(text: str) -> int:
    return len(text) + 2


def merging_runs(text: str) -> int:
    """Count runs of up to four equal characters, so that a joined text is shorter than its pieces."""
    return sum(1 for _ in re.finditer(r"(?s)(.)\1{0,3}", text))


def words(text: str) -> int:
    return len(text.split())


def counting(text: str) -> int:
    return len(text)


LENGTH_FUNCTIONS = [len, counting, bytes_of, with_begin_and_end, merging_runs, words]


@dataclass(frozen=True)
class Element:
    """A text with one element in it, told by meaning: what precedes, head, body, tail, what follows."""

    before: str
    head: str
    body: str
    tail: str
    after: str

    @property
    def text(self) -> str:
        return self.before + self.head + self.body + self.tail + self.after

    @property
    def start(self) -> int:
        return len(self.before)

    @property
    def end(self) -> int:
        return len(self.text) - len(self.after)

    @property
    def body_span(self) -> tuple[int, int]:
        return self.start + len(self.head), self.end - len(self.tail)


FRAGMENTS = [
    *(
        "a",
        "word",
        "x" * 30,
        " ",
        "  ",
        "\t",
        "\n",
        "\n\n",
        "\r\n",
        "\r\n\r\n",
        "\n" * 40,
        " " * 40,
        ". ",
        "! ",
        "\u3002",
    ),
    *(
        "\ndef f():\n",
        "\n    def g(self):\n",
        "\n@cached\ndef h():\n",
        "\nclass A:\n",
        "# Title\n",
        "\n## Sub\n\n",
        "\n- item\n",
    ),
    *("\n```py\n# no title\n\nx\n```\n", "\n```\n", "<file>\n", "\n</file>\n", "\n<file path='x'>\n", "\n</file>\n\n"),
    *(FAMILY, FLAG, "e\u0301", "1\ufe0f\u20e3", "\u1100\u1161\u11a8", "\ud800", "\0", "\f", "\u2028", "\xa0", "\u200b"),
]
bodies = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)
elements = st.builds(
    Element,
    before=st.sampled_from(["", "intro\n", FAMILY]),
    head=st.sampled_from(["<f>\n", "<file path='a.py'>\n", "<f>", "<f>\r\n"]),
    body=bodies,
    tail=st.sampled_from(["\n</f>", "</f>", "\r\n</f>"]),
    after=st.sampled_from(["", "\nmore", "\u0301"]),
)


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, int]:
    size = draw(st.integers(1, 80))
    return size, draw(st.integers(0, size - 1))


def visible(text: str, spans: list[tuple[int, int]]) -> list[int]:
    return [at for start, end in spans for at in range(start, end) if not text[at].isspace()]


def check_parts(
    element: Element,
    parts: list[Part],
    *,
    size: int,
    overlap: int = 0,
    length_function: Callable[[str], int] = len,
    repeats: bool = True,
    lead: str = "",
    trail: str = "",
) -> None:
    text = element.text
    block = [(element.start, element.end)]
    assert parts or not visible(text, block)
    tagged = repeats and (
        len(parts) == 1 or (parts[1].text.startswith(element.head) and parts[0].text.endswith(element.tail))
    )
    covered = -1
    for at, part in enumerate(parts):
        first, last = at == 0, at == len(parts) - 1
        slices = "".join(text[start:end] for start, end in part.spans)
        repeated_head = element.head if tagged and not first else ""
        repeated_tail = element.tail if tagged and not last else ""
        assert part.text == lead * first + repeated_head + slices + repeated_tail + trail * last
        assert part.length == length_function(part.text)
        assert part.length <= size or is_one_cluster(slices.strip())
        seen = visible(text, list(part.spans))
        assert seen, "a part is blank"
        assert seen[-1] > covered, "a part brings nothing new"
        assert overlap or seen[0] > covered, "a character is in two parts"
        covered = seen[-1]
    everything = sorted({at for part in parts for at in visible(text, list(part.spans))})
    assert everything == visible(text, block)


@pytest.mark.parametrize("length_function", LENGTH_FUNCTIONS, ids=lambda function: function.__name__)
@given(elements, sizes(), st.sampled_from(["python", None, "go"]), st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_parts_keep_the_laws(
    length_function: Callable[[str], int],
    element: Element,
    size_and_overlap: tuple[int, int],
    language: str | None,
    repeats: bool,
    strip: bool,
) -> None:
    size, overlap = size_and_overlap
    parts = cut_parts(
        element.text,
        element.start,
        element.end,
        body=element.body_span if repeats else None,
        levels=levels_for(language, None, ["file"]),
        ruler=Ruler(length_function),
        chunk_size=size,
        chunk_overlap=overlap,
        strip=strip,
    )
    check_parts(element, parts, size=size, overlap=overlap, length_function=length_function, repeats=repeats)


@given(elements, st.integers(40, 120), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_lead_and_a_trail_count_in_the_size(element: Element, size: int, repeats: bool) -> None:
    lead, trail = "# Title\n\n", "\n\n</files>"
    parts = cut_parts(
        element.text,
        element.start,
        element.end,
        body=element.body_span if repeats else None,
        levels=levels_for(None, None),
        ruler=Ruler(len),
        chunk_size=size,
        lead=lead,
        trail=trail,
    )
    check_parts(element, parts, size=size, repeats=repeats, lead=lead, trail=trail)


@given(bodies, st.integers(21, 80))
@settings(max_examples=150, deadline=None)
def test_without_stripping_parts_tile_the_text_but_for_blanks_too_long_to_share_a_part(body: str, size: int) -> None:
    levels = levels_for(None, None)
    parts = cut_parts(body, 0, len(body), body=None, levels=levels, ruler=Ruler(len), chunk_size=size, strip=False)
    edges = [0, *(edge for part in parts for span in part.spans for edge in span), len(body)]
    gaps = [body[before:after] for before, after in zip(edges[::2], edges[1::2], strict=True)]
    longest_blank = max((len(blanks) for blanks in re.findall(r"\s+", body)), default=0)
    if parts and longest_blank <= size // 3:
        assert "".join(gaps) == ""
    assert not "".join(gaps).strip()


@given(bodies, st.integers(1, 60), st.sampled_from(LENGTH_FUNCTIONS))
@settings(max_examples=150, deadline=None)
def test_no_cut_tears_a_cluster_that_fits(body: str, size: int, length_function: Callable[[str], int]) -> None:
    parts = cut_parts(
        body, 0, len(body), body=None, levels=levels_for(None, None), ruler=Ruler(length_function), chunk_size=size
    )
    for cluster in (FAMILY, FLAG, "e\u0301", "1\ufe0f\u20e3", "\u1100\u1161\u11a8"):
        if length_function(cluster) > size:
            continue
        for match in re.finditer(re.escape(cluster), body):
            holders = [part for part in parts if any(s <= match.start() and match.end() <= e for s, e in part.spans)]
            assert holders, (cluster, parts)
