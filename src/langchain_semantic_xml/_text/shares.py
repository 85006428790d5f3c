"""Which share of `chunk_size` may go to text that is not the part's own: three numbers for the rules P3, P5 and S5."""

from __future__ import annotations

MOST_LINES = 0.5
"""Heading and container lines that go with the first or the last part of an oversized unit. Rule: S5."""

MOST_REPEATED = 0.5
"""Text that every part repeats; what is longer is not repeated. Rule: P3, P5."""

MOST_REPEATED_AND_LINES = 0.75
"""Repeated text together with the lines that go with the part. Rule: P3."""
