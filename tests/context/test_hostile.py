"""Texts and metadata of strangers: nothing raises, and no text leaves its element."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.documents import Document

from langchain_semantic_xml import ContextPacker, SemanticXmlSplitter, parse_blocks

NAMES = ("file", "document", "file_content", "final_file_content", "dyad-file", "output")
TAGS = [
    *(f"</{name}>" for name in NAMES),
    *(f'<{name} path="p.py">' for name in NAMES),
    *(f"<{name}>" for name in NAMES),
    *("<![CDATA[", "]]>", "<path>q</path>", "<source>", "</source>", "<document_content>", "</document_content>"),
    *(
        "<files>",
        "</files>",
        "```",
        "<directory_structure>",
        "</directory_structure>",
        "<file",
        "</file",
        '"',
        "\ufeff",
    ),
]
texts = st.lists(st.sampled_from([*TAGS, "\n", "\n", "\n\n", " ", "  ", "a", "text", "\r\n"]), max_size=14).map("".join)
KEYS = (
    *("start_index", "end_index", "start_line", "end_line", "content_start_line", "content_end_line", "part", "parts"),
    *("block_type", "block_types", "identity", "scope", "symbols", "source", "path", "chunk_start_index", "parent_id"),
    *("score", "rank", "head"),
)
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 30),
    st.sampled_from(["file", "text", "document", "a.py", "", "<", "x y", "\n"]),
    st.lists(st.sampled_from(["file", "text", "a b", "document", ""]), max_size=3),
    st.floats(allow_nan=False),
    st.just({"a": [1]}),
)
strange_documents = st.builds(
    lambda text, metadata: Document(text, metadata=metadata),
    texts,
    st.dictionaries(st.sampled_from(KEYS), values, max_size=9),
)


@given(st.lists(texts.filter(lambda text: text.strip("\n\r \ufeff")), min_size=1, max_size=4))
@example(["<file", 'path="x">', "</file>"])
def test_each_text_is_an_element_of_the_prompt_and_no_text_leaves_its_own(contents: list[str]) -> None:
    """Rule: L9."""
    documents = [Document(text, metadata={"path": f"f{number}.py"}) for number, text in enumerate(contents)]
    prompt = ContextPacker(100_000).format(documents)
    blocks = parse_blocks(prompt)
    assert [block.identity for block in blocks] == [f"f{number}.py" for number in range(len(contents))]
    for block, text in zip(blocks, contents, strict=True):
        inner = block.content[block.content.index(">\n") + 2 : block.content.rindex("\n</")]
        assert inner.replace("&lt;", "<") == text


@given(st.lists(strange_documents, max_size=6), st.booleans(), st.integers(1, 400))
def test_no_metadata_and_no_text_raises(documents: list[Document], neighbours: bool, budget: int) -> None:
    """Rule: L6, L9."""
    for sources in (None, {"a.py": "text a text\n", "file": '<file path="a.py">\ntext\n</file>'}):
        packer = ContextPacker(budget, sources=sources, neighbours=neighbours)
        packed = packer.transform_documents(documents)
        assert len(packer.format(packed)) <= budget


@given(texts, st.integers(10, 60), st.booleans(), st.randoms(use_true_random=False))
def test_chunks_of_any_text_are_stretches_of_it(text: str, size: int, given_source: bool, random: object) -> None:
    """Rule: L6, L9."""
    chunks = SemanticXmlSplitter(size).create_documents([text], [{"source": "s"}])
    random.shuffle(chunks)  # type: ignore[attr-defined]  # Hypothesis hides the type of its random numbers
    packed = ContextPacker(100_000, sources={"s": text} if given_source else None).transform_documents(chunks)
    placed = [one.metadata for one in packed if one.metadata["start_index"] is not None]
    if given_source:
        assert [text[one.metadata["start_index"] : one.metadata["end_index"]] for one in packed] == [
            one.page_content for one in packed
        ]
    spans = sorted((one["start_index"], one["end_index"]) for one in placed)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
