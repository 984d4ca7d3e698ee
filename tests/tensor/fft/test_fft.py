"""Fourier transforms against NumPy's, in C and interpreted; derivatives; errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor import fft
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import assert_same, check, compiled, count, oracle

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
        there = fft.theano_rfft(x, norm)
        back = fft.theano_irfft(there, norm, is_odd=bool(shape[-1] % 2))
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
    verify_grad(lambda x: fft.theano_rfft(x, norm), [a], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x: fft.theano_irfft(x, norm, odd), [pairs], n_tests=1, mode="INTERPRET")
    if len(shape) == 2:
        verify_rop(lambda x: fft.theano_rfft(x, norm), [a], mode="INTERPRET")
        verify_rop(lambda x: fft.theano_irfft(x, norm, odd), [pairs], mode="INTERPRET")


ONE_AXIS: list[dict[str, Any]] = [
    {}, {"n": 6}, {"n": 2}, {"axis": 0}, {"axis": 0, "n": 5, "norm": "ortho"}, {"norm": "ortho"},
    {"norm": "forward"}, {"norm": "backward"},
]  # fmt: skip
MANY: list[dict[str, Any]] = [
    {}, {"s": (2, 6), "axes": (0, 1)}, {"s": (3, 3), "axes": (-1, 0)}, {"norm": "ortho"},
    {"norm": "forward"}, {"axes": (0,)}, {"s": (-1, 5), "axes": (0, 1)},
]  # fmt: skip
COMPLEX = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")
REAL = ("rfft1", "rfft2", "rfftn", "ihfft")
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


@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float32", "int32", "bool"])
@pytest.mark.parametrize("name", [*COMPLEX, *TO_REAL])
def test_transforms_are_numpys(name: str, dtype: str) -> None:
    compare_with_numpy(name, dtype)


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


def test_odd_lengths_and_middle_axes() -> None:
    x = T.tensor3("x")
    a = array("float64", (2, 5, 3))

    def transformed(x: Any, room: Any, one: str, back: str) -> list[Any]:
        z = getattr(room, one)(x, axis=1)
        return [z, getattr(room, back)(z, n=5, axis=1), room.fftn(x, axes=(1,)),
                room.rfftn(x, axes=(2, 0, 1)), room.irfftn(z, s=(2, 5), axes=(0, 1))]  # fmt: skip

    for mine, wanted in zip(
        oracle([x], transformed(x, fft, "rfft1", "irfft1"))(a),
        transformed(a, np.fft, "rfft", "irfft"),
        strict=True,
    ):
        assert_same(mine, wanted, 1e-12)
    verify_grad(lambda x: fft.rfft1(x, axis=1), [a], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x: fft.irfft1(x, 5, axis=1), [a], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x: fft.rfft1(x, 7, axis=0), [a], n_tests=1, mode="INTERPRET")


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


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_frequencies_are_numpys(n: int) -> None:
    length, distance = T.lscalar("n"), T.dscalar("d")
    outputs = [fft.fftfreq(length, distance), fft.rfftfreq(length, distance), fft.fftfreq(n),
               fft.rfftfreq(n, 2)]  # fmt: skip
    got = oracle([length, distance], outputs)(n, 0.25)
    wanted = [np.fft.fftfreq(n, 0.25), np.fft.rfftfreq(n, 0.25), np.fft.fftfreq(n),
              np.fft.rfftfreq(n, 2)]  # fmt: skip
    for mine, its in zip(got, wanted, strict=True):
        assert_same(mine, its, 1e-15)


@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (0, 2)])
def test_shifts_are_numpys(shape: tuple[int, ...]) -> None:
    x = T.imatrix("x")
    a = np.arange(np.prod(shape), dtype="int32").reshape(shape)
    given: list[Any] = [None, 0, -1, (0, 1), (1,)]
    outputs = [shift(x, axes) for axes in given for shift in (fft.fftshift, fft.ifftshift)]
    wanted = [shift(a, axes) for axes in given for shift in (np.fft.fftshift, np.fft.ifftshift)]
    for mine, its in zip(oracle([x], outputs)(a), wanted, strict=True):
        np.testing.assert_array_equal(mine, its)


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
    assert "test_fft.py:" in line


@pytest.mark.parametrize("n", [2**51, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1])
def test_lengths_of_no_memory(n: int) -> None:
    """The length of a convolution is not computed, which ended in a loop without end."""
    length = T.lscalar("n")
    ones = T.alloc(np.float64(1.0), length)
    for made in (fft.fft(ones), fft.rfft1(ones), fft.irfft1(ones), fft.irfft1(ones, length)):
        with pytest.raises((MemoryError, ShapeError), match=r"test_fft\.py"):
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
