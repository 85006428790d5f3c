"""The public errors: each carries its facts as attributes, pickles, and says what to do."""

from __future__ import annotations


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
        offset: Of the first byte that could not be read; in a gzip file, of its unpacked contents.
        problem: What is wrong there.
        remedy: What to do.
        line: Its 1-based line, where lines can be told.

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
