"""Paths → a tree of folders with the number of chunks below each, in the order of the bundle. Knows no HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_DEEPEST = 20
"""How many folders of a path are told apart; what lies deeper is one name."""


class Row(NamedTuple):
    """A row of the tree.

    Args:
        name: The folders or the file that the row adds to the row above.
        level: Its depth, from 1.
        last: The number of the last row below it; its own number if nothing is below it. Rows are numbered from 0.
        chunks: How many chunks are in it or below it.
    """

    name: str
    level: int
    last: int
    chunks: int


@dataclass(slots=True)
class _Folder:
    children: dict[str, _Folder] = field(default_factory=dict)
    chunks: set[int] = field(default_factory=set)
    own: set[int] = field(default_factory=set)


class PathTree:
    """The tree of all paths on a page.

    Args:
        paths: The paths of each chunk, as `split_path` returns them, under its number.

    Attributes:
        rows: Its rows from top to bottom; a row is followed by the rows below it.
    """

    def __init__(self, paths: Mapping[int, Iterable[Sequence[str]]]) -> None:
        self.rows: list[Row] = []
        self._rows_of: dict[int, list[int]] = {}
        root = _Folder()
        for chunk, paths_of_chunk in paths.items():
            for path in paths_of_chunk:
                _add_path(root, path, chunk)
        self._number_rows(root, 1)

    def rows_of(self, chunk: int) -> list[int]:
        """Return the numbers of the rows of a chunk's own paths."""
        return self._rows_of.get(chunk, [])

    def _number_rows(self, folder: _Folder, level: int) -> None:
        for name, child in folder.children.items():
            merged = _merge_only_children(name, child)
            number = len(self.rows)
            self.rows.append(Row(merged[0], level, number, len(merged[1].chunks)))
            for chunk in merged[1].own:
                self._rows_of.setdefault(chunk, []).append(number)
            self._number_rows(merged[1], level + 1)
            self.rows[number] = self.rows[number]._replace(last=len(self.rows) - 1)


def _add_path(root: _Folder, path: Sequence[str], chunk: int) -> None:
    folder = root
    for name in path:
        folder = folder.children.setdefault(name, _Folder())
        folder.chunks.add(chunk)
    folder.own.add(chunk)


def split_path(path: str) -> tuple[str, ...]:
    """Return the folders and the file of a path; a command, a title or an address is one name.

    Example:
        >>> split_path("/usr/lib/a.py"), split_path("ls -l /usr")
        (('/usr', 'lib', 'a.py'), ('ls -l /usr',))
    """
    start = path[:1000]
    names = path.lstrip("/")
    if not names or "://" in start or any(character.isspace() for character in start):
        return (path,)
    root = path[: len(path) - len(names)]
    head, *rest = names.split("/", _DEEPEST - 1)
    return (root + head, *filter(None, rest))


def _merge_only_children(name: str, folder: _Folder) -> tuple[str, _Folder]:
    """Join a folder that holds nothing but another one with it, to one row."""
    while len(folder.children) == 1 and not folder.own:
        [(below, child)] = folder.children.items()
        name, folder = f"{name}/{below}", child
    return name, folder
