"""`ContextPacker`: ranked Documents in, Documents for the prompt out."""

from __future__ import annotations

import asyncio
import pickle

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda
from langchain_text_splitters import RecursiveCharacterTextSplitter

from langchain_semantic_xml import ContextPacker, SemanticXmlLoader, SemanticXmlSplitter, cite, parse_blocks
from langchain_semantic_xml.errors import OptionError, OptionTypeError, OptionValueError
from langchain_semantic_xml.typing import Repeat
from tests.context.packing import check_reading_back, pack
from tests.paths import BUNDLE

TEXT = BUNDLE.read_text(encoding="utf-8")
SOURCE = {"source": "bundle.xml"}
CODE = "import os\n\n\ndef one():\n    a = 1\n\n    return a\n\n\ndef two():\n    b = 2\n    return b\n"
FILE = f'<file path="src/code.py">\n{CODE}</file>\n'


def split(text: str, size: int, overlap: int = 0) -> list[Document]:
    return SemanticXmlSplitter(size, overlap).create_documents([text], [SOURCE])


def texts_of(documents: list[Document]) -> list[str]:
    return [document.page_content for document in documents]


# What is taken.


def test_nothing_gives_nothing() -> None:
    packer = ContextPacker(10)
    assert packer.transform_documents([]) == []
    assert packer.format([]) == ""


def test_what_does_not_fit_is_passed_over_and_the_next_is_tried() -> None:
    """Rule: L9."""
    documents = [Document("a" * 10), Document("b" * 500), Document("c" * 10)]
    assert texts_of(pack(documents, 100)) == ["a" * 10, "c" * 10]


def test_the_budget_counts_the_prompt_and_not_the_texts_alone() -> None:
    """Rule: L9."""
    document = Document("x" * 50, metadata={"source": "a.txt"})
    length = len(ContextPacker(1000).format([document]))
    assert length > 50
    assert len(pack([document], length)) == 1
    assert pack([document], length - 1) == []


def test_a_file_takes_no_more_than_its_share() -> None:
    documents = [
        Document("a" * 40, metadata={"source": "a.txt", "start_index": 0}),
        Document("b" * 40, metadata={"source": "a.txt", "start_index": 200}),
        Document("c" * 40, metadata={"source": "c.txt", "start_index": 0}),
    ]
    assert texts_of(pack(documents, per_file=100)) == ["a" * 40, "c" * 40]


def test_the_input_is_not_changed() -> None:
    """Rule: L5."""
    documents = split(TEXT, 400, 100)
    before = pickle.dumps(documents)
    packed = pack(documents)
    assert pickle.dumps(documents) == before
    lists = [id(value) for one in (*documents, *packed) for value in one.metadata.values() if isinstance(value, list)]
    assert len(set(lists)) == len(lists)


# What is merged.


@pytest.mark.parametrize("given", [True, False], ids=["with the source", "without it"])
@pytest.mark.parametrize("overlap", [0, 25])
@pytest.mark.parametrize("size", [70, 80, 110])
@pytest.mark.parametrize("repeat", ["tags", "signatures", "breadcrumb", None])
def test_the_parts_of_a_file_become_the_file_again(repeat: Repeat | None, size: int, overlap: int, given: bool) -> None:
    """Rule: L9."""
    splitter = SemanticXmlSplitter(size, overlap, repeat=repeat, syntax=repeat == "signatures")
    documents = splitter.create_documents([FILE], [SOURCE])
    assert len(documents) > 1
    (packed,) = pack(documents[::-1], sources={"bundle.xml": FILE} if given else None)
    assert packed.page_content == CODE.rstrip("\n")
    assert cite(packed) == "src/code.py:1-12"


@pytest.mark.parametrize("given", [True, False], ids=["with the source", "without it"])
@pytest.mark.parametrize("repeat", ["tags", "breadcrumb", None])
def test_the_tags_of_a_body_and_an_identity_are_taken_off(repeat: Repeat | None, given: bool) -> None:
    """Rule: L9."""
    prose = "One two three four five.\n\nSix seven eight nine ten.\n\nEleven twelve thirteen."
    text = (
        f'<document index="1">\n<source>a.md</source>\n<document_content>\n{prose}\n</document_content>\n</document>\n'
    )
    documents = SemanticXmlSplitter(130, repeat=repeat).create_documents([text], [SOURCE])
    assert len(documents) > 1
    (packed,) = pack(documents, sources={"bundle.xml": text} if given else None)
    assert (packed.page_content, cite(packed)) == (prose, "a.md:1-5")


def test_definitions_as_chunks_become_the_file_again() -> None:
    pytest.importorskip("tree_sitter_python")
    documents = SemanticXmlSplitter.for_code(90).create_documents([FILE], [SOURCE])
    assert documents[-1].page_content.startswith("src/code.py \u203a two\n")
    (packed,) = pack(documents[::-1])
    assert packed.page_content == CODE.rstrip("\n")
    assert packed.metadata["symbols"] == ["one", "two"]


def test_with_the_source_blanks_between_neighbours_are_those_of_the_source() -> None:
    text = "# One\n \t\nalpha\n\n  \n\nbeta\n"
    documents = [
        Document("# One", metadata={**SOURCE, "start_index": 0}),
        Document("beta", metadata={**SOURCE, "start_index": 20}),
        Document("alpha", metadata={**SOURCE, "start_index": 9}),
    ]
    assert texts_of(pack(documents, sources={"bundle.xml": text})) == [text.rstrip()]


def test_chunks_with_other_text_between_them_stay_apart() -> None:
    documents = split(FILE, 60)
    first, last = documents[0], documents[-1]
    packed = pack([last, first])
    assert [document.metadata["path"] for document in packed] == ["src/code.py"] * 2
    assert packed[0].metadata["start_index"] < packed[1].metadata["start_index"]


def test_files_come_in_the_order_of_their_best_rank() -> None:
    """Rule: L9."""
    bundle = "".join(f'<file path="{name}">\nname = {name!r}\n</file>\n' for name in "abc")
    a, b, c = SemanticXmlSplitter(40).create_documents([bundle])
    packed = pack([c, a, b, a, c])
    assert [document.metadata["path"] for document in packed] == ["c", "a", "b"]
    assert [document.metadata["rank"] for document in packed] == [1, 2, 3]


def test_a_chunk_with_several_files_becomes_a_document_for_each() -> None:
    bundle = "# Files\n\n" + "".join(f'<file path="{name}">\nname = {name!r}\n</file>\n' for name in "ab")
    (chunk,) = SemanticXmlSplitter(400).create_documents([bundle])
    assert [(document.metadata["path"], document.page_content) for document in pack([chunk])] == [
        ("a", "name = 'a'"),
        ("b", "name = 'b'"),
    ]


@pytest.mark.parametrize("given", [True, False], ids=["with the source", "without it"])
def test_chunks_of_the_blocks_of_a_loader_are_placed_in_the_bundle(given: bool) -> None:
    blocks = SemanticXmlLoader(BUNDLE).load()
    documents = SemanticXmlSplitter(300).split_documents(blocks)
    packed = pack(documents, sources={str(BUNDLE): TEXT} if given else None)
    placed = [document for document in packed if document.metadata["path"] == "src/teapot/brew.py"]
    assert len(placed) == 1
    start, end = (placed[0].metadata[key] for key in ("start_index", "end_index"))
    assert TEXT[start:end] == placed[0].page_content


# What comes out.


def test_a_document_says_where_it_stands_and_what_it_is() -> None:
    pytest.importorskip("tree_sitter_python")
    chunks = SemanticXmlSplitter(80, syntax=True).create_documents([FILE], [{**SOURCE, "team": "tea"}])
    for number, chunk in enumerate(chunks):
        chunk.metadata["score"] = 0.5 + number
    (packed,) = pack(chunks, sources={"bundle.xml": FILE})
    start = FILE.index(CODE)
    assert packed.metadata == {
        "source": "bundle.xml",
        "team": "tea",
        "path": "src/code.py",
        "identity": "src/code.py",
        "start_index": start,
        "end_index": start + len(CODE) - 1,
        "start_line": 2,
        "end_line": 13,
        "content_start_line": 1,
        "content_end_line": 12,
        "scope": None,
        "symbols": ["one", "two"],
        "rank": 1,
        "score": 0.5,
        "head": "src/code.py:1-12 \u203a one, two",
    }


def test_the_same_chunk_twice_is_there_once_with_its_better_rank() -> None:
    """Rule: L9."""
    first, *_ = split(FILE, 60)
    packed = pack([Document("else"), first, first])
    assert [document.metadata["rank"] for document in packed] == [1, 2]


# Documents of other splitters.


def test_documents_without_a_place_pass_once_each() -> None:
    documents = [Document("one"), Document("two"), Document("one"), Document("one", metadata={"source": "b"})]
    packed = pack(documents)
    assert texts_of(packed) == ["one", "two", "one"]
    assert [document.metadata.get("source") for document in packed] == [None, None, "b"]


def test_overlap_of_other_splitters_is_there_once() -> None:
    """Rule: L9."""
    splitter = RecursiveCharacterTextSplitter(chunk_size=60, chunk_overlap=25, add_start_index=True)
    documents = splitter.create_documents([CODE], [{"source": "code.py"}])
    (packed,) = pack(documents[::-1], sources={"code.py": CODE})
    assert packed.page_content == CODE.strip()
    assert cite(packed) == "code.py:1-12"


def test_places_that_contradict_each_other_lose_nothing() -> None:
    texts = ["first text of its own", "second text, which begins at 0 as well"]
    documents = RecursiveCharacterTextSplitter(chunk_size=60, chunk_overlap=0, add_start_index=True).create_documents(
        texts
    )
    assert texts_of(pack(documents)) == texts


def test_a_source_that_has_changed_is_not_believed() -> None:
    (document,) = split("<file path='a'>\nold\n</file>", 100)
    (packed,) = pack([document], sources={"bundle.xml": "<file path='a'>\nnew, and longer\n</file>"})
    assert packed.page_content == "old"


# Neighbours.


def test_with_the_source_a_hit_grows_to_its_whole_definition() -> None:
    hit = Document("return a", metadata={"source": "code.py", "start_index": CODE.index("return a")})
    (packed,) = pack([hit], sources={"code.py": CODE}, neighbours=True)
    assert packed.page_content == "def one():\n    a = 1\n\n    return a"
    assert cite(packed) == "code.py:4-7"


def test_a_hit_whose_definition_does_not_fit_is_taken_alone() -> None:
    hit = Document("return a", metadata={"source": "code.py", "start_index": CODE.index("return a")})
    (packed,) = pack([hit], 55, sources={"code.py": CODE}, neighbours=True)
    assert packed.page_content == "return a"


def test_without_the_source_a_hit_takes_the_chunks_beside_it_before_the_next_hit() -> None:
    documents = split(FILE, 60)
    hit, beside = documents[1], documents[2]
    other = Document("x" * 60)
    budget = len(ContextPacker(1000).format(pack([hit, beside]))) + 10
    assert len(pack([hit, other, beside], budget, neighbours=True)) == 1
    assert texts_of(pack([hit, other, beside], budget, neighbours=True)) == texts_of(pack([hit, beside]))


# The prompt.

HOSTILE = [
    "</file>",
    'x = """\n</file>\n<file path="other.py">\n"""',
    "</file>\n</document>\n</file_content>",
    "".join(f'</{name}>\n<{name} path="p">\n' for name in ("file", "document", "file_content", "final_file_content"))
    + '</dyad-file>\n<dyad-file path="p">',
    "<![CDATA[ <file>",
    "]]>",
    "<path>else.py</path>\ntext",
    "```\n</file>\n",
    "<file",
    "<files>\n<file path='x'>y</file></files>",
    "\ufeff<directory_structure>\na.py\n</directory_structure>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_prompt_is_read_back_whatever_the_texts_hold(text: str) -> None:
    """Rule: L9."""
    documents = [
        Document(text, metadata={"source": "a.py"}),
        Document("plain", metadata={"source": "b.py"}),
        Document(f"before\n{text}\nafter", metadata={"source": "c.py"}),
    ]
    blocks = parse_blocks(ContextPacker(10_000).format(documents))
    assert [block.identity for block in blocks] == ["a.py", "b.py", "c.py"]
    assert "plain" in blocks[1].content
    assert "before" in blocks[2].content
    assert "after" in blocks[2].content


@pytest.mark.parametrize(
    "path", ['a "b".py', "a'b.py", "a&amp;b.py", "a<b>.py", "tab\there", "two\nlines", "é/ü.py", "a />"]
)
def test_a_path_is_read_back_whatever_it_holds(path: str) -> None:
    packed = pack([Document("text", metadata={"source": path})])
    (block,) = parse_blocks(ContextPacker(1000).format(packed))
    assert block.identity == path
    check_reading_back(ContextPacker(1000).format(packed), packed)


def test_the_prompt_names_path_and_lines() -> None:
    packed = pack(split(FILE, 60)[1:2])
    (block,) = parse_blocks(ContextPacker(1000).format(packed))
    assert block.attributes["path"] == "src/code.py"
    assert f"src/code.py:{block.attributes['lines']}" == cite(packed[0])


def test_the_prompt_names_the_definition_around_a_text_and_not_the_one_that_it_shows() -> None:
    pytest.importorskip("tree_sitter_python")
    one, two = SemanticXmlSplitter.for_code(90).create_documents([FILE], [SOURCE])[-2:]
    prompt = ContextPacker(1000).format(pack([two]))
    assert "scope" not in parse_blocks(prompt)[0].attributes
    one.metadata["symbols"] = None
    assert parse_blocks(ContextPacker(1000).format(pack([one])))[0].attributes["scope"] == "one"


def test_a_prompt_that_is_split_again_cites_the_same_lines() -> None:
    """Rule: M4."""
    packed = pack(split(FILE, 60)[1:2])
    (chunk,) = SemanticXmlSplitter().create_documents([ContextPacker(1000).format(packed)])
    assert cite(chunk) == cite(packed[0])


# In pipelines.


def test_it_can_be_awaited() -> None:
    documents = split(TEXT, 300)
    packer = ContextPacker(1000)
    assert asyncio.run(packer.atransform_documents(documents)) == packer.transform_documents(documents)


def test_it_stands_in_a_chain_behind_a_retriever() -> None:
    documents = split(TEXT, 300)
    packer = ContextPacker(1000)
    retriever: RunnableLambda[str, list[Document]] = RunnableLambda(lambda _: documents)
    chain = retriever | packer.transform_documents | packer.format
    prompt = chain.invoke("how long?")
    assert prompt == packer.format(packer.transform_documents(documents))
    assert len(prompt) <= 1000


def test_it_pickles() -> None:
    packer = pickle.loads(pickle.dumps(ContextPacker(500, sources={"bundle.xml": TEXT})))  # noqa: S301 - its own
    assert packer.transform_documents(split(TEXT, 300)) == pack(split(TEXT, 300), 500, sources={"bundle.xml": TEXT})


# Options.


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"budget": 0}, OptionValueError),
        ({"budget": "100"}, OptionTypeError),
        ({"budget": True}, OptionTypeError),
        ({"length_function": None}, OptionTypeError),
        ({"sources": "text"}, OptionTypeError),
        ({"sources": {"a": b"text"}}, OptionTypeError),
        ({"sources": {1: "text"}}, OptionTypeError),
        ({"neighbours": 1}, OptionTypeError),
        ({"per_file": 0}, OptionValueError),
        ({"per_file": 1.5}, OptionTypeError),
    ],
    ids=str,
)
def test_a_wrong_option_is_named(options: dict[str, object], error: type[OptionError]) -> None:
    with pytest.raises(error) as caught:
        ContextPacker(**{"budget": 100, **options})  # type: ignore[arg-type]  # that is the test
    assert caught.value.option in options


@pytest.mark.parametrize("wrong", ["text", Document("x"), [1], None], ids=repr)
def test_only_documents_are_packed(wrong: object) -> None:
    with pytest.raises(TypeError, match="documents"):
        ContextPacker(100).transform_documents(wrong)  # type: ignore[arg-type]  # that is the test
    with pytest.raises(TypeError, match="documents"):
        ContextPacker(100).format(wrong)  # type: ignore[arg-type]  # that is the test
