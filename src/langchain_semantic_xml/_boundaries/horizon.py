"""How far a text is known: to its end, or only as far as a stream has been read."""

from __future__ import annotations

_FAR = 1024
"""After so many characters, a tag that begins before them is known in full; of a longer one, its line decides."""


class Undecided(Exception):  # noqa: N818 - no error: more of the stream must be read
    """What has been read of a stream does not settle a question."""


class Horizon:
    """A text, or the window of a stream that has been read, and whether the text ends where the window does.

    Args:
        text: The text, or the window.
        complete: Whether no character follows `text`.
    """

    __slots__ = ("complete", "text")

    def __init__(self, text: str, *, complete: bool = True) -> None:
        self.text = text
        self.complete = complete

    def need(self, *, settled: bool) -> None:
        """Go on if a question is settled, or if nothing follows the text that could change the answer.

        Raises:
            Undecided: If characters that have not been read may change the answer.
        """
        if not (settled or self.complete):
            raise Undecided

    def is_far(self, position: int) -> bool:
        """Return whether enough characters follow `position` to recognise a tag that begins there."""
        return self.complete or position + _FAR <= len(self.text)
