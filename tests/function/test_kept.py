"""Values that a function keeps: inputs with defaults, and shared variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, function, grad, shared


def step(name: str | None = None, rate: float = 0.1, **options: Any) -> Any:
    x, w = T.matrix("x"), shared(np.ones((3, 2)), "w")
    loss = T.tanh(T.dot(x, w)).sum()
    return function([x], loss, updates={w: w - rate * grad(loss, w)}, name=name, **options)


def counter() -> tuple[Any, Any]:
    n = shared(0, "n")
    return n, function([], n, updates={n: n + 1}, name="count")


@pytest.mark.needs_cc
def test_values_that_are_kept() -> None:
    n, count = counter()
    count()
    assert count["n"] == count[n] == count.value["n"] == 1
    assert count.container[n].value == 1
    assert n in count
    assert "m" not in count
    count[n] = 5
    assert count() == 5
    with pytest.raises(KeyError, match="no input or shared variable m"):
        count["m"]
    with pytest.raises(KeyError, match="has no default value"):
        step()["x"]
    twins = shared(0.0, "t"), shared(0.0, "t")
    with pytest.raises(KeyError, match="2 shared variables named t"):
        function([], twins[0] + twins[1])["t"]


def test_what_can_t_be_kept_is_refused() -> None:
    x, w = T.vector("x"), shared(np.zeros(2), "w")
    f = function([In(x, value=np.ones(2))], x + w, mode="INTERPRET", name="sum_of_two")
    assert f["x"].tolist() == f[x].tolist() == [1, 1]
    f["x"] = [3.0, 4.0]
    assert f().tolist() == [3, 4]
    for key in (x, w, "x", "w"):
        with pytest.raises(TypeError, match="function sum_of_two: the value of "):
            f[key] = "words"
    with pytest.raises(TypeError, match="the value of w"):
        f["w"] = np.zeros((2, 2))
    assert f["w"].tolist() == [0, 0]
    assert f["x"].tolist() == [3, 4]


def test_containers_by_variable() -> None:
    x, y, w = T.vector("x"), T.vector("y"), shared(np.zeros(2), "w")
    f = function([x, In(y, value=np.ones(2))], x + y + w, mode="INTERPRET")
    assert set(f.container) == {y, w}
    assert f.container[w] is w.container
    assert f.value is f
    assert y in f
    assert x not in f
    assert "z" not in f
    with pytest.raises(KeyError, match="input x has no default value"):
        f[x]


def test_containers_by_name() -> None:
    x, y, w = T.vector("x"), T.vector("y"), shared(np.zeros(2), "w")
    f = function([x, In(y, value=np.ones(2))], x + y + w, mode="INTERPRET")
    assert f.container["y"] is f.container[y]
    assert f.container["w"] is w.container
    assert len(f.container) == 2
    assert "x" not in f.container
    with pytest.raises(KeyError, match="input x has no default value"):
        f.container[x]
    one, other = T.scalar("a"), T.scalar("a")
    g = function([In(one, value=1.0), In(other, value=2.0)], one - other, mode="INTERPRET")
    assert g[other] == 2
    with pytest.raises(KeyError, match="has 2 inputs named a"):
        g["a"]


def test_numbers_count_inputs_and_shared_variables() -> None:
    x, n = T.dscalars("x", "n")
    w = shared(3.0, name="w")
    f = function([x, In(n, value=2.0)], x * n + w)
    assert [float(f[1]), float(f.container[2].value)] == [2.0, 3.0]
    f[1] = 5.0
    assert float(f(1.0)) == 8.0
    with pytest.raises(KeyError, match="no default"):
        f[0]
    with pytest.raises(KeyError, match="no input or shared variable 3"):
        f[3]
