"""Text → HTML that shows every character of the text and can be nothing but text.

All text of a user that the page shows goes through this module.
"""

from __future__ import annotations

import re
from html import escape
from itertools import chain

LONGEST_NAME = 200
_FEW_FRAMES, _CHARACTERS_PER_FRAME = 20, 32
"""A text may have 20 frames, and one more for each 32 characters: a browser becomes slow if a large text has an element
for every other character."""

# Characters that are invisible, or that change the order of their neighbours. Joiners (U+200C, U+200D) stay: emoji and
# several scripts are made with them.
_INVISIBLE = (
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F),                     # controls, but for tab and line feed
    (0xAD, 0xAD), (0x180E, 0x180E), (0x200B, 0x200B),             # soft hyphen, vowel separator, zero-width space
    (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E),           # Bidi_Control, and the two separators of lines
    (0x2060, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),         # invisible operators, byte-order mark, annotations
    (0xD800, 0xDFFF), (0xE0000, 0xE007F),                         # surrogates, which UTF-8 lacks; tags
)  # fmt: skip
_RUN_OF_INVISIBLE = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in _INVISIBLE)}]+")
_ASCII = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
_ABBREVIATIONS = {**dict(enumerate(_ASCII.split())), 0x7F: "DEL"}
_NAMES = {
    code: _ABBREVIATIONS.get(code) or f"U+{code:04X}"
    for code in chain.from_iterable(range(first, last + 1) for first, last in _INVISIBLE)
}
_QUOTED_NAMES = {code: f"[{name}]" for code, name in _NAMES.items()}


def escape_text(text: str) -> str:
    r"""Escape a text for the page, with frames around the names of invisible characters.

    A `\r` before `\n` stays a `\r`, written so that the browser keeps it.

    Example:
        >>> escape_text("<b>\x1b[0m")
        '&lt;b&gt;<i>ESC</i>[0m'
    """
    safe = escape(text, quote=False).replace("\r\n", "&#13;\n")
    frames = len(_RUN_OF_INVISIBLE.findall(safe))
    if frames > _FEW_FRAMES + len(text) // _CHARACTERS_PER_FRAME:
        return safe.translate(_QUOTED_NAMES)
    return _RUN_OF_INVISIBLE.sub(_frame, safe) if frames else safe


def _frame(run: re.Match[str]) -> str:
    return f"<i>{' '.join(_NAMES[ord(character)] for character in run.group())}</i>"


def escape_plain(text: str) -> str:
    """Escape a text for a place without markup: a title, or metadata."""
    return escape(text).translate(_QUOTED_NAMES)


def write_bdi(text: str, kind: str = "") -> str:
    """Write a clipped name as a `bdi` element of class `kind`: its writing direction does not reach its neighbours."""
    attribute = f' class="{kind}"' if kind else ""
    return f"<bdi{attribute}>{escape_text(clip(text, LONGEST_NAME))}</bdi>"


def clip(text: str, longest: int) -> str:
    """Return a text, or the start of one that is too long, with its length."""
    return text if len(text) <= longest else f"{text[:longest]}… {len(text):,} characters"
