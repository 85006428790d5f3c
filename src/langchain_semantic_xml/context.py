"""What goes with chunks into a prompt: which of them, merged, as one string; and the citation of a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from langchain_core.documents import BaseDocumentTransformer, Document
from typing_extensions import override

from langchain_semantic_xml._context.prompt import format_documents
from langchain_semantic_xml._context.selection import Packing
from langchain_semantic_xml._documents.address import NAMING_KEYS, read_content_lines
from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.checks import (
    check_budget,
    check_flag,
    check_instance,
    check_length_function,
    check_per_file,
    check_several,
    check_sources,
)
from langchain_semantic_xml._text.rulers import Ruler
from langchain_semantic_xml.typing import LengthFunction

_SAFE_IN_LINKS = "/:@!$&'()*+,;=~"


def cite(document: Document, *, link: bool = False) -> str:
    r"""Return where the content of a chunk stands in its file, such as `src/app.py:12-30`.

    A chunk without content lines (text between elements, several elements, compressed content) is cited by the
    identities of its elements, else by its source.

    Args:
        document: A Document of this package's splitter or loader.
        link: Whether the citation is a link as code hosts understand it, `src/app.py#L12-L30`, with characters escaped
            that have a meaning in links.

    Returns:
        The citation; `""` if the metadata of the document name nothing.

    Raises:
        TypeError: If `document` is not a Document, or `link` not a `bool`.

    Example:
        >>> from langchain_semantic_xml import SemanticXmlSplitter
        >>> text = '<file path="src/app.py">\nx = 1\ny = 2\n</file>'
        >>> chunk, = SemanticXmlSplitter().create_documents([text])
        >>> cite(chunk), cite(chunk, link=True)
        ('src/app.py:1-2', 'src/app.py#L1-L2')

    Rule: M4.
    """
    check_instance("document", document, Document, "take one that the splitter made")
    check_flag("link", link)
    lines = read_content_lines(document.metadata)
    name = _name_content(document) if lines else _name_source(document)
    if link:
        name = quote(name, safe=_SAFE_IN_LINKS, errors="surrogatepass")
    if lines is None:
        return name
    first, last = lines
    return f"{name}#L{first}-L{last}" if link else f"{name}:{first}-{last}"


def _name_content(document: Document) -> str:
    """Return the file whose content a chunk holds."""
    identity = read_value(document.metadata, "identity")
    if isinstance(identity, str):
        return identity
    names = (document.metadata.get(key) for key in NAMING_KEYS)
    return next((name for name in names if isinstance(name, str) and name), "")


def _name_source(document: Document) -> str:
    """Return the elements that a chunk holds, else its source."""
    identities = read_value(document.metadata, "identities")
    if isinstance(identities, list):
        return ", ".join(str(identity) for identity in identities)
    source = document.metadata.get("source")
    return source if isinstance(source, str) else ""


class ContextPacker(BaseDocumentTransformer):
    r"""Choose from ranked Documents what goes into a prompt, and put neighbours of one file together.

    The Documents are taken in the order of their rank while the whole fits into the budget; one that does not fit is
    passed over, and the next is tried. Neighbours of one file become one Document of one contiguous stretch: overlap is
    there once, repeated tags, signatures and breadcrumbs are not there, nor the tags of the file's element. Files come
    in the order of their best rank, stretches of one file in the order of the file.

    A Document that comes out has the text of its stretch, and in its metadata what its chunks have in common, and
    `path`, the span and the lines under the keys of the splitter, `symbols` and `scope` if they are known, `rank` (the
    best rank, from 1), `score` (that of the best rank, if it has one) and `head`, one line that names it all.

    Documents of any splitter are taken. Those without a place in their metadata pass as they are, each text once.

    Args:
        budget: The most that `length_function(packer.format(documents))` may be.
        length_function: Any function from `str` to `int`, additive or not.
        sources: The texts that the Documents were cut from, by the names in their metadata (`source`, or the names of
            files). Spans, lines and the blanks between neighbours are then exact.
        neighbours: Whether a Document is taken with what stands around it, if that fits: with `sources` the whole
            definition or paragraph, without them the Documents directly before and after it among those given.
        per_file: The most that the Documents of one file may be when formatted; `None` means no limit but the budget.

    Raises:
        TypeError: If an option has the wrong type.
        ValueError: If an option has a value that it cannot have.

    Example:
        >>> from langchain_semantic_xml import SemanticXmlSplitter
        >>> bundle = "<file path='tea.py'>\ncups = 1\npots = 2\n\nlids = 2\n</file>\n<file path='b.py'>\nx = 3\n</file>"
        >>> one, two, three = SemanticXmlSplitter(42).create_documents([bundle])
        >>> packer = ContextPacker(budget=90)
        >>> print(packer.format(packer.transform_documents([two, three, one])))
        <file path="tea.py" lines="1-4">
        cups = 1
        pots = 2
        <BLANKLINE>
        lids = 2
        </file>

    Rule: L9.
    """

    def __init__(
        self,
        budget: int,
        *,
        length_function: LengthFunction = len,
        sources: Mapping[str, str] | None = None,
        neighbours: bool = False,
        per_file: int | None = None,
    ) -> None:
        self._budget = check_budget(budget)
        check_length_function(length_function)
        self._length_function = length_function
        self._sources = check_sources(sources)
        self._neighbours = check_flag("neighbours", neighbours)
        self._per_file = check_per_file(per_file)

    @override
    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Return the Documents for the prompt.

        Args:
            documents: The Documents, best first. They are not changed.
            **kwargs: Not used; LangChain's interface has it.

        Raises:
            TypeError: If a value among them is no Document.

        Rule: L9.
        """
        ranked = [
            check_instance(f"documents[{position}]", document, Document, "pass what a retriever returns")
            for position, document in enumerate(check_several("documents", documents, Document))
        ]
        ruler = Ruler(self._length_function)
        packing = Packing(ranked, self._sources, ruler, self._budget, self._per_file)
        return packing.choose(with_neighbours=self._neighbours)

    def format(self, documents: Iterable[Document]) -> str:
        """Return the Documents as one string: for each an element with `path`, `lines` and `scope`, and its text.

        `parse_blocks` reads the elements back, whatever the texts hold: their name is `file`, or, where a text holds
        tags of that name, `document` or another name that the default rules know. If a text holds tags of all of them,
        the `<` of those named `file` becomes `&lt;`.

        Args:
            documents: What `transform_documents` returned, or any Documents.

        Raises:
            TypeError: If a value among them is no Document.

        Rule: L9.
        """
        return format_documents(
            check_instance(f"documents[{position}]", document, Document, "pass what transform_documents returned")
            for position, document in enumerate(check_several("documents", documents, Document))
        )
