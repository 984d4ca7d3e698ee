"""MPI in one process: the table of its functions, and what a function keeps."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, distributed, function, grad, shared
from symtheano.codegen.routines.mpi import MPI_DTYPES, MPI_FUNCTIONS, OPERATIONS
from symtheano.codegen.runtime import mpi

pytestmark = pytest.mark.needs_mpi


def test_the_table_has_what_the_library_has() -> None:
    table = mpi.world().table
    assert (table.rank, table.size, table.waiting) == (0, 1, 0)
    assert len(set(table.types)) == len(MPI_DTYPES) - 1, "bools are as bytes, others differ"
    assert len(set(table.operations)) == len(OPERATIONS)
    assert len(set(table.fn)) == len(MPI_FUNCTIONS)
    assert 0 not in table.fn[:]
    assert mpi.world().error_text(mpi.world().mpi.ERR_TRUNCATE)
    assert repr(mpi.world()) == "<rank 0 of 1>"


@pytest.mark.needs_cc
def test_calls_are_counted_and_compared_once() -> None:
    x = T.dvector("x")
    f = function([x], distributed.allreduce(distributed.allreduce(x)))
    (kept,) = [part for part in [f._linked.collectives] if part is not None]
    before = mpi.world().table.calls
    assert kept._calls.agreed == 0
    for _ in range(2):
        assert f([1.0, 2.0]).tolist() == [1.0, 2.0]
        assert kept._calls.agreed == 2
    assert mpi.world().table.calls == before + 4
    assert mpi.world().table.waiting == 0
    other = f.copy()
    assert other._linked.collectives._calls.agreed == 0, "each function agrees for itself"
    plain = function([x], x + 1)
    assert plain._linked.collectives is None


@pytest.mark.needs_cc
def test_sums_make_progress_before_long_kernels() -> None:
    """MPI works in its own calls only: between kernels, pending buckets are tested."""
    x, u, w = T.dmatrix("x"), shared(np.ones(400), "u"), shared(np.ones(400), "w")
    hidden = T.tanh(T.tanh(x * u) * 2.0)
    cost = T.sqr(T.exp(hidden * w)).mean()
    updates = {v: v - 0.1 * grad(cost, v) for v in (u, w)}
    step = function([x], [], updates=updates, distribute=distributed.DataParallel(bucket_bytes=1))
    step(np.ones((3, 400)))
    table, kind = mpi.world().table, ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 3)
    place = MPI_FUNCTIONS.index("Test")
    original, tested = table.fn[place], []

    def test(request: Any, flag: Any, status: Any) -> int:
        tested.append(step)
        flag_of = ctypes.cast(flag, ctypes.POINTER(ctypes.c_int))
        if len(tested) == 1:  # as if it took longer
            flag_of[0] = 0
            return 0
        return kind(original)(request, flag, status)

    counted = kind(test)
    table.fn[place] = ctypes.cast(counted, ctypes.c_void_p).value
    try:
        step(np.ones((2_000, 400)))
    finally:
        table.fn[place] = original
    assert len(tested) >= 2
    declared = "static void st_mpi_progress(const st_runtime *runtime);"
    assert declared in step.c_source
    others = function([x], distributed.allreduce(x))
    assert declared not in others.c_source


def test_waiting_ends_with_an_error() -> None:
    def fail() -> None:
        assert mpi.world().table.waiting == 1
        raise KeyError("no")

    with pytest.raises(KeyError):
        mpi.world().waiting(fail)
    assert mpi.world().table.waiting == 0


def test_without_mpi4py_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpi, "_worlds", [])
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", None)
    with pytest.raises(ImportError, match=r"pip install 'symtheano\[mpi\]'"):
        mpi.world()
    assert not mpi.is_started()


@pytest.mark.needs_cc
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_what_is_made_without_mpi4py_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> object:
        raise ImportError("no mpi4py")

    monkeypatch.setattr(mpi, "world", missing)
    with pytest.raises(ImportError, match="no mpi4py"):
        mpi.Collectives()
    gc.collect()


def test_buckets_are_freed_with_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[int] = []
    free = mpi._free
    monkeypatch.setattr(mpi, "_free", lambda address: (freed.append(address), free(address)))
    x, w = T.dmatrix("x"), shared(np.zeros(3), "w")
    cost = T.sqr(T.dot(x, w) - 1).mean()
    f = function([x], cost, updates={w: w - 0.1 * grad(cost, w)}, distribute="mpi")
    assert f._linked.collectives.buckets() == []
    for _ in range(3):
        f(np.eye(3))
    (bucket,) = f._linked.collectives.buckets()
    assert (bucket.bytes, bucket.pending) == (32, 0)
    addresses = {bucket.memory, f._linked.collectives._calls.buckets}
    gc.collect()  # functions of other tests, too
    assert addresses.isdisjoint(freed)
    del f
    gc.collect()
    assert addresses <= {*freed}


@pytest.mark.needs_cc
@pytest.mark.parametrize("tier", ["unoptimized", "interpreter"])
def test_there_is_no_first_tier(tier: str) -> None:
    x = T.dvector("x")
    with config.change_flags(first_tier=tier):
        f = function([x], distributed.allreduce(T.exp(x)))
        plain = function([x], T.exp(x) * 3.125)
    assert f.stages.options.first_tier == "none"
    assert f._linked is not None
    assert f._optimized is None
    assert plain.stages.options.first_tier == tier
