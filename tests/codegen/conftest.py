"""The compiler and the cache that all tests of generated code share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain, find_toolchain


@pytest.fixture(scope="session")
def cache() -> Cache:
    """Return the cache of the whole test run."""
    return Cache(Path(os.environ["SYMTHEANO_CACHE_DIR"]))


@pytest.fixture(scope="module")
def toolchain(cache: Cache) -> Toolchain:
    """Return the compiler that SYMTHEANO_CC names, or otherwise the default one."""
    return find_toolchain(os.environ.get("SYMTHEANO_CC"), directory=cache.directory)
