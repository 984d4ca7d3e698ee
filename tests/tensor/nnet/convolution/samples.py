"""Random convolutions, with arrays for them, and the definition of the result."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.tensor.nnet.convolution.ops import Convolution

DTYPES = ("float64", "float32", "int32", "uint8", "complex128", "complex64")


def defined(x: Any, w: Any, op: Convolution) -> Any:
    """Return the result element by element, from the definition."""
    at, dims = op.at, op.at.dims
    places = at.positions(x.shape, w.shape)
    before = at.before(w.shape)
    filters = w.shape[0] // op.groups
    y = np.zeros((len(x), w.shape[0], *places), x.dtype)
    for n, f, *t in np.ndindex(*y.shape):
        kernel = w[(f, *t)] if op.unshared else w[f]
        for c, *k in np.ndindex(*kernel.shape):
            read = [kernel.shape[1 + a] - 1 - k[a] if op.flip else k[a] for a in range(dims)]
            i = [t[a] * op.subsample[a] + read[a] * op.dilation[a] - before[a] for a in range(dims)]
            if all(0 <= i[a] < x.shape[2 + a] for a in range(dims)):
                channel = f // filters * kernel.shape[0] + c
                y[(n, f, *t)] += x[(n, channel, *i)] * kernel[(c, *k)]
    return y


def drawn(seed: int) -> tuple[Convolution, list[Any]]:
    """Return a random op, and an image, a filter and a result for it."""
    rng = np.random.default_rng(seed)
    dims, groups = int(rng.choice([1, 2, 2, 3])), int(rng.choice([1, 1, 2, 3]))
    k, d, s = (rng.integers(1, high, dims) for high in (5, 3, 4))
    i = (k - 1) * d + 1 + rng.integers(0, 6, dims)
    pads = tuple((int(a), int(b)) for a, b in rng.integers(0, 3, (dims, 2)))
    border = ["valid", "half", "full", 1, pads][rng.integers(5)]
    flip, unshared = bool(rng.integers(2)), bool(rng.random() < 0.2)
    op = Convolution("result", border, s.tolist(), d.tolist(), groups, flip, unshared)
    n, c, o = (int(m) for m in rng.integers((0, 1, 1), (3, 3, 4)))
    places = op.at.positions((n, c, *i.tolist()), (o, c, *k.tolist()))
    shapes = [
        (n, c * groups, *i),
        (o * groups, *(places if unshared else ()), c, *k),
        (n, o * groups, *places),
    ]
    dtype = DTYPES[seed % len(DTYPES)]
    arrays = [(rng.normal(size=shape) * 5).astype(dtype) for shape in shapes]
    if dtype.startswith("complex"):
        arrays = [(a + 1j * rng.normal(size=a.shape)).astype(dtype) for a in arrays]
    return op, arrays


def maps(op: Convolution, arrays: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return variables for arrays, and all three convolutions of two of them."""
    x, w, y = variables = [T.TensorType(a.dtype, (None,) * a.ndim)() for a in arrays]
    dims = op.at.dims
    image = op.for_the("image")(w, y, *x.shape[2:])
    kernel = op.for_the("filter")(x, y, *w.shape[-dims:])
    return variables, [op(x, w), image, kernel]
