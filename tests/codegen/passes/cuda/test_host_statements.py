"""Statements of the host: their order, and the names that it needs."""

from __future__ import annotations

from symtheano.codegen.passes.cuda.host_statements import (
    bounds,
    in_order,
    launches_kernels,
    names_on_host,
)
from symtheano.loopir import Buffer, For, Index, Kernel, Let, Literal, Store, Value

N, M = Index.symbol("n"), Index.symbol("m")


def test_loops_that_launch() -> None:
    """A grid and its loop of the host need their lengths, but not what threads store."""
    names = ("block", "thread", "step")
    block, thread, step = (Value(name, "int64") for name in names)
    put = Store(Buffer("x", "int64", "arena", N), N, Value("stored", "int64"))
    grid = For(block, Index.of(0), N, (For(thread, Index.of(0), Index.of(4), (put,), "thread"),),
               "grid")  # fmt: skip
    let = Let(Value("two", "int64"), "add", (Value("one", "int64"), Literal(1, "int64")))
    loop = For(step, Index.of(0), M, (let, Kernel("k", "", (grid,))))
    assert launches_kernels(loop)
    assert not launches_kernels(grid)
    assert not launches_kernels(For(step, Index.of(0), M, (let,)))
    assert [*in_order([loop, let])] == [loop, let, grid, let]
    assert bounds(grid) == ["n"]
    assert {*names_on_host(loop)} == {"m", "n", "one"}
