"""What pytest needs to judge mutants: mutmut runs it many times in one process and its forks."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator

import pytest
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

# Seconds of CPU time, many times what a test takes without a mutant: beyond them, it is in an endless loop.
_LIMIT = 5.0
_LIMIT_OF_PROPERTIES = 60.0
_TIMEOUT = 36
"""The exit code that mutmut takes for one."""


def _give_up(*_: object) -> None:
    os._exit(_TIMEOUT)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """End the process when the test takes too much CPU time; how busy the machine is does not matter."""
    if "__mutmut_" not in os.environ.get("MUTANT_UNDER_TEST", ""):
        return (yield)  # notes down which functions the test calls, which takes its time
    properties = isinstance(item, pytest.Function) and getattr(item.obj, "is_hypothesis_test", False)
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT_OF_PROPERTIES if properties else _LIMIT)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def pytest_unconfigure() -> None:
    """Let the next run import the test modules anew.

    pytest keeps the ids that it has made of parameters on the marks of a module, and escapes their backslashes once
    more in the next run: tests with such ids would not be found, and every mutant they cover would count as killed.
    """
    for name in [name for name in sys.modules if name.startswith("tests.test_")]:
        del sys.modules[name]
