"""Where parts are cut and what they repeat, in texts that are made to tell a rule from one a step away."""

from __future__ import annotations

from itertools import pairwise

from langchain_semantic_xml import SemanticXmlSplitter


def words(text: str) -> int:
    return len(text.split())


def parts_of(body: str, size: int, *, path: str = "a.py", **options: object) -> list[str]:
    """Cut a file into parts and show what each holds between the tags that it repeats."""
    head, tail = f'<file path="{path}">\n', "</file>"
    parts = SemanticXmlSplitter(size, **options).split_text(f"{head}{body}{tail}")  # type: ignore[arg-type]
    return [part.removeprefix(head).removesuffix(tail) for part in parts]


def test_a_blank_body_leaves_one_line_end_between_the_tags() -> None:
    assert parts_of("\n \n" * 100, 40) == [""]
    assert SemanticXmlSplitter(40).split_text("<file>" + "\n" * 99 + "</file>") == ["<file>\n</file>"]


def test_a_decorator_reaches_over_its_own_lines_alone() -> None:
    stubs = "@one\ndef f(\n    a,\n): ...\n", "def g(): ...\n"
    assert parts_of("".join(stubs) + "x = 1\n" * 6, 76)[0] == stubs[0]
    within = "class A:\n    @one\n    def f(\n        a,\n    ): ...\n", "    def g(self): ...\n"
    assert parts_of("".join(within) + "    x = 1\n" * 5, 106)[0] == within[0]


def test_what_is_repeated_is_counted_by_the_length_function() -> None:
    body = "\n".join(" ".join(map(str, range(line, line + 10))) for line in range(0, 40, 10))
    held = [
        list(map(int, part.split())) for part in parts_of(body, 12, path="a", chunk_overlap=4, length_function=words)
    ]
    assert len(held) > 4
    assert all(1 <= part[-1] + 1 - following[0] <= 4 for part, following in pairwise(held))
