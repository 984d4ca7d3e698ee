"""Transforms, and comparisons with those of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.tensor import fft
from tests.support.arrays import random_array
from tests.support.compare import assert_same, count, oracle

Array = np.ndarray[Any, Any]


KIND = "transforms"


LOOSE = {"float32": 1e-5, "complex64": 1e-5}


def array(dtype: str, shape: tuple[int, ...]) -> Array:
    return random_array(np.random.default_rng(7), dtype, shape)


def transformed(a: Array, norm: Any) -> Array:
    kind = None if norm == "no_norm" else norm
    z = np.fft.rfftn(a, axes=range(1, a.ndim), norm=kind)
    return np.stack([z.real, z.imag], -1)


ONE_AXIS: list[dict[str, Any]] = [
    {}, {"n": 6}, {"n": 2}, {"axis": 0}, {"axis": 0, "n": 5, "norm": "ortho"}, {"norm": "ortho"},
    {"norm": "forward"}, {"norm": "backward"},
]  # fmt: skip


MANY: list[dict[str, Any]] = [
    {}, {"s": (2, 6), "axes": (0, 1)}, {"s": (3, 3), "axes": (-1, 0)}, {"norm": "ortho"},
    {"norm": "forward"}, {"axes": (0,)}, {"s": (-1, 5), "axes": (0, 1)},
]  # fmt: skip


COMPLEX = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")


TO_REAL = ("irfft1", "irfft2", "irfftn", "hfft")


def numpys(name: str) -> Any:
    """NumPy's function of a name of ours."""
    return getattr(np.fft, name.removesuffix("1"))


def cases(name: str) -> list[dict[str, Any]]:
    return MANY if name[-1] in "2n" else ONE_AXIS


def compare_with_numpy(name: str, dtype: str) -> None:
    """Compare all cases' values, dtypes and shapes."""
    a = array(dtype, (3, 4))
    x = T.matrix("x", dtype)
    outputs = [getattr(fft, name)(x, **options) for options in cases(name)]
    got = oracle([x], [*outputs, *(output.shape for output in outputs)])(a)
    for number, options in enumerate(cases(name)):
        mine, wanted = got[number], numpys(name)(a, **options)
        assert mine.dtype == wanted.dtype == outputs[number].dtype
        assert_same(mine, wanted, LOOSE.get(mine.dtype.name, 1e-12))
        assert tuple(got[len(outputs) + number]) == wanted.shape
        count(KIND, mine.size)
