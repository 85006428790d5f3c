"""What pytest needs for mutmut, which runs it many times in one process: `-p tests.tools.mutmut_plugin`."""

from __future__ import annotations

import sys

from hypothesis import HealthCheck, Phase, settings

# The same examples for every mutant; one that fails is enough, so none is shrunk.
settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    max_examples=50,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


def pytest_unconfigure() -> None:
    """Let the next run import the test modules anew.

    pytest keeps the ids of parameters on the marks of a module, and escapes their backslashes once more in the next
    run: tests with such ids would not be found, and every mutant that they judge would count as noticed.
    """
    for name in [name for name in sys.modules if name.rpartition(".")[2].startswith("test_")]:
        del sys.modules[name]
