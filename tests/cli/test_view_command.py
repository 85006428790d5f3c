"""`semantic-xml view`: a page of chunks in a file."""

from __future__ import annotations

from pathlib import Path

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
