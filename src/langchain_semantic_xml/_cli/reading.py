"""The bundles that the command reads: files and standard input, as text in pieces.

Knows nothing of blocks or chunks.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from typing_extensions import Buffer, override

from langchain_semantic_xml._cli.errors import CommandError, reason_of
from langchain_semantic_xml._text.files import find_files, read_text
from langchain_semantic_xml.errors import UnreadableFileError

STANDARD = "-"
"""Standard input, or standard output."""

_MAGIC = frozenset("*?[")

Report = Callable[[int], object]
"""A function that is called with the number of bytes that were just read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How bundles are read.

    Args:
        encoding: The name of a text encoding.
        errors: How bytes that are not text in it are read: the name of an error handler of Python's codecs.
        lookahead: After this many characters without a decision, decide as if the text ended there.
        glob: Which files of a folder are read; `None` for all.
        gitignore: Whether files of a folder that git ignores are left out.
        unescape: Whether the escaped contents of elements are decoded.
    """

    encoding: str
    errors: str
    lookahead: int
    glob: str | None = None
    gitignore: bool = True
    unescape: bool = False


def expand_patterns(paths: Sequence[str]) -> tuple[str, ...]:
    """Return paths with each pattern such as `"bundles/*.xml"` replaced by the files that it matches.

    A shell does so before the command begins, unless the pattern is quoted. An existing file keeps its name.

    Raises:
        CommandError: If a pattern matches no file.
    """
    expanded: list[str] = []
    for path in paths:
        if path == STANDARD or _MAGIC.isdisjoint(path) or os.path.lexists(path):
            expanded.append(path)
            continue
        try:
            expanded += map(os.fspath, find_files(Path(path)))
        except (FileNotFoundError, ValueError) as error:
            msg = f"{path}: {error}"
            raise CommandError(msg) from error
    return tuple(expanded)


def check_bundles(paths: Sequence[str]) -> int | None:
    """Check, before any work, that the bundles exist; return their size in bytes if it is known.

    Raises:
        CommandError: If a bundle is missing, or standard input is given twice.
    """
    if paths.count(STANDARD) > 1:
        msg = f"standard input ({STANDARD}) can be read only once; name it once"
        raise CommandError(msg)
    states = [None if path == STANDARD else _find_state(path) for path in paths]
    sizes = [state.st_size if state and stat.S_ISREG(state.st_mode) else None for state in states]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _find_state(path: str) -> os.stat_result:
    try:
        return os.stat(path)  # noqa: PTH116 - the path is shown as it was given
    except FileNotFoundError as error:
        if "://" in path:
            msg = f"{path}: is an address, not a file; download it first, or pipe it into {STANDARD}"
            raise CommandError(msg) from error
        msg = f"{path}: there is no such file; check the path, or give {STANDARD} for standard input"
        raise CommandError(msg) from error
    except OSError as error:
        msg = f"{path}: {reason_of(error)}; check the path"
        raise CommandError(msg) from error


def read_bundle(path: str, reading: Reading, report: Report) -> Iterator[str]:
    """Yield the text of a bundle in pieces, with its own line ends.

    Args:
        path: A file, unpacked if its name ends in `.gz`, or `-`.
        reading: How it is read.
        report: Called with the number of bytes at each read; of a packed file, packed bytes.

    Raises:
        CommandError: If it cannot be read, is not text in the encoding, or its gzip data are damaged.
    """
    name = "standard input" if path == STANDARD else path
    try:
        with _open_bundle(path, report) as file:
            yield from read_text(file, name, reading.encoding, reading.errors)
    except UnreadableFileError as error:
        place = name if error.line is None else f"{name}, line {error.line}"
        remedy = (
            error.remedy if error.line is None else "name its --encoding, or read on with --encoding-errors replace"
        )
        msg = f"{place}: {error.problem}, at byte {error.offset}; {remedy}"
        raise CommandError(msg) from error
    except OSError as error:
        msg = f"{name}: {reason_of(error)}; see that the file can be read"
        raise CommandError(msg) from error


@contextmanager
def _open_bundle(path: str, report: Report) -> Iterator[IO[bytes]]:
    """Open a bundle for reading; standard input is left open."""
    if path == STANDARD:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed")
        yield io.BufferedReader(_ReportingStream(sys.stdin.buffer, report))
        return
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - the path is shown as it was given
        yield io.BufferedReader(_ReportingStream(file, report))


class _ReportingStream(io.RawIOBase):
    """A stream of bytes that reports how many bytes were read from it.

    Each read is one call of the system, so that signals are handled between two calls: `read` of a buffered stream goes
    on in C until all bytes are there. The bars of rich cannot do this, nor begin only after a second of work.

    Args:
        stream: The stream to read from; closing this one does not close it.
        report: Called with the number of bytes at each read.
    """

    def __init__(self, stream: io.RawIOBase | IO[bytes], report: Report) -> None:
        super().__init__()
        self._read: Callable[[int], bytes | None] = getattr(stream, "read1", stream.read)
        self._report = report

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)
        data = self._read(len(view)) or b""
        view[: len(data)] = data
        self._report(len(data))
        return len(data)
