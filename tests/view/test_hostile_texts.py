"""The page is nothing but text, whatever the texts hold."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml.display import show_chunks
from tests.view.pages import (
    HOSTILE,
    UNSEEN,
    PageReader,
    everywhere,
    read,
    skeleton,
    split,
)


@pytest.mark.parametrize("text", [*HOSTILE.values(), UNSEEN], ids=[*HOSTILE, "unseen"])
def test_a_text_adds_no_element_and_no_attribute_wherever_it_stands(text: str) -> None:
    hostile = show_chunks(everywhere(text), title=text).html
    assert skeleton(hostile) == skeleton(show_chunks(everywhere("harmless"), title="harmless").html)
    assert PageReader(hostile).comments == []


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_shown_as_it_is(text: str) -> None:
    page = read(everywhere(text)[:1])
    assert page.of("code", "t")[0].text == text
    assert page.of("title")[0].text == f"Chunks of {text}"


def test_what_nobody_would_see_is_named() -> None:
    page = read([Document("a\x1b[0m\u202eb\ud800\u200b\0")])
    assert [mark.text for mark in page.of("i")][-3:] == ["ESC", "U+202E", "U+D800 U+200B NUL"]


@pytest.mark.parametrize("text", ["a" + UNSEEN, UNSEEN * 1000, "".join(f"a{c}" for c in UNSEEN) * 1000],
                         ids=["some", "many in a run", "many apart"])  # fmt: skip
def test_no_unseen_character_is_in_the_page(text: str) -> None:
    html = show_chunks(everywhere(text), title=text).html
    assert set(html).isdisjoint(UNSEEN)
    html.encode("utf-8")


def test_joiners_that_emoji_and_scripts_are_made_with_stay() -> None:
    text = "\U0001f469\u200d\U0001f4bb \u0646\u0645\u06cc\u200c\u062f\u0627\u0646\u0645"
    assert read([Document(text)]).of("code", "t")[0].text == text


def test_controls_do_not_make_more_elements_than_a_browser_bears() -> None:
    text = "a\0" * 100_000
    page = read([Document(text)])
    assert page.of("code", "t")[0].text == "a[NUL]" * 100_000
    assert len(page.elements) < 200


@pytest.mark.parametrize("text", ["x" * 10_000_000, "some words\n" * 1_000_000], ids=["one line", "lines"])
def test_10_mb_in_one_chunk_are_shown_whole_in_stretches(text: str) -> None:
    page = read([Document(text)])
    assert page.of("span", "own")[0].text == text
    assert max(len(run.text) for run in page.of("span", "run")) < 40_000


def test_no_script_may_run_but_the_one_of_the_page() -> None:
    page = read(everywhere(HOSTILE["script"]))
    [script] = page.of("script")
    [policy] = [m.attributes["content"] or "" for m in page.of("meta") if "http-equiv" in m.attributes]
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}'; ")
    assert "unsafe" not in policy.replace("style-src 'unsafe-inline'", "")


def test_the_page_names_no_address_but_places_in_itself() -> None:
    html = show_chunks(split()).html
    page = PageReader(html)
    links = {e.attributes[key] for e in page.elements for key in ("href", "src", "action") if key in e.attributes}
    assert all(link and re.fullmatch(r"#(c\d+|source)", link) for link in links)
    [style, without_scripts] = page.of("style")
    assert not re.search(r"url\(|@import|//", style.text + without_scripts.text)
