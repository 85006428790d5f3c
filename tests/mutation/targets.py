"""The modules that are mutated, and the tests that judge their mutants."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A module of the package.

    Args:
        module: Its name in the package.
        tests: The names of the test files, in `tests`, that must notice what changes in it.
        without: Tests in them that cannot judge, since they read the source of the module: with mutants it is another.
    """

    module: str
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


TARGETS = {
    target.module: target
    for target in (
        Target(
            "boundaries",
            (
                "test_line_style",
                "test_distant_closings",
                "test_differential",
                "test_cases",
                "test_streams",
            ),
        ),
        Target("sections", ("test_section_blocks", "test_section_builder", "test_cases")),
        Target(
            "parts",
            (
                "test_parts",
                "test_shell",
                "test_overlap",
                "test_attached",
                "test_placing",
                "test_snapshots",
                "test_languages",
                "test_splitter",
                "test_syntax",
            ),
            without=(
                "test_syntax.py::test_a_stream_gives_the_same",
                "test_syntax.py::test_fewer_functions_are_torn_than_without",
            ),
        ),
    )
}
