"""The window of a text: the only value of the package that moves."""

from __future__ import annotations


class Window:
    """The text that offsets point into, or, of a stream, the window of it that is still needed.

    Args:
        text: The characters at hand.

    Attributes:
        offset: The offset of the first character at hand.
        needed: The offset before which nobody asks for characters any more; whoever reads a stream may `drop` them.
    """

    __slots__ = ("_line", "_position", "needed", "offset", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = self.needed = 0
        self._position, self._line = 0, 1

    def slice(self, start: int, end: int) -> str:
        """Return the characters `[start, end)`, in offsets of the whole text."""
        return self.text[start - self.offset : end - self.offset]

    def line_of(self, offset: int) -> int:
        """Return the 1-based line of the character at `offset`; cheap when asked in ascending order."""
        here, there = self._position - self.offset, offset - self.offset
        if there >= here:
            self._line += self.text.count("\n", here, there)
        else:
            self._line -= self.text.count("\n", there, here)
        self._position = offset
        return self._line

    def drop(self, offset: int) -> None:
        """Forget the characters before `offset`."""
        if self._position < offset:
            self.line_of(offset)
        self.text = self.text[offset - self.offset :]
        self.offset = offset


def count_lines(content: str) -> int:
    r"""Count lines as a text editor does: a final line end opens no further line.

    Only `\n` ends a line.

    Example:
        >>> count_lines("a\nb\n"), count_lines("a\nb"), count_lines("")
        (2, 2, 0)
    """
    return content.count("\n") + (content != "" and not content.endswith("\n"))
