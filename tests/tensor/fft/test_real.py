"""Transforms of real numbers against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad
from symtheano.tensor import fft
from symtheano.tensor.type import TensorType
from tests.support.compare import assert_same, oracle
from tests.tensor.fft.transforms import (
    array,
)


def test_lengths_may_be_symbolic() -> None:
    x, n = T.zmatrix("x"), T.lscalar("n")
    outputs = [fft.fft(x, n), fft.irfft1(x, n), fft.hfft(x, n, axis=0), fft.fftn(x, (n, 3)),
               fft.rfftn(x.real, (3, n)), fft.irfft2(x, (n, n))]  # fmt: skip
    f = oracle([x, n], outputs)
    a = array("complex128", (4, 5))
    for k in (1, 4, 7):
        wanted = [np.fft.fft(a, k), np.fft.irfft(a, k), np.fft.hfft(a, k, axis=0),
                  np.fft.fftn(a, (k, 3), axes=(0, 1)),
                  np.fft.rfftn(a.real, (3, k), axes=(0, 1)), np.fft.irfft2(a, (k, k))]  # fmt: skip
        for mine, its in zip(f(a, k), wanted, strict=True):
            assert_same(mine, its, 1e-12)
    with pytest.raises(ShapeError, match="the length 0 is less than 1"):
        oracle([x, n], fft.irfft1(x, n))(a, 0)


LIKE_NUMPY = {
    "a vector": ((7,), {}), "of length 1": ((1,), {}), "batches": ((2, 3, 6), {}),
    "an empty batch": ((0, 5), {}), "axis 0": ((5, 2), {"axis": 0}),
    "cut": ((2, 9), {"n": 4}), "padded": ((3, 4), {"n": 9, "axis": 0}),
    "ortho": ((8,), {"norm": "ortho"}), "forward": ((2, 5), {"norm": "forward"}),
}  # fmt: skip


@pytest.mark.parametrize("name", LIKE_NUMPY)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "bool"])
def test_rfft_is_that_of_numpy(name: str, dtype: str) -> None:
    shape, kwargs = LIKE_NUMPY[name]
    a = array("float64", shape)[..., ::-1].astype(dtype)
    x = TensorType(dtype, (None,) * len(shape))("x")
    want = np.fft.rfft(a, **kwargs)
    got = oracle([x], fft.rfft(x, **kwargs))(a)
    assert got.shape == want.shape
    assert got.dtype == ("complex64" if dtype == "float32" else "complex128")
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4 if dtype == "float32" else 1e-12)


@pytest.mark.parametrize("name", LIKE_NUMPY)
def test_irfft_is_that_of_numpy(name: str) -> None:
    shape, kwargs = LIKE_NUMPY[name]
    if shape == (1,):
        shape = (2,)
    a = array("complex128", shape)
    z = TensorType("complex128", (None,) * len(shape))("z")
    np.testing.assert_allclose(
        oracle([z], fft.irfft(z, **kwargs))(a), np.fft.irfft(a, **kwargs), atol=1e-12
    )


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_gradients_of_numpys_transforms(norm: str | None) -> None:
    def energy(x: Any) -> Any:
        z = fft.rfft(x, norm=norm)
        return z.real**3 + z.imag

    verify_grad(energy, [array("float64", (2, 5))], n_tests=1, mode="INTERPRET")
    verify_grad(
        lambda x: fft.irfft(x + 1j * x**2, 6, norm=norm), [array("float64", (2, 4))], n_tests=1,
        mode="INTERPRET",
    )  # fmt: skip


def test_programs_of_theano_choose_its_functions() -> None:
    x = T.matrix("x")
    assert fft.rfft(x).type.dtype == "complex128"
    with pytest.raises(ValueError, match=r"norm='no_norm'(.|\n)*config.fft = 'theano'"):
        fft.rfft(x, norm="no_norm")
    with pytest.raises(TypeError, match="n='ortho' is not an integer"):
        fft.rfft(x, "ortho")
    with config.change_flags(fft="theano"):
        assert fft.rfft is fft.theano_rfft
        assert fft.irfft is fft.theano_irfft
        back = fft.irfft(fft.rfft(x, "ortho"), "ortho", is_odd=True)
        assert fft.rfft1(x).type.dtype == "complex128"
    a = array("float64", (2, 5))
    np.testing.assert_allclose(oracle([x], back)(a), a, atol=1e-12)
    assert fft.rfft is fft.rfft1
    with pytest.raises(ValueError, match="numpy"):
        config.fft = "scipy"
