"""Hostile texts take no more than a few bytes for each character besides the text itself."""

from __future__ import annotations

import sys
import tracemalloc
from collections import deque

import pytest

from langchain_semantic_xml import SemanticXmlSplitter

MANY = 20_000
MOST = 20
"""In bytes for each character; where a pattern remembers each repetition, it is more than 100."""


@pytest.mark.skipif(sys.version_info < (3, 11, 5), reason="patterns can say only since then that nothing is given back")
@pytest.mark.parametrize(
    "text",
    [
        f"<file {'a ' * MANY}>\nx\n</file>\n",
        f"<file {'a=b ' * MANY}>\nx\n</file>\n",
        f"<file {'a=b ' * MANY}= =\n",
        f"<file path={'/a' * MANY}>\nx\n</file>\n",
        f"<file {'a ' * MANY}",
        "<w " + '""' * MANY + ">\n",
        f"<document><source>{'<a' * MANY}</source>\nx\n</document>\n",
    ],
    ids=[
        "names in a tag",
        "attributes in a tag",
        "attributes in what is no tag",
        "slashes in an unquoted value",
        "a tag that does not end",
        "quotes in a container",
        "less-than signs in a child",
    ],
)
@pytest.mark.parametrize("as_stream", [False, True], ids=["text", "stream"])
def test_repetitions_within_a_line_take_little_memory(text: str, as_stream: bool) -> None:
    """Memory grows linearly, and of a stream it is bounded.

    Rule: L6, L7.
    """
    splitter = SemanticXmlSplitter()
    pieces = [text[:100], text[100:]]
    tracemalloc.start()
    try:
        deque(splitter.lazy_split_text(pieces if as_stream else text), maxlen=0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST * len(text)
