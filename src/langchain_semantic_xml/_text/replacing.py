"""A file that appears whole or not at all. Knows nothing of its contents."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

BUFFER = 1 << 18
_LONGEST_STEM = 40
"""How many characters of its target's name a temporary file has: names end at 255 bytes, a character has up to 4."""


@contextmanager
def replace_file(target: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes the place of `target` only when it is complete.

    Until then it stands in the same folder, under a name that begins with a dot. An earlier file at `target` stays if
    anything goes wrong: an error, an interrupt or a full disk.

    Raises:
        OSError: If it cannot be written.
    """
    beside = target.with_name(f".{target.name[:_LONGEST_STEM]}.{secrets.token_hex(8)}.tmp")
    try:
        # Opened inside the `try`, so that the file is removed if a signal comes between opening and writing.
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(descriptor, "wb", buffering=BUFFER) as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power failure, where the system can."""
    with suppress(OSError):  # Windows opens no folders, some file systems sync none
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
