"""`to_nodes`: chunks → nodes of LlamaIndex, with nothing lost on the way.

Knows the classes of LlamaIndex and the keys of a chunk's metadata; nothing of splitting. Needs the extra `llama-index`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from langchain_core.documents import Document

from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.checks import check_instance, check_several

if TYPE_CHECKING:
    from llama_index.core.schema import TextNode


def to_nodes(chunks: Iterable[Document]) -> list[TextNode]:
    """Make a node of LlamaIndex of each chunk.

    A node has the text, the metadata and the id of its chunk, and its span in the source as `start_char_idx` and
    `end_char_idx`. It refers to its source, and to the chunks before and after it in the same source.

    No metadata are embedded: the text that the embedding model gets is the text that the splitter measured. LlamaIndex
    would otherwise put all metadata before it, and a chunk might not fit the model.

    The source of a chunk is its `parent_id`, the id of the Document that it was cut from; if that had no id, its
    `source`. So `index.delete_ref_doc(source)` deletes all chunks of a source.

    Args:
        chunks: The chunks, in order; those of one source follow one another.

    Returns:
        A node for each chunk, in order. A chunk without an id gets a random one.

    Raises:
        ImportError: If llama-index-core is not installed.
        TypeError: If `chunks` holds something other than Documents.

    Example:
        Chunks go into an index::

            from llama_index.core import VectorStoreIndex
            from langchain_semantic_xml import SemanticXmlSplitter
            from langchain_semantic_xml.llama_index import to_nodes

            splitter = SemanticXmlSplitter(1500, deterministic_ids=True)
            chunks = splitter.create_documents([text], [{"source": "bundle.xml"}])
            index = VectorStoreIndex(to_nodes(chunks))

    Rule: M3.
    """
    try:
        from llama_index.core.schema import NodeRelationship  # noqa: PLC0415 - only this function needs it
    except ImportError as error:
        msg = 'nodes need llama-index-core: pip install "langchain-semantic-xml[llama-index]"'
        raise ImportError(msg) from error
    remedy = "pass the chunks of split_documents() or create_documents()"
    nodes = [
        _make_node(check_instance(f"chunks[{position}]", chunk, Document, remedy))
        for position, chunk in enumerate(check_several("chunks", chunks, Document))
    ]
    for node, following in pairwise(nodes):
        if node.ref_doc_id == following.ref_doc_id:
            node.relationships[NodeRelationship.NEXT] = following.as_related_node_info()
            following.relationships[NodeRelationship.PREVIOUS] = node.as_related_node_info()
    return nodes


def _make_node(chunk: Document) -> TextNode:
    from llama_index.core.schema import NodeRelationship, ObjectType, RelatedNodeInfo, TextNode  # noqa: PLC0415

    node = TextNode(
        text=chunk.page_content,
        metadata=chunk.metadata,
        excluded_embed_metadata_keys=list(chunk.metadata),
        start_char_idx=_read_offset(chunk, "start_index"),
        end_char_idx=_read_offset(chunk, "end_index"),
    )
    if chunk.id is not None:
        node.id_ = chunk.id
    parent = read_value(chunk.metadata, "parent_id")
    source = chunk.metadata.get("source") if parent is None else parent
    if source is not None:
        node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(
            node_id=str(source), node_type=ObjectType.DOCUMENT
        )
    return node


def _read_offset(chunk: Document, key: str) -> int | None:
    value = read_value(chunk.metadata, key)
    return value if isinstance(value, int) else None
