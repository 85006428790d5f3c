"""One Document for each block of a file, read in pieces; what a splitter makes of them; what happens to bad files."""

from __future__ import annotations

import asyncio
import gzip
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from langchain_core.document_loaders import Blob
from langchain_core.documents import Document

from langchain_semantic_xml import ElementRule, SemanticXmlSplitter, parse_blocks
from langchain_semantic_xml._boundaries import streams
from langchain_semantic_xml.errors import UnreadableFileError
from langchain_semantic_xml.loaders import SemanticXmlBlobParser, SemanticXmlLoader
from langchain_semantic_xml.typing import OnError
from tests.laws.checks import CONTENT_LINE_KEYS, KEYS, POSITION_KEYS, check_laws
from tests.laws.strategies import Bundle, bundles
from tests.paths import BUNDLE
from tests.tools.bundle_maker import STYLES, SourceFile, make_bundle

PART_KEYS = {"part", "parts", "oversized", "parent_id"}
FILES = [SourceFile("a.py", "def f():\n    return 1\n"), SourceFile("docs/b.md", "# B\n\nMore of it.\n")]


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8"))
    return path


def parse(text: str, **metadata: object) -> list[Document]:
    return SemanticXmlBlobParser().parse(Blob.from_data(text, path="bundle.xml", metadata=metadata))


def identities(documents: list[Document]) -> list[object]:
    return [document.metadata["identity"] for document in documents if document.metadata["block_type"] != "text"]


# What a Document says.


def test_each_block_of_a_bundle_is_a_document() -> None:
    blocks = parse_blocks(read(BUNDLE))
    documents = SemanticXmlLoader(BUNDLE).load()
    assert [document.page_content for document in documents] == [block.content for block in blocks]
    for document, block in zip(documents, blocks, strict=True):
        assert document.metadata == {
            "source": str(BUNDLE),
            "block_type": block.type,
            "block_types": [block.type],
            "block_count": 1,
            "identity": block.identity,
            "identities": [block.identity] if block.identity else None,
            "start_index": block.start,
            "end_index": block.end,
            "start_line": block.start_line,
            "end_line": block.start_line + block.content.count("\n") - block.content.endswith("\n"),
            "content_start_line": document.metadata["content_start_line"],
            "content_end_line": document.metadata["content_end_line"],
            **block.attributes,
        }


def test_a_block_has_the_metadata_of_a_chunk_that_holds_it_alone() -> None:
    """Rule: M1, M2."""
    chunks = SemanticXmlSplitter(10_000, isolate=True).create_documents([read(BUNDLE)], [{"source": str(BUNDLE)}])
    elements = [chunk for chunk in chunks if chunk.metadata["block_type"] != "text"]
    blocks = [block for block in SemanticXmlLoader(BUNDLE).load() if block.metadata["block_type"] != "text"]
    assert [block.page_content for block in blocks] == [chunk.page_content for chunk in elements]
    for block, chunk in zip(blocks, elements, strict=True):
        assert block.metadata == {key: value for key, value in chunk.metadata.items() if key not in PART_KEYS}


@settings(max_examples=100)
@given(bundles())
def test_the_blocks_of_any_bundle_are_found_and_lie_where_they_say(bundle: Bundle) -> None:
    documents = parse(bundle.text)
    assert [(document.metadata["block_type"], document.metadata["identity"]) for document in documents] == [
        (block.type, block.identity) for block in bundle.blocks
    ]
    for document, block in zip(documents, bundle.blocks, strict=True):
        known = document.metadata
        assert document.page_content == bundle.text[known["start_index"] : known["end_index"]]
        assert document.page_content.endswith(bundle.text[block.start : block.end])
        assert bundle.text[known["start_index"] : block.start].strip(" \t") == ""
        assert known["start_line"] == bundle.text.count("\n", 0, known["start_index"]) + 1


@settings(max_examples=50)
@given(bundles())
def test_blocks_do_not_depend_on_the_windows_that_a_file_is_read_in(bundle: Bundle) -> None:
    """Rule: L7."""
    whole = parse(bundle.text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "_SMALLEST_WINDOW", 16)
        patch.setattr(streams, "_USUAL_WINDOW", 64)
        assert parse(bundle.text) == whole


def test_documents_come_while_the_file_is_read(tmp_path: Path) -> None:
    data = make_bundle([SourceFile(f"{number}.py", "x = 1\n" * 100) for number in range(2000)], "ace").text.encode()
    path = tmp_path / "bundle.xml"
    path.write_bytes(data + b"\xff")
    documents = SemanticXmlLoader(path).lazy_load()
    assert next(documents).metadata["block_type"] == "text"
    assert next(documents).metadata["identity"] == "0.py"
    with pytest.raises(UnreadableFileError, match=f"byte 0xff is not utf-8 .*, at offset {len(data)}; name the enc"):
        list(documents)


def test_no_more_of_a_file_is_held_than_a_few_of_its_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule: L7."""
    monkeypatch.setattr(streams, "_USUAL_WINDOW", 1 << 16)
    block = "x = 1\n" * 5_000
    text = make_bundle([SourceFile(f"{number}.py", block) for number in range(400)], "ace").text
    loader = SemanticXmlLoader(write(tmp_path / "bundle.xml", text))
    tracemalloc.start()
    try:
        assert sum(1 for _ in loader.lazy_load()) == 402
        assert tracemalloc.get_traced_memory()[1] < len(text) / 3
    finally:
        tracemalloc.stop()


def test_line_ends_and_a_byte_order_mark_are_counted_as_they_stand(tmp_path: Path) -> None:
    text = "\ufeff  <file path='a'>\r\nx\r\n  </file>\r\n"
    (document,) = SemanticXmlLoader(write(tmp_path / "a.xml", text)).load()
    assert document.page_content == text[1:-2]
    assert [document.metadata[key] for key in POSITION_KEYS] == [1, len(text) - 2, 1, 3, 1, 1]


def test_other_elements_are_blocks_if_they_are_named() -> None:
    blob = Blob.from_data("<note title='a'>x</note>")
    assert identities(SemanticXmlBlobParser().parse(blob)) == []
    assert identities(SemanticXmlBlobParser(elements=[ElementRule("note", ("title",))]).parse(blob)) == ["a"]


def test_positions_are_left_out_if_they_are_not_wanted() -> None:
    for document in SemanticXmlLoader(BUNDLE, add_start_index=False).load():
        assert set(POSITION_KEYS).isdisjoint(document.metadata)


def test_a_blobs_own_metadata_come_first_and_are_shared_with_nobody() -> None:
    """Rule: M1."""
    own = {"tags": ["a"], "part": 7, "block_type": "mine"}
    blob = Blob.from_data(read(BUNDLE), metadata=own)
    documents = SemanticXmlBlobParser().parse(blob)
    documents[0].metadata["tags"].append("b")
    assert documents[1].metadata["tags"] == own["tags"] == ["a"]
    for document in documents:
        assert (document.metadata["part"], document.metadata["block_type"]) == (7, "mine")
        assert "chunk_part" not in document.metadata
        assert document.metadata["source"] is None
    assert documents[1].metadata["chunk_block_type"] == "file"


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda text, _: Blob.from_data(text), id="text"),
        pytest.param(lambda text, _: Blob.from_data(text.encode("utf-16"), encoding="utf-16"), id="bytes"),
        pytest.param(lambda text, folder: Blob.from_path(write(folder / "a", text)), id="a path"),
        pytest.param(lambda text, _: Blob.from_data(gzip.compress(text.encode()), path="a.gz"), id="packed bytes"),
        pytest.param(lambda text, _: Blob.from_data(text, path="a.gz"), id="text that was unpacked before"),
    ],
)
def test_every_kind_of_blob_gives_the_same_blocks(make: Callable[[str, Path], Blob], tmp_path: Path) -> None:
    documents = SemanticXmlBlobParser().parse(make(read(BUNDLE), tmp_path))
    assert [document.page_content for document in documents] == [block.content for block in parse_blocks(read(BUNDLE))]


# Ids.


def test_ids_are_the_same_on_every_run_and_different_for_every_block() -> None:
    text = read(BUNDLE) * 2  # each block twice
    ids = [document.id for document in parse(text)]
    assert ids == [document.id for document in parse(text)]
    assert len(set(ids)) == len(ids)


def test_a_block_that_only_moves_keeps_its_id() -> None:
    before, after = parse(read(BUNDLE)), parse("An introduction.\n\n" + read(BUNDLE))
    assert before[1].metadata["start_index"] < after[1].metadata["start_index"]
    assert [document.id for document in after[1:]] == [document.id for document in before[1:]]
    assert after[0].id != before[0].id


def test_the_same_block_of_another_file_has_another_id() -> None:
    ids = {
        document.id
        for name in ("a.xml", "b.xml")
        for document in SemanticXmlBlobParser().parse(Blob.from_data("<file>x</file>", path=name))
    }
    assert len(ids) == 2


# Into a splitter.


def test_the_keys_of_a_chunk_stand_beside_those_of_its_block() -> None:
    splitter = SemanticXmlSplitter(300)
    for block in SemanticXmlLoader(BUNDLE).load():
        chunks = splitter.split_documents([block])
        alone = splitter.create_documents([block.page_content])
        check_laws(block.page_content, alone, chunk_size=300)
        for chunk, expected in zip(chunks, alone, strict=True):
            known = chunk.metadata
            kept = {key: value for key, value in block.metadata.items() if key not in CONTENT_LINE_KEYS}
            assert kept.items() <= known.items()
            assert chunk.page_content == expected.page_content
            for key in {*KEYS, *POSITION_KEYS} - {"parent_id"}:
                moved = key not in PART_KEYS and key not in CONTENT_LINE_KEYS
                assert known[f"chunk_{key}" if moved else key] == expected.metadata[key]
            assert known["parent_id"] == block.id


def test_load_and_split_gives_the_chunks_of_each_block() -> None:
    splitter = SemanticXmlSplitter(300)
    chunks = SemanticXmlLoader(BUNDLE).load_and_split(splitter)
    assert chunks == splitter.split_documents(SemanticXmlLoader(BUNDLE).load())
    assert {chunk.metadata["part"] for chunk in chunks} > {None, 1, 2}


def test_a_chunks_place_is_the_sum_of_both_positions() -> None:
    text = read(BUNDLE)
    for chunk in SemanticXmlLoader(BUNDLE).load_and_split(SemanticXmlSplitter(300, repeat=None, separator=None)):
        known = chunk.metadata
        start = known["start_index"] + known["chunk_start_index"]
        assert text[start : start + len(chunk.page_content)] == chunk.page_content
        assert known["start_line"] + known["chunk_start_line"] - 1 == text.count("\n", 0, start) + 1


@pytest.mark.parametrize("style", STYLES)
def test_elements_stay_whole_whatever_their_layout(style: str) -> None:
    bundle = make_bundle(FILES, style)
    blob = Blob.from_data(bundle.text, path="bundle.xml")
    blocks = SemanticXmlBlobParser().parse(blob)
    chunks = [
        chunk for chunk in SemanticXmlSplitter().split_documents(blocks) if chunk.metadata["block_type"] != "text"
    ]
    assert [chunk.metadata["chunk_identity"] for chunk in chunks] == [element.identity for element in bundle.truth]
    assert [chunk.page_content.lstrip() for chunk in chunks] == [
        bundle.text[element.start : element.end] for element in bundle.truth
    ]


# Files and folders.


def test_a_folder_is_loaded_in_order_and_each_document_names_its_file(tmp_path: Path) -> None:
    write(tmp_path / "b.xml", "<file path='2'>x</file>")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "c.xml.gz").write_bytes(gzip.compress(b"<file path='1'>x</file>"))
    documents = SemanticXmlLoader(tmp_path).load()
    assert identities(documents) == ["1", "2"]
    sources = [tmp_path / "a" / "c.xml.gz", tmp_path / "b.xml"]
    assert [document.metadata["source"] for document in documents] == [str(source) for source in sources]


def test_a_glob_chooses_among_the_files(tmp_path: Path) -> None:
    write(tmp_path / "a.xml", "<file path='a'>x</file>")
    write(tmp_path / "b.md", "<file path='b'>x</file>")
    assert identities(SemanticXmlLoader(tmp_path, glob="*.md").load()) == ["b"]
    assert identities(SemanticXmlLoader(f"{tmp_path}/*.xml").load()) == ["a"]


def test_a_missing_file_is_an_error_before_the_first_document_is_asked_for(tmp_path: Path) -> None:
    loader = SemanticXmlLoader(tmp_path / "no.xml", on_error="skip")
    with pytest.raises(FileNotFoundError, match=r"no file or folder .*no\.xml"):
        loader.lazy_load()


def test_an_encoding_is_used(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes("<file path='ä'>x</file>".encode("cp1252"))
    assert identities(SemanticXmlLoader(tmp_path, encoding="cp1252").load()) == ["ä"]


@pytest.fixture(params=["an undecodable file", "a cut gzip file", "a file that has gone"])
def folder_with_bad_file(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Callable[[], None]]:
    """Three files, the second of them bad, and what must be done between listing and reading."""
    write(tmp_path / "a.xml", "<file path='a'>x</file>")
    write(tmp_path / "c.xml", "<file path='c'>x</file>")
    bad = tmp_path / "b.xml"
    if request.param == "a file that has gone":
        return write(bad, "soon gone"), bad.unlink
    if request.param == "a cut gzip file":
        bad = tmp_path / "b.gz"
        bad.write_bytes(gzip.compress(b"<file path='b'>x</file>" * 3000)[:-9])
    else:
        bad.write_bytes(b"<file path='b'>x</file>" * 3000 + b"\xff")
    return bad, lambda: None


def test_a_bad_file_ends_loading_with_its_name(folder_with_bad_file: tuple[Path, Callable[[], None]]) -> None:
    bad, meanwhile = folder_with_bad_file
    documents = SemanticXmlLoader(bad.parent).lazy_load()
    meanwhile()
    assert next(documents).metadata["identity"] == "a"
    with pytest.raises((UnreadableFileError, FileNotFoundError), match=bad.name):
        list(documents)


def test_a_bad_file_is_skipped_as_a_whole_if_wanted(folder_with_bad_file: tuple[Path, Callable[[], None]]) -> None:
    bad, meanwhile = folder_with_bad_file
    documents = SemanticXmlLoader(bad.parent, on_error="skip").lazy_load()
    meanwhile()
    with pytest.warns(UserWarning, match=f"{bad.name} is skipped: "):
        assert identities(list(documents)) == ["a", "c"]


def test_skipping_warns_of_nothing_where_all_is_well() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert SemanticXmlLoader(BUNDLE, on_error="skip").load() == SemanticXmlLoader(BUNDLE).load()


def test_the_documents_are_the_same_when_they_are_awaited() -> None:
    async def collect() -> list[Document]:
        return [document async for document in SemanticXmlLoader(BUNDLE).alazy_load()]

    assert asyncio.run(collect()) == asyncio.run(SemanticXmlLoader(BUNDLE).aload()) == SemanticXmlLoader(BUNDLE).load()


def test_progress_is_shown_on_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    write(tmp_path / "a.xml", read(BUNDLE))
    write(tmp_path / "b.xml", read(BUNDLE))
    documents = SemanticXmlLoader(tmp_path, show_progress=True).load()
    captured = capsys.readouterr()
    assert documents == SemanticXmlLoader(tmp_path).load()
    assert captured.out == ""
    assert "2/2" in captured.err


def test_progress_without_tqdm_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(ImportError, match=r'pip install "langchain-semantic-xml\[progress\]"'):
        SemanticXmlLoader(BUNDLE, show_progress=True).lazy_load()


# Wrong options.


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"path": b"a.xml"}, TypeError, "path=b'a.xml' must be a str or a path, not bytes"),
        ({"path": ""}, ValueError, "path='' names nothing"),
        ({"path": "https://tea.example/a.xml"}, ValueError, r"is an address, not a file; download it first"),
        ({"glob": 3}, TypeError, "glob=3 must be a str, not int"),
        ({"glob": ""}, ValueError, "glob='' matches nothing"),
        ({"encoding": None}, TypeError, "encoding=None must be a str"),
        ({"encoding": "utf-9"}, ValueError, "encoding='utf-9' is no text encoding"),
        ({"elements": "file"}, TypeError, "elements='file' must be an iterable"),
        ({"on_error": "ignore"}, ValueError, "on_error='ignore' must be"),
        ({"on_error": []}, ValueError, r"on_error=\[\] must be"),
        ({"show_progress": 1}, TypeError, "show_progress=1 must be True or False"),
        ({"add_start_index": 1}, TypeError, "add_start_index=1 must be True or False"),
    ],
)
def test_a_wrong_option_is_named_with_its_remedy(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        SemanticXmlLoader(**{"path": ".", **options})


def test_what_is_no_blob_or_names_no_encoding_is_refused() -> None:
    parser = SemanticXmlBlobParser()
    with pytest.raises(TypeError, match="blob must be a Blob, not str; make one with"):
        parser.parse("a.xml")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="encoding='utf-9' is no text encoding"):
        parser.parse(Blob.from_data(b"x", encoding="utf-9"))


@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_a_loader_can_be_used_again(on_error: OnError) -> None:
    loader = SemanticXmlLoader(BUNDLE, on_error=on_error)
    assert loader.load() == loader.load()
