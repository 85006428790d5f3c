"""The inner boundaries of what is no code: prose, diffs, data, configuration, scripts of other tools.

Knows how each of these is laid out in lines. Knows nothing of files or elements.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace

from langchain_semantic_xml._parts.keywords import BLANK_LINES, MARGIN, NEW_LINE, SPACE, levels_of_markup
from langchain_semantic_xml._parts.levels import InnerBoundaries, Level, LiteralLevel, PatternLevel
from langchain_semantic_xml._text.sentences import CLOSERS, SENTENCE_END, TERMINALS

SENTENCE = PatternLevel(SENTENCE_END, before=None)
_CLAUSE = PatternLevel(re.compile("[\u3001\uff0c\uff1b\uff1a\u060c\u061b][\u201d\u300d\u300f\uff09]{0,3}"), before=None)
"""A comma or semicolon of a script that writes without spaces, or the Arabic one."""

# A line that holds at least so many characters, and does not end a sentence, may be broken in the middle of one.
_WRAPPED = 50
_LINE_OF_ITS_OWN = PatternLevel(
    re.compile(
        rf"""
            \n                                # a line end that is not in the middle of a sentence:
            (?: (?<![^\n]{{{_WRAPPED}}}\n)      # it ends a short line,
              | (?<=[{TERMINALS}:]\n)          # or a sentence,
              | (?<=[{TERMINALS}:]\r\n)
              | (?<=[{TERMINALS}][{CLOSERS}]\n)
              | (?![ \t]{{0,3}}                # or the next line does not begin with a word
                  (?:[^\W\d]|["'(\[*_`\u201c\u2018\u00ab]|[^\x00-\x7f])
                )
            )
        """,
        re.VERBOSE,
    )
)
_LINES_OF_PROSE = (SENTENCE, NEW_LINE, _CLAUSE, SPACE)

# A heading belongs to the lines below it, even if those are another heading.
_HEADING_LINE = re.compile(r" {0,3}#{1,6}[ \t]")
_HEADINGS = tuple(
    LiteralLevel(
        f"\n{'#' * depth} ",
        structure=True,
        attached=_HEADING_LINE,
        over_blanks=True,
        in_fence=False,
        needs=(f"\n{'#' * depth} ",),
    )
    for depth in range(1, 7)
)
# CommonMark 0.31, 4.3 and 4.1: a line of `=` or `-` under text makes that a heading; after a blank line, it is a rule.
_UNDERLINED = tuple(
    PatternLevel(
        re.compile(rf"\n(?=[^\s|][^\n]*\n{mark}{{2,}}[ \t\r]*\n)"),
        structure=True,
        in_fence=False,
        needs=(f"\n{mark}{mark}",),
    )
    for mark in ("=", "-")
)
_RULE = PatternLevel(
    re.compile(r"\n[ \t\r]*\n(?=(?:-{3,}|\*{3,}|_{3,})[ \t\r]*\n)"),
    before=None,
    in_fence=False,
    needs=("\n---", "\n***", "\n___"),
)
_LIST_ITEM = r"(?:[-*+]|\d{1,9}[.)])[ \t]"
_BELOW_HEADINGS = tuple(
    replace(level, attached=_HEADING_LINE, over_blanks=True)
    for level in (
        LiteralLevel("\n\n", before=None, unless="`~|"),  # a fence or table stays with the paragraph that introduces it
        *BLANK_LINES,
        PatternLevel(re.compile(rf"\n{_LIST_ITEM}"), in_fence=False),
        PatternLevel(re.compile(rf"\n[ \t]{{1,40}}(?![ \t]){_LIST_ITEM}"), in_fence=False),
        _LINE_OF_ITS_OWN,
    )
)
# reStructuredText: a title stands above its underline.
_TITLES = tuple(
    PatternLevel(re.compile(rf"\n(?=\S[^\n]*\n{mark}{{3,}}[ \t\r]*\n)"), structure=True)
    for mark in ("=", "-", "~", r"\^", '"')
)
PROSE = InnerBoundaries((*_HEADINGS, *_UNDERLINED, _RULE, *_BELOW_HEADINGS, *_LINES_OF_PROSE), keep_fences=True)


def _line(pattern: str, *, above: str = "", finer: bool = False) -> Level:
    """Return the boundaries before a line that begins with a pattern; lines that match `above` go with it."""
    attached = re.compile(rf"[ \t]*(?:{above})") if above else None
    return PatternLevel(re.compile(rf"\n(?={pattern})"), structure=not finer, attached=attached)


_ANY_INDENTATION = r"([ \t]*+)" if sys.version_info >= (3, 11) else r"(?=([ \t]*))\1"
"""An indentation, which may be empty, as group 1; until Python 3.10 is dropped."""


def _indented_line(pattern: str, *, above: str = "") -> Level:
    """Return the boundaries before a line whose first visible characters match; less indentation is coarser."""
    attached = re.compile(rf"[ \t]*(?:{above})") if above else None
    return PatternLevel(
        re.compile(rf"\n{_ANY_INDENTATION}(?={pattern})"), structure=True, indented=True, attached=attached
    )


def _lines(above: str) -> tuple[Level, ...]:
    """Return the boundaries below all structure: blank lines, lines with the comments above them, lines, words."""
    attached = re.compile(rf"[ \t]*(?:{above})") if above else None
    return (*BLANK_LINES, LiteralLevel("\n", attached=attached), NEW_LINE, SPACE)


_SQL_STATEMENT = (
    r"(?i:create|alter|drop|insert|update|delete|select|with|merge|grant|revoke|truncate|begin|commit|declare|use|set|"
    r"explain|copy|comment|call)\b"
)
_DOCKER_INSTRUCTION = (
    r"(?i:run|copy|add|env|arg|label|workdir|entrypoint|cmd|expose|volume|user|healthcheck|shell|stopsignal|onbuild)\s"
)
_HEADER_OF_DIFF = r"diff |Index: |=====|index |new |old |deleted |similarity |rename |copy |Binary |--- |\+\+\+ "
"""The lines above the first hunk of a file; they belong to it."""
LAYOUTS: dict[str, InnerBoundaries] = {
    "markdown": PROSE,
    "rst": InnerBoundaries((*_TITLES, _RULE, *_BELOW_HEADINGS, *_LINES_OF_PROSE)),
    "html": InnerBoundaries((*levels_of_markup("html"), *BLANK_LINES, _LINE_OF_ITS_OWN, *_LINES_OF_PROSE)),
    "latex": InnerBoundaries((*levels_of_markup("latex"), *BLANK_LINES, _LINE_OF_ITS_OWN, *_LINES_OF_PROSE)),
    "diff": InnerBoundaries(
        (
            _line(r"commit [0-9a-f]{7}"),
            _line(
                r"diff |Index: |--- [^\n]*\n\+\+\+ ",
                above=_HEADER_OF_DIFF,
            ),
            _line("@@ ", above=_HEADER_OF_DIFF),
            NEW_LINE,
            SPACE,
        )
    ),
    "xml": InnerBoundaries(
        (
            _indented_line(r"<[^/!?\s]", above="<!--"),
            *_lines("<!--"),
            PatternLevel(re.compile(r">\s*(?=<[^/!])"), before=None),
            *_LINES_OF_PROSE,
        )
    ),
    "json": InnerBoundaries(
        (
            _indented_line(r"[^\s\]}),]"),
            NEW_LINE,
            PatternLevel(re.compile(r"[}\]],\s*(?=[{\[])"), before=None),
            PatternLevel(re.compile(r",\s*(?=[\"{\[])"), before=None),
            SPACE,
        )
    ),
    "yaml": InnerBoundaries((_line("---"), _indented_line(r"[^\s#]", above="#"), *_lines("#"))),
    "toml": InnerBoundaries((_line(r"[ \t]*\[", above="[#;]"), *MARGIN, *_lines("[#;]"))),
    "shell": InnerBoundaries(
        (
            _line(r"(?:function[ \t]+)?[\w.:-]+[ \t]*\([ \t]*\)|function[ \t]", above="#"),
            *MARGIN,
            _line(r"(?:if|for|while|until|case|select)\b", above="#", finer=True),
            *_lines("#"),
        )
    ),
    "sql": InnerBoundaries(
        (
            _line(_SQL_STATEMENT, above=r"--|/\*|\*"),
            *BLANK_LINES,
            PatternLevel(re.compile(r";[ \t\r]*\n"), before=None),
            *_lines(r"--|/\*|\*"),
        )
    ),
    "dockerfile": InnerBoundaries(
        (_line(r"(?i:from)\s", above="#"), _line(_DOCKER_INSTRUCTION, above="#"), *_lines("#"))
    ),
    "makefile": InnerBoundaries((_line(r"[^\s#:=][^\n:=#]*:(?![:=]?=)", above=r"#|\.PHONY"), *MARGIN, *_lines("#"))),
}
"""The inner boundaries of each layout; `"markdown"` stands for all prose.

Rule: P2.
"""
