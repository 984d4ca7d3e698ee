"""Programs of Theano: ``import theano`` finds symtheano within a test."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from symtheano import compat, config


@pytest.fixture
def theano() -> Iterator[ModuleType]:
    """Return the module, which the test has for itself."""
    with config.change_flags():
        compat.install(replace=True)
        import theano

        yield theano
        compat.uninstall()
