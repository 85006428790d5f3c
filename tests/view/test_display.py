"""The page of chunks, as far as it can be judged without a browser: what it says, and that it is nothing but text."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter
from typing_extensions import override

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._view.traces import Stretch, TracedChunk, TracedSource, trace
from langchain_semantic_xml.display import show_chunks
from tests import paths
from tests.laws.strategies import Bundle, bundles

BUNDLE = paths.BUNDLE.read_bytes().decode()
VOID = {"meta", "input"}


class Seen(NamedTuple):
    """An element of a page: its name, attributes and all the text in it."""

    name: str
    attributes: dict[str, str | None]
    texts: list[str]

    @property
    def text(self) -> str:
        return "".join(self.texts)


class PageReader(HTMLParser):
    """Reads a page as a browser does, as far as that matters here."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Seen] = []
        self.comments: list[str] = []
        self._open: list[Seen] = []
        self.feed(html)
        self.close()
        assert self._open == []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Seen(tag, dict(attrs), [])
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().name == tag

    @override
    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.texts.append(data)

    @override
    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def of(self, name: str, kind: str | None = None) -> list[Seen]:
        return [e for e in self.elements if e.name == name and (kind is None or e.attributes.get("class") == kind)]


def split(
    text: str = BUNDLE, chunk_size: int = 300, chunk_overlap: int = 0, source: str | None = None
) -> list[Document]:
    metadata = {} if source is None else {"source": source}
    return SemanticXmlSplitter(chunk_size, chunk_overlap).create_documents([text], [metadata])


def read(documents: list[Document], source: str | None = None) -> PageReader:
    return PageReader(show_chunks(documents, source=source).html)


def source_of(traced: TracedSource) -> str:
    """Join what a view shows of a source once."""
    pieces = []
    for chunk in traced.chunks:
        pieces += [(chunk.gap and chunk.gap.text) or "", *(p.text for p in chunk.stretches if p.origin == "own")]
    return "".join([*pieces, (traced.rest and traced.rest.text) or ""])


def origins(chunk: TracedChunk) -> dict[str, str]:
    return {stretch.origin: stretch.text for stretch in chunk.stretches}


# What is shown.


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("overlap", [0, 60])
@pytest.mark.parametrize("size", [120, 300, 4000])
def test_what_is_new_in_the_chunks_and_what_is_between_them_is_the_source(
    size: int, overlap: int, newline: str
) -> None:
    text = BUNDLE.replace("\n", newline)
    assert "".join(element.text for element in read(split(text, size, overlap), text).of("span", "own")) == text


@given(bundles(), st.sampled_from((30, 80, 300)), st.sampled_from((0, 10)), st.sampled_from((None, "\n\n", "\n---\n")))
def test_every_bundle_is_shown_whole_and_once(bundle: Bundle, size: int, overlap: int, separator: str | None) -> None:
    text = bundle.text
    documents = SemanticXmlSplitter(size, overlap, separator=separator).create_documents([text])
    for traced in trace(documents, text):
        assert all(chunk.placed for chunk in traced.chunks)
        assert source_of(traced) == text


@given(bundles(), st.sampled_from((30, 80, 300)), st.sampled_from((0, 10)))
def test_without_the_source_the_stretches_of_a_chunk_are_its_text(bundle: Bundle, size: int, overlap: int) -> None:
    text = bundle.text
    documents = SemanticXmlSplitter(size, overlap).create_documents([text])
    chunks = [chunk for traced in trace(documents) for chunk in traced.chunks]
    assert ["".join(p.text for p in c.stretches) for c in chunks] == [d.page_content for d in documents]


@pytest.mark.parametrize("overlap", [0, 60])
@pytest.mark.parametrize("size", [200, 300, 400])
def test_tags_and_overlap_are_told_without_the_source_as_they_are_with_it(size: int, overlap: int) -> None:
    documents = split(BUNDLE, size, overlap)
    with_source, without = trace(documents, BUNDLE)[0], trace(documents)[0]
    assert [chunk.stretches for chunk in without.chunks] == [chunk.stretches for chunk in with_source.chunks]


def test_the_tags_that_a_part_repeats_are_told_from_its_own_text() -> None:
    text = f'<file path="a.py">\n{"x = 1" * 40}\n</file>'
    first, middle, *_, last = trace(split(text, 120))[0].chunks
    assert (origins(first).get("tag"), first.stretches[-1].text) == ("\n</file>", "\n</file>")
    assert (middle.stretches[0].text, middle.stretches[-1].text) == ('<file path="a.py">\n', "\n</file>")
    assert origins(last)["tag"] == '<file path="a.py">\n'
    assert origins(last)["own"].endswith("\n</file>")


def test_tags_are_told_from_lines_that_all_parts_share() -> None:
    text = '<file path="a.py">\n' + "<p>\n</p>\n" * 60 + "</file>"
    for chunk in trace(split(text, 120))[0].chunks[1:-1]:
        assert (chunk.stretches[0].text, chunk.stretches[-1].text) == ('<file path="a.py">\n', "\n</file>")


def test_without_the_part_before_it_nothing_is_claimed_of_a_middle_part() -> None:
    middle = split(f'<file path="a.py">\n{"x = 1" * 40}\n</file>', 120)[1]
    assert origins(trace([middle])[0].chunks[0]) == {"own": middle.page_content}


def test_overlap_is_told_where_the_separator_is_not_the_white_space_of_the_source() -> None:
    text = "\n".join(f'<file path="{number}.py">\nx\n</file>' for number in range(9))
    documents = split(text, 160, 90)
    _, second, *_ = trace(documents)[0].chunks
    repeated = origins(second)["overlap"]
    assert repeated.count("</file>") == 3
    assert documents[0].page_content.endswith(repeated)
    assert not origins(second)["own"].strip().startswith("</file>")


def test_the_characters_between_chunks_are_counted_without_the_source_and_shown_with_it() -> None:
    text = "aaa, bbb"
    chunks = [Document("aaa", metadata={"start_index": 0}), Document("bbb", metadata={"start_index": 5})]
    notes = [element.attributes.get("data-note") for element in read(chunks).of("p", "gap")]
    assert notes == ["2 characters in no chunk"]
    shown = read(chunks, text)
    assert [element.text for element in shown.of("details", "gap")] == ["2 characters in no chunk, "]


def test_a_chunk_says_what_and_where_it_is() -> None:
    heading = read(split(BUNDLE, 400)).of("h3")[1]
    assert heading.text == "2 file src/teapot/brew.py part 1 of 3 · lines 5 to 16 · 303 characters"


def test_bars_are_shares_of_the_longest_chunk() -> None:
    page = read([Document("a" * 10), Document("b" * 40), Document("")])
    assert [bar.attributes["style"] for bar in page.of("span", "bar")] == ["--w:25.0%", "--w:100.0%", "--w:0.0%"]


def test_the_legend_counts_each_block_type() -> None:
    legend = [" ".join(label.text.split()) for label in read(split(BUNDLE, 4000)).of("label")]
    assert legend == ["mixed 1"]
    assert [" ".join(label.text.split()) for label in read(split(BUNDLE, 400)).of("label")] == [
        *("text 2", "file 4", "output 1", "document 2"),
    ]


def test_types_have_different_colours_whatever_their_number() -> None:
    page = read([Document("x", metadata={"block_type": f"t{number}"}) for number in range(60)])
    assert len({article.attributes["style"] for article in page.of("article")}) == 60


def test_an_oversized_chunk_is_marked() -> None:
    documents = SemanticXmlSplitter(100, oversized="keep").create_documents([BUNDLE])
    assert len(read(documents).of("span", "warn")) == sum(document.metadata["oversized"] for document in documents) > 0


# Metadata.


def rows_of(document: Document) -> dict[str, str]:
    [metadata] = read([document]).of("pre", "meta")
    return {key: value for key, _, value in (line.partition("\t") for line in metadata.text.split("\n"))}


def test_every_key_of_the_metadata_is_shown_with_its_value() -> None:
    [document] = split("<file path='a.py'>\nx\n</file>", source="b.xml")
    assert rows_of(document) == {key: repr(value) for key, value in document.metadata.items()}


class OfTwoLines:
    """Prints as arrays do."""

    def __repr__(self) -> str:
        return "[[1]\n [2]]"


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        pytest.param("a\tb\n", 1, ("'a\\tb\\n'", "1"), id="tab and line end in a key"),
        pytest.param(7, None, ("7", "None"), id="key that is no string"),
        pytest.param("k", "a\nb\t\0\u202e\ud800", ("k", "'a\\nb\\t\\x00\\u202e\\ud800'"), id="controls in a value"),
        pytest.param("k", OfTwoLines(), ("k", "[[1]  [2]]"), id="object that prints two lines"),
        pytest.param("k", 12345678901234567890, ("k", "12345678901234567890"), id="number too large for JavaScript"),
        pytest.param("__proto__", "<b>", ("__proto__", "'<b>'"), id="key that JavaScript treats apart"),
        pytest.param("k", "x" * 5_000_000, ("k", f"'{'x' * 2000}'… 5,000,000 characters"), id="value of 5 MB"),
    ],
)
def test_metadata_of_any_kind_take_one_line_each(key: str, value: object, shown: tuple[str, str]) -> None:
    assert rows_of(Document("x", metadata={"before": 1} | {key: value})) == {"before": "1", shown[0]: shown[1]}


def test_the_id_of_a_document_is_shown_when_it_has_one() -> None:
    assert rows_of(Document("x", id="7", metadata={"id": "mine"})) == {"Document.id": "'7'", "id": "'mine'"}


def test_keys_that_the_source_has_taken_are_read_where_the_splitter_put_them() -> None:
    taken = {"block_type": "book", "start_index": "first", "end_index": "last", "part": "IV"}
    documents = SemanticXmlSplitter(300).create_documents([BUNDLE], [taken])
    assert source_of(trace(documents, BUNDLE)[0]) == BUNDLE
    assert "book" not in {label.text for label in read(documents).of("bdi", "type")}


# Documents of other splitters, and of several sources.


def test_overlap_of_another_splitter_is_told_by_its_positions() -> None:
    splitter = RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=50, add_start_index=True)
    documents = splitter.create_documents([BUNDLE])
    [alone], [with_source] = trace(documents), trace(documents, BUNDLE)
    assert source_of(with_source) == BUNDLE
    assert [chunk.stretches for chunk in alone.chunks] == [chunk.stretches for chunk in with_source.chunks]
    assert any(stretch.origin == "overlap" for chunk in alone.chunks for stretch in chunk.stretches)


def test_without_positions_nothing_is_claimed() -> None:
    documents = RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=50).create_documents([BUNDLE])
    page = read(documents)
    assert [code.text for code in page.of("code", "t")] == [document.page_content for document in documents]
    assert all("position unknown" in heading.text for heading in page.of("h3"))
    assert page.of("span", "overlap") == page.of("p", "gap") == []


@pytest.mark.parametrize(
    "metadata",
    [
        {"start_index": -1}, {"start_index": "0"}, {"start_index": True}, {"start_index": 2, "end_index": 1},
        {"start_index": None}, {"start_index": 90, "end_index": 93}, {"start_index": 3},
    ],
    ids=str,
)  # fmt: skip
def test_a_position_that_cannot_be_or_holds_other_text_is_not_believed(metadata: dict[str, object]) -> None:
    [traced] = trace([Document("abc", metadata=metadata)], "abc, def")
    assert [(chunk.placed, chunk.stretches) for chunk in traced.chunks] == [(False, (Stretch("abc", "own"),))]


@pytest.mark.parametrize(
    ("metadatas", "groups"),
    [
        pytest.param([{"source": "a"}, {"source": "a"}, {"source": "b"}], [("a", 2), ("b", 1)], id="source"),
        pytest.param([{"parent_id": "1"}, {"parent_id": "2"}], [("1", 1), ("2", 1)], id="parent_id"),
        pytest.param(
            [{"start_index": 0}, {"start_index": 9}, {"start_index": 4}], [(None, 2), (None, 1)], id="restart"
        ),
        pytest.param([{"start_index": 0}, {"start_index": 0}], [(None, 1), (None, 1)], id="same place twice"),
        pytest.param([{"source": ["a", 1]}, {"source": ["a", 1]}], [("['a', 1]", 2)], id="unhashable source"),
        pytest.param([{}, {}], [(None, 2)], id="nothing known"),
    ],
)
def test_chunks_are_grouped_by_their_source(
    metadatas: list[dict[str, object]], groups: list[tuple[str | None, int]]
) -> None:
    traced = trace([Document("text", metadata=metadata) for metadata in metadatas])
    assert [(source.name, len(source.chunks)) for source in traced] == groups


def test_each_of_several_sources_has_a_heading() -> None:
    documents = [*split(source="a.xml"), *split(source="b.xml"), *split()]
    assert [heading.text for heading in read(documents).of("h2")] == ["a.xml", "b.xml", "Source 3"] * 2


def test_with_the_source_chunks_in_any_order_are_shown_in_its_order_with_their_own_numbers() -> None:
    [traced] = trace(list(reversed(split(BUNDLE, 300))), BUNDLE)
    count = len(traced.chunks)
    assert [chunk.number for chunk in traced.chunks] == list(range(count, 0, -1))
    assert source_of(traced) == BUNDLE


# Hostile texts.

HOSTILE = {
    "script": "<script>window.ran = true</script>",
    "end of script": "</script></SCRIPT ></style></title></main></code><script>window.ran = true</script>",
    "comment": "<!-- --> <!-- --!> <![CDATA[ ]]> <?php ?> <!doctype html>",
    "attributes": '" onclick="window.ran = true" \' onfocus=\'window.ran = true\' autofocus x="',
    "image": "<img src=x onerror='window.ran = true'><svg onload='window.ran = true'>",
    "entities": "&lt;script&gt;&#60;script&#62;&amp;lt;&lt",
    "frames": "<iframe srcdoc='<script>parent.ran = true</script>'></iframe><base href='https://x.example/'>",
    "requests": "<link rel=stylesheet href=https://x.example/><style>@import 'https://x.example/';</style>",
    "plaintext": "<plaintext><textarea><noscript><template><select><math><annotation-xml>",
}
UNSEEN = (
    "\0\x01\x08\x0b\x0c\x1b\x7f\x85\x9f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202e\u2066\u2069\ufeff"
    "\ud800\udfff\U000e0041"
)


def everywhere(text: str) -> list[Document]:
    """Make Documents that hold `text` wherever a text can be."""
    metadata = {"source": text, "block_type": text, "identity": text, "start_line": text, "part": text, text: text}
    return [Document(text, metadata=metadata), Document("x", id=text, metadata={"identities": [text, text]})]


def skeleton(html: str) -> list[tuple[str, list[str]]]:
    """Return the elements of a page, and their attributes' names."""
    return [(element.name, list(element.attributes)) for element in PageReader(html).elements if element.name != "i"]


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


# What is given and what comes back.


def test_documents_are_taken_once() -> None:
    assert show_chunks(document for document in split()).chunks == len(split())


def test_documents_are_not_changed() -> None:
    documents = split()
    show_chunks(documents, source=BUNDLE)
    assert documents == split()


def test_no_documents_give_a_page_that_says_so() -> None:
    view = show_chunks([])
    assert "No chunks" in view.html
    assert (view.chunks, view.title) == (0, "Chunks")


def test_a_source_without_chunks_is_shown() -> None:
    assert "".join(element.text for element in read([], BUNDLE).of("span", "own")) == BUNDLE


@pytest.mark.parametrize(
    ("documents", "title"),
    [
        (lambda: split(source="b.xml"), "Chunks of b.xml"),
        (split, "Chunks"),
        (lambda: split(source="a") + split(source="b"), "Chunks of 2 sources"),
    ],
    ids=["one source", "nameless", "two sources"],
)
def test_the_title_names_the_source(documents: Callable[[], list[Document]], title: str) -> None:
    assert show_chunks(documents()).title == title


def test_a_notebook_gets_the_page_in_a_frame_that_keeps_to_itself() -> None:
    view = show_chunks(split(), title='"quoted" <b>')
    [frame] = PageReader(view._repr_html_()).of("iframe")
    assert (frame.attributes["srcdoc"], frame.attributes["sandbox"]) == (view.html, "allow-scripts")
    assert frame.attributes["title"] == view.title


def test_a_view_prints_without_its_page() -> None:
    assert repr(show_chunks(split(), title="t")) == f"ChunkView(title='t', chunks={len(split())})"


def test_a_saved_page_is_the_page(tmp_path: Path) -> None:
    view = show_chunks(everywhere("é\r\n\ud800"))
    view.save(tmp_path / "chunks.html")
    assert (tmp_path / "chunks.html").read_bytes().decode("utf-8") == view.html


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([["text"]], {}, "documents[0] must be a Document, not str; show the result of a splitter's split_documents()"),
        ([[Document("x"), None]], {}, "documents[1] must be a Document, not NoneType"),
        (["text"], {}, "documents must be an iterable of Document, not str; put a single one into a list"),
        ([Document("x")], {}, "documents must be an iterable of Document, not Document"),
        ([7], {}, "documents must be an iterable of Document, not int"),
        ([[]], {"source": b"x"}, "source must be a str, not bytes"),
        ([[]], {"source": Document("x")}, "source must be a str, not Document"),
        ([[]], {"title": 7}, "title must be a str, not int"),
    ],
    ids=["str inside", "None inside", "str", "one Document", "no iterable", "bytes", "Document", "number"],
)
def test_a_wrong_argument_is_named(arguments: list[object], options: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        show_chunks(*arguments, **options)  # type: ignore[arg-type]


def test_one_text_cannot_be_the_source_of_documents_that_name_two() -> None:
    message = "source is the text of one source, but the documents name 2, such as 'a.xml' and 'b.xml'; "
    with pytest.raises(ValueError, match=re.escape(message)):
        show_chunks([*split(source="a.xml"), *split(source="b.xml")], source=BUNDLE)
