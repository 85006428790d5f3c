"""The known formats as data: which elements bundling tools write, and where each holds its identity and body.

Knows names only; the form of a tag is the business of `tags`, the end of an element that of `finder`.
"""

from __future__ import annotations

from collections.abc import Iterable

from langchain_semantic_xml.errors import OptionTypeError, OptionValueError
from langchain_semantic_xml.typing import Elements
from langchain_semantic_xml.values import ElementRule

DEFAULT_RULES: tuple[ElementRule, ...] = (
    # ace-bundle, repomix, agent tools such as read_file
    ElementRule("file", identity=("path", "name", "src", "filename"), identity_children=("path",)),
    # command outputs in ace-bundle and agent transcripts
    ElementRule("output", identity=("command", "name", "cmd")),
    # files-to-prompt --cxml, toolslm, prompts in the manner of Anthropic's long-context advice
    ElementRule(
        "document",
        identity=("path", "name"),
        identity_children=("source", "src"),
        body=("document_content", "document-content", "document_contents"),
        fallback=("index",),
    ),
    ElementRule("command", identity=("name",)),
    ElementRule("diff", identity=("range",)),
    # editing agents' transcripts
    ElementRule("file_content", identity=("path", "file")),
    ElementRule("final_file_content", identity=("path", "file")),
    ElementRule("attachment", identity=("filePath", "folderPath", "id")),
    # llms_txt2ctx
    ElementRule("doc", identity=("title", "url", "path"), bare=False),
    # Cursor
    ElementRule("code_selection", identity=("path",), bare=False),
    ElementRule("file_contents", identity=("path",), bare=False),
    # the app builders Dyad, Lovable and bolt
    ElementRule("dyad-write", identity=("path",), bare=False),
    ElementRule("dyad-file", identity=("path",), bare=False),
    ElementRule("lov-write", identity=("file_path",), bare=False),
    ElementRule("boltAction", identity=("filePath",), bare=False),
    # tool calls of Cline and Roo
    *(
        ElementRule(name, identity=(), identity_children=("path",), body=("content", "diff"), bare=False)
        for name in ("write_to_file", "read_file", "replace_in_file", "apply_diff")
    ),
)
_DEFAULT_BY_NAME = {rule.name: rule for rule in DEFAULT_RULES}


def resolve_elements(elements: Elements | None) -> tuple[ElementRule, ...]:
    """Turn the option `elements` into rules, one for each name.

    Args:
        elements: Names or `ElementRule`s; `None` means the default rules. A name among the default rules takes its
            default rule, any other gets the identity attributes of an `ElementRule` without more.

    Raises:
        TypeError: If `elements` is a bare string, no iterable, or holds a value that is neither a name nor a rule.
        ValueError: If a name is not an XML Name, or has two different rules.

    Example:
        >>> [rule.identity for rule in resolve_elements(["output", "page"])]
        [('command', 'name', 'cmd'), ('path', 'file_path', 'filePath', 'file', 'name', 'title', 'url', 'href', 'id')]
    """
    if elements is None:
        return DEFAULT_RULES
    if isinstance(elements, (str, bytes, ElementRule)) or not isinstance(elements, Iterable):
        problem = f"must be an iterable of names or ElementRules, such as [{elements!r}]"
        raise OptionTypeError("elements", elements, problem)
    rules: dict[str, ElementRule] = {}
    for element in elements:
        rule = element if isinstance(element, ElementRule) else _rule_of_name(element)
        if rules.setdefault(rule.name, rule) != rule:
            problem = f"{rule.name!r} has two different rules"
            raise OptionValueError("elements", rule, problem, "keep one of them", is_item=True)
    return tuple(rules.values())


def _rule_of_name(name: object) -> ElementRule:
    if not isinstance(name, str):
        problem = f"{name!r} must be a name or an ElementRule, not {type(name).__name__}"
        raise OptionTypeError("elements", name, problem, is_item=True)
    return _DEFAULT_BY_NAME.get(name) or ElementRule(name)
