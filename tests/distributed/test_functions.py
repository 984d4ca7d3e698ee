"""Operations on all ranks: values, dtypes, gradients, errors; in C and in the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import OpFromGraph, distributed, function, ifelse, scan
from symtheano.graph.intern import FunctionGraph
from symtheano.loops.branch import Branch
from tests.support.ranks import results_of, run_ranks

pytestmark = [pytest.mark.needs_mpi, pytest.mark.needs_cc]


def operands(rank: int) -> list[np.ndarray[Any, Any]]:
    """Return a matrix with special values, and arrays whose lengths depend on the rank."""
    x = np.random.default_rng(rank).normal(size=(3, 2))
    x[0, 0] = np.nan if rank == 1 else 1.0
    x[1, 1] = np.inf if rank else -np.inf
    x[2, 1] = -0.0 if rank else 0.0
    return [x, np.arange([4.0, 5.0, 0.0][rank]), np.full((2, rank), 1.0 + rank)]


VALUES = """
from tests.distributed.test_functions import operands

def compute(mode):
    x, y, z = T.dmatrix("x"), T.dvector("y"), T.dmatrix("z")
    outputs = [distributed.allreduce(x, op) for op in ("sum", "mean", "max", "min", "prod")]
    outputs += [distributed.broadcast(x, count - 1), distributed.allgather(y)]
    outputs += [distributed.allgather(z, axis=-1), distributed.allgather(y.sum())]
    outputs += [distributed.scatter(y, root=1), distributed.rank(), distributed.size()]
    f = function([x, y, z], outputs, mode=mode)
    return [f(*operands(rank)), f(*operands(rank)[:1], [1.0] * rank, [[], []])]

result["c"], result["interpreter"] = compute(None), compute("INTERPRET")
"""


@pytest.mark.parametrize("count", [2, 3])
def test_values(tmp_path: Path, count: int) -> None:
    results = results_of(tmp_path, count, VALUES)
    xs, ys, zs = zip(*map(operands, range(count)), strict=True)
    stacked = np.array(xs)
    with np.errstate(all="ignore"):
        reduced = [stacked.sum(0), stacked.mean(0), stacked.max(0), stacked.min(0), stacked.prod(0)]
    for rank, result in enumerate(results):
        for mine, other in zip(result["c"], result["interpreter"], strict=True):
            for a, b in zip(mine, other, strict=True):
                assert (a.dtype, a.shape) == (b.dtype, b.shape)
                np.testing.assert_allclose(a, b, rtol=1e-14)
        first, second = result["c"]
        for k in range(5):
            np.testing.assert_allclose(first[k], reduced[k], rtol=1e-14)
            # All ranks have the same bits.
            assert first[k].tobytes() == results[0]["c"][0][k].tobytes()
        assert np.signbit(first[3][2, 1]), "-0 is the smaller one"
        assert not np.signbit(first[2][2, 1])
        np.testing.assert_array_equal(first[5], xs[-1])
        np.testing.assert_array_equal(first[6], np.concatenate(ys))
        np.testing.assert_array_equal(first[7], np.concatenate(zs, axis=-1))
        np.testing.assert_array_equal(first[8], [y.sum() for y in ys])
        np.testing.assert_array_equal(first[9], np.array_split(ys[1], count)[rank])
        assert (first[10], first[11]) == (rank, count)
        assert second[6].tolist() == [1.0] * sum(range(count))
        assert second[7].shape == (2, 0)
        np.testing.assert_array_equal(second[9], np.array_split(np.ones(1), count)[rank])


DTYPES = """
for mode in (None, "INTERPRET"):
    for dtype in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 \\
            complex64 complex128".split():
        x = T.vector("x", dtype=dtype)
        ops = ["max", "min"] if dtype == "bool" else ["sum", "mean", "prod"]
        if dtype[0] in "iuf":
            ops += ["max", "min"]
        outputs = [distributed.allreduce(x, op) for op in ops]
        outputs += [distributed.broadcast(x, 1), distributed.allgather(x), distributed.scatter(x)]
        values = np.array([1, 0, 3] if rank else [2, 1, 100]).astype(dtype)
        if dtype == "uint64" and rank:
            values[2] = 2**64 - 1
        if dtype == "int64" and not rank:
            values[2] = -2**63
        result[str(mode), dtype] = dict(zip([*ops, "broadcast", "allgather", "scatter"],
                                            function([x], outputs, mode=mode)(values)))
"""


def test_dtypes(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, DTYPES)
    numpy: dict[str, Callable[..., Any]] = {
        "sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min,
    }  # fmt: skip
    assert len(results[0]) == 2 * 14
    for (mode, dtype), found in results[0].items():
        values = [np.array(v).astype(dtype) for v in ([2, 1, 100], [1, 0, 3])]
        if dtype == "uint64":
            values[1][2] = 2**64 - 1
        if dtype == "int64":
            values[0][2] = -(2**63)
        for name, array in found.items():
            if name in numpy:
                kind = {} if name in ("max", "min", "mean") else {"dtype": dtype}
                expected = numpy[name](values, axis=0, **kind)
                wanted = "float64" if name == "mean" and dtype[0] in "iu" else dtype
                assert array.dtype == wanted, (mode, dtype, name)
                np.testing.assert_allclose(array, expected, rtol=1e-6, err_msg=f"{dtype} {name}")
        np.testing.assert_array_equal(found["broadcast"], values[1])
        np.testing.assert_array_equal(found["allgather"], np.concatenate(values))
        np.testing.assert_array_equal(found["scatter"], values[0][:2])
        np.testing.assert_array_equal(results[1][mode, dtype]["scatter"], values[0][2:])


GRADIENTS = """
def costs(x):
    gathered = distributed.allgather(x[: rank + 1])
    weights = T.arange(gathered.shape[0]) + 1.0 + rank
    return {
        "sum": (distributed.allreduce(x) ** 2).sum() * (1 + rank),
        "mean": (distributed.allreduce(x, "mean") ** 3).sum() * (1 + rank),
        "prod": (distributed.allreduce(x, "prod")).sum() * (2 - rank),
        "max": (distributed.allreduce(x, "max") ** 2).sum() * (1 + rank),
        "min": (distributed.allreduce(x, "min") ** 2).sum() * (1 + rank),
        "broadcast": (distributed.broadcast(x, 1) ** 2).sum() * (1 + rank),
        "allgather": (gathered ** 2 * weights.dimshuffle(0, "x")).sum(),
        "scatter": (distributed.scatter(x, 1) ** 3).sum() * (1 + rank),
        "float32": distributed.allreduce(x.astype("float32") ** 2).sum().astype("float64"),
    }

x = T.dmatrix("x")
values = np.random.default_rng(rank).normal(size=(3, 2))
values[0, 0] = 0.5 * rank
for name, cost in costs(x).items():
    slope = function([x], [cost, grad(cost, x)], name=name)
    exact = slope(values)[1]
    numeric = np.zeros_like(values)
    for other in range(count):
        for place in np.ndindex(values.shape):
            ends = []
            for sign in (1, -1):
                moved = values.copy()
                if other == rank:
                    moved[place] += sign * 1e-4
                ends.append(sum(world.control.allgather(float(slope(moved)[0]))))
            if other == rank:
                numeric[place] = (ends[0] - ends[1]) / 2e-4
    result[name] = exact, numeric
"""


def test_gradients_of_the_sum_of_all_costs(tmp_path: Path) -> None:
    for result in results_of(tmp_path, 2, GRADIENTS):
        assert len(result) == 9
        for name, (exact, numeric) in result.items():
            np.testing.assert_allclose(
                exact, numeric, atol=1e-2 if name == "float32" else 1e-6, err_msg=name
            )


TROUBLE = """
x = T.dvector("x")
programs = {
    "other length": (function([x], distributed.allreduce(x)), np.ones(3 + rank)),
    "other operation": (
        function([x], distributed.allreduce(x, "max" if rank else "sum")), np.ones(3)
    ),
    "more operations": (
        function([x], distributed.allreduce(distributed.allreduce(x) if rank else x)), np.ones(3)
    ),
    "no root": (function([x], distributed.broadcast(x, 7)), np.ones(3)),
    "interpreter": (function([x], distributed.allreduce(x), mode="INTERPRET"), np.ones(3 + rank)),
}
def attempt(name, f, *values):
    try:
        f(*values)
    except distributed.DistributedError as error:
        result[name] = str(error)

for name, (f, values) in programs.items():
    attempt(name, f, values)
    # What follows is as if nothing had happened.
    result[name, "after"] = f(np.ones(5)) if name == "other length" else None

# Lengths are compared in each call: one rank goes on with the length of the last call.
f = programs["other length"][0]
for number in range(2):
    attempt(("later", number), f, np.ones(5 if rank == number else 6))
    result["later", number, "after"] = f(np.ones(7 + number))
b = T.tensor("int8", shape=(None, 4))
g = function([b], [distributed.broadcast(b, 1), distributed.allgather(b.T)])
g(np.ones((2, 4), "int8"))
attempt("broadcast", g, np.ones((2 + rank, 4), "int8"))
result["broadcast", "after"] = g(np.full((3, 4), rank, "int8"))
two = T.dmatrix("two")
h = function([two], distributed.scatter(two, 1))
h(np.ones((4, 2)))
attempt("scatter", h, np.ones((4, 2 + rank)))
result["scatter", "after"] = h(np.full((4 * rank, 3), 5.0))
"""


def test_ranks_that_do_not_do_the_same(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, TROUBLE)
    for rank, result in enumerate(results):
        assert f"allreduce (rank {rank}): the ranks do not do the same" in result["other length"]
        assert "number 3; rank 1: " in result["other length"]
        assert "program.py" in result["other length"], "the user's line"
        assert result["other length", "after"].tolist() == [2.0] * 5
        assert "operation=sum" in result["other operation"]
        assert "operation=max" in result["other operation"]
        assert "the functions of the ranks have not the same" in result["more operations"]
        assert "no such root among 2 ranks" in result["no root"]
        assert "(3,); rank 1: allreduce, sum, float64, (4,)" in result["interpreter"]
        for number in range(2):
            lengths = ("5", "6") if number == 0 else ("6", "5")
            message = result["later", number]
            assert [f"number {n}" in message for n in lengths] == [True, True]
            assert message.index(f"number {lengths[0]}") < message.index(f"number {lengths[1]}")
            assert result["later", number, "after"].tolist() == [2.0] * (7 + number)
        assert "broadcast (rank" in result["broadcast"]
        assert result["broadcast", "after"][0].tolist() == [[1] * 4] * 3
        assert result["broadcast", "after"][1].tolist() == [[0] * 3] * 4 + [[1] * 3] * 4
        assert "scatter (rank" in result["scatter"]
        assert result["scatter", "after"].tolist() == [[5.0] * 3] * 2


ORDER = """
x, y = T.dvector("x"), T.dvector("y")
# The two sums are independent, and the second one is of a larger array.
a, b = distributed.allreduce(x + 1), distributed.allreduce(y * 2)
f = function([x, y], [(b * 2).sum(), a.sum(), distributed.allreduce(x + 1)])
result["values"] = f(np.ones(2), np.ones(300))
names = [node.op.number for node in f.graph.nodes if hasattr(node.op, "number")]
result["numbers"], result["text"] = names, f.c_source
g = f.copy()
result["copy"] = g(np.ones(2), np.ones(300))
"""


def test_all_ranks_have_the_same_code_in_the_same_order(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, ORDER)
    for result in results:
        assert [np.sum(value) for value in result["values"]] == [2400.0, 8.0, 8.0]
        assert result["numbers"] == [0, 1, 2], "equal operations are not merged"
        assert [np.sum(value) for value in result["copy"]] == [2400.0, 8.0, 8.0]
    assert results[0]["text"] == results[1]["text"]
    calls = [line for line in results[0]["text"].splitlines() if "st_allreduce_f64(runtime" in line]
    assert len(calls) == 3


KILLED = """
x = T.dvector("x")
f = function([x], distributed.allreduce(x))
f(np.ones(3))
if rank == 1:
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)
f(np.ones(3))
"""


def test_a_rank_that_is_killed_ends_all(tmp_path: Path) -> None:
    ended = run_ranks(tmp_path, 2, KILLED, limit=60)
    assert ended.status != 0
    assert ended.results == [None, None]


# -- what is refused when expressions or functions are made: one process --------------------------


def test_graphs_of_other_ops_are_refused() -> None:
    x, y, condition = T.dvector("x"), T.dvector("y"), T.scalar("c", "bool")
    op = Branch([FunctionGraph([x], [distributed.broadcast(x)]), FunctionGraph([y], [y])])
    with pytest.raises(NotImplementedError, match=r"broadcast: .* inside of IfElse"):
        function([condition, x], op(condition, x))


def test_one_rank_decides_for_itself() -> None:
    x = T.dvector("x")
    loop, _ = scan(
        lambda row: (distributed.allreduce(row), symtheano.scan_module.until(row > 3)),
        sequences=[x],
    )
    branch = ifelse.ifelse(x.sum() > 0, distributed.allreduce(x), x * 2)
    inner = OpFromGraph([x], [distributed.broadcast(x)])
    f = function([x], [loop, branch, inner(x)])
    assert [out.tolist() for out in f([1.0, 4.0, 5.0])] == [[1.0, 4.0], [1, 4, 5], [1, 4, 5]]
    assert [out.tolist() for out in f([-1.0])] == [[-1.0], [-2.0], [-1.0]]
    before = distributed.allreduce(x)
    g = function([x], ifelse.ifelse(x.sum() > 0, before, before * 2))
    assert g([1.0]).tolist() == [1.0]


def test_wrong_arguments() -> None:
    x = T.dvector("x")
    with pytest.raises(ValueError, match=r"allreduce: op='avg' is not one of"):
        distributed.allreduce(x, "avg")
    with pytest.raises(TypeError, match="bool has no sum"):
        distributed.allreduce(T.vector("b", dtype="bool"))
    with pytest.raises(TypeError, match="complex128 has no max"):
        distributed.allreduce(T.zvector("z"), "max")
    with pytest.raises(ValueError, match="no axis 1"):
        distributed.allgather(x, 1)
    with pytest.raises(TypeError, match="a number has no rows"):
        distributed.scatter(x.sum())
    with pytest.raises(ValueError, match="root=-1"):
        distributed.broadcast(x, -1)


def test_constants_are_not_computed_during_compilation() -> None:
    f = function([], [distributed.allreduce(np.ones(2)), distributed.size()])
    assert [node.op.called for node in f.graph.nodes if hasattr(node.op, "called")] == ["allreduce"]
    assert f()[0].tolist() == [1.0, 1.0]


def test_rules_move_no_operation_into_a_branch() -> None:
    """A switch by a number whose arms have expensive operations becomes a branch, but not here."""
    x = T.dmatrix("x")
    cheap = T.switch(x[0, 0] > 0, T.nlinalg.matrix_inverse(x), x)
    names = {type(node.op).__name__ for node in function([x], cheap).graph.nodes}
    assert "Branch" in names
    both = T.switch(x[0, 0] > 0, T.nlinalg.matrix_inverse(x), distributed.allreduce(x))
    names = {type(node.op).__name__ for node in function([x], both).graph.nodes}
    assert "Branch" not in names
