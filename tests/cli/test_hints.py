"""The command says on standard error when it recognised nothing, and what repeats without a rule."""

from __future__ import annotations

import pytest

from langchain_semantic_xml._cli.hints import describe_unknown, explain_nothing

FILLER = "x = 1\n" * 1_000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{'=' * 16}\nFile: a.py\n{'=' * 16}\n{FILLER}", "repomix --style plain: pack with `repomix --style xml`"),
        (f"# Files\n\n## File: a.py\n````python\n{FILLER}````\n", "repomix --style markdown"),
        (f'{{"fileSummary": {{}}, "files": {{"a.py": "{"x" * 4_000}"}}}}', "repomix --style json"),
        (f"{'=' * 48}\nFILE: a.py\n{'=' * 48}\n{FILLER}", "gitingest"),
        (f"src/a.py\n---\n{FILLER}\n---\n", "files-to-prompt without --cxml: add `--cxml`"),
        (f"`src/a.py`:\n\n```py\n{FILLER}```\n", "code2prompt with Markdown"),
        (f"one\n<file path='a'>\n{FILLER}", "<file> in line 2 is never closed"),
        (f"<page url='u'>\n{FILLER}</page>\n" * 2, "occurs 2 times: try --elements page"),
        (f"<page key='k'>\n{FILLER}</page>\n" * 2, "try --elements page=key"),
        (f"<page>\n<title>t</title>\n{FILLER}</page>\n" * 2, "identity_children=('title',)) in Python"),
        (FILLER, "it is cut as prose"),
    ],
)
def test_a_bundle_without_elements_is_explained(text: str, says: str) -> None:
    note = explain_nothing("bundle.txt", text)
    assert note is not None
    assert note.startswith("bundle.txt: no element found; ")
    assert says in note
    assert "\n" not in note


def test_a_text_of_less_than_a_page_needs_no_explanation() -> None:
    assert explain_nothing("a.txt", "x" * 2_999) is None


def test_repeated_elements_without_a_rule_are_described() -> None:
    text = "<file path='a'>\nx\n</file>\n" + "<page url='u'>\nx\n</page>\n" * 2
    assert describe_unknown("a.xml", text) == ["a.xml: no rule names <page url='u'>, 2 times; try --elements page"]
