"""The splitter's options as flags of the command, and flags → a splitter."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import TypedDict, TypeVar, get_args

import click

from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._cli.errors import CommandError, reason_of
from langchain_semantic_xml.lengths import huggingface_length, tiktoken_length
from langchain_semantic_xml.splitter import SemanticXmlSplitter
from langchain_semantic_xml.typing import LengthFunction, Oversized
from langchain_semantic_xml.values import DEFAULT_SEPARATOR, ElementRule

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_OPTION_NAMES = re.compile(
    r"\b(chunk_size|chunk_overlap|new_after|combine_under|elements|isolate"
    r"|(?:repeat_signatures|syntax|encoding|lookahead)(?==))\b(=True\b|=?)"
)
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)

Command = TypeVar("Command", bound=Callable[..., object])


class SplitterFlags(TypedDict):
    """The flags that decide what the chunks are, as click hands them on."""

    chunk_size: int
    chunk_overlap: int
    tokenizer: str | None
    strip_whitespace: bool
    elements: tuple[ElementRule, ...]
    separator: str | None
    keep_whitespace: bool
    new_after: int | None
    combine_under: int | None
    isolate: tuple[str, ...]
    isolate_all: bool
    oversized: Oversized
    repeat_tags: bool
    syntax: bool
    repeat_signatures: bool


def _decoded(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Decode the escapes of a separator."""

    def decoded(escape: re.Match[str]) -> str:
        if escape[1] not in _ESCAPES:
            msg = rf"{escape[0]!r} is no escape; write \n, \r, \t, or \\ for a backslash"
            raise click.BadParameter(msg, context, parameter)
        return _ESCAPES[escape[1]]

    return None if value is None else _ESCAPE.sub(decoded, value)


def _rules(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[ElementRule, ...]:
    """Turn each `NAME` or `NAME=ATTRIBUTE,…` into a rule."""
    try:
        return resolve_elements(map(_rule, values)) if values else ()
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from error


def _rule(value: str) -> str | ElementRule:
    name, given, attributes = value.partition("=")
    return ElementRule(name, identity=tuple(attributes.split(","))) if given else name


_SPLITTER_OPTIONS = (
    click.option("--chunk-size", type=int, default=4000, help="Hard maximum of a chunk's length."),
    click.option("--chunk-overlap", type=int, default=0, help="At most this much of a chunk is repeated in the next."),
    click.option(
        "--tokenizer",
        metavar="NAME|FILE",
        help="Measure in tokens, not in characters: a tiktoken encoding such as cl100k_base, a model that tiktoken "
        "knows, or a Hugging Face tokenizer.json.",
    ),
    click.option(
        "--elements",
        callback=_rules,
        metavar="NAME[=ATTR,...]",
        multiple=True,
        help="An element that is a block, in place of the known ones; ATTR are the attributes that identify it. "
        "Repeat for several.",
    ),
    click.option(
        "--separator",
        callback=_decoded,
        show_default=r"\n\n",
        help=r"Stands between two blocks of a chunk; \n, \r, \t and \\ are escapes.",
    ),
    click.option("--keep-whitespace", is_flag=True, help="Keep the bundle's white space instead of a separator."),
    click.option(
        "--strip-whitespace/--no-strip-whitespace",
        default=True,
        help="Drop blank lines at a chunk's ends and trailing blanks.",
    ),
    click.option("--new-after", type=int, help="Soft maximum: a chunk that has reached it takes no further block."),
    click.option(
        "--combine-under",
        type=int,
        show_default="chunk size",
        help="A section smaller than this is joined with the next when both fit; 0: never.",
    ),
    click.option(
        "--isolate",
        metavar="TYPE",
        multiple=True,
        help="A type of block, such as output, that shares no chunk with another block. Repeat for several.",
    ),
    click.option("--isolate-all", is_flag=True, help="No block shares a chunk with another."),
    click.option(
        "--oversized",
        type=click.Choice(get_args(Oversized)),
        default="split",
        help="What becomes of a block longer than a chunk: cut at its best inner boundaries, kept whole, or an error.",
    ),
    click.option(
        "--repeat-tags/--no-repeat-tags",
        default=True,
        help="Every part of an element carries its opening and closing tags.",
    ),
    click.option(
        "--syntax",
        is_flag=True,
        help="Cut code between its definitions as tree-sitter sees them, and say in which one a part is (scope).",
    ),
    click.option(
        "--repeat-signatures",
        is_flag=True,
        help="Every part that begins inside a class or function carries its signature; with --syntax.",
    ),
)


def splitter_options(command: Command) -> Command:
    """Give a command the flags of `SplitterFlags`."""
    for option in reversed(_SPLITTER_OPTIONS):
        command = option(command)
    return command


def length_function_of(tokenizer: str | None) -> LengthFunction:
    """Return what measures in characters, or in tokens of what the flag `--tokenizer` names.

    Raises:
        click.UsageError: If nothing has this name.
        CommandError: If it cannot be loaded.
    """
    if tokenizer is None:
        return len
    try:
        if tokenizer.endswith(".json") or os.path.exists(tokenizer):  # noqa: PTH110 - it may be no path at all
            return _huggingface_length(tokenizer)
        return _tiktoken_length(tokenizer)
    except ImportError as error:
        raise CommandError(str(error)) from error


def _huggingface_length(path: str) -> LengthFunction:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - only who counts with it needs it
    except ImportError as error:
        msg = f'--tokenizer {path} needs tokenizers: pip install "langchain-semantic-xml[huggingface]"'
        raise ImportError(msg) from error
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # tokenizers raises no more special class
        msg = f"--tokenizer {path}: cannot be loaded: {error}; give a tokenizer.json of Hugging Face's tokenizers"
        raise CommandError(msg) from error
    return huggingface_length(tokenizer)


def _tiktoken_length(name: str) -> LengthFunction:
    try:
        import tiktoken  # noqa: PLC0415 - only who counts with it needs it
    except ImportError as error:
        msg = f'--tokenizer {name} needs tiktoken: pip install "langchain-semantic-xml[tiktoken]"'
        raise ImportError(msg) from error
    encodings = tiktoken.list_encoding_names()
    try:
        return tiktoken_length(name) if name in encodings else tiktoken_length(model_name=name)
    except KeyError as error:
        msg = (
            f"--tokenizer {name} is no file, and tiktoken knows no such model or encoding; it has {_listed(encodings)}"
        )
        raise click.UsageError(msg) from error
    except OSError as error:
        msg = (
            f"--tokenizer {name}: its vocabulary cannot be fetched: {reason_of(error)}; "
            "connect once, or set TIKTOKEN_CACHE_DIR to a folder that has it"
        )
        raise CommandError(msg) from error


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def make_splitter(
    flags: SplitterFlags,
    length_function: LengthFunction,
    *,
    add_start_index: bool = True,
    deterministic_ids: bool = False,
) -> SemanticXmlSplitter:
    """Make the splitter that the flags describe.

    Raises:
        click.UsageError: If flags contradict each other, or one has a value that it cannot have.
    """
    separator = flags["separator"]
    if flags["keep_whitespace"] and separator is not None:
        msg = "--separator and --keep-whitespace exclude each other; leave one of them out"
        raise click.UsageError(msg)
    try:
        return SemanticXmlSplitter(
            chunk_size=flags["chunk_size"],
            chunk_overlap=flags["chunk_overlap"],
            length_function=length_function,
            add_start_index=add_start_index,
            strip_whitespace=flags["strip_whitespace"],
            elements=flags["elements"] or None,
            separator=None if flags["keep_whitespace"] else DEFAULT_SEPARATOR if separator is None else separator,
            new_after=flags["new_after"],
            combine_under=flags["combine_under"],
            isolate=flags["isolate_all"] or flags["isolate"],
            oversized=flags["oversized"],
            repeat_tags=flags["repeat_tags"],
            syntax=flags["syntax"],
            repeat_signatures=flags["repeat_signatures"],
            deterministic_ids=deterministic_ids,
        )
    except ValueError as error:
        raise click.UsageError(in_flags(str(error))) from error
    except ImportError as error:
        raise CommandError(in_flags(str(error))) from error


def in_flags(message: str) -> str:
    """Say of flags what a message says of options.

    Example:
        >>> in_flags("chunk_overlap=9 must be less than chunk_size=5; lower it, or raise chunk_size")
        '--chunk-overlap 9 must be less than --chunk-size 5; lower it, or raise --chunk-size'
        >>> in_flags("repeat_signatures=True needs the syntax; add syntax=True")
        '--repeat-signatures needs the syntax; add --syntax'
    """
    return _OPTION_NAMES.sub(lambda name: f"--{name[1].replace('_', '-')}{' ' * (name[2] == '=')}", message)
