"""The errors that end the command early, and text that a terminal shows on one line."""

from __future__ import annotations

_LONGEST = 80


class CommandError(Exception):
    """The command cannot go on; the message names the file, the place in it and the remedy."""


class PipeClosedError(Exception):
    """The reader of the output has closed it: the command ends without a message."""


class InterruptedBySignal(BaseException):
    """A signal asks the command to stop.

    Args:
        number: The signal's number.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def printable(text: str) -> str:
    r"""Escape characters that a terminal does not show: line ends, controls, lone surrogates, marks of direction.

    Example:
        >>> print(printable("a b\n\x1b[31m\u202ec"))
        a b\n\x1b[31m\u202ec
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def shortened(text: str) -> str:
    """Return a text for one line of a terminal, without its middle if it is long.

    Example:
        >>> len(shortened("x" * 1000))
        80
    """
    if len(text) > _LONGEST:
        half = (_LONGEST - 1) // 2
        text = f"{text[: _LONGEST - 1 - half]}…{text[len(text) - half :]}"
    return printable(text)


def reason_of(error: OSError) -> str:
    """Return the reason that the system gives, without its number and the path."""
    return error.strerror or str(error)
