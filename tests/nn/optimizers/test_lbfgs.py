"""L-BFGS by SciPy."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import Mode, shared
from symtheano.nn import optimizers
from symtheano.nn.optimizers import LBFGS

INTERPRET = Mode("interpret", "fast_run")


def regression(dtype: str) -> tuple[Any, list[Any], dict[Any, Any], Any]:
    rng = np.random.default_rng(4)
    features = rng.normal(size=(30, 3))
    targets = features @ [1.0, -2.0, 0.5] + 0.3
    w, b = shared(np.zeros(3, dtype), "w"), shared(np.zeros((), dtype), "b")
    x, y = T.matrix("x", dtype), T.vector("y", dtype)
    cost = T.sqr(T.dot(x, w) + b - y).mean()
    return cost, [w, b], {x: features.astype(dtype), y: targets.astype(dtype)}, features


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_regression(dtype: str) -> None:
    cost, parameters, inputs, _ = regression(dtype)
    seen: list[tuple[int, float]] = []
    found = LBFGS().minimize(
        cost, parameters, inputs, lambda *now: seen.append(now), mode=INTERPRET
    )
    assert found.success
    assert_allclose(parameters[0].get_value(), [1.0, -2.0, 0.5], atol=1e-3)
    assert_allclose(parameters[1].get_value(), 0.3, atol=1e-3)
    assert [p.dtype for p in parameters] == [dtype, dtype]
    assert [count for count, _ in seen] == list(range(1, found.nit + 1))
    costs = [cost for _, cost in seen]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(found.fun)


def test_rosenbrock_is_scipys() -> None:
    from scipy.optimize import minimize, rosen, rosen_der

    start = np.array([-1.2, 1.0, 0.7])
    p = shared(start.copy(), "p")
    cost = (100 * (p[1:] - p[:-1] ** 2) ** 2 + (1 - p[:-1]) ** 2).sum()
    found = LBFGS(tolerance_grad=1e-9, tolerance_change=1e-15).minimize(cost, [p], mode=INTERPRET)
    expected = minimize(
        rosen, start, jac=rosen_der, method="L-BFGS-B", options={"gtol": 1e-9, "ftol": 1e-15}
    )
    assert_allclose(p.get_value(), np.ones(3), atol=1e-6)
    assert abs(found.nit - expected.nit) <= 3


def test_it_stops() -> None:
    cost, parameters, inputs, _ = regression("float64")
    found = LBFGS(max_iter=2).minimize(cost, parameters, inputs, mode=INTERPRET)
    assert (found.nit, found.success) == (2, False)

    def stop(count: int, cost: float) -> None:
        raise StopIteration

    for p in parameters:
        p.set_value(np.zeros_like(p.get_value()))
    assert LBFGS().minimize(cost, parameters, inputs, stop, mode=INTERPRET).nit == 1


def test_wrong_parameters() -> None:
    x = T.vector("x")
    with pytest.raises(
        TypeError, match="LBFGS: parameters must be shared variables of floats, not x"
    ):
        LBFGS().minimize(x.sum(), [x])


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    cost, parameters, inputs, _ = regression("float64")
    with pytest.raises(ImportError, match="SciPy cannot be imported\n  hint: install it"):
        LBFGS().minimize(cost, parameters, inputs)


def test_descriptions_come_back() -> None:
    rule = LBFGS(5, 4, 1e-3, 1e-4)
    back = optimizers.from_config(json.loads(json.dumps(rule.config())))
    assert type(back) is LBFGS
    assert back.config() == rule.config()
