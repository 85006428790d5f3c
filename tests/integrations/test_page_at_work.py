"""The page of chunks in a real browser: what is searched, hidden and measured, and whether everybody can use it."""

# ruff: noqa: F811 - pytest passes a fixture to the argument of its name

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.display import ChunkView, show_chunks
from tests.integrations import require
from tests.view.pages import BUNDLE, split

require("playwright")
from playwright.sync_api import Page, expect  # noqa: E402 - after the check

from tests.integrations.test_display_browser import Visit, browser, visit  # noqa: E402, F401 - fixtures

pytestmark = pytest.mark.integration


def shown(page: Page) -> list[str]:
    """Return the numbers of the chunks that the page shows."""
    return [article.get_attribute("id") or "" for article in page.locator("article:visible").all()]


def numbers(documents: list[Document], *keys: str) -> list[str]:
    """Return the numbers of the Documents that have a value for each of `keys`."""
    return [f"c{n}" for n, document in enumerate(documents, 1) if all(document.metadata[key] for key in keys)]


# The search.


def test_types_that_are_not_asked_for_are_hidden(visit: Visit) -> None:
    documents = split()
    page = visit.open(show_chunks(documents))
    page.get_by_role("checkbox", name="file").uncheck()
    left = [document for document in documents if document.metadata["block_type"] != "file"]
    expect(page.locator("article:visible")).to_have_count(len(left))
    expect(page.locator(".list li")).to_have_count(len(left))
    expect(page.get_by_role("status")).to_have_text(f"{len(left)} of {len(documents)} chunks shown")


def test_a_search_leaves_the_chunks_that_contain_it(visit: Visit) -> None:
    documents = split()
    page = visit.open(show_chunks(documents))
    page.get_by_role("searchbox").fill("UNKNOWNTEAERROR(")
    number = next(n for n, document in enumerate(documents, 1) if "raise UnknownTeaError(" in document.page_content)
    expect(page.locator(f"nav a[href='#c{number}']")).to_be_visible()
    expect(page.locator("article:visible")).to_have_count(
        sum("unknownteaerror(" in document.page_content.lower() for document in documents)
    )
    page.get_by_role("searchbox").fill("nowhere in the text")
    expect(page.get_by_role("status")).to_have_text(f"0 of {len(documents)} chunks shown")


def test_a_search_counts_marks_and_steps_through_its_matches(visit: Visit) -> None:
    documents = split()
    page = visit.open(show_chunks(documents, source=BUNDLE))
    box = page.get_by_role("searchbox")
    box.fill("Teapot")
    holding = [n for n, d in enumerate(documents, 1) for _ in range(d.page_content.lower().count("teapot"))]
    total = len(holding)
    expect(page.get_by_role("status")).to_contain_text(f"1 of {total} matches, ")
    expect(page.locator(f"#c{holding[0]} h3")).to_be_in_viewport()
    assert page.evaluate("[...CSS.highlights.get('found')].every((range) => /^teapot$/i.test(range.toString()))")
    box.focus()
    for step in range(1, total + 1):
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text(f"{step % total + 1} of {total} matches")
        expect(page.locator("aside h2")).to_have_text(f"Chunk {holding[step % total]}")
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_role("status")).to_contain_text(f"{total} of {total} matches")
    expect(box).to_be_focused()
    place = page.evaluate("[...CSS.highlights.get('here')][0].getBoundingClientRect().top")
    assert 0 < place < 800


def test_a_search_finds_letters_whose_lower_case_is_longer(visit: Visit) -> None:
    page = visit.open(show_chunks([Document("\u0130\u0130 tea\0 pot", metadata={})]))
    page.get_by_role("searchbox").fill("tea")
    expect(page.get_by_role("status")).to_have_text("1 of 1 matches")
    assert page.evaluate("[...CSS.highlights.get('here')][0].toString()") == "tea"


@pytest.mark.parametrize("key", ["parent_id", "block_count", "None", "start_index"])
def test_a_search_looks_at_texts_and_names_and_not_at_metadata(visit: Visit, key: str) -> None:
    documents = SemanticXmlSplitter(300).create_documents(["<file path='tea/pot.py'>\nx = 1\n</file>"])
    page = visit.open(show_chunks(documents))
    page.get_by_role("searchbox").fill(key)
    expect(page.get_by_role("status")).to_have_text("0 of 1 chunks shown")
    expect(page.locator("aside")).to_be_empty()
    page.get_by_role("searchbox").fill("tea/pot")
    expect(page.locator("article")).to_be_visible()


def test_gaps_are_hidden_with_their_chunks_and_blank_gaps_are_not_noted(visit: Visit) -> None:
    documents = split()
    for document in documents[3:5]:
        document.metadata |= {"block_type": "left out"}
    left = [document for document in documents if document.metadata["block_type"] != "left out"]
    page = visit.open(show_chunks(left, source=BUNDLE))
    expect(page.locator(".gap.blank").first).to_be_hidden()
    expect(page.locator("details.gap")).not_to_have_count(0)
    page.get_by_role("searchbox").fill("nowhere in the text")
    expect(page.locator("article:visible")).to_have_count(0)
    expect(page.locator(".gap:visible")).to_have_count(0)
    page.get_by_role("searchbox").fill("")
    expect(page.locator("details.gap:visible").first).to_be_visible()


# The filters.


def test_buttons_leave_the_chunks_that_are_cut_small_or_oversized(visit: Visit) -> None:
    documents = split()
    page = visit.open(show_chunks(documents, source=BUNDLE, chunk_size=250))
    page.get_by_role("button", name="cut").click()
    assert shown(page) == numbers(documents, "part")
    page.get_by_role("button", name="oversized").click()
    too_long = {f"c{n}" for n, document in enumerate(documents, 1) if len(document.page_content) > 250}
    assert too_long
    assert set(shown(page)) == too_long & set(numbers(documents, "part"))
    page.get_by_role("button", name="cut").click()
    assert set(shown(page)) == too_long
    page = visit.open(show_chunks(documents, source=BUNDLE, chunk_size=320))
    page.get_by_role("button", name="small").click()
    small = [f"c{n}" for n, document in enumerate(documents, 1) if len(document.page_content) < 80]
    assert shown(page) == small != []


def test_a_bar_of_the_lengths_leaves_its_chunks_and_gives_them_back(visit: Visit) -> None:
    documents = [Document("a" * length) for length in (3, 51, 52, 99, 101)]
    page = visit.open(show_chunks(documents, chunk_size=100))
    bar = page.get_by_role("button", name="50 to 54: 2 chunks")
    bar.click()
    assert shown(page) == ["c2", "c3"]
    page.get_by_role("button", name="more than 100: 1 chunk").click()
    assert shown(page) == ["c5"]
    page.get_by_role("button", name="more than 100: 1 chunk").click()
    assert len(shown(page)) == 5


def test_the_bars_are_one_stop_of_the_keyboard(visit: Visit) -> None:
    page = visit.open(show_chunks([Document("a" * length) for length in (3, 51, 99)], chunk_size=100))
    assert page.locator(".bins button[tabindex='0']").count() == 1
    page.locator(".bins button[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert shown(page) == ["c2"]


def tree_view() -> ChunkView:
    """Show files in two folders."""
    paths = ["src/a/one.py", "src/a/two.py", "src/b.py", "README.md"]
    return show_chunks([Document(path, metadata={"block_type": "file", "identity": path}) for path in paths])


def test_a_folder_of_the_tree_leaves_its_chunks(visit: Visit) -> None:
    page = visit.open(tree_view())
    rows = page.get_by_role("treeitem")
    expect(rows).to_have_count(2)
    rows.nth(0).click()
    assert shown(page) == ["c1", "c2", "c3"]
    expect(rows).to_have_text(["src 3", "a 2", "b.py 1", "README.md 1"])
    rows.nth(1).click()
    assert shown(page) == ["c1", "c2"]
    rows.nth(1).click()
    assert len(shown(page)) == 4


def test_the_tree_is_used_from_the_keyboard(visit: Visit) -> None:
    page = visit.open(tree_view())
    page.locator("[role=treeitem][tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert shown(page) == ["c2"]
    page.keyboard.press("Enter")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert shown(page) == ["c1", "c2", "c3"]
    expect(page.locator("[role=treeitem]:focus")).to_have_text("src 3")


def test_a_click_on_the_map_goes_to_the_chunk_there(visit: Visit) -> None:
    page = visit.open(show_chunks([Document("a" * 100), Document("b" * 300), Document("c" * 100)]))
    page.locator("canvas").click(position={"x": 300, "y": 16})
    expect(page.locator("aside h2")).to_have_text("Chunk 2")
    expect(page.locator("#c2 h3")).to_be_in_viewport()


# Everybody.


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the script of axe-core, which npm fetches."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("axe")
    ran = subprocess.run([npm, "install", "--prefix", folder, "axe-core@4"], capture_output=True, check=False)
    if ran.returncode:
        pytest.skip(f"npm cannot install axe-core: {ran.stderr.decode(errors='replace')[-200:]}")
    return Path(folder, "node_modules", "axe-core", "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1000, 1400])
def test_axe_finds_no_barrier(visit: Visit, axe: str, width: int, scheme: str) -> None:
    documents = [*split(BUNDLE, 300, 60), *SemanticXmlSplitter(100, oversized="keep").create_documents([BUNDLE])]
    page = visit.open(show_chunks(documents, chunk_size=250), scheme=scheme, width=width)
    page.locator("article h3").nth(1).click()
    page.get_by_role("searchbox").fill("tea")
    expect(page.get_by_role("status")).to_contain_text("matches")
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    assert len(found["passes"]) > 30
    assert [(fault["impact"], fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []
