"""The options and arguments that users give, checked: each error names what is wrong, its value and the remedy.

All checks of the package are here. Options raise an `OptionError`, which is a `TypeError` or a `ValueError` too;
arguments that hold data, such as texts and documents, raise a plain one.
"""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from langchain_semantic_xml._text.names import TEXT, XML_NAME
from langchain_semantic_xml.errors import Mention, OptionTypeError, OptionValueError

Kind = TypeVar("Kind")

_IS_XML_NAME = re.compile(XML_NAME)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


# Numbers.


def check_chunk_size(value: object) -> int:
    """Return `chunk_size`, an `int` of at least 1."""
    return _check_at_least(1, "chunk_size", value)


def check_chunk_overlap(value: object, chunk_size: int) -> int:
    """Return `chunk_overlap`, an `int` from 0 to below `chunk_size`."""
    overlap = _check_at_least(0, "chunk_overlap", value)
    if overlap >= chunk_size:
        problem = ("must be less than ", Mention("chunk_size", (chunk_size,)))
        raise OptionValueError("chunk_overlap", overlap, problem, ("lower it, or raise ", Mention("chunk_size")))
    return overlap


def check_new_after(value: object) -> int | None:
    """Return `new_after`, `None` or an `int` of at least 0."""
    return None if value is None else _check_at_least(0, "new_after", value)


def check_combine_under(value: object) -> int | None:
    """Return `combine_under`, `None` or an `int` of at least 0."""
    return None if value is None else _check_at_least(0, "combine_under", value)


def check_max_bytes(value: object) -> int | None:
    """Return `max_bytes`, `None` or an `int` of at least 1."""
    return None if value is None else _check_at_least(1, "max_bytes", value)


def check_lookahead(value: object) -> int:
    """Return `lookahead`, an `int` of at least 1."""
    return _check_at_least(1, "lookahead", value)


def check_budget(value: object) -> int:
    """Return `budget`, an `int` of at least 1."""
    return _check_at_least(1, "budget", value)


def check_per_file(value: object) -> int | None:
    """Return `per_file`, `None` or an `int` of at least 1."""
    return None if value is None else _check_at_least(1, "per_file", value)


def _check_at_least(minimum: int, option: str, value: object) -> int:
    remedy = f"give a whole number >= {minimum}"
    if not isinstance(value, int) or isinstance(value, bool):
        raise OptionTypeError(option, value, f"must be an int, not {type(value).__name__}", remedy)
    if value < minimum:
        raise OptionValueError(option, value, "is too small", remedy)
    return value


# Other single values.


def check_flag(option: str, value: object) -> bool:
    """Return a `bool`."""
    if not isinstance(value, bool):
        raise OptionTypeError(option, value, f"must be True or False, not {type(value).__name__}")
    return value


def check_ids(value: object) -> None:
    """Refuse a value of `deterministic_ids` that is neither a `bool` nor `"content"`."""
    if not isinstance(value, bool) and value != "content":
        raise OptionTypeError("deterministic_ids", value, 'must be True, False or "content"')


def check_choice(option: str, value: Kind, choices: Sequence[str]) -> Kind:
    """Return one of a few strings."""
    if value not in choices:
        *most, last = (f'"{choice}"' for choice in choices)
        raise OptionValueError(option, value, f"must be {', '.join(most)} or {last}")
    return value


def check_seconds(option: str, value: object) -> float | None:
    """Return `None`, or a number of seconds above 0."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise OptionTypeError(option, value, f"must be a number of seconds or None, not {type(value).__name__}")
    if not value > 0:
        raise OptionValueError(option, value, "must be above 0")
    return float(value)


def check_separator(value: object) -> str:
    """Return `separator`, a `str`."""
    if not isinstance(value, str):
        remedy = "only SemanticXmlSplitter knows the white space to keep" if value is None else 'such as "\\n\\n"'
        raise OptionTypeError("separator", value, "must be a str", remedy)
    return value


def check_length_function(value: object) -> None:
    """Refuse a length function that cannot be called."""
    if not callable(value):
        raise OptionTypeError("length_function", value, "must be a callable from str to int, such as len")


def check_encoding(value: object) -> str:
    """Return `encoding`, the name of a text encoding."""
    if not isinstance(value, str):
        problem = f"must be a str, not {type(value).__name__}"
        raise OptionTypeError("encoding", value, problem, "give one such as 'utf-8'")
    try:
        # codecs.lookup() also knows codecs such as "hex" that make no text; only a text file refuses them.
        io.TextIOWrapper(io.BytesIO(), encoding=value)
    except LookupError as error:
        problem = "is no text encoding that Python knows"
        raise OptionValueError("encoding", value, problem, "give one such as 'utf-8' or 'cp1252'") from error
    return value


def check_encoding_errors(value: object) -> str:
    """Return `encoding_errors`, the name of an error handler of Python's codecs."""
    remedy = "give one such as 'strict' or 'replace'"
    if not isinstance(value, str):
        raise OptionTypeError("encoding_errors", value, f"must be a str, not {type(value).__name__}", remedy)
    try:
        codecs.lookup_error(value)
    except LookupError as error:
        problem = "is no error handler that Python knows"
        raise OptionValueError("encoding_errors", value, problem, remedy) from error
    return value


def check_path(value: object) -> Path:
    """Return `path`, a non-empty `str` or a path, as a path."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        problem = f"must be a str or a path, not {type(value).__name__}"
        raise OptionTypeError("path", value, problem, "give a file, a folder or a pattern")
    if _ADDRESS.match(path):
        raise OptionValueError("path", path, "is an address, not a file", "download it first")
    if not path:
        remedy = "give a file, a folder or a pattern, '.' for the current folder"
        raise OptionValueError("path", path, "names nothing", remedy)
    return Path(path)


def check_glob(value: object) -> str | None:
    """Return `glob`, `None` or a non-empty `str`."""
    if value is not None and not isinstance(value, str):
        problem = f"must be a str, not {type(value).__name__}"
        raise OptionTypeError("glob", value, problem, "write a pattern such as '**/*.xml'")
    if value == "":
        raise OptionValueError("glob", value, "matches nothing", "leave it out to take all files of the folder")
    return value


# Names.


def check_isolate(value: object) -> frozenset[str] | bool:
    """Return `isolate`, a `bool` or a set of block types."""
    if isinstance(value, bool):
        return value
    return frozenset(check_names("isolate", value, "an iterable of block types, or True"))


def check_types(isolate: frozenset[str] | bool, elements: Iterable[str]) -> frozenset[str] | bool:
    """Return `isolate`, whose types must be ones that a block can have: a misspelt one would isolate nothing."""
    if isinstance(isolate, bool):
        return isolate
    types = {TEXT, *elements}
    if unknown := sorted(isolate - types):
        problem = f"no block has the type {unknown[0]!r}"
        remedy = (f"choose among {', '.join(sorted(types))}, or add it to ", Mention("elements"))
        raise OptionValueError("isolate", unknown[0], problem, remedy, True)
    return isolate


def check_names(option: str, value: object, wanted: str) -> list[str]:
    """Return an iterable of `str` as a list."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise OptionTypeError(option, value, f"must be {wanted}", f"for one type write ({value!r},)")
    names = []
    for name in value:
        if not isinstance(name, str):
            problem = f"{name!r} must be a str, not {type(name).__name__}"
            raise OptionTypeError(option, name, problem, "name a block type such as 'file'", True)
        names.append(name)
    return names


def check_xml_names(option: str, value: object) -> tuple[str, ...]:
    """Return an iterable of XML Names as a tuple."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise OptionTypeError(option, value, f"must be an iterable of names, such as ({value!r},)")
    return tuple(check_xml_name(option, name) for name in value)


def check_xml_name(option: str, value: object) -> str:
    """Return an XML Name."""
    if not isinstance(value, str):
        raise OptionTypeError(option, value, f"{value!r} must be a str, not {type(value).__name__}", is_item=True)
    if not _IS_XML_NAME.fullmatch(value):
        remedy = "write it without '<', '>', '/' or white space"
        raise OptionValueError(option, value, f"{value!r} is not an XML Name", remedy, True)
    return value


def check_element_name(value: object) -> str:
    """Return the name of an element, an XML Name other than the type of the text between elements."""
    name = check_xml_name("name", value)
    if name == TEXT:
        problem = "is the type of the text between elements"
        raise OptionValueError("name", name, problem, "choose another element name")
    return name


def check_sources(value: object) -> dict[str, str]:
    """Return `sources`, `None` or a mapping from names to texts, as a dictionary of plain `str`."""
    if value is None:
        return {}
    remedy = 'give the texts by the names in the metadata, such as {"bundle.xml": text}'
    if not isinstance(value, Mapping):
        raise OptionTypeError("sources", value, f"must be a mapping, not {type(value).__name__}", remedy)
    for name, text in value.items():
        if not isinstance(name, str):
            problem = f"the name {name!r} must be a str, not {type(name).__name__}"
            raise OptionTypeError("sources", name, problem, remedy, True)
        if not isinstance(text, str):
            problem = f"the text of {name!r} must be a str, not {type(text).__name__}"
            raise OptionTypeError("sources", text, problem, remedy, True)
    return {name: str.__str__(text) for name, text in value.items()}


# Data.


def check_text(name: str, value: object) -> str:
    """Return a text as a plain `str`: how a subclass joins and slices must not matter.

    Raises:
        TypeError: If it is no `str`; it says what was given and what to do.

    Example:
        >>> check_text("text", b"x")
        Traceback (most recent call last):
        TypeError: text must be a str, not bytes; decode it first, for example with .decode("utf-8")
    """
    if isinstance(value, str):
        return str.__str__(value)
    kind = type(value).__name__
    if isinstance(value, (bytes, bytearray, memoryview)):
        remedy = 'decode it first, for example with .decode("utf-8")'
    elif hasattr(value, "page_content"):
        remedy = "pass its page_content, or the document itself to split_documents()"
    else:
        remedy = "pass the text itself"
    msg = f"{name} must be a str, not {kind}; {remedy}"
    raise TypeError(msg)


def check_instance(name: str, value: object, kind: type[Kind], remedy: str) -> Kind:
    """Return a value of the type `kind`.

    Raises:
        TypeError: If it has another type.

    Example:
        >>> check_instance("metadata", 7, dict, "use {} for none")
        Traceback (most recent call last):
        TypeError: metadata must be a dict, not int; use {} for none
    """
    if isinstance(value, kind):
        return value
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    msg = f"{name} must be {article} {kind.__name__}, not {type(value).__name__}; {remedy}"
    raise TypeError(msg)


def check_several(name: str, values: object, kind: type[Kind]) -> Iterable[Kind]:
    """Return an iterable of `kind`, whose items are not looked at.

    A single value is refused: a string would be taken for its characters.

    Raises:
        TypeError: If it is a single value or no iterable.

    Example:
        >>> check_several("texts", "abc", str)
        Traceback (most recent call last):
        TypeError: texts must be an iterable of str, not str; put a single one into a list
    """
    is_single = isinstance(values, (str, bytes)) or hasattr(values, "page_content")  # a Document iterates its fields
    if is_single or not isinstance(values, Iterable):
        msg = (
            f"{name} must be an iterable of {kind.__name__}, not {type(values).__name__}; put a single one into a list"
        )
        raise TypeError(msg)
    return values


def check_metadata(name: str, value: object) -> None:
    """Refuse metadata that are no mapping."""
    if not isinstance(value, Mapping):
        msg = f"{name} must be a mapping, not {type(value).__name__}; use {{}} for none"
        raise TypeError(msg)
