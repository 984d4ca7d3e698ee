"""Fourier transforms against NumPy's, in C and interpreted; derivatives; what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from symtheano.tensor import fft
from symtheano.tensor.type import TensorType
from symtheano.verify import verify_grad, verify_rop
from tests.support.arrays import random_array
from tests.support.compare import assert_same, check, count, oracle

Array = np.ndarray[Any, Any]
KIND = "transforms"
LENGTHS = [(2, 5), (2, 6), (3, 1), (2, 2), (2, 3, 4), (2, 3, 5), (2, 2, 3, 4), (0, 4), (2, 16)]
NORMS: list[Any] = [None, "ortho", "no_norm"]
LOOSE = {"float32": 1e-5, "complex64": 1e-5}


def array(dtype: str, shape: tuple[int, ...]) -> Array:
    return random_array(np.random.default_rng(7), dtype, shape)


def transformed(a: Array, norm: Any) -> Array:
    kind = None if norm == "no_norm" else norm
    z = np.fft.rfftn(a, axes=range(1, a.ndim), norm=kind)
    return np.stack([z.real, z.imag], -1)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("shape", LENGTHS)
def test_real_transforms(shape: tuple[int, ...], norm: Any) -> None:
    for dtype in ("float64", "float32"):
        a = array(dtype, shape)
        x = TensorType(dtype, (None,) * a.ndim)("x")
        there = fft.rfft(x, norm)
        back = fft.irfft(there, norm, is_odd=bool(shape[-1] % 2))
        got = oracle([x], [there, back, there.shape, back.shape])(a)
        wanted = transformed(a, norm).astype(dtype)
        assert_same(got[0], wanted, LOOSE.get(dtype, 1e-12))
        scale = np.prod(shape[1:]) if norm == "no_norm" else 1
        assert_same(got[1], (a * scale).astype(dtype), LOOSE.get(dtype, 1e-12))
        assert tuple(got[2]) == wanted.shape
        assert tuple(got[3]) == a.shape
        count(KIND, wanted.size + a.size)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("shape", [(2, 5), (2, 6), (1, 1), (1, 2), (2, 3, 4), (1, 2, 3)])
def test_derivatives_of_real_transforms(shape: tuple[int, ...], norm: Any) -> None:
    odd = bool(shape[-1] % 2)
    a = array("float64", shape)
    pairs = array("float64", transformed(a, None).shape)
    verify_grad(lambda x: fft.rfft(x, norm), [a], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x: fft.irfft(x, norm, odd), [pairs], n_tests=1, mode="INTERPRET")
    if len(shape) == 2:
        verify_rop(lambda x: fft.rfft(x, norm), [a], mode="INTERPRET")
        verify_rop(lambda x: fft.irfft(x, norm, odd), [pairs], mode="INTERPRET")


ONE_AXIS: list[dict[str, Any]] = [
    {}, {"n": 6}, {"n": 2}, {"axis": 0}, {"axis": 0, "n": 5, "norm": "ortho"}, {"norm": "ortho"},
    {"norm": "forward"}, {"norm": "backward"},
]  # fmt: skip
MANY: list[dict[str, Any]] = [
    {}, {"s": (2, 6), "axes": (0, 1)}, {"s": (3, 3), "axes": (-1, 0)}, {"norm": "ortho"},
    {"norm": "forward"}, {"axes": (0,)},
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float32", "int32"])
@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn"])
def test_complex_transforms(name: str, dtype: str) -> None:
    a = array(dtype, (3, 4))
    x = T.matrix("x", dtype)
    given = ONE_AXIS if name in ("fft", "ifft") else MANY
    outputs = [getattr(fft, name)(x, **options) for options in given]
    got = oracle([x], outputs)(a)
    for mine, options in zip(got, given, strict=True):
        wanted = getattr(np.fft, name)(a.astype(mine.dtype), **options)
        assert_same(mine, wanted.astype(mine.dtype), LOOSE.get(mine.dtype.name, 1e-12))
        count(KIND, mine.size)
    if dtype == "complex128":
        for options in given:
            verify_grad(
                lambda z, options=options: getattr(fft, name)(z, **options), [a], n_tests=1,
                mode="INTERPRET",
            )  # fmt: skip


@pytest.mark.needs_cc
def test_compiled() -> None:
    x, y, z = T.matrix("x"), T.tensor4("y"), T.zmatrix("z")
    outputs = [fft.rfft(x), fft.irfft(fft.rfft(y), "ortho"), fft.fft2(z), fft.fft(z.T, axis=0),
               fft.rfft(x[:, ::-1]), fft.irfft(y, is_odd=True)]  # fmt: skip
    calls = [
        [array("float64", (2, n)), array("float64", (2, 3, 4, 2)), array("complex128", (n, 3))]
        for n in (5, 8, 1)
    ]
    check([x, y, z], outputs, calls, kind=KIND, tolerance=1e-12)


def test_nan_stays_in_its_row() -> None:
    x = T.matrix("x")
    got = oracle([x], fft.rfft(x))(np.array([[1.0, np.nan, 2.0], [1.0, 2.0, 3.0]]))
    assert np.isnan(got[0]).any()
    assert_same(got[1], transformed(np.array([[1.0, 2.0, 3.0]]), None)[0], 1e-12)


def test_what_is_refused() -> None:
    x = T.matrix("x")
    with pytest.raises(TypeError, match="rfft takes a batch of real arrays"):
        fft.rfft(T.vector())
    with pytest.raises(TypeError, match="irfft takes a batch of pairs"):
        fft.irfft(x)
    with pytest.raises(ValueError, match="norm='forward' is none of None, 'ortho', 'no_norm'"):
        fft.rfft(x, "forward")
    with pytest.raises(ValueError, match="norm='no_norm' is none of 'backward'"):
        fft.fft(x, norm="no_norm")
    with pytest.raises(ValueError, match="fft: no axis 2"):
        fft.fft(x, axis=2)
    with pytest.raises(ValueError, match="fftn: 1 lengths for 2 axes"):
        fft.fftn(x, s=(3,), axes=(0, 1))
    with pytest.raises(ValueError, match="is_odd=2"):
        fft.irfft(T.tensor3(), is_odd=2)  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="0 numbers can't be transformed"):
        oracle([x], fft.rfft(x))(np.ones((2, 0)))
    y = T.tensor3("y")
    with pytest.raises(ShapeError, match="an axis of length 3 where 2 is wanted"):
        oracle([y], fft.irfft(y))(np.ones((2, 3, 3)))


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_compiled_functions_transform_without_python(dtype: str) -> None:
    x = TensorType(dtype, (None, None))("x")
    z = TensorType({"float32": "complex64", "float64": "complex128"}[dtype], (None, None))("z")
    outputs = [
        fft.rfft(x), fft.rfft(x.T), fft.irfft(fft.rfft(x)), fft.fft(z), fft.ifft2(z[::-1]),
        fft.fftn(z.T * 2), fft.fft(x, axis=0), fft.irfft(fft.rfft(x), is_odd=True),
    ]  # fmt: skip
    calls = [[array(dtype, s), array(z.dtype, s)] for s in ((4, 6), (3, 34), (1, 1), (2, 360))]
    f = check([x, z], outputs, calls, kind=KIND, tolerance=LOOSE.get(dtype))
    assert "runtime->python(" not in str(f.c_source)
    check([x, z], outputs, [[array(dtype, (2, 0)), array(z.dtype, (2, 1))]], kind=KIND)
