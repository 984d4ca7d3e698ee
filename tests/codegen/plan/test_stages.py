"""Reductions over any axes, and what uses them in the same nest."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.codegen.plan.stages import plan_nest
from symtheano.codegen.plan.steps import Nest
from tests.codegen.plan.test_schedule import nests, schedule
from tests.support.compare import check

x, w = T.tensor3("x"), T.vector("w")
a, b = T.matrix("a"), T.matrix("b")


def normalized(value: Any, axes: tuple[int, ...]) -> Any:
    """Return a value with mean 0 and variance 1 along axes."""
    mean, variance = value.mean(axes, keepdims=True), value.var(axes, keepdims=True)
    return (value - mean) / T.sqrt(variance + 1e-5)


def distances() -> Any:
    """Return the sum of a function of all distances between rows."""
    between = T.sqrt(T.sqr(a[:, None, :] - b[None, :, :]).sum(2) + 1e-6)
    return T.exp(-between).sum()


SOME = [axes for n in (1, 2) for axes in itertools.combinations(range(3), n)]
WITHIN_ROWS = [(1,), (2,), (1, 2), (0, 2)]
PROGRAMS: dict[str, tuple[list[Any], list[Any]]] = {
    "softmax": ([x], [T.nnet.softmax(x, axis=1)]),
    "gradient of log-softmax": (
        [x],
        [grad((T.nnet.logsoftmax(x, axis=1) * T.tanh(x)).sum(), x)],
    ),
    "normalization": ([x], [normalized(x, (1,))]),
    "normalization over the first and last axis": ([x], [normalized(x, (0, 2))]),
    "gradient of normalization": (
        [x, w],
        grad((T.sqr(normalized(x, (1,))) * T.tanh(x) * w).sum(), [x, w]),
    ),
    "gradient of distances": ([a, b], grad(distances(), [a, b])),
    "values of columns used alone": ([x], [T.exp(-x.max(1)) * 2, T.exp(x).sum(1)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_nest(name: str) -> None:
    made = schedule(*PROGRAMS[name])
    (nest,) = nests(made)
    assert not [item for item in nest.stores if item.ndim > max(o.ndim for o in made.outputs)]


def test_values_along_fewer_axes_have_loops_of_their_own() -> None:
    made = schedule([x], [x / T.sqrt(T.sqr(T.sin(x)).sum(1, keepdims=True))])
    (nest,) = nests(made)
    assert isinstance(nest, Nest)
    visits = [(visit.stage, visit.axes) for visit in plan_nest(nest, made.views).visits]
    assert visits == [(0, (1, 2)), (1, (2,)), (1, (1, 2))]


def test_only_what_later_loops_use_is_kept() -> None:
    value = T.sin(T.tanh(T.exp(a)))
    made = schedule([a], [value / value.sum(1, keepdims=True)])
    (nest,) = nests(made)
    (kept,) = plan_nest(nest, made.views).spills
    assert kept.owner.op.scalar_op.name == "sin"


CALLS = [(2, 3, 4), (1, 1, 1), (3, 1, 5), (1, 4, 1), (5, 17, 33), (0, 3, 2), (2, 3, 0)]


def test_values() -> None:
    rng = np.random.default_rng(0)
    inputs, outputs = [x, w, a, b], [o for _, found in PROGRAMS.values() for o in found]
    outputs += [normalized(x, axes) for axes in SOME]
    outputs += [T.nnet.softmax(x, axis=axis) for axis in (0, 2)]
    outputs += [T.exp(x - x.mean(axes, keepdims=True)).max(axes) for axes in WITHIN_ROWS]
    calls = [
        [rng.standard_normal(shape) for shape in ((i, j, k), (k,), (i, k), (j, k))]
        for i, j, k in CALLS
    ]
    check(inputs, outputs, calls)


@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_accumulators_of_another_dtype(dtype: str) -> None:
    y = T.tensor3("y", dtype=dtype)
    total = y.sum(
        1, keepdims=True, dtype=dtype, acc_dtype="float64" if dtype[0] == "f" else "int64"
    )
    rng = np.random.default_rng(0)
    calls = [[(rng.standard_normal(shape) * 9).astype(dtype)] for shape in CALLS]
    check([y], [y - total, total * 2, y.sum(1) + y.max(1, keepdims=True).sum(1)], calls[:-2])
