"""The window of a text: the only value of the package that moves, and the protocol by which it does."""

from __future__ import annotations


class Window:
    r"""The part of a text that is still needed: all of it, or a stretch that moves along a stream.

    Every position outside this class is an offset into the whole text. `text` and `offset` change only between two
    blocks, while a stream is read on; what was taken from them before that is out of date.

    Who does what:

    * The reader of a stream calls `append` for what it has read, and `forget_before` for what it has passed.
    * The consumer of the blocks calls `release` for what it does not ask for again.
    * Everybody else only reads: `slice`, `locate` and `line_of`.

    Args:
        text: The characters to begin with: the whole text, or `""` for a stream.

    Attributes:
        text: The characters in the window.
        offset: The offset of the first of them.

    Example:
        >>> window = Window("")
        >>> window.append(["one\n", "two\n"])
        >>> window.release(4)
        >>> window.forget_before(8)
        >>> window.offset, window.text, window.slice(4, 7), window.line_of(4)
        (3, '\ntwo\n', 'two', 2)
    """

    __slots__ = ("_line", "_position", "_released", "offset", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = self._released = 0
        self._position, self._line = 0, 1

    @property
    def end(self) -> int:
        """The offset after the last character in the window."""
        return self.offset + len(self.text)

    def slice(self, start: int, end: int) -> str:
        """Return the characters of the span `[start, end)`, which must be in the window."""
        return self.text[start - self.offset : end - self.offset]

    def locate(self, start: int, end: int) -> tuple[str, int, int]:
        """Return a string that holds the span `[start, end)`, and the indices of the span in that string."""
        return self.text, start - self.offset, end - self.offset

    def line_of(self, offset: int) -> int:
        """Return the 1-based line of the character at `offset`; cheap when asked in ascending order."""
        here = self._position
        if offset > here:
            self._line += self.text.count("\n", here - self.offset, offset - self.offset)
        elif offset < here:
            self._line -= self.text.count("\n", offset - self.offset, here - self.offset)
        self._position = offset
        return self._line

    def append(self, pieces: list[str]) -> None:
        """Add what was read to the end of the window."""
        self.text = "".join([self.text, *pieces])

    def release(self, offset: int) -> None:
        """Say that the characters before `offset` are not asked for again."""
        self._released = offset

    def forget_before(self, offset: int) -> None:
        """Forget the released characters before `offset`, except the last one.

        The last one stays because whether a text begins a line depends on the character before it.
        """
        begin = max(self.offset, min(self._released, offset) - 1)
        if self._position < begin:
            self.line_of(begin)
        self.text = self.text[begin - self.offset :]
        self.offset = begin


def count_lines(content: str) -> int:
    r"""Count lines as a text editor does: a final line end opens no further line.

    Only `\n` ends a line.

    Example:
        >>> count_lines("a\nb\n"), count_lines("a\nb"), count_lines("")
        (2, 2, 0)
    """
    return content.count("\n") + (content != "" and not content.endswith("\n"))
