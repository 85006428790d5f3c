"""Where a text may be cut between two code points: never inside what a person sees as one character.

Knows the joining rules of Unicode as far as general categories and a few ranges of code points tell
them. Knows nothing of parts, and imports nothing of this package.

Source:
    Unicode Standard Annex 29, rules GB3 and GB6 to GB13. Where the annex needs a property that Python
    does not carry, more is joined than there: a cut is missed, never a character torn.
"""

from __future__ import annotations

import unicodedata
from itertools import chain

_FIRST_JOINING = "\u0300"
"""The lowest code point that joins with what precedes it, `\n` after `\r` apart."""
_JOINER = "\u200d"
_HALF_WIDTH_MARKS = "\uff9e\uff9f"


def cut_between_characters(text: str, low: int, high: int, limit: int) -> int | None:
    r"""Return the last position in `(low, high]` that is inside no cluster, else the first in `(high, limit]`.

    O(limit - low), and O(1) for text without clusters.

    Example:
        >>> cut_between_characters("ae\u0301o", 0, 2, 4), cut_between_characters("e\u0301o", 0, 1, 3)
        (1, 2)

    Rule: P2.
    """
    for at in chain(range(high, low, -1), range(high + 1, limit + 1)):
        if not _is_inside_cluster(text, low, at):
            return at
    return None


def is_cluster_edge(text: str, at: int) -> bool:
    """Return whether a text may be cut at `at`: not inside a cluster."""
    return not _is_inside_cluster(text, 0, at)


def _is_inside_cluster(text: str, low: int, at: int) -> bool:
    """Return whether the characters before and after `at` are of one cluster; none begins before `low`."""
    if at >= len(text):
        return False
    before, after = text[at - 1], text[at]
    if after < _FIRST_JOINING:
        return after == "\n" and before == "\r"
    return (
        before == _JOINER
        or _extends(after)
        or (_is_flag_half(after) and _count_flag_halves(text, low, at) % 2 == 1)
        or _is_one_syllable(before, after)
    )


def _extends(character: str) -> bool:
    """Return whether a character only changes the character before it: a mark, selector, skin tone or tag."""
    return (
        unicodedata.category(character)[0] == "M"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or character in (_JOINER, "\u200c")
        or character in _HALF_WIDTH_MARKS
    )


def _is_flag_half(character: str) -> bool:
    """Return whether a character is one of the two letters that make a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _count_flag_halves(text: str, low: int, at: int) -> int:
    """Return how many letters of flags end at `at`, next to each other; the search ends at `low`."""
    first = at
    while first > low and _is_flag_half(text[first - 1]):
        first -= 1
    return at - first


def _is_one_syllable(before: str, after: str) -> bool:
    """Return whether two Hangul characters are of one syllable."""
    if "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7fb":
        return "\u1100" <= before <= "\u11ff" or "\ua960" <= before <= "\ua97c" or "\uac00" <= before <= "\ud7fb"
    if "\u1100" <= after <= "\u115f" or "\ua960" <= after <= "\ua97c" or "\uac00" <= after <= "\ud7a3":
        return "\u1100" <= before <= "\u115f" or "\ua960" <= before <= "\ua97c"
    return False
