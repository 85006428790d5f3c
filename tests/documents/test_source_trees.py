"""A folder of source code: which files are loaded, as git sees it, and what their Documents say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_semantic_xml import SemanticXmlSplitter, SourceTreeLoader, UnreadableFileError


@pytest.fixture(autouse=True)
def git_of_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Git without the settings of the person who runs the tests."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "tree"
    path.mkdir()
    return path


def write_file(path: Path, contents: str | bytes = "x\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    return path


def make(tree: Path, *names: str) -> None:
    for name in names:
        write_file(tree / name)


def git(tree: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    command = ["git", *identity, *arguments]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)


def paths_of(tree: Path, *, glob: str | None = None, gitignore: bool = True) -> list[str]:
    documents = SourceTreeLoader(tree, glob=glob, gitignore=gitignore).lazy_load()
    return [document.metadata["path"] for document in documents]


# Documents


def test_a_file_is_a_document_with_its_path_and_its_language(tree: Path) -> None:
    write_file(tree / "src" / "app.py", "x = 1\r\n")
    (document,) = SourceTreeLoader(tree).load()
    assert document.page_content == "x = 1\r\n"
    assert document.metadata == {"source": str(tree / "src" / "app.py"), "path": "src/app.py", "language": "python"}


def test_every_document_has_the_same_keys(tree: Path) -> None:
    make(tree, "Makefile", "a.ts", "b.unknown", ".hidden")
    documents = SourceTreeLoader(tree).load()
    assert {frozenset(document.metadata) for document in documents} == {frozenset(["source", "path", "language"])}
    assert [document.metadata["language"] for document in documents] == [None, None, "ts", None]


def test_ids_are_the_same_on_every_run_and_change_with_the_content(tree: Path) -> None:
    make(tree, "a.py", "b.py")
    first = [document.id for document in SourceTreeLoader(tree).load()]
    write_file(tree / "b.py", "y\n")
    second = [document.id for document in SourceTreeLoader(tree).load()]
    assert len(set(first)) == 2
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_files_come_in_the_order_of_their_paths_and_are_read_when_asked_for(tree: Path) -> None:
    make(tree, "b.py", "a/z.py", "a.py", "a/b/c.py")
    documents = SourceTreeLoader(tree).lazy_load()
    write_file(tree / "b.py", "changed\n")
    found = list(documents)
    assert [document.metadata["path"] for document in found] == ["a/b/c.py", "a/z.py", "a.py", "b.py"]
    assert found[-1].page_content == "changed\n"


def test_a_splitter_cuts_the_files_of_a_tree(tree: Path) -> None:
    write_file(tree / "a.py", "def f():\n    return 1\n\n\n" * 20)
    loader = SourceTreeLoader(tree)
    chunks = SemanticXmlSplitter(200).split_documents(loader.lazy_load())
    assert all(chunk.metadata["path"] == "a.py" for chunk in chunks)
    assert "".join(chunk.page_content for chunk in chunks).count("def f") == 20


# Which files


def test_in_a_work_tree_git_says_which_files_count(tree: Path) -> None:
    git(tree, "init", "-q")
    make(tree, "a.py", "new.py", "build/out.py", "sub/keep.log", "sub/drop.log", "forced.log", "gone.py", "private.txt")
    write_file(tree / ".gitignore", "build/\n*.log\n")
    write_file(tree / "sub" / ".gitignore", "!keep.log\n")
    write_file(tree / ".git" / "info" / "exclude", "private.txt\n")
    git(tree, "add", "-f", "a.py", "forced.log", "gone.py")
    git(tree, "commit", "-q", "-m", "x")
    (tree / "gone.py").unlink()
    expected = [".gitignore", "a.py", "forced.log", "new.py", "sub/.gitignore", "sub/keep.log"]
    assert paths_of(tree) == expected
    assert paths_of(tree / "sub") == [".gitignore", "keep.log"]


def test_outside_of_a_work_tree_the_gitignore_files_count_all_the_same(tree: Path) -> None:
    make(tree, "a.py", "build/out.py", "sub/keep.log", "sub/drop.log", "drop.log")
    write_file(tree / ".gitignore", "build/\n*.log\n")
    write_file(tree / "sub" / ".gitignore", "!keep.log\n")
    assert paths_of(tree) == [".gitignore", "a.py", "sub/.gitignore", "sub/keep.log"]


def test_ignored_files_are_loaded_if_wanted_but_never_those_of_git_itself(tree: Path) -> None:
    git(tree, "init", "-q")
    make(tree, "a.py", "build/out.py")
    write_file(tree / ".gitignore", "build/\n")
    assert paths_of(tree, gitignore=False) == [".gitignore", "a.py", "build/out.py"]


def test_a_folder_that_the_repository_around_it_ignores_is_loaded_when_it_is_named(tree: Path) -> None:
    git(tree, "init", "-q")
    make(tree, "venv/lib/a.py", "venv/lib/b.log")
    write_file(tree / ".gitignore", "venv/\n*.log\n")
    write_file(tree / "venv" / "lib" / ".gitignore", "b.log\n")
    assert paths_of(tree) == [".gitignore"]
    assert paths_of(tree / "venv" / "lib") == [".gitignore", "a.py"]


def test_repositories_inside_of_a_repository_are_loaded_with_their_own_rules(tree: Path) -> None:
    for folder in (tree, tree / "inner", tree / "inner" / "deep"):
        folder.mkdir(exist_ok=True)
        git(folder, "init", "-q")
        make(folder, "a.py", "x.tmp")
    write_file(tree / "inner" / ".gitignore", "*.tmp\n")
    assert paths_of(tree) == [
        *("a.py", "inner/.gitignore", "inner/a.py"),
        *("inner/deep/a.py", "inner/deep/x.tmp", "x.tmp"),
    ]


def test_the_repository_of_a_hook_is_not_taken_for_the_one_of_the_folder(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    git(tmp_path / "other", "init", "-q")
    make(tree, "a.py")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    assert paths_of(tree) == ["a.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="writes a shell script")
def test_listing_runs_no_program_that_a_repository_names(tree: Path, tmp_path: Path) -> None:
    git(tree, "init", "-q")
    make(tree, "a.py")
    program = write_file(tmp_path / "monitor", f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    git(tree, "config", "core.fsmonitor", str(program))
    git(tree, "config", "alias.ls-files", f"!touch {tmp_path}/ran")
    assert paths_of(tree) == ["a.py"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("*.py", ["a.py"]),
        ("**/*.py", ["a.py", "lib/b.py", "lib/in/c.py"]),
        ("lib/**", ["lib/b.md", "lib/b.py", "lib/in/c.py"]),
        ("lib/**/c.py", ["lib/in/c.py"]),
        ("**/b.*", ["lib/b.md", "lib/b.py"]),
        ("[a-b].p?", ["a.py"]),
        ("lib", []),
    ],
)
def test_a_glob_chooses_among_the_paths(tree: Path, glob: str, expected: list[str]) -> None:
    make(tree, "a.py", "lib/b.py", "lib/b.md", "lib/in/c.py")
    assert sorted(paths_of(tree, glob=glob)) == expected


# Files that are skipped


def test_what_is_no_text_is_skipped_and_counted(tree: Path) -> None:
    make(tree, "a.py")
    write_file(tree / "logo.png", b"\x89PNG\r\n\0\0")
    write_file(tree / "empty.py", "")
    write_file(tree / "blank.py", " \n")
    write_file(tree / "large.json", "x" * 1001)
    loader = SourceTreeLoader(tree, max_bytes=1000)
    assert [document.metadata["path"] for document in loader.lazy_load()] == ["a.py"]
    assert loader.skipped == {"binary": 1, "blank": 2, "too_large": 1}


def test_counts_begin_anew_with_each_loading(tree: Path) -> None:
    write_file(tree / "logo.png", b"\0")
    loader = SourceTreeLoader(tree)
    for _ in range(2):
        assert loader.load() == []
        assert loader.skipped == {"binary": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
@pytest.mark.parametrize("gitignore", [True, False])
def test_links_are_never_followed(tree: Path, tmp_path: Path, gitignore: bool) -> None:
    make(tree, "a.py", "secrets/key.py")
    write_file(tmp_path / "outside" / "secret.py", "password\n")
    (tree / "link.py").symlink_to(tmp_path / "outside" / "secret.py")
    (tree / "folder").symlink_to(tmp_path / "outside", target_is_directory=True)
    (tree / "again").symlink_to(tree, target_is_directory=True)
    (tree / "inside.py").symlink_to("secrets/key.py")
    (tree / "broken.py").symlink_to("nowhere")
    loader = SourceTreeLoader(tree, gitignore=gitignore)
    assert [document.metadata["path"] for document in loader.lazy_load()] == ["a.py", "secrets/key.py"]
    assert loader.skipped == {"link": 5}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_not_waited_for(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    loader = SourceTreeLoader(tree, gitignore=False)
    assert loader.load() == []
    assert loader.skipped == {"special": 1}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_believed_and_left_out(tree: Path, encoding: str) -> None:
    write_file(tree / "a.txt", "tëa\n".encode(encoding))
    (document,) = SourceTreeLoader(tree).load()
    assert document.page_content == "tëa\n"


def test_a_file_in_another_encoding_is_skipped_with_a_warning_or_raises(tree: Path) -> None:
    write_file(tree / "a.txt", "tëa\n".encode("cp1252"))
    loader = SourceTreeLoader(tree)
    with pytest.warns(UserWarning, match=r"a\.txt is skipped: .*byte 0xeb is not utf-8.* in line 1, at offset 1"):
        assert loader.load() == []
    assert loader.skipped == {"unreadable": 1}
    with pytest.raises(UnreadableFileError, match=r"a\.txt"):
        SourceTreeLoader(tree, on_error="raise").load()
    assert [d.page_content for d in SourceTreeLoader(tree, encoding="cp1252").load()] == ["tëa\n"]


def test_a_file_that_goes_away_meanwhile_is_skipped_with_a_warning(tree: Path) -> None:
    make(tree, "a.py", "b.py")
    documents: list[Document] = []
    iterator = SourceTreeLoader(tree).lazy_load()
    documents.append(next(iterator))
    (tree / "b.py").unlink()
    with pytest.warns(UserWarning, match=r"b\.py is skipped: "):
        documents += iterator
    assert len(documents) == 1


# Wrong calls


def test_without_git_the_error_says_what_to_do(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tree, "a.py")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ValueError, match="gitignore=True needs the program git; install git, or pass gitignore=False"):
        SourceTreeLoader(tree).lazy_load()
    assert paths_of(tree, gitignore=False) == ["a.py"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_bytes": 0}, ValueError, "max_bytes=0 is too small"),
        ({"max_bytes": "1"}, TypeError, "max_bytes='1' must be an int"),
        ({"gitignore": 1}, TypeError, "gitignore=1 must be True or False"),
        ({"glob": ""}, ValueError, "glob='' matches nothing"),
        ({"encoding": "utf-9"}, ValueError, "encoding='utf-9'"),
        ({"on_error": "warn"}, ValueError, "on_error='warn' must be"),
        ({"path": b"x"}, TypeError, "path=b'x' must be a str or a path"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        SourceTreeLoader(**{"path": ".", **options})


@pytest.mark.parametrize("glob", ["/etc/*", "../*", "a/../../b"])
def test_a_glob_does_not_leave_the_folder(tree: Path, glob: str) -> None:
    with pytest.raises(ValueError, match="is no pattern of paths in a folder"):
        SourceTreeLoader(tree, glob=glob).lazy_load()


def test_a_missing_folder_and_a_file_are_named(tree: Path) -> None:
    make(tree, "a.py")
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*none'; a relative path begins at"):
        SourceTreeLoader(tree / "none").lazy_load()
    with pytest.raises(NotADirectoryError, match=r"a\.py' is a file, not a folder; load it with"):
        SourceTreeLoader(tree / "a.py").lazy_load()
