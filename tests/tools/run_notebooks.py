"""Execute notebooks from a clean kernel and write them as they are committed: without times and versions.

The command is `python -m tests.tools.run_notebooks notebooks/*.ipynb`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

_SECONDS_PER_CELL = 300


def run(path: Path) -> None:
    """Execute the notebook at `path`, in its folder, and write it back.

    Raises:
        CellExecutionError: If a cell fails; the file is left as it was.
    """
    import nbformat  # noqa: PLC0415 - pytest imports every module, also without the group `notebooks`
    from nbclient import NotebookClient  # noqa: PLC0415

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(
        notebook, timeout=_SECONDS_PER_CELL, resources=where, record_timing=False, coalesce_streams=True
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # the kernel writes its version
    for cell in notebook.cells:
        cell.metadata.clear()
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="+", type=Path)
    for path in parser.parse_args().notebooks:
        run(path)
