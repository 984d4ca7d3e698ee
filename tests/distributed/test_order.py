"""Operations on all ranks inside of loops, and their order with those outside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import distributed, function, scan
from symtheano.graph.walk import toposort
from tests.support.ranks import results_of

pytestmark = [pytest.mark.needs_mpi, pytest.mark.needs_cc]

SLOPES = """
from symtheano import OpFromGraph, scan
from symtheano.ifelse import ifelse

def slopes(f, values, *others):
    # The gradient that f returns after the cost, and that of finite differences.
    exact, numeric = f(values, *others)[1], np.zeros_like(values)
    for other in range(count):
        for place in np.ndindex(values.shape):
            ends = []
            for sign in (1, -1):
                moved = values.copy()
                if other == rank:
                    moved[place] += sign * 1e-5
                ends.append(sum(world.control.allgather(float(f(moved, *others)[0]))))
            if other == rank:
                numeric[place] = (ends[0] - ends[1]) / 2e-5
    return exact, numeric
"""

LOOPS = (
    SLOPES
    + """
x, n = T.dmatrix("x"), T.lscalar("n")

def step(row, before):
    mean = distributed.allreduce(row * (1 + rank), "mean")
    after = 0.5 * before + mean * distributed.allreduce(before.sum())
    return after, (distributed.allgather(row) ** 3).sum()

def nested(row, before):
    inner, _ = scan(lambda value, total: total + distributed.allreduce(value ** 2, "max"),
                    sequences=[row], outputs_info=[T.zeros((), "float64")])
    return before * inner[-1] + distributed.rank()

start = T.ones_like(x[0])
first, _ = scan(step, sequences=[x], outputs_info=[start, None], n_steps=n)
second, _ = scan(nested, sequences=[x], outputs_info=[start])
costs = {"loop": (first[0][-1] ** 2).sum() * (1 + rank) + first[1].sum(),
         "nested": second[-1].sum() * (2 - rank)}
outputs = [*first, second, distributed.allreduce(second[-1])]
values = np.random.default_rng(rank).normal(size=(4, 2))
for mode in (None, "INTERPRET"):
    f = function([x, n], outputs, mode=mode)
    result["values", mode] = [f(values, steps) for steps in (4, 1)]
    try:
        f(values, 3 + rank)
    except distributed.DistributedError as error:
        result["error", mode] = str(error)
    result["after", mode] = f(values, 2)
for name, cost in costs.items():
    slope = function([x, n], [cost, grad(cost, x)], on_unused_input="ignore")
    result[name] = slopes(slope, values, 4)
# Fixed and unknown lengths; no iteration at all; a result that nothing uses.
rows, _ = scan(lambda k: distributed.allreduce(T.ones((k,))).sum(), sequences=[T.arange(n)])
g = function([n], rows)
result["lengths"] = [g(steps).tolist() for steps in (3, 0, 5)]
"""
)


def expected(xs: list[np.ndarray], steps: int) -> list[np.ndarray]:
    """Return the results of the first rank's program, with NumPy."""
    before, kept, gathered = np.ones((len(xs), 2)), [], []
    for k in range(steps):
        mean = np.mean([x[k] * (1 + r) for r, x in enumerate(xs)], axis=0)
        before = 0.5 * before + mean * before.sum()
        kept.append(before)
        gathered.append((np.concatenate([x[k] for x in xs]) ** 3).sum())
    return [np.stack(kept, axis=1), np.array(gathered)]


def test_loops(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, LOOPS)
    xs = [np.random.default_rng(rank).normal(size=(4, 2)) for rank in range(2)]
    for rank, result in enumerate(results):
        for mode in (None, "INTERPRET"):
            for steps, found in zip((4, 1), result["values", mode], strict=True):
                states, gathered = expected(xs, steps)
                np.testing.assert_allclose(found[0], states[rank], rtol=1e-12)
                np.testing.assert_allclose(found[1], gathered, rtol=1e-12)
                assert found[2].shape == (4, 2)
                both = sum(other["values", mode][0][2][-1] for other in results)
                np.testing.assert_allclose(found[3], both, rtol=1e-12)
            assert "the number of iterations (rank" in result["error", mode]
            assert "program.py" in result["error", mode], "the user's line"
            np.testing.assert_allclose(result["after", mode][0], expected(xs, 2)[0][rank])
        np.testing.assert_allclose(
            result["values", None][0][2], result["values", "INTERPRET"][0][2], rtol=1e-12
        )
        for name in ("loop", "nested"):
            exact, numeric = result[name]
            np.testing.assert_allclose(exact, numeric, rtol=1e-5, atol=1e-5, err_msg=name)
        assert result["lengths"] == [[0.0, 2.0, 4.0], [], [0.0, 2.0, 4.0, 6.0, 8.0]]


LATER = """
from symtheano import scan
x, lengths = T.dvector("x"), T.lvector("lengths")
sums, _ = scan(lambda k: distributed.allreduce(x[:k]).sum(), sequences=[lengths])
f = function([x, lengths], sums)
result["before"] = f(np.ones(5), [1, 2])
try:
    f(np.ones(5), [3, 4 + rank])
except distributed.DistributedError as error:
    result["error"] = str(error)
result["after"] = f(np.ones(5), [5, 0, 2])
"""


def test_lengths_that_differ_in_an_iteration(tmp_path: Path) -> None:
    for result in results_of(tmp_path, 2, LATER):
        assert result["before"].tolist() == [2.0, 4.0]
        assert "allreduce (rank" in result["error"]
        assert "number 4; rank 1" in result["error"]
        assert result["after"].tolist() == [10.0, 0.0, 4.0]


DECIDED = (
    SLOPES
    + """
x, c = T.dvector("x"), T.dscalar("c")
values = np.array([1.0, 2.0]) * (1 + rank)

def towards_the_mean(v):
    mean = distributed.allreduce(v, "mean")
    after = 0.5 * (v + mean)
    return after, symtheano.until(distributed.allreduce(abs(after - mean).max(), "max") < c)

def until_own(v):
    after = distributed.allreduce(v, "mean") + 1
    return after, symtheano.until(after.max() * (1 + rank) > c)

def some_rows(row, before):
    less = before - distributed.broadcast(row, 1)
    taken = ifelse(row > 0, distributed.allreduce(before * row), less)
    largest = ifelse(c > 1, distributed.allreduce(taken ** 2, "max"), taken)
    return taken + ifelse(row > 1, largest, c)

loop, _ = scan(towards_the_mean, outputs_info=[x], n_steps=50)
own, _ = scan(until_own, outputs_info=[x], n_steps=50)
total = distributed.allreduce(x)
choice = ifelse(c > 0, distributed.allreduce(T.exp(total)) ** 2 * total,
                distributed.broadcast(x, 1) - total)
two = ifelse(c > 0, [distributed.allreduce(x * 2), x], [x, distributed.allreduce(x * 3)])
rows, _ = scan(some_rows, sequences=[T.arange(4) * c], outputs_info=[x.sum()])
a = T.dvector("a")
op = OpFromGraph([a], [distributed.allreduce(a ** 2), distributed.rank() + a.sum()])
first, second = op(x)
inlined, _ = scan(lambda v: op(v / 5)[0], outputs_info=[x], n_steps=2)
expressions = {
    "loop": [loop[-1], loop.shape[0]], "own": [own], "choice": [choice],
    "two": [two[0], distributed.allreduce(x.sum())], "rows": [rows],
    "op": [first, second, op(first)[0]], "in a loop": [inlined[-1]],
}
for name, outputs in expressions.items():
    for mode in (None, "INTERPRET"):
        f = function([x, c], outputs, mode=mode, on_unused_input="ignore")
        for number in (-1.0, 0.001, 0.7, 20.0):
            try:
                result[name, mode, number] = f(values, number)
            except distributed.DistributedError as error:
                result[name, mode, number] = str(error)
        try:
            f(values, [-1.0, 0.5][rank])
        except distributed.DistributedError as error:
            result[name, mode, "differs"] = str(error)
for name in ("loop", "choice", "rows", "op", "in a loop"):
    cost = expressions[name][0].sum() * (1 + rank)
    f = function([x, c], [cost, grad(cost, x)], on_unused_input="ignore")
    result["slopes", name] = [slopes(f, values / 4, number) for number in (-1.0, 0.7)]
"""
)


def some_rows(c: float, xs: list[np.ndarray]) -> list[np.ndarray]:
    """Return the states of all ranks in all iterations, with NumPy."""
    states, kept = np.array([x.sum() for x in xs]), []
    for row in np.arange(4) * c:
        taken = np.full(2, states.sum() * row) if row > 0 else states - row
        largest = np.full(2, (taken**2).max()) if c > 1 else taken
        states = taken + (largest if row > 1 else c)
        kept.append(states)
    return list(np.transpose(kept))


def test_what_all_ranks_decide_in_the_same_way(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, DECIDED)
    xs = [np.array([1.0, 2.0]) * (1 + rank) for rank in range(2)]
    mean, total = (xs[0] + xs[1]) / 2, xs[0] + xs[1]
    for rank, (result, x) in enumerate(zip(results, xs, strict=True)):
        for mode in (None, "INTERPRET"):

            def check(name: str, number: float, *values: object) -> None:
                for mine, value in zip(result[name, mode, number], values, strict=True):  # noqa: B023
                    np.testing.assert_allclose(mine, value, rtol=1e-12, err_msg=f"{name} {number}")

            # The largest distance of an element to the mean is 1, and is halved in an iteration.
            for number, steps in ((-1.0, 50), (0.001, 10), (0.7, 1), (20.0, 1)):
                check("loop", number, mean + (x - mean) / 2.0**steps, steps)
            check("own", 0.7, [mean + 1])
            assert "the condition is 0; rank 1: " in result["own", mode, 20.0].replace(
                "the condition, ", "the condition is "
            )
            for number in (0.001, 20.0):
                check("choice", number, (2 * np.exp(total)) ** 2 * total)
                check("two", number, total * 2, total.sum())
                check("rows", number, some_rows(number, xs)[rank])
            check("choice", -1.0, xs[1] - total)
            check("two", -1.0, x, total.sum())
            square = (xs[0] ** 2) + (xs[1] ** 2)
            check("op", 0.7, square, x.sum() + rank, 2 * square**2)
            check("in a loop", 0.7, 2 * (square / 25 / 5) ** 2)
            for name in ("choice", "two", "rows"):
                message = result[name, mode, "differs"]
                assert "the condition (rank" in message
                assert "reduce it with allreduce" in message
                assert "program.py" in message, "the user's line"
            assert ("op", mode, "differs") not in result, "nothing depends on it"
        for name in ("loop", "choice", "rows", "op", "in a loop"):
            for exact, numeric in result["slopes", name]:
                np.testing.assert_allclose(exact, numeric, rtol=1e-5, atol=1e-6, err_msg=name)


LATE = """
from symtheano.ifelse import ifelse
c = T.dscalar("c")
x = T.TensorType("float64", (2 + rank,))("x")
y = ifelse(c > 0, distributed.allreduce(x).sum(), c) + distributed.allreduce(c)
f = function([x, c], y)
try:
    f(np.ones(2 + rank), -1.0)
except distributed.DistributedError as error:
    result["error"] = str(error)
"""


def test_lengths_of_an_arm_are_compared_before_it_runs(tmp_path: Path) -> None:
    for result in results_of(tmp_path, 2, LATE):
        assert "the functions of the ranks have not the same operations" in result["error"]


# -- one process ----------------------------------------------------------------------------------


def test_a_function_that_is_copied_or_made_again_has_the_same_numbers() -> None:
    x = T.dmatrix("x")
    rows, _ = scan(lambda row: distributed.allreduce(row), sequences=[x])
    f = function([x], [rows, distributed.allreduce(rows.sum())])
    again = function([x], rows * 2)
    for g in (f, f.copy()):
        assert g(np.ones((2, 3)))[1] == 6.0
    assert again(np.ones((2, 3))).tolist() == [[2.0] * 3] * 2


def test_a_loop_with_an_operation_is_unconditional() -> None:
    x = T.dmatrix("x")
    rows, _ = scan(lambda row: distributed.allreduce(row), sequences=[x])
    plain, _ = scan(lambda row: row * 2, sequences=[x])
    found = [
        [node.op.unconditional for node in toposort([loop]) if node.op.region is not None]
        for loop in (rows, plain)
    ]
    assert found == [[True], [False]]
