"""A bundle that lists its files: the listing decides where tags alone do not.

Rule: B13.
"""

from __future__ import annotations

import pytest

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._boundaries.listing import read_paths
from tests.boundaries.marked import check

CUT_OFF = "<file path='one'>\n1\n</file>\n\n<file path='two'>\ncut o\n"


def listed(*paths: str) -> str:
    return "<directory_structure>\n" + "".join(f"{path}\n" for path in paths) + "</directory_structure>\n\n"


def element(path: str, content: str = "x\n") -> str:
    return f"⟦<file path='{path}'>\n{content}</file>⟧\n\n"


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(listed("a", "b") + element("a", CUT_OFF) + element("b"), id="a cut-off bundle in a listed file"),
        pytest.param(
            listed("a", "b", "c") + element("a", CUT_OFF) + element("b", CUT_OFF) + element("c"), id="in two of them"
        ),
        pytest.param(
            f"Intro\n<files>\n\n{listed('d/', '  a', '  e/', '    b', 'c')}"
            + element("d/a", CUT_OFF) + element("d/e/b", CUT_OFF) + element("c"),
            id="names indented under folders",
        ),
        pytest.param(
            listed("a", "b") + element("a", CUT_OFF) + element("b") + "<files>\n" + element("q") + "</files>\n",
            id="an unlisted file is an element all the same",
        ),
        pytest.param(
            listed("a", "b") + element("a", f"<files>\n{CUT_OFF}</file>\n\n<file path='b'>\n1\n</file>\n</files>\n")
            + element("b"),
            id="a file that balances is not asked for",
        ),
        pytest.param(
            listed("a", "b") + element("a", CUT_OFF) + element("b", "<file path='z'>\n"),
            id="the last listed file ends as without a listing",
        ),
    ],
)  # fmt: skip
def test_a_listed_file_ends_before_the_next_listed_file(marked: str) -> None:
    check(marked)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="no listing"),
        pytest.param(listed("x", "b"), id="the first file is not listed"),
        pytest.param("<directory_structure> a\na\nb\n</directory_structure>\n", id="its tag is not alone on its line"),
        pytest.param("<directory_structure>\na\nb\n", id="it never closes"),
    ],
)
def test_without_a_listing_the_first_followed_closing_ends_the_file(before: str) -> None:
    check(f"{before}⟦<file path='a'>\n<file path='one'>\n1\n</file>⟧\n\n⟦<file path='two'>\ncut o\n</file>⟧\n\n"
          "⟦<file path='b'>\nx\n</file>⟧\n")  # fmt: skip


def test_a_listing_after_the_first_file_is_none() -> None:
    start = element("q") + listed("a", "b")
    check(f"{start}⟦<file path='a'>\n<file path='one'>\n1\n</file>⟧\n\n⟦<file path='two'>\ncut o\n</file>⟧\n\n"
          "⟦<file path='b'>\nx\n</file>⟧\n")  # fmt: skip


def test_bundles_joined_by_cat_are_found_whole_though_one_has_no_listing() -> None:
    check(listed("a", "b") + element("a") + element("b") + "<files>\n" + element("c") + element("d") + "</files>\n")


def test_a_listing_that_names_only_some_of_the_files_hides_none() -> None:
    check(listed("a", "c") + element("a") + element("b") + element("c") + element("d"))


def test_a_file_that_holds_only_the_tail_of_a_bundle_ends_where_the_next_begins() -> None:
    tail = "1\n</file>\n\n2\n</file>\n\n</files>\n"
    check(f"<files>\n{element('a', tail)}{element('b')}</files>\n")


def test_a_stream_reads_the_listing_as_it_passes() -> None:
    text = (
        (listed("a", "b", "c") + element("a") * 40 + element("b", CUT_OFF) + element("c"))
        .replace("⟦", "")
        .replace("⟧", "")
    )
    splitter = SemanticXmlSplitter(60)
    pieces = [text[start : start + 7] for start in range(0, len(text), 7)]
    assert list(splitter.lazy_split_text(pieces)) == splitter.create_documents([text])


@pytest.mark.parametrize(
    ("lines", "paths"),
    [
        ("a.py\nsrc/b.py\n", {"a.py", "src/b.py"}),
        ("src/\n  b.py\n  c/\n    d.py\ne.py\n", {"src/b.py", "src/c/d.py", "e.py"}),
        ("src/\r\n  b.py\r\n\r\n  c.py\r\n", {"src/b.py", "src/c.py"}),
        ("empty/\nfull/\n  a b.py\n", {"full/a b.py"}),
        ("", set()),
    ],
)
def test_a_listing_names_paths_or_names_in_folders(lines: str, paths: set[str]) -> None:
    assert read_paths(lines) == paths
