"""What goes with a chunk into a prompt: the citation of its place."""

from __future__ import annotations

from urllib.parse import quote

from langchain_core.documents import Document

from langchain_semantic_xml._documents.address import NAMING_KEYS, read_content_lines
from langchain_semantic_xml._documents.names import read_value
from langchain_semantic_xml._text.checks import check_flag, check_instance

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
