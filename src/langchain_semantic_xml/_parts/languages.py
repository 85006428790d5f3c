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

from langchain_semantic_xml._parts.levels import InnerBoundaries, Level, LiteralLevel, PatternLevel

# The names that a `language` attribute may hold and the suffixes that a path may have, lower case. The values
# are those of LangChain's `Language`; a name that a release of LangChain does not know means prose.
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


def _word_set(words: str) -> frozenset[str]:
    """Return the words of a string."""
    return frozenset(words.split())


# Each keyword of LangChain's separators introduces a definition, unless it is one of these. Statements are boundaries
# at the start of a line only, and finer than blank lines.
_STATEMENTS = _word_set(
    "if else elseif unless for foreach while until switch case default when match do loop begin rescue try catch "
    "finally throw return continue break repeat with where in let = | , :: qualified UNTIL VARYING OPEN CLOSE READ "
    "WRITE IF ELSE MOVE PERFORM ACCEPT DISPLAY STOP using assembly param option syntax"
)
# Bindings define something only where they are not indented.
_BINDINGS = _word_set("const let var val local void int float double type import module library require pragma")

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
# test is a call with a name for its first argument. The flag `x` allows the comments in the middle of a larger pattern.
_NO_STATEMENT = r"(?!(?:if|for|while|switch|catch|with|return|function|super|await)\b)"
_SCRIPT_METHOD = rf"""(?x:
    {_NO_STATEMENT}
    (?:(?:public|private|protected|static|override|async|get|set|readonly)[ ]){{0,4}}
    [*\#]?                     # a generator, or a private name
    {_NO_STATEMENT}
    [\w$]+                     # the name
    (?:<[^\n()]{{0,80}}>)?     # type parameters
    \([^\n]{{0,160}}\)         # parameters
    (?::[ ]?[^\n()=]{{1,80}})? # the type of the result
    [ ]?\{{[ \t\r]*\n          # the body, which begins on the next line
)"""
_SCRIPT_TEST = r"(?:describe|it|test)\([\"'`]"
_METHODS: dict[str, tuple[str, ...]] = {
    "js": (_SCRIPT_METHOD, _SCRIPT_TEST),
    "ts": (_SCRIPT_METHOD, _SCRIPT_TEST),
}

# An indentation, as group 1, that a match does not give back, so that a line is read once. Before Python 3.11 only the
# group of a lookahead is kept that way; until 3.10 is dropped.
_INDENTATION = r"([ \t]++)" if sys.version_info >= (3, 11) else r"(?=([ \t]+))\1"

_INLINE_TAGS = ("<span", "<br")
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

# Every pattern begins with a literal where it can, which makes a search fast; a plain literal is faster still. So empty
# lines have levels of their own, and blank lines that hold blanks come last.
_CRLF = ("\r",)
_BLANK_LINES = (
    LiteralLevel("\n\n", before=None),
    LiteralLevel("\n\r\n", before=None, needs=_CRLF),
    PatternLevel(re.compile(r"\n(?:[ \t\r]*\n)+"), before=None),
)
# An unindented line after an empty line, unless it closes a bracket: there a paragraph of code begins.
_INDENTED_OR_CLOSING = " \t\r\n)]}"
_MARGIN = (
    LiteralLevel("\n\n", before=None, unless=_INDENTED_OR_CLOSING, structure=True),
    LiteralLevel("\n\r\n", before=None, unless=_INDENTED_OR_CLOSING, needs=_CRLF, structure=True),
)
_NEW_LINE = LiteralLevel("\n")
_SPACE = LiteralLevel(" ")
_SENTENCE = PatternLevel(
    re.compile(
        r"""
            [.!?\u2026]              # the end of a sentence of words
            ["'\u2019\u201d)\]]{0,3} # what closes with it
            \s+
          | [\u3002\uff01\uff1f]     # the end of a Chinese or Japanese sentence
        """,
        re.VERBOSE,
    ),
    before=None,
)
_LINES_OF_PROSE = (_NEW_LINE, _SENTENCE, _SPACE)

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
        LiteralLevel(
            "\n\n", before=None, unless="`~|"
        ),  # a fence or a table stays with the paragraph that introduces it
        *_BLANK_LINES,
        PatternLevel(re.compile(rf"\n{_LIST_ITEM}"), in_fence=False),
        PatternLevel(re.compile(rf"\n[ \t]{{1,40}}(?![ \t]){_LIST_ITEM}"), in_fence=False),
        _NEW_LINE,
    )
)
# reStructuredText: a title stands above its underline, so LangChain's separators, which are the underlines, would tear
# it off.
_TITLES = tuple(
    PatternLevel(re.compile(rf"\n(?=\S[^\n]*\n{mark}{{3,}}[ \t\r]*\n)"), structure=True)
    for mark in ("=", "-", "~", r"\^", '"')
)
_PROSE = InnerBoundaries((*_HEADINGS, *_UNDERLINED, _RULE, *_BELOW_HEADINGS, *_LINES_OF_PROSE), keep_fences=True)
_RESTRUCTURED_TEXT = InnerBoundaries((*_TITLES, _RULE, *_BELOW_HEADINGS, *_LINES_OF_PROSE))


def boundaries_for(language: str | None, identity: str | None, nested: Iterable[str] = ()) -> InnerBoundaries:
    """Return the inner boundaries of an element's content, coarsest first.

    Args:
        language: The value of the element's `language` attribute, if it has one.
        identity: The element's identity; the suffix of a path names the language if `language` does not.
        nested: The names of elements that may stand inside, on lines of their own.

    Returns:
        Nested elements, then the structure of the language, then lines and words. A content of unknown language is
        prose.

    Example:
        >>> boundaries_for("python", None) == boundaries_for(None, "src/app.PY")
        True
        >>> boundaries_for(None, "README.md").keep_fences
        True

    Rule: P2.
    """
    return _boundaries_with_nested(language_of(language, identity), frozenset(nested))


def language_of(language: str | None, identity: str | None) -> str:
    """Return the value of LangChain's `Language` that an element names, or `"markdown"`, which stands for all prose.

    Example:
        >>> language_of("TypeScript", None), language_of(None, "a/b.rs"), language_of("log", "x")
        ('ts', 'rust', 'markdown')
    """
    said, suffix = names_of(language, identity)
    return _NAMES.get(said) or _NAMES.get(suffix, "markdown")


def name_language(path: str) -> str | None:
    """Return the language that the suffix of a path names, under its name in LangChain, or `None`.

    Example:
        >>> name_language("a/b.rs"), name_language("notes.txt"), name_language("a.unknown"), name_language("Makefile")
        ('rust', 'markdown', None, None)
    """
    name = path.rpartition("/")[2]
    return _NAMES.get(name.rpartition(".")[2].lower()) if "." in name else None


def names_of(language: str | None, identity: str | None) -> tuple[str, str]:
    """Return the stated language and the suffix of the path, in lower case; `""` for one that is missing.

    Example:
        >>> names_of(" TSX", "src/app.ts"), names_of(None, None)
        (('tsx', 'ts'), ('', ''))
    """
    said = language.strip().lower() if language else ""
    suffix = identity.rpartition(".")[2].strip().lower() if identity else ""
    return said, suffix


@lru_cache(maxsize=256)
def _boundaries_with_nested(language: str, nested: frozenset[str]) -> InnerBoundaries:
    boundaries = _boundaries_of_language(language)
    if not nested:
        return boundaries
    return InnerBoundaries((_nested_elements(nested), *boundaries.kinds), boundaries.keep_fences)


@lru_cache(maxsize=32)
def _nested_elements(names: frozenset[str]) -> Level:
    """Return the boundaries before an opening tag and after a closing tag that is first on its line."""
    name = "|".join(map(re.escape, sorted(names)))
    return PatternLevel(
        re.compile(rf"\n(?:(?=[ \t]*<(?:{name})[\s/>])|[ \t]*</(?:{name})>[ \t\r]*\n)"),
        before=None,
        structure=True,
        needs=re.compile(f"</?(?:{name})"),
    )


@lru_cache(maxsize=len(Language))
def _boundaries_of_language(language: str) -> InnerBoundaries:
    if language == "markdown":
        return _PROSE
    if language == "rst":
        return _RESTRUCTURED_TEXT
    separators = _separators_of(language)
    if not separators:
        return _PROSE
    if language in ("html", "latex"):
        return InnerBoundaries((*_levels_of_markup(separators), *_BLANK_LINES, *_LINES_OF_PROSE))
    return InnerBoundaries((*_levels_of_code(language, separators), _NEW_LINE, _SPACE))


def _separators_of(language: str) -> list[str]:
    """Return LangChain's patterns for a language, without those of lines and words; none for an unknown language."""
    try:
        listed = RecursiveCharacterTextSplitter.get_separators_for_language(Language(language))
    except ValueError:
        return []
    plain = {"\n\n", "\\n\\n", "\n", "\\n", " ", "", "$", "$$"}
    bare = (re.sub(r"^(?:\s|\\n)+", "", separator) for separator in listed if separator not in plain)
    return list(dict.fromkeys(bare))


def _levels_of_markup(separators: list[str]) -> list[Level]:
    """Return one level for each separator: markup lists them from coarse to fine, anywhere in a line.

    Headings come before paragraphs; tags inside a sentence are no boundary at all.
    """
    literals = [re.sub(r"\\(.)", r"\1", separator) for separator in separators]
    literals = [literal for literal in literals if literal not in _INLINE_TAGS]
    literals.sort(key=lambda literal: not _HTML_HEADING.fullmatch(literal) and literal != "<body")
    return [
        PatternLevel(re.compile(rf"{re.escape(literal)}{_TAG_NAME_END}"), before=0, needs=(literal,))
        if literal[0] == "<"
        else LiteralLevel(literal, before=0, needs=(literal,))
        for literal in literals
    ]


def _levels_of_code(language: str, separators: list[str]) -> list[Level]:
    """Return the levels of code: definitions at the margin, paragraphs, indented definitions, statements, lines."""
    words = [*separators, *(f"{word} " for word in _MORE_DEFINITIONS.get(language, "").split())]
    statements = [word for word in words if word.split()[0] in _STATEMENTS]
    definitions = [word for word in words if word not in statements]
    members = [word for word in definitions if re.split(r"\W", word)[0] not in _BINDINGS]
    bindings = [word for word in definitions if word not in members]
    attached = re.compile(rf"[ \t]*(?:{_ABOVE.get(language, _SLASHES)})")
    modifiers = "|".join(_MODIFIERS.get(language, "").split())

    def definition(line: str, *, indented: bool = False) -> Level:
        return PatternLevel(re.compile(rf"\n{line}"), structure=True, indented=indented, attached=attached)

    indented_members = "|".join([_with_modifiers(modifiers, members), *_METHODS.get(language, ())])
    return [
        definition(f"(?:{_with_modifiers(modifiers, members)})"),
        *_MARGIN,
        *([definition(f"(?:{_with_modifiers(modifiers, bindings)})")] if bindings else []),
        definition(f"{_INDENTATION}(?:{indented_members})", indented=True),
        *([PatternLevel(re.compile(rf"\n(?:{'|'.join(statements)})"))] if statements else []),
        *_BLANK_LINES,
        LiteralLevel("\n", attached=attached),
    ]


def _with_modifiers(modifiers: str, words: list[str]) -> str:
    """Return a pattern for one of the words at the start of a line, with or without modifiers before it."""
    word = "|".join(words)
    more = f"(?:(?:{modifiers}) ){{0,4}}" if "|" in modifiers else ""
    return f"{word}|(?:{modifiers}) {more}(?:{word})" if modifiers else word
