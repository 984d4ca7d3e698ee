"""Fourier transforms by a library of the device, which a stub computes, against NumPy."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import scan, shared
from symtheano.errors import DeviceError, ShapeError
from symtheano.loopir import Call
from tests.codegen.passes.cuda.programs import cuda_program
from tests.support.devices import Foreign, on_cuda

pytestmark = pytest.mark.needs_cxx


def values(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(len(shape))
    real = rng.normal(size=shape)
    return (real + 1j * rng.normal(size=shape) if dtype[0] == "c" else real).astype(dtype)


def test_transforms(cufft: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """All kinds, axes and factors; lengths that lead to addresses which are not aligned."""
    x, z = T.tensor("x", "float32", (None,) * 3), T.tensor("z", "complex64", (None,) * 3)
    u, w, n = T.dmatrix("u"), T.tensor("w", "complex128", (None,) * 2), T.lscalar("n")
    fft, its = T.fft, np.fft
    outputs = [
        fft.fft(z), fft.ifft(z, axis=1), fft.fft(z, axis=0, norm="ortho"), fft.fft(x, axis=1),
        fft.ifftn(z), fft.rfft(x, norm="forward"), fft.rfft(x, axis=1), fft.rfft2(x, norm="ortho"),
        fft.irfft(z, n), fft.irfft(z, n, axis=1), fft.irfft(fft.rfft(x, axis=0), 3, axis=0),
        fft.ifft(x), fft.ifft(w), fft.rfft(u, axis=0), fft.irfft(w, n, axis=0),
    ]  # fmt: skip
    f = on_cuda([x, z, u, w, n], outputs, monkeypatch)
    before = cufft.stub_plans()
    for shape, length in (((3, 5, 7), 8), ((3, 6, 2), 3), ((3, 1, 1), 1), ((3, 4, 4), 7)):
        half = length // 2 + 1
        X, Z = values("float32", *shape), values("complex64", 3, half, half)
        U, W = values("float64", *shape[:2]), values("complex128", half, half)
        given = (X, Z, U, W, length)
        wanted = [
            its.fft(Z), its.ifft(Z, axis=1), its.fft(Z, axis=0, norm="ortho"), its.fft(X, axis=1),
            its.ifftn(Z), its.rfft(X, norm="forward"), its.rfft(X, axis=1),
            its.rfft2(X, norm="ortho"), its.irfft(Z, length), its.irfft(Z, length, axis=1), X,
            its.ifft(X), its.ifft(W), its.rfft(U, axis=0), its.irfft(W, length, axis=0),
        ]  # fmt: skip
        for variable, mine, theirs in zip(outputs, f(*given), wanted, strict=True):
            assert mine.dtype == variable.dtype
            tolerance = 1e-4 if mine.dtype in ("float32", "complex64") else 1e-12
            np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance)
    made = cufft.stub_plans()
    assert made - before > 20
    f(*given)
    assert cufft.stub_plans() == made, "plans are kept"
    assert cufft.stub_plans_alive() <= 32
    assert f(X, Z, U[:, :0], W, length)[13].shape == (2, 0)
    with pytest.raises(ShapeError, match="length 0 is less than 1"):
        f(X, Z, U[:0], W, length)


def test_gradients_loops_and_refusals(
    cufft: ctypes.CDLL, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Transforms in a loop of the host, of pairs; what the library refuses changes nothing."""
    x, state = T.fmatrix("x"), shared(np.float32(1.0), "state")
    there, back = T.fft.RFFTOp(pairs=True), T.fft.IRFFTOp("1/n", pairs=True)
    turned, _ = scan(lambda h: back(there(h), x.shape[1]), outputs_info=x, n_steps=40)
    cost = (abs(T.fft.fft(x * state)) ** 2).sum()
    outputs = [turned[-1], T.grad(cost, x), cost]
    f = on_cuda([x], outputs, monkeypatch, updates=[(state, state + x[0, 0])], profile=True)
    X = values("float32", 2, 6)
    same, gradient, value = f(X)
    np.testing.assert_allclose(same, X, rtol=1e-3)
    np.testing.assert_allclose(gradient, 12 * X, rtol=1e-4)
    np.testing.assert_allclose(value, 6 * (X**2).sum(), rtol=1e-4)
    steps = [step for step in f.profile.steps if step.label.endswith(", by a library")]
    assert sum(step.calls for step in steps) >= 80
    assert all(step.place and "test_fourier.py" in step.place for step in steps)
    now = state.get_value()
    for refusal, code in (("ExecR2C", 5), ("SetStream", 1), ("MakePlan", 2), ("Create", 7)):
        monkeypatch.setenv("STUB_CUFFT_FAIL", f"{refusal} {code}")
        why = rf"{refusal.removesuffix('R2C')} \(cuFFT error {code}\)"
        with pytest.raises(DeviceError, match=why):
            f(X if code in (5, 1) else np.ones((code, 8), "float32"))
        monkeypatch.delenv("STUB_CUFFT_FAIL")
        np.testing.assert_array_equal(state.get_value(), now)
    assert cufft.stub_plans_alive() <= 32
    np.testing.assert_allclose(f(X)[0], X, rtol=1e-3)
    kept = libcuda.stub_allocated()
    np.testing.assert_allclose(f(X)[0], X, rtol=1e-3)
    assert libcuda.stub_allocated() == kept, "all transforms of a loop use one workspace"


def test_threads(cufft: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """They share plans, each with its own stream and workspace."""
    x = T.fvector("x")
    f = on_cuda([x], T.fft.rfft(x) * 2, monkeypatch)
    arrays = [values("float32", 5 + k % 3) + k for k in range(40)]
    with ThreadPoolExecutor(4) as pool:
        for array, mine in zip(arrays, pool.map(f, arrays), strict=True):
            np.testing.assert_allclose(mine, np.fft.rfft(array) * 2, rtol=1e-4, atol=1e-3)


def test_arrays_that_are_not_aligned(cufft: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of another library's array begins anywhere. Of all plans, some are kept."""
    x = T.fvector("x")
    f = on_cuda([x], T.fft.rfft(x), monkeypatch, on_device=(0,))
    for length in (*range(1, 40), 3):
        value = values("float32", length + 1)[1:]
        np.testing.assert_allclose(f(Foreign(value)), np.fft.rfft(value), rtol=1e-4, atol=1e-4)
    assert cufft.stub_plans_alive() == 32


def test_programs_without_the_library() -> None:
    x = T.fvector("x")
    assert any(isinstance(s, Call) for s in cuda_program([x], T.fft.rfft(x)).statements())
