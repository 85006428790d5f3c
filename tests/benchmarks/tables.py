"""Plain tables on standard output."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import datetime, timezone

from langchain_core import __version__ as core_version


def say(line: str = "") -> None:
    """Print a line at once: a benchmark takes minutes, and whoever waits wants to see how far it is."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def say_header(title: str) -> None:
    """Print what is measured, when, and on what."""
    say(f"== {title}")
    say(date_and_machine())
    say()


def date_and_machine() -> str:
    """Return when and on what something is measured."""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs ({_processor()})"
    return f"{now}; {python}; langchain-core {core_version}; {machine}"


def _processor() -> str:
    """Return what the processor calls itself, where the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:  # noqa: PTH123 - a device, not a file of ours
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


class Table:
    """A table that is printed row by row: the first column to the left, the others to the right.

    Args:
        names: The names of the columns.
        widths: How wide each column is at least.
    """

    def __init__(self, names: Sequence[str], widths: Sequence[int]) -> None:
        self._widths = [max(len(name), width) for name, width in zip(names, widths, strict=True)]
        self.row(*names)
        self.row(*("-" * width for width in self._widths))

    def row(self, first: str, *others: str) -> None:
        """Print a row."""
        cells = [cell.rjust(width) for cell, width in zip(others, self._widths[1:], strict=True)]
        say("  ".join([first.ljust(self._widths[0]), *cells]).rstrip())
