"""What scalar ops are tested on: every signature, edge values, random values of the domain."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar.conversion import cast_to
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import TABLE

Array = np.ndarray[Any, Any]

ROWS = [*TABLE.values(), *map(cast_to, dtypes.ALL)]

# Two implementations of these agree relative to the largest term of a sum, not to the result.
TOLERANCE = {
    "j0": 1e-13,
    "j1": 1e-13,
    "gammaln": 1e-13,
    "gamma": 1e-13,
    "gammau": 1e-12,
    "gammal": 1e-12,
    "tri_gamma": 1e-12,
    "polygamma": 1e-12,
    "zeta": 1e-12,
}
# One term of these may be larger than the result.
SUMS = {"logaddexp", "logaddexp2", "psi", "gammaln"}
COMPLEX_TOLERANCE = {"complex64": 1e-5, "complex128": 1e-13}
ULPS = 4
# NumPy's choice between 0 and -0 depends on the position in the array.
ANY_ZERO = {"maximum", "minimum", "fmax", "fmin", "clip"}
# SciPy's values there are not the limits, which C gives.
NOT_AT_INFINITY = {"j0", "j1", "gammaln"}
NOT_SUBNORMAL = {"gammaln"}


def signatures(row: ScalarOp) -> list[Signature]:
    """Return every signature the row has, over all operand dtypes, each once."""
    choices: Any = product(dtypes.ALL, repeat=row.nin)
    if row.nin > 2:
        rest = row.nin - 1
        choices = ((first, *[other] * rest) for first, other in product(dtypes.ALL, repeat=2))
    found = (signature_or_none(row, operands) for operands in choices)
    return list(dict.fromkeys(signature for signature in found if signature is not None))


def signature_or_none(row: ScalarOp, operands: tuple[str, ...]) -> Signature | None:
    """Return the row's signature, or None where it has none."""
    try:
        return row.signature(operands)
    except TypeError:
        return None


def edges(dtype: str) -> Array:
    """Return values at which implementations differ, if they do."""
    if dtype == "bool":
        return np.array([False, True])
    if dtypes.is_discrete(dtype):
        info = np.iinfo(dtype)
        values = [0, 1, 2, 3, 5, 7, 8, 9, 31, 64, 100, info.max, info.max - 1, info.min]
        values += [-1, -2, -3, -7, -100, info.min + 1] if info.min else []
        return np.array(values, dtype)
    if dtypes.is_complex(dtype):
        part = [0.0, 1.0, -1.0, 0.5, -2.0, 3.25, -1.75, 1e-3]
        grid = np.array([complex(a, b) for a, b in product(part, repeat=2)])
        return grid.astype(dtype)
    limits = np.finfo(dtype)
    below_half = float(np.nextafter(np.array(0.5, dtype), 0))
    extremes = [limits.tiny, limits.smallest_subnormal, limits.max, limits.eps]
    plain = [0.0, 1.0, below_half, 0.5, 1.5, 2.0, 2.5, 3.0, 0.1, 0.7, 5.0, 12.5, 100.0, math.inf]
    positive = [*plain, *map(float, extremes)]
    return np.array([*positive, *(-value for value in positive), math.nan], dtype)


def conversion_edges(dtype: str) -> Array:
    """Return numbers around the bounds of every dtype and of what floats hold exactly, and nan."""
    if dtype == "bool":
        return np.array([False, True])
    powers = [2**k for k in (0, 7, 8, 11, 15, 16, 24, 25, 31, 32, 33, 53, 54, 63, 64)]
    if dtypes.is_discrete(dtype):
        info = np.iinfo(dtype)
        near = [
            sign * power + step
            for power in powers
            for sign in (-1, 1)
            for step in (-3, -1, 0, 1, 3)
        ]
        return np.array([0, *(n for n in near if info.min <= n <= info.max)], dtype)
    with np.errstate(over="ignore"):
        bounds = np.array([sign * power for power in map(float, powers) for sign in (-1, 1)], dtype)
        halves = np.array(
            [0.5, 1.5, 300.7, -1.9, 2.0**31 + 1.5, 2.0**32 + 5, -3e9, 5e9, 1e30], dtype
        )
    found = [edges(dtype), bounds, halves]
    found += [np.nextafter(bounds, bounds.dtype.type(end)) for end in (-math.inf, math.inf)]
    return np.concatenate(
        [*found, bounds - bounds.dtype.type(0.5), bounds + bounds.dtype.type(0.5)]
    )


def samples(row: ScalarOp, signature: Signature) -> list[Array]:
    """Return operands: every combination of edge values, then random ones from the domain."""
    grids = [edges(dtype) for dtype in signature.compute]
    if row.nin > 2:
        grids = [grid[: 12 if row.nin == 3 else 6] for grid in grids]
    crossed = np.meshgrid(*grids, indexing="ij")
    generator = np.random.default_rng(1)
    domains = row.domain if isinstance(row.domain[0], tuple) else (row.domain,) * row.nin
    operands = []
    for dtype, grid, (low, high) in zip(signature.compute, crossed, domains, strict=True):
        drawn = generator.uniform(low, high, 100)
        if dtypes.is_complex(dtype):
            drawn = drawn + 1j * generator.uniform(low, high, 100)
        if dtypes.is_discrete(dtype):
            drawn = np.rint(np.abs(drawn) if dtype[0] == "u" else drawn)
        operands.append(np.concatenate([grid.ravel(), drawn.astype(dtype)]))
    if row.name == "iround" or row.name.startswith("cast{"):
        part = dtypes.real_of(signature.compute[0])
        operands = [np.append(item, conversion_edges(part)) for item in operands]
    return keep_defined(row, operands)


def keep_defined(row: ScalarOp, operands: list[Array]) -> list[Array]:
    """Drop the operands for which SciPy's values are not the limits."""
    values = operands[0]
    keep = np.ones(values.shape, bool)
    if row.name in NOT_AT_INFINITY:
        keep &= ~np.isinf(values)
    if row.name in NOT_SUBNORMAL:
        keep &= (values == 0) | ~(np.abs(values) < np.finfo(values.dtype).tiny)
    return [item[keep] for item in operands]


def agrees(row: ScalarOp, got: Array, want: Array) -> Any:
    """Return where two arrays agree as the row's kind demands."""
    with np.errstate(all="ignore"):
        return _complex(got, want) if want.dtype.kind == "c" else _real(row, got, want)


def _complex(got: Array, want: Array) -> Any:
    close = np.abs(got - want) <= np.abs(want) * COMPLEX_TOLERANCE[want.dtype.name]
    return close | (got == want) | (np.isnan(got) & np.isnan(want))


def _real(row: ScalarOp, got: Array, want: Array) -> Any:
    exact = (got == want) | ((got != got) & (want != want))
    if want.dtype.kind != "f":
        return exact
    if row.name not in ANY_ZERO:
        exact &= (got != 0) | (np.signbit(got) == np.signbit(want))
    if not (row.libm or row.external or row.name in TOLERANCE):
        return exact
    reach = np.maximum(np.abs(want), row.name in SUMS)
    ulp = np.maximum(np.spacing(reach), np.finfo(want.dtype).smallest_subnormal)
    tolerance = np.maximum(ULPS * ulp, TOLERANCE.get(row.name, 0) * np.maximum(1, np.abs(want)))
    return exact | (np.abs(got.astype(np.float64) - want) <= tolerance)
