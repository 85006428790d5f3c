"""`python -m langchain_semantic_xml`: the command `semantic-xml`."""

from __future__ import annotations

import sys

from langchain_semantic_xml._cli.main import main

if __name__ == "__main__":
    sys.exit(main())
