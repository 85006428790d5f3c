"""What the tags of one name at one indentation meet (boundary rules 2 to 6).

One pass forward with a stack and passes backward, each made when it is first asked for, answer every question in
constant time. Positions here are places in the lane.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Container
from functools import cached_property
from itertools import accumulate, pairwise

from langchain_semantic_xml._boundaries.scan import CLOSE, OPEN, Tag, Undecided
from langchain_semantic_xml._boundaries.tags import ANY_CLOSING, ANY_OPENING

_NEAREST = 64
_MANY = 3  # rule 5 doubts a nesting over more elements than this

_NOT_BLANK = re.compile(r"\S")
# Rule 5, the wrapper of an inner run: an opening tag first on its line, and its closing tag.
_WRAPPER_OPENING = re.compile(rf"^[ \t]*{ANY_OPENING}", re.MULTILINE)
_WRAPPER_CLOSING = re.compile(ANY_CLOSING)


class Wrappers:
    """The tags of other names that may wrap a run of elements (rule 5), found in one pass when first asked for.

    Args:
        text: The text.
        elements: The names of elements, which no wrapper has.
    """

    def __init__(self, text: str, elements: Container[str]) -> None:
        self._text = text
        self._elements = elements

    def enclose(self, head: tuple[int, int], tail: tuple[int, int]) -> bool:
        """Say whether a wrapper opens at a line start in the span `head` and closes in the span `tail`.

        Of many openings the last ones are looked at: a wrapper stands close to what it wraps.
        """
        first, last = (bisect_left(self._openings, (offset, 0, "")) for offset in head)
        for _, end, name in self._openings[max(first, last - _NEAREST) : last]:
            closings = self._closings.get(name, [])
            place = bisect_left(closings, tail[0])
            if end <= head[1] and place < len(closings) and closings[place] < tail[1]:
                return True
        return False

    @cached_property
    def _openings(self) -> list[tuple[int, int, str]]:
        matches = _WRAPPER_OPENING.finditer(self._text)
        return [(match.start(), match.end(), match[1]) for match in matches if match[1] not in self._elements]

    @cached_property
    def _closings(self) -> dict[str, list[int]]:
        closings: dict[str, list[int]] = {}
        for match in _WRAPPER_CLOSING.finditer(self._text):
            closings.setdefault(match[1], []).append(match.start())
        return closings


class Lane:
    """The openings and closings of one name and indentation that fill their lines.

    Args:
        text: The text they stand in.
        wrappers: The wrappers of the text.
        is_followed: Says whether a closing is followed as a real one is (rule 4).
        complete: Whether no tag can come after the last one.
    """

    def __init__(self, text: str, wrappers: Wrappers, is_followed: Callable[[Tag], bool], *, complete: bool) -> None:
        self.tags: list[Tag] = []
        self._text = text
        self._wrappers = wrappers
        self._is_followed = is_followed
        self._complete = complete

    def closing_of(self, place: int) -> Tag | None:
        """Return the closing that ends the element opened at `place` (rules 2 to 5); `None` where none does.

        Raises:
            Undecided: If a tag that is still to come may change the answer.
        """
        balanced = self._balanced[place]
        if not self._complete and (balanced < 0 or self._run_end[balanced] == len(self.tags) - 1):
            raise Undecided
        if balanced < 0:
            followed = self._next_followed[place]
            end = followed if followed >= 0 else self._next_closing[place]
        elif self._is_doubtful(place, balanced):
            end = self._next_followed[place]
        else:
            end = self._run_end[balanced]
        return self.tags[end] if end >= 0 else None

    def _is_doubtful(self, place: int, balanced: int) -> bool:
        """Say whether a nesting contradicts an earlier followed closing without a reason to (rule 5)."""
        inner = (balanced - place) // 2
        if inner <= _MANY or not 0 <= self._next_followed[place] < balanced:
            return False
        if self._texts_before[balanced] > self._texts_before[place + 1]:
            return False
        head = self.tags[place].end, self.tags[place + 1].start
        tail = self.tags[balanced - 1].end, self.tags[balanced].start
        return not self._wrappers.enclose(head, tail)

    @cached_property
    def _balanced(self) -> list[int]:
        """For each opening the closing that brings the depth back (rule 2); -1 where none does."""
        balanced = [-1] * len(self.tags)
        stack: list[int] = []
        for place, tag in enumerate(self.tags):
            if tag.kind is OPEN:
                stack.append(place)
            elif stack:
                balanced[stack.pop()] = place
        return balanced

    @cached_property
    def _run_end(self) -> list[int]:
        """For each closing the last one before the next opening (rule 3)."""
        run_end = list(range(len(self.tags)))
        for place in range(len(self.tags) - 2, -1, -1):
            if self.tags[place].kind is CLOSE and self.tags[place + 1].kind is CLOSE:
                run_end[place] = run_end[place + 1]
        return run_end

    @cached_property
    def _next_closing(self) -> list[int]:
        """For each place the next closing; -1 where there is none."""
        return _next_where([tag.kind is CLOSE for tag in self.tags])

    @cached_property
    def _next_followed(self) -> list[int]:
        """For each place the next closing that is followed as a real one is (rule 4); -1 where none is."""
        return _next_where([tag.kind is CLOSE and self._is_followed(tag) for tag in self.tags])

    @cached_property
    def _texts_before(self) -> list[int]:
        """For each place how many openings up to it come after a closing and some text (rule 5)."""
        after_text = (
            first.kind is CLOSE and second.kind is OPEN and bool(_NOT_BLANK.search(self._text, first.end, second.start))
            for first, second in pairwise(self.tags)
        )
        return list(accumulate(after_text, initial=0))


def _next_where(wanted: list[bool]) -> list[int]:
    following = [-1] * len(wanted)
    for place in range(len(wanted) - 2, -1, -1):
        following[place] = place + 1 if wanted[place + 1] else following[place + 1]
    return following
