"""The page of chunks in a real browser: what runs, what is read, how it is used, and whether it can be seen."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from langchain_core.documents import Document
from typing_extensions import override

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml.display import ChunkView, show_chunks
from tests.integrations import require
from tests.tools.bundle_maker import SourceFile, make_bundle
from tests.view.pages import BUNDLE, HOSTILE, UNSEEN, everywhere, split

require("playwright")
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright  # noqa: E402 - after the check

pytestmark = pytest.mark.integration

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

# The least contrast between a text and what is behind it, of all texts of the page, with the text that has it. A
# colour is taken as the browser paints it; the hatching behind an overlap counts as a colour of its own.
LEAST_CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const painted = (colours) => {
    canvas.fillStyle = "#fff";
    canvas.fillRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const probe = document.body.appendChild(document.createElement("p"));
  probe.style.backgroundColor = "var(--hatch)";
  const hatch = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      layers.unshift(getComputedStyle(e).backgroundColor);
    }
    return element.closest(".overlap") ? [...layers, hatch] : layers;
  };
  const found = [];
  const add = (element, style, text) => {
    const [a, b] = [painted([...behind(element), style.color]), painted(behind(element))].map(luminance);
    found.push({ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), text: `${element.tagName} ${text}`});
  };
  for (const element of document.body.querySelectorAll("*")) {
    const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("").trim();
    if (text && element.tagName !== "SCRIPT" && element.checkVisibility({contentVisibilityAuto: false})) {
      add(element, getComputedStyle(element), text.slice(0, 40));
    }
  }
  const search = document.querySelector("[type=search]");
  add(search, getComputedStyle(search, "::placeholder"), "placeholder");
  const note = document.querySelector("p.gap");
  add(note, getComputedStyle(note, "::before"), "note");
  found.sort((a, b) => a.ratio - b.ratio);
  return {...found[0], count: found.length};
}"""


@pytest.fixture(scope="module")  # longer, and its event loop would be in the way of other tests'
def browser() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if path is None:
        if os.environ.get("REQUIRE_INTEGRATIONS"):
            pytest.fail("no Chromium found; install it, or set CHROMIUM to its path")
        pytest.skip("no Chromium found")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=ARGUMENTS) as browser:
        yield browser


class Visit:
    """Opens views in pages of one browser and keeps what the pages complained of and asked for."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.failures: list[tuple[str, str | None]] = []

    def open(self, view: ChunkView | str, *, scheme: str = "light", width: int = 1280, scripts: bool = True) -> Page:
        path = self._folder / "view.html"
        if isinstance(view, ChunkView):
            view.save(path)
        else:
            path.write_text(view, encoding="utf-8", newline="\n")
        page = self._browser.new_page(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
        )
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.failures.append((request.url, request.failure)))
        page.goto(path.as_uri())
        return page


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    visit = Visit(browser, tmp_path)
    yield visit
    for context in browser.contexts:
        context.close()
    assert visit.complaints == []


def choice(page: Page) -> Locator:
    return page.locator("nav [aria-current]")


def metadata(page: Page) -> dict[str, str]:
    rows = page.locator("aside dl > div").all()
    return {row.locator("dt").inner_text(): row.locator("dd").inner_text() for row in rows}


def wait_for_status(page: Page, text: str) -> None:
    """Wait for a text of the status; `expect` writes the whole page down whenever it has to wait."""
    deadline = time.monotonic() + 20
    while page.evaluate("document.querySelector('[role=status]').textContent") != text:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def large_view() -> ChunkView:
    """Show 5,000 chunks, most of them parts of files."""
    body = "".join(f"def function_{line}(argument):\n    return argument + {line}\n" for line in range(70))
    bundle = make_bundle([SourceFile(f"src/module_{number}.py", body) for number in range(720)], "ace").text
    documents = SemanticXmlSplitter(600).create_documents([bundle])[:5000]
    assert len(documents) == 5000
    return show_chunks(documents, source=bundle[: documents[-1].metadata["end_index"]])


# Hostile texts.


@pytest.mark.parametrize("text", [*HOSTILE.values(), UNSEEN], ids=[*HOSTILE, "unseen"])
def test_nothing_in_a_text_runs_or_asks_for_anything(visit: Visit, text: str) -> None:
    page = visit.open(show_chunks(everywhere(text), title=text))
    page.locator("nav a").first.click()
    page.locator("article").last.click()
    assert page.evaluate("window.ran") is None
    assert len(visit.requests) == 1


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_the_browser_reads_a_hostile_text_as_it_is(visit: Visit, text: str) -> None:
    page = visit.open(show_chunks([Document(text, metadata={"key": text})]))
    assert page.locator("article .t").text_content() == text
    assert metadata(page) == {"key": repr(text)}


def test_the_policy_stops_scripts_and_requests_even_if_they_got_into_the_page(browser: Browser, tmp_path: Path) -> None:
    view = show_chunks(split())
    hostile = "<script>window.ran = 1</script><img src='https://x.example/' onerror='window.ran = 2'>"
    visit = Visit(browser, tmp_path)
    page = visit.open(view.html.replace("</main>", f"{hostile}</main>"))
    page.locator("nav a").first.click()
    assert page.evaluate("window.ran") is None
    assert visit.failures == [("https://x.example/", "csp")]
    assert len(visit.complaints) >= 2
    page.close()


def test_a_direction_override_stays_in_its_frame(visit: Visit) -> None:
    page = visit.open(show_chunks([Document("abc\u202edef", metadata={"identity": "x\u202ey"})]))
    assert page.locator("article .t").inner_text() == "abcU+202Edef"
    assert page.locator("article .name").inner_text() == "xU+202Ey"


def test_nothing_is_asked_of_the_server_but_the_page(browser: Browser, tmp_path: Path) -> None:
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        @override
        def log_message(self, format: str, *args: object) -> None:
            asked.append(self.path)

    show_chunks(everywhere(HOSTILE["requests"])).save(tmp_path / "view.html")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/view.html")
        page.locator("nav a").first.click()
        page.close()
        server.shutdown()
    assert set(asked) - {"/favicon.ico"} == {"/view.html"}


# What the browser reads.


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_the_browser_reads_the_source_as_it_is(visit: Visit, newline: str) -> None:
    text = BUNDLE.replace("\n", newline)
    page = visit.open(show_chunks(split(text, 300, 60), source=text))
    assert page.evaluate("[...document.querySelectorAll('main .own')].map((e) => e.textContent).join('')") == text


def test_without_scripts_source_and_metadata_can_be_read(visit: Visit) -> None:
    page = visit.open(show_chunks(split()), scripts=False)
    expect(page.locator(".meta").first).to_be_visible()
    expect(page.locator("aside")).to_be_hidden()
    page.locator("nav a").nth(9).click()
    expect(page.locator("#c10 h3")).to_be_in_viewport()


# How it is used.


def test_a_click_on_a_chunk_shows_its_metadata(visit: Visit) -> None:
    documents = split()
    page = visit.open(show_chunks(documents))
    page.locator("article h3").nth(1).click()
    assert metadata(page) == {key: repr(value) for key, value in documents[1].metadata.items()}
    expect(page.locator("aside h2")).to_have_text("Chunk 2")
    expect(page.locator("article.on")).to_have_attribute("id", "c2")
    expect(choice(page)).to_have_attribute("href", "#c2")


def test_a_click_in_the_list_brings_the_chunk_into_view(visit: Visit) -> None:
    page = visit.open(show_chunks(split()))
    expect(page.locator("#c12 h3")).not_to_be_in_viewport()
    page.locator("nav a").nth(11).click()
    expect(page.locator("#c12 h3")).to_be_in_viewport()
    assert metadata(page)["block_type"] == repr("document")


def test_a_link_to_a_chunk_opens_there(visit: Visit, tmp_path: Path) -> None:
    page = visit.open(show_chunks(split()))
    page.goto(f"{(tmp_path / 'view.html').as_uri()}#c5")
    page.reload()
    expect(page.locator("aside h2")).to_have_text("Chunk 5")


def test_the_keyboard_reaches_every_chunk(visit: Visit) -> None:
    count = len(split())
    page = visit.open(show_chunks(split()))
    link = page.locator("nav a[tabindex='0']")
    for _ in range(20):
        page.keyboard.press("Tab")
        if link.evaluate("(link) => link === document.activeElement"):
            break
    expect(link).to_be_focused()
    assert link.evaluate("(link) => getComputedStyle(link).outlineStyle") == "solid"
    for key, number in [
        *(("ArrowDown", 2), ("ArrowDown", 3), ("ArrowUp", 2), ("End", count), ("ArrowDown", count)),
        *(("PageUp", count - 10), ("Home", 1), ("ArrowUp", 1), ("PageDown", 11), ("Enter", 11)),
    ]:
        page.keyboard.press(key)
        expect(page.locator("aside h2")).to_have_text(f"Chunk {number}")
        expect(page.locator("nav a:focus")).to_have_attribute("href", f"#c{number}")
        expect(page.locator(f"#c{number} h3")).to_be_in_viewport()
    assert page.locator("nav a[tabindex='0']").count() == 1


def test_text_can_be_selected_without_choosing_its_chunk(visit: Visit) -> None:
    page = visit.open(show_chunks(split()))
    page.locator("#c2 .t .own").dblclick(position={"x": 20, "y": 10})
    selected = page.evaluate("getSelection().toString()")
    assert selected.strip()


def test_the_address_names_the_chosen_chunk(visit: Visit) -> None:
    page = visit.open(show_chunks(split()))
    page.locator("nav a").nth(6).click()
    assert page.evaluate("location.hash") == "#c7"


def test_on_a_narrow_screen_the_metadata_can_be_closed(visit: Visit) -> None:
    page = visit.open(show_chunks(split()), width=375)
    expect(page.locator("aside")).to_be_hidden()
    page.locator("article h3").first.click()
    expect(page.locator("aside h2")).to_have_text("Chunk 1")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("aside")).to_be_hidden()
    page.locator("article h3").nth(1).click()
    expect(page.locator("aside h2")).to_have_text("Chunk 2")


def test_a_frame_in_a_notebook_is_used_as_the_page_is(visit: Visit) -> None:
    page = visit.open(f"<!doctype html><base href='https://x.example/'>{show_chunks(split())._repr_html_()}")
    frame = page.frame_locator("iframe")
    frame.locator("nav a").nth(8).click()
    expect(frame.locator("aside h2")).to_have_text("Chunk 9")
    expect(frame.locator("#c9 h3")).to_be_in_viewport()
    assert visit.requests[1:] in ([], ["about:srcdoc"])


# Whether it can be seen.


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_in_every_colour(visit: Visit, scheme: str) -> None:
    kinds = ["text", "file", "output", "document", "mixed", *(f"type-{number}" for number in range(40))]
    documents = [Document(f"{kind}\0", metadata={"block_type": kind, "start_index": 9 * n, "oversized": n % 2 == 0})
                 for n, kind in enumerate(kinds)]  # fmt: skip
    page = visit.open(show_chunks([*documents, *split(BUNDLE, 300, 60)]), scheme=scheme)
    assert page.locator(".overlap").count() > 0
    for number in (0, 50):
        page.locator(".list").evaluate("(list, number) => { list.scrollTop = number * 46; }", number)
        page.locator(f"nav a[href='#c{number + 1}']").click()
        least = page.evaluate(LEAST_CONTRAST)
        print(f"{scheme}: {least['count']} texts, least contrast {least['ratio']:.2f} of {least['text']!r}")  # noqa: T201
        assert least["count"] > 100
        assert least["ratio"] >= 4.5, least


@pytest.mark.parametrize("width", [320, 390, 800, 1100, 1280, 1920])
def test_no_width_needs_scrolling_sideways(visit: Visit, width: int) -> None:
    documents = [*split(source="b" * 300), Document("x" * 3000, metadata={"identity": "y" * 300, "z" * 100: "z" * 999})]
    page = visit.open(show_chunks(documents), width=width)
    page.locator("nav a").last.click()
    for pane in ("html", "nav", ".list", "[role=tree]", "main", "aside", "header"):
        assert page.locator(pane).evaluate("(pane) => pane.scrollWidth <= pane.clientWidth"), pane


def test_printed_it_is_the_whole_source(visit: Visit) -> None:
    page = visit.open(show_chunks(split()))
    page.emulate_media(media="print")
    expect(page.locator("nav")).to_be_hidden()
    assert page.locator("body").evaluate("(body) => body.scrollHeight") > 1500
    assert page.locator("main").evaluate("(main) => main.scrollHeight === main.clientHeight")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(large_view, id="5,000 chunks"),
        pytest.param(lambda: show_chunks([Document("some words of a line\n" * 500_000)]), id="10 MB of lines"),
        pytest.param(lambda: show_chunks([Document("x" * 10_000_000)]), id="10 MB in a line"),
        pytest.param(lambda: show_chunks([Document("a\0" * 5_000_000)]), id="10 MB, half of it NUL"),
    ],
)
def test_a_large_view_opens_and_answers(visit: Visit, make: Callable[[], ChunkView]) -> None:
    view = make()
    started = time.perf_counter()
    page = visit.open(view)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    opened = time.perf_counter()
    page.locator(".list").evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
    last = page.locator(f"nav a[href='#c{view.chunks}']")
    answered = last.evaluate(
        """(link) => {
          const started = performance.now();
          link.click();
          document.body.getBoundingClientRect();
          return performance.now() - started;
        }"""
    )
    if view.chunks > 1:
        box = page.locator("[type=search]")
        started = time.perf_counter()
        box.fill("function_33(")
        wait_for_status(page, "1 of 714 matches, 714 of 5,000 chunks shown")
        assert time.perf_counter() - started < 5
        box.fill("")
        wait_for_status(page, "")
        page.locator(".list").evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
        last.evaluate("(link) => link.click()")
    print(f"{len(view.html):,} characters, opened in {opened - started:.2f} s, a click answered in {answered:.0f} ms")  # noqa: T201
    expect(page.locator("aside h2")).to_have_text(f"Chunk {view.chunks}")
    expect(page.locator("article h3").last).to_be_in_viewport()
