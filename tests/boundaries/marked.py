"""Marked texts: `⟦` and `⟧` stand around each element that must be found, and are no part of the text."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_semantic_xml import Block, ElementRule, has_semantic_elements, parse_blocks
from langchain_semantic_xml._boundaries.finder import Finder
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.horizon import Horizon
from langchain_semantic_xml._boundaries.tags import patterns_for
from tests.boundaries.reference import Found, reference_blocks

BYTE_ORDER_MARK = "\ufeff"
LONGEST_FOR_ALL_BEGINNINGS = 300


def unmark(marked: str) -> str:
    """Return the text of a marked text."""
    return marked.replace("⟦", "").replace("⟧", "")


def mark(text: str, blocks: list[Block]) -> str:
    """Write the marks around the elements among `blocks`."""
    pieces, at = [], 0
    for block in blocks:
        if block.type != "text":
            pieces += [text[at : block.start], "⟦", text[block.start : block.end], "⟧"]
            at = block.end
    return "".join([*pieces, text[at:]])


def check(marked: str, elements: Sequence[str | ElementRule] | None = None) -> list[Block]:
    """Assert that exactly the marked elements are found, the rest being text; return the blocks.

    The slow reference must agree, and so must a finder that knows only the beginning of the text, or begins where an
    element ends.
    """
    text = unmark(marked)
    blocks = parse_blocks(text, elements=elements)
    assert mark(text, blocks) == marked
    at = 0
    for block in blocks:
        assert text[block.start : block.end] == block.content
        _assert_blank(text, at, block.start)
        assert block.start_line == text.count("\n", 0, block.start) + 1
        at = block.end
    _assert_blank(text, at, len(text))
    assert has_semantic_elements(text, elements=elements) is ("⟦" in marked)
    found = [Found(block.type, block.start, block.end, block.identity) for block in blocks]
    assert found == reference_blocks(text, elements)
    _check_finders(text, elements)
    return blocks


def _assert_blank(text: str, start: int, end: int) -> None:
    between = text[start:end].removeprefix(BYTE_ORDER_MARK if start == 0 else "")
    is_mark_between = between.endswith(f"\n{BYTE_ORDER_MARK}") and text.startswith("<", end)
    assert (between[:-1] if is_mark_between else between).strip() == ""


def _check_finders(text: str, elements: Sequence[str | ElementRule] | None) -> None:
    """Assert that elements found in a beginning of the text stay, and that a finder may begin after any element."""
    patterns = patterns_for(resolve_elements(elements))
    whole = list(Finder(Horizon(text), patterns).elements())
    for number, (element, bundle) in enumerate(whole, 1):
        assert list(Finder(Horizon(text), patterns, element.end, bundle).elements()) == whole[number:]
    for end in range(len(text)) if len(text) <= LONGEST_FOR_ALL_BEGINNINGS else ():
        found = list(Finder(Horizon(text[:end], complete=False), patterns).elements())
        assert found == whole[: len(found)]


def file(path: str, *lines: str, indent: str = "") -> str:
    """Write an element as a bundler does: tags on lines of their own."""
    return "".join(f"{indent}{line}\n" for line in (f'<file path="{path}">', *lines, "</file>"))
