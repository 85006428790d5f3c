"""The errors that carry more than a message."""

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
