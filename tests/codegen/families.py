"""A function for each family of the language, whose schedule is kept in a golden file.

The lines here stand in those files: edit with care.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import function, grad, shared, sparse
from symtheano.function import Function

x, y, v, i = T.dmatrix("x"), T.dmatrix("y"), T.dvector("v"), T.lvector("i")
z, n = T.zmatrix("z"), T.lscalar("n")


def slices() -> Function:
    """Slices with a symbolic bound and a negative step: views; parts set and incremented."""
    outputs = [
        x[1:n, ::-1] * 2,
        T.set_subtensor(x[:, 0], v),
        T.inc_subtensor(x[::2], 1.0),
        grad(T.sqr(x[1:, :-1]).sum(), x),
    ]
    return function([x, v, n], outputs, name="slices")


def gathers() -> Function:
    """Integer arrays and masks: items gathered, set and added."""
    outputs = [
        x[i, 1:],
        x[:, v > 0].sum(0),
        T.inc_subtensor(v[i], 1.0),
        T.take_along_axis(x, T.argsort(x, axis=1), 1),
    ]
    return function([x, v, i], outputs, name="gathers")


def shapes() -> Function:
    """Other shapes of the same elements, joined arrays, repeated ones."""
    outputs = [
        T.concatenate([x.T, T.exp(y)], axis=0),
        x.reshape((-1, 2)).sum(1),
        T.stack([v, v + 1]),
        T.repeat(v, 3),
        T.tile(v, 2),
        T.pad(v, 1, mode="edge"),
        T.shape(x[1:]),
    ]
    return function([x, y, v], outputs, name="shapes")


def reductions() -> Function:
    """Reductions of rows and of all elements, positions of the largest, running sums."""
    outputs = [
        x.sum(axis=1),
        x.var(axis=0),
        x.argmax(axis=1),
        T.logsumexp(x, axis=1),
        T.cumsum(x, axis=0),
        T.diff(v),
        T.any(x > 0),
    ]
    return function([x, v], outputs, name="reductions")


def sorting() -> Function:
    """Sorted rows and columns, the largest items, counts, medians."""
    outputs = [
        T.sort(x, axis=1),
        T.sort(x, axis=0),
        T.argsort(v),
        T.topk(v, 3),
        T.bincount(i),
        T.searchsorted(v, x),
        T.median(x, axis=1),
    ]
    return function([x, v, i], outputs, name="sorting")


def systems() -> Function:
    """A positive definite system solved through its Cholesky factor, with the log-determinant."""
    a = T.dot(x, x.T) + T.eye(x.shape[0])
    factor = T.slinalg.cholesky(a)
    half = T.slinalg.solve_triangular(factor, v, lower=True)
    cost = T.sqr(half).sum() + 2 * T.log(T.diagonal(factor)).sum()
    return function([x, v], [cost, grad(cost, v)], name="systems")


def decompositions() -> Function:
    """Inverse, determinant, eigenvalues and singular values of batches of matrices."""
    b = T.dtensor3("b")
    outputs = [
        T.nlinalg.inv(b),
        T.nlinalg.slogdet(b)[1],
        T.nlinalg.eigh(b)[1],
        T.nlinalg.svd(b, compute_uv=False),
        T.nlinalg.qr(b)[1],
    ]
    return function([b], outputs, name="decompositions")


def products() -> Function:
    """Products of matrices and batches, contractions of several arrays."""
    a, b = T.dtensor3("a"), T.dtensor3("b")
    outputs = [
        T.dot(x, y.T) + v,
        T.matmul(a, b),
        T.einsum("ij,kj,k->i", x, y, v),
        T.tensordot(a, x, axes=((2,), (0,))),
        T.outer(v, v),
    ]
    return function([x, y, v, a, b], outputs, name="products")


def transforms() -> Function:
    """A filter in the frequency domain, and its gradient."""
    spectrum = T.fft.theano_rfft(x)
    smooth = T.fft.theano_irfft(spectrum * T.exp(-T.sqr(T.arange(spectrum.shape[1])))[:, None])
    return function([x], [smooth, grad(T.sqr(smooth).sum(), x)], name="transforms")


def complex_numbers() -> Function:
    """Complex arithmetic, and the gradient of a real cost."""
    w = z * z + 1j
    cost = T.sqr(abs(w)).sum()
    return function([z], [w, T.real(w), grad(cost, z)], name="complex_numbers")


def sparse_products() -> Function:
    """A sparse matrix times a dense one, and the gradient of its stored elements."""
    s = sparse.csr_matrix("s", dtype="float64")
    product = sparse.structured_dot(s, y)
    cost = T.sqr(product).sum()
    return function([s, y], [product, grad(cost, y)], name="sparse_products")


def updates() -> Function:
    """A shared array whose rows are incremented in place."""
    table = shared(np.zeros((8, 3)), "table")
    changed = [(table, T.inc_subtensor(table[i], -0.1 * x))]
    return function([i, x], table[i].sum(), updates=changed, name="updates")


FAMILIES: list[Any] = [
    slices,
    gathers,
    shapes,
    reductions,
    sorting,
    systems,
    decompositions,
    products,
    transforms,
    complex_numbers,
    sparse_products,
    updates,
]
