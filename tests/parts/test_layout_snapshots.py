"""Parts of small texts in many scripts and layouts, beside a snapshot that was judged by eye.

`python -m tests.parts.test_layout_snapshots` writes it anew.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.typing import SplitterOptions
from tests import paths
from tests.laws.checks import check_laws

SNAPSHOT = paths.DATA / "parts" / "layouts.snapshot"


class Sample(NamedTuple):
    """A text, the file that it is, and the options that cut it."""

    path: str
    body: str
    options: SplitterOptions


CHINESE = (
    "\u8fd9\u662f\u7b2c\u4e00\u53e5\u8bdd\uff0c\u8bf4\u7684"
    "\u662f\u5206\u5757\u3002\u201c\u4f60\u597d\u5417\uff1f\u201d"
    "\u4ed6\u95ee\u3002\u6211\u8bf4\uff1a\u201c\u5f88\u597d"
    "\uff01\u201d\u7136\u540e\u6211\u4eec\u4e00\u8d77\u56de\u5bb6"
    "\u3002\n"
)
JAPANESE = (
    "\u5f7c\u306f\u8a00\u3063\u305f\u3002\u300c\u3053\u3093"
    "\u306b\u3061\u306f\u3002\u300d\u300c\u5143\u6c17\u3067\u3059"
    "\u304b\uff1f\u300d\u300c\u306f\u3044\uff01\u300d\u305d\u308c\u304b\u3089\u5bb6\u306b\u5e30\u3063\u305f\u3002\n"
)
THAI = (
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e04\u0e23\u0e31\u0e1a"
    " \u0e27\u0e31\u0e19\u0e19\u0e35\u0e49\u0e2d\u0e32\u0e01"
    "\u0e32\u0e28\u0e14\u0e35\u0e21\u0e32\u0e01 \u0e40\u0e23"
    "\u0e32\u0e44\u0e1b\u0e40\u0e17\u0e35\u0e48\u0e22\u0e27\u0e01"
    "\u0e31\u0e19\n"
)
HINDI = (
    "\u092f\u0939 \u092a\u0939\u0932\u093e \u0935\u093e\u0915\u094d"
    "\u092f \u0939\u0948\u0964 \u0915\u094d\u092f\u093e \u0906"
    "\u092a \u0920\u0940\u0915 \u0939\u0948\u0902? \u0939\u093e"
    "\u0901, \u092e\u0948\u0902 \u0920\u0940\u0915 \u0939\u0942\u0901"
    "\u0964 "
)
ARABIC = (
    "\u0647\u0630\u0647 \u0647\u064a \u0627\u0644\u062c\u0645\u0644\u0629 \u0627\u0644\u0623\u0648\u0644\u0649. "
    "\u0647\u0644 \u0623\u0646\u062a \u0628\u062e\u064a\u0631\u061f \u0646\u0639\u0645\u060c \u0623\u0646\u0627 "
    "\u0628\u062e\u064a\u0631. "
)
DIFF = (
    "diff --git a/app.py b/app.py\nindex 1..2 100644\n--- a/app.py\n+++ b/app.py\n"
    "@@ -1,3 +1,3 @@ def one():\n context\n-old\n+new\n@@ -20,3 +20,4 @@ def two():\n context\n+added\n+added, too\n"
)
RECORDS = '  {\n    "name": "one",\n    "tags": [\n      "a",\n      "b"\n    ]\n  },\n'
DEPENDENCY = (
    "    <dependency>\n      <groupId>org.one</groupId>\n      <artifactId>two</artifactId>\n    </dependency>\n"
)
CODE = "def {0}():\n    {0} = 1\n    return {0}\n\n\n"
NUMBERED = "".join(
    f"{number:3}: {line}\n" for number, line in enumerate("".join(map(CODE.format, "abcdef")).splitlines(), 1)
)
SAMPLES = {
    "Chinese": Sample("zh.md", CHINESE * 3, {"chunk_size": 62}),
    "Japanese": Sample("ja.md", JAPANESE * 3, {"chunk_size": 60}),
    "Thai": Sample("th.md", THAI * 3, {"chunk_size": 66}),
    "Hindi": Sample("hi.md", HINDI * 3 + "\n", {"chunk_size": 80}),
    "Arabic": Sample("ar.md", ARABIC * 3 + "\n", {"chunk_size": 84}),
    "a diff": Sample("a.diff", DIFF * 2, {"chunk_size": 240}),
    "JSON": Sample("a.json", f"[\n{RECORDS * 4}  {{}}\n]\n", {"chunk_size": 190}),
    "pom.xml": Sample(
        "pom.xml", f"<project>\n  <dependencies>\n{DEPENDENCY * 4}  </dependencies>\n</project>\n", {"chunk_size": 290}
    ),
    "a table": Sample(
        "table.md",
        "| name | value | what it means |\n| --- | ---: | :--- |\n"
        + "".join(f"| row {number} | {number * 111} | the words of row {number} |\n" for number in range(9)),
        {"chunk_size": 230, "repeat": "signatures"},
    ),
    "numbered": Sample("a.py", NUMBERED, {"chunk_size": 140, "syntax": True}),
    "minified": Sample(
        "a.min.js", "".join(f"function f{number}(a){{return a+{number}}}" for number in range(12)) + "\n",
        {"chunk_size": 130, "syntax": True},
    ),
}  # fmt: skip


def split(sample: Sample) -> list[str]:
    text = f'<file path="{sample.path}">\n{sample.body}</file>'
    documents = SemanticXmlSplitter(**sample.options).create_documents([text])
    check_laws(text, documents, **sample.options)
    return [document.page_content for document in documents]


def show(name: str) -> str:
    parts = split(SAMPLES[name])
    return f"=== {name}: {SAMPLES[name].options}\n" + "".join(f"--- {len(part)}\n{part}\n" for part in parts)


@pytest.mark.parametrize("name", SAMPLES)
def test_parts_are_as_in_the_snapshot(name: str) -> None:
    """Rule: P1, P2, P4, P5, P8."""
    assert show(name) in SNAPSHOT.read_text(encoding="utf-8")


if __name__ == "__main__":
    SNAPSHOT.write_text("".join(map(show, SAMPLES)), encoding="utf-8", newline="\n")
