"""A cache of a test's own, and a machine that does not describe its processor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from symtheano.codegen.native import machine
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.machine import cpu_identity


@pytest.fixture
def own(tmp_path: Path) -> Cache:
    """Return a cache of this test's own."""
    return Cache(tmp_path / "cache")


@pytest.fixture
def no_cpuinfo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file in place of /proc/cpuinfo, which does not exist yet."""
    path = tmp_path / "cpuinfo"
    monkeypatch.setattr(machine, "_CPUINFO", str(path))
    cpu_identity.cache_clear()
    yield path
    cpu_identity.cache_clear()
