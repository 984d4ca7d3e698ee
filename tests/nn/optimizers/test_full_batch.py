"""Methods of SciPy that evaluate a cost and its gradient: BFGS and conjugate gradients."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der

import symtheano.tensor as T
from symtheano import Mode, shared
from symtheano.nn import optimizers
from symtheano.nn.optimizers import BFGS, LBFGS, ConjugateGradient, FullBatch

INTERPRET = Mode("interpret", "fast_run")
KINDS = [BFGS, LBFGS, ConjugateGradient]


@pytest.mark.parametrize("kind", [BFGS, ConjugateGradient])
def test_rosenbrocks_function(kind: Any) -> None:
    start = np.array([-1.2, 1.0, 0.7])
    p = shared(start.copy(), "p")
    cost = (100 * (p[1:] - p[:-1] ** 2) ** 2 + (1 - p[:-1]) ** 2).sum()
    seen: list[int] = []
    found = kind().minimize(cost, [p], callback=lambda k, value: seen.append(k), mode=INTERPRET)
    want = minimize(rosen, start, jac=rosen_der, method=kind.method, options={"maxiter": 1000})
    assert found.success
    assert seen == list(range(1, found.nit + 1))
    np.testing.assert_allclose(p.get_value(), want.x, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_descriptions_come_back(kind: Any) -> None:
    rule = kind(max_iter=7, tolerance_grad=1e-3)
    back = optimizers.from_config(json.loads(json.dumps(rule.config())))
    assert type(back) is kind
    assert (back.max_iter, back.tolerance_grad) == (7, 1e-3)
    assert isinstance(back, FullBatch)


@pytest.mark.parametrize("kind", KINDS)
def test_one_function_serves_several_minimizations(kind: Any) -> None:
    w, x = shared(np.zeros(2), "w"), T.dvector("x")
    run = kind().minimizer(T.sqr(w - x).sum(), [w], [x], mode=INTERPRET)
    for target in ([1.0, 2.0], [-3.0, 0.5]):
        assert run([np.array(target)], None).success
        np.testing.assert_allclose(w.get_value(), target, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_is_no_update(kind: Any) -> None:
    w = shared(np.zeros(2), "w")
    with pytest.raises(NotImplementedError, match=rf"use {kind.__name__}\(\)\.minimize\(cost"):
        kind().updates(T.sqr(w).sum(), [w])


@pytest.mark.parametrize("kind", KINDS)
def test_methods_for_full_batches_show_their_arguments(kind: Any) -> None:
    assert repr(kind(max_iter=7)).startswith(f"{kind.__name__}(max_iter=7, ")
    with pytest.raises(TypeError, match=rf"{kind.__name__}: .*minimize\(cost, parameters, inp"):
        kind().minimize(shared(1.0) ** 2)
