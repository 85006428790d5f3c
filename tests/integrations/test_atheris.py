"""Guided fuzzing runs, watches the package, and begins with inputs that reach some of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations import require

require("atheris")

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("target", ["blocks", "splitter"])
def test_a_short_run_breaks_no_law_and_keeps_what_reaches_new_branches(tmp_path: Path, target: str) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.fuzz.guided",
        "--target",
        target,
        "--seconds",
        "10",
    ]  # enough on a busy machine
    done = subprocess.run(
        [*command, "--corpus", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    assert "failures          0" in done.stdout
    begun, ended = (re.search(rf"{word}\s+cov: (\d+)", done.stderr) for word in ("INITED", "DONE"))
    assert begun is not None
    assert ended is not None
    assert 300 < int(begun[1]) <= int(ended[1])
    assert any(not path.name.startswith("seed-") for path in tmp_path.iterdir())
