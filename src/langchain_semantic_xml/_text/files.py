"""Files as text: which files a path means, and their contents in pieces, with their own line ends.

Every error names the file, the place in it and the remedy. Knows nothing of blocks or Documents.
"""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import IO

from langchain_semantic_xml.errors import Mention, OptionValueError, UnreadableFileError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte-order marks and the encodings that they announce; the marks of UTF-32 begin with those of UTF-16."""

_READ_SIZE = 1 << 16
_GZIP = b"\x1f\x8b"
LOOKED_AT = 8000
"""How many bytes are searched for a NUL, which text does not have: as many as git searches."""
_EVERYTHING = "**/*"
_MAGIC = frozenset("*?[")


def read_text(file: IO[bytes], name: str, encoding: str, errors: str = "strict") -> Iterator[str]:
    r"""Yield the text of an open file in pieces; one whose name ends in `.gz` is unpacked.

    Args:
        file: A file that is open for reading in binary mode.
        name: Its name in errors.
        encoding: A text encoding.
        errors: How bytes that are not text in it are read: the name of an error handler of Python's codecs.

    Raises:
        UnreadableFileError: If it is not text in this encoding, or its gzip data are damaged.
        OSError: If it cannot be read.

    Example:
        >>> from io import BytesIO
        >>> list(read_text(BytesIO(b"a\r\nb"), "a.txt", "utf-8"))
        ['a\r\nb', '']
    """
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    end, line = 0, 1
    begin = b""
    for data in _read_bytes(file, name):
        begin = begin or data[:LOOKED_AT]
        end += len(data)
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            # `error.object` ends where reading has come to; it may begin with bytes of an earlier piece.
            offset = end - len(error.object) + error.start
            line += error.object[: error.start].decode(error.encoding, "replace").count("\n")
            if not is_wide(encoding) and (known := recognise(begin)):
                raise UnreadableFileError(name, 0, *known) from error
            problem = f"byte 0x{error.object[error.start]:02x} is not {encoding} ({error.reason})"
            raise UnreadableFileError(name, offset, problem, "name the encoding it has", line) from error
        except UnicodeError as error:  # UTF-16 or UTF-32 that does not say its byte order
            problem = f"it is not {encoding} ({error})"
            raise UnreadableFileError(name, end - len(data), problem, "name the encoding it has") from error
        line += text.count("\n")
        yield text


def recognise(begin: bytes) -> tuple[str, str] | None:
    r"""Return what a file is that is not text in the encoding named, and what to do; `None` if that is not clear.

    Args:
        begin: Its first bytes.

    Example:
        >>> recognise(b"\xff\xfea\0")
        ('its byte-order mark says utf-16', 'name the encoding utf-16')
        >>> recognise(b"caf\xe9")
    """
    if begin.startswith(_GZIP):
        return "it is packed with gzip, but its name does not end in .gz", "rename it, or unpack it"
    for mark, encoding in BYTE_ORDER_MARKS:
        if begin.startswith(mark) and encoding != "utf-8-sig":
            return f"its byte-order mark says {encoding}", f"name the encoding {encoding}"
    return ("it is binary, not text", "give a text file") if b"\0" in begin[:LOOKED_AT] else None


def is_wide(encoding: str) -> bool:
    """Return whether characters of an encoding take two or four bytes, so that its texts hold NUL bytes."""
    return codecs.lookup(encoding).name.startswith(("utf-16", "utf-32"))


def is_packed(name: str) -> bool:
    """Return whether the name of a file says that it is packed with gzip."""
    return name.lower().endswith(".gz")


def _read_bytes(file: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the bytes in pieces; the last one is empty."""
    unpacked = gzip.GzipFile(fileobj=file) if is_packed(name) else file
    end = 0
    data = None
    while data != b"":
        try:
            data = unpacked.read(_READ_SIZE)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            problem = f"the gzip data is damaged or ends too early ({error})"
            raise UnreadableFileError(name, end, problem, "pack it anew") from error
        end += len(data)
        yield data


def find_files(path: Path, glob: str | None = None) -> list[Path]:
    """List the files that a path means, in the order of their paths.

    Args:
        path: A file, a folder, or a pattern such as `bundles/**/*.xml`. An existing file or folder with exactly this
            name is preferred to the pattern.
        glob: Which files of a folder; by default all. Hidden files, and files in hidden folders, match only a pattern
            with a part that begins with a dot. `**` follows no links to folders.

    Raises:
        FileNotFoundError: If there is no such file or folder, or no file matches.
        ValueError: If the pattern is malformed, or `glob` is given for a path that is not a folder.
    """
    if path.is_dir():
        return _match_files(path, glob or _EVERYTHING)
    if path.exists():
        if glob is None:
            return [path]
        problem = f"chooses files of a folder, but {os.fspath(path)!r} is a file"
        raise OptionValueError("glob", glob, problem, ("leave ", Mention("glob"), " out"))
    fixed = next((number for number, part in enumerate(path.parts) if not _MAGIC.isdisjoint(part)), None)
    if fixed is None or glob is not None:
        msg = f"there is no file or folder {os.fspath(path)!r}; a relative path begins at {os.fspath(Path.cwd())!r}"
        raise FileNotFoundError(msg)
    return _match_files(Path(*path.parts[:fixed]), "/".join(path.parts[fixed:]))


def _match_files(folder: Path, pattern: str) -> list[Path]:
    parts = PurePath(pattern).parts
    hidden = any(part.startswith(".") for part in parts)
    if parts[-1:] == ("**",):  # releases of Python differ: folders alone, or files too
        pattern = f"{pattern}/*"
    try:
        found = {path for path in folder.glob(pattern) if hidden or not _is_hidden(path.relative_to(folder))}
    except (ValueError, NotImplementedError) as error:
        problem = f"is no pattern of paths in a folder ({error})"
        raise OptionValueError("glob", pattern, problem, "write one such as '**/*.xml'") from error
    if files := sorted(path for path in found if path.is_file()):
        return files
    if pattern == _EVERYTHING:
        msg = f"there is no file in {os.fspath(folder)!r} and its folders, hidden ones aside; check the path"
        raise FileNotFoundError(msg)
    msg = (
        f"no file in {os.fspath(folder)!r} matches {pattern!r}; change the pattern, "
        "or begin a part of it with a dot if it means hidden files"
    )
    raise FileNotFoundError(msg)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
