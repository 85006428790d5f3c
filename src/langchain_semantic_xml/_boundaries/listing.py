"""The listing of a bundle: the paths of its files, as some bundlers write them before the first file."""

from __future__ import annotations

from functools import cached_property

from langchain_semantic_xml._text.blanks import read_indentation

_OPENING = "<directory_structure>"
_CLOSING = "</directory_structure>"

Paths = frozenset[str]
NO_PATHS: Paths = frozenset()


class Listing:
    """The paths of a bundle's files, if the bundle lists them and its first element is among them.

    Args:
        text: The text.
        begin: The index where the search for elements begins.
        paths: The listed paths, where an element was found before `begin`; `None` where the first is still to be found.

    Attributes:
        paths: As the argument; set when the first element is found.

    Rule: B13.
    """

    def __init__(self, text: str, begin: int = 0, paths: Paths | None = None) -> None:
        self.paths = paths
        self._text = text
        self._begin = begin

    def accept_first(self, identity: str | None, start: int) -> None:
        """Take the outer element of this identity that begins at `start`; if it is the first, it decides."""
        if self.paths is None:
            end, paths = self._find_listing(start)
            self.paths = paths if end >= 0 and identity in paths else NO_PATHS

    def names(self, identity: str | None, start: int) -> bool:
        """Return whether the listing names the element of this identity that begins at `start`."""
        if self.paths is not None:
            return identity in self.paths
        end, paths = self._first
        return 0 <= end <= start and identity in paths

    @cached_property
    def _first(self) -> tuple[int, Paths]:
        return self._find_listing(len(self._text))

    def _find_listing(self, limit: int) -> tuple[int, Paths]:
        """Return end and paths of the first listing that ends before `limit`; -1 and no path without one.

        Its opening tag is alone on a line.
        """
        text = self._text
        opening = text.find(_OPENING, self._begin, limit)
        while opening >= 0:
            line = text.rfind("\n", 0, opening) + 1
            end = opening + len(_OPENING)
            line_end = text.find("\n", end, limit)
            is_first = read_indentation(text, line, opening) is not None
            if is_first and line_end >= 0 and not text[end:line_end].strip():
                closing = text.find(_CLOSING, line_end, limit)
                return (-1, NO_PATHS) if closing < 0 else (closing + len(_CLOSING), read_paths(text[line_end:closing]))
            opening = text.find(_OPENING, end, limit)
        return -1, NO_PATHS


def read_paths(lines: str) -> Paths:
    r"""Return the paths that a listing names: one a line, or names indented under folders that end in `/`.

    Example:
        >>> sorted(read_paths("src/\n  core/\n    a.md\n  b.md\nz.txt\nlib/c.py\n"))
        ['lib/c.py', 'src/b.md', 'src/core/a.md', 'z.txt']
    """
    paths = []
    folders: list[tuple[int, str]] = []  # those that the line stands in: indentation and path
    for line in lines.split("\n"):
        name = line.strip()
        indent = len(line) - len(line.lstrip())
        while folders and folders[-1][0] >= indent:
            folders.pop()
        path = (folders[-1][1] if folders else "") + name
        if name.endswith("/"):
            folders.append((indent, path))
        elif name:
            paths.append(path)
    return frozenset(paths)
