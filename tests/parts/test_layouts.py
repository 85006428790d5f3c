"""Texts that are no code: sentences of all scripts, wrapped lines, diffs, data, configuration.

Rule: P2.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._text.sentences import SENTENCE_END
from tests.parts.making import bodies_of_parts, slices_of


@pytest.mark.parametrize(
    "text",
    [
        "Aaaa bbb.|Cccc ddd!|Eeee fff?",
        "\u092f\u0939 \u090f\u0915 \u0939\u0948\u0964|\u0935\u0939 \u0926\u094b \u0939\u0948\u0964",
        "\u300c\u3042\u3044\u3046\u3002\u300d|\u300c\u3048\u304a\u304b\u3002\u300d",
        "\u4ec0\u4e48\u4ec0\u4e48\uff1f\uff01|\u4e0d\u77e5\u9053\u4e0d\u77e5\u3002",
        "\u0647\u0644 \u0646\u0639\u0645\u061f|\u0644\u0627 \u0646\u0639\u0645\u06d4",
        "\u1230\u120b\u121d \u1230\u120b\u1362|\u1230\u120b\u121d \u1230\u120b\u1362",
        "\u1019\u103c\u1014\u103a\u1019\u102c\u104b|\u1019\u103c\u1014\u103a\u1019\u102c\u104b",
        "\u0531\u0532\u0533 \u0534\u0535\u0589|\u0536\u0537\u0538 \u0539\u053a\u0589",
    ],
    ids=["Latin", "Devanagari", "Japanese", "Chinese", "Arabic", "Ethiopic", "Burmese", "Armenian"],
)
def test_parts_end_where_sentences_end(text: str) -> None:
    sentences = text.split("|")
    between = "" if ord(sentences[0][-1]) > 0x2FFF or sentences[0][-1] == "\u104b" else " "
    size = max(map(len, sentences)) + 1
    assert slices_of(between.join(sentences), size) == sentences


def test_every_mark_that_unicode_says_ends_a_sentence_ends_one() -> None:
    regex = pytest.importorskip("regex")
    known_later = "\u2024\u2e60\u2e61"  # added by releases of Unicode after 16, or only in numbered lists
    marks = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    terminals = [mark for mark in marks if regex.fullmatch(r"\p{Sentence_Terminal}", mark)]
    assert [mark for mark in terminals if not SENTENCE_END.fullmatch(f"{mark} ") and mark not in known_later] == []


@pytest.mark.parametrize("text", ["3.14", "a.b", "\uff11\uff0e\uff15", "?!x", "f(x)?.y"])
def test_a_mark_inside_a_word_or_number_ends_no_sentence(text: str) -> None:
    assert SENTENCE_END.search(text) is None


@given(st.text(alphabet=".!?\u3002\uff01\uff0e\u300d) \n1a", max_size=40))
def test_a_sentence_end_is_never_before_what_closes_it(text: str) -> None:
    for match in SENTENCE_END.finditer(text):
        assert not text[match.end() :].startswith((" ", "\n"))


WRAPPED = """\
When a paragraph is wrapped by hand at some column, its line ends
say nothing. This sentence goes on over the line end that is just
here. Another one begins in the middle of a line and ends in this
line. The last one is rather short, so that the paragraph ends in
the middle."""


@pytest.mark.parametrize("size", [150, 200, 250])
def test_in_wrapped_prose_a_sentence_end_beats_a_line_end(size: int) -> None:
    assert all(part.endswith(".") for part in slices_of(WRAPPED, size))


def test_short_lines_are_no_wrapped_prose() -> None:
    lines = [f"Item {number} is here. And there" for number in range(20)]
    assert all(part.startswith("Item") for part in slices_of("\n".join(lines), 100))


@pytest.mark.parametrize(
    ("path", "body", "starts"),
    [
        ("a.json", "[\n" + '  {\n    "a": 1,\n    "b": [\n      2\n    ]\n  },\n' * 6 + "  {}\n]\n", ("[", "  {")),
        ("a.jsonl", '{"a": 1, "b": "two words and more"}\n' * 9, ("{",)),
        ("a.yaml", "one:\n  - a: 1\n    b: 2\n  - c: 3\n# about two\ntwo:\n  d: 4\n  e: 5\n" * 3, ("one:", "# about")),
        ("a.toml", "# One.\n[one]\na = 1\nb = 2\nc = 3\n\n[two]\nd = 4\ne = 5\n\n" * 3, ("# One.", "[two]")),
        ("a.ini", "[one]\na = 1\nb = 2\nc = 3\n; about two\n[two]\nd = 4\ne = 5\n" * 3, ("[one]", "; about two")),
        (
            "a.sh",
            "# One.\none() {\n  echo a\n  echo b\n}\n\nfunction two {\n  echo c\n}\n\n" * 4,
            ("# One.", "function"),
        ),
        ("a.sql", "-- A table.\nCREATE TABLE a (\n  b int,\n  c int\n);\nselect b\nfrom a;\n" * 4, ("-- A", "select")),
        ("Dockerfile", "# Base.\nFROM a AS b\nRUN c && \\\n    d\nCOPY e f\n" * 5, ("# Base.",)),
        ("Makefile", ".PHONY: one\none: two\n\t@echo a\n\t@echo b\n\ntwo:\n\t@echo c\n\n" * 4, (".PHONY", "two:")),
        ("pom.xml", "<d>\n" + "  <e>\n    <a>1</a>\n    <b>2</b>\n  </e>\n" * 8 + "</d>\n", ("<d>", "  <e>")),
        ("a.diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n" * 5, ("--- a/x", "@@ ")),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 12 else "",
)
def test_parts_begin_where_something_begins(path: str, body: str, starts: tuple[str, ...]) -> None:
    parts = bodies_of_parts(body, 70 + len(path) + 23, path=path)
    assert len(parts) > 2
    assert [part for part in parts if not part.startswith(starts)] == []


def test_the_cells_of_a_notebook_are_whole() -> None:
    cell = '  {\n   "cell_type": "code",\n   "metadata": {},\n   "source": [\n    "x = 1\\n"\n   ]\n  },\n'
    notebook = '{\n "cells": [\n' + cell * 6 + '  {}\n ],\n "nbformat": 4\n}\n'
    parts = bodies_of_parts(notebook, 260, path="a.ipynb")
    assert len(parts) > 2
    assert all(part.startswith(("{", "  {")) for part in parts)


def test_json_on_one_line_is_cut_between_its_records() -> None:
    records = ", ".join('{"a": 1, "b": [2, 3]}' for _ in range(20))
    assert all(part.startswith(("[{", "{")) for part in bodies_of_parts(f"[{records}]", 120, path="a.json"))


def test_overlap_in_a_script_without_spaces_begins_at_a_sentence_or_a_character() -> None:
    """Rule: P4."""
    sentence = "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u3002"
    for text in (sentence * 40, sentence.replace("\u3002", "\u516b") * 40):
        documents = SemanticXmlSplitter(60, 20).create_documents([text])
        overlaps = [
            before.metadata["end_index"] - after.metadata["start_index"] for before, after in pairwise(documents)
        ]
        assert min(overlaps) >= 12
        assert max(overlaps) <= 20
