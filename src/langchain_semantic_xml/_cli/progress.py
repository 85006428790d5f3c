"""A bar on standard error that shows how much was read: on a terminal, and only for work of more than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from typing_extensions import Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_DELAY = 1.0
"""Seconds of work before the bar is shown."""


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; a standard stream that was closed is `None`."""
    return stream is not None and stream.isatty()


class ReadingBar:
    """A bar that appears after a second of work, shows how much was read, and goes away at the end.

    Args:
        total: The number of bytes to read, if it is known.
        quiet: Whether the bar is never shown, because the output goes to the same terminal.
    """

    def __init__(self, total: int | None, *, quiet: bool) -> None:
        self._total = total
        self._shown = not quiet and is_terminal(sys.stderr)
        self._due = time.monotonic() + _DELAY
        self._read = 0
        self._bar: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        """Do nothing yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar[0].stop()

    def advance(self, count: int = 0) -> None:
        """Count `count` more bytes, and show the bar if it is time; 0 only keeps the bar moving."""
        self._read += count
        if self._shown and self._bar is None and time.monotonic() >= self._due:
            self._bar = _start_bar(self._total)
        if self._bar is not None:
            progress, task = self._bar
            is_read = self._total is not None and self._read >= self._total
            progress.update(task, completed=self._read, description="Splitting" if is_read else "Reading")


def _start_bar(total: int | None) -> tuple[Progress, TaskID]:
    from rich.console import Console  # noqa: PLC0415 - most runs show no bar
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    progress = Progress(
        *("{task.description}", BarColumn(), DownloadColumn(), TimeElapsedColumn(), TimeRemainingColumn(compact=True)),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,  # the output of the command itself stays as it is
        redirect_stderr=False,
    )
    task = progress.add_task("Reading", total=total)
    progress.start()
    return progress, task
