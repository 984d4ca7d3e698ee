"""Functions: rows for which there is no text for CUDA stay on the host; ours have C's values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import scipy.special

import symtheano.tensor as T
from symtheano import Function, function
from symtheano.codegen.passes.cuda.functions import SPECIAL, lacking
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import TABLE, scalar_op
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

v = T.vector("v")
SPECIAL_ROWS = [
    row
    for row in TABLE.values()
    if row.external in SPECIAL["special_functions.h"] or row.name == "owens_t"
]


@pytest.mark.parametrize(
    ("name", "dtype", "lacks"),
    [
        ("exp", "float64", False), ("exp", "complex128", False), ("hyp2f1", "float32", True),
        ("psi", "float64", False), ("gammaln", "float32", False),
    ],
)  # fmt: skip
def test_rows(name: str, dtype: str, lacks: bool) -> None:
    row = scalar_op(name)
    assert lacking(row, row.signature((dtype,) * row.nin)) is lacks


def test_the_host_computes_the_others() -> None:
    y = T.hyp2f1(1.5, 0.5, 2.5, v / 3) + 1
    assert cuda_program([v], y).kernels == ()
    assert_emulated([v], y, [np.array([0.5, 1.5, 2.5])])
    rest = [y, v * 3]
    assert len(cuda_program([v], rest).kernels) in (0, 1)
    assert_emulated([v], rest, [np.array([0.5, 1.5, 2.5])])


def kernels_of(f: Function) -> int:
    """Return how many kernels a function has."""
    source = f.stages.built.device
    assert source is not None
    return len(source.entries)


def error(mine: np.ndarray[Any, Any], its: np.ndarray[Any, Any], whole: bool) -> float:
    """Return the largest error, in units of each element: of the ``whole`` complex number, or of 1.

    Infinite elements are the same, and those that are not a number.
    """
    np.testing.assert_array_equal(np.isnan(mine), np.isnan(its))
    np.testing.assert_array_equal(np.isinf(mine), np.isinf(its))
    finite = np.isfinite(its)
    mine, its = mine[finite], its[finite]
    limits = np.finfo(its.real.dtype)
    size = np.maximum(abs(its), limits.tiny if whole else 1)
    return float((abs(mine - its) / size).max() / limits.eps)


def numbers(dtype: str) -> np.ndarray[Any, Any]:
    """Return complex numbers with all pairs of edge values, and others."""
    limits = np.finfo(dtype)
    edges: list[float] = [
        0.0,
        1,
        0.5,
        30,
        1e-5,
        *map(float, (limits.max, limits.tiny, limits.resolution)),
        np.inf,
    ]
    parts = np.array([*edges, *(-edge for edge in edges), np.nan], limits.dtype)
    random = np.random.default_rng(0)
    sizes, angles = 10.0 ** random.uniform(-9, 5, 500), random.uniform(-4, 4, 500)
    z = np.empty((len(parts), len(parts)), dtype)
    z.real, z.imag = parts[:, None], parts
    return np.concatenate([z.ravel(), (sizes * np.exp(1j * angles)).astype(dtype)])


COMPLEX = (
    T.exp, T.log, T.sqrt, T.sin, T.cos, T.tan, T.sinh, T.cosh, T.tanh, T.arcsin, T.arccos,
    T.arctan, T.arcsinh, T.arccosh, T.arctanh,
)  # fmt: skip


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_functions(dtype: str) -> None:
    """Each is a kernel whose values are the processor's, by at most 3 units."""
    z = T.vector("z", dtype=dtype)
    outputs = [f(z) for f in COMPLEX]
    values = numbers(dtype)
    f = emulated([z], outputs)
    assert kernels_of(f) == 1
    for of, mine, its in zip(COMPLEX, f(values), function([z], outputs)(values), strict=True):
        assert error(mine, its, whole=True) <= 3, of


def test_complex_powers() -> None:
    """A power is exp(w log(z)), whose error grows with the size of w log(z)."""
    z, w = T.zvector("z"), T.zvector("w")
    random = np.random.default_rng(0)
    values = [random.normal(size=200) + 1j * random.normal(size=200) for _ in range(2)]
    values[0][:3], values[1][:5] = 0, [0, 2, 1j, -3, 99]
    outputs = [z**w, z**-2, T.exp2(z), T.log2(z), T.log10(z), z**0.5]
    for mine, its in zip(
        emulated([z, w], outputs)(*values), function([z, w], outputs)(*values), strict=True
    ):
        assert error(mine, its, whole=True) <= 100


def grid(row: ScalarOp) -> list[np.ndarray[Any, Any]]:
    """Return operands: edge values, and a range where the function's values are not all 0 or 1."""
    edges: Sequence[float] = [0, -0.0, 1, -1, 0.5, np.inf, -np.inf, np.nan, 1e-20, 1e300, -2.5, 26]
    if row.nin == 1:
        return [
            np.array([*edges, -1e300, -26.5, *np.linspace(-20, 20, 301), *np.geomspace(1e-8, 0.5)])
        ]
    first, second = np.meshgrid(
        [*edges[:-4], *np.geomspace(0.1, 30, 20)], np.geomspace(1e-3, 40, 20)
    )
    return [first.ravel(), second.ravel()]


def test_special_functions() -> None:
    """Each is a kernel whose values are SciPy's, by at most 200 units, or as much of 1."""
    a, b = T.vector("a"), T.vector("b")
    for nin in (1, 2):
        rows = [row for row in SPECIAL_ROWS if row.nin == nin and row.name != "polygamma"]
        inputs = [a, b][:nin]
        f = emulated(inputs, [row(*inputs) for row in rows])
        assert kernels_of(f) == 1
        operands = grid(rows[0])
        for row, mine in zip(rows, f(*operands), strict=True):
            assert error(mine, row.evaluate(operands, ("float64",) * nin), whole=False) <= 200, row


def test_incomplete_beta_functions() -> None:
    """SciPy's values by at most 200 units of 1, and by more of small values; edges are the same."""
    a, b, x = T.dvectors("a", "b", "x")
    f = emulated([a, b, x], [T.betainc(a, b, x), T.betaincc(a, b, x)])
    assert kernels_of(f) == 1
    random, count = np.random.default_rng(0), 500
    orders = [0, -0.0, 1e-20, 0.5, 2, 30, 1e10, np.inf, -1, np.nan]
    edges = np.meshgrid(orders, orders, [-0.1, 0, 1e-20, 0.3, 0.5, 0.99, 1, 1.1, np.nan])
    few, many = (10 ** random.uniform(*ends, (2, count)) for ends in ((-3, 1.5), (1, 6)))
    mean = many[0] / many.sum(axis=0)
    near = mean * np.exp(random.normal(size=count) * 3 / np.sqrt(many.min(axis=0)))
    for given in (
        [each.ravel() for each in edges],
        [*few, random.uniform(0, 1, count)],
        [few[0], many[1], np.clip(few[0] / many[1] * random.exponential(size=count), 0, 1)],
        [*many, np.clip(near, 0, 1)],
    ):
        for mine, of in zip(
            f(*given), (scipy.special.betainc, scipy.special.betaincc), strict=True
        ):
            wanted = of(*given)
            np.testing.assert_allclose(mine, wanted, 1e-10, 4e-14)


def test_inverses_of_incomplete_functions() -> None:
    """SciPy's values by a relative error of 1e-11; edges are the same."""
    a, b, p = T.dvectors("a", "b", "p")
    inputs, outputs = [a, b, p], [T.gammaincinv(a, p), T.gammainccinv(a, p), T.betaincinv(a, b, p)]
    f = emulated(inputs, outputs)
    assert kernels_of(f) == 1
    random, count = np.random.default_rng(0), 200
    small, large = 10 ** random.uniform(-1.5, 2, (2, count)), 10 ** random.uniform(1, 5, (2, count))
    some = random.uniform(0, 1, count)
    edges = np.meshgrid(
        [0.5, 1, 3, 26, -1, np.nan], [0.5, 3, -2, np.nan], [-0.1, 0, 0.3, 1, 1.1, np.nan]
    )
    for given in (
        [*small, some],
        [*large, some],
        [*small, 10 ** random.uniform(-40, 0, count)],
        [each.ravel() for each in edges],
    ):
        lower, upper, beta = f(*given)
        np.testing.assert_allclose(lower, scipy.special.gammaincinv(given[0], given[2]), 1e-11)
        np.testing.assert_allclose(upper, scipy.special.gammainccinv(given[0], given[2]), 1e-11)
        wanted = scipy.special.betaincinv(*given)  # at least the smallest normal number
        np.testing.assert_allclose(beta, wanted, 1e-11, 1e-307)


def test_bessel_functions_of_any_order() -> None:
    """SciPy's values by a relative error of 1e-11, of orders that are negative, large or whole."""
    n, x = T.dvectors("n", "x")
    rows = [scalar_op(name) for name in ("kv", "kve", "iv", "ive")]
    f = emulated([n, x], [row(n, x) for row in rows])
    assert kernels_of(f) == 1
    random, count = np.random.default_rng(0), 150
    for given in (
        [random.uniform(0, 5, count), 10 ** random.uniform(-3, 2, count)],
        [np.rint(random.uniform(-9, 9, count)), random.uniform(-30, 30, count)],
        [10 ** random.uniform(0, 2, count), 10 ** random.uniform(0, 4.5, count)],
        [random.uniform(-3, 0, count), 10 ** random.uniform(-1, 0.5, count)],
    ):
        for row, mine in zip(rows, f(*given), strict=True):
            np.testing.assert_allclose(mine, row.evaluate(given, ("float64",) * 2), 1e-11)


def test_bessel_functions_have_the_error_of_their_size() -> None:
    """SciPy's values by an error of 1e-12, where they are not larger than 1, as near roots."""
    n, x = T.dvectors("n", "x")
    f = emulated([n, x], T.jv(n, x))
    assert kernels_of(f) == 1
    random, count = np.random.default_rng(0), 300
    for given in (
        [random.uniform(-5, 5, count), 10 ** random.uniform(-3, 3, count)],
        [np.rint(random.uniform(-9, 9, count)), random.uniform(-30, 30, count)],
        [10 ** random.uniform(0, 2.5, count), 10 ** random.uniform(-2, 4, count)],
        [random.uniform(-40, 0, count), 10 ** random.uniform(0, 2, count)],
        [np.array([0, 0, 2, -2, 0.5, np.nan, 1]), np.array([0, 9, 0, 0, -1, 2, np.nan])],
    ):
        np.testing.assert_allclose(f(*given), scipy.special.jv(*given), 1e-12, 1e-12)


def test_binomial_coefficients() -> None:
    n, k = T.dvectors("n", "k")
    f = emulated([n, k], T.binom(n, k))
    random, count = np.random.default_rng(0), 300
    for given in (
        [random.uniform(-10, 50, count), random.uniform(-10, 50, count)],
        [random.integers(0, 60, count), random.integers(0, 60, count)],
        [random.uniform(0, 5, count), random.uniform(1e3, 1e6, count)],
    ):
        np.testing.assert_allclose(f(*given), scipy.special.binom(*given), 1e-8, 1e-14)


def test_derivatives_by_orders_need_psi() -> None:
    n, x = T.constant(2), T.dvector("x")
    y = [T.grad(T.gammainc(x, 2.0 * x).sum(), x), T.polygamma(n, x)]
    assert len(cuda_program([x], y).kernels) > 0
    assert_emulated([x], y, [np.linspace(0.5, 8, 9)])
