"""The output of the command: standard output, or a file that appears whole or not at all.

Knows nothing of the contents.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO

from langchain_semantic_xml._cli.errors import CommandError, PipeClosedError, reason_of
from langchain_semantic_xml._cli.reading import STANDARD
from langchain_semantic_xml._text.files import is_packed
from langchain_semantic_xml._text.replacing import BUFFER, replace_file


def check_output(path: str, bundles: Sequence[str]) -> None:
    """Check, before any work, that a file can be written at `path`, and that it is not one of the bundles.

    Raises:
        CommandError: If its folder is missing, or it is a folder or a bundle.
    """
    if path == STANDARD:
        return
    target = Path(path)
    try:
        if target.is_dir():
            msg = f"{path}: is a folder; name a file in it"
            raise CommandError(msg)
        if not target.parent.is_dir():
            msg = f"{path}: its folder {str(target.parent)!r} does not exist; make it first"
            raise CommandError(msg)
        for bundle in bundles:
            if bundle != STANDARD and target.exists() and target.samefile(bundle):
                msg = f"{path}: is read as a bundle and cannot be the output; give -o another name"
                raise CommandError(msg)
    except OSError as error:
        raise _make_error(path, error) from error


@contextmanager
def open_output(path: str) -> Iterator[IO[bytes]]:
    """Open a file for writing that appears at `path` only when it is complete.

    Until then it stands in the same folder, under a name that begins with a dot. An earlier file at `path` stays if
    anything goes wrong: an error, an interrupt or a full disk. A device or a named pipe is written to directly. The
    contents are packed if the name ends in `.gz`.

    Args:
        path: The path of the file, or `-` for standard output. Links are followed.

    Raises:
        CommandError: If it cannot be written.
        PipeClosedError: If the reader of the output has closed it.
    """
    try:
        if path == STANDARD:
            with _open_standard_output() as file:
                yield file
        elif _is_special(path):
            with open(path, "wb") as file, _pack(file, path) as packed:  # noqa: PTH123 - the path is shown as it was given
                yield packed
        else:
            with replace_file(Path(os.path.realpath(path))) as file, _pack(file, path) as packed:
                yield packed
    except BrokenPipeError as error:
        raise PipeClosedError from error
    except OSError as error:
        raise _make_error(path, error) from error


def _make_error(path: str, error: OSError) -> CommandError:
    name = "standard output" if path == STANDARD else path
    remedy = (
        "see where it goes" if path == STANDARD else "an earlier file stays as it was; choose another place with -o"
    )
    return CommandError(f"{name}: cannot be written: {reason_of(error)}; {remedy}")


def _is_special(path: str) -> bool:
    """Return whether `path` exists and is not a regular file: a device must not be replaced by a file."""
    return os.path.exists(path) and not os.path.isfile(path)  # noqa: PTH110, PTH113 - links are followed


@contextmanager
def flush_standard_output() -> Iterator[None]:
    """Flush the help or the version at the end, and turn a fault of standard output into an error of the command.

    Raises:
        CommandError: If it cannot be written.
        PipeClosedError: If the reader of the output has closed it.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if sys.stdout is not None:
            _discard(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise PipeClosedError from error
        raise _make_error(STANDARD, error) from error


@contextmanager
def _open_standard_output() -> Iterator[IO[bytes]]:
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except OSError:
        _discard(sys.stdout)
        raise


def _discard(stream: TextIO) -> None:
    """Send the buffer of a stream to the null device, so that Python does not fail on it again at its end."""
    with suppress(OSError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device
        os.dup2(nowhere.fileno(), stream.fileno())


@contextmanager
def _pack(file: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    if not is_packed(path):
        yield file
        return
    # Without name and time the same input gives the same bytes. Level 6 is the default of the program gzip.
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed,
        io.BufferedWriter(packed, BUFFER) as buffered,
    ):
        yield buffered
