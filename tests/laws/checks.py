"""The laws of `docs/rules.md` as assertions: what holds for the chunks of any text under any options.

`check_laws` is written beside every snapshot and every property test. It knows only what a user
knows: the text, the options and the Documents. It reads spans from the metadata, and the source's
blocks from `parse_blocks`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from langchain_core.documents import Document
from typing_extensions import Unpack

from langchain_semantic_xml import Block, SemanticXmlSplitter, parse_blocks
from langchain_semantic_xml._boundaries.formats import resolve_elements
from langchain_semantic_xml._boundaries.tags import patterns_for
from langchain_semantic_xml.typing import Repeat, SplitterOptions
from langchain_semantic_xml.values import Options

POSITION_KEYS = ("start_index", "end_index", "start_line", "end_line", "content_start_line", "content_end_line")
KEYS = (
    "block_type",
    "block_types",
    "block_count",
    "identity",
    "identities",
    "part",
    "parts",
    "oversized",
    "parent_id",
)
CONTENT_LINE_KEYS = frozenset({"content_start_line", "content_end_line"})
BYTE_ORDER_MARK = "\ufeff"


def check_laws(
    text: str,
    documents: Sequence[Document],
    *,
    source_metadata: Mapping[str, object] | None = None,
    **options: Unpack[SplitterOptions],
) -> None:
    """Assert every law for `documents`, the chunks of `text` in order.

    The options are the splitter's; `source_metadata` is the metadata of the source document.

    Rule: L1, L2, L3, L4, L5.
    """
    chosen = SemanticXmlSplitter(**options).options
    source = _Source(text, tuple(parse_blocks(text, elements=chosen.elements)))
    chunks = [_Chunk(document, source_metadata or {}) for document in documents]

    for chunk in chunks:
        _check_not_blank(chunk)
        _check_size(chunk, chosen)
        _check_metadata(chunk, add_start_index=chosen.add_start_index)
        assert ("scope" in chunk) is (chosen.syntax or "scope" in chunk.source_metadata)
    _check_part_numbers(chunks)
    _check_nothing_is_shared(chunks)
    if chosen.isolate:
        _check_isolation(chunks, chosen.isolate)
    if chosen.deterministic_ids:
        ids = [document.id for document in documents]
        assert None not in ids
        assert len(set(ids)) == len(ids), "two chunks have the same id"
    if not chunks:
        assert source.is_blank(0, len(text)), "a text that is not blank has no chunk"
    if not chosen.add_start_index:
        return

    for chunk in chunks:
        _check_lines(source, chunk)
        _check_provenance(
            source,
            chunk,
            separator=chosen.separator,
            strip=chosen.strip_whitespace,
            repeat=chosen.repeat,
        )
    _check_coverage(source, chunks, overlapping=chosen.chunk_overlap > 0)
    if chosen.granularity == "element":
        _check_atomicity(source, chunks, chosen.chunk_size, chosen.length_function)


@dataclass(frozen=True)
class _Source:
    """The text with what is looked up in it many times."""

    text: str
    blocks: tuple[Block, ...]
    line_ends: tuple[int, ...] = field(init=False)
    block_starts: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "line_ends", tuple(match.start() for match in re.finditer("\n", self.text)))
        object.__setattr__(self, "block_starts", tuple(block.start for block in self.blocks))

    def line_at(self, offset: int) -> int:
        return bisect_left(self.line_ends, offset) + 1

    def is_line_start(self, offset: int) -> bool:
        before = self.text[offset - 1 : offset]
        return before in ("", "\n") or (offset == 1 and before == BYTE_ORDER_MARK)

    def blocks_in(self, start: int, end: int) -> tuple[Block, ...]:
        first = max(bisect_right(self.block_starts, start) - 1, 0)
        last = bisect_left(self.block_starts, end)
        return tuple(block for block in self.blocks[first:last] if block.end > start)

    def is_blank(self, start: int, end: int) -> bool:
        return is_blank(self.text, start, end)


class _Chunk:
    """A Document, with our keys found where the source's keys have moved them."""

    def __init__(self, document: Document, source_metadata: Mapping[str, object]) -> None:
        self.text: str = document.page_content
        self.metadata: Mapping[str, object] = document.metadata
        self.source_metadata = source_metadata

    def __getitem__(self, key: str) -> object:
        return self.metadata[self.name_of(key)]

    def __contains__(self, key: str) -> bool:
        return self.name_of(key) in self.metadata

    def name_of(self, key: str) -> str:
        return f"chunk_{key}" if key in self.source_metadata and key not in self.replaced else key

    @property
    def replaced(self) -> frozenset[str]:
        """The keys of a loaded block that its chunks have with values of their own."""
        return CONTENT_LINE_KEYS if "block_type" in self.source_metadata else frozenset()

    def number(self, key: str) -> int:
        value = self[key]
        assert type(value) is int, f"{key} is {value!r}"
        return value

    @property
    def start(self) -> int:
        return self.number("start_index")

    @property
    def end(self) -> int:
        return self.number("end_index")

    @property
    def is_part(self) -> bool:
        return self["part"] is not None


def _check_not_blank(chunk: _Chunk) -> None:
    assert chunk.text.strip(), "a chunk is blank"


def _check_size(chunk: _Chunk, options: Options) -> None:
    """Assert that a chunk is not too long, or says so and could not be cut.

    Rule: L1.
    """
    length = options.length_function(chunk.text)
    assert chunk["oversized"] is (length > options.chunk_size), f"oversized={chunk['oversized']} at length {length}"
    if chunk["oversized"]:
        assert options.oversized != "error", "an oversized chunk was to be an error"
        kept = options.oversized == "keep" and (not chunk.is_part or options.granularity == "definition")
        assert kept or is_one_cluster(chunk.text.strip()), (
            f"{length} > {options.chunk_size}, and it could be cut: {chunk.text!r}"
        )


def is_one_cluster(text: str) -> bool:
    r"""Tell whether `text` is one character as a person sees it, such as `\r\n` or a family emoji."""
    joined = all(_joins(left, right) for left, right in pairwise(text))
    return text != "" and joined


def _joins(left: str, right: str) -> bool:
    flags = range(0x1F1E6, 0x1F200)
    skin_tones_and_tags = right in map(chr, range(0x1F3FB, 0x1F400)) or 0xE0020 <= ord(right) <= 0xE007F
    return (
        left + right == "\r\n"
        or left == "\u200d"
        or right == "\u200d"
        or unicodedata.category(right).startswith("M")
        or skin_tones_and_tags
        or (ord(left) in flags and ord(right) in flags)
        or (_is_jamo(left) and _is_jamo(right))
    )


def _is_jamo(character: str) -> bool:
    return unicodedata.name(character, "").startswith(("HANGUL JUNGSEONG", "HANGUL JONGSEONG", "HANGUL CHOSEONG"))


def _check_metadata(chunk: _Chunk, *, add_start_index: bool) -> None:
    """Assert that a chunk has all keys, that no value of the source is changed, and that stores can take the values.

    Rule: M1.
    """
    for key in KEYS:
        assert key in chunk, f"{key} is missing"
    for key in POSITION_KEYS:
        expected = add_start_index or chunk.name_of(key) in chunk.source_metadata
        assert (key in chunk) is expected, f"{key}: add_start_index={add_start_index}"
    for key, value in chunk.source_metadata.items():
        assert key in chunk.replaced or chunk.metadata[key] == value, f"the source's {key} was changed"
    ours = {key: value for key, value in chunk.metadata.items() if key not in chunk.source_metadata}
    for key, value in ours.items():
        is_scalar = value is None or isinstance(value, (str, int, bool))
        is_list = isinstance(value, list) and value != [] and all(isinstance(item, str) for item in value)
        assert is_scalar or is_list, f"{key}={value!r} fits into no vector store"
    types = chunk["block_types"]
    assert isinstance(types, list)
    assert len(set(types)) == len(types), "block_types are distinct"
    elements = [name for name in types if name != "text"]
    expected_type = "text" if not elements else elements[0] if len(elements) == 1 else "mixed"
    assert chunk["block_type"] == expected_type
    assert chunk.number("block_count") >= len(types)


def _check_part_numbers(chunks: Sequence[_Chunk]) -> None:
    expected = 1
    of = 0
    for chunk in chunks:
        if not chunk.is_part:
            assert chunk["parts"] is None
            assert expected == 1, "parts are missing"
            continue
        of = chunk.number("parts") if expected == 1 else of
        assert (chunk["part"], chunk["parts"]) == (expected, of)
        expected = expected + 1 if expected < of else 1
    assert expected == 1, "the last parts are missing"


def _check_nothing_is_shared(chunks: Sequence[_Chunk]) -> None:
    """Assert that no two chunks, and no chunk and its source, share a value that can be changed.

    Rule: L5.
    """
    mutable = [value for chunk in chunks for value in chunk.metadata.values() if isinstance(value, (list, dict, set))]
    assert len({id(value) for value in mutable}) == len(mutable), "two chunks share a metadata value"
    for chunk in chunks:
        for key, value in chunk.source_metadata.items():
            assert not isinstance(value, (list, dict, set)) or chunk.metadata[key] is not value


def _check_isolation(chunks: Sequence[_Chunk], isolate: Collection[str] | bool) -> None:
    """Assert that isolated types are alone.

    Rule: S4.
    """
    for chunk in chunks:
        types = chunk["block_types"]
        assert isinstance(types, list)
        alone = isolate is True or (not isinstance(isolate, bool) and not set(isolate).isdisjoint(types))
        assert not alone or chunk["block_count"] == 1, f"{types} share a chunk"


def _check_lines(source: _Source, chunk: _Chunk) -> None:
    assert chunk["start_line"] == source.line_at(chunk.start)
    assert chunk["end_line"] == source.line_at(chunk.end - 1)
    first, last = chunk["content_start_line"], chunk["content_end_line"]
    assert (first is None) is (last is None)
    if first is not None:
        lines = chunk.number("end_line") - chunk.number("start_line")
        assert 1 <= chunk.number("content_start_line") <= chunk.number("content_end_line")
        assert chunk.number("content_end_line") - chunk.number("content_start_line") <= lines


def _check_provenance(
    source: _Source, chunk: _Chunk, *, separator: str | None, strip: bool, repeat: Repeat | None
) -> None:
    """Assert that a chunk is what its spans say.

    Rule: L2.
    """
    assert 0 <= chunk.start < chunk.end <= len(source.text)
    blocks = source.blocks_in(chunk.start, chunk.end)
    assert blocks, "the span holds no block"
    begin = max(chunk.start, source.text.startswith(BYTE_ORDER_MARK))
    assert source.text[begin : chunk.end].strip(), "the span is blank"
    if strip and not chunk.is_part:
        assert not source.text[chunk.end - 1].isspace(), "the span ends in white space"
    own = source.text[chunk.start : chunk.end]
    if separator is not None:
        own = separator.join(_pieces(source, chunk, blocks, strip=strip))
    if chunk.is_part:
        lines = source.text[blocks[0].start : chunk.start].splitlines() if repeat == "signatures" else []
        _check_part_provenance(chunk, own, blocks, repeat=repeat, signatures=lines)
    else:
        assert chunk.text == own


def _pieces(source: _Source, chunk: _Chunk, blocks: Sequence[Block], *, strip: bool) -> list[str]:
    """Slice each block's share of the chunk; where blocks meet, the white space gives way to the separator."""
    pieces = []
    for block in blocks:
        start, end = max(block.start, chunk.start), min(block.end, chunk.end)
        piece = source.text[start:end]
        if strip and block.type == "text":
            piece = _trim(piece, at_line_start=source.is_line_start(start))
        pieces.append(piece)
    return [piece for piece in pieces if piece]


def _trim(piece: str, *, at_line_start: bool) -> str:
    """Remove blank lines and trailing white space; keep the indentation of the first line that stays."""
    start = len(piece) - len(piece.lstrip())
    line_start = piece.rfind("\n", 0, start) + 1
    keep_from = line_start if line_start or at_line_start else start
    return piece[keep_from:].rstrip()


def _check_part_provenance(
    chunk: _Chunk, joined: str, blocks: Sequence[Block], *, repeat: Repeat | None, signatures: Sequence[str]
) -> None:
    """A part is its slice, with the tags of its element around it; white space at the seams may differ.

    After the opening tag may stand signatures: lines of the block from before the slice. A breadcrumb is a line before
    all of it.
    """
    element = next((block for block in blocks if block.type != "text"), None)
    content = squeeze(element.content) if element else ""
    whole, own = "".join(chunk.text.split()), "".join(joined.split())  # a mark inside the text is content
    if repeat == "breadcrumb":
        line, _, rest = chunk.text.partition("\n")
        identity = " ".join((element.identity or "").split()) if element else ""
        assert whole == own or ("".join(rest.split()) == own and line.startswith(identity[:400]))
        return
    if repeat is None:
        assert whole == own
        return
    if element is None:
        assert whole.endswith(own)
        assert _can_be_told(whole.removesuffix(own), "", signatures)
        return
    at = [match.start() for match in re.finditer(f"(?={re.escape(own)})", whole)]
    assert any(
        content.endswith(whole[start + len(own) :]) and _can_be_told(whole[:start], content, signatures) for start in at
    ), f"{chunk.text!r} is not a slice with its element's tags around it"


def _can_be_told(before: str, content: str, lines: Sequence[str]) -> bool:
    """Tell whether `before` is the beginning of `content`, or of nothing, and then some of the lines in their order."""
    told = {end for end in range(len(before) + 1) if content.startswith(before[:end])}
    for line in map(squeeze, lines):
        told |= {start + len(line) for start in told if before.startswith(line, start)}
    return len(before) in told


def squeeze(text: str) -> str:
    """Remove the white space, and byte-order marks, of which some count as blank."""
    return "".join(text.replace(BYTE_ORDER_MARK, "").split())


def is_blank(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is blank.

    A byte-order mark counts as blank at the start of the text, and directly before a tag at the start of a line.
    """
    visible = "".join(text[start:end].split())
    before_tag = re.compile(rf"^{BYTE_ORDER_MARK}(?=<)", re.MULTILINE)
    marks = {match.start() for match in before_tag.finditer(text, start, end + 1)}
    if start == 0 < end and text.startswith(BYTE_ORDER_MARK):
        marks.add(0)
    return visible == BYTE_ORDER_MARK * len(marks)


def _check_coverage(source: _Source, chunks: Sequence[_Chunk], *, overlapping: bool) -> None:
    """Assert that every visible character is in a chunk, in order; without overlap, in one.

    Rule: L3.
    """
    covered = 0
    for chunk in chunks:
        assert overlapping or chunk.start >= covered, "a stretch is in two chunks"
        assert source.is_blank(covered, max(chunk.start, covered)), f"lost: {source.text[covered : chunk.start]!r}"
        assert chunk.end > covered, "a chunk brings nothing new"
        covered = chunk.end
    assert source.is_blank(covered, len(source.text)), f"lost: {source.text[covered:]!r}"
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(starts), "the chunks are out of order"


def _check_atomicity(
    source: _Source, chunks: Sequence[_Chunk], chunk_size: int, length_function: Callable[[str], int]
) -> None:
    """Assert that no element is cut that fits, and no tag that is not too long.

    Rule: L4.
    """
    edges = sorted({edge for chunk in chunks for edge in (chunk.start, chunk.end)})
    for block in source.blocks:
        cuts = edges[bisect_right(edges, block.start) : bisect_left(edges, block.end)]
        if block.type == "text" or not cuts:
            continue
        assert length_function(block.content) > chunk_size, f"cut, though it fits: {block.content!r}"
        opening, closing = _tags(block)
        if length_function(opening) <= chunk_size:
            assert cuts[0] >= block.start + len(opening), f"a cut inside the tag {opening!r}"
        if length_function(closing) <= chunk_size:
            assert cuts[-1] <= block.end - len(closing), f"a cut inside the tag {closing!r}"
    for chunk in chunks:
        if not chunk.is_part:
            _check_edges(source, chunk)


def _tags(block: Block) -> tuple[str, str]:
    """Return the opening and the closing tag of an element; a tag with raw quotes is its whole line."""
    content = block.content
    match = patterns_for(resolve_elements([block.type])).tag.match(content)
    opening = match[0] if match and match[3] else content.partition("\n")[0].rstrip(" \t\r")
    closing = content.rfind(f"</{block.type}", len(opening))
    return opening, content[closing:] if closing >= 0 else ""


def _check_edges(source: _Source, chunk: _Chunk) -> None:
    """Outside parts only whole units travel: an edge inside a text block is the edge of a line.

    Rule: L4.
    """
    line_start = source.text.rfind("\n", 0, chunk.start) + 1
    line_end = source.text.find("\n", chunk.end - 1)
    for block in source.blocks_in(chunk.start, chunk.end):
        before = source.text[max(line_start, block.start) : chunk.start]
        after = source.text[chunk.end : min(line_end, block.end) if line_end >= 0 else block.end]
        assert not squeeze(before + after), f"a line was cut: {before!r} and {after!r}"


def runs_of_parts(documents: Iterable[Document]) -> list[list[Document]]:
    """Group the parts of each oversized block; chunks that are no parts are left out."""
    numbered: list[tuple[int, Document]] = []
    run = 0
    for document in documents:
        run += document.metadata["part"] in (None, 1)
        numbered.append((run, document))
    groups = [[document for _, document in group] for _, group in groupby(numbered, key=lambda item: item[0])]
    return [group for group in groups if group[0].metadata["part"] is not None]
