"""The boundary rules a second time: slow, plain, and written without a look at the package's own finder.

`reference_blocks` is what `parse_blocks` is compared with. Each rule is one function that re-reads as much of the
text as it likes; nothing here is meant to be fast. Of the package it shares only the shape of a rule
(`ElementRule`) and the pattern of an XML Name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from langchain_semantic_xml._text.names import XML_NAME
from langchain_semantic_xml.values import ElementRule

BOM = "\ufeff"
TAG_SPACE = " \t\r\n"
CDATA_START, CDATA_END = "<![CDATA[", "]]>"
LONGEST_FENCE = 200
FEW_NESTED = 3
LOOKED_AT = 64
INNERMOST = 64

GENERAL_IDENTITY = ("path", "file_path", "filePath", "file", "name", "title", "url", "href", "id")
DEFAULT_RULES = (
    ElementRule("file", identity=("path", "name", "src", "filename"), identity_children=("path",)),
    ElementRule("output", identity=("command", "name", "cmd")),
    ElementRule(
        "document", identity=("path", "name"), identity_children=("source", "src"), fallback=("index",),
        body=("document_content", "document-content", "document_contents"),
    ),
    ElementRule("command", identity=("name",)),
    ElementRule("diff", identity=("range",)),
    ElementRule("file_content", identity=("path", "file")),
    ElementRule("final_file_content", identity=("path", "file")),
    ElementRule("attachment", identity=("filePath", "folderPath", "id")),
    ElementRule("doc", identity=("title", "url", "path"), bare=False),
    ElementRule("code_selection", identity=("path",), bare=False),
    ElementRule("file_contents", identity=("path",), bare=False),
    ElementRule("dyad-write", identity=("path",), bare=False),
    ElementRule("dyad-file", identity=("path",), bare=False),
    ElementRule("lov-write", identity=("file_path",), bare=False),
    ElementRule("boltAction", identity=("filePath",), bare=False),
    *(ElementRule(name, identity=(), identity_children=("path",), body=("content", "diff"), bare=False)
      for name in ("write_to_file", "read_file", "replace_in_file", "apply_diff")),
)  # fmt: skip


class Found(NamedTuple):
    """One block: the same four facts that are compared with the package's `Block`."""

    type: str
    start: int
    end: int
    identity: str | None


class Opening(NamedTuple):
    """An opening tag of any name, as the tag grammar reads it."""

    attributes: dict[str, str]
    end: int
    self_closing: bool


@dataclass(frozen=True)
class Tag:
    """A tag of an element name; `whole` is an element that needs no further tag: self-closing, or in CDATA."""

    kind: Literal["opening", "closing", "whole"]
    name: str
    start: int
    tag_end: int
    end: int
    indent: str | None
    fills_line: bool
    strict: bool = True
    identity: str | None = None
    attributes: tuple[str, ...] = ()
    index: str | None = None
    bare: bool = True
    glued: bool = False

    @property
    def key(self) -> tuple[str, str | None] | None:
        """What a line-style tag is matched by: name and indentation; `None` for any other tag."""
        on_line = self.fills_line or (self.glued and self.identity is not None)
        return (self.name, self.indent) if self.indent is not None and on_line else None

    @property
    def starts_element(self) -> bool:
        """Whether this opening, or whole element, may be a block where it stands first on its line."""
        return self.kind != "closing" and (self.identity is not None or self.bare)


class Page(NamedTuple):
    """The text, the rules by name, and every tag of theirs; the first element, once it is found."""

    text: str
    rules: dict[str, ElementRule]
    tags: list[Tag]
    first: Found | None = None


def reference_blocks(text: str, elements: Iterable[str | ElementRule] | None = None) -> list[Found]:
    r"""Cut `text` into blocks as the boundary rules say.

    Example:
        >>> [tuple(block) for block in reference_blocks('Hi <file path="a">x</file>')]
        [('text', 0, 3, None), ('file', 3, 26, 'a')]
    """
    rules = rules_by_name(None if elements is None else list(elements))
    page = Page(text, rules, find_tags(text, rules))
    inline, rest = inline_style(page)
    found = [*inline, *outer_elements(page._replace(first=inline[0] if inline else None), rest, len(text))]
    return with_text_between(text, found)


def rules_by_name(elements: Collection[str | ElementRule] | None) -> dict[str, ElementRule]:
    """Give a name its default rule, or the general one; keep rules as they are."""
    defaults = {rule.name: rule for rule in DEFAULT_RULES}
    if elements is None:
        return defaults
    named = {
        name: defaults.get(name, ElementRule(name, GENERAL_IDENTITY)) for name in elements if isinstance(name, str)
    }
    return named | {rule.name: rule for rule in elements if isinstance(rule, ElementRule)}


# Tags. Rule: B1.


def find_tags(text: str, rules: dict[str, ElementRule]) -> list[Tag]:
    """Read the tags of the element names from left to right; a tag inside another tag, or in CDATA, is none."""
    tags = []
    at = text.find("<")
    while at >= 0:
        tag = closing_tag(text, at, rules) or opening_tag(text, at, rules)
        if tag:
            tags.append(tag)
        at = text.find("<", tag.end if tag else at + 1)
    return tags


def closing_tag(text: str, at: int, rules: dict[str, ElementRule]) -> Tag | None:
    """Read `</name>` of an element at `at`."""
    for name in rules:
        end = closing_end(text, at, name)
        if end is not None:
            return Tag("closing", name, at, end, end, indentation(text, at), blank_to_line_end(text, end))
    return None


def closing_end(text: str, at: int, name: str) -> int | None:
    """Return where the closing tag of `name` that stands at `at` ends."""
    if not text.startswith(f"</{name}", at):
        return None
    end = skip(text, at + len(name) + 2, TAG_SPACE)
    return end + 1 if text.startswith(">", end) else None


def opening_tag(text: str, at: int, rules: dict[str, ElementRule]) -> Tag | None:
    """Read `<name …>` of an element at `at`, by the grammar or else as a whole line. Rule: B1."""
    for name, rule in rules.items():
        name_end = at + 1 + len(name)
        if text.startswith(f"<{name}", at) and text[name_end : name_end + 1] in set(TAG_SPACE + "/>"):
            strict = strict_opening(text, name_end)
            opening = strict or whole_line_opening(text, at, name)
            return build_opening(text, at, rule, opening, strict=strict is not None) if opening else None
    return None


def build_opening(text: str, at: int, rule: ElementRule, opening: Opening, *, strict: bool) -> Tag:
    """Look behind the tag for what belongs to it: a child with its identity, or CDATA up to its closing tag."""
    child, child_end = (None, opening.end) if opening.self_closing else identity_child(text, opening.end, rule)
    first = indentation(text, at) is not None
    cdata = cdata_element_end(text, opening.end, rule.name, first=True) if first and not opening.self_closing else None
    whole = opening.self_closing or cdata is not None
    fills_line = blank_to_line_end(text, opening.end) or blank_to_line_end(text, child_end)
    return Tag(
        kind="whole" if whole else "opening",
        name=rule.name,
        start=at,
        tag_end=opening.end,
        end=opening.end if cdata is None else cdata,
        indent=indentation(text, at),
        fills_line=fills_line,
        strict=strict,
        identity=identity_of(rule, opening.attributes, child),
        attributes=tuple(opening.attributes),
        glued=first and not whole and not fills_line and not closes_on_line(text, opening.end, rule.name),
        index=opening.attributes.get("index"),
        bare=rule.bare,
    )


def closes_on_line(text: str, at: int, name: str) -> bool:
    """Whether a closing tag of `name` begins between `at` and the end of its line."""
    return any(closing_end(text, place, name) for place in range(at, line_end(text, at)))


def strict_opening(text: str, at: int) -> Opening | None:
    """Read the rest of an opening tag from the end of its name."""
    attributes: dict[str, str] = {}
    while True:
        after_space = skip(text, at, TAG_SPACE)
        for end, self_closing in (("/>", True), (">", False)):
            if text.startswith(end, after_space):
                return Opening(attributes, after_space + len(end), self_closing)
        attribute = read_attribute(text, after_space) if after_space > at else None
        if attribute is None:
            return None
        name, value, at = attribute
        attributes.setdefault(name, decode(value))


def read_attribute(text: str, at: int) -> tuple[str, str, int] | None:
    """Read one attribute: its name, its raw value, and where it ends."""
    name_end = skip_until(text, at, TAG_SPACE + "\"'<>/=")
    equals = skip(text, name_end, TAG_SPACE)
    if name_end == at:
        return None
    if not text.startswith("=", equals):
        return text[at:name_end], "", name_end
    value = skip(text, equals + 1, TAG_SPACE)
    end = quoted_end(text, value) if text[value : value + 1] in {'"', "'"} else unquoted_end(text, value)
    if end is None:
        return None
    return text[at:name_end], unquote(text[value:end]), end


def unquote(value: str) -> str:
    """Take the quotes off a value that has them."""
    return value[1:-1] if value[0] in {'"', "'"} else value


def quoted_end(text: str, at: int) -> int | None:
    """Return the end of the quoted value at `at`, if something that may follow a value follows it."""
    close = text.find(text[at], at + 1)
    return close + 1 if close >= 0 and text[close + 1 : close + 2] in set(TAG_SPACE + "/>") else None


def unquoted_end(text: str, at: int) -> int | None:
    """Return the end of the unquoted value at `at`, which the `/>` of the tag is no part of."""
    end = skip_until(text, at, TAG_SPACE + "\"'<>=`")
    if text.startswith(">", end) and text[at:end].endswith("/"):
        end -= 1
    return end if end > at else None


def whole_line_opening(text: str, at: int, name: str) -> Opening | None:
    """Take a whole line as one tag whose value holds raw quotes: `<output command="git log --format="%h"">`."""
    line = text[at : line_end(text, at)].rstrip(" \t\r")
    rest = line[len(name) + 1 :]
    ends_in_closing = any(closing_end(line, place, name) == len(line) for place in range(len(line)))
    if indentation(text, at) is None or not re.search("[\"']", rest) or not line.endswith(">") or ends_in_closing:
        return None
    attributes = raw_attributes(line, len(name) + 1)
    return None if attributes is None else Opening(attributes, at + len(line), line.endswith("/>"))


def raw_attributes(line: str, at: int) -> dict[str, str] | None:
    """Read attributes up to the place where the grammar fails.

    The last quoted value that begins before it is the broken one and runs to the last quote of its kind. `None`
    when no quoted value does, or when its opening quote is that last quote.
    """
    before: dict[str, str] = {}
    broken: tuple[dict[str, str], str, int] | None = None
    while True:
        attribute = skip(line, at, TAG_SPACE)
        value = re.compile("""([^ \t\r\n"'<>/=]+)[ \t\r\n]*=[ \t\r\n]*(?=["'])""").match(line, attribute)
        if value and attribute > at:
            broken = dict(before), value[1], value.end()
        read = read_attribute(line, attribute) if attribute > at else None
        if read is None:
            break
        name, raw, at = read
        before.setdefault(name, decode(raw))
    if broken is None:
        return None
    attributes, name, quote = broken
    last_quote = line.rindex(line[quote])
    attributes.setdefault(name, decode(line[quote + 1 : last_quote]))
    return attributes if last_quote > quote else None


def decode(value: str) -> str:
    """Decode the five XML entities and numeric references; leave everything else as it is."""
    return re.sub("&(lt|gt|amp|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);", decode_reference, value)


def decode_reference(reference: re.Match[str]) -> str:
    """Decode one reference; a number that is no character of XML stays as it is."""
    body = reference[1]
    if not body.startswith("#"):
        return {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}[body]
    digits, base = (body[2:], 16) if body.startswith("#x") else (body[1:], 10)
    number = whole_number(digits, base)
    allowed = [range(0x9, 0xB), range(0xD, 0xE), range(0x20, 0xD800), range(0xE000, 0xFFFE), range(0x10000, 0x110000)]
    return chr(number) if any(number in part for part in allowed) else reference[0]


def whole_number(digits: str, base: int = 10) -> int:
    """Convert digits, also thousands of them, of which Python would convert no more than 4,300."""
    value = 0
    for digit in digits:
        value = value * base + int(digit, base)
    return value


def identity_child(text: str, at: int, rule: ElementRule) -> tuple[str | None, int]:
    """Return the value of the child that holds the identity, directly after the tag, and where the child ends."""
    start = skip(text, at, TAG_SPACE)
    for child in rule.identity_children:
        if text.startswith(f"<{child}>", start):
            close = text.find(f"</{child}>", start)
            value = text[start + len(child) + 2 : max(close, 0)].strip()
            nested = re.search(f"<{re.escape(child)}[ \t\r\n/>]", value)
            if value and "\n" not in value and not nested:
                return value, close + len(child) + 3
    return None, at


def identity_of(rule: ElementRule, attributes: dict[str, str], child: str | None) -> str | None:
    """Return the first non-empty of: the rule's attributes, the child, the attributes to fall back on."""
    values = [*(attributes.get(name) for name in rule.identity), child, *(attributes.get(n) for n in rule.fallback)]
    return next((value for value in values if value), None)


# CDATA. Rule: B10.


def cdata_element_end(text: str, at: int, name: str, *, first: bool) -> int | None:
    """Return the end of the element whose whole content, from `at` on, is CDATA.

    Of several places where it may end, the first that ends its line or that a tag follows on it. They stand before the
    next opening of the name at the start of a line, counted from the end of the section if that is such a place. An
    opening that is not the first on its line takes the first place.
    """
    start = skip(text, at, TAG_SPACE)
    if not text.startswith(CDATA_START, start):
        return None
    start += len(CDATA_START)
    ends = []
    for end in range(start, len(text)):
        closing = closing_end(text, skip(text, end + 3, TAG_SPACE), name) if text.startswith(CDATA_END, end) else None
        if closing is not None:
            ends.append(closing)
    if not first:
        return next(iter(ends), None)
    pattern = re.compile(f"^[ \t]*<{re.escape(name)}(?=[ \t\r\n>])", re.MULTILINE)
    own = re.compile(r"\]\]>(?!<!\[CDATA\[)").search(text, start)
    own_end = closing_end(text, skip(text, own.end(), TAG_SPACE), name) if own else None
    following = pattern.search(text, own_end or start)
    ends = [end for end in ends if following is None or end <= following.start()]
    clear = [end for end in ends if blank_to_line_end(text, end) or tag_at(text, skip(text, end, " \t\r"))]
    return next(iter(clear + ends), None)


def tag_at(text: str, at: int) -> bool:
    """Whether something that looks like a tag of any name stands at `at`."""
    return re.compile(f"</?{XML_NAME}").match(text, at) is not None


# Elements that fill their lines. Rule: B2, B3, B4, B5, B6.


def outer_elements(page: Page, start: int, end: int) -> list[Found]:
    """Walk over a stretch of the text: an opening that begins an element leads on to that element's end."""
    tags = [tag for tag in page.tags if start <= tag.start and tag.end <= end]
    found: list[Found] = []
    at = start
    for tag in tags:
        stop = element_end(page, tags, tag, at) if tag.start >= at and tag.starts_element else None
        if stop is not None:
            found.append(Found(tag.name, tag.start, stop, tag.identity))
            page = page._replace(first=page.first or found[0])
            at = stop
    return found


def element_end(page: Page, tags: list[Tag], tag: Tag, at: int) -> int | None:
    """Return where the element that `tag` begins ends, the last one having ended at `at`."""
    on_lines = visible_line_element_end(page, tags, tag, at)
    if on_lines is not None:
        return on_lines
    inline = inline_end(page, tags, tag)
    if inline is None or in_fence(page, at, tag.start, inline):
        return None
    between = [other for other in tags if tag.start < other.start < inline]
    parted = any(visible_line_element_end(page, tags, other, at) is not None for other in between)
    return None if parted else inline


def visible_line_element_end(page: Page, tags: list[Tag], tag: Tag, at: int) -> int | None:
    """Return where a line-style element ends; `None` when `tag` begins none, or one that a fence hides."""
    in_cdata = tag.kind == "whole" and tag.end != tag.tag_end
    if not ((tag.key or in_cdata) and tag.starts_element):
        return None
    end = tag.end if tag.kind == "whole" else line_element_end(page, tags, tag)
    return None if end is None or in_fence(page, at, tag.start, end) else end


def line_element_end(page: Page, tags: list[Tag], opening: Tag) -> int | None:
    """Return where the line-style element that `opening` opens ends; `None` when nothing ends it."""
    later = [tag for tag in tags if tag.start >= opening.end]
    same = [tag for tag in later if tag.key == opening.key and tag.kind != "whole"]
    on_text_line = end_of_line_closing(page, later, opening, same) if opening.fills_line else None
    if on_text_line:
        return on_text_line.end
    match = balanced(same)
    if match is not None and not distant_closing_is_doubtful(page, opening, same, match):
        return last_surplus(later, opening, match).end
    end = listed_closing(page, opening, same)
    if end is None and match is not None:
        end = never_balanced(page, opening, same)
    if end is None and not opening.glued:
        end = balanced_at_line_end(page, later, opening, same) or never_balanced(page, opening, same)
    return end.end if end else None


def end_of_line_closing(page: Page, later: list[Tag], opening: Tag, same: list[Tag]) -> Tag | None:
    """Find the closing at the end of a text line where no closing has a line of its own. Rule: B6."""
    following = next((tag for tag in same if not tag.glued), None)
    if following and following.kind == "closing":
        return None
    candidates = line_end_closings(page, later, opening)
    if following is None:
        return candidates[0] if candidates else None
    before = [tag for tag in candidates if tag.start < following.start]
    return before[-1] if before else None


def line_end_closings(page: Page, later: list[Tag], opening: Tag) -> list[Tag]:
    """Keep the closings of the name at the ends of text lines."""
    return [tag for tag in closings(later) if tag.name == opening.name and ends_text_line(page, tag)]


def balanced_at_line_end(page: Page, later: list[Tag], opening: Tag, same: list[Tag]) -> Tag | None:
    """Balance again with the closings at line ends: one of them that is followed ends the element. Rule: B6."""
    ends = line_end_closings(page, later, opening)
    match = balanced(sorted([*same, *ends], key=lambda tag: tag.start))
    follower = follower_of(page, match.end, opening.indent) if match is not None and match in ends else None
    return match if follower not in {None, "end"} and may_follow(opening, follower) else None


def listed_closing(page: Page, opening: Tag, same: list[Tag]) -> Tag | None:
    """Take the last closing before the next opening that the bundle's listing names otherwise. Rule: B13."""
    paths = listed_paths(page, opening)
    if opening.identity not in paths:
        return None
    for number, tag in enumerate(same):
        if tag.kind == "opening" and tag.identity in paths and tag.identity != opening.identity:
            return next(reversed(closings(same[:number])), None)
    return None


def listed_paths(page: Page, tag: Tag) -> set[str]:
    """Return the listed paths, if the first element, or `tag` where it may be the first, is among them. Rule: B13."""
    limit, identity = (tag.start, tag.identity) if page.first is None else (page.first.start, page.first.identity)
    tags = re.compile("<directory_structure>[^\\S\n]*\n").finditer(page.text)
    opening = next((tag for tag in tags if indentation(page.text, tag.start()) is not None), None)
    close = page.text.find("</directory_structure>", opening.end()) if opening else -1
    if opening is None or not 0 <= close <= limit - len("</directory_structure>"):
        return set()
    paths = set()
    folders: dict[int, str] = {}
    for line in page.text[opening.end() : close].split("\n"):
        indent = len(line) - len(line.lstrip())
        folders = {width: folder for width, folder in folders.items() if width < indent or not line.strip()}
        path = (folders[max(folders)] if folders else "") + line.strip()
        if path.endswith("/"):
            folders[indent] = path
        elif line.strip():
            paths.add(path)
    return paths if identity in paths else set()


def ends_text_line(page: Page, closing: Tag) -> bool:
    """Whether a closing tag ends a line of text and no opening earlier on this line is its own."""
    if closing.indent is not None or not closing.fills_line:
        return False
    line = line_start(page.text, closing.start)
    unclosed = 0
    for tag in page.tags:
        if tag.name == closing.name and line < tag.tag_end <= closing.start and tag.kind != "whole":
            unclosed = max(0, unclosed + (1 if tag.kind == "opening" else -1))
    return unclosed == 0


def balanced(same: list[Tag]) -> Tag | None:
    """Find the closing that brings the depth, which is 1 after the opening, down to 0. Rule: B2."""
    depth = 1
    for tag in same:
        depth += 1 if tag.kind == "opening" else -1
        if depth == 0:
            return tag
    return None


def last_surplus(later: list[Tag], opening: Tag, match: Tag) -> Tag:
    """Go on from the balanced closing to the last of the run of closings that it stands in. Rule: B3."""
    last = match
    for tag in later[later.index(match) :]:
        if tag.kind == "opening" and (tag.name, tag.indent) == opening.key and (tag.fills_line or tag.glued):
            break
        last = tag if tag.kind == "closing" and tag.key == opening.key else last
    return last


def never_balanced(page: Page, opening: Tag, same: list[Tag]) -> Tag | None:
    """Take the first followed closing, else the first closing. Rule: B4."""
    followed = followed_closings(page, opening, same)
    return next(iter(followed + closings(same)), None)


def followed_closings(page: Page, opening: Tag, same: list[Tag]) -> list[Tag]:
    """List the closings that are followed as that of `opening` is: first those before its next number. Rule: B4."""
    followers = [(tag, follower_of(page, tag.end, tag.indent)) for tag in closings(same)]
    number = index_number(opening)
    following = [
        tag for tag, follower in followers
        if isinstance(follower, Tag) and follower.name == opening.name and index_number(follower) is not None
        and number is not None and index_number(follower) == number + 1
    ]  # fmt: skip
    return following + [tag for tag, follower in followers if follower is not None and may_follow(opening, follower)]


def may_follow(opening: Tag, follower: Tag | str | None) -> bool:
    """Whether after an element with a number comes a greater one, or something that has no number. Rule: B4."""
    number = index_number(opening)
    if number is None or not isinstance(follower, Tag):
        return True
    other = index_number(follower)
    return other > number if other is not None else follower.name != opening.name


def follower_of(page: Page, end: int, indent: str | None) -> Tag | str | None:
    """Return what follows a closing, with blanks only between: a sibling, a container's end, or the end. Rule: B4."""
    at = skip_blank(page.text, end)
    at += mark_before_tag(page.text, at)
    if at == len(page.text):
        return "end"
    if is_container_closing(page, at):
        return "container"
    return next(
        (tag for tag in page.tags if tag.start == at and tag.kind != "closing" and tag.identity is not None
         and tag.indent is not None and tag.indent == (tag.indent if indent == "any" else indent)), None,
    )  # fmt: skip


def is_container_closing(page: Page, at: int) -> bool:
    """Whether a closing tag of a name that is no element's stands at `at`, with nothing more on its line."""
    tag = re.compile(rf"</({XML_NAME})[ \t\r\n]*>").match(page.text, at)
    return tag is not None and tag[1] not in page.rules and blank_to_line_end(page.text, tag.end())


def distant_closing_is_doubtful(page: Page, opening: Tag, same: list[Tag], match: Tag) -> bool:
    """Whether a long nesting passes over a followed closing without a reason. Rule: B5."""
    inner = same[: same.index(match)]
    nested = [tag for tag in inner if tag.kind == "opening"]
    followed = next(iter(followed_closings(page, opening, same)), None)
    if len(nested) <= FEW_NESTED or followed not in inner:
        return False
    return not (
        has_wrapper(page, opening.end, nested[0], closings(inner)[-1], match)
        or has_text_between(page.text, inner)
        or is_other_bundle(opening, nested[:LOOKED_AT], same[same.index(match) :])
        or is_folder(opening, nested[:LOOKED_AT])
    )


def is_other_bundle(opening: Tag, nested: list[Tag], rest: list[Tag]) -> bool:
    """Whether the inner elements have other attributes than the outer one, which has those of the next. Rule: B5."""
    names = set(opening.attributes)
    following = next((tag for tag in rest if tag.kind == "opening"), opening)
    return all(set(tag.attributes) != names for tag in nested) and set(following.attributes) == names


def is_folder(opening: Tag, nested: list[Tag]) -> bool:
    """Whether the inner identities continue that of the outer element as a path. Rule: B5."""
    return opening.identity is not None and all(
        tag.identity is not None and tag.identity.startswith((opening.identity + "/", opening.identity + "\\"))
        for tag in nested
    )


def has_wrapper(page: Page, start: int, first: Tag, last: Tag, match: Tag) -> bool:
    """Whether a tag before the first inner element closes between the last inner closing and the match."""
    for at in range(start, first.start):
        name = re.compile(f"<({XML_NAME})(?=[ \t\r\n/>])").match(page.text, at)
        begins = at == start or indentation(page.text, at) is not None
        opening = strict_opening(page.text, name.end()) if name and begins else None
        if name is None or name[1] in page.rules or opening is None:
            continue
        closes = any(closing_end(page.text, place, name[1]) for place in range(last.end, match.start))
        if closes and not opening.self_closing and opening.end <= first.start:
            return True
    return False


def has_text_between(text: str, inner: list[Tag]) -> bool:
    """Whether text stands between an inner closing and the opening that is the next tag after it."""
    return any(
        one.kind == "closing"
        and other.kind == "opening"
        and skip_blank(text, one.end) + mark_before_tag(text, skip_blank(text, one.end)) < other.start
        for one, other in itertools.pairwise(inner)
    )


# Elements without line ends between them. Rule: B7.


def inline_style(page: Page) -> tuple[list[Found], int]:
    """Find the elements of an inline bundle; return them, and where the other rules take over."""
    opening = next((tag for tag in page.tags if begins_somewhere(tag)), None)
    containers: list[str] = []
    if opening is not None and opening.indent is None:
        line = page.text.rfind("\n", 0, opening.start) + 1
        containers, _ = open_containers(page, line, opening.start, [])
    found: list[Found] = []
    at = 0
    while opening and containers:
        end = inline_element_end(page, opening, containers)
        if end is None:
            break
        found.append(Found(opening.name, opening.start, end, opening.identity))
        at = end
        opening = next((tag for tag in page.tags if tag.start >= at and begins_somewhere(tag)), None)
        if opening and opening.start > at:
            between = page.text[at : opening.start]
            containers, others = open_containers(page, at, opening.start, containers)
            containers = [] if "\n" in between or not is_blank(others) else containers
    return found, at


def open_containers(page: Page, start: int, end: int, containers: list[str]) -> tuple[list[str], str]:
    """Pass over the containers' tags from `start` to `end`; return what is open then, and all that is no such tag."""
    containers = list(containers)
    others = ""
    at = start
    while at < end:
        tag_end = container_closing_end(page.text, at) if page.text[at] == "<" else None
        opening = container_opening(page, at) if page.text[at] == "<" else None
        if tag_end is not None and tag_end[1] <= end:
            name, at = tag_end
            if name in containers:
                del containers[len(containers) - 1 - containers[::-1].index(name) :]
        elif opening is not None and opening[1].end <= end and not opening[1].self_closing:
            containers = [*containers, opening[0]][-INNERMOST:] if opening[0] not in page.rules else containers
            at = opening[1].end
        else:
            others += page.text[at]
            at += 1
    return containers, others


def container_opening(page: Page, at: int) -> tuple[str, Opening] | None:
    """Read the opening tag of any name at `at`."""
    name = re.compile(f"<({XML_NAME})(?=[ \t\r\n>])").match(page.text, at)
    opening = strict_opening(page.text, name.end()) if name else None
    return (name[1], opening) if name and opening else None


def container_closing_end(text: str, at: int) -> tuple[str, int] | None:
    """Read the closing tag of any name at `at`; anything may stand between its name and its end."""
    closing = re.compile(f"</({XML_NAME})(?=[ \t\r\n>])[^<>]*>").match(text, at)
    return (closing[1], closing.end()) if closing else None


def opening_with_identity(page: Page, at: int) -> Tag | None:
    """Return the opening tag with an identity that stands exactly at `at`."""
    return next((tag for tag in page.tags if tag.start == at and tag.kind != "closing" and tag.identity), None)


def inline_element_end(page: Page, opening: Tag, containers: list[str]) -> int | None:
    """Return the end of an inline bundle's element: a closing followed by the next element or the container's end."""
    if opening.kind == "whole":
        return opening.end
    cdata = cdata_element_end(page.text, opening.tag_end, opening.name, first=opening.indent is not None)
    if cdata is not None:
        return cdata if any(tag.end == cdata for tag in page.tags) else None
    candidates = [tag for tag in closings(page.tags) if tag.name == opening.name and tag.start >= opening.end]
    before_opening = [tag.end for tag in candidates if opening_with_identity(page, tag.end)]
    before_container = [
        tag.end for tag in candidates
        if (closing := container_closing_end(page.text, tag.end)) and closing[0] in containers
    ]  # fmt: skip
    number = index_number(opening)
    if number is None:
        return min(before_container + before_opening, default=None)
    by_number = {
        end: index_number(other)
        for end in before_opening
        if (other := opening_with_identity(page, end)) and other.name == opening.name
    }
    following = [end for end, other in by_number.items() if other == number + 1]
    higher = [end for end, other in by_number.items() if other is not None and other > number]
    return min(following or higher, default=max(before_container, default=None))


def index_number(tag: Tag) -> int | None:
    """Return the number that the `index` of `tag` is, if it is one."""
    return whole_number(tag.index) if tag.index is not None and re.fullmatch("[0-9]+", tag.index) else None


# Elements in the gaps. Rule: B8.


def begins_somewhere(tag: Tag) -> bool:
    """Whether a tag may begin an element in a gap: it has an identity, or is the first on its line."""
    return tag.starts_element and (tag.identity is not None or tag.indent is not None)


def inline_end(page: Page, tags: list[Tag], tag: Tag) -> int | None:
    """Return where the element that `tag` begins ends, whatever its lines look like."""
    if tag.kind == "whole" or not begins_somewhere(tag):
        return tag.end if begins_somewhere(tag) else None
    cdata = cdata_element_end(page.text, tag.tag_end, tag.name, first=tag.indent is not None)
    if cdata is not None:
        return cdata
    later = [other for other in tags if other.name == tag.name and other.start >= tag.end]
    match = balanced([other for other in later if other.kind != "whole"])
    if match is None:
        return None
    rest = page.text[match.end : line_end(page.text, match.end)].strip(" \t\r")
    surplus = last_followed_at_line_end(page, later, match) if rest and not tag_at(rest, 0) else None
    return surplus.end if surplus and tag.identity is not None and tag.indent is not None else match.end


def last_followed_at_line_end(page: Page, later: list[Tag], match: Tag) -> Tag | None:
    """Return the last closing that ends its line and is followed, before the next opening first on its line."""
    last = None
    for other in later:
        if other.start >= match.end and other.kind != "closing" and other.indent is not None:
            break
        follower = follower_of(page, other.end, "any") if other.start >= match.end else None
        if other.kind == "closing" and follower not in {None, "end"} and blank_to_line_end(page.text, other.end):
            last = other
    return last


# Fences. Rule: B9.


def in_fence(page: Page, gap: int, start: int, end: int) -> bool:
    """Whether an element from `start` to `end` lies within a fence that opens after `gap`."""
    text = page.text
    lines = [at for at in line_starts(text) if at >= gap]
    while lines and lines[0] < start:
        close = fence_length(text, lines)
        if close is None or (gap == 0 and is_pasted_bundle(page, lines[0], lines[close])):
            lines = lines[1:]
        elif end <= lines[close]:
            return True
        else:
            lines = lines[close + 1 :]
    return False


def is_pasted_bundle(page: Page, start: int, close: int) -> bool:
    """Whether a fence begins the text, and holds a container's line first or ends with the last visible line."""
    text = page.text
    if not is_blank(text[:start].removeprefix(BOM)):
        return False
    first = skip_blank(text, line_end(text, start))
    opening = container_opening(page, first)
    is_container = opening is not None and opening[0] not in page.rules and not opening[1].self_closing
    if opening and is_container and blank_to_line_end(text, opening[1].end):
        return True
    return is_blank(text[line_end(text, close) :])


def fence_length(text: str, lines: list[int]) -> int | None:
    """Return after how many lines the fence that opens with the first of `lines` closes; `None` if there is none."""
    opening = re.compile(" {0,3}(`{3,}(?=[^`\n]*(?:\n|\\Z))|~{3,})").match(text, line_start(text, lines[0]))
    if opening is None:
        return None
    closing = re.compile(f" {{0,3}}{re.escape(opening[1][0])}{{{len(opening[1])},}}[ \t\r]*(?:\n|\\Z)")
    return next((n for n, at in enumerate(lines[: LONGEST_FENCE + 1]) if n > 0 and closing.match(text, at)), None)


# The text between. Rule: B11.


def with_text_between(text: str, found: list[Found]) -> list[Found]:
    """Put what lies between the elements into text blocks, unless it is blank."""
    blocks = []
    at = 0
    for element in [*found, Found("", len(text), len(text), None)]:
        between = text[at : element.start].removeprefix(BOM if at == 0 else "")
        between = between[:-1] if between and mark_before_tag(text, element.start - 1) else between
        if not is_blank(between):
            blocks.append(Found("text", at, element.start, None))
        blocks.append(element)
        at = element.end
    return blocks[:-1]


# Lines and white space.


def closings(tags: Iterable[Tag]) -> list[Tag]:
    """Keep the closing tags."""
    return [tag for tag in tags if tag.kind == "closing"]


def line_starts(text: str) -> list[int]:
    """Return the offset of every line."""
    return [0, *(newline.end() for newline in re.finditer("\n", text))]


def line_start(text: str, at: int) -> int:
    """Return where the line of `at` starts, after a byte-order mark."""
    start = text.rfind("\n", 0, at) + 1
    return start + 1 if start == 0 and text.startswith(BOM) else start


def line_end(text: str, at: int) -> int:
    """Return where the line of `at` ends, before its line feed."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def indentation(text: str, at: int) -> str | None:
    """Return the blanks before `at`, if nothing else stands before it on its line."""
    start = line_start(text, at)
    before = text[start + mark_before_tag(text, start) if at == start + 1 else start : at]
    return None if before.strip(" \t") else before


def mark_before_tag(text: str, at: int) -> bool:
    """Whether a byte-order mark stands at `at`, at the start of a line and directly before a tag. Rule: B1."""
    return text.startswith(f"{BOM}<", at) and at in line_starts(text)


def blank_to_line_end(text: str, at: int) -> bool:
    """Whether nothing but blanks stands between `at` and the end of its line."""
    return not text[at : line_end(text, at)].strip(" \t\r")


def is_blank(text: str) -> bool:
    """Whether `text` is empty or white space."""
    return not text or text.isspace()


def skip_blank(text: str, at: int) -> int:
    """Return the offset of the first character from `at` on that is no white space."""
    return skip_while(text, at, str.isspace)


def skip(text: str, at: int, characters: str) -> int:
    """Return the offset of the first character from `at` on that is none of `characters`."""
    return skip_while(text, at, lambda character: character in characters)


def skip_until(text: str, at: int, characters: str) -> int:
    """Return the offset of the first character from `at` on that is one of `characters`."""
    return skip_while(text, at, lambda character: character not in characters)


def skip_while(text: str, at: int, condition: Callable[[str], bool]) -> int:
    """Return the offset of the first character from `at` on that does not meet `condition`."""
    while at < len(text) and condition(text[at]):
        at += 1
    return at
