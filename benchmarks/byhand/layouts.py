"""Axes in another order, and short last axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.byhand.case import Case

PLANES = """
void f(const uint8_t *x, const float *mean, const float *scale, float *out, int64_t n,
       int64_t m) {
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            const uint8_t *p = x + i * m * 3 + c;
            float *o = out + (i * 3 + c) * m;
            #pragma omp simd
            for (int64_t k = 0; k < m; k++) o[k] = (p[3 * k] / 255.f - mean[c]) / scale[c];
        }
}
"""
SHORT_ROWS = """
void f(const float *x, float *out, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        out[i] = x[3 * i] * x[3 * i] + x[3 * i + 1] * x[3 * i + 1] + x[3 * i + 2] * x[3 * i + 2];
}
"""


def planes(x: Any, mean: Any, scale: Any) -> Any:
    """Normalize the channels of images, and store each as a plane."""
    y = (x.astype("float32") / np.float32(255) - mean) / scale
    return y.transpose(0, 3, 1, 2)


CASES = [
    Case(
        "nhwc_to_nchw",
        lambda rng: {"x": rng.integers(0, 256, (16, 224, 224, 3)).astype("uint8"),
                     "mean": rng.uniform(0.4, 0.6, 3).astype("float32"),
                     "scale": rng.uniform(0.2, 0.3, 3).astype("float32")},
        planes, PLANES, (16, 224 * 224),
        lambda x, mean, scale: (
            (x.astype("float32") / np.float32(255) - mean) / scale
        ).transpose(0, 3, 1, 2),
        static={"x": (None, None, None, 3), "mean": (3,), "scale": (3,)}, tolerance=1e-5,
    ),
    Case("short_rows", lambda rng: {"x": rng.standard_normal((300_000, 3)).astype("float32")},
         lambda x: (x**2).sum(1), SHORT_ROWS, (300_000,), static={"x": (None, 3)},
         tolerance=1e-5),
]  # fmt: skip
