"""Values are called after what the user calls them, or what they are."""

from __future__ import annotations

import re

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, shared
from symtheano.gradient import Rop, jacobian
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc

x, c = T.dmatrix("x"), T.dmatrix("c")


def allocated(text: object) -> list[str]:
    """Return the names of the outputs, in order."""
    found = re.findall(r"\*(\w+) = ST_ALLOCATE\((\d+)", str(text))
    return [name for name, number in sorted(found, key=lambda pair: int(pair[1]))]


def test_outputs() -> None:
    w, t = T.dvector("w"), shared(np.float64(1), "t")
    named = (x * w).sum(axis=0)
    named.name = "total"
    loss = T.exp(T.dot(x, w)).sum()
    steps = function([x, w], [named, loss, grad(loss, w), x.sum()], updates=[(t, t + 1)])
    assert allocated(steps.c_source)[:3] == ["total", "loss", "w_grad"]
    assert re.fullmatch(r"out|steps", allocated(steps.c_source)[3])
    assert allocated(steps.c_source)[4] == "t_new"
    by_key = function([x], {"mean": x.mean(), "all": x * 2})
    assert sorted(allocated(by_key.c_source)) == ["all", "mean"]


def test_other_derivatives_are_not_called_after_the_line_of_the_function() -> None:
    w = T.dvector("w")
    y = T.exp(w) * 2
    f = compiled([w], [y, Rop(y, w, w), jacobian(y, w)])
    first, *others = allocated(f.c_source)
    assert first == "y"
    assert all(name.startswith("out") for name in others)


def test_values_in_between() -> None:
    hidden = T.tanh(T.dot(x, c))
    y = T.dot(hidden, c) + 1
    assert "double *hidden_tanh = " in str(function([x, c], y).c_source)


def test_statistics_of_rows() -> None:
    centred = x - x.mean(axis=1, keepdims=True)
    spread = T.sqrt(T.sqr(centred).mean(axis=1, keepdims=True) + 1e-5)
    text = str(compiled([x], centred / spread).c_source)
    for name in ("mean", "mean_sqr", "sqrt"):
        assert re.search(rf"const double {name}_? = ", text), name
    narrow = T.fmatrix("narrow")
    assert "double sum_f64 = 0.0;" in str(function([narrow], narrow.sum(axis=1)).c_source)


def test_numbers_of_the_entry_point() -> None:
    k = T.dscalar("k")
    text = str(compiled([x, k], x * T.exp(k) / x.shape[0]).c_source)
    assert "const double k_value = k[0];" in text
    assert "const double exp_k_value = exp(k_value);" in text
    assert "const double x_d0_f64 = (double)x_d0;" in text
    small = T.TensorType("float64", (2, 2))("small")
    product = compiled([small], T.dot(small, small))
    assert "const double small_2 = small[2];" in str(product.c_source)


def test_lengths_have_one_name() -> None:
    text = str(compiled([x], T.zeros(x.shape[0] // 2) + x[0, 0]).c_source)
    assert not re.search(r"const int64_t \w+ = [a-z_]+\w*;", text.split("ST_EXPORT int32_t")[-1])


@pytest.mark.parametrize(
    "name", ["exp", "while", "2x", "st_fail", "a b", "runtime", "x_d0", "\u00e9"]
)
def test_names_that_conflict_with_others(name: str) -> None:
    v = T.dmatrix(name)
    y = T.exp(v) + v.shape[0]
    y.name = name
    f = function([v], [y, grad(y.sum(), v)], mode=Mode("c"))
    got, slope = f(np.ones((2, 3)))
    np.testing.assert_allclose(got, np.e + 2)
    np.testing.assert_allclose(slope, np.e)
