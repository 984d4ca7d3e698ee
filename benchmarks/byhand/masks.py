"""Elements that a mask selects."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.byhand.case import Case

MASKED_SUM = """
void f(const double *x, const uint8_t *m, double *out, int64_t n) {
    double sum = 0;
    #pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++) sum += m[i] * x[i];  /* x is finite here */
    *out = sum;
}
"""
NONZERO = """
void f(const uint8_t *m, int64_t *out, int64_t n) {
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) count += m[i] != 0;
    int64_t *p = out;
    int64_t i = 0;
    for (; i < n && p < out + count - 1; i++) {  /* writes one more, which is overwritten */
        *p = i;
        p += m[i] != 0;
    }
    for (; i < n; i++) if (m[i]) *p++ = i;
}
"""


def mask(rng: np.random.Generator) -> dict[str, Any]:
    """Return numbers, and a mask of half of them."""
    return {"x": rng.standard_normal(1_000_000), "m": rng.random(1_000_000) < 0.5}


CASES = [
    Case("masked_sum", mask, lambda x, m: x[m].sum(), MASKED_SUM, (1_000_000,),
         lambda x, m: x[m].sum()),
    Case("nonzero", lambda rng: {"m": mask(rng)["m"]}, lambda m: m.nonzero()[0], NONZERO,
         (1_000_000,), lambda m: m.nonzero()[0]),
]  # fmt: skip
