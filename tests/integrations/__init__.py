"""Tests with the real libraries that people use beside the splitter; they need the dependency group `integrations`."""

from __future__ import annotations

import importlib
import os

import pytest


def require(module: str) -> None:
    """Skip the calling test module where `module` is not installed; fail instead when REQUIRE_INTEGRATIONS is set."""
    if os.environ.get("REQUIRE_INTEGRATIONS"):
        importlib.import_module(module)
    else:
        pytest.importorskip(module)
