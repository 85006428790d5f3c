"""Where sentences end, in all scripts, and which scripts write without spaces.

Source:
    Unicode 16, PropList.txt, Sentence_Terminal; Unicode Standard Annex 29, rules SB6 to SB11, simplified: an
    abbreviation's full stop ends a sentence, too.
"""

from __future__ import annotations

import re

_BEFORE_A_BLANK = "!.?\u2026\u203c\u203d\u2047-\u2049"
"""Marks that end a sentence only before white space: they also stand inside words and numbers."""
_ANYWHERE = (
    "\u0589\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0837\u0839\u083d\u083e\u0964\u0965\u104a\u104b\u1362\u1367\u1368"
    "\u166e\u1735\u1736\u17d4\u17d5\u1803\u1809\u1944\u1945\u1aa8-\u1aab\u1b4e\u1b4f\u1b5a\u1b5b\u1b5e\u1b5f"
    "\u1b7d-\u1b7f\u1c3b\u1c3c\u1c7e\u1c7f\u2cf9-\u2cfb\u2e2e\u2e3c\u2e53\u2e54\u3002\ua4ff\ua60e\ua60f\ua6f3\ua6f7"
    "\ua876\ua877\ua8ce\ua8cf\ua92f\ua9c8\ua9c9\uaa5d-\uaa5f\uaaf0\uaaf1\uabeb\ufe12\ufe15\ufe16\ufe52\ufe56\ufe57"
    "\uff01\uff0e\uff1f\uff61\U00010a56\U00010a57\U00010f55-\U00010f59\U00010f86-\U00010f89\U00011047\U00011048"
    "\U000110be-\U000110c1\U00011141-\U00011143\U000111c5\U000111c6\U000111cd\U000111de\U000111df\U00011238"
    "\U00011239\U0001123b\U0001123c\U000112a9\U000113d4\U000113d5\U0001144b\U0001144c\U000115c2\U000115c3"
    "\U000115c9-\U000115d7\U00011641\U00011642\U0001173c-\U0001173e\U00011944\U00011946\U00011a42\U00011a43"
    "\U00011a9b\U00011a9c\U00011c41\U00011c42\U00011ef7\U00011ef8\U00011f43\U00011f44\U00016a6e\U00016a6f\U00016af5"
    "\U00016b37\U00016b38\U00016b44\U00016d6e\U00016d6f\U00016e98\U0001bc9f\U0001da88"
)
"""Marks that end a sentence whatever follows: many of these scripts write no space after them."""
TERMINALS = rf"{_BEFORE_A_BLANK}{_ANYWHERE}"
"""All marks, as source text for a class of characters."""
CLOSERS = (
    r"\"'\u2019\u201d)\]}\u00bb\u203a\u300b\u3009\u300d\u300f\u3011\u3015\u3017\u3019\uff09\uff3d\uff5d\uff63\u301f"
)
"""Quotes and brackets that close together with a sentence, as source text for a class of characters."""
SENTENCE_END = re.compile(
    rf"""
      [{_BEFORE_A_BLANK}]         # a mark, often several: the first ones fail, and the last is followed by a blank
      [{CLOSERS}]{{0,3}}\s+
    | [{_ANYWHERE}]
      (?![{TERMINALS}0-9\uff10-\uff19])  # not the first of several, and no decimal point
      [{CLOSERS}]{{0,3}}\s*
    """,
    re.VERBOSE,
)
"""Matches a mark that ends a sentence, the quotes and brackets that close with it, and white space."""

_WITHOUT_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u1a20-\u1aaf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f\u3001-\u303f\U00020000-\U000323af]"
)
"""Thai, Lao, Burmese, Khmer, Tai Tham, Japanese and Chinese, with their punctuation."""


def is_of_script_without_spaces(character: str) -> bool:
    """Return whether a character is of a script that writes no spaces between words.

    Example:
        >>> is_of_script_without_spaces("\u4e00"), is_of_script_without_spaces("a")
        (True, False)
    """
    return _WITHOUT_SPACES.match(character) is not None
