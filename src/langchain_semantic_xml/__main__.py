"""`python -m langchain_semantic_xml BUNDLE [CHUNK_SIZE]`: show how a bundle is split, a line for each chunk."""

from __future__ import annotations

import argparse
from pathlib import Path

from langchain_semantic_xml.splitter import SemanticXmlSplitter


def main() -> None:
    """Read the bundle, split it and print what each chunk holds."""
    parser = argparse.ArgumentParser(prog="python -m langchain_semantic_xml", description=__doc__)
    parser.add_argument("bundle", type=Path, help="a UTF-8 text file")
    parser.add_argument("chunk_size", type=int, nargs="?", default=4000, help="characters (default: %(default)s)")
    arguments = parser.parse_args()
    with arguments.bundle.open(encoding="utf-8", newline="") as file:
        documents = SemanticXmlSplitter(arguments.chunk_size).lazy_split_text(file)
        print("chunk  lines        characters  part  blocks")  # noqa: T201 - printing is what a command does
        for number, document in enumerate(documents, 1):
            known = document.metadata
            lines = f"{known['start_line']}-{known['end_line']}"
            part = f"{known['part']}/{known['parts']}" if known["part"] else ""
            names = ", ".join(known["identities"] or known["block_types"])
            print(f"{number:5}  {lines:12} {len(document.page_content):10}  {part:4}  {names}")  # noqa: T201


if __name__ == "__main__":
    main()
