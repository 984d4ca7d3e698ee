"""Operations on all ranks inside of loops, and their order with those outside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import distributed, function, ifelse, scan
from symtheano.graph.walk import toposort
from tests.support.ranks import results_of

pytestmark = [pytest.mark.needs_mpi, pytest.mark.needs_cc]

LOOPS = """
from symtheano import scan
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
    exact, numeric = slope(values, 4)[1], np.zeros_like(values)
    for other in range(count):
        for place in np.ndindex(values.shape):
            ends = []
            for sign in (1, -1):
                moved = values.copy()
                if other == rank:
                    moved[place] += sign * 1e-5
                ends.append(sum(world.control.allgather(float(slope(moved, 4)[0]))))
            if other == rank:
                numeric[place] = (ends[0] - ends[1]) / 2e-5
    result[name] = exact, numeric
# Fixed and unknown lengths; no iteration at all; a result that nothing uses.
rows, _ = scan(lambda k: distributed.allreduce(T.ones((k,))).sum(), sequences=[T.arange(n)])
g = function([n], rows)
result["lengths"] = [g(steps).tolist() for steps in (3, 0, 5)]
"""


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


# -- one process ----------------------------------------------------------------------------------


def test_a_function_that_is_copied_or_made_again_has_the_same_numbers() -> None:
    x = T.dmatrix("x")
    rows, _ = scan(lambda row: distributed.allreduce(row), sequences=[x])
    f = function([x], [rows, distributed.allreduce(rows.sum())])
    again = function([x], rows * 2)
    for g in (f, f.copy()):
        assert g(np.ones((2, 3)))[1] == 6.0
    assert again(np.ones((2, 3))).tolist() == [[2.0] * 3] * 2


def test_a_loop_with_an_operation_is_moved_into_no_branch() -> None:
    x = T.dmatrix("x")
    rows, _ = scan(lambda row: distributed.allreduce(row), sequences=[x])
    with pytest.raises(NotImplementedError, match="one of two arms"):
        function([x], ifelse.ifelse(x.sum() > 0, rows, x))
    plain, _ = scan(lambda row: row * 2, sequences=[x])
    found = [
        [node.op.unconditional for node in toposort([loop]) if node.op.region is not None]
        for loop in (rows, plain)
    ]
    assert found == [[True], [False]]
