"""Which tree-sitter grammar a language has, and which of its node types define something: data, for `syntax`.

The names of the node types are those of the grammars' own `node-types.json`.
"""

from __future__ import annotations

from typing import NamedTuple

from langchain_semantic_xml._parts.languages import language_of, names_of


class NodeTypes(NamedTuple):
    """A tree-sitter grammar, and which of its node types are definitions and bodies.

    Args:
        package: The distribution of the grammar; its module has the same name with underscores.
        maker: The function of the module that returns the grammar.
        definitions: The types of nodes that define something with a body.
        bodies: The types of nodes whose children are statements or members.
    """

    package: str
    maker: str
    definitions: frozenset[str]
    bodies: frozenset[str]


WRAPPERS = frozenset(["ambient_declaration", "decorated_definition", "export_statement", "template_declaration"])
"""Node types that a definition may stand in; their lines belong to it."""
ATTACHED = frozenset(
    ["comment", "line_comment", "block_comment", "attribute_item", "inner_attribute_item", "decorator", "annotation"]
)
"""Node types that belong to the node on the next line."""
FUNCTION_VALUES = frozenset(
    ["arrow_function", "class", "function", "function_expression", "generator_function"],
)
"""Node types of values that make a binding a definition."""
BINDINGS = frozenset(
    ["variable_declarator", "assignment_expression", "pair", "field_definition", "public_field_definition"]
)
"""Node types that define something only if their value is a function or a class."""


def _node_types(package: str, definitions: str, bodies: str, maker: str = "language") -> NodeTypes:
    return NodeTypes(package, maker, frozenset(definitions.split()), frozenset(bodies.split()))


_SCRIPT_DEFINITIONS = (
    "class_declaration function_declaration generator_function_declaration method_definition variable_declarator "
    "assignment_expression pair field_definition public_field_definition"
)
_SCRIPT_BODIES = "program statement_block class_body switch_body switch_case switch_default object array arguments"
_TYPED_DEFINITIONS = (
    f"{_SCRIPT_DEFINITIONS} abstract_class_declaration enum_declaration interface_declaration internal_module module "
    "type_alias_declaration"
)
_TYPED_BODIES = f"{_SCRIPT_BODIES} interface_body enum_body object_type"
_C_DEFINITIONS = "function_definition struct_specifier union_specifier enum_specifier"
_C_BODIES = (
    "translation_unit compound_statement field_declaration_list enumerator_list declaration_list case_statement "
    "preproc_if preproc_ifdef preproc_else"
)

_NODE_TYPES: dict[str, NodeTypes] = {
    "c": _node_types("tree-sitter-c", _C_DEFINITIONS, _C_BODIES),
    "cpp": _node_types("tree-sitter-cpp", f"{_C_DEFINITIONS} class_specifier namespace_definition", _C_BODIES),
    "go": _node_types(
        "tree-sitter-go",
        "function_declaration method_declaration type_declaration",
        "source_file block statement_list field_declaration_list interface_type expression_case type_case "
        "literal_value",
    ),
    "java": _node_types(
        "tree-sitter-java",
        "annotation_type_declaration class_declaration compact_constructor_declaration constructor_declaration "
        "enum_declaration interface_declaration method_declaration record_declaration",
        "program block class_body constructor_body enum_body enum_body_declarations interface_body "
        "annotation_type_body switch_block switch_block_statement_group",
    ),
    "js": _node_types("tree-sitter-javascript", _SCRIPT_DEFINITIONS, _SCRIPT_BODIES),
    "python": _node_types(
        "tree-sitter-python", "class_definition function_definition", "module block dictionary list argument_list"
    ),
    "ruby": _node_types(
        "tree-sitter-ruby",
        "class method module singleton_class singleton_method",
        "program body_statement block_body then else do ensure hash array",
    ),
    "rust": _node_types(
        "tree-sitter-rust",
        "enum_item function_item impl_item macro_definition mod_item struct_item trait_item union_item",
        "source_file block declaration_list enum_variant_list field_declaration_list match_block",
    ),
    "ts": _node_types("tree-sitter-typescript", _TYPED_DEFINITIONS, _TYPED_BODIES, "language_typescript"),
    "tsx": _node_types("tree-sitter-typescript", _TYPED_DEFINITIONS, _TYPED_BODIES, "language_tsx"),
}
_TSX = ("tsx", "typescriptreact")


def node_types_for(language: str | None, identity: str | None) -> NodeTypes | None:
    """Return the node types of an element's content; `None` if it names no language, or one without a grammar.

    Args:
        language: The value of the element's `language` attribute, if it has one.
        identity: The element's identity; the suffix of a path names the language if `language` does not.

    Example:
        >>> node_types_for(None, "src/app.tsx").maker, node_types_for("ruby", None).package
        ('language_tsx', 'tree-sitter-ruby')
        >>> node_types_for(None, "notes.md") is None
        True
    """
    name = language_of(language, identity)
    if name == "ts":
        said, suffix = names_of(language, identity)
        name = "tsx" if said in _TSX or (suffix in _TSX and said not in ("ts", "typescript")) else "ts"
    return _NODE_TYPES.get(name)
