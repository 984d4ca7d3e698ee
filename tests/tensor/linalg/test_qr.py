"""Gradients of orthogonal factors, and decompositions that choose columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import NullTypeGradError
from symtheano.function.verify import verify_grad
from symtheano.tensor.linalg.qr import qr
from tests.support.compare import assert_same
from tests.tensor.linalg.matrices import DTYPES, LOOSE, arrays, real, variables

MODES = ["INTERPRET", pytest.param("FAST_RUN", marks=pytest.mark.needs_cc)]


def test_gradient_of_r_in_mode_complete() -> None:
    verify_grad(lambda a: qr(a, "complete")[1], [real(4, 3)], n_tests=1, mode="INTERPRET")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", MODES)
def test_columns_are_those_of_scipy(dtype: str, mode: str) -> None:
    x = T.TensorType(dtype, (None, None))()
    results = {name: qr(x, name, pivoting=True) for name in ("reduced", "complete", "r", "raw")}
    outputs = [item for group in results.values() for item in group]
    f = function([x], outputs, mode=mode)
    for shape in ((3, 3), (5, 3), (3, 5), (1, 1), (12, 20)):
        (a,) = arrays(dtype, shape)
        q, r, p, whole, tall, _, only, _, h, tau, _ = f(a)
        (reflectors, factors), _, columns = scipy.linalg.qr(a, mode="raw", pivoting=True)
        for positions in (p, f(a)[5], f(a)[7], f(a)[10]):
            assert positions.dtype == np.int64
            assert list(positions) == list(columns)
        assert_same(q @ r, a[:, columns], LOOSE[dtype])
        assert_same(whole @ tall, a[:, columns], LOOSE[dtype])
        assert_same(only, r, LOOSE[dtype])
        assert_same(h, np.ascontiguousarray(reflectors.T), LOOSE[dtype])
        assert_same(tau, factors, LOOSE[dtype])
        sizes = abs(np.diagonal(r))
        assert (sizes[:-1] >= sizes[1:] * (1 - LOOSE[dtype])).all()


@pytest.mark.parametrize("mode", MODES)
def test_batches_empty_matrices_and_nan(mode: str) -> None:
    a = real(3, 4, 2)
    a[1, 0, 0] = np.nan
    (x,) = variables(a)
    f = function([x], [*qr(x, pivoting=True), *qr(x, "raw", pivoting=True), *qr(x, "raw")],
                 mode=mode)  # fmt: skip
    q, r, p, h, tau, again, plain, factors = f(a)
    for k in (0, 2):
        assert_same(q[k] @ r[k], a[k][:, p[k]], 1e-12)
        assert_same(plain[k], np.linalg.qr(a[k], "raw")[0], 1e-12)
        assert_same(factors[k], np.linalg.qr(a[k], "raw")[1], 1e-12)
    for item in (q, r, h, tau, plain, factors):
        assert np.isnan(item[1]).all()
    assert list(p[1]) == list(again[1]) == [0, 1]
    for shape in ((2, 0, 3), (2, 3, 0), (0, 2, 2)):
        sizes = [item.shape for item in f(np.zeros(shape))]
        batch, m, n = shape
        k = min(m, n)
        wanted: list[Any] = [(m, k), (k, n), (n,), (n, m), (k,), (n,), (n, m), (k,)]
        assert sizes == [(batch, *item) for item in wanted]


def test_gradients_of_chosen_columns() -> None:
    for position in (0, 1):
        verify_grad(lambda a, k=position: qr(a, pivoting=True)[k], [real(4, 3)], n_tests=1,
                    mode="INTERPRET")  # fmt: skip
    x = T.dmatrix("x")
    with pytest.raises(NullTypeGradError, match="no gradient in mode raw"):
        grad(qr(x, "raw", pivoting=True)[0].sum(), x)
