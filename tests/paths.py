"""Where the tests find the repository and their data."""

from __future__ import annotations

from pathlib import Path

import langchain_semantic_xml

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DATA = TESTS / "data"
BUNDLE = DATA / "bundle.xml"
PACKAGE = Path(langchain_semantic_xml.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
