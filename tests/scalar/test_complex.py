"""Functions of complex numbers, compiled and interpreted, against mpmath.

NumPy's own complex functions depend on the processor, and lose digits where C does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import symtheano
import symtheano.tensor as T

Array = np.ndarray[Any, Any]

EXACT: dict[str, Callable[[Any], Any]] = {
    "abs": abs,
    "angle": mpmath.arg,
    "arccos": mpmath.acos,
    "arccosh": mpmath.acosh,
    "arcsin": mpmath.asin,
    "arcsinh": mpmath.asinh,
    "arctan": mpmath.atan,
    "arctanh": mpmath.atanh,
    "cos": mpmath.cos,
    "cosh": mpmath.cosh,
    "exp": mpmath.exp,
    "exp2": lambda z: mpmath.power(2, z),
    "expm1": lambda z: mpmath.exp(z) - 1,
    "log": mpmath.log,
    "log10": lambda z: mpmath.log(z) / mpmath.log(10),
    "log1p": lambda z: mpmath.log(1 + z),
    "log2": lambda z: mpmath.log(z) / mpmath.log(2),
    "reciprocal": lambda z: 1 / z,
    "sgn": lambda z: z / abs(z),
    "sin": mpmath.sin,
    "sinh": mpmath.sinh,
    "sqr": lambda z: z * z,
    "sqrt": mpmath.sqrt,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
}
# Squares of the parts go beyond the range; two to the power of an angle rounds the angle.
SMALL = {"sqr": 1e15, "exp2": 3.0}
PERIODIC = {"cos", "cosh", "exp", "expm1", "sin", "sinh", "tan", "tanh"}
PARTS = [0, 1e-160, 1e-20, 1e-8, 1e-3, 0.3, 0.9999999, 1, 1.0000001, 2, 10, 80, 1e8, 1e20, 1e160]
ULPS = 16


def compiled_and_interpreted(names: list[str], dtype: str) -> list[Any]:
    x = T.TensorType(dtype, (None,))("x")
    outputs = [getattr(T, name)(x) for name in names]
    return [symtheano.function([x], outputs, mode=mode) for mode in ("FAST_RUN", "INTERPRET")]


def points(dtype: str) -> Array:
    """Return numbers with parts of every size and sign; axes only where no function has a cut."""
    small, large = float(np.finfo(dtype).tiny), float(np.finfo(dtype).max)
    sizes = [size for size in PARTS if size == 0 or small < size < large]
    signs = [(s, t) for s in (1, -1) for t in (1, -1)]
    kept = {complex(a * s, b * t) for a in sizes for b in sizes if a and b for s, t in signs}
    for size in sizes:
        if 0 < size < 1:
            kept |= {complex(size, 0), complex(0, size)}
    return np.array(sorted(kept, key=lambda z: (z.real, z.imag)), dtype)


def within(name: str, z: complex) -> bool:
    """Return whether a function is compared at this point."""
    limit = SMALL.get(name, 1e9 if name in PERIODIC else np.inf)
    return max(abs(z.real), abs(z.imag)) <= limit


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_values_are_near_the_exact_ones(dtype: str) -> None:
    z = points(dtype)
    limits = np.finfo(dtype)
    largest, eps, least = map(float, (limits.max, limits.eps, limits.smallest_subnormal))
    names = list(EXACT)
    both = [f(z) for f in compiled_and_interpreted(names, dtype)]
    with mpmath.workprec(1200 if dtype == "complex128" else 400):
        for number, name in enumerate(names):
            for k, at in enumerate(z.tolist()):
                if not within(name, at):
                    continue
                exact = mpmath.mpc(EXACT[name](mpmath.mpc(at)))
                if abs(exact) > largest:
                    continue
                allowed = ULPS * max(abs(exact) * eps, least)
                for how, results in zip(("C", "interpreter"), both, strict=True):
                    got = mpmath.mpc(complex(results[number][k]))
                    assert abs(got - exact) <= allowed, (how, name, at, got, complex(exact))


@pytest.mark.needs_cc
def test_special_values_are_the_interpreter_s() -> None:
    part = [0.0, -0.0, 0.5, -0.5, 1, -1, 2, -2, 1e-10, np.inf, -np.inf, np.nan, 1e200, -1e200]
    z = np.array([complex(a, b) for a in part for b in part])
    names = [name for name in EXACT if name != "sqr"]  # NumPy's depends on the processor
    compiled, interpreted = (f(z) for f in compiled_and_interpreted(names, "complex128"))
    for name, got, want in zip(names, compiled, interpreted, strict=True):
        for mine, its in ((got.real, want.real), (got.imag, want.imag)):
            with np.errstate(invalid="ignore"):
                near = np.abs(mine - its) <= 1e-14 * np.abs(its)
            same = (mine == its) & (np.signbit(mine) == np.signbit(its))
            same |= (its != 0) & near | np.isnan(mine) & np.isnan(its)
            wrong = np.flatnonzero(~same)
            assert not wrong.size, (name, z[wrong], got[wrong], want[wrong])
