"""Folders of source code: which files are in them, as git sees it, and the text of one file.

Knows nothing of Documents. Symbolic links are never followed: a link may lead to a secret outside of the folder, or to
an ignored file inside of it.
"""

from __future__ import annotations

import io
import os
import stat
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Literal

from langchain_semantic_xml._text.files import BYTE_ORDER_MARKS, LOOKED_AT, is_wide, read_text
from langchain_semantic_xml.errors import OptionValueError

SkipReason = Literal["binary", "blank", "link", "special", "too_large", "unreadable"]
"""Why a file of a folder gives no Document."""

_OF_ANOTHER_REPOSITORY = frozenset(
    f"GIT_{name}"
    for name in ("COMMON_DIR", "DIR", "IMPLICIT_WORK_TREE", "INDEX_FILE", "NAMESPACE", "PREFIX", "WORK_TREE")
)
"""Variables that a hook of git sets, and that would make git look at the repository of the hook."""


class SkippedFileError(Exception):
    """A file gives no text.

    Args:
        reason: Why.
    """

    def __init__(self, reason: SkipReason) -> None:
        super().__init__(reason)
        self.reason = reason


def list_tree(folder: Path, glob: str | None, *, gitignore: bool) -> list[str]:
    """List the files of a folder and of all folders in it.

    Args:
        folder: The folder.
        glob: A pattern of the paths that are wanted, such as `src/**/*.py`; by default all.
        gitignore: Whether files that git ignores are left out: in a work tree the files that `git` tracks or would
            add, elsewhere the files that the `.gitignore` files in the folder do not exclude.

    Returns:
        Paths relative to the folder, with slashes, in their order. The folders `.git` are left out.

    Raises:
        FileNotFoundError: If there is no such folder.
        NotADirectoryError: If it is a file.
        ValueError: If the pattern is malformed, or `gitignore` is asked for and git is not installed.
    """
    if not folder.exists():
        msg = f"there is no folder {os.fspath(folder)!r}; a relative path begins at {os.fspath(Path.cwd())!r}"
        raise FileNotFoundError(msg)
    if not folder.is_dir():
        msg = f"{os.fspath(folder)!r} is a file, not a folder; load it with SemanticXmlLoader or TextLoader"
        raise NotADirectoryError(msg)
    pattern = None if glob is None else _split_glob(glob)
    paths = _ask_git(folder) if gitignore else _walk(folder)
    return sorted(
        (path for path in paths if pattern is None or _matches(_split_path(path), pattern)),
        key=_split_path,
    )


def _split_path(path: str) -> tuple[str, ...]:
    return PurePosixPath(path).parts


def _split_glob(glob: str) -> tuple[str, ...]:
    """Return the parts of a pattern of relative paths; a pattern that ends with `**` means all files there."""
    parts = _split_path(glob)
    if not parts or parts[0] == "/" or ".." in parts:
        raise OptionValueError("glob", glob, "is no pattern of paths in a folder", "write one such as '**/*.py'")
    return (*parts, "*") if parts[-1] == "**" else parts


def _matches(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Return whether a path matches a pattern, part by part; `**` stands for any number of folders."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(_matches(path[count:], pattern[1:]) for count in range(len(path)))
    return bool(path) and fnmatchcase(path[0], pattern[0]) and _matches(path[1:], pattern[1:])


def _walk(folder: Path) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*files, *links):
            yield Path(place, name).relative_to(folder).as_posix()


def _ask_git(folder: Path) -> set[str]:
    """Return the files of a folder that git tracks or would add."""
    listing = ("ls-files", "-z", "--others", "--exclude-standard")
    found = None
    if _run_git(folder, "rev-parse", "--is-inside-work-tree") == b"true\n" and not _is_ignored(folder):
        found = _run_git(folder, *listing, "--cached")
    if found is None:  # in no repository, or in one of another user
        with TemporaryDirectory() as empty:
            _run_git(folder, "init", "-q", "--bare", "--template=", empty)
            found = _run_git(folder, f"--git-dir={empty}", f"--work-tree={folder.resolve()}", *listing) or b""
    paths: set[str] = set()
    for path in map(os.fsdecode, filter(None, found.split(b"\0"))):
        entry = folder / path
        if entry.is_symlink() or not entry.is_dir():
            if entry.is_symlink() or entry.exists():  # a tracked file may have been removed
                paths.add(path)
        elif (entry / ".git").exists():  # a submodule, or another repository
            paths.update(f"{path.rstrip('/')}/{inner}" for inner in _ask_git(entry))
    return paths


def _is_ignored(folder: Path) -> bool:
    """Return whether the repository around a folder ignores it: then its rules are not meant for the files in it."""
    return _run_git(folder, "check-ignore", "-q", ".") is not None


def _run_git(folder: Path, *arguments: str) -> bytes | None:
    """Return the output of git, or `None` if it fails.

    The repository may be a stranger's: `core.fsmonitor` is the one setting with which listing files runs a program.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY}
    command = ["git", "-c", "core.fsmonitor=false", "-C", os.fspath(folder), *arguments]
    try:
        run = subprocess.run(command, capture_output=True, check=False, env=environment)  # noqa: S603 - no shell
    except FileNotFoundError as error:
        remedy = "install git, or pass gitignore=False to load the ignored files too"
        raise OptionValueError("gitignore", True, "needs the program git", remedy) from error
    return run.stdout if run.returncode == 0 else None


def read_source(path: Path, encoding: str, encoding_errors: str, max_bytes: int | None) -> str:
    """Return the text of a file, without a byte-order mark.

    A byte-order mark of UTF-8, UTF-16 or UTF-32 is believed more than `encoding`.

    Args:
        path: The file.
        encoding: A text encoding.
        encoding_errors: The name of an error handler of Python's codecs.
        max_bytes: The size of the largest file that is read; `None` for no limit.

    Raises:
        SkippedFileError: If it is a link, is not a regular file, is too large, is binary, or has no visible character.
        UnreadableFileError: If it is not text in its encoding.
        OSError: If it cannot be read.
    """
    state = path.lstat()
    if stat.S_ISLNK(state.st_mode):
        raise SkippedFileError("link")
    if not stat.S_ISREG(state.st_mode):
        raise SkippedFileError("special")
    if max_bytes is not None and state.st_size > max_bytes:
        raise SkippedFileError("too_large")
    with open(path, "rb", opener=_open_no_link) as file:
        data = file.read(-1 if max_bytes is None else max_bytes + 1)
    if max_bytes is not None and len(data) > max_bytes:
        raise SkippedFileError("too_large")
    announced = next((name for mark, name in BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if announced is None and b"\0" in data[:LOOKED_AT] and not is_wide(encoding):
        raise SkippedFileError("binary")
    text = "".join(read_text(io.BytesIO(data), os.fspath(path), announced or encoding, encoding_errors))
    if not text or text.isspace():
        raise SkippedFileError("blank")
    return text


def _open_no_link(path: str, flags: int) -> int:
    """Open a file, but not a link that has taken its place since it was looked at."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))
