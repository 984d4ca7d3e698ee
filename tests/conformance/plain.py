"""NumPy and SciPy under the names of ``symtheano.tensor``."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.special

from tests.conformance.compressed import FACE
from tests.conformance.draws import Array
from tests.conformance.matrices import diagonals, nlinalg, slinalg


def _dimshuffle(x: Array, *order: Any) -> Array:
    kept = x.transpose([a for a in order if a != "x"])
    return kept[tuple(None if a == "x" else slice(None) for a in order)]


def put(x: Array, key: Any, value: Any) -> Array:
    """Return a copy of an array with a part set."""
    y = x.copy()
    y[key] = value
    return y


def put_more(x: Array, key: Any, value: Any) -> Array:
    """Return a copy of an array with a part incremented, where it is named twice twice."""
    y = x.copy()
    np.add.at(y, key, value)
    return y


def _softmax(x: Array, axis: int = -1) -> Array:
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
        return np.asarray(e / e.sum(axis, keepdims=True))


class Plain:
    """NumPy with Theano's further names, of which :data:`OWN` has the meaning."""

    def __getattr__(self, name: str) -> Any:
        return OWN[name] if name in OWN else getattr(np, name)


OWN: dict[str, Any] = {
    "cast": lambda x, dtype: x.astype(dtype),
    "eq": np.equal,
    "neq": np.not_equal,
    "switch": np.where,
    "fill": lambda a, b: np.full(np.shape(a), b),
    "join": lambda axis, *arrays: np.concatenate(arrays, axis),
    "stacklists": np.array,
    "horizontal_stack": lambda *arrays: np.hstack(arrays),
    "vertical_stack": lambda *arrays: np.vstack(arrays),
    "dimshuffle": _dimshuffle,
    "logsumexp": scipy.special.logsumexp,
    "flatten": lambda x, ndim=1: x.reshape((*x.shape[: ndim - 1], math.prod(x.shape[ndim - 1 :]))),
    "nnet": SimpleNamespace(softmax=_softmax),
    "nlinalg": nlinalg,
    "slinalg": slinalg,
    "specify_shape": lambda x, shape: x,
    **diagonals,
}
PLAIN: Any = Plain()
NAMES: dict[str, Any] = {
    "T": PLAIN, "np": np, "scipy": scipy, "put": put, "put_more": put_more, "sparse": FACE,
    "symtheano": SimpleNamespace(dot=lambda x, y: FACE.dot(x, y)),
}  # fmt: skip
"""The names with which a row's text, or its text for NumPy, is evaluated."""
