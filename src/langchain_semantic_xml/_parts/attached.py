"""The lines above a definition or heading that belong to it: comments, decorators, headings above headings.

Knows lines and indentation. The pattern of an attached line comes with the level of a boundary.
"""

from __future__ import annotations

import re

from langchain_semantic_xml._parts.levels import LONGEST_ATTACHED_LINE, Level

_MOST_BLANK_LINES = 3
"""How many blank lines may stand between an attached heading and the line below it."""
_CLOSING_LINE = re.compile(r"([ \t]*)\)")
"""The line that ends a decorator's arguments; group 1 is its indentation."""
_INDENTED_OR_BLANK = re.compile(r"[ \t]|\s*\Z")


def move_above_attached(text: str, level: Level, cut: int, low: int, start: int) -> int:
    """Return where the lines begin that are attached to a boundary: lines directly above `cut` that belong below it.

    Args:
        text: The text.
        level: The kind of the boundary; its `attached` matches the lines that belong to what follows.
        cut: The boundary, at the start of a line.
        low: The least result of use. If the lines begin above it, the result is some line start below `low`.
        start: Where the characters that are cut begin. It counts as the start of a line.

    Rule: P2.
    """
    attached = level.attached
    if attached is None:
        return cut
    floor = max(start, low - LONGEST_ATTACHED_LINE)
    while cut >= low:
        above = _start_of_block_above(text, level, cut, floor, start)
        if above < 0 or not attached.match(text, above, cut):
            break
        cut = above
    return cut


def _start_of_block_above(text: str, level: Level, cut: int, floor: int, start: int) -> int:
    """Return where the line above `cut` begins, or the decorator whose arguments end in that line; -1 below `floor`."""
    above = _find_line(text, "", floor, cut - 1, start)
    if level.over_blanks:
        for _ in range(_MOST_BLANK_LINES):
            if above < 0 or not text[above:cut].isspace():
                break
            cut, above = above, _find_line(text, "", floor, above - 1, start)
        return above
    closing = _CLOSING_LINE.match(text, above, cut) if above >= 0 else None
    if closing:
        decorator = _find_line(text, f"{closing[1]}@", floor, above, start)
        if decorator >= 0 and _is_indented(text[decorator:above], len(closing[1])):
            return decorator
    return above


def _find_line(text: str, beginning: str, floor: int, end: int, start: int) -> int:
    """Return where the last line in `[floor, end)` begins that starts with `beginning`; -1 without such a line.

    `start` counts as the start of a line: of a stream, the text before it may be gone.
    """
    at = text.rfind(f"\n{beginning}", floor, end)
    if at >= 0:
        return at + 1
    return start if floor == start and text.startswith(beginning, start, end) else -1


def _is_indented(lines: str, columns: int) -> bool:
    """Return whether each line but the first is blank or indented by more than so many columns."""
    return all(_INDENTED_OR_BLANK.match(line, columns) for line in lines.split("\n")[1:-1])
