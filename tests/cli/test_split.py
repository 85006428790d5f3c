"""`semantic-xml split`: JSON lines that load as Documents again, whatever the text holds, and their file."""

from __future__ import annotations

import gzip
import json
import os
import stat
from pathlib import Path

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter
from tests.cli.running import TEXT, Ran, Run, load
from tests.paths import BUNDLE


def test_each_line_loads_as_the_document_that_the_splitter_makes(run: Run) -> None:
    """Rule: L7."""
    ran = run("split", BUNDLE, "--chunk-size", "600")
    assert (ran.code, ran.err) == (0, "")
    assert ran.documents == SemanticXmlSplitter(600).create_documents([TEXT], [{"source": str(BUNDLE)}])


def test_a_line_has_the_fields_of_a_document_and_no_others(run: Run) -> None:
    fields = json.loads(run("split", BUNDLE).out.splitlines()[0])
    assert fields.keys() == Document(page_content="").model_dump().keys()


def test_several_bundles_follow_one_another_under_their_own_names(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_text('<file path="z.py" source="elsewhere">\nz\n</file>\n', encoding="utf-8")
    documents = run("split", BUNDLE, other, "--chunk-size", "600").documents
    assert [document.metadata["source"] for document in documents[-2:]] == [str(BUNDLE), str(other)]
    assert documents[-1].metadata["start_line"] == 1
    assert documents[-1].metadata["file_source"] == "elsewhere"


def test_a_dash_is_standard_input_and_standard_output(run: Run) -> None:
    ran = run("split", "-", "-o", "-", stdin=TEXT.encode())
    assert [(document.page_content, document.metadata["source"]) for document in ran.documents] == [(TEXT.strip(), "-")]


def test_positions_are_exact_whatever_the_line_ends(run: Run, tmp_path: Path) -> None:
    """Rule: L2."""
    bundle = tmp_path / "crlf.xml"
    text = "\ufeff" + TEXT.replace("\n", "\r\n")
    bundle.write_bytes(text.encode())
    documents = run("split", bundle, "--chunk-size", "700", "--keep-whitespace", "--repeat", "none").documents
    assert len(documents) > 3
    for document in documents:
        assert document.page_content == text[document.metadata["start_index"] : document.metadata["end_index"]]


def test_a_name_in_gz_is_unpacked_and_packed(run: Run, tmp_path: Path) -> None:
    bundle, output = tmp_path / "bundle.xml.GZ", tmp_path / "chunks.jsonl.gz"
    bundle.write_bytes(gzip.compress(TEXT.encode()))
    ran = run("split", bundle, "-o", output)
    assert ran == Ran(0, b"", f"semantic-xml: 1 chunk with {len(TEXT.strip()):,} characters in {output}\n")
    first = output.read_bytes()
    assert [document.page_content for document in load(gzip.decompress(first))] == [TEXT.strip()]
    assert run("split", bundle, "-o", output).code == 0
    assert output.read_bytes() == first, "the same input must give the same bytes"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "cp1252", "shift_jis", "utf-7"])
def test_a_bundle_is_read_in_its_encoding(run: Run, tmp_path: Path, encoding: str) -> None:
    text = '<file path="a">\n¶\n</file>\n' if encoding != "shift_jis" else '<file path="a">\n茶\n</file>\n'
    bundle = tmp_path / "bundle.xml"
    bundle.write_bytes((text * 4000).encode(encoding))
    documents = run("split", bundle, "--encoding", encoding, "--chunk-size", "30").documents
    assert {document.page_content for document in documents} == {text.strip()}
    assert len(documents) == 4000


@pytest.mark.parametrize(("errors", "expected"), [("replace", "a\ufffdb"), ("backslashreplace", r"a\xffb")], ids=ascii)
def test_bytes_that_are_no_text_are_replaced_if_wished(run: Run, errors: str, expected: str) -> None:
    ran = run("split", "-", "--encoding-errors", errors, stdin=b"a\xffb")
    assert [document.page_content for document in ran.documents] == [expected]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("<script>alert(1)</script></style><!-- ]]>", "utf-8"),
        ("nul \0 escape \x1b[31m bell \a delete \x7f", "utf-8"),
        ("right to left \u202e and back \u2066", "utf-8"),
        ("lines \u2028 \u2029 \x85 \v \f end", "utf-8"),
        ("\U0001f3c1 \ufffe \uffff \U0010ffff", "utf-8"),
        ('"quotes" \\ and \\u0041 \\n', "utf-8"),
        ("lone \ud800 and \udfff, reversed \udc00\ud800", "raw_unicode_escape"),
    ],
    ids=["markup", "controls", "bidi", "line-separators", "beyond", "escapes", "surrogates"],
)
def test_hostile_text_comes_back_the_same_from_one_line(run: Run, text: str, encoding: str) -> None:
    """Rule: L6."""
    element = f'<file path="a">\n{text}\n</file>'
    ran = run("split", "-", "--encoding", encoding, stdin=element.encode(encoding))
    assert ran.out.isascii()
    assert ran.out.count(b"\n") == 1
    assert [document.page_content for document in ran.documents] == [element]


def test_hostile_attributes_come_back_the_same(run: Run) -> None:
    element = '<file path="\0\ud800\u202e" id="</script>">\nx\n</file>'
    ran = run("split", "-", "--encoding", "raw_unicode_escape", stdin=element.encode("raw_unicode_escape"))
    (document,) = ran.documents
    assert (document.metadata["path"], document.metadata["file_id"]) == ("\0\ud800\u202e", "</script>")


def test_ten_megabytes_in_one_chunk_come_back_the_same(run: Run) -> None:
    text = f'<file path="a">\n{"0123456789" * 1_000_000}\n</file>'
    (document,) = run("split", "-", "--oversized", "keep", stdin=text.encode()).documents
    assert document.page_content == text
    assert document.metadata["oversized"] is True


def test_an_empty_bundle_gives_an_empty_file(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "chunks.jsonl"
    assert run("split", "-", "-o", output) == Ran(0, b"", f"semantic-xml: 0 chunks with 0 characters in {output}\n")
    assert output.read_bytes() == b""


def test_a_new_file_has_the_mode_of_any_new_file(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    output = tmp_path / "chunks.jsonl"
    run("split", BUNDLE, "-o", output)
    assert stat.S_IMODE(output.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


def test_a_file_that_is_replaced_keeps_its_mode_and_its_link(run: Run, tmp_path: Path) -> None:
    output, link = tmp_path / "chunks.jsonl", tmp_path / "link.jsonl"
    output.write_text("old", encoding="utf-8")
    output.chmod(0o640)
    link.symlink_to(output.name)
    run("split", BUNDLE, "-o", link)
    assert link.is_symlink()
    assert len(load(output.read_bytes())) == 1
    assert stat.S_IMODE(output.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chunks.jsonl", "link.jsonl"]


def test_the_longest_name_can_be_written(run: Run, tmp_path: Path) -> None:
    output = tmp_path / ("🫖" * 62 + ".jsonl")
    assert run("split", BUNDLE, "-o", output).code == 0
    assert len(load(output.read_bytes())) == 1


def test_a_device_is_written_to_and_not_replaced(run: Run) -> None:
    ran = run("split", BUNDLE, "-o", os.devnull)
    assert (ran.code, ran.out) == (0, b"")
    assert not Path(os.devnull).is_file()


def test_a_quoted_pattern_means_the_files_that_it_matches(run: Run, tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml", "c.md", "[d].xml"):
        (tmp_path / name).write_text(f"text of {name}", encoding="utf-8")
    sources = [document.metadata["source"] for document in run("split", tmp_path / "*.xml").documents]
    assert sources == [str(tmp_path / name) for name in ("[d].xml", "a.xml", "b.xml")]
    assert [document.page_content for document in run("split", tmp_path / "[d].xml").documents] == ["text of [d].xml"]
