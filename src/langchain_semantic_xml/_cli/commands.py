"""The commands of `semantic-xml`: split, stats and view."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import click
from langchain_core.documents import Document

from langchain_semantic_xml._boundaries.streams import LOOKAHEAD
from langchain_semantic_xml._cli.errors import printable
from langchain_semantic_xml._cli.flags import ONLY_FOR_SPLIT, make_splitter, splitter_options, write_as_flag
from langchain_semantic_xml._cli.progress import ReadingBar, is_terminal
from langchain_semantic_xml._cli.reading import STANDARD, Reading, check_bundles, expand_patterns
from langchain_semantic_xml._cli.sources import Bundle, Folder, open_sources
from langchain_semantic_xml._cli.stats import Tally, render_stats
from langchain_semantic_xml._cli.writing import check_output, open_output
from langchain_semantic_xml._text.checks import check_encoding, check_glob, check_lookahead
from langchain_semantic_xml.errors import OptionError

Value = TypeVar("Value")

_SETTINGS = {"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100}


@click.group(invoke_without_command=True, context_settings=_SETTINGS)
@click.version_option(None, "-V", "--version", package_name="langchain-semantic-xml", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Split bundles of XML-tagged files, command outputs and documents into chunks.

    An element that fits into a chunk is never cut, and every chunk says which lines it came from.

    \b
    Examples:
      semantic-xml stats bundle.xml                    what is in it, how it would be split
      semantic-xml split bundle.xml -o chunks.jsonl    LangChain Documents, one on a line
      semantic-xml view bundle.xml -o report.html      the chunks on a page to look at
      semantic-xml split --help                        all options
    """  # noqa: D301 - click takes a backspace for "leave the next paragraph as it is"
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _check_with(check: Callable[[object], Value]) -> Callable[[click.Context, click.Parameter, object], Value]:
    """Make a callback for click that checks a flag as the option is checked."""

    def callback(context: click.Context, _: click.Parameter, value: object) -> Value:
        try:
            return check(value)
        except OptionError as error:
            raise click.UsageError(error.message(write_as_flag), context) from error

    return callback


_READING_OPTIONS = (
    click.argument("bundles", metavar="BUNDLE...", nargs=-1, required=True),
    click.option(
        "--encoding", default="utf-8", callback=_check_with(check_encoding), help="The text encoding of the files."
    ),
    click.option(
        "--encoding-errors",
        type=click.Choice(["strict", "replace", "backslashreplace"]),
        default="strict",
        help="How bytes that are not text in it are read: as an error, as U+FFFD, or as their numbers.",
    ),
    click.option(
        "--lookahead",
        type=int,
        default=LOOKAHEAD,
        callback=_check_with(check_lookahead),
        help="The most characters to wait for the end of an element that does not close.",
    ),
    click.option(
        "--glob",
        metavar="PATTERN",
        callback=_check_with(check_glob),
        help="Of a folder, which files, such as '**/*.py'; all unless given.",
    ),
    click.option("--gitignore/--no-gitignore", default=True, help="Of a folder, leave out the files that git ignores."),
)


def _reading_options(command: Callable[..., object]) -> Callable[..., object]:
    """Give a command its argument `BUNDLE...`, and the flags that say how bundles are read."""
    for option in reversed(_READING_OPTIONS):
        command = option(command)
    return command


@program.command()
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default=STANDARD,
    help="The file to write; - is standard output, and a name that ends in .gz is packed.",
)
@click.option(
    "--unescape",
    is_flag=True,
    help="Decode &lt;, &amp; and the like in the contents of elements, as of repomix --parsable-style; each element is "
    "then split by itself.",
)
@_reading_options
@splitter_options()
def split(
    bundles: tuple[str, ...],
    encoding: str,
    encoding_errors: str,
    lookahead: int,
    glob: str | None,
    gitignore: bool,
    output: str,
    unescape: bool,
    **flags: Any,  # noqa: ANN401 - the values of splitter_options
) -> None:
    """Split bundles into LangChain Documents, written as JSON lines.

    BUNDLE is a text file, unpacked if its name ends in .gz, - for standard input, or a folder, of which each text file
    is split by itself. Each line holds the page_content, metadata, id and type of a Document; the metadata's "source"
    is the path of the file. Bundles are read in pieces and never held whole. The file of -o appears only when it is
    complete: if anything goes wrong, an earlier file stays.

    \b
    Examples:
      semantic-xml split bundle.xml -o chunks.jsonl
      semantic-xml split bundle.xml --tokenizer cl100k_base --chunk-size 800
      semantic-xml split *.xml.gz --isolate output -o chunks.jsonl.gz
      semantic-xml split src/ --glob '**/*.py' -o chunks.jsonl
      semantic-xml split bundle.xml --unescape --syntax
      repomix --style xml --stdout | semantic-xml split - | head -n 1

    \b
    In Python, each line is a Document again:
      documents = [Document(**json.loads(line)) for line in open("chunks.jsonl")]
    """  # noqa: D301 - click takes a backspace for "leave the next paragraph as it is"
    splitter = make_splitter(flags)
    reading = Reading(encoding, encoding_errors, lookahead, glob, gitignore, unescape)
    bundles = expand_patterns(bundles)
    check_output(output, bundles)
    with (
        _reading_bar(bundles, output) as bar,
        _open_sources(bundles, reading, output) as sources,
        open_output(output) as file,
    ):
        count = characters = 0
        for source in sources:
            for document in source.split(splitter, bar):
                file.write(_json_line(document))
                count += 1
                characters += len(document.page_content)
    if output != STANDARD:
        noun = "chunk" if count == 1 else "chunks"
        _say(f"{count:,} {noun} with {characters:,} characters in {output}")


@program.command()
@_reading_options
@splitter_options(without=ONLY_FOR_SPLIT)
@click.option("--json", "as_json", is_flag=True, help="Write the numbers, and all that was cut, as JSON.")
def stats(
    bundles: tuple[str, ...],
    encoding: str,
    encoding_errors: str,
    lookahead: int,
    glob: str | None,
    gitignore: bool,
    as_json: bool,
    **flags: Any,  # noqa: ANN401 - the values of splitter_options
) -> None:
    """Show what bundles hold and how they would be split.

    BUNDLE is a text file, unpacked if its name ends in .gz, - for standard input, or a folder. The numbers are the
    count and lengths of the blocks of each type and of the chunks, how full the chunks are, and which blocks were cut.

    \b
    Examples:
      semantic-xml stats bundle.xml --chunk-size 600
      semantic-xml stats *.xml --tokenizer cl100k_base --json
      semantic-xml stats src/
    """  # noqa: D301 - click takes a backspace for "leave the next paragraph as it is"
    reading = Reading(encoding, encoding_errors, lookahead, glob, gitignore)
    splitter = make_splitter(flags)
    bundles = expand_patterns(bundles)
    tally = Tally()
    with _reading_bar(bundles, output=None) as bar, _open_sources(bundles, reading) as sources:
        for source in sources:
            source.count(splitter, tally, bar)
    unit = "characters" if flags["tokenizer"] is None else f"tokens of {flags['tokenizer']}"
    result = tally.stats(bundles, unit, splitter.options.chunk_size)
    with open_output(STANDARD) as file:
        terminal = is_terminal(sys.stdout)
        width = shutil.get_terminal_size().columns if terminal else None
        shown = result.to_json() if as_json else render_stats(result, width=width, colour=terminal)
        file.write(shown.encode())


@program.command()
@click.option("-o", "--output", metavar="FILE", help="The file to write; - is standard output.")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser; without -o, from a temporary file.")
@click.option("--title", help="The page's title; the bundle's name unless given.")
@_reading_options
@splitter_options(without=ONLY_FOR_SPLIT)
def view(
    bundles: tuple[str, ...],
    encoding: str,
    encoding_errors: str,
    lookahead: int,
    glob: str | None,
    gitignore: bool,
    title: str | None,
    output: str | None,
    opens: bool,
    **flags: Any,  # noqa: ANN401 - the values of splitter_options
) -> None:
    """Write an HTML page that shows the chunks of bundles.

    BUNDLE is a text file, unpacked if its name ends in .gz, - for standard input, or a folder. The page needs no
    network and no other file. Text of the bundles is shown on it and never run.

    \b
    Examples:
      semantic-xml view bundle.xml -o report.html
      semantic-xml view bundle.xml --chunk-size 600 --chunk-overlap 100 -o report.html
      semantic-xml view bundle.xml --tokenizer cl100k_base --open -o report.html
    """  # noqa: D301 - click takes a backspace for "leave the next paragraph as it is"
    from langchain_semantic_xml.display import show_chunks  # noqa: PLC0415 - the other commands show no page

    output = _choose_page(output, opens=opens)
    splitter = make_splitter(flags)
    reading = Reading(encoding, encoding_errors, lookahead, glob, gitignore)
    bundles = expand_patterns(bundles)
    check_output(output, bundles)
    show = partial(
        show_chunks,
        title=title,
        chunk_size=splitter.options.chunk_size,
        length_function=splitter.options.length_function,
        unit="characters" if flags["tokenizer"] is None else "tokens",
    )
    with (
        _reading_bar(bundles, output) as bar,
        _open_sources(bundles, reading, output) as sources,
        open_output(output) as file,
    ):
        if len(sources) == 1 and isinstance(bundle := sources[0], Bundle):
            text = "".join(bundle.read(bar))
            page = show(bundle.split(splitter, bar, [text]), source=text)
        else:
            documents = chain.from_iterable(source.split(splitter, bar) for source in sources)
            page = show(documents)
        file.write(page.html.encode())
    if opens and not webbrowser.open(Path(output).resolve().as_uri()):
        _say(f"no browser was found; the page is {output}")


def _choose_page(output: str | None, *, opens: bool) -> str:
    """Return where the page is written: at `-o`, or in a temporary file that the browser opens.

    Raises:
        click.UsageError: If there is no file to write or to open.
    """
    if output is None and opens:
        descriptor, path = tempfile.mkstemp(".html", "chunks-")
        os.close(descriptor)
        return path
    if output is None:
        msg = "Missing option '-o' / '--output', or '--open' to look at the page at once."
        raise click.UsageError(msg)
    if opens and output == STANDARD:
        msg = "--open needs a file; give -o a name, or leave -o out"
        raise click.UsageError(msg)
    return output


def _reading_bar(bundles: tuple[str, ...], output: str | None) -> ReadingBar:
    """Make the bar for reading bundles; it is never shown if the output goes to the terminal."""
    return ReadingBar(check_bundles(bundles), quiet=output == STANDARD and is_terminal(sys.stdout))


@contextmanager
def _open_sources(
    bundles: Sequence[str], reading: Reading, output: str | None = None
) -> Iterator[list[Bundle | Folder]]:
    """Open the sources; at the end write to standard error what was skipped or not recognised."""
    sources = open_sources(bundles, reading, output)
    yield sources
    for source in sources:
        for note in source.notes():
            _say(note)


def _say(note: str) -> None:
    """Write a note to standard error; it is no reason to fail if nobody can read it."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(f"semantic-xml: {printable(note)}\n")


_FIELDS = ("id", "metadata", "page_content", "type")


def _json_line(document: Document) -> bytes:
    """Write a Document as `Document(**json.loads(line))` reads it, in ASCII, which can hold lone surrogates."""
    return json.dumps({field: getattr(document, field) for field in _FIELDS}).encode("ascii") + b"\n"
