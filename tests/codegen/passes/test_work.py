"""The work of loops, in additions: what threads and chunks are worth beginning for."""

from __future__ import annotations

from symtheano.codegen.passes.work import scalar_cost, trips_of, work_of
from symtheano.loopir import Builder, For, Index, Let, Literal, Value
from symtheano.scalar.table import TABLE

N, M = Index.symbol("n"), Index.symbol("m")
ONE = Literal(1.0, "float64")


def loop(stop: Index, *body: object, **options: object) -> For:
    return For(Value(f"i{stop.names()}"[:1], "int64"), Index.of(0), stop, body, **options)  # type: ignore[arg-type]


def let(op: str) -> Let:
    return Let(Value("a", "float64"), op, (ONE,))


def test_scalars_cost_what_the_table_says() -> None:
    for op in ("neg", "exp", "tanh"):
        assert scalar_cost([let(op)]) == TABLE[op].cost
    assert scalar_cost([let("cast"), let("neg")]) == 1 + TABLE["neg"].cost
    assert scalar_cost([loop(N, let("tanh"))]) == 0


def test_reductions_cost_twice_an_addition() -> None:
    b = Builder()
    total = b.declare("total", ONE)
    with b.loop("i", N, kind="reduce"):
        b.reduce(total, "add", ONE)
    (inner,) = (s for s in b.statements() if isinstance(s, For))
    assert scalar_cost(inner.body) == 2
    assert work_of(inner) == N * 2


def test_work_is_that_of_the_loops_inside() -> None:
    inner = loop(M, let("neg"))
    assert work_of(loop(N, inner, inner)) == N * M * 2
    assert work_of(loop(N)) == N
    assert work_of(loop(N, inner, step=4)) == N  # the loop inside is over parts of it


def test_iterations_of_innermost_loops() -> None:
    assert trips_of(loop(N, let("neg"))) == 1
    assert trips_of(loop(N, loop(M, let("neg")))) == M
    assert trips_of(loop(N, loop(M, loop(N)))) == M * N
    assert trips_of(loop(N, loop(M), step=4)) == 1
