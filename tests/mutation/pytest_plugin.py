"""What pytest needs to judge mutants: mutmut runs it many times in one process and its forks."""

from __future__ import annotations

import sys

from hypothesis import HealthCheck, Phase, settings

# The same examples for every mutant; one that fails is enough, so none is shrunk.
settings.register_profile(
    "mutation",
    deadline=None,
    derandomize=True,
    max_examples=50,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


def pytest_unconfigure() -> None:
    """Let the next run import the test modules anew.

    pytest keeps the ids that it has made of parameters on the marks of a module, and escapes their backslashes once
    more in the next run: tests with such ids would not be found, and every mutant they cover would count as killed.
    """
    for name in [name for name in sys.modules if name.startswith("tests.test_")]:
        del sys.modules[name]
