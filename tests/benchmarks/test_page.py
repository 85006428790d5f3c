"""The page of the benchmarks: each run writes its own section and leaves the others as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks import page
from tests.benchmarks.__main__ import BENCHMARKS


@pytest.fixture(autouse=True)
def _page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(page, "PAGE", tmp_path / "benchmarks.md")
    return page.PAGE


def test_sections_stand_in_one_order_whatever_was_measured_first() -> None:
    page.write_section("growth", [], "10 MB\n")
    page.write_section("speed", [], "fast\n")
    text = page.PAGE.read_text(encoding="utf-8")
    assert text.index("## Speed\n") < text.index("```text\nfast\n```") < text.index("## Growth\n") < text.index("10 MB")


def test_a_second_run_replaces_its_own_section_alone() -> None:
    page.write_section("speed", [], "fast\n")
    page.write_section("growth", [], "10 MB\n")
    before = page.PAGE.read_text(encoding="utf-8")
    page.write_section("speed", [], "faster\n")
    assert page.PAGE.read_text(encoding="utf-8") == before.replace("fast\n", "faster\n")


def test_a_section_shows_its_command() -> None:
    page.write_section("speed", ["--large"], "")
    assert "## Speed, large bundles\n" in page.PAGE.read_text(encoding="utf-8")
    assert "```bash\npython -m tests.benchmarks speed --large\n```" in page.PAGE.read_text(encoding="utf-8")


def test_tables_of_markdown_stay_tables() -> None:
    page.write_section("retrieval", [], "| a |\n| --- |\n| 1 |\n")
    assert "```text" not in page.PAGE.read_text(encoding="utf-8")


def test_what_is_recorded_is_printed_too(capsys: pytest.CaptureFixture[str]) -> None:
    with page.record_output() as output:
        print("row")  # noqa: T201 - what a benchmark does
    assert output.getvalue() == capsys.readouterr().out == "row\n"


def test_every_benchmark_has_its_section() -> None:
    assert {key.partition(" ")[0] for key in page.SECTIONS} == set(BENCHMARKS)
