"""The pages' examples with Ray, Spark, Daft, vector stores and LlamaIndex run, each page as a program of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations import require
from tests.paths import ROOT
from tests.project.pages import PAGES, fill_folder, name_of, needs_of

pytestmark = pytest.mark.integration


@pytest.mark.parametrize(
    ("page", "need"),
    [(page, need) for page in PAGES for need in needs_of(page)],
    ids=lambda value: value if isinstance(value, str) else name_of(value),
)
def test_the_examples_with_a_library_run(page: Path, need: str, tmp_path: Path) -> None:
    require(need)
    if need == "pyspark" and shutil.which("java") is None:
        pytest.skip("Spark runs on Java")
    fill_folder(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "tests.project.pages", str(page), need],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
