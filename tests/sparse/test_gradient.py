"""Gradients: by finite differences with respect to components, and the sparse ones of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import grad, sparse as S, verify_grad
from symtheano.function.verify import verify_rop
from symtheano.sparse.boundary import split_boundary
from symtheano.sparse.type import is_sparse
from tests.sparse.harness import (
    FORMATS,
    ORACLE,
    compiled,
    interpreted,
    random_sparse,
    shuffled,
    valid,
)

pytestmark = pytest.mark.needs_cc

OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "structured_dot": lambda x, y: S.structured_dot(x, y.T),
    "dot": lambda x, y: S.dot(x, y.T),
    "true_dot": lambda x, y: S.true_dot(x.T, y),
    "hstack": lambda x, y: S.hstack([x, y, x]),
    "vstack": lambda x, y: S.vstack([x, y], "csr"),
}
WITH_DENSE: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, d: x + d,
    "mul": lambda x, d: x * d,
    "structured_dot": lambda x, d: S.structured_dot(x, d.T),
    "structured_dot from the left": lambda x, d: S.structured_dot(d.T, x),
    "dot": lambda x, d: S.dot(d.T, x),
    "dot with a vector": lambda x, d: S.dot(x, d[0]),
    "sampling_dot": lambda x, d: S.sampling_dot(d, d[:4] * 2, x),
    "usmm": lambda x, d: S.usmm(d[0, 0], x, d.T, T.outer(d[:, 0], d[:, 0])),
    "row_scale": lambda x, d: S.row_scale(x, d[:, 0]),
    "col_scale": lambda x, d: S.col_scale(x, d[0]),
    "structured_add_s_v": lambda x, d: S.structured_add_s_v(x, d[0]),
    "sums": lambda x, d: S.sp_sum(x, 0) * d[0] + S.sp_sum(x, 1, True).sum() + S.sp_sum(x),
    "diag": lambda x, d: S.diag(x) * d[0],
    "square_diagonal": lambda x, d: S.square_diagonal(d[0]),
    "rows": lambda x, d: x[[0, 3, 0]],
    "block": lambda x, d: x[::-1, 1:3],
    "elements": lambda x, d: x[[0, 2, 4, 4], [1, 1, -1, 0]],
    "to dense": lambda x, d: S.dense_from_sparse(x, structured=False) * d,
    "from dense": lambda x, d: S.csr_from_dense(d) * 2.0,
    "other format": lambda x, d: S.to_format(S.to_format(x, "csr"), "csc"),
    "elementwise": lambda x, d: S.structured_pow(S.tanh(x) + x, 3),
    "clean": lambda x, d: S.clean(x),
    "list": lambda x, d: S.construct_sparse_from_list(d, d[:2] * d[1:3], [1, 1]),
}


def as_matrix(like: Any, data: Any) -> Any:
    """Return a symbolic matrix of the structure of ``like``."""
    return S.CSM(like.format)(data, like.indices, like.indptr, like.shape)


def as_array(variable: Any) -> Any:
    """Return a dense variable of equal elements, without anything sparse in its graph."""
    dense = variable.toarray() if is_sparse(variable) else variable
    return split_boundary([], [dense]).outputs[0][0]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", OF_TWO)
def test_of_two_sparse_matrices(format: str, name: str) -> None:
    x, y = (shuffled(random_sparse(seed, format=format)) for seed in (1, 2))

    def f(a: Any, b: Any) -> Any:
        return as_array(OF_TWO[name](as_matrix(x, a), as_matrix(y, b)))

    verify_grad(f, [x.data, y.data], mode=ORACLE)
    verify_rop(f, [x.data, y.data], mode=ORACLE)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", WITH_DENSE)
def test_with_dense_operands(format: str, name: str) -> None:
    x = shuffled(random_sparse(1, format=format))
    d = np.random.default_rng(2).uniform(0.2, 1, x.shape)

    def f(a: Any, b: Any) -> Any:
        return as_array(WITH_DENSE[name](as_matrix(x, a), b))

    verify_grad(f, [x.data, d], mode=ORACLE)
    verify_rop(f, [x.data, d], mode=ORACLE)


def test_of_complex_numbers() -> None:
    x = random_sparse(1, dtype="complex128")
    d = random_sparse(2, dtype="complex128", density=1).toarray()
    for f in (S.structured_dot, S.dot):
        verify_grad(lambda a, b, f=f: as_array(f(as_matrix(x, a), b.T)), [x.data, d], mode=ORACLE)


@pytest.mark.parametrize("format", FORMATS)
def test_structured_gradients_have_the_structure_of_the_matrix(format: str) -> None:
    x, d = S.matrix(format, "x"), T.matrix("d")
    cost = (S.structured_dot(x, d) ** 2).sum() + S.sp_sum(x * x, sparse_grad=True) / 2
    g = grad(cost, x)
    assert g.type == x.type
    a, b = random_sparse(1, format=format), np.random.default_rng(0).uniform(size=(4, 2))
    want = np.where(a.toarray() != 0, 2 * (a @ b) @ b.T + a.toarray(), 0)
    for make in (interpreted, compiled):
        got = make([x, d], g)(a, b)
        valid(got)
        np.testing.assert_array_equal(got.indices, a.indices)
        np.testing.assert_allclose(got.toarray(), want)


@pytest.mark.parametrize("format", FORMATS)
def test_structured_gradients_of_two_sparse_matrices(format: str) -> None:
    x, y = S.matrix(format, "x"), S.matrix(format, "y")
    costs = [
        S.sp_sum(x * y, sparse_grad=True),
        S.sp_sum(S.structured_dot(x, y.T), sparse_grad=True),
        S.sp_sum(x * y + x, sparse_grad=True) + S.sp_sum(S.hstack([x, y]), sparse_grad=True),
    ]
    gradients = [g.toarray() for cost in costs for g in grad(cost, [x, y])]
    args = [random_sparse(seed, format=format) for seed in (1, 2)]
    want = interpreted([x, y], gradients)(*args)
    a, b = (item.toarray() for item in args)
    np.testing.assert_allclose(want[0], np.where(a != 0, b, 0))
    np.testing.assert_allclose(want[1], np.where(b != 0, a, 0))
    for number, mine in enumerate(compiled([x, y], gradients)(*args)):
        np.testing.assert_allclose(mine, want[number], atol=1e-14, err_msg=f"gradient {number}")


@pytest.mark.parametrize("format", FORMATS)
def test_regular_gradients_have_all_elements(format: str) -> None:
    x, y, d = S.matrix(format, "x"), S.matrix(format, "y"), T.matrix("d")
    costs: list[tuple[Any, Callable[..., Any]]] = [
        (S.dot(x, d.T).sum(), lambda a, b, d: np.ones((5, 5)) @ d),
        (S.dot(d.T, x).sum(), lambda a, b, d: d @ np.ones((4, 4))),
        ((S.dot(x, d[0]) * d[:, 0]).sum(), lambda a, b, d: np.outer(d[:, 0], d[0])),
        ((S.dot(d[:, 0], x) * d[0]).sum(), lambda a, b, d: np.outer(d[:, 0], d[0])),
        (S.true_dot(x, y.T).sum(), lambda a, b, d: np.ones((5, 5)) @ b),
        (x.sum(), lambda a, b, d: np.ones((5, 4))),
        ((x.sum(0) * d[0]).sum(), lambda a, b, d: np.tile(d[0], (5, 1))),
        ((x.sum(1) * d[:, 0]).sum(), lambda a, b, d: np.tile(d[:, :1], (1, 4))),
        (S.diag(x[:4]).sum(), lambda a, b, d: np.eye(5, 4)),
        ((S.dense_from_sparse(x, structured=False) * d).sum(), lambda a, b, d: d),
        ((x.toarray() * d).sum(), lambda a, b, d: np.where(a != 0, d, 0)),
    ]
    dense = [g.toarray() if is_sparse(g) else g for g in (grad(cost, x) for cost, _ in costs)]
    a, b = (random_sparse(seed, format=format) for seed in (1, 2))
    c = random_sparse(3, density=1).toarray()
    for make in (interpreted, compiled):
        got = make([x, y, d], dense)(a, b, c)
        for number, (mine, (_, reference)) in enumerate(zip(got, costs, strict=True)):
            want = reference(a.toarray(), b.toarray(), c)
            np.testing.assert_allclose(mine, want, atol=1e-12, err_msg=f"cost {number}")
    square = S.diag(x).sum()
    s = random_sparse(1, (3, 3), format)
    np.testing.assert_array_equal(compiled([x], grad(square, x))(s).toarray(), np.eye(3))


def test_gradients_of_true_dot_keep_dense_factors_dense() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    for keep in (True, False):
        g = grad(S.true_dot(x, d, grad_preserves_dense=keep).sum(), d)
        assert is_sparse(g) != keep
        got = interpreted([x, d], g.toarray() if is_sparse(g) else g)
        a = random_sparse(1)
        want = np.repeat(a.toarray().sum(0)[:, None], 2, axis=1)
        np.testing.assert_allclose(got(a, np.ones((4, 2))), want)


FROM_DENSE: dict[str, Callable[[Any, Any, Any], Any]] = {
    "conversion": lambda d, e, w: S.sp_sum(S.csc_from_dense(d)),
    "rows": lambda d, e, w: (S.sp_sum(S.csr_from_dense(d), 1) * w[:, 0]).sum(),
    "add": lambda d, e, w: S.sp_sum(S.add(S.csc_from_dense(d), S.csr_from_dense(e))),
    "sub, transposed": lambda d, e, w: (
        (S.csr_from_dense(d) - S.csc_from_dense(e)).T.sum(1) * w[0]
    ).sum(),
    "dot": lambda d, e, w: (S.dot(S.csc_from_dense(d) + S.csc_from_dense(e), w.T) ** 2).sum(),
    "true_dot": lambda d, e, w: S.sp_sum(S.true_dot(S.csc_from_dense(d), e.T)),
    "true_dot of two": lambda d, e, w: (
        S.sp_sum(S.true_dot(S.csr_from_dense(d), S.csc_from_dense(e).T), 1) * w[:, 0]
    ).sum(),
    "converted": lambda d, e, w: (
        S.dense_from_sparse(S.to_format(S.csc_from_dense(d), "csr"), structured=False) * w
    ).sum(),
    "used twice": lambda d, e, w: (
        (lambda x: S.sp_sum(x, 0) * S.sp_sum(x + x, 0))(S.csc_from_dense(d)) * w[0]
    ).sum(),
}


@pytest.mark.parametrize("name", FROM_DENSE)
def test_gradients_of_dense_matrices_made_sparse_are_regular(name: str) -> None:
    d, e, w = T.matrices("d", "e", "w")
    y = FROM_DENSE[name](d, e, w)
    gradients = grad(y, [d, e], disconnected_inputs="ignore")
    cost = interpreted([d, e, w], y)
    args = [random_sparse(seed).toarray() for seed in (1, 2)]
    args.append(np.random.default_rng(3).uniform(1, 2, (5, 4)))
    for make in (interpreted, compiled):
        got = make([d, e, w], gradients)(*args)
        for number in (0, 1):
            want = np.zeros((5, 4))
            for place in np.ndindex(5, 4):
                ends = []
                for step in (1e-4, -1e-4):
                    moved = [item.copy() for item in args]
                    moved[number][place] += step
                    ends.append(cost(*moved))
                want[place] = (ends[0] - ends[1]) / 2e-4
            np.testing.assert_allclose(got[number], want, rtol=1e-6, atol=1e-6)


def test_structured_consumers_of_conversions_have_structured_gradients() -> None:
    d, e = T.matrices("d", "e")
    x, y = S.csr_from_dense(d), S.csc_from_dense(e)
    z = S.csr_matrix("z")
    costs = [x.sum(sparse_grad=True), S.structured_dot(x, e.T).sum(), (x * y).sum(sparse_grad=True),
             (x + y).sum(sparse_grad=True), (x + z).sum()]  # fmt: skip
    a, b, c = (random_sparse(seed).toarray() for seed in (1, 2, 3))
    own = a != 0
    wanted = [own, np.where(own, b.sum(0), 0), np.where(own, b, 0), own | (b != 0), own | True]
    by_z = grad(costs[-1], z).toarray()
    for make in (interpreted, compiled):
        got = make([d, e, z], [*(grad(cost, d) for cost in costs), by_z])(
            a, b, scipy.sparse.csr_matrix(c)
        )
        for mine, its in zip(got, [*wanted, np.ones((5, 4))], strict=True):
            np.testing.assert_allclose(mine, its)
