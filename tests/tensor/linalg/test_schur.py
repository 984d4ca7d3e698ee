"""Schur decompositions: of one matrix, of pairs, sorted, and of matrices without one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import NullTypeGradError
from symtheano.tensor.linalg.schur import QZ, SORTS, Schur, ordqz, qz, schur
from tests.support.compare import assert_same
from tests.tensor.linalg.matrices import DTYPES, LOOSE, arrays, variables

INTERPRETED, COMPILED = "INTERPRET", pytest.param("FAST_RUN", marks=pytest.mark.needs_cc)
SHAPES = [(4, 4), (5, 5), (2, 3, 3), (1, 1), (0, 0), (0, 2, 2)]

CHOSEN = {
    "lhp": lambda w: w.real < 0,
    "rhp": lambda w: w.real >= 0,
    "iuc": lambda w: abs(w) <= 1,
    "ouc": lambda w: abs(w) > 1,
}


def adjoint(x: Any) -> Any:
    return x.conj().swapaxes(-1, -2)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", [INTERPRETED, COMPILED])
def test_a_matrix_is_the_product_of_its_factors(dtype: str, mode: str) -> None:
    for output in ("real", "complex"):
        x = T.TensorType(dtype, (None, None))()
        batch = T.TensorType(dtype, (None, None, None))()
        single = function([x], schur(x, output), mode=mode)
        several = function([batch], schur(batch, output), mode=mode)
        for shape in SHAPES:
            (a,) = arrays(dtype, shape)
            t, z = (single if a.ndim == 2 else several)(a)
            is_real = output == "real" and dtype.startswith("float")
            assert t.dtype == z.dtype == (dtype if is_real else np.result_type(dtype, "complex64"))
            eye = np.broadcast_to(np.eye(shape[-1]), shape)
            assert_same(np.asarray(z @ t @ adjoint(z)), a.astype(t.dtype), LOOSE[dtype])
            assert_same(np.asarray(z @ adjoint(z)), eye.astype(t.dtype), LOOSE[dtype])
            assert not np.tril(t, -2 if is_real else -1).any()


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("mode", [INTERPRETED, COMPILED])
def test_chosen_eigenvalues_come_first(sort: str, mode: str) -> None:
    for dtype in ("float64", "complex128"):
        (a,) = arrays(dtype, (6, 6))
        (x,), a = variables(a), a / 4
        t, z = function([x], schur(x, sort=sort), mode=mode)(a)
        assert_same(z @ t @ adjoint(z), a, LOOSE[dtype])
        count = int(CHOSEN[sort](np.linalg.eigvals(a)).sum())
        assert 0 < count < 6, "the matrix has eigenvalues of both kinds"
        assert CHOSEN[sort](np.linalg.eigvals(t[:count, :count])).all()
        assert not CHOSEN[sort](np.linalg.eigvals(t[count:, count:])).any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", [INTERPRETED, COMPILED])
def test_pairs_of_matrices(dtype: str, mode: str) -> None:
    for sort in (None, *SORTS):
        x, y = variables(*arrays(dtype, (5, 5), (5, 5)))
        a, b = arrays(dtype, (5, 5), (5, 5))
        s, t, alpha, beta, q, z = function([x, y], ordqz(x, y, sort), mode=mode)(a, b)
        assert alpha.dtype == np.result_type(dtype, "complex64")
        assert_same(q @ s @ adjoint(z), a, LOOSE[dtype])
        assert_same(q @ t @ adjoint(z), b, LOOSE[dtype])
        assert not np.tril(t, -1).any()
        values = alpha / beta
        wanted = scipy.linalg.eigvals(a, b)
        same = abs(values[:, None] - wanted).min(axis=1)
        assert (same < abs(wanted).max() * LOOSE[dtype]).all()
        if sort is not None:
            first = CHOSEN[sort](values)
            assert 0 < first.sum() < 5, "the pair has eigenvalues of both kinds"
            assert list(first) == sorted(first, reverse=True)


@pytest.mark.needs_cc
def test_batches_and_empty_pairs_are_those_of_the_interpreter() -> None:
    for shape in ((2, 3, 3), (0, 3, 3), (2, 0, 0)):
        x, y = variables(*arrays("float64", shape, shape))
        a, b = arrays("float64", shape, shape)
        outputs = [*ordqz(x, y, None), *qz(x, y, "complex")]
        ours = function([x, y], outputs)(a, b)
        theirs = function([x, y], outputs, mode="INTERPRET")(a, b)
        for mine, its in zip(ours, theirs, strict=True):
            assert (mine.shape, mine.dtype) == (its.shape, its.dtype)
        for left, middle, right, whole in (
            (ours[4], ours[0], ours[5], a),
            (ours[4], ours[1], ours[5], b),
            (ours[8], ours[6], ours[9], a),
        ):
            assert_same(left @ middle @ adjoint(right), whole.astype(left.dtype), 1e-10)


@pytest.mark.parametrize("mode", [INTERPRETED, COMPILED])
def test_nan_and_infinities_stay_in_their_matrix(mode: str) -> None:
    a = np.stack([np.eye(2), np.full((2, 2), np.nan), np.full((2, 2), np.inf)])
    (x,) = variables(a)
    f = function([x], [*schur(x), *ordqz(x, x, None)], mode=mode)
    for result in f(a):
        assert np.isfinite(result[0]).all()
        assert np.isnan(result[1:]).all()


def test_arguments_are_checked() -> None:
    x = T.dmatrix("x")
    with pytest.raises(ValueError, match="sort='up' is neither None nor one of lhp, rhp"):
        schur(x, sort="up")
    with pytest.raises(ValueError, match="output='both'"):
        qz(x, x, output="both")
    with pytest.raises(ValueError, match="on_error='stop'"):
        Schur(on_error="stop")
    with pytest.raises(TypeError, match="qz takes matrices"):
        qz(x, T.dvector())
    with pytest.raises(ValueError, match="square"):
        schur(np.ones((2, 3)))
    with pytest.raises(ValueError, match="square"):
        function([x], schur(x), mode="INTERPRET")(np.ones((2, 3)))
    assert "could be sorted" not in QZ().trouble(-2, 0)[0]
    for result in (schur(x)[0], qz(x, x)[0]):
        with pytest.raises(NullTypeGradError, match="has no gradient"):
            grad(result.sum(), x)
