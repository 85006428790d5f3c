"""Bundles of any size to measure with, made from the sources of the packages that are installed."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from tests.tools.bundle_maker import SourceFile, make_bundle

EMOJI = "\U0001f642"
"""One such character, and Python stores the whole text in four bytes per character."""


class Kind(NamedTuple):
    """What files a bundle is made of.

    Args:
        name: What tables call them.
        least: The fewest bytes of a file.
        most: The most bytes of a file.
    """

    name: str
    least: int
    most: int


LARGE_FILES = Kind("large files", 20_000, 200_000)
SMALL_FILES = Kind("small files", 200, 6_000)

_ENOUGH = 10_000_000
"""So many characters of sources are read; larger bundles hold them several times, under different paths."""


def bundle_text(kind: Kind, size: int, *, emoji: bool) -> str:
    """Return a bundle of about `size` characters: ASCII, or ASCII with one emoji near its end."""
    text = make_bundle(_files(kind, size), "ace").text
    return f"{text}Thank you {EMOJI}\n" if emoji else text


def _files(kind: Kind, size: int) -> Iterator[SourceFile]:
    sources = _sources(kind)
    taken = 0
    for copy in count():
        for source in sources:
            if taken >= size:
                return
            taken += len(source.text)
            yield SourceFile(f"copy-{copy}/{source.path}", source.text)


@lru_cache(maxsize=2)
def _sources(kind: Kind) -> tuple[SourceFile, ...]:
    """Return pure ASCII sources in an order that mixes packages and is the same on every run."""
    folder = Path(sysconfig.get_path("purelib"))
    paths = sorted(folder.rglob("*.py"), key=lambda path: crc32(path.relative_to(folder).as_posix().encode()))
    sources = []
    read = 0
    for path in paths:
        if read < _ENOUGH and kind.least <= path.stat().st_size <= kind.most:
            content = path.read_bytes()
            if content.isascii() and b"\0" not in content:
                sources.append(SourceFile(path.relative_to(folder).as_posix(), content.decode("ascii")))
                read += len(content)
    if not sources:
        msg = f"no Python sources of {kind.least:,} to {kind.most:,} bytes below {folder}; install some packages"
        raise FileNotFoundError(msg)
    return tuple(sources)
