"""The ways of ours that are compared: a name, and the options that differ from the default."""

from __future__ import annotations

from collections.abc import Mapping

MODES: Mapping[str, Mapping[str, object]] = {
    "default": {},
    "repeat_tags=False": {"repeat_tags": False},
    "isolate=True": {"isolate": True},
    "syntax": {"syntax": True},
    "syntax+signatures": {"syntax": True, "repeat_signatures": True},
    "syntax+signatures, repeat_tags=False": {"syntax": True, "repeat_signatures": True, "repeat_tags": False},
}
"""A new option is a new line."""
