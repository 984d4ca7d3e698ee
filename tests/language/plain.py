"""The meaning of the names in a program: Symtheano for variables, NumPy and SciPy for values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.special

import symtheano.tensor as T
from symtheano import sparse as S

Array = np.ndarray[Any, Any]


def _softmax(x: Array, axis: int) -> Array:
    """Return ``exp(x) / sum(exp(x))``: an infinite number leaves the others at zero."""
    largest = x.max(axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(largest), largest, 0).astype(x.dtype))
    return np.asarray(e / e.sum(axis, keepdims=True))


def _logsumexp(x: Array, axis: Any, keepdims: bool) -> Array:
    largest = x.max(axis, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0).astype(x.dtype)
    total = np.log(np.exp(x - largest).sum(axis, keepdims=True)) + largest
    return np.asarray(total if keepdims else total.squeeze(axis))


def _dimshuffle(x: Array, *order: Any) -> Array:
    kept = x.transpose([a for a in order if a != "x"])
    return kept[tuple(None if a == "x" else slice(None) for a in order)]


def _split(x: Array, sizes: Sequence[int], n: int, axis: int) -> list[Array]:
    return np.split(x, np.cumsum(sizes)[: n - 1], axis)


def _rfft(x: Array, norm: Any = None) -> Array:
    z = np.fft.rfftn(x, axes=range(1, x.ndim), norm=norm or "backward")
    return np.stack([z.real, z.imag], -1)


def _irfft(x: Array, norm: Any = None, is_odd: bool = False) -> Array:
    z = x[..., 0] + 1j * x[..., 1]
    lengths = [*z.shape[1:-1], 2 * (z.shape[-1] - 1) + is_odd]
    return np.fft.irfftn(z, lengths, range(1, z.ndim), norm=norm or "backward")


def _changed(change: Callable[..., Any]) -> Callable[..., Array]:
    """Return what changes and returns a copy, made from a function of NumPy that changes."""

    def made(x: Array, *args: Any) -> Array:
        y = x.copy()
        change(y, *args)
        return y

    return made


def _set_diagonal(x: Array, value: Any, offset: int) -> Array:
    y = x.copy()
    rows = np.arange(len(np.diagonal(x, offset)))
    y[rows + max(-offset, 0), rows + max(offset, 0)] = value
    return y


def _topk(x: Array, k: int, axis: int) -> Array:
    order = np.sort(x, axis)
    n = x.shape[axis]
    return np.take(order, range(n - 1, n - 1 - k, -1) if k > 0 else range(-k), axis)


class _Plain:
    """NumPy under the names of ``symtheano.tensor``."""

    def __getattr__(self, name: str) -> Any:
        return _OWN[name] if name in _OWN else getattr(np, name)


_OWN: dict[str, Any] = {
    "sqr": np.square,
    "sgn": np.sign,
    "cast": lambda x, dtype: x.astype(dtype),
    "eq": np.equal,
    "neq": np.not_equal,
    "xor": np.bitwise_xor,
    "switch": np.where,
    "erf": scipy.special.erf,
    "erfc": scipy.special.erfc,
    "psi": scipy.special.psi,
    "gammaln": scipy.special.gammaln,
    "alloc": lambda value, *shape: np.full(shape, value),
    "flatten": lambda x, n: np.asarray(x).reshape((*x.shape[: n - 1], math.prod(x.shape[n - 1 :]))),
    "logsumexp": _logsumexp,
    "batched_dot": np.matmul,
    "dimshuffle": _dimshuffle,
    "split": _split,
    "cov": lambda x, bias: np.atleast_2d(np.cov(x, bias=bias)),
    "topk": _topk,
    "put_along_axis": _changed(np.put_along_axis),
    "fill_diagonal": _changed(np.fill_diagonal),
    "fill_diagonal_offset": _set_diagonal,
    "inverse_permutation": np.argsort,
    "argsort": lambda x, axis=-1, kind=None: np.argsort(x, axis, "stable"),
    "fft": SimpleNamespace(
        theano_rfft=_rfft, theano_irfft=_irfft, fft=np.fft.fft, ifft=np.fft.ifft, fft2=np.fft.fft2,
        ifftn=np.fft.ifftn,
    ),
    "nnet": SimpleNamespace(
        softmax=_softmax,
        logsoftmax=lambda x, axis: x - _logsumexp(x, axis, True),
        sigmoid=lambda x: scipy.special.expit(x).astype(x.dtype),
        softplus=lambda x: np.logaddexp(x, 0),
        relu=lambda x: np.maximum(x, np.zeros((), x.dtype)),
    ),
    "nlinalg": np.linalg,
    "slinalg": SimpleNamespace(
        cholesky=np.linalg.cholesky, solve=np.linalg.solve, expm=scipy.linalg.expm,
        lu=scipy.linalg.lu, cho_solve=scipy.linalg.cho_solve,
        eigvalsh=scipy.linalg.eigvalsh, solve_triangular=scipy.linalg.solve_triangular,
    ),
}  # fmt: skip


def _stored(f: Callable[..., Array]) -> Callable[..., Any]:
    """Return a function of the stored elements of a sparse matrix."""

    def made(x: Any, *args: Any) -> Any:
        y = x.copy()
        y.data = f(y.data, *args)
        return y

    return made


def _sum(x: Any, axis: int | None = None) -> Array:
    return np.asarray(x.sum(axis)).reshape(-1 if axis is not None else ())


_SPARSE = SimpleNamespace(
    csr_from_dense=scipy.sparse.csr_matrix,
    csc_from_dense=scipy.sparse.csc_matrix,
    dense_from_sparse=lambda x: x.toarray(),
    add=lambda x, y: x + y,
    sub=lambda x, y: x - y,
    mul=lambda x, y: scipy.sparse.csr_matrix(x.multiply(y)),
    neg=lambda x: -x,
    transpose=lambda x: x.T,
    structured_dot=lambda x, y: x @ y,
    true_dot=lambda x, y: x @ y,
    dot=lambda x, y: x @ y,
    usmm=lambda alpha, x, y, z: alpha * (x @ y) + z,
    sampling_dot=lambda x, y, p: scipy.sparse.csr_matrix(p.multiply(x @ y.T)),
    row_scale=lambda x, s: scipy.sparse.diags_array(s, shape=(len(s), len(s))) @ x,
    col_scale=lambda x, s: x @ scipy.sparse.diags_array(s, shape=(len(s), len(s))),
    sp_sum=_sum,
    diag=lambda x: x.diagonal(),
    square_diagonal=lambda v: scipy.sparse.csc_matrix(np.diag(v)),
    hstack=lambda parts, format: scipy.sparse.csr_matrix(scipy.sparse.hstack(parts)),
    vstack=lambda parts, format: scipy.sparse.csr_matrix(scipy.sparse.vstack(parts)),
    to_format=lambda x, format: x.asformat(format),
    tanh=_stored(np.tanh),
    sin=_stored(np.sin),
    sqr=_stored(np.square),
    structured_abs=_stored(np.abs),
    structured_exp=_stored(np.exp),
    structured_sigmoid=_stored(scipy.special.expit),
    structured_pow=_stored(np.power),
    structured_maximum=_stored(np.maximum),
    csm_data=lambda x: x.data,
    structured_add_s_v=lambda x, v: x + scipy.sparse.csr_matrix((x != 0).multiply(v)),
)


def _put(x: Array, key: Any, value: Any) -> Array:
    y = x.copy()
    y[key] = value
    return y


def _put_more(x: Array, key: Any, value: Any) -> Array:
    y = x.copy()
    np.add.at(y, key, value)
    return y


SYMBOLIC: dict[str, Any] = {
    "T": T,
    "S": S,
    "np": np,
    "put": lambda x, key, value: T.set_subtensor(x[key], value),
    "put_more": lambda x, key, value: T.inc_subtensor(x[key], value),
}
"""The names of a line whose operands are variables."""

NUMERIC: dict[str, Any] = {
    "T": _Plain(), "S": _SPARSE, "np": np, "put": _put, "put_more": _put_more,
}  # fmt: skip
"""The names of a line whose operands are values."""

PREAMBLE = """\
import numpy as np
import scipy.sparse
from numpy import inf, nan

import symtheano.tensor as T
from symtheano import function, sparse as S


def put(x, key, value):
    return T.set_subtensor(x[key], value)


def put_more(x, key, value):
    return T.inc_subtensor(x[key], value)

"""
"""The first lines of a program that runs as a script."""
