"""Rows that are added to products, by a library or by kernels after it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, scan, shared
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.codegen.runtime import cuda
from symtheano.dataclass import replace
from symtheano.errors import DeviceError
from symtheano.loopir import Product, Program
from symtheano.loopir.verify import verify
from tests.support.devices import on_cuda

pytestmark = pytest.mark.needs_cxx

x, w, b = T.fmatrix("x"), T.fmatrix("w"), T.fvector("b")


def values(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(shape).normal(size=shape).astype("float32")


def program(outputs: Any, **options: Any) -> Program:
    """Return the program of a function for a device with cuBLAS, which is verified."""
    with config.change_flags(mode="INTERPRET"):
        f = function([x, w, b], outputs, on_unused_input="ignore", **options)
    there = replace(CUDA, device=replace(CUDA.device, libraries=frozenset(["cublas"])))
    made = lower(f.stages.final, f.stages.request.donors, target=there).program
    verify(made, there.dialect)
    return made


def biased(made: Program) -> int:
    """Return how many products a row is added to by the library."""
    return sum(isinstance(s, Product) and bool(s.bias) for s in made.statements())


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda: x.dot(w) + b, 1),
        (lambda: b[1:] + x.dot(w), 1),
        (lambda: T.tanh(x.dot(w) + b).dot(w.T) + b[0], 0),
        (lambda: (x.dot(w) + b).dot(w.T) + b, 2),
        (lambda: T.nnet.relu(x.dot(w) + b), 0),
        (lambda: [x.dot(w) + b, x.dot(w) * 2], 0),
        (lambda: 2 * x.dot(w) + b, 0),
        (lambda: x.dot(w) + b.dimshuffle(0, "x"), 0),
        (lambda: x[0].dot(w) + b, 0),
        (lambda: x.astype("float64").dot(w.astype("float64")) + b.astype("float64"), 0),
    ],
)
def test_which_sums_are_the_librarys(make: Callable[[], Any], count: int) -> None:
    assert biased(program(make())) == count


def test_no_memory_is_needed_for_the_product() -> None:
    assert program(x.dot(w) + b).arena == ()


def test_what_the_product_reads_is_not_overwritten_first() -> None:
    """The new value is where the old one is, which the product reads."""
    v = shared(values(3, 3), "v")
    made = program([], updates=[(v, v.dot(v) + b)])
    assert biased(made) == 0
    later = program([], updates=[(v, x.dot(w) + b)])
    assert biased(later) == 1


@pytest.fixture
def without_lt(
    cublas: ctypes.CDLL, compiled_stub: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[ctypes.CDLL]:
    """Let programs call a cuBLAS without cuBLASLt."""
    path = compiled_stub("libcublas_alone")
    with monkeypatch.context() as patched:
        patched.setenv("SYMTHEANO_LIBCUBLAS", path)
        yield ctypes.CDLL(path)
    for driver in cuda._drivers.values():
        driver.st_open_cublas(cublas._name.encode())


def test_sums_by_cublaslt(cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """In graphs, with NaN, at any address; as a product and a kernel without an algorithm."""
    f = on_cuda([x, w, b], [x.dot(w) + b, x.T.dot(w.T) + b[: w.shape[0]]], monkeypatch)
    cases = [((4, 4), (4, 4), True), ((9, 9), (9, 9), True), ((7, 7), (7, 7), False),
             ((1, 1), (1, 1), True), ((0, 0), (0, 0), None)]  # fmt: skip
    for left, right, taken in cases:
        given = [values(*left), values(*right), values(right[1])]
        if given[0].size > 4:
            given[0][1, 2], given[2][0], given[2][1] = np.nan, np.inf, -0.0
        with np.errstate(invalid="ignore"):
            wanted = [given[0] @ given[1] + given[2], given[0].T @ given[1].T + given[2]]
        for _ in range(4):
            before = cublas.stub_biases(), cublas.stub_products()
            for mine, its in zip(f(*given), wanted, strict=True):
                np.testing.assert_allclose(mine, its, rtol=1e-4, atol=1e-5)
            if taken is not None:
                asked = cublas.stub_biases() > before[0], cublas.stub_products() > before[1]
                assert asked in ((taken, not taken), (False, False)), "of graphs, nothing"
    assert cublas.stub_described() == 0, "what is described is freed"
    given = [values(4, 4), values(4, 4), values(4)]
    f(*given)
    questions = cublas.stub_questions()
    f(*given)
    assert cublas.stub_questions() == questions, "algorithms are kept"
    shifted = on_cuda([x, w, b], x[1:].dot(w) + b[1:], monkeypatch)
    given = [values(4, 3), values(3, 3), values(4)]
    np.testing.assert_allclose(shifted(*given), given[0][1:] @ given[1] + given[2][1:], rtol=1e-4)


def test_failures_and_profiles(cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [values(3, 5), values(5, 4), values(4)]
    wanted = given[0] @ given[1] + given[2]
    f = on_cuda([x, w, b], x.dot(w) + b, monkeypatch)
    monkeypatch.setenv("STUB_CUBLAS_FAIL", "1")
    with pytest.raises(DeviceError, match=r"a product with a bias \(cuBLAS error 13\)"):
        f(*given)
    monkeypatch.delenv("STUB_CUBLAS_FAIL")
    np.testing.assert_allclose(f(*given), wanted, rtol=1e-4, atol=1e-6)
    monkeypatch.setenv("STUB_CUBLASLT_REFUSES", "1")
    other = [values(3, 6), values(6, 4), values(4)]
    np.testing.assert_allclose(f(*other), other[0] @ other[1] + other[2], rtol=1e-4, atol=1e-6)
    monkeypatch.delenv("STUB_CUBLASLT_REFUSES")
    measured = on_cuda([x, w, b], x.dot(w) + b, monkeypatch, profile=True)
    np.testing.assert_allclose(measured(*given), wanted, rtol=1e-4, atol=1e-6)
    assert "out, by a library" in {step.label for step in measured.profile.steps}


def test_a_cublas_without_cublaslt(
    without_lt: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = on_cuda([x, w, b], x.dot(w) + b, monkeypatch)
    given = [values(3, 5), values(5, 4), values(4)]
    for _ in range(3):
        mine = f(*given)
    np.testing.assert_allclose(mine, given[0] @ given[1] + given[2], rtol=1e-4, atol=1e-6)
    assert without_lt.stub_products() > 0


def test_sums_in_a_loop(cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    n = T.lscalar("n")
    rows, _ = scan(lambda h: h.dot(w) + b, outputs_info=x, non_sequences=[], n_steps=n)
    f = on_cuda([x, w, b, n], rows[-1], monkeypatch)
    given = [values(3, 4), values(4, 4) / 4, values(4)]
    state = given[0]
    for _ in range(3):
        state = state @ given[1] + given[2]
    np.testing.assert_allclose(f(*given, 3), state, rtol=1e-4, atol=1e-5)


def test_factors_that_may_be_rounded(cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """In products with a row and without, of float32 only, where the option says so."""
    outputs = [x.dot(w) + b, T.tanh(x.dot(w.T)), T.dot(x.astype("float64"), w.astype("float64"))]
    given = [values(3, 3), values(3, 3), values(3)]
    for allowed in (False, True):
        with config.change_flags(device_tf32=allowed):
            f = on_cuda([x, w, b], outputs, monkeypatch)
            wide = on_cuda([x, w], outputs[2], monkeypatch)
        before = cublas.stub_tf32s()
        f(*given)
        assert (cublas.stub_tf32s() - before > 0) is allowed
        before = cublas.stub_tf32s(), cublas.stub_products()
        wide(*given[:2])
        assert (cublas.stub_tf32s(), cublas.stub_products()) == (before[0], before[1] + 1)
