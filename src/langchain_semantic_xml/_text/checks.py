"""The options that more than one door takes, checked: each error names the option, the value and the remedy."""

from __future__ import annotations

from collections.abc import Iterable

from langchain_semantic_xml._text.names import TEXT


def check_chunk_size(value: object) -> int:
    """Return `chunk_size`, an `int` of at least 1."""
    return _at_least(1, "chunk_size", value)


def check_chunk_overlap(value: object, chunk_size: int) -> int:
    """Return `chunk_overlap`, an `int` from 0 to below `chunk_size`."""
    overlap = _at_least(0, "chunk_overlap", value)
    if overlap >= chunk_size:
        msg = f"chunk_overlap={overlap} must be less than chunk_size={chunk_size}; lower it, or raise chunk_size"
        raise ValueError(msg)
    return overlap


def check_new_after(value: object) -> int | None:
    """Return `new_after`, `None` or an `int` of at least 0."""
    return None if value is None else _at_least(0, "new_after", value)


def check_combine_under(value: object) -> int | None:
    """Return `combine_under`, `None` or an `int` of at least 0."""
    return None if value is None else _at_least(0, "combine_under", value)


def check_lookahead(value: object) -> int:
    """Return `lookahead`, an `int` of at least 1."""
    return _at_least(1, "lookahead", value)


def check_separator(value: object) -> str:
    """Return `separator`, a `str`."""
    if not isinstance(value, str):
        remedy = "only SemanticXmlSplitter knows the white space to keep" if value is None else 'such as "\\n\\n"'
        msg = f"separator={value!r} must be a str; {remedy}"
        raise TypeError(msg)
    return value


def check_isolate(value: object) -> frozenset[str] | bool:
    """Return `isolate`, a `bool` or a set of block types."""
    if isinstance(value, bool):
        return value
    return frozenset(check_names("isolate", value, "an iterable of block types, or True"))


def check_names(option: str, value: object, wanted: str) -> list[str]:
    """Return an iterable of `str` as a list."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        msg = f"{option}={value!r} must be {wanted}; for one type write ({value!r},)"
        raise TypeError(msg)
    names = []
    for name in value:
        if not isinstance(name, str):
            msg = f"{option}: {name!r} must be a str, not {type(name).__name__}; name a block type such as 'file'"
            raise TypeError(msg)
        names.append(name)
    return names


def check_types(isolate: frozenset[str] | bool, elements: Iterable[str]) -> frozenset[str] | bool:
    """Return `isolate`, whose types must be ones that a block can have: a misspelt one would isolate nothing."""
    if isinstance(isolate, bool):
        return isolate
    types = {TEXT, *elements}
    if unknown := sorted(isolate - types):
        known = ", ".join(sorted(types))
        msg = f"isolate: {unknown[0]!r} is the type of no block; choose among {known}, or add it to elements"
        raise ValueError(msg)
    return isolate


def check_flag(option: str, value: object) -> bool:
    """Return a `bool`."""
    if not isinstance(value, bool):
        msg = f"{option}={value!r} must be True or False, not {type(value).__name__}"
        raise TypeError(msg)
    return value


def check_length_function(value: object) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        msg = f"length_function={value!r} must be a callable from str to int, such as len"
        raise TypeError(msg)


def _at_least(minimum: int, option: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        msg = f"{option}={value!r} must be an int, not {type(value).__name__}; give a whole number >= {minimum}"
        raise TypeError(msg)
    if value < minimum:
        msg = f"{option}={value} is too small; give a whole number >= {minimum}"
        raise ValueError(msg)
    return value


def check_text(name: str, value: object) -> str:
    """Return a text as a plain `str`: what a subclass makes of joining and slicing is not our business.

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
