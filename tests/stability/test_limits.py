"""Forms at zero, at infinities and at NaN, and rows with infinities: the limits, no NaN."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.tensor.nnet import softmax
from tests.stability.forms import FORMS
from tests.stability.symbolic import expression

RULES = default_rules()
POINTS = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
INF = np.inf
# Where the form as it is written is NaN, at the first four points; None where NaN is right.
LIMITS = {
    "log(exp(x) + 1) - x": {2: 0.0},
    "x + log(1 + exp(-x))": {3: 0.0},
    "exp(x) / (1 + exp(x))": {2: 1.0},
    "exp(-x) / (1 + exp(-x))": {3: 1.0},
    "exp(-x) / (1 + exp(-x))**2": {3: 0.0},
    "log(exp(x) / (1 + exp(x)))": {2: 0.0},
    "tanh written out": {2: 1.0, 3: -1.0},
    "(1 - exp(-2x)) / (1 + exp(-2x))": {3: -1.0},
    "sqrt(x + 1) - sqrt(x)": {2: 0.0},
    "log(x + sqrt(x**2 + 1))": {3: -INF},
    "exp(x) / (exp(x) - 1)": {2: 1.0},
    "exp(-x) / (1 - exp(-x))": {3: -1.0},
    "(exp(2x) - 1) / (exp(2x) + 1)": {2: 1.0},
    "sinh(x) / cosh(x)": {2: 1.0, 3: -1.0},
    "cosh(x) / sinh(x)": {2: 1.0, 3: -1.0},
    "exp(x**2) * erfc(x)": {2: 0.0},
    "log(gamma(x))": {1: INF},
    "log of the logistic density": {3: -INF},
    "(exp(x) - exp(-x)) / (exp(x) + exp(-x)) + 1": {2: 2.0, 3: 0.0},
    "exp(2x) / (exp(2x) + 1)": {2: 1.0},
    "exp(x)**2 / (exp(x)**2 + 1)": {2: 1.0},
    "(exp(x) - 1) / (exp(x) + 1)": {2: 1.0},
    "x * exp(x) / (exp(x) + 1)": {2: INF},
    "x * exp(x) / expm1(x)": {2: INF},
    "x**2 / (1 + x**2)": {2: 1.0, 3: 1.0},
    "x**4 / (1 + x**4)": {2: 1.0, 3: 1.0},
    "x**2 / (x**2 + 5)": {2: 1.0, 3: 1.0},
    "x / (1 + x**2)": {2: 0.0, 3: -0.0},
    "(x**2 - 1) / (x**2 + 1)": {2: 1.0, 3: 1.0},
    "(1 - x**2) / (1 + x**2)": {2: -1.0, 3: -1.0},
    "x**3 / (1 + x**2)": {2: INF, 3: -INF},
    "x**3 / (1 + x**3)": {2: 1.0, 3: 1.0},
    "x / (1 + x**4)": {2: 0.0, 3: -0.0},
    "2 * x / (1 + x**2)": {2: 0.0, 3: -0.0},
    "x**2 / (1 + x)": {2: INF, 3: -INF},
    "log(1 + x) - log(x)": {2: 0.0},
    "log(x) - log(1 + x)": {2: -0.0},
    "log((1 + x) / x)": {2: 0.0, 3: -0.0},
    "log(x / (1 + x))": {2: -0.0, 3: 0.0},
    "log(x + 2) - log(x)": {2: 0.0},
    "exp(-x**2) / erfc(x)": {2: INF},
    "exp(-x**2 / 2) / erfc(x / sqrt(2))": {2: INF},
    "exp(-x**2 / 2) / (1 - erf(x / sqrt(2)))": {2: INF},
    "Mills: erfc(x / sqrt(2)) / exp(-x**2 / 2)": {2: 0.0},
    "erfc(x) * exp(x**2) written erfc(x) / exp(-x**2)": {2: 0.0},
    "exp(-x**2 / 2) / (0.5 * erfc(x / sqrt(2))) / sqrt(2 pi)": {2: INF},
}


def both(inputs, outputs, values):
    """Compute as written, and rewritten."""
    graph = FunctionGraph(inputs, outputs)
    after = Rewriter(RULES).rewrite(graph)
    return interpret(graph, values), interpret(after, values)


def test_elementwise_forms_have_their_limits():
    forms = [form for form in FORMS if not form.rows and len(form.points[0]) == 1]
    assert set(LIMITS) <= {form.name for form in forms}
    for form in forms:
        inputs, value, _ = expression(form, "float64")
        (written,), (found,) = both(inputs, [value], [POINTS])
        wanted = written.copy()
        for k, limit in LIMITS.get(form.name, {}).items():
            assert np.isnan(written[k]), form.name
            wanted[k] = limit
        at_zero = np.isinf(found[1]) and np.isinf(written[1])  # 1 / -0.0 may be of either sign
        wanted[1] = found[1] if at_zero else wanted[1]
        np.testing.assert_allclose(found, wanted, rtol=1e-14, err_msg=form.name)


ROW = np.array([[-INF, -INF, -INF], [-INF, 1.0, 2.0], [INF, 1.0, 2.0], [-INF, 0.5, -INF]])


@pytest.mark.parametrize("shift", [False, True], ids=["as written", "shifted"])
def test_rows_with_infinities(shift):
    """A logsumexp of nothing but -inf is -inf; terms of -inf have no share and no gradient."""
    x = T.dmatrix("x")
    top = T.max(x, axis=1, keepdims=True)
    top = T.switch(T.isinf(top), 0.0, top) if shift else 0.0
    e = T.exp(x - top)
    total = T.log(e.sum(axis=1, keepdims=True)) + top
    share = e / e.sum(axis=1, keepdims=True)
    finite = [1, 3]
    outputs = [total[:, 0], share, softmax(x, axis=1), grad(total.sum(), x)]
    _, (sums, shares, library, slopes) = both([x], outputs, [ROW])
    assert sums[0] == -INF
    assert sums[2] == INF
    np.testing.assert_allclose(sums[finite], [2 + np.log1p(np.exp(-1)), 0.5], rtol=1e-15)
    wanted = np.array([[0, 1 / (1 + np.e), np.e / (1 + np.e)], [0, 1, 0]])
    for result in (shares, library, slopes):
        np.testing.assert_allclose(result[finite], wanted, rtol=1e-14)


def test_gradients_by_weights_of_zero():
    """The derivative by a mixture's weight is that of the formula, also where the weight is 0."""
    x, w = T.dmatrix("x"), T.dmatrix("w")
    total = T.log((w * T.exp(x)).sum(axis=1))
    values = [np.array([[1.0, 2.0, 5.0]]), np.array([[0.5, 0.5, 0.0]])]
    outputs = [total, *grad(total.sum(), [x, w])]
    for one, other in zip(*both([x, w], outputs, values), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-14)
    far = [np.array([[1000.0, -1000.0, 1500.0]]), np.array([[0.0, 0.25, 0.0]])]
    _, (value, slope, _) = both([x, w], outputs, far)
    np.testing.assert_allclose(value, [-1000 + np.log(0.25)], rtol=1e-15)
    np.testing.assert_array_equal(slope, [[0, 1, 0]])


def test_gradients_of_logarithms_of_products_with_zeros():
    x = T.dmatrix("x")
    given = np.array([[2.0, 4.0], [0.0, 4.0]])
    slope = grad(T.log(x.prod(axis=1)).sum(), x)
    (written,), (found,) = both([x], [slope], [given])
    np.testing.assert_allclose(found, [[0.5, 0.25], [INF, 0.25]])
    np.testing.assert_array_equal(written, [[0.5, 0.25], [INF, np.nan]])


def test_log_ndtr_has_a_gradient_far_from_zero():
    x = T.dvector("x")
    points = np.array([-1e8, -1e5, -40.0, -1.0, 0.0])
    _, (found,) = both([x], [grad(T.log_ndtr(x).sum(), x)], [points])
    # The Mills ratio: x + 1/x far from zero, and 2 phi(0) at zero.
    np.testing.assert_allclose(found[:2], [1e8, 1e5 + 1e-5], rtol=1e-14)
    np.testing.assert_allclose(found[2:], [40.02496888, 1.525135276, 0.7978845608], rtol=1e-8)


EDGES = np.array(
    [0.0, -0.0, 1.0, -2.5, 1e-320, 1e-200, -1e-160, 1e9, 1e160, -1e200, INF, -INF, np.nan]
)
ALWAYS_NEGATIVE = {
    "log(exp(a) - exp(b))",
    "a + log(1 - exp(b - a))",
    "log(a / b)",
    "log(a * b)",
    "log(a * b) - log(b)",
    "log(x**2 / y)",
}
"""Forms of which the operand of a logarithm is zero as written, and less than zero in truth."""
ROOTS = {"sqrt(a * b)", "sqrt(a / b)"}
"""The same of roots."""


@pytest.mark.parametrize("form", [f for f in FORMS if not f.rows and len(f.points[0]) == 2],
                         ids=lambda form: form.name)  # fmt: skip
def test_forms_of_two_operands_lose_no_value(form):
    """Where a form as it is written is a number or infinite, rewriting does not make it NaN."""
    inputs, value, _ = expression(form, "float64")
    pairs = [axis.ravel() for axis in np.meshgrid(EDGES, EDGES)]
    (written,), (found,) = both(inputs, [value], pairs)
    lost = ~np.isnan(written) & np.isnan(found)
    lost |= np.isfinite(written) & np.isinf(found)
    if form.name in ALWAYS_NEGATIVE:
        lost &= written != -INF
    if form.name in ROOTS:
        lost &= written != 0
    assert list(zip(*(axis[lost] for axis in pairs), strict=True)) == []
