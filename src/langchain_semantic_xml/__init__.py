r"""Split XML-tagged text for language models without cutting its elements.

Example:
    >>> from langchain_semantic_xml import SemanticXmlSplitter
    >>> bundle = "# Files\n<file path='a.py'>\nx = 1\n</file>\n\n<file path='b.py'>\ny = 2\n</file>\n"
    >>> chunks = SemanticXmlSplitter(chunk_size=60).create_documents([bundle])
    >>> [(chunk.metadata["path"], chunk.metadata["start_line"], chunk.metadata["end_line"]) for chunk in chunks]
    [('a.py', 1, 4), ('b.py', 6, 8)]
"""

from importlib.metadata import PackageNotFoundError, version

from langchain_semantic_xml.boundaries import has_semantic_elements, iter_blocks, parse_blocks, unknown_elements
from langchain_semantic_xml.context import ContextPacker, cite
from langchain_semantic_xml.display import ChunkView, show_chunks
from langchain_semantic_xml.errors import OversizedBlockError, UnreadableFileError
from langchain_semantic_xml.loaders import SemanticXmlBlobParser, SemanticXmlLoader, SourceTreeLoader
from langchain_semantic_xml.sections import SectionBuilder, section_blocks
from langchain_semantic_xml.splitter import SemanticXmlSplitter
from langchain_semantic_xml.values import Block, ElementRule, Section, UnknownElement

__all__ = [
    "Block",
    "ChunkView",
    "ContextPacker",
    "ElementRule",
    "OversizedBlockError",
    "Section",
    "SectionBuilder",
    "SemanticXmlBlobParser",
    "SemanticXmlLoader",
    "SemanticXmlSplitter",
    "SourceTreeLoader",
    "UnknownElement",
    "UnreadableFileError",
    "cite",
    "has_semantic_elements",
    "iter_blocks",
    "parse_blocks",
    "section_blocks",
    "show_chunks",
    "unknown_elements",
]

try:
    __version__ = version("langchain-semantic-xml")
except PackageNotFoundError:  # the folder alone was copied, for example to the workers of a cluster
    __version__ = "unknown"
