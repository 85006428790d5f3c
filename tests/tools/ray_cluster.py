"""A small Ray cluster on this machine, for tests, examples and benchmarks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

_QUIET = {
    "RAY_AUTH_MODE": "disabled",  # else it writes a token into the home directory
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_memory_monitor_refresh_ms": "0",  # in a container it takes the host's memory for ours
}


@contextmanager
def local_cluster(workers: int, *, object_store_memory: int = 100_000_000) -> Iterator[None]:
    """Start a Ray cluster on this machine that is small, asks no network and leaves nothing behind."""
    import ray  # noqa: PLC0415 - only who measures it needs it

    # The folder's path is short because those of sockets must be.
    with patch.dict(os.environ, _QUIET), tempfile.TemporaryDirectory(prefix="ray-") as folder:
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=object_store_memory,
            log_to_driver=False,
            _temp_dir=folder,
        )
        try:
            yield
        finally:
            ray.shutdown()
