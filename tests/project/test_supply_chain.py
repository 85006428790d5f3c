"""What is built and what a user gets of it: contents of wheel and source distribution, and types as seen from outside.

`DIST` names a folder with both archives; without it they are built, which needs the group `dev` and a package index.
"""

from __future__ import annotations

import base64
import csv
import email.message
import email.parser
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.slow

PACKAGE = "langchain_semantic_xml"
USER = Path(__file__).parent / "typing_user.py"


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if "DIST" in os.environ:
        return Path(os.environ["DIST"])
    pytest.importorskip("build", reason="needs the group `dev`, or DIST")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--outdir", folder, ROOT], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> zipfile.ZipFile:
    [path] = dist.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def sdist(dist: Path) -> dict[str, bytes]:
    """Return the files of the source distribution, under their names in its only folder."""
    [path] = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        assert {member.name.partition("/")[0] for member in members} == {path.name.removesuffix(".tar.gz")}
        assert all(member.isfile() for member in members), "no link and no device"
        opened = {member.name.partition("/")[2]: archive.extractfile(member) for member in members}
        return {name: file.read() for name, file in opened.items() if file}


def sources() -> dict[str, bytes]:
    """Return what git knows of the package, or, where there is no git, what lies in its folder."""
    folder = ROOT / "src" / PACKAGE
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in files}


def metadata_of(wheel: zipfile.ZipFile) -> email.message.Message:
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return email.parser.BytesParser().parsebytes(wheel.read(name))


# The wheel


def test_the_wheel_holds_the_modules_the_assets_the_licence_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    of_the_format = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    info = {name.partition(".dist-info/")[2] for name in wheel.namelist() if ".dist-info/" in name}
    assert info == of_the_format
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == set(sources())
    assert {PurePosixPath(name).suffix for name in sources()} == {".py", ".typed", ".css", ".js"}


def test_what_the_wheel_holds_are_the_sources(wheel: zipfile.ZipFile) -> None:
    assert {name: wheel.read(name) for name in sources()} == sources()
    [licence] = [name for name in wheel.namelist() if name.endswith("licenses/LICENSE")]
    assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_each_file_of_the_wheel_has_the_hash_that_its_record_says(wheel: zipfile.ZipFile) -> None:
    [record] = [name for name in wheel.namelist() if name.endswith("/RECORD")]
    rows = {name: (digest, size) for name, digest, size in csv.reader(wheel.read(record).decode().splitlines())}
    assert set(rows) == set(wheel.namelist())
    for name in set(rows) - {record}:
        digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).decode().rstrip("=")
        assert rows[name] == (f"sha256={digest}", str(len(wheel.read(name))))


def test_the_wheel_is_pure_and_says_nothing_of_where_it_was_built(wheel: zipfile.ZipFile) -> None:
    [name] = [name for name in wheel.namelist() if name.endswith("/WHEEL")]
    said = wheel.read(name).decode()
    assert "Root-Is-Purelib: true" in said
    assert "Tag: py3-none-any" in said
    assert len({file.date_time for file in wheel.infolist()}) == 1, "the same sources give the same wheel"
    places = [str(ROOT).encode(), str(Path.home()).encode() + b"/"]
    assert [name for name in wheel.namelist() if any(place in wheel.read(name) for place in places)] == []


def test_the_metadata_cap_no_version_and_say_which_python(wheel: zipfile.ZipFile) -> None:
    metadata = metadata_of(wheel)
    assert metadata["Requires-Python"] == ">=3.10"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    required = metadata.get_all("Requires-Dist") or []
    versions = [text.partition(";")[0] for text in required]  # markers may leave Pythons out
    assert [text for text in versions if re.search(r"<|~=", text)] == []


# The source distribution


def test_the_source_distribution_holds_what_the_build_and_the_quick_tests_need(
    sdist: dict[str, bytes],
) -> None:
    pages = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md", "docs/rules.md"}
    assert {"pyproject.toml", "PKG-INFO", *pages} <= set(sdist)
    assert {page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.*")} <= set(sdist)
    assert {name.removeprefix("src/"): data for name, data in sdist.items() if name.startswith("src/")} == sources()
    tests = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")}
    assert tests <= set(sdist)


def test_the_source_distribution_holds_nothing_that_was_made_by_running(sdist: dict[str, bytes]) -> None:
    made = re.compile(
        r"(^|/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.venv|\.git)(/|$)|\.pyc$"
    )
    assert [name for name in sdist if made.search(name)] == []
    assert {name.partition("/")[0] for name in sdist if "/" in name} == {"src", "tests", "docs", "notebooks"}


# Types, as a user's checker sees them


@pytest.fixture(scope="module")
def users_python(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel, as a user does, into an environment that knows nothing of the sources."""
    environment = tmp_path_factory.mktemp("user") / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    [wheel] = dist.glob("*.whl")
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True, capture_output=True)
    return python


def checked(command: Sequence[str | Path], folder: Path) -> tuple[int, str]:
    """Run a checker on the user's module, in a folder where there is nothing else."""
    shutil.copy(USER, folder / "user.py")
    ran = subprocess.run([*command, "user.py"], cwd=folder, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_mypy_finds_the_types_that_a_user_expects_and_the_errors(
    users_python: Path, tmp_path: Path, version: str
) -> None:
    pytest.importorskip("mypy")
    options = ["--strict", "--warn-unreachable", "--config-file=", f"--python-version={version}"]
    command: list[str | Path] = [sys.executable, "-m", "mypy", *options, "--python-executable", users_python]
    assert checked(command, tmp_path) == (0, "Success: no issues found in 1 source file\n")


def test_pyright_finds_the_types_that_a_user_expects_and_the_errors(users_python: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("needs pyright, which fetches itself from npm")
    (tmp_path / "pyrightconfig.json").write_text('{"strict": ["user.py"], "reportUnnecessaryTypeIgnoreComment": true}')
    status, said = checked([sys.executable, "-m", "pyright", "--pythonpath", users_python], tmp_path)
    assert status == 0, said


def test_the_wheel_is_what_was_checked_and_not_the_sources(users_python: Path, tmp_path: Path) -> None:
    where = f"import {PACKAGE}; print({PACKAGE}.__file__)"
    found = subprocess.run([users_python, "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).is_relative_to(users_python.parent.parent)
