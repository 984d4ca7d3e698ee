"""Linear algebra by value, with gradients and batches."""

from __future__ import annotations

import numpy as np
import pytensor.tensor as pt
import pytest

from tests.pytensor.comparison import compare, compare_gradients

RNG = np.random.default_rng(11)
A = RNG.normal(size=(4, 4)) + 4 * np.eye(4)
SPD = A @ A.T
B, V = RNG.normal(size=(4, 3)), RNG.normal(size=4)


def test_products() -> None:
    x, y, v = pt.dmatrix("x"), pt.dmatrix("y"), pt.dvector("v")
    compare(
        [x, y, v], [x @ y, x @ v, v @ x, v @ v, pt.outer(v, v), pt.tensordot(x, y, 1)], [A, B, V]
    )
    p, q = pt.dtensor3("p"), pt.dtensor3("q")
    batches = [RNG.normal(size=(3, 2, 4)), RNG.normal(size=(3, 4, 2))]
    compare_gradients([p, q], pt.matmul(p, q), batches)


def test_systems_of_equations_and_inverses() -> None:
    a, b, v = pt.dmatrix("a"), pt.dmatrix("b"), pt.dvector("v")
    results = [
        pt.linalg.solve(a, b), pt.linalg.solve(a, v), pt.linalg.inv(a), pt.linalg.pinv(a),
        pt.linalg.solve_triangular(a, b, lower=True),
        pt.linalg.solve_triangular(a, v, lower=False, unit_diagonal=True),
        pt.linalg.solve(a, b, assume_a="pos"), pt.linalg.solve(a, b, assume_a="sym"),
    ]  # fmt: skip
    compare([a, b, v], results, [SPD, B, V], rtol=1e-9)


@pytest.mark.parametrize("name", ["det", "slogdet", "cholesky", "inv", "expm"])
def test_functions_of_a_matrix_and_their_gradients(name: str) -> None:
    a = pt.dmatrix("a")
    result = getattr(pt.linalg, name)(a)
    result = result[1] if isinstance(result, list | tuple) else result
    compare_gradients([a], result, [SPD / 10], rtol=1e-8, atol=1e-10)


def test_decompositions_give_the_matrix_back() -> None:
    a = pt.dmatrix("a")
    values, vectors = pt.linalg.eigh(a)
    u, s, vt = pt.linalg.svd(a, full_matrices=False)
    q, r = pt.linalg.qr(a)
    p, lower, upper = pt.linalg.lu(a)
    products = [(vectors * values) @ vectors.T, (u * s) @ vt, q @ r, p @ lower @ upper]
    for product in compare([a], products, [SPD], rtol=1e-9):
        np.testing.assert_allclose(product, SPD, rtol=1e-9)
    compare([a], [values, s, pt.linalg.svd(a, compute_uv=False)], [SPD])


def test_lu_factors_as_lapack_packs_them() -> None:
    a, b = pt.dmatrix("a"), pt.dmatrix("b")
    factors = pt.linalg.lu_factor(a)
    shuffled = A[[2, 0, 3, 1]]
    compare([a, b], [*factors, pt.linalg.lu_solve(factors, b)], [shuffled, B])
    indices = pt.linalg.lu(a, p_indices=True)
    compare([a], list(indices), [shuffled])


def test_batches_of_matrices() -> None:
    a, b = pt.dtensor3("a"), pt.dtensor3("b")
    batch = np.stack([SPD, SPD + np.eye(4)])
    right = np.stack([B, B + 1])
    results = [pt.linalg.cholesky(a), pt.linalg.solve(a, b), pt.linalg.inv(a), pt.linalg.det(a),
               pt.linalg.solve_triangular(a, b, lower=True)]  # fmt: skip
    compare([a, b], results, [batch, right], rtol=1e-9)


def test_batches_that_a_loop_computes_item_by_item() -> None:
    if not hasattr(pt, "signal"):
        pytest.skip("this version has no convolutions")
    x, y = pt.dmatrix("x"), pt.dtensor3("y")
    values = [RNG.normal(size=(3, 5)), RNG.normal(size=(2, 3, 4))]
    compare([x, y], [pt.signal.convolve1d(x, y, mode=mode) for mode in ("full", "same")], values)


def test_a_matrix_without_cholesky_factor_gives_nan_where_pytensor_does() -> None:
    a = pt.dmatrix("a")
    (result,) = compare([a], [pt.linalg.cholesky(a, on_error="nan") * 1.0], [-SPD])
    assert np.isnan(result).all()


def test_convolutions() -> None:
    x, y = pt.dvector("x"), pt.dvector("y")
    if not hasattr(pt, "signal"):
        pytest.skip("this version has no convolutions")
    results = [pt.signal.convolve1d(x, y, mode=mode) for mode in ("full", "valid", "same")]
    compare([x, y], results, [RNG.normal(size=7), RNG.normal(size=3)])


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5)])
def test_orthogonal_factors_in_all_modes(shape: tuple[int, int]) -> None:
    a = pt.dmatrix("a")
    for mode in ("full", "economic", "r", "raw"):
        for pivoting in (False, True):
            results = pt.linalg.qr(a, mode=mode, pivoting=pivoting)
            listed = results if isinstance(results, list | tuple) else [results]
            compare([a], list(listed), [RNG.normal(size=shape)], rtol=1e-9)


def test_schur_decompositions_give_the_matrices_back() -> None:
    if not hasattr(pt.linalg, "schur"):
        pytest.skip("this version has no Schur decomposition")
    a, b = pt.dmatrix("a"), pt.dmatrix("b")
    for sort in (None, "lhp", "ouc"):
        t, z = pt.linalg.schur(a, sort=sort)
        (result,) = compare([a], [z @ t @ z.T], [A], rtol=1e-9)
        np.testing.assert_allclose(result, A, rtol=1e-9)
        s, t, alpha, beta, q, z = pt.linalg.qz(a, b, sort=sort, return_eigenvalues=True)
        products = [q @ s @ z.T, q @ t @ z.T, pt.sort((alpha / beta).real)]
        first, second, _ = compare([a, b], products, [A, SPD[::-1]], rtol=1e-8)
        np.testing.assert_allclose(first, A, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(second, SPD[::-1], rtol=1e-8, atol=1e-10)


def test_tridiagonal_systems() -> None:
    a, b, v = pt.dmatrix("a"), pt.dmatrix("b"), pt.dvector("v")
    results = [pt.linalg.solve(a, b, assume_a="tridiagonal"),
               pt.linalg.solve(a, v, assume_a="tridiagonal")]  # fmt: skip
    compare([a, b, v], results, [np.triu(np.tril(A, 1), -1), B, V], rtol=1e-9)
    if not hasattr(pt.linalg, "tridiagonal_lu_factor"):
        pytest.skip("this version has no factors of tridiagonal matrices")
    factors = pt.linalg.tridiagonal_lu_factor(a)
    for transposed in (False, True):
        x = pt.linalg.tridiagonal_lu_solve(factors, b, b_ndim=2, transposed=transposed)
        compare([a, b], [*factors, x], [A[[1, 0, 2, 3]], B], rtol=1e-9)


def test_generalized_eigenvalues() -> None:
    a, b = pt.dmatrix("a"), pt.dmatrix("b")
    from pytensor.tensor import linalg

    compare([a, b], linalg.eigvalsh(a, b, lower=True), [SPD, SPD + np.eye(4)], rtol=1e-9)


def test_batches_of_equal_numbers() -> None:
    x = pt.dmatrix("x")
    ranges = pt.vectorize(lambda start, stop: pt.arange(start, stop), "(),()->(n)")
    starts, stops = pt.as_tensor(np.array([1])), pt.as_tensor(np.array([4, 4, 4]))
    shifted = pt.vectorize(lambda row, k: pt.cumsum(row) + k, "(n),()->(n)")
    compare([x], [ranges(starts, stops), shifted(x[0][None], pt.ones(3))], [A])
