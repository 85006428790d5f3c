"""The words that begin definitions and statements in each language of code: data, and the levels made of them.

The table is the package's own, so that cuts do not change with a release of LangChain; a test compares it with
LangChain's separators and reports what is new there. Knows nothing of files or elements.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from langchain_semantic_xml._parts.levels import Level, LiteralLevel, PatternLevel

_SLASHES = r"//|/\*|\*|@\w|\#\["
# A method of JavaScript is a name, its parameters, and the body that they open; a test is a call with a name for its
# first argument. The flag `x` allows comments in the middle of a larger pattern.
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


class CodeWords(NamedTuple):
    """The words of one language. Each string lists words with blanks between them; `~` is a blank inside a word.

    Args:
        definitions: Words that begin a definition, also where it is indented.
        bindings: Words that define something only where they are not indented.
        statements: Words that begin a statement.
        modifiers: Patterns of words that may stand before a definition's word.
        above: A pattern of the lines above a definition that belong to it: comments, decorators, attributes.
        members: Patterns of indented definitions that no word introduces.
        patterns: Patterns of definitions that are no plain words.
        functions: Patterns of functions at the margin that no word introduces.
    """

    definitions: str = ""
    bindings: str = ""
    statements: str = ""
    modifiers: str = ""
    above: str = _SLASHES
    members: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


_C_FUNCTION = rf"{_NO_STATEMENT}[A-Za-z_][\w \t*&:<>,~]{{0,160}}\([^\n;]*[{{{{,)][ \t\r]*\n"
WORDS: dict[str, CodeWords] = {
    "c": CodeWords(
        definitions="class struct enum union typedef",
        bindings="void int float double",
        statements="if for while switch case",
        modifiers="extern inline static",
        functions=(_C_FUNCTION,),
    ),
    "cobol": CodeWords(
        definitions="IDENTIFICATION~DIVISION. ENVIRONMENT~DIVISION. DATA~DIVISION. PROCEDURE~DIVISION. "
        "WORKING-STORAGE~SECTION. LINKAGE~SECTION. FILE~SECTION. INPUT-OUTPUT~SECTION.",
        statements="OPEN CLOSE READ WRITE IF ELSE MOVE PERFORM UNTIL VARYING ACCEPT DISPLAY STOP~RUN.",
    ),
    "cpp": CodeWords(
        definitions="class struct enum union typedef namespace template",
        bindings="void int float double",
        statements="if for while switch case",
        modifiers="constexpr explicit extern inline static virtual",
        above=rf"{_SLASHES}|template\b",
        functions=(_C_FUNCTION,),
    ),
    "csharp": CodeWords(
        definitions="interface enum delegate event class abstract public protected private static namespace record "
        "struct internal",
        statements="return if continue for foreach while switch break case else try throw finally catch",
        modifiers="abstract async extern internal new override partial private protected public readonly ref sealed "
        "static unsafe virtual",
        above=r"//|/\*|\*|\[\w",
    ),
    "elixir": CodeWords(
        definitions="def defp defmodule defprotocol defmacro defmacrop cond defimpl defstruct",
        statements="if unless case with for do",
        above=r"\#|@\w",
    ),
    "go": CodeWords(definitions="func", bindings="var const type", statements="if for switch case"),
    "haskell": CodeWords(
        definitions="main~:: main~= data newtype class instance",
        bindings="type module import import~qualified",
        statements="let in do where :: = qualified case | =~{ ,",
        above=r"--|\{-",
    ),
    "java": CodeWords(
        definitions="class public protected private static interface enum record",
        statements="if for while switch case",
        modifiers="abstract default final native private protected public sealed static strictfp synchronized",
    ),
    "js": CodeWords(
        definitions="function class async",
        bindings="const var let",
        statements="if for while switch case default",
        modifiers="async default export static",
        members=(_SCRIPT_METHOD, _SCRIPT_TEST),
    ),
    "kotlin": CodeWords(
        definitions="class public protected private internal companion fun object interface",
        bindings="val var",
        statements="if for while when else",
        modifiers="abstract actual annotation companion const data enum expect external final infix inline inner "
        "internal lateinit open operator override private protected public sealed suspend tailrec value",
    ),
    "lua": CodeWords(
        definitions="function", bindings="local", statements="if for while repeat", modifiers="local", above="--"
    ),
    "php": CodeWords(
        definitions="function class interface trait enum",
        statements="if foreach while do switch case",
        modifiers="abstract final private protected public readonly static",
    ),
    "powershell": CodeWords(
        definitions="function class",
        statements="param if foreach for while switch try catch finally",
        above=r"\#|\[\w",
    ),
    "proto": CodeWords(definitions="message service enum extend", bindings="import", statements="option syntax"),
    "python": CodeWords(definitions="class def", modifiers="async", above=r"\#|@\w"),
    "r": CodeWords(
        definitions="function setClass( setMethod( setGeneric(",
        bindings="library( require(",
        statements="if else for while repeat",
        above=r"\#",
    ),
    "ruby": CodeWords(definitions="def class module", statements="if unless while for do begin rescue", above=r"\#"),
    "rust": CodeWords(
        definitions="fn struct enum union impl trait mod static",
        bindings="const type",
        statements="let if while for loop match",
        modifiers=r"pub(?:\([^()\n]{0,40}\))? async const default extern unsafe",
    ),
    "scala": CodeWords(
        definitions="class object def trait enum given",
        bindings="val var",
        statements="if for while match case",
        modifiers="abstract case final implicit inline lazy open opaque override private protected sealed transparent",
    ),
    "sol": CodeWords(
        definitions="contract interface constructor function event modifier error struct enum library",
        bindings="pragma type",
        statements="using if for while do~while assembly",
        modifiers="abstract",
    ),
    "swift": CodeWords(
        definitions="func class struct enum protocol extension actor init",
        statements="if for while do switch case",
        modifiers="class fileprivate final indirect internal lazy mutating open override private public static",
    ),
    "ts": CodeWords(
        definitions="enum interface namespace class function",
        bindings="type const var let",
        statements="if for while switch case default",
        modifiers="abstract async declare default export override private protected public readonly static",
        members=(_SCRIPT_METHOD, _SCRIPT_TEST),
    ),
    "visualbasic6": CodeWords(
        statements="If ElseIf Else Select~Case Case For Do While With",
        above="'",
        patterns=(
            r"(?:Public|Private|Friend|Global|Static)[ ](?:Sub|Function|Property|Type|Enum)[ ]",
            "Sub ",
            "Function ",
        ),
    ),
}
MARKUP_WORDS: dict[str, str] = {
    "html": "<h1 <h2 <h3 <h4 <h5 <h6 <body <div <p <li <table <tr <td <th <ul <ol <header <footer <nav <head <style "
    "<script <meta <title",
    "latex": r"\chapter{ \section{ \subsection{ \subsubsection{ \begin{enumerate} \begin{itemize} \begin{description} "
    r"\begin{list} \begin{quote} \begin{quotation} \begin{verse} \begin{verbatim} \begin{align}",
}
"""What begins a part of a text in markup, anywhere in a line, from coarse to fine; a tag is its whole name."""

# An indentation, as group 1, that a match does not give back, so that a line is read once. Before Python 3.11 only the
# group of a lookahead is kept that way; until 3.10 is dropped.
INDENTATION = r"([ \t]++)" if sys.version_info >= (3, 11) else r"(?=([ \t]+))\1"

# Every pattern begins with a literal where it can, which makes a search fast; a plain literal is faster still. So empty
# lines have levels of their own, and blank lines that hold blanks come last.
_CRLF = ("\r",)
BLANK_LINES: tuple[Level, ...] = (
    LiteralLevel("\n\n", before=None),
    LiteralLevel("\n\r\n", before=None, needs=_CRLF),
    PatternLevel(re.compile(r"\n(?:[ \t\r]*\n)+"), before=None),
)
_INDENTED_OR_CLOSING = " \t\r\n)]}"
MARGIN: tuple[Level, ...] = (
    LiteralLevel("\n\n", before=None, unless=_INDENTED_OR_CLOSING, structure=True),
    LiteralLevel("\n\r\n", before=None, unless=_INDENTED_OR_CLOSING, needs=_CRLF, structure=True),
)
"""An unindented line after an empty line, unless it closes a bracket: there a paragraph of code begins."""
NEW_LINE = LiteralLevel("\n")
SPACE = LiteralLevel(" ")


def levels_of_code(language: str) -> tuple[Level, ...]:
    """Return the levels of code: definitions at the margin, paragraphs, indented definitions, statements, lines.

    Rule: P2.
    """
    words = WORDS[language]
    attached = re.compile(rf"[ \t]*(?:{words.above})", re.VERBOSE)
    modifiers = "|".join(words.modifiers.split())

    def definition(line: str, *, indented: bool = False) -> Level:
        return PatternLevel(re.compile(rf"\n{line}"), structure=True, indented=indented, attached=attached)

    definitions = [*_as_patterns(words.definitions), *words.patterns]
    at_margin = [_with_modifiers(modifiers, definitions), *words.functions]
    bindings, statements = _as_patterns(words.bindings), _as_patterns(words.statements)
    members = "|".join([_with_modifiers(modifiers, definitions), *words.members])
    return (
        definition(f"(?:{'|'.join(at_margin)})"),
        *MARGIN,
        *([definition(f"(?:{_with_modifiers(modifiers, bindings)})")] if bindings else []),
        definition(f"{INDENTATION}(?:{members})", indented=True),
        *([PatternLevel(re.compile(rf"\n(?:{'|'.join(statements)})"))] if statements else []),
        *BLANK_LINES,
        LiteralLevel("\n", attached=attached),
        NEW_LINE,
        SPACE,
    )


def pattern_of_definitions(language: str) -> re.Pattern[str]:
    """Return the pattern of a line that begins a definition, from the start of the line on."""
    words = WORDS[language]
    modifiers = "|".join(words.modifiers.split())
    definitions = [*_as_patterns(words.definitions), *words.patterns]
    inside = "|".join([_with_modifiers(modifiers, definitions), *words.members])
    functions = "".join(f"|{pattern}" for pattern in words.functions)
    return re.compile(rf"[ \t]*(?:{inside}){functions}")


def _as_patterns(words: str) -> list[str]:
    """Return the pattern of each word: a blank follows, unless its last character is a bracket or a full stop."""
    plain = (word.replace("~", " ") for word in words.split())
    return [re.escape(word) if word[-1] in "(." else f"{re.escape(word)} " for word in plain]


def _with_modifiers(modifiers: str, words: list[str]) -> str:
    """Return a pattern for one of the words at the start of a line, with or without modifiers before it."""
    word = "|".join(words)
    more = f"(?:(?:{modifiers}) ){{0,4}}" if "|" in modifiers else ""
    return f"{word}|(?:{modifiers}) {more}(?:{word})" if modifiers else word


def levels_of_markup(language: str) -> list[Level]:
    """Return one level for each word of markup. Tags inside a sentence are no boundary at all.

    Rule: P2.
    """
    return [
        PatternLevel(re.compile(rf"{re.escape(word)}(?=[\s/>])"), before=0, needs=(word,))
        if word[0] == "<"
        else LiteralLevel(word, before=0, needs=(word,))
        for word in MARKUP_WORDS[language].split()
    ]
