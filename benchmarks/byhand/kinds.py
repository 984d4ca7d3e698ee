"""Types of elements other than float and double."""

from __future__ import annotations

import numpy as np

from benchmarks.byhand.case import Array, Case

HALF = """
void f(const _Float16 *x, const _Float16 *y, _Float16 *out, int64_t n) {
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = (_Float16)(x[i] * y[i]) + x[i];
}
"""
POWER = """
void f(const double *z, double *out, int64_t n) {
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1];
}
"""


def halves(rng: np.random.Generator) -> dict[str, Array]:
    """Return two arrays of float16."""
    return {name: rng.standard_normal(1_000_000).astype("float16") for name in "xy"}


def numbers(rng: np.random.Generator) -> dict[str, Array]:
    """Return complex numbers."""
    return {"z": rng.standard_normal(1_000_000) + 1j * rng.standard_normal(1_000_000)}


CASES = [
    Case("float16", halves, lambda x, y: x * y + x, HALF, (1_000_000,), lambda x, y: x * y + x),
    Case("complex_power", numbers, lambda z: abs(z) ** 2, POWER, (1_000_000,),
         lambda z: abs(z) ** 2),
]  # fmt: skip
