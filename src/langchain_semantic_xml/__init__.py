"""x."""
from langchain_semantic_xml.boundaries import has_semantic_elements, iter_blocks, parse_blocks
from langchain_semantic_xml.spans import Block, ElementRule, Section
