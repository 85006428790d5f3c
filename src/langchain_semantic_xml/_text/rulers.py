"""A length function with its answers checked, and a running estimate of the length of a character.

A `Ruler` belongs to one call: what it learns is never shared between calls. It knows nothing of
blocks, sections or parts.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import SupportsIndex

from langchain_semantic_xml._text.checks import check_length_function

LengthFunction = Callable[[str], int]

_MARGIN = 8
"""By how much the length of a prefix is above a limit at least, to prove that the whole text is above it."""


class LengthRate:
    """An estimate of the length per character, updated by each measurement.

    An estimate only ever saves measurements: code that uses one confirms it by measuring.

    Attributes:
        per_character: The length per character in the latest measurement.
        doubt: How far the estimate was off lately, as a share of itself; at most a tenth.
    """

    __slots__ = ("doubt", "per_character")

    _MOST_DOUBT = 0.1
    _LEAST_LENGTH = 0.5
    """Stands for zero, so that a text of length 0 says how many characters may at least be expected."""

    def __init__(self) -> None:
        # One per character is exact for functions that count characters, and on the safe side for tokens.
        self.per_character = 1.0
        self.doubt = 0.0

    def characters_within(self, length: int) -> int:
        """Return how many characters are expected to measure at most `length`, with the doubt taken off."""
        return int(length * (1.0 - self.doubt) / self.per_character) if length > 0 else 0

    def learn(self, characters: int, length: int) -> None:
        """Update the estimate: a text of so many characters has measured `length`."""
        if characters <= 0:
            return
        # A function that counts nothing so far may count one with the next character.
        rate = max(length, self._LEAST_LENGTH) / characters
        error = abs(rate - self.per_character) / max(rate, self.per_character)
        # A surprise is forgotten slowly: text that varied once varies again.
        self.doubt = min(self._MOST_DOUBT, max(error, self.doubt * 0.7))
        self.per_character = rate


class Ruler:
    """Measures texts with a length function and checks each answer.

    Args:
        length_function: Any function from `str` to `int`.

    Attributes:
        additive: Whether the length of a joined text is exactly the sum of its pieces' lengths
            and the length of a slice is the number of its characters.
        empty_length: The length of the empty text: what a function adds for begin and end tokens.

    Raises:
        TypeError: If the function is not callable or answers with anything but an integer.
        ValueError: If the function answers with a negative number.

    Example:
        >>> ruler = Ruler(lambda text: len(text.split()))
        >>> ruler.length("two words", 0), ruler.length_within("one two three", 0, 13, 2)
        (2, None)
    """

    __slots__ = ("_function", "_rate", "additive", "empty_length")

    def __init__(self, length_function: LengthFunction) -> None:
        check_length_function(length_function)
        self._function = length_function
        self._rate = LengthRate()
        self.additive = length_function is len
        self.empty_length = 0 if self.additive else self.length("", 0)

    def length(self, text: str, at: int) -> int:
        """Return the length of `text`, which begins at offset `at` of the source.

        An exception of the length function passes through as it is, with a note of the offset.
        """
        try:
            length = self._function(text)
        except Exception as error:
            self._add_note(error, at)
            raise
        return length if type(length) is int and length >= 0 else self._check_length(length, at)

    def length_within(self, text: str, start: int, end: int, limit: int) -> int | None:
        """Return the length of `text[start:end]`, or `None` if it is above `limit`.

        A text that is far too long is not measured as a whole: a prefix of it that is clearly too long
        proves it. A prefix may be a little longer than the whole, as with tokens, of which a longer
        text may have fewer; so a prefix that is just above the limit proves nothing. The
        estimated rate only chooses the prefix, so it changes the cost, never the answer.

        Rule: S1.
        """
        if self.additive:
            return end - start if end - start <= limit else None
        # A prefix far above the limit is rarely measured in vain; one that is nearly the whole would tell less than it.
        clearly_above = limit + limit // 50 + _MARGIN
        wanted = clearly_above + limit // 2
        probe = self._rate.characters_within(wanted) + 1
        while probe + probe // 16 < end - start:
            if self._measure(text, start, start + probe) > clearly_above:
                return None
            probe = max(2 * probe, self._rate.characters_within(wanted))
        length = self._measure(text, start, end)
        return length if length <= limit else None

    def _measure(self, text: str, start: int, end: int) -> int:
        """Return the length of `text[start:end]` and update the estimated rate."""
        length = self.length(text[start:end], start)
        self._rate.learn(end - start, length - self.empty_length)
        return length

    def _check_length(self, length: SupportsIndex, at: int) -> int:
        """Return an answer as an `int`, or raise if it is not a length."""
        # NumPy's integers are as good as Python's; True and False are integers by accident only.
        try:
            checked = -1 if isinstance(length, bool) else operator.index(length)
        except TypeError:
            checked = -1
        if checked >= 0:
            return checked
        msg = (
            f"length_function {self._name} returned {length!r} for the text at offset {at}; it must return an int >= 0"
        )
        if isinstance(length, bool) or not hasattr(length, "__index__"):
            raise TypeError(msg)
        raise ValueError(msg)

    def _add_note(self, error: Exception, at: int) -> None:
        """Add the name of the length function and the offset to an exception that it raised."""
        note = f"raised by length_function {self._name} for the text at offset {at}"
        if sys.version_info >= (3, 11):
            error.add_note(note)
        else:  # until Python 3.10 is dropped; what add_note() does there, though only pytest shows it
            error.__notes__ = [*getattr(error, "__notes__", ()), note]

    @property
    def _name(self) -> str:
        return getattr(self._function, "__qualname__", None) or repr(self._function)
