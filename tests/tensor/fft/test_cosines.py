"""Cosine and sine transforms: SciPy's values for all types and norms, and gradients."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.fft

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad

RNG = np.random.default_rng(0)
NAMES = ["dct", "idct", "dst", "idst"]


def value(name: str, x: Any, *args: Any, **options: Any) -> Any:
    variable = T.TensorType(x.dtype.name, (None,) * x.ndim)()
    made = getattr(T.fft, name)(variable, *args, **options)
    return function([variable], made, mode="INTERPRET")(x)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_types_norms_and_lengths(name: str, kind: int) -> None:
    settings: list[dict[str, Any]] = [
        {"norm": norm, "orthogonalize": orthogonalize}
        for norm, orthogonalize in itertools.product(
            (None, "ortho", "forward"), (None, True, False)
        )
    ]
    x = T.dmatrix("x")
    made = [getattr(T.fft, name)(x, kind, **options) for options in settings]
    f = function([x], made, mode="INTERPRET")
    for n in (2, 3, 6, 7):
        array = RNG.normal(size=(3, n))
        for found, options in zip(f(array), settings, strict=True):
            want = getattr(scipy.fft, name)(array, kind, **options)
            np.testing.assert_allclose(found, want, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_one_element(name: str) -> None:
    for kind in (1, 2, 3, 4) if "dst" in name else (2, 3, 4):
        x = np.array([3.0])
        want = getattr(scipy.fft, name)(x, kind, norm="ortho")
        np.testing.assert_allclose(value(name, x, kind, norm="ortho"), want, rtol=1e-12)


def test_axes_lengths_and_dtypes() -> None:
    x = RNG.normal(size=(4, 5))
    for name in NAMES:
        want = getattr(scipy.fft, name)(x, n=3, axis=0)
        np.testing.assert_allclose(value(name, x, n=3, axis=0), want, atol=1e-12)
        want = getattr(scipy.fft, name + "n")(x, s=(3, 7), axes=(0, 1), norm="ortho")
        got = value(name + "n", x, s=(3, 7), axes=(0, 1), norm="ortho")
        np.testing.assert_allclose(got, want, atol=1e-12)
        want = getattr(scipy.fft, name + "n")(x)
        np.testing.assert_allclose(value(name + "n", x), want, atol=1e-12)
        single = value(name, x.astype("float32"), norm="ortho")
        assert single.dtype == "float32"
        np.testing.assert_allclose(single, getattr(scipy.fft, name)(x, norm="ortho"), atol=1e-5)
        np.testing.assert_allclose(
            value(name, x + 2j * x), getattr(scipy.fft, name)(x + 2j * x), atol=1e-12
        )
    assert value("dct", np.arange(4)).dtype == "float64"


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", NAMES)
def test_gradients(name: str) -> None:
    for kind in (1, 2, 3, 4):
        transform = getattr(T.fft, name)
        verify_grad(lambda x, f=transform, k=kind: f(x, k, norm="ortho"), [RNG.normal(size=(2, 5))])


def test_errors() -> None:
    x = T.dvector()
    with pytest.raises(ValueError, match=r"dct: type=5 is not one of 1, 2, 3, 4"):
        T.fft.dct(x, 5)
    with pytest.raises(ValueError, match="idst: norm='half'"):
        T.fft.idst(x, norm="half")
    for made in (T.fft.dct(T.zeros((3, 1)), 1), T.fft.idct(x, 1, n=1)):
        with pytest.raises(ValueError, match="dct: type 1 needs two elements"):
            function([x], made, mode="INTERPRET", on_unused_input="ignore")([1.0, 2.0])
