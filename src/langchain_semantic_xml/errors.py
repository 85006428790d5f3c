"""The public errors: each carries its facts as attributes, pickles, compares and says what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Mention(NamedTuple):
    """An option that a message names.

    Args:
        name: The option's name in Python.
        value: The value that the message gives it, if any.

    Example:
        >>> str(Mention("chunk_size", (10,))), str(Mention("chunk_size"))
        ('chunk_size=10', 'chunk_size')
    """

    name: str
    value: tuple[object, ...] = ()

    def __str__(self) -> str:
        """Write the option as it is written in Python."""
        return "=".join((self.name, *map(repr, self.value)))


Words = str | tuple[str | Mention, ...]
"""A piece of a message; other options in it are mentions, so that each door can write them in its own way."""


class OptionError(Exception):
    """An option has a value that it cannot have.

    The message names the option, the value, what is wrong and what to do. It says so in the words of Python;
    `message` says the same in the words of another door, such as the flags of the command.

    Args:
        option: The option's name.
        value: The value, or the one item of it that is wrong.
        problem: What is wrong.
        remedy: What to do; may be empty.
        is_item: Whether `value` is only an item of the option's value. The problem then names it.

    Example:
        >>> error = OptionValueError("chunk_size", 0, "is too small", "give a whole number >= 1")
        >>> str(error)
        'chunk_size=0 is too small; give a whole number >= 1'
        >>> error.option, error.value, isinstance(error, ValueError)
        ('chunk_size', 0, True)
    """

    def __init__(self, option: str, value: object, problem: Words, remedy: Words = "", is_item: bool = False) -> None:
        # The arguments go to the base class as they are, so that the error pickles; the message is made on demand.
        super().__init__(option, value, problem, remedy, is_item)
        self.option = option
        self.value = value
        self.problem = problem
        self.remedy = remedy
        self.is_item = is_item

    def message(self, write_option: Callable[[Mention], str] = str) -> str:
        """Return the message.

        Args:
            write_option: Writes the name and the value of an option as one door does.

        Example:
            >>> error = OptionValueError("b", 3, ("must be less than ", Mention("a", (2,))), "lower it")
            >>> error.message(lambda option: f"--{option.name}")
            '--b must be less than --a; lower it'
        """
        if self.is_item:
            subject = f"{write_option(Mention(self.option))}:"
        else:
            subject = write_option(Mention(self.option, (self.value,)))
        remedy = _write(self.remedy, write_option)
        return f"{subject} {_write(self.problem, write_option)}" + (f"; {remedy}" if remedy else "")

    def __str__(self) -> str:
        """Return the message in the words of Python."""
        return self.message()

    def __eq__(self, other: object) -> bool:
        """Return whether `other` is the same error of the same option with the same value."""
        return isinstance(other, OptionError) and type(self) is type(other) and self.args == other.args

    def __hash__(self) -> int:
        """Hash by the option alone: its value may be anything."""
        return hash((type(self), self.option))


class OptionTypeError(OptionError, TypeError):
    """An option has a value of the wrong type."""


class OptionValueError(OptionError, ValueError):
    """An option has a value of the right type that it cannot have."""


class OptionImportError(OptionError, ImportError):
    """An option needs a package that is not installed."""


def _write(words: Words, write_option: Callable[[Mention], str]) -> str:
    if isinstance(words, str):
        return words
    return "".join(write_option(word) if isinstance(word, Mention) else word for word in words)


class OversizedBlockError(ValueError):
    """A block alone is longer than `chunk_size`, and `oversized="error"` forbids to cut it.

    Args:
        type: The block's type.
        identity: The block's identity, or `None`.
        span: The block's span in the source, `(start, end)`.
        line: The 1-based line of its first character.
        length: Its length, measured by the splitter's `length_function`.
        chunk_size: The splitter's `chunk_size`.

    Example:
        >>> error = OversizedBlockError("file", "a.py", (10, 500), 2, 490, 100)
        >>> str(error).split(";")[0]
        "file 'a.py' at line 2 (characters 10 to 500) has length 490, more than chunk_size=100"
    """

    def __init__(
        self,
        type: str,  # noqa: A002 - the attribute's public name
        identity: str | None,
        span: tuple[int, int],
        line: int,
        length: int,
        chunk_size: int,
    ) -> None:
        # The arguments go to the base class as they are, so that the error pickles; the message is made on demand.
        super().__init__(type, identity, span, line, length, chunk_size)
        self.type = type
        self.identity = identity
        self.span = span
        self.line = line
        self.length = length
        self.chunk_size = chunk_size

    def __str__(self) -> str:
        """Say which block, where, how long, and what to do."""
        name = self.type if self.identity is None else f"{self.type} {self.identity!r}"
        start, end = self.span
        return (
            f"{name} at line {self.line} (characters {start} to {end}) has length {self.length}, more than "
            f'chunk_size={self.chunk_size}; raise chunk_size, or allow oversized="split" or "keep"'
        )


class UnreadableFileError(ValueError):
    """A file is not text in the encoding named, or is not the gzip file that its suffix says.

    Args:
        source: The file.
        offset: The offset in bytes of the first byte that could not be read; in a gzip file, in its unpacked contents.
        problem: What is wrong there.
        remedy: What to do.
        line: The 1-based line of that byte, where lines can be told.

    Example:
        >>> print(UnreadableFileError("a.xml", 7, "byte 0xff is not utf-8", "name the encoding it has", 2))
        a.xml: byte 0xff is not utf-8 in line 2, at offset 7; name the encoding it has, or leave the file out
    """

    def __init__(self, source: str, offset: int, problem: str, remedy: str, line: int | None = None) -> None:
        # The arguments go to the base class as they are, so that the error pickles; the message is made on demand.
        super().__init__(source, offset, problem, remedy, line)
        self.source = source
        self.offset = offset
        self.problem = problem
        self.remedy = remedy
        self.line = line

    def __str__(self) -> str:
        """Say which file, what is wrong, where, and what to do."""
        line = "" if self.line is None else f" in line {self.line}"
        return f"{self.source}: {self.problem}{line}, at offset {self.offset}; {self.remedy}, or leave the file out"
