"""Batches of the dense operands of sparse functions, and Jacobians through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.gradient import hessian, jacobian
from symtheano.tensor.vectorize import vectorize_graph
from tests.sparse.harness import FORMATS, compiled, interpreted, random_sparse
from tests.support.compare import count

EXPRESSIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "structured_dot": lambda x, v, d: S.structured_dot(x, v),
    "structured_dot with a matrix": lambda x, v, d: S.structured_dot(x, d),
    "structured_dot from the left": lambda x, v, d: S.structured_dot(d.T, x.T),
    "dot": lambda x, v, d: S.dot(x, d * v.dimshuffle(0, "x")),
    "of two": lambda x, v, d: S.structured_dot(S.mul_s_v(x, v), d),
    "elements": lambda x, v, d: S.csm_data(S.mul_s_v(x, v)),
    "sampling_dot": lambda x, v, d: S.csm_data(S.sampling_dot(x.toarray()[:, :2], d, x)),
    "sums": lambda x, v, d: (
        S.sp_sum(S.mul_s_v(x, v), 0, True) + S.sp_sum(S.mul_s_v(x, v), None, True)
    ),
    "to dense": lambda x, v, d: S.mul_s_v(x, v).toarray(),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_batches_against_a_loop(format: str, name: str) -> None:
    x, v, d = S.matrix(format, "x"), T.vector("v"), T.matrix("d")
    a = random_sparse(1, format=format)
    random = np.random.default_rng(0)
    many_v, many_d = random.uniform(size=(2, 3, 4)), random.uniform(size=(2, 3, 4, 2))
    y = EXPRESSIONS[name](x, v, d)
    vs, ds = T.tensor3("vs"), T.tensor4("ds")
    one = interpreted([x, v, d], y)
    for moved in ({v: vs, d: ds}, {v: vs}, {d: ds}):
        batched = vectorize_graph(y, moved)
        got = interpreted([x, v, d, vs, ds], batched)(a, many_v[0, 0], many_d[0, 0], many_v, many_d)
        if batched.ndim == y.ndim:  # it does not depend on what is replaced
            continue
        for place in np.ndindex(2, 3):
            item_v = many_v[place] if v in moved else many_v[0, 0]
            item_d = many_d[place] if d in moved else many_d[0, 0]
            np.testing.assert_allclose(got[place], one(a, item_v, item_d), atol=1e-12)
            count("batches", 1)


@pytest.mark.needs_cc
@pytest.mark.parametrize("format", FORMATS)
def test_jacobians(format: str) -> None:
    x, v = S.matrix(format, "x"), T.vector("v")
    a, b = random_sparse(1, format=format), np.random.default_rng(0).uniform(size=4)
    products = [S.structured_dot(x, v), S.dot(x, v)]
    outputs = [jacobian(T.tanh(y), v) for y in products]
    outputs += [hessian((y**3).sum(), v) for y in products]
    outputs += [jacobian(products[0], S.csm_data(x))]
    m = a.toarray()
    slope = (1 - np.tanh(m @ b) ** 2)[:, None] * m
    bent = np.einsum("ri,rj,r->ij", m, m, 6 * (m @ b))
    coo = a.tocoo() if format == "csr" else a.T.tocsr().T.tocoo()
    by_data = np.where(np.arange(5)[:, None] == coo.row, b[coo.col], 0)
    for make in (interpreted, compiled):
        *got, last = make([x, v], outputs)(a, b)
        for mine, its in zip(got, (slope, slope, bent, bent), strict=True):
            np.testing.assert_allclose(mine, its, atol=1e-12)
        np.testing.assert_allclose(last, by_data)


def test_structures_that_differ_are_refused() -> None:
    v, w, i, ns = T.vector("v"), T.vector("w"), T.ivector("i"), T.imatrix("ns")
    y = S.structured_dot(S.CSR(v, i, [0, 1, 2], (2, 3)), w)
    with pytest.raises(NotImplementedError, match="would differ from item to item"):
        vectorize_graph(y, {i: ns})
    vs = T.matrix("vs")
    with pytest.raises(NotImplementedError, match="batches of sparse matrices are not supported"):
        vectorize_graph(S.CSR(v, i, [0, 1, 2], (2, 3)), {v: vs})
    with pytest.raises(NotImplementedError):
        vectorize_graph(S.sp_sum(S.csr_from_dense(T.outer(v, w))), {v: vs})
    x = S.csr_matrix("x")
    with pytest.raises(NotImplementedError, match=r"use csm_data\(matrix\)"):
        jacobian(S.structured_dot(x, v), x)
    batched = vectorize_graph(y, {v: vs})
    got = interpreted([vs, i, w], batched)([[1.0, 2.0], [3.0, 4.0]], [2, 0], [1.0, 5.0, 10.0])
    np.testing.assert_array_equal(got, [[10.0, 2.0], [30.0, 4.0]])


@pytest.mark.needs_cc
def test_jacobians_through_conversions_and_sums() -> None:
    x, d, v, e = S.csr_matrix("x"), T.matrix("d"), T.vector("v"), T.matrix("e")
    made = S.csc_from_dense(d)
    outputs = [
        jacobian(S.structured_dot(made, v), d),
        jacobian(S.sp_sum(made + S.csr_from_dense(2 * d), 1) + S.sp_sum(made, 1), d),
        jacobian(S.structured_dot(S.mul_s_v(x, v) + S.csr_from_dense(e), v), v),
        jacobian(S.sp_sum(S.CSR(v, [0, 2, 1, 0], [0, 2, 4], (2, 3)), 1), v),
    ]
    a, b, c = (random_sparse(seed).toarray() for seed in (1, 2, 3))
    w = np.random.default_rng(0).uniform(size=4)
    each = np.eye(5)[:, :, None]
    wanted = [each * (w * (a != 0)), each * np.full(4, 4.0), 2 * c * w + b,
              [[1, 1, 0, 0], [0, 0, 1, 1]]]  # fmt: skip
    for make in (interpreted, compiled):
        got = make([x, d, e, v], outputs)(random_sparse(3), a, b, w)
        for mine, its in zip(got, wanted, strict=True):
            np.testing.assert_allclose(mine, its, atol=1e-12)
