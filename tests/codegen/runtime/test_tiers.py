"""Programs whose optimized code is being compiled."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.record import Record
from symtheano.codegen.runtime.tiers import begin_tier, unfinished_tier
from symtheano.errors import CompileError

LIBRARY, GRAPH, OTHER = ("1" * 64, "2" * 64, "3" * 64)


@pytest.fixture
def record() -> Record:
    return Record(LIBRARY, "entry", (), (("float64", 0, None),), 0, (), ())


def test_a_tier_is_found_until_its_optimized_code_is_compiled(
    record: Record, tmp_path: Path
) -> None:
    store, gate = Cache(tmp_path / "one"), threading.Event()
    early: Any = object()
    late: Any = object()

    def compile_optimized() -> Any:
        assert gate.wait(20)
        return late

    tier = begin_tier(record, early, store, compile_optimized)
    assert tier.library is early
    tier.add_graph(GRAPH)
    assert unfinished_tier(store, LIBRARY) is unfinished_tier(store, GRAPH) is tier
    assert unfinished_tier(store, OTHER) is None
    assert unfinished_tier(Cache(tmp_path / "two"), GRAPH) is None
    assert store.recall(GRAPH) is None
    gate.set()
    assert tier.optimized.result() is late
    assert unfinished_tier(store, LIBRARY) is unfinished_tier(store, GRAPH) is None
    stored = store.recall(GRAPH)
    assert stored is not None
    assert Record.from_bytes(stored) == record
    tier.add_graph(OTHER)
    assert unfinished_tier(store, OTHER) is None


def test_a_failure_leaves_nothing(record: Record, tmp_path: Path) -> None:
    store = Cache(tmp_path)

    def refuse() -> Any:
        raise CompileError("no")

    early: Any = object()
    tier = begin_tier(record, early, store, refuse)
    tier.add_graph(GRAPH)
    with pytest.raises(CompileError, match="no"):
        tier.optimized.result()
    assert unfinished_tier(store, LIBRARY) is None
    assert store.recall(GRAPH) is None
