"""The splitter's options as flags of the command, and flags → a splitter.

Names, types and defaults are those of `Options`; this module adds the help texts, and the few flags that are written
otherwise than their option.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._cli.errors import CommandError
from langchain_semantic_xml.errors import Mention, OptionError, OptionImportError
from langchain_semantic_xml.lengths import huggingface_length, tiktoken_length
from langchain_semantic_xml.splitter import SemanticXmlSplitter
from langchain_semantic_xml.typing import LengthFunction
from langchain_semantic_xml.values import ElementRule, Options, Repeat

HELP = {
    "chunk_size": "Hard maximum of a chunk's length.",
    "chunk_overlap": "At most this much of a chunk is repeated in the next.",
    "add_start_index": "Say where each chunk is: start_index, end_index, start_line, end_line.",
    "strip_whitespace": "Drop blank lines at a chunk's ends and trailing blanks.",
    "new_after": "Soft maximum: a chunk that has reached it takes no further block.",
    "combine_under": "A section smaller than this is joined with the next when both fit; 0: never.",
    "oversized": "A block that is longer than a chunk is cut at its best inner boundaries, kept whole, or an error.",
    "syntax": "Cut code between its definitions as tree-sitter sees them, and say in which one a part is (scope).",
    "granularity": "What is cut: elements that are too long, or all elements of code at their definitions.",
}
"""The help text of each option whose flag takes what the option takes."""
ONLY_FOR_SPLIT = ("add_start_index", "deterministic_ids")
"""Options without a flag in `stats` and `view`: their output does not depend on the option, or needs its default."""

_TYPES = get_type_hints(Options)
_SHOWN_DEFAULTS: dict[str, bool | str] = {"combine_under": "chunk size"}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)

Decorator = Callable[[Callable[..., object]], Callable[..., object]]


def splitter_options(*, without: Iterable[str] = ()) -> Decorator:
    """Give a command the flags of the splitter's options.

    Args:
        without: The options whose flags the command does not have.
    """
    left_out = frozenset(without)

    def add_flags(command: Callable[..., object]) -> Callable[..., object]:
        for field in reversed(fields(Options)):
            for flag in reversed(() if field.name in left_out else _flags_of(field)):
                command = flag(command)
        return command

    return add_flags


def _flags_of(field: Field[Any]) -> list[Decorator]:
    if field.name in _WRITTEN_OTHERWISE:
        return _WRITTEN_OTHERWISE[field.name]
    if field.name not in HELP:
        return []
    name, text = flag_of(field.name), HELP[field.name]
    kind, shown = _TYPES[field.name], _SHOWN_DEFAULTS.get(field.name, True)
    if kind is bool:
        return [click.option(f"{name}/--no-{name[2:]}", default=field.default, help=text)]
    if get_origin(kind) is Literal:
        return [click.option(name, type=click.Choice(get_args(kind)), default=field.default, help=text)]
    return [click.option(name, type=int, default=field.default, show_default=shown, help=text)]


def flag_of(option: str) -> str:
    """Return the flag of an option.

    Example:
        >>> flag_of("chunk_size")
        '--chunk-size'
    """
    return f"--{option.replace('_', '-')}"


def write_as_flag(option: Mention) -> str:
    """Write an option that a message names as it is written on a command line.

    Example:
        >>> write_as_flag(Mention("chunk_overlap", (9,))), write_as_flag(Mention("syntax", (True,)))
        ('--chunk-overlap 9', '--syntax')
    """
    return " ".join((flag_of(option.name), *(repr(value) for value in option.value if value is not True)))


def _decode_escapes(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Decode the escapes of a separator."""

    def decode(escape: re.Match[str]) -> str:
        if escape[1] not in _ESCAPES:
            msg = rf"{escape[0]!r} is no escape; write \n, \r, \t, or \\ for a backslash"
            raise click.BadParameter(msg, context, parameter)
        return _ESCAPES[escape[1]]

    return None if value is None else _ESCAPE.sub(decode, value)


def _make_rules(context: click.Context, _: click.Parameter, values: tuple[str, ...]) -> tuple[ElementRule, ...] | None:
    """Turn each `NAME` or `NAME=ATTRIBUTE,…` into a rule; return `None` if the flag is not given."""
    if not values:
        return None
    try:
        return resolve_elements(rule for value in values for rule in _make_rule(context, value))
    except OptionError as error:
        raise click.UsageError(error.message(write_as_flag), context) from error


def _make_rule(context: click.Context, value: str) -> tuple[ElementRule, ...]:
    name, given, attributes = value.partition("=")
    try:
        return resolve_elements([ElementRule(name, identity=tuple(attributes.split(","))) if given else name])
    except OptionError as error:
        msg = f"--elements {value}: {error}"
        raise click.UsageError(msg, context) from error


_WRITTEN_OTHERWISE: dict[str, list[Decorator]] = {
    "syntax_seconds": [
        click.option(
            "--syntax-seconds",
            type=float,
            help="With --syntax: the most that parsing one element may take; then the language's words serve.",
        )
    ],
    "repeat": [
        click.option(
            "--repeat",
            type=click.Choice([*get_args(Repeat), "none"]),
            default="tags",
            help="What every part of an element begins with: its tags; its tags and the signatures or the table header "
            "around the part; one line that names the element and the definition; nothing.",
        )
    ],
    "length_function": [
        click.option(
            "--tokenizer",
            metavar="NAME|FILE",
            help="Measure in tokens, not in characters: a tiktoken encoding such as cl100k_base, a model that tiktoken "
            "knows, or a Hugging Face tokenizer.json.",
        )
    ],
    "elements": [
        click.option(
            "--elements",
            callback=_make_rules,
            metavar="NAME[=ATTR,...]",
            multiple=True,
            help="An element that is a block, in place of the known ones; ATTR are the attributes that identify it. "
            "Repeat for several.",
        )
    ],
    "separator": [
        click.option(
            "--separator",
            callback=_decode_escapes,
            show_default=r"\n\n",
            help=r"Stands between two blocks of a chunk; \n, \r, \t and \\ are escapes.",
        ),
        click.option("--keep-whitespace", is_flag=True, help="Keep the bundle's white space instead of a separator."),
    ],
    "isolate": [
        click.option(
            "--isolate",
            metavar="TYPE",
            multiple=True,
            help="A type of block, such as output, that shares no chunk with another block. Repeat for several.",
        ),
        click.option("--isolate-all", is_flag=True, help="No block shares a chunk with another."),
    ],
    "deterministic_ids": [
        click.option(
            "--deterministic-ids/--no-deterministic-ids",
            default=False,
            help="Give each chunk an id that is the same on every run.",
        ),
        click.option(
            "--content-ids", is_flag=True, help="Such an id, of file and content: it stays when a chunk only moves."
        ),
    ],
}
"""Flags whose value differs from that of their option, or need a second flag beside them."""


def make_splitter(flags: Mapping[str, Any]) -> SemanticXmlSplitter:
    """Make the splitter that the flags describe.

    Args:
        flags: The values that click gives, under the names of the flags that `splitter_options` made.

    Raises:
        click.UsageError: If flags contradict each other, or one has a value that it cannot have.
        CommandError: If a package or a tokenizer is missing.
    """
    options = dict(flags)
    options["length_function"] = _length_function_of(options.pop("tokenizer"))
    if options.pop("content_ids", False):
        options["deterministic_ids"] = "content"
    if options.pop("isolate_all"):
        options["isolate"] = True
    if options.pop("keep_whitespace"):
        if options["separator"] is not None:
            msg = "--separator and --keep-whitespace exclude each other; leave one of them out"
            raise click.UsageError(msg)
    elif options["separator"] is None:
        del options["separator"]
    if options["repeat"] == "none":
        options["repeat"] = None
    try:
        return SemanticXmlSplitter(**options)
    except OptionImportError as error:
        raise CommandError(error.message(write_as_flag)) from error
    except OptionError as error:
        raise click.UsageError(error.message(write_as_flag)) from error


def _length_function_of(tokenizer: str | None) -> LengthFunction:
    """Return a function that counts characters, or the tokens of what the flag `--tokenizer` names.

    Raises:
        click.UsageError: If nothing has this name.
        CommandError: If it cannot be loaded.
    """
    if tokenizer is None:
        return len
    if tokenizer.endswith(".json") or os.path.exists(tokenizer):  # noqa: PTH110 - it may be no path at all
        return _huggingface_length(tokenizer)
    return _tiktoken_length(tokenizer)


def _huggingface_length(path: str) -> LengthFunction:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - only this flag needs it
    except ImportError as error:
        msg = f'--tokenizer {path} needs tokenizers: pip install "langchain-semantic-xml[huggingface]"'
        raise CommandError(msg) from error
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # tokenizers has no class of its own for its errors
        msg = f"--tokenizer {path}: cannot be loaded: {error}; give a tokenizer.json of Hugging Face's tokenizers"
        raise CommandError(msg) from error
    return huggingface_length(tokenizer)


def _tiktoken_length(name: str) -> LengthFunction:
    try:
        import tiktoken  # noqa: PLC0415 - only this flag needs it
    except ImportError as error:
        msg = f'--tokenizer {name} needs tiktoken: pip install "langchain-semantic-xml[tiktoken]"'
        raise CommandError(msg) from error
    encodings = tiktoken.list_encoding_names()
    try:
        return tiktoken_length(name) if name in encodings else tiktoken_length(model_name=name)
    except KeyError as error:
        msg = (
            f"--tokenizer {name} is no file, and tiktoken knows no such model or encoding; "
            f"it has {', '.join(sorted(encodings))}"
        )
        raise click.UsageError(msg) from error
    except OSError as error:
        msg = f"--tokenizer {name}: {error}"
        raise CommandError(msg) from error
