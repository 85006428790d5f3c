"""A language → its inner boundaries.

Knows which names and file suffixes a language goes by, and nothing of blocks or parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from langchain_semantic_xml._parts.keywords import WORDS, levels_of_code
from langchain_semantic_xml._parts.layouts import LAYOUTS
from langchain_semantic_xml._parts.levels import InnerBoundaries, Level, PatternLevel

_NAMES: dict[str, str] = {
    name: language
    for language, names in {
        "c": "c h",
        "cobol": "cobol cob cbl cpy",
        "cpp": "cpp c++ cc cxx hpp hh hxx ino cu",
        "csharp": "csharp c# cs",
        "diff": "diff patch",
        "dockerfile": "dockerfile containerfile docker",
        "elixir": "elixir ex exs",
        "go": "go golang",
        "haskell": "haskell hs",
        "html": "html htm xhtml vue svelte",
        "java": "java",
        "js": "js javascript jsx mjs cjs javascriptreact",
        "json": "json jsonc json5 jsonl ndjson geojson ipynb webmanifest",
        "kotlin": "kotlin kt kts",
        "latex": "latex tex sty",
        "lua": "lua",
        "makefile": "makefile gnumakefile mk mak",
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
        "shell": "shell sh bash zsh ksh",
        "sol": "sol solidity",
        "sql": "sql psql mysql plsql",
        "swift": "swift",
        "toml": "toml ini cfg conf properties editorconfig",
        "ts": "ts typescript tsx mts cts typescriptreact",
        "visualbasic6": "visualbasic6 vb6 bas frm cls",
        "xml": "xml xsd xsl xslt svg pom plist csproj vbproj fsproj props targets wsdl rss atom xaml resx kml gpx iml",
        "yaml": "yaml yml",
    }.items()
    for name in names.split()
}
"""The names that a `language` attribute may hold and the suffixes that a path may have, lower case."""
_NAMES_OF_TYPES = {"diff": "diff"}
"""Elements whose content has a language of its own."""
_NAMES_WITHOUT_SUFFIX = frozenset(["dockerfile", "containerfile", "makefile", "gnumakefile"])
"""File names that tell the language though something may follow a dot, as in `Dockerfile.dev`."""


def boundaries_for(
    language: str | None, identity: str | None, nested: Iterable[str] = (), element: str = ""
) -> InnerBoundaries:
    """Return the inner boundaries of an element's content, coarsest first.

    Args:
        language: The value of the element's `language` attribute, if it has one.
        identity: The element's identity; the suffix of a path names the language if `language` does not.
        nested: The names of elements that may stand inside, on lines of their own.
        element: The element's own name.

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
    return _boundaries_with_nested(language_of(language, identity, element), frozenset(nested))


def language_of(language: str | None, identity: str | None, element: str = "") -> str:
    """Return the language of an element's content; `"markdown"` stands for all prose.

    Example:
        >>> language_of("TypeScript", None), language_of(None, "a/b.rs"), language_of("log", "x")
        ('ts', 'rust', 'markdown')
        >>> language_of(None, "docker/Dockerfile.dev"), language_of(None, "main..HEAD", "diff")
        ('dockerfile', 'diff')
    """
    said, suffix = names_of(language, identity)
    if said in _NAMES:
        return _NAMES[said]
    if element in _NAMES_OF_TYPES:
        return _NAMES_OF_TYPES[element]
    if suffix in _NAMES:
        return _NAMES[suffix]
    stem = re.split(r"[/\\]", identity)[-1].partition(".")[0].strip().lower() if identity else ""
    return _NAMES[stem] if stem in _NAMES_WITHOUT_SUFFIX else "markdown"


def name_language(path: str) -> str | None:
    """Return the language that the suffix of a path names, under its name in LangChain, or `None`.

    Example:
        >>> name_language("a/b.rs"), name_language("notes.txt"), name_language("a.unknown"), name_language("Makefile")
        ('rust', 'markdown', None, None)
    """
    name = path.rpartition("/")[2]
    return _NAMES.get(name.rpartition(".")[2].lower()) if "." in name else None


def is_code(path: str) -> bool:
    """Return whether the suffix of a path names a language other than prose.

    Example:
        >>> is_code("src/app.py"), is_code("README.md"), is_code("notes")
        (True, False, False)

    Rule: M5.
    """
    return language_of(None, path) != "markdown"


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


@lru_cache(maxsize=len(LAYOUTS) + len(WORDS))
def _boundaries_of_language(language: str) -> InnerBoundaries:
    return LAYOUTS.get(language) or InnerBoundaries(levels_of_code(language))
