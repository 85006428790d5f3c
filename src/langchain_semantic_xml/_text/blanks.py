"""What counts as blank."""

from __future__ import annotations

BYTE_ORDER_MARK = "\ufeff"
"""Counts as blank at the start of a text."""
