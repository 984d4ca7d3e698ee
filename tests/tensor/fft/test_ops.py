"""Fourier transforms against NumPy's, in C and interpreted; derivatives; errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor import fft
from symtheano.tensor.type import TensorType
from tests.support.compare import assert_same, check, compiled, oracle
from tests.tensor.fft.transforms import (
    COMPLEX,
    KIND,
    LOOSE,
    TO_REAL,
    array,
    cases,
    compare_with_numpy,
    transformed,
)

REAL = ("rfft1", "rfft2", "rfftn", "ihfft")


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool"])
@pytest.mark.parametrize("name", REAL)
def test_transforms_of_real_numbers_are_numpys(name: str, dtype: str) -> None:
    compare_with_numpy(name, dtype)


def test_half_precision_becomes_single() -> None:
    a = array("float16", (3, 4))
    x = T.matrix("x", "float16")
    got = oracle([x], [fft.fft(x), fft.rfft1(x), fft.irfft1(x), fft.theano_rfft(x)])(a)
    assert [item.dtype.name for item in got] == ["complex64", "complex64", "float32", "float32"]
    assert_same(got[0], np.fft.fft(a.astype("float32")).astype("complex64"), 1e-5)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", [*COMPLEX, *REAL, *TO_REAL])
def test_derivatives_are_those_of_differences(name: str) -> None:
    for dtype in ["float64"] if name in REAL else ["complex128", "float64"]:
        a = array(dtype, (3, 4))
        for options in cases(name):

            def made(z: Any, options: dict[str, Any] = options) -> Any:
                return getattr(fft, name)(z, **options)

            verify_grad(made, [a], n_tests=1, mode="INTERPRET")
    if name in REAL:
        verify_rop(lambda z: abs(getattr(fft, name)(z)) ** 2, [a], mode="INTERPRET")


@pytest.mark.needs_cc
def test_shapes_are_known_without_transforming() -> None:
    x, z = T.dmatrix("x"), T.zmatrix("z")
    shapes = [fft.fft(x).shape, fft.rfft1(x).shape, fft.irfft1(z, axis=0).shape,
              fft.theano_rfft(x).shape, fft.hfft(z, 9).shape]  # fmt: skip
    f = compiled([x, z], shapes)
    assert "st_fourier" not in str(f.c_source)
    got = f(np.ones((4, 5)), np.ones((4, 5), "complex128"))
    assert [tuple(shape) for shape in got] == [(4, 5), (4, 3), (6, 5), (4, 3, 2), (4, 9)]


def test_batches() -> None:
    x, z = T.dvector("x"), T.zvector("z")
    outputs = [fft.fft(x, axis=0), fft.rfft1(x), fft.irfft1(z, 5), fft.ifft(z)]
    stacked, z_stacked = T.dmatrix("xs"), T.zmatrix("zs")
    many = T.vectorize_graph(outputs, {x: stacked, z: z_stacked})
    a, b = array("float64", (2, 6)), array("complex128", (2, 3))
    got = oracle([stacked, z_stacked], many)(a, b)
    wanted = [np.fft.fft(a), np.fft.rfft(a), np.fft.irfft(b, 5), np.fft.ifft(b)]
    for mine, its in zip(got, wanted, strict=True):
        assert_same(mine, its, 1e-12)


@pytest.mark.needs_cc
def test_compiled() -> None:
    x, y, z = T.matrix("x"), T.tensor4("y"), T.zmatrix("z")
    there = fft.theano_rfft(y)
    outputs = [fft.theano_rfft(x), fft.theano_irfft(there, "ortho"), fft.fft2(z),
               fft.fft(z.T, axis=0), fft.theano_rfft(x[:, ::-1]),
               fft.theano_irfft(y, is_odd=True)]  # fmt: skip
    calls = [
        [array("float64", (2, n)), array("float64", (2, 3, 4, 2)), array("complex128", (n, 3))]
        for n in (5, 8, 1)
    ]
    check([x, y, z], outputs, calls, kind=KIND, tolerance=1e-12)


def test_nan_stays_in_its_row() -> None:
    x = T.matrix("x")
    got = oracle([x], fft.theano_rfft(x))(np.array([[1.0, np.nan, 2.0], [1.0, 2.0, 3.0]]))
    assert np.isnan(got[0]).any()
    assert_same(got[1], transformed(np.array([[1.0, 2.0, 3.0]]), None)[0], 1e-12)


def test_what_is_refused() -> None:
    x = T.matrix("x")
    with pytest.raises(TypeError, match="rfft takes a batch of real arrays"):
        fft.theano_rfft(T.vector())
    with pytest.raises(TypeError, match="irfft takes a batch of pairs"):
        fft.theano_irfft(x)
    with pytest.raises(ValueError, match="norm='forward' is not one of None, 'ortho', 'no_norm'"):
        fft.theano_rfft(x, "forward")
    with pytest.raises(ValueError, match="norm='no_norm' is not one of 'backward'"):
        fft.fft(x, norm="no_norm")
    with pytest.raises(ValueError, match="fft: no axis 2"):
        fft.fft(x, axis=2)
    with pytest.raises(ValueError, match="fftn: 1 lengths for 2 axes"):
        fft.fftn(x, s=(3,), axes=(0, 1))
    with pytest.raises(ValueError, match="is_odd=2"):
        fft.theano_irfft(T.tensor3(), is_odd=2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="rfft2 takes real numbers"):
        fft.rfft2(T.zmatrix())
    with pytest.raises(ValueError, match="rfftn: there is no axis to transform"):
        fft.rfftn(x, axes=())
    with pytest.raises(ValueError, match="irfft: the length 0 is less than 1"):
        fft.irfft1(x, 0)
    with pytest.raises(ValueError, match="hfft: norm='no' is not one of"):
        fft.hfft(x, norm="no")
    with pytest.raises(ValueError, match=r"fftfreq: n=2.5 is not an integer"):
        fft.fftfreq(2.5)
    with pytest.raises(ValueError, match="rfftfreq: n=0 is less than 1"):
        fft.rfftfreq(0)
    with pytest.raises(ValueError, match="fftshift: no axis 2"):
        fft.fftshift(x, 2)
    with pytest.raises(ShapeError, match="the length 0 is less than 1"):
        oracle([x], fft.theano_rfft(x))(np.ones((2, 0)))
    with pytest.raises(ShapeError, match="the length 0 is less than 1"):
        oracle([x], fft.irfft1(x))(np.ones((2, 1)))
    y = T.tensor3("y")
    with pytest.raises(ShapeError, match="an axis has length 3, but must have length 2"):
        oracle([y], fft.theano_irfft(y))(np.ones((2, 3, 3)))


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_compiled_functions_transform_without_python(dtype: str) -> None:
    x = TensorType(dtype, (None, None))("x")
    z = TensorType({"float32": "complex64", "float64": "complex128"}[dtype], (None, None))("z")
    outputs = [
        fft.theano_rfft(x), fft.theano_rfft(x.T), fft.theano_irfft(fft.theano_rfft(x)),
        fft.fft(z), fft.ifft2(z[::-1]), fft.rfft(x), fft.irfft(z, 6),
        fft.fftn(z.T * 2), fft.fft(x, axis=0), fft.theano_irfft(fft.theano_rfft(x), is_odd=True),
        fft.rfft1(x, axis=0, norm="ortho"), fft.irfft1(z, 5, axis=0), fft.rfftn(x), fft.hfft(z),
        fft.irfftn(z, (3, 4)), fft.fftshift(fft.ifft(x, 8)),
    ]  # fmt: skip
    calls = [[array(dtype, s), array(z.dtype, s)] for s in ((4, 6), (3, 34), (1, 1), (2, 360))]
    f = check([x, z], outputs, calls, kind=KIND, tolerance=LOOSE.get(dtype))
    assert "runtime->python(" not in str(f.c_source)
    check([x, z], outputs, [[array(dtype, (2, 0)), array(z.dtype, (2, 1))]], kind=KIND)


def test_transforms_without_memory_raise() -> None:
    f = compiled([x := T.matrix("x")], [fft.theano_rfft(x)])
    (site,) = [k for k, site in enumerate(f.lowered.sites) if site.code == "memory"]
    error = f.stages.error(4, site, [1 << 20])
    assert isinstance(error, MemoryError)
    head, line, *_ = str(error).splitlines()
    assert head.endswith("there is not enough memory for 1048576 bytes of roots of one")
    assert "test_ops.py:" in line


@pytest.mark.parametrize("n", [2**51, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1])
def test_lengths_of_no_memory(n: int) -> None:
    """The length of a convolution is not computed, which ended in a loop without end."""
    length = T.lscalar("n")
    ones = T.alloc(np.float64(1.0), length)
    for made in (fft.fft(ones), fft.rfft1(ones), fft.irfft1(ones), fft.irfft1(ones, length)):
        with pytest.raises((MemoryError, ShapeError), match=r"test_ops\.py"):
            function([length], made)(n)


@pytest.mark.needs_cc
def test_numbers_that_are_selected() -> None:
    """The caller allocates the workspace; its arrays are not aligned to vectors."""
    x = T.dvector("x")
    chosen = x[x > 0]
    f = function([x], [fft.fft(chosen), fft.rfft1(chosen), T.sort(chosen)])
    for n in range(1, 40):
        value = np.arange(n) + 1.0
        wanted = [np.fft.fft(value), np.fft.rfft(value), value]
        for got, right in zip(f(value), wanted, strict=True):
            np.testing.assert_allclose(got, right, atol=1e-12)
