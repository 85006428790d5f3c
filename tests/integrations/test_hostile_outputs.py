"""Hostile texts through every output and back: JSON lines, Parquet, Arrow's streams, Chroma, the page in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter, show_chunks
from langchain_semantic_xml._cli.main import main
from tests.integrations import require

for package in ("chromadb", "playwright", "pyarrow"):
    require(package)

import pyarrow as pa  # noqa: E402 - only after it is known to be there
import pyarrow.parquet as pq  # noqa: E402

from langchain_semantic_xml.arrow import split_batch  # noqa: E402
from tests.integrations.stores import open_chroma  # noqa: E402
from tests.integrations.test_display_browser import Visit, browser, visit  # noqa: E402, F401 - fixtures

pytestmark = pytest.mark.integration

HOSTILE = {
    "a script": "<script>window.ran = true</script>",
    "the end of a script": "</script ></style></title></textarea></code><script>window.ran = true</script>",
    "a comment": "<!-- <!--> --!> ]]> <!",
    "an image": "<img src=https://x.example/ onerror=window.ran=true>",
    "an entity": "&lt;b&gt; &amp;amp; &#0; &nbsp;",
    "a formula": "=HYPERLINK('https://x.example/')",
    "NUL": "a\0b",
    "escapes": "a\x1bb[31m\\u0000 \\x00 %00",
    "bidirectional controls": "a\u202eb\u2066c\u2069d\u200fe",
    "line separators": "a\u2028b\u2029c\x85d\ve\ff",
    "a byte-order mark": "a\ufeffb",
    "non-characters": "a\ufffeb\uffffc\U0010ffff",
}
SIZES = {"10 MB in a line": "x" * 10_000_000, "10 MB in lines": "some words\n" * 900_000}
WHOLE = 20_000_000
"""A size that none of these reach."""


def bundle(content: str) -> str:
    """Put the text into an attribute, where it fits there, and into the content."""
    path = content if len(content) < 100 else "a.py"
    return f'<file path="{path}">\n{content}\n</file>'


def chunks_of(text: str) -> list[Document]:
    return SemanticXmlSplitter(WHOLE).create_documents([text], [{"source": "bundle.xml"}])


Back = tuple[str, object]
"""The content of the only chunk, and its path."""


def through_json_lines(text: str, folder: Path) -> Back:
    source, target = folder / "bundle.xml", folder / "chunks.jsonl"
    source.write_bytes(text.encode("utf-8"))
    assert main(["split", str(source), "--chunk-size", str(WHOLE), "-o", str(target)]) == 0
    [line] = target.read_text(encoding="utf-8").splitlines()  # splits at every character that Unicode calls a line end
    document = Document(**json.loads(line))
    return document.page_content, document.metadata["path"]


def through_parquet(text: str, folder: Path) -> Back:
    pq.write_table(split_batch(pa.table({"text": [text]}), SemanticXmlSplitter(WHOLE)), folder / "chunks.parquet")
    [row] = pq.read_table(folder / "chunks.parquet").to_pylist()
    return row["page_content"], dict(row["attributes"])["path"]


def through_the_stream_format_of_arrow(text: str, folder: Path) -> Back:
    table = split_batch(pa.table({"text": [text]}), SemanticXmlSplitter(WHOLE))
    with pa.OSFile(str(folder / "chunks.arrows"), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    with pa.OSFile(str(folder / "chunks.arrows"), "rb") as file:
        [row] = pa.ipc.open_stream(file).read_all().to_pylist()
    return row["page_content"], dict(row["attributes"])["path"]


def through_chroma(text: str, folder: Path) -> Back:
    with open_chroma(folder) as store:
        store.add_documents(chunks_of(text))
    with open_chroma(folder) as store:
        [found] = store.similarity_search("anything", k=9)
    return found.page_content, found.metadata["path"]


OUTPUTS = [through_json_lines, through_parquet, through_the_stream_format_of_arrow, through_chroma]
each_output = pytest.mark.parametrize("through", OUTPUTS, ids=lambda through: str(through.__name__).replace("_", " "))


@each_output
@pytest.mark.parametrize("content", [*HOSTILE.values(), *SIZES.values()], ids=[*HOSTILE, *SIZES])
def test_what_is_read_back_is_what_was_split(
    through: Callable[[str, Path], Back], content: str, tmp_path: Path
) -> None:
    text = bundle(content)
    [chunk] = chunks_of(text)
    assert through(text, tmp_path) == (text, chunk.metadata["path"])


LONE = bundle("a\ud800b\udfffc")


@pytest.mark.parametrize(
    ("through", "error"),
    [
        pytest.param(through_parquet, UnicodeEncodeError, id="Parquet"),
        pytest.param(through_the_stream_format_of_arrow, UnicodeEncodeError, id="Arrow"),
        pytest.param(through_chroma, (UnicodeEncodeError, TypeError), id="Chroma"),  # the latter for metadata
    ],
)
def test_what_utf_8_cannot_hold_is_an_error_and_not_something_else(
    through: Callable[[str, Path], Back], error: type[Exception], tmp_path: Path
) -> None:
    with pytest.raises(error):
        through(LONE, tmp_path)


UNSEEN = re.compile(
    r"[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
NAMES = {"\0": "NUL", "\x1b": "ESC", "\v": "VT", "\f": "FF"}


def shown(text: str) -> str:
    """Write unseen characters as the page does."""
    return UNSEEN.sub(lambda match: NAMES.get(match[0], f"U+{ord(match[0]):04X}"), text)


@pytest.mark.parametrize("content", [*HOSTILE.values(), "a\ud800b\udfffc"], ids=[*HOSTILE, "lone surrogates"])
def test_a_browser_shows_hostile_text_as_text_and_runs_nothing(visit: Visit, content: str) -> None:  # noqa: F811
    text = bundle(content)
    page = visit.open(show_chunks(chunks_of(text), source=text))
    page.locator("nav a").first.click()
    assert page.locator("article .t").text_content() == shown(text)
    assert page.evaluate("window.ran") is None
    assert len(visit.requests) == 1, "the page itself"


@pytest.mark.parametrize("content", SIZES.values(), ids=SIZES)
def test_a_browser_shows_10_mb_in_one_chunk(visit: Visit, content: str) -> None:  # noqa: F811
    text = bundle(content)
    page = visit.open(show_chunks(chunks_of(text), source=text))
    found = page.locator("article .t").text_content() or ""
    assert len(found) == len(text)
    assert found == text
