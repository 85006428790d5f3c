"""The command `semantic-xml`: how it begins and how it ends.

The commands themselves are in `commands`, which needs the extra `cli`. Exit codes are those of other programs: 0 for
success, 1 for a failure, 2 for wrong usage, and 128 plus the number of a signal (130 when interrupted, 141 when the
reader of the output has gone).
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from langchain_semantic_xml._cli.errors import CommandError, InterruptedBySignal, PipeClosedError, printable

_PROGRAM = "semantic-xml"
_NEEDED = ("click", "rich")
_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
_FAILURE, _USAGE, _SIGNALLED, _PIPE_CLOSED = 1, 2, 128, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; every error is one line on standard error.

    Args:
        arguments: What follows the command's name; taken from the command line unless given.
    """
    try:
        with _stopped_by_signals():
            return _run(arguments)
    except InterruptedBySignal as stop:
        return _end(_SIGNALLED + stop.number, "stopped" if stop.number != signal.SIGINT else "interrupted")


def _run(arguments: Sequence[str] | None) -> int:
    try:
        import click  # noqa: PLC0415 - what is missing is said in one line
        import rich  # noqa: F401, PLC0415 - the same

        from langchain_semantic_xml._cli.commands import program  # noqa: PLC0415 - it needs both
        from langchain_semantic_xml._cli.writing import flush_standard_output  # noqa: PLC0415 - the same
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        return _end(_FAILURE, f'needs {error.name}: pip install "langchain-semantic-xml[cli]"')
    try:
        # click returns the exit code of --help and --version, or the result of a command, which is None.
        with flush_standard_output():
            return program.main(arguments, prog_name=_PROGRAM, standalone_mode=False) or 0
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else _PROGRAM
        message = " ".join(error.format_message().split())
        return _end(_USAGE, f"{message.rstrip('.')}; see {path} --help")
    except CommandError as error:
        return _end(_FAILURE, str(error))
    except (PipeClosedError, SystemExit):  # click itself exits when nobody reads its help
        return _PIPE_CLOSED


def _end(code: int, message: str) -> int:
    with suppress(OSError, AttributeError):  # standard error may be closed too
        sys.stderr.write(f"{_PROGRAM}: {printable(message)}\n")
    return code


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Make a signal that asks to stop raise, so that the output that was begun is removed.

    A signal that comes while Python runs a destructor is lost, because Python drops what a destructor raises. The next
    one is not.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Python hands signals to the main thread alone
        return
    numbers = [getattr(signal, name) for name in _STOPPING if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    # A signal that is ignored, as nohup ignores SIGHUP, stays ignored; None means a handler that is not Python's.
    before = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise InterruptedBySignal(number)
