"""Texts to cut, and short ways to cut them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._parts.cutting import Part, cut_parts
from langchain_semantic_xml._parts.languages import boundaries_for
from langchain_semantic_xml._parts.shell import BlockToCut
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml.typing import LengthFunction
from langchain_semantic_xml.values import Options
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
    """A text with one element in it: the text before, its head, body and tail, the text after."""

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


def visible_offsets(text: str, spans: list[tuple[int, int]]) -> list[int]:
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
    assert parts or not visible_offsets(text, block)
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
        seen = visible_offsets(text, list(part.spans))
        assert seen, "a part is blank"
        assert seen[-1] > covered, "a part brings nothing new"
        assert overlap or seen[0] > covered, "a character is in two parts"
        covered = seen[-1]
    everything = sorted({at for part in parts for at in visible_offsets(text, list(part.spans))})
    assert everything == visible_offsets(text, block)


def cut_text(
    text: str,
    size: int,
    function: LengthFunction = len,
    *,
    language: str | None = None,
    nested: Iterable[str] = (),
    start: int = 0,
    tags: tuple[tuple[int, int], ...] = (),
    trail: str = "",
    strip: bool = True,
) -> list[Part]:
    """Cut a whole text that repeats nothing around its parts."""
    boundaries = boundaries_for(language, None, nested)
    block = BlockToCut(text, start, len(text), boundaries, tags=tags, trail=trail)
    return cut_parts(block, Options(size, strip_whitespace=strip), Ruler(function))


def slices_of(
    text: str,
    size: int,
    function: LengthFunction = len,
    *,
    language: str | None = None,
    tags: tuple[tuple[int, int], ...] = (),
    trail: str = "",
    strip: bool = True,
) -> list[str]:
    """Cut a whole text and return the texts of its parts."""
    parts = cut_text(text, size, function, language=language, tags=tags, trail=trail, strip=strip)
    return [part.text for part in parts]


def cut_element(
    element: Element,
    size: int,
    function: LengthFunction = len,
    *,
    repeats: bool = True,
    language: str | None = "python",
    overlap: int = 0,
    strip: bool = True,
    lead: str = "",
    trail: str = "",
) -> list[Part]:
    """Cut an element whose tags are known; its parts repeat them if `repeats`."""
    (body_start, body_end), (start, end) = element.body_span, (element.start, element.end)
    block = BlockToCut(
        element.text,
        start,
        end,
        boundaries_for(language, None, ["file"]),
        body=element.body_span if repeats else None,
        tags=((start, body_start), (body_end, end)),
        lead=lead,
        trail=trail,
    )
    return cut_parts(block, Options(size, overlap, strip_whitespace=strip), Ruler(function))


def bodies_of_parts(body: str, size: int, *, path: str = "a.py", **options: object) -> list[str]:
    """Cut a file into parts and return the text of each between the tags that it repeats."""
    head, tail = f'<file path="{path}">\n', "</file>"
    parts = SemanticXmlSplitter(size, **options).split_text(f"{head}{body}{tail}")  # type: ignore[arg-type]
    return [part.removeprefix(head).removesuffix(tail) for part in parts]


def class_of(name: str, methods: int = 4, indentation: str = "") -> str:
    lines = [f"class {name}:", *["    def method(self):", "        x = 1", "        y = 2"] * methods]
    return "".join(f"{indentation}{line}\n" for line in lines)
