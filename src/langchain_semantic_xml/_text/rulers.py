"""A length function with its answers checked, and what is known of it so far.

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


class Gauge:
    """What was learnt of the ratio of length to characters, to guess where a text reaches a length.

    A guess only ever saves measurements: whoever uses one confirms it by measuring.

    Attributes:
        rate: The length per character, as last seen.
        doubt: By how much of itself the rate was off lately, at most a tenth.
    """

    __slots__ = ("doubt", "rate")

    _MOST_DOUBT = 0.1
    _LEAST_RATE = 1e-9
    """Stands for zero, so that a function that counts nothing divides by something."""

    def __init__(self) -> None:
        # One per character is exact for functions that count characters, and on the safe side for tokens.
        self.rate = 1.0
        self.doubt = 0.0

    def characters(self, length: int) -> int:
        """Guess how many characters surely have no more than `length`."""
        return int(length * (1.0 - self.doubt) / self.rate) if length > 0 else 0

    def learn(self, characters: int, length: int) -> None:
        """Take note that so many characters had this length."""
        if characters <= 0:
            return
        rate = max(length / characters, self._LEAST_RATE)
        error = abs(rate - self.rate) / max(rate, self.rate)
        # A surprise is forgotten slowly: text that varied once varies again.
        self.doubt = min(self._MOST_DOUBT, max(error, self.doubt * 0.7))
        self.rate = rate


class Ruler:
    """Measures texts with a length function and checks each answer.

    Attributes:
        additive: Whether the length of a joined text is exactly the sum of its pieces' lengths
            and the length of a slice is the number of its characters.
        base: The length of the empty text: what a function adds for begin and end tokens.

    Raises:
        TypeError: If the function is not callable or answers with something else than an integer.
        ValueError: If the function answers with a negative number.

    Example:
        >>> ruler = Ruler(lambda text: len(text.split()))
        >>> ruler.length("two words", 0), ruler.exceeds("one two three", 0, 13, 2)
        (2, None)
    """

    __slots__ = ("_function", "_gauge", "additive", "base")

    def __init__(self, length_function: LengthFunction) -> None:
        check_length_function(length_function)
        self._function = length_function
        self._gauge = Gauge()
        self.additive = length_function is len
        self.base = 0 if self.additive else self.length("", 0)

    def length(self, text: str, at: int) -> int:
        """Return the length of `text`, which begins at offset `at` of the source.

        An exception of the length function passes through as it is, with a note of the offset.
        """
        try:
            length = self._function(text)
        except Exception as error:
            self._note(error, at)
            raise
        return length if type(length) is int and length >= 0 else self._checked(length, at)

    def exceeds(self, text: str, start: int, end: int, limit: int) -> int | None:
        """Return the length of `text[start:end]`, or `None` if that is more than `limit`.

        A text that is far too long is not measured as a whole: a prefix of it that is already too
        long proves it. The one thing assumed is that no text is shorter than its own prefix; the
        ratio learnt in this call only chooses the prefix, so it changes the cost, never the answer.
        """
        if self.additive:
            return end - start if end - start <= limit else None
        # A fifth more characters than the limit takes is enough to be over in spite of small variations;
        # a prefix that is nearly the whole would cost as much as the whole, and tell less.
        probe = self._gauge.characters(limit + limit // 5) + 1
        while probe + probe // 4 < end - start:
            if self._learn(text, start, start + probe) > limit:
                return None
            probe = max(2 * probe, self._gauge.characters(limit + limit // 5))
        length = self._learn(text, start, end)
        return length if length <= limit else None

    def _learn(self, text: str, start: int, end: int) -> int:
        length = self.length(text[start:end], start)
        self._gauge.learn(end - start, length - self.base)
        return length

    def _checked(self, length: SupportsIndex, at: int) -> int:
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

    def _note(self, error: Exception, at: int) -> None:
        note = f"raised by length_function {self._name} for the text at offset {at}"
        if sys.version_info >= (3, 11):
            error.add_note(note)
        else:  # what add_note() does; tracebacks show it from Python 3.11 on, pytest and others before
            error.__notes__ = [*getattr(error, "__notes__", ()), note]

    @property
    def _name(self) -> str:
        return getattr(self._function, "__qualname__", None) or repr(self._function)
