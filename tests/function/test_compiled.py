"""Compiled functions: calls, copies, and pickles."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, function, grad, shared


@pytest.mark.needs_cc
def test_trust_input_skips_checks() -> None:
    x = T.vector("x")
    f = function([x], x * 2)
    f.trust_input = True
    assert f(np.arange(3.0)).tolist() == [0, 2, 4]


@pytest.mark.needs_cc
def test_large_constants_are_not_printed() -> None:
    table = np.random.default_rng(0).normal(size=(50, 40))
    x = T.vector("x")
    f = function([x], [T.dot(x, T.constant(table)), T.constant(table) + 1, T.constant(table)])
    assert f.c_source is not None
    assert len(f.c_source) < 30_000
    product, more, same = f(np.ones(50))
    np.testing.assert_allclose(product, table.sum(0), rtol=1e-12)
    np.testing.assert_array_equal(more, table + 1)
    same[...] = 0
    np.testing.assert_array_equal(f(np.ones(50))[2], table)


def step(name: str | None = None, rate: float = 0.1, **options: Any) -> Any:
    x, w = T.matrix("x"), shared(np.ones((3, 2)), "w")
    loss = T.tanh(T.dot(x, w)).sum()
    return function([x], loss, updates={w: w - rate * grad(loss, w)}, name=name, **options)


def counter() -> tuple[Any, Any]:
    n = shared(0, "n")
    return n, function([], n, updates={n: n + 1}, name="count")


@pytest.mark.needs_cc
def test_a_copy_shares_or_swaps_shared_variables() -> None:
    n, count = counter()
    m = shared(10, "m")
    same, other = count.copy(share_memory=True), count.copy(swap={n: m}, name="other")
    look = count.copy(delete_updates=True)
    assert [int(f()) for f in (count, same, other, other, look, look, count)] == [
        *(0, 1, 10, 11, 2, 2, 2),
    ]
    assert other.name == "other"
    assert other.shared == [m]
    with pytest.raises(TypeError, match="of its type"):
        count.copy(swap={n: shared(1.0)})
    with pytest.raises(ValueError, match="not a shared variable of this function"):
        count.copy(swap={m: n})


@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
@pytest.mark.needs_cc
def test_a_function_travels_with_its_state(protocol: int, mode: str) -> None:
    x, k = T.vector("x"), T.scalar("k")
    w = shared(np.zeros(3), "w")
    f = function(
        [x, In(k, value=1.0, update=k + 1)], {"sum": (w * k).sum()}, updates={w: w + x},
        mode=mode, name="f", allow_input_downcast=True,
    )  # fmt: skip
    f(np.ones(3))
    data = pickle.dumps(f, protocol)
    g = pickle.loads(data)
    assert [float(f(np.ones(3))["sum"]) for _ in range(3)] == [6, 18, 36]
    assert [float(g(np.ones(3))["sum"]) for _ in range(3)] == [6, 18, 36]
    assert g["w"].tolist() == [4, 4, 4]
    assert (g.name, g.mode, g[g.inputs[1]]) == ("f", f.mode, 5)
    assert len(data) < 4000


@pytest.mark.needs_cc
def test_functions_that_share_a_variable_still_do_in_another_process() -> None:
    n, count = counter()
    look = function([], n)
    count()
    count2, look2 = pickle.loads(pickle.dumps([count, look]))
    count2()
    assert [int(look()), int(look2())] == [1, 2]


@pytest.mark.needs_cc
def test_a_deep_copy_has_a_state_of_its_own() -> None:
    _, count = counter()
    count()
    other = copy.deepcopy(count)
    assert [int(f()) for f in (count, other, count, other)] == [1, 1, 2, 2]
    assert int(copy.copy(count)()) == 3
    assert int(count()) == 4
