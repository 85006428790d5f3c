"""What the tests of the page share: a reader of HTML, Documents to show, and hostile texts."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

from langchain_core.documents import Document
from typing_extensions import override

from langchain_semantic_xml import SemanticXmlSplitter
from langchain_semantic_xml._view.traces import TracedChunk, TracedSource
from langchain_semantic_xml.display import show_chunks
from tests import paths

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
