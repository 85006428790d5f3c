"""The values that travel between the stages of the package.

Every value is frozen. Every position is an offset: a 0-based code-point position in the original `str`. This module
knows no rule and no format.
"""

from __future__ import annotations

from collections.abc import Collection, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar, get_args, overload

from langchain_semantic_xml._text.checks import (
    check_choice,
    check_chunk_overlap,
    check_chunk_size,
    check_combine_under,
    check_element_name,
    check_flag,
    check_ids,
    check_isolate,
    check_length_function,
    check_new_after,
    check_seconds,
    check_separator,
    check_text,
    check_xml_names,
)
from langchain_semantic_xml._text.names import TEXT
from langchain_semantic_xml._text.rulers import LengthFunction
from langchain_semantic_xml._text.window import count_lines

_Default = TypeVar("_Default")

Oversized = Literal["split", "keep", "error"]
"""What is done with a block that alone is longer than `chunk_size`."""

Granularity = Literal["element", "definition"]
"""What is cut into parts: only elements that are too long, or all elements of code, at their definitions."""

Repeat = Literal["tags", "signatures", "breadcrumb"]
"""What each part of a block that is cut begins with."""


class Attributes(Mapping[str, str]):
    """The attributes of an opening tag, in the order written; read-only.

    Equal to any mapping with the same items; hashable, picklable and deep-copyable.

    Example:
        >>> Attributes({"path": "a.py", "language": "python"})
        Attributes({'path': 'a.py', 'language': 'python'})
        >>> Attributes({"path": "a.py"}) == {"path": "a.py"}
        True
    """

    __slots__ = ("_items",)
    _items: dict[str, str]

    def __init__(self, items: Mapping[str, str] | None = None) -> None:
        """Copy `items`; later changes to it are not seen here."""
        object.__setattr__(self, "_items", dict(items or {}))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: the attributes of a tag are facts about the text."""
        msg = f"Attributes are read-only; cannot set {name!r}. Make a dict of them to change it."
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> None:
        """Refuse, as for setting."""
        self.__setattr__(name, None)

    def __getitem__(self, name: str) -> str:
        """Return the value of `name`, with entities decoded; `""` where the tag gives no value."""
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in the order written."""
        return iter(self._items)

    def __len__(self) -> int:
        """Count the attributes."""
        return len(self._items)

    # What Mapping makes of the three methods above takes several calls for each name.

    def __contains__(self, name: object) -> bool:
        """Tell whether there is an attribute of this name."""
        return name in self._items

    @overload
    def get(self, name: str, /) -> str | None: ...
    @overload
    def get(self, name: str, /, default: str | _Default) -> str | _Default: ...
    def get(self, name: str, /, default: object = None) -> object:
        """Return the value of `name`, or `default` where there is no attribute of this name."""
        return self._items.get(name, default)

    def keys(self) -> KeysView[str]:
        """Return the names in the order written."""
        return self._items.keys()

    def values(self) -> ValuesView[str]:
        """Return the values in the order written."""
        return self._items.values()

    def items(self) -> ItemsView[str, str]:
        """Return names and values in the order written."""
        return self._items.items()

    def __hash__(self) -> int:
        """Hash by items, without regard to order, as equality does."""
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        """Show the items as a dict does."""
        return f"Attributes({self._items!r})"

    def __reduce__(self) -> tuple[type[Attributes], tuple[dict[str, str]]]:
        """Pickle and copy by items."""
        return Attributes, (dict(self._items),)


NO_ATTRIBUTES = Attributes()


@dataclass(frozen=True, slots=True)
class ElementRule:
    """How one kind of element is recognised: its name, and where its identity and its body are.

    Args:
        name: The element's name, case-sensitive.
        identity: Attributes that name the element; the first non-empty one wins.
        identity_children: Children, directly after the opening tag, that name it where no attribute does.
        body: Children that wrap the body, such as `document_content`.
        bare: Whether an opening tag without any identity starts an element.
        fallback: Attributes that name the element where neither an attribute nor a child does.

    Raises:
        TypeError: If a name is not a `str`, a group of names is not an iterable of them, or `bare` is no `bool`.
        ValueError: If a name is not an XML Name, or `name` is `"text"`, the type of what lies between elements.

    Example:
        >>> ElementRule("page", identity=("url",)).identity
        ('url',)
    """

    name: str
    identity: tuple[str, ...] = ("path", "file_path", "filePath", "file", "name", "title", "url", "href", "id")
    identity_children: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    bare: bool = True
    fallback: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check every name and freeze every group of names."""
        check_element_name(self.name)
        for field in ("identity", "identity_children", "body", "fallback"):
            object.__setattr__(self, field, check_xml_names(field, getattr(self, field)))
        check_flag("bare", self.bare)


@dataclass(frozen=True, slots=True)
class UnknownElement:
    """A kind of element that occurs more than once in a text, and that no rule names.

    Args:
        name: The element's name.
        count: How often it occurs outside other elements.
        attributes: The names of its attributes, in the order in which they first appear.
        example: The first line of the first of them, at most 200 characters.
        rule: The rule to try, as in `elements=[…, rule]`.
    """

    name: str
    count: int
    attributes: tuple[str, ...]
    example: str
    rule: ElementRule


@dataclass(frozen=True, slots=True)
class Block:
    """An element, or the text between elements, as it stands in the source.

    Args:
        type: The element's name, or `"text"`.
        content: The source's characters `[start, end)`, tags included.
        start: The offset of its first character.
        end: The offset after its last character.
        start_line: The 1-based line of its first character.
        lines: How many lines `content` has, as a text editor counts them.
        attributes: The attributes of its opening tag, in the order written.
        identity: Its path, command or index; `None` if it has no identity, or an empty one.
    """

    type: str
    content: str
    start: int
    end: int
    start_line: int
    lines: int
    attributes: Attributes = NO_ATTRIBUTES
    identity: str | None = None

    @classmethod
    def from_text(cls, content: str, type: str = TEXT) -> Block:  # noqa: A002 - the field's public name
        r"""Make a block that stands alone, at offset 0 and line 1.

        Raises:
            TypeError: If `content` or `type` is not a `str`.

        Example:
            >>> block = Block.from_text("a\nb")
            >>> block.type, block.end, block.lines
            ('text', 3, 2)
        """
        content, type = check_text("content", content), check_text("type", type)  # noqa: A001 - as above
        return cls(type, content, 0, len(content), 1, count_lines(content))


@dataclass(frozen=True, slots=True)
class Section:
    """Consecutive blocks that were grouped, and their joined text.

    Args:
        blocks: The blocks; a block is named once, however many of its units are in the section.
        text: The joined text, separators included.
        length: The measured length of `text`.
    """

    blocks: tuple[Block, ...]
    text: str
    length: int


class Extent(NamedTuple):
    """A block before it is sliced: the value that the boundary finder hands on inside the package.

    Attributes:
        type: The element's name, or `"text"`.
        start: The offset of its first character.
        end: The offset after its last character.
        attributes: The attributes of its opening tag.
        identity: Its path, command or index; `None` where it has none.
        tag_end: The offset after its opening tag; 0 for text.
    """

    type: str
    start: int
    end: int
    attributes: Attributes = NO_ATTRIBUTES
    identity: str | None = None
    tag_end: int = 0


class Chunk(NamedTuple):
    """A group that fits, or one part of an oversized unit, before it becomes a Document.

    Args:
        text: The text of the Document.
        spans: The spans of the source in it, in order; repeated tags are in no span.
        blocks: The extents of its blocks, each once.
        oversized: Whether it is longer than `chunk_size`.
        part: The 1-based number of the part; `None` if the unit was not cut.
        parts: The number of parts.
        scope: With `syntax`, the dotted name of the innermost definition that holds all of the part.
        symbols: With `syntax`, the dotted names of the definitions that begin in it.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    blocks: tuple[Extent, ...]
    oversized: bool = False
    part: int | None = None
    parts: int | None = None
    scope: str | None = None
    symbols: tuple[str, ...] = ()


DEFAULT_SEPARATOR = "\n\n"
"""Put between two blocks of one chunk."""


@dataclass(frozen=True, slots=True)
class Options:
    r"""The options of one splitter, checked, under the names and with the defaults that its users know.

    `SemanticXmlSplitter` documents each of them. All parts of the package read the options from here.

    Raises:
        TypeError: If an option has the wrong type.
        ValueError: If an option has a value that it cannot have.

    Example:
        >>> Options(chunk_size=10).separator
        '\n\n'
        >>> Options(chunk_size=0)
        Traceback (most recent call last):
        langchain_semantic_xml.errors.OptionValueError: chunk_size=0 is too small; give a whole number >= 1
    """

    chunk_size: int = 4000
    chunk_overlap: int = 0
    length_function: LengthFunction = len
    add_start_index: bool = True
    strip_whitespace: bool = True
    elements: tuple[ElementRule, ...] = ()
    separator: str | None = DEFAULT_SEPARATOR
    new_after: int | None = None
    combine_under: int | None = None
    isolate: Collection[str] | bool = ()
    oversized: Oversized = "split"
    syntax: bool = False
    granularity: Granularity = "element"
    syntax_seconds: float | None = None
    repeat: Repeat | None = "tags"
    deterministic_ids: bool | Literal["content"] = False

    def __post_init__(self) -> None:
        """Check every option."""
        check_chunk_size(self.chunk_size)
        check_chunk_overlap(self.chunk_overlap, self.chunk_size)
        check_length_function(self.length_function)
        for flag in ("add_start_index", "strip_whitespace", "syntax"):
            check_flag(flag, getattr(self, flag))
        if self.separator is not None:
            check_separator(self.separator)
        check_ids(self.deterministic_ids)
        check_new_after(self.new_after)
        check_combine_under(self.combine_under)
        object.__setattr__(self, "isolate", check_isolate(self.isolate))
        check_choice("oversized", self.oversized, get_args(Oversized))
        check_choice("granularity", self.granularity, get_args(Granularity))
        check_seconds("syntax_seconds", self.syntax_seconds)
        if self.repeat is not None:
            check_choice("repeat", self.repeat, get_args(Repeat))

    def isolates(self, block_type: str) -> bool:
        """Return whether a block of this type shares a chunk with no other block."""
        return self.isolate if isinstance(self.isolate, bool) else block_type in self.isolate
