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

_READ_SIZE = 1 << 16
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
    for data in _read_bytes(file, name):
        end += len(data)
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            # `error.object` ends where reading has come to; it may begin with bytes of an earlier piece.
            offset = end - len(error.object) + error.start
            line += error.object[: error.start].decode(error.encoding, "replace").count("\n")
            problem = f"byte 0x{error.object[error.start]:02x} is not {encoding} ({error.reason})"
            raise UnreadableFileError(name, offset, problem, "name the encoding it has", line) from error
        except UnicodeError as error:  # UTF-16 or UTF-32 that does not say its byte order
            problem = f"it is not {encoding} ({error})"
            raise UnreadableFileError(name, end - len(data), problem, "name the encoding it has") from error
        line += text.count("\n")
        yield text


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
    msg = (
        f"no file in {os.fspath(folder)!r} matches {pattern!r}; change the pattern, "
        "or begin a part of it with a dot if it means hidden files"
    )
    raise FileNotFoundError(msg)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
