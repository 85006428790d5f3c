"""The names of types and elements, and source text for patterns."""

from __future__ import annotations

import sys

TEXT = "text"
"""The type of a block that holds the text between elements."""

# XML 1.0 (Fifth Edition), productions 4, 4a and 5: NameStartChar NameChar*, without the colon's rules.
_NAME_START = (
    r":A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
XML_NAME = rf"[{_NAME_START}][{_NAME_START}\-.0-9\xB7\u0300-\u036F\u203F-\u2040]*"
"""The pattern of an XML Name, as source text for larger patterns."""
POSSESSIVE = "+" if sys.version_info >= (3, 11, 5) else ""
"""Stands behind a repeated group, as source text: what that has matched is not given back.

Else each repetition takes a hundred bytes and more until the match ends. Only for where giving back cannot help: Python
3.10 cannot say so, and 3.11 at first did it wrongly.
"""
