"""Which files a path means, and their text: in pieces, as it stands, and with errors that say where."""

from __future__ import annotations

import gzip
import io
import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_semantic_xml._text.checks import check_encoding
from langchain_semantic_xml._text.files import find_files, read_text
from langchain_semantic_xml.errors import UnreadableFileError

PIECE = 1 << 16


def text_of(data: bytes, name: str = "a.xml", encoding: str = "utf-8") -> str:
    return "".join(read_text(io.BytesIO(data), name, encoding))


def make_files(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def names_of(folder: Path, path: str, glob: str | None = None) -> list[str]:
    return [found.relative_to(folder).as_posix() for found in find_files(folder / path, glob)]


# Text.


@settings(max_examples=50)
@given(st.text(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-7"]), st.integers(0, 4))
def test_text_is_read_as_it_was_written(text: str, encoding: str, before: int) -> None:
    written = "é" * ((PIECE - before) // 2) + text  # characters lie across the edge of the first piece
    assert text_of(written.encode(encoding), encoding=encoding) == written


def test_line_ends_and_the_byte_order_mark_stay() -> None:
    assert text_of(b"\xef\xbb\xbfa\r\nb\rc\n") == "\ufeffa\r\nb\rc\n"


@pytest.mark.parametrize("name", ["a.gz", "a.xml.GZ"])
def test_a_file_with_the_suffix_gz_is_unpacked(name: str) -> None:
    assert text_of(gzip.compress("ä\r\n".encode()) * 2, name) == "ä\r\n" * 2


@pytest.mark.parametrize(
    ("data", "encoding", "offset", "problem"),
    [
        pytest.param(b"abc\xffdef", "utf-8", 3, "byte 0xff is not utf-8 (invalid start byte)", id="a wrong byte"),
        pytest.param(b"abc\xc3", "utf-8", 3, "byte 0xc3 is not utf-8 (unexpected end of data)", id="cut at the end"),
        pytest.param(b"a" * PIECE + b"\xff", "utf-8", PIECE, "byte 0xff is not utf-8", id="in the second piece"),
        pytest.param(
            b"a" * (PIECE - 1) + b"\xe2\x82" + b"a" * PIECE, "utf-8", PIECE - 1, "byte 0xe2", id="across the edge"
        ),
        pytest.param(b"a" * 3 * PIECE + b"\xed\xa0\x80", "utf-8", 3 * PIECE, "byte 0xed", id="a surrogate"),
        pytest.param(b"caf\xe9", "ascii", 3, "byte 0xe9 is not ascii", id="another encoding"),
        pytest.param(b"a\0b\0\0\xdc", "utf-16-le", 4, "byte 0x00 is not utf-16-le", id="two bytes a unit"),
        pytest.param(b"\x82\xa0\x82\xff", "shift_jis", 2, "byte 0x82 is not shift_jis", id="a multibyte codec"),
    ],
)
def test_what_is_not_in_the_encoding_is_named_with_its_place(
    data: bytes, encoding: str, offset: int, problem: str
) -> None:
    with pytest.raises(UnreadableFileError) as caught:
        text_of(data, "b.xml", encoding)
    assert caught.value.offset == offset
    assert str(caught.value).startswith(f"b.xml: {problem}")
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(
            gzip.compress(b"tea"),
            "b.xml: it is packed with gzip, but its name does not end in .gz, at offset 0; rename it, or unpack it",
            id="gzip under another name",
        ),
        pytest.param(
            "tea".encode("utf-16"), "its byte-order mark says utf-16, at offset 0; name the encoding", id="16"
        ),
        pytest.param("tea".encode("utf-32"), "its byte-order mark says utf-32, at offset 0; name the", id="32"),
        pytest.param(b"\x89PNG\r\n\0\0", "it is binary, not text, at offset 0; give a text file", id="binary"),
    ],
)
def test_a_file_that_can_be_recognised_is_named_for_what_it_is(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableFileError) as caught:
        text_of(data, "b.xml")
    assert message in str(caught.value)


PACKED = gzip.compress(os.urandom(2 * PIECE).hex().encode())


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"plain text", id="never packed"),
        pytest.param(PACKED[:-4], id="without its end"),
        pytest.param(PACKED[: len(PACKED) // 2], id="half of it"),
        pytest.param(PACKED[:-8] + b"\0" * 8, id="with a wrong checksum"),
        pytest.param(PACKED[:100] + b"\xff" * 100 + PACKED[200:], id="damaged inside"),
        pytest.param(PACKED + b"rubbish", id="with rubbish behind"),
    ],
)
def test_a_damaged_gzip_file_is_named(data: bytes) -> None:
    with pytest.raises(UnreadableFileError, match=r"^b\.gz: the gzip data is damaged or ends too early .*pack it anew"):
        text_of(data, "b.gz")


def test_in_a_gzip_file_offsets_count_unpacked_bytes() -> None:
    with pytest.raises(UnreadableFileError) as caught:
        text_of(gzip.compress(b"a" * 3 * PIECE + b"\xff"), "b.gz")
    assert caught.value.offset == 3 * PIECE


def test_the_offset_of_damaged_gzip_data_is_how_far_unpacking_came() -> None:
    pieces: list[str] = []
    with pytest.raises(UnreadableFileError) as caught:
        pieces.extend(read_text(io.BytesIO(PACKED[: len(PACKED) // 2]), "b.gz", "utf-8"))
    assert caught.value.offset == sum(map(len, pieces)) > 0


def test_the_error_pickles() -> None:
    error = UnreadableFileError("a.xml", 7, "byte 0xff is not utf-8", "name the encoding it has")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (str(copy), copy.source, copy.offset) == (str(error), "a.xml", 7)


@pytest.mark.parametrize("encoding", ["utf-9", "hex", ""])
def test_what_is_no_text_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(ValueError, match=f"encoding={encoding!r} is no text encoding"):
        check_encoding(encoding)


# Paths.


def test_a_file_is_itself_whatever_its_name(tmp_path: Path) -> None:
    make_files(tmp_path, ".hidden", "a[1].xml", "a1.xml")
    assert names_of(tmp_path, ".hidden") == [".hidden"]
    assert names_of(tmp_path, "a[1].xml") == ["a[1].xml"]


def test_a_folder_means_all_its_files_in_the_order_of_their_paths(tmp_path: Path) -> None:
    make_files(tmp_path, "b.xml", "a/z.md", "a/b/c", "a.txt", ".git/config", "a/.DS_Store")
    assert names_of(tmp_path, "") == ["a/b/c", "a/z.md", "a.txt", "b.xml"]


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("*.xml", ["b.xml"]),
        ("**/*.xml", ["a/c.xml", "b.xml"]),
        ("a/**", ["a/c.xml", "a/d.md"]),
        ("**", ["a/c.xml", "a/d.md", "b.xml"]),
        ("**/**/*.md", ["a/d.md"]),
        (".cache/*", [".cache/e.xml"]),
        ("[ab].xml", ["b.xml"]),
    ],
)
@pytest.mark.parametrize("way", ["as glob", "as path"])
def test_a_pattern_chooses_the_same_files_in_either_place(
    tmp_path: Path, glob: str, names: list[str], way: str
) -> None:
    make_files(tmp_path, "b.xml", "a/c.xml", "a/d.md", ".cache/e.xml")
    assert (names_of(tmp_path, glob) if way == "as path" else names_of(tmp_path, "", glob)) == names


def test_a_link_to_a_folder_is_not_followed_round_and_round(tmp_path: Path) -> None:
    make_files(tmp_path, "a/b.xml")
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert names_of(tmp_path, "") == ["a/b.xml"]


@pytest.mark.parametrize(
    ("path", "glob", "error", "message"),
    [
        ("nothing.xml", None, FileNotFoundError, r"no file or folder .*nothing\.xml'; a relative path begins at "),
        ("nothing.xml", "*", FileNotFoundError, r"no file or folder .*nothing\.xml'"),
        ("*.md", None, FileNotFoundError, r"no file in .* matches '\*\.md'; change the pattern"),
        ("nowhere/*.md", None, FileNotFoundError, r"no file in .*nowhere' matches '\*\.md'"),
        ("empty", None, FileNotFoundError, r"there is no file in .*empty' and its folders, hidden ones aside"),
        ("a.xml", "*.xml", ValueError, r"glob='\*\.xml' chooses files of a folder, but .*a\.xml' is a file"),
        ("", "/etc/*", ValueError, r"glob='/etc/\*' is no pattern of paths in a folder"),
    ],
)
def test_where_no_file_is_meant_the_error_says_what_to_change(
    tmp_path: Path, path: str, glob: str | None, error: type[Exception], message: str
) -> None:
    make_files(tmp_path, "a.xml")
    (tmp_path / "empty").mkdir()
    with pytest.raises(error, match=message):
        find_files(tmp_path / path, glob)


@pytest.mark.parametrize(
    ("data", "encoding", "line"),
    [
        pytest.param(b"a\r\nb\n\xff", "utf-8", 3, id="in the first piece"),
        pytest.param(b"\n" * 2 * PIECE + b"\xff", "utf-8", 2 * PIECE + 1, id="in a later piece"),
        pytest.param(b"\n" * (PIECE - 1) + b"\xe2\x82a", "utf-8", PIECE, id="across the edge"),
        pytest.param("\ufeffa\nb\n".encode("utf-16-be") + b"\xdc\0", "utf-16", 3, id="two bytes a unit"),
        pytest.param(b"a\r\nb\x81", "cp1252", 2, id="one byte a character"),
    ],
)
def test_an_undecodable_byte_is_named_with_its_line(data: bytes, encoding: str, line: int) -> None:
    with pytest.raises(UnreadableFileError, match=f"in line {line}, at offset") as caught:
        text_of(data, "b.xml", encoding)
    assert caught.value.line == line


def test_text_that_does_not_say_its_byte_order_is_named() -> None:
    with pytest.raises(UnreadableFileError, match=r"^b\.xml: .* is not utf-16 \(.*BOM\).*, at offset 0; name the enc"):
        text_of(b"ab\n" * 9, "b.xml", "utf-16")
