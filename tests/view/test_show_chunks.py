"""What `show_chunks` takes and returns."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml.display import ChunkView, show_chunks
from tests.view.pages import (
    BUNDLE,
    PageReader,
    everywhere,
    read,
    split,
)


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


def test_a_page_that_cannot_be_written_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    target = tmp_path / "chunks.html"
    target.write_text("earlier", encoding="utf-8")
    view = ChunkView("x" * 100 + "\ud800", "t", 1)
    with pytest.raises(UnicodeEncodeError):
        view.save(target)
    assert target.read_text(encoding="utf-8") == "earlier"
    assert [path.name for path in tmp_path.iterdir()] == ["chunks.html"]


def test_a_page_in_a_folder_that_does_not_exist_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    target = tmp_path / "none" / "chunks.html"
    with pytest.raises(FileNotFoundError) as caught:
        show_chunks(split()).save(target)
    assert str(target.parent) in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chunk_size": 0}, "chunk_size=0 is too small"),
        ({"chunk_size": "9"}, "chunk_size='9' must be an int, not str"),
        ({"length_function": 7}, "length_function=7 must be a callable"),
        ({"unit": 7}, "unit must be a str, not int"),
    ],
    ids=str,
)
def test_a_wrong_measure_is_named(options: dict[str, object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        show_chunks([], **options)  # type: ignore[arg-type]


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


def test_a_path_in_place_of_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"source='bundle\.xml' holds none of the chunks; pass the text itself"):
        show_chunks(split(), source="bundle.xml")


def test_a_page_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chunks.html"
    path.write_text("old", encoding="utf-8")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        show_chunks(split()).save(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
