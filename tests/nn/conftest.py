"""All tests of networks have the same bits in each run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import symtheano


@pytest.fixture(autouse=True, scope="session")
def same_bits() -> Iterator[None]:
    """Wait for kernels, so that no function changes its bits while tests run."""
    with symtheano.config.change_flags(deterministic="more"):
        yield
