"""A language → its inner boundaries.

The keywords come from LangChain's `RecursiveCharacterTextSplitter.get_separators_for_language`; here
they become levels: exact places to cut, with no text lost or moved. Knows which names and file
suffixes a language goes by, and nothing of blocks or parts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from langchain_semantic_xml._parts.levels import Level, Levels

# The names that a `language` attribute may hold and the suffixes that a path may have, lower case. The values
# are those of LangChain's `Language`; names that a release of LangChain does not know mean prose.
_NAMES: dict[str, str] = {
    name: language
    for language, names in {
        "c": "c h",
        "cobol": "cobol cob cbl cpy",
        "cpp": "cpp c++ cc cxx hpp hh hxx ino cu",
        "csharp": "csharp c# cs",
        "elixir": "elixir ex exs",
        "go": "go golang",
        "haskell": "haskell hs",
        "html": "html htm xhtml",
        "java": "java",
        "js": "js javascript jsx mjs cjs javascriptreact",
        "kotlin": "kotlin kt kts",
        "latex": "latex tex sty",
        "lua": "lua",
        "markdown": "markdown md mdx mdown text txt",
        "php": "php phtml",
        "powershell": "powershell ps1 psm1",
        "proto": "proto protobuf",
        "python": "python py pyi pyw python3",
        "r": "r",
        "rst": "rst restructuredtext",
        "ruby": "ruby rb rake gemspec",
        "rust": "rust rs",
        "scala": "scala sc sbt",
        "sol": "sol solidity",
        "swift": "swift",
        "ts": "ts typescript tsx mts cts typescriptreact",
        "visualbasic6": "visualbasic6 vb6 bas frm cls",
    }.items()
    for name in names.split()
}

# What LangChain's separators name is a definition, unless it is one of these. Statements are boundaries at the
# start of a line only, after blank lines; bindings define something only where they are not indented.
_STATEMENTS = frozenset(
    [
        "if",
        "else",
        "elseif",
        "unless",
        "for",
        "foreach",
        "while",
        "until",
        "switch",
        "case",
        "default",
        "when",
        "match",
        "do",
        "loop",
        "begin",
        "rescue",
        "try",
        "catch",
        "finally",
        "throw",
        "return",
        "continue",
        "break",
        "repeat",
        "with",
        "where",
        "in",
        "let",
        "=",
        "|",
        ",",
        "::",
        "qualified",
        "UNTIL",
        "VARYING",
        "OPEN",
        "CLOSE",
        "READ",
        "WRITE",
        "IF",
        "ELSE",
        "MOVE",
        "PERFORM",
        "ACCEPT",
        "DISPLAY",
        "STOP",
        "using",
        "assembly",
        "param",
        "option",
        "syntax",
    ]
)
_BINDINGS = frozenset(
    [
        "const",
        "let",
        "var",
        "val",
        "local",
        "void",
        "int",
        "float",
        "double",
        "type",
        "import",
        "module",
        "library",
        "require",
        "pragma",
    ]
)

# Definitions that LangChain's lists leave out.
_MORE_DEFINITIONS: dict[str, str] = {
    "c": "struct enum union typedef",
    "cpp": "struct enum union typedef namespace template",
    "csharp": "namespace record struct internal",
    "elixir": "defimpl defstruct",
    "java": "interface enum record",
    "js": "async",
    "kotlin": "object interface",
    "php": "interface trait enum",
    "proto": "extend",
    "ruby": "module",
    "rust": "struct enum union impl trait mod type static",
    "scala": "trait enum given",
    "swift": "protocol extension actor init",
}

# Words that may stand before a definition's keyword.
_MODIFIERS: dict[str, str] = {
    "c": "extern inline static",
    "cpp": "constexpr explicit extern inline static virtual",
    "csharp": "abstract async extern internal new override partial private protected public readonly ref sealed static "
    "unsafe virtual",
    "java": "abstract default final native private protected public sealed static strictfp synchronized",
    "js": "async default export static",
    "kotlin": "abstract actual annotation companion const data enum expect external final infix inline inner internal "
    "lateinit open operator override private protected public sealed suspend tailrec value",
    "lua": "local",
    "php": "abstract final private protected public readonly static",
    "python": "async",
    "rust": r"pub(?:\([^()\n]{0,40}\))? async const default extern unsafe",
    "scala": "abstract case final implicit inline lazy open opaque override private protected sealed transparent",
    "sol": "abstract",
    "swift": "class fileprivate final indirect internal lazy mutating open override private public static",
    "ts": "abstract async declare default export override private protected public readonly static",
}

# Members that no keyword introduces: in JavaScript a method is a name, its parameters, and the body that they open; a
# test is a call with a name for its first argument.
_NO_METHOD = r"(?!(?:if|for|while|switch|catch|with|return|function|super|await)\b)"
_SCRIPT_METHOD = (
    rf"{_NO_METHOD}(?:(?:public|private|protected|static|override|async|get|set|readonly) ){{0,4}}[*#]?{_NO_METHOD}"
    r"[\w$]+(?:<[^\n()]{0,80}>)?\([^\n]{0,160}\)(?:: ?[^\n()=]{1,80})? ?\{[ \t\r]*\n"
)
_SCRIPT_TEST = r"(?:describe|it|test)\([\"'`]"
_METHODS: dict[str, tuple[str, ...]] = {
    "js": (_SCRIPT_METHOD, _SCRIPT_TEST),
    "ts": (_SCRIPT_METHOD, _SCRIPT_TEST),
}

# Group 1 is not given back, so that a line is read once; before Python 3.11 only a lookahead's group is kept that way.
_INDENTATION = r"([ \t]++)" if sys.version_info >= (3, 11) else r"(?=([ \t]+))\1"

_INLINE = ("<span", "<br")
_HTML_HEADING = re.compile("<h[1-6]")
_TAG_NAME_END = r"(?=[\s/>])"

# A comment, decorator or attribute directly above a definition belongs to it.
_SLASHES = r"//|/\*|\*|@\w|#\["
_ABOVE: dict[str, str] = {
    "csharp": r"//|/\*|\*|\[\w",
    "cpp": rf"{_SLASHES}|template\b",
    "elixir": r"#|@\w",
    "haskell": r"--|\{-",
    "lua": "--",
    "powershell": r"#|\[\w",
    "python": r"#|@\w",
    "r": "#",
    "ruby": "#",
    "visualbasic6": "'",
}

# Every pattern that can begins with a literal, which is what makes a search fast; a plain literal is faster still. So
# lines that are empty have levels of their own, and those that hold blanks come last.
_CRLF = ("\r",)
_BLANK_LINES = (
    Level("\n\n", before=None),
    Level("\n\r\n", before=None, needs=_CRLF),
    Level(pattern=re.compile(r"\n(?:[ \t\r]*\n)+"), before=None),
)
# Content at the margin after an empty line that closes nothing: where a paragraph of code ends.
_CLOSES = " \t\r\n)]}"
_MARGIN = (
    Level("\n\n", before=None, unless=_CLOSES, structure=True),
    Level("\n\r\n", before=None, unless=_CLOSES, needs=_CRLF, structure=True),
)
_NEW_LINE = Level("\n")
_SPACE = Level(" ")
_SENTENCE = Level(pattern=re.compile(r"[.!?\u2026][\"'\u2019\u201d)\]]{0,3}\s+|[\u3002\uff01\uff1f]"), before=None)

# A heading belongs to what is below it, though that be another heading.
_HEADING_LINE = re.compile(r" {0,3}#{1,6}[ \t]")
_HEADINGS = tuple(
    Level(
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
    Level(
        pattern=re.compile(rf"\n(?=[^\s|][^\n]*\n{mark}{{2,}}[ \t\r]*\n)"),
        structure=True,
        in_fence=False,
        needs=(f"\n{mark}{mark}",),
    )
    for mark in ("=", "-")
)
_RULE = Level(
    pattern=re.compile(r"\n[ \t\r]*\n(?=(?:-{3,}|\*{3,}|_{3,})[ \t\r]*\n)"),
    before=None,
    in_fence=False,
    needs=("\n---", "\n***", "\n___"),
)
_LIST_ITEM = r"(?:[-*+]|\d{1,9}[.)])[ \t]"
_BELOW_RULES = tuple(
    replace(level, attached=_HEADING_LINE, over_blanks=True)
    for level in (
        Level("\n\n", before=None, unless="`~|"),  # what a fence or a table shows is told by the paragraph before it
        *_BLANK_LINES,
        Level(pattern=re.compile(rf"\n{_LIST_ITEM}"), in_fence=False),
        Level(pattern=re.compile(rf"\n[ \t]{{1,40}}(?![ \t]){_LIST_ITEM}"), in_fence=False),
        _NEW_LINE,
    )
)
_PROSE = (*_HEADINGS, *_UNDERLINED, _RULE, *_BELOW_RULES, _NEW_LINE, _SENTENCE, _SPACE)
# A title stands above its underline, so LangChain's separators, which are the underlines, would tear it off.
_TITLES = tuple(
    Level(pattern=re.compile(rf"\n(?=\S[^\n]*\n{mark}{{3,}}[ \t\r]*\n)"), structure=True)
    for mark in ("=", "-", "~", r"\^", '"')
)


def levels_for(language: str | None, identity: str | None, nested: Iterable[str] = ()) -> Levels:
    """Return the inner boundaries of an element's content, coarsest first.

    Args:
        language: What the element's `language` attribute says, if anything.
        identity: What names the element; the suffix of a path tells the language where `language` does not.
        nested: The names of elements that may stand inside, on lines of their own.

    Returns:
        Nested elements, then the structure of the language, then lines and words. What no language is
        known for is prose.

    Example:
        >>> levels_for("python", None) == levels_for(None, "src/app.PY")
        True
        >>> levels_for(None, "README.md").fences
        True
    """
    return _levels_around(language_of(language, identity), frozenset(nested))


def language_of(language: str | None, identity: str | None) -> str:
    """Return the value of LangChain's `Language` that these name, or `"markdown"`, which stands for all prose.

    Example:
        >>> language_of("TypeScript", None), language_of(None, "a/b.rs"), language_of("log", "x")
        ('ts', 'rust', 'markdown')
    """
    said, suffix = names_of(language, identity)
    return _NAMES.get(said) or _NAMES.get(suffix, "markdown")


def names_of(language: str | None, identity: str | None) -> tuple[str, str]:
    """Return what may name a language: what is said and the suffix of a path, in lower case; empty where there is none.

    Example:
        >>> names_of(" TSX", "src/app.ts"), names_of(None, None)
        (('tsx', 'ts'), ('', ''))
    """
    said = language.strip().lower() if language else ""
    suffix = identity.rpartition(".")[2].strip().lower() if identity else ""
    return said, suffix


@lru_cache(maxsize=256)
def _levels_around(language: str, nested: frozenset[str]) -> Levels:
    levels = _levels(language)
    return Levels((_nested(nested), *levels.levels), levels.fences) if nested else levels


@lru_cache(maxsize=32)
def _nested(names: frozenset[str]) -> Level:
    """Return the boundaries before an opening tag and after a closing tag that is first on its line."""
    name = "|".join(map(re.escape, sorted(names)))
    return Level(
        pattern=re.compile(rf"\n(?:(?=[ \t]*<(?:{name})[\s/>])|[ \t]*</(?:{name})>[ \t\r]*\n)"),
        before=None,
        structure=True,
        needs=re.compile(f"</?(?:{name})"),
    )


@lru_cache(maxsize=len(Language))
def _levels(language: str) -> Levels:
    if language == "markdown":
        return Levels(_PROSE, fences=True)
    if language == "rst":
        return Levels((*_TITLES, _RULE, *_BELOW_RULES, _NEW_LINE, _SENTENCE, _SPACE))
    separators = _separators(language)
    if language in ("html", "latex"):
        return Levels((*_as_listed(separators), *_BLANK_LINES, _NEW_LINE, _SENTENCE, _SPACE))
    return Levels((*_structure(language, separators), _NEW_LINE, _SPACE)) if separators else Levels(_PROSE, fences=True)


def _separators(language: str) -> list[str]:
    """Return LangChain's patterns for a language, but for lines and words; none if it has no such language."""
    try:
        listed = RecursiveCharacterTextSplitter.get_separators_for_language(Language(language))
    except ValueError:
        return []
    plain = {"\n\n", "\\n\\n", "\n", "\\n", " ", "", "$", "$$"}
    bare = (re.sub(r"^(?:\s|\\n)+", "", separator) for separator in listed if separator not in plain)
    return list(dict.fromkeys(bare))


def _as_listed(separators: list[str]) -> list[Level]:
    """Return one level for each separator: markup lists them from coarse to fine, anywhere in a line.

    Headings come before what they head; tags inside a sentence are no boundary at all.
    """
    literals = [re.sub(r"\\(.)", r"\1", separator) for separator in separators]
    literals = [literal for literal in literals if literal not in _INLINE]
    literals.sort(key=lambda literal: not _HTML_HEADING.fullmatch(literal) and literal != "<body")
    return [
        Level(pattern=re.compile(rf"{re.escape(literal)}{_TAG_NAME_END}"), before=0, needs=(literal,))
        if literal[0] == "<"
        else Level(literal, before=0, needs=(literal,))
        for literal in literals
    ]


def _structure(language: str, separators: list[str]) -> list[Level]:
    """Return the levels of code: definitions at the margin, paragraphs, indented definitions, statements, lines."""
    words = [*separators, *(f"{word} " for word in _MORE_DEFINITIONS.get(language, "").split())]
    statements = [word for word in words if word.split()[0] in _STATEMENTS]
    definitions = [word for word in words if word not in statements]
    members = [word for word in definitions if re.split(r"\W", word)[0] not in _BINDINGS]
    bindings = [word for word in definitions if word not in members]
    attached = re.compile(rf"[ \t]*(?:{_ABOVE.get(language, _SLASHES)})")
    modifiers = "|".join(_MODIFIERS.get(language, "").split())
    inside = [_behind(modifiers, members), *_METHODS.get(language, ())]
    return [
        Level(pattern=re.compile(rf"\n(?:{_behind(modifiers, members)})"), structure=True, attached=attached),
        *_MARGIN,
        *(
            [Level(pattern=re.compile(rf"\n(?:{_behind(modifiers, bindings)})"), structure=True, attached=attached)]
            if bindings
            else []
        ),
        Level(
            pattern=re.compile(rf"\n{_INDENTATION}(?:{'|'.join(inside)})"),
            structure=True,
            indented=True,
            attached=attached,
        ),
        *([Level(pattern=re.compile(rf"\n(?:{'|'.join(statements)})"))] if statements else []),
        *_BLANK_LINES,
        Level("\n", attached=attached),
    ]


def _behind(modifiers: str, words: list[str]) -> str:
    """Return the pattern of one of the words at the start of a line, behind modifiers."""
    word = "|".join(words)
    more = f"(?:(?:{modifiers}) ){{0,4}}" if "|" in modifiers else ""
    return f"{word}|(?:{modifiers}) {more}(?:{word})" if modifiers else word
