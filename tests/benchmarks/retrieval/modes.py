"""The ways of ours that are compared: a name, and the options that differ from the default."""

from __future__ import annotations

from collections.abc import Mapping

MODES: Mapping[str, Mapping[str, object]] = {
    "default": {},
    "repeat=None": {"repeat": None},
    "repeat='breadcrumb'": {"repeat": "breadcrumb"},
    "isolate=True": {"isolate": True},
    "syntax": {"syntax": True},
    "syntax+signatures": {"syntax": True, "repeat": "signatures"},
}
"""A new option is a new line."""
