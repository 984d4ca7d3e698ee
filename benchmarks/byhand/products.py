"""Matrix products, with and without BLAS."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from benchmarks.byhand.case import Case

EYE = """
void f(const double *x, double *out, int64_t n) { memcpy(out, x, n * n * sizeof(double)); }
"""
TWICE = """
void f(const double *x, const double *y, double *out, int64_t n, int64_t k) {
    cblas_dgemm(ROWS, PLAIN, PLAIN, n, n, k, 2, x, k, y, n, 0, out, n);
}
"""
TANH_PLUS = """
void f(const double *c, const double *x, const double *y, double *out, int64_t n, int64_t k) {
    #pragma omp simd
    for (int64_t i = 0; i < n * n; i++) out[i] = tanh(c[i]);
    cblas_dgemm(ROWS, PLAIN, PLAIN, n, n, k, 1, x, k, y, n, 1, out, n);
}
"""
CHANNELS = """
void f(const double *x, const double *w, double *out, int64_t b, int64_t c, int64_t t,
       int64_t o) {
    for (int64_t i = 0; i < b; i++)
        cblas_dgemm(ROWS, PLAIN, PLAIN, o, t, c, 1, w, c, x + i * c * t, t, 0, out + i * o * t, t);
}
"""
HEADS = """
void f(const double *q, const double *k, double *out, int64_t b, int64_t h, int64_t t,
       int64_t d) {
    for (int64_t i = 0; i < b; i++)
        for (int64_t j = 0; j < h; j++)
            cblas_dgemm(ROWS, PLAIN, TRANSPOSED, t, t, d, 1, q + i * t * h * d + j * d, h * d,
                        k + i * t * h * d + j * d, h * d, 0, out + (i * h + j) * t * t, t);
}
"""
BATCHED = """
void f(const double *x, const double *y, double *out, int64_t b, int64_t n, int64_t k) {
    for (int64_t i = 0; i < b; i++)
        cblas_dgemm(ROWS, TRANSPOSED, TRANSPOSED, n, n, k, 1, x + i * k * n, n, y + i * n * k, k,
                    0, out + i * n * n, n);
}
"""
INTEGERS = """
void f(const TYPE *x, const TYPE *y, TYPE *out, int64_t n) {
    memset(out, 0, n * n * sizeof(TYPE));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) {
            const TYPE v = x[i * n + k];
            #pragma omp simd
            for (int64_t j = 0; j < n; j++) out[i * n + j] += v * y[k * n + j];
        }
}
"""


def arrays(**shapes: tuple[int, ...]) -> Any:
    """Return a function that makes arrays of these shapes."""
    return lambda rng: {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def integers(dtype: str) -> Case:
    """Return the product of two matrices of integers."""

    def inputs(rng: np.random.Generator) -> dict[str, Any]:
        return {name: rng.integers(-99, 99, (256, 256)).astype(dtype) for name in "xy"}

    return Case(f"product_{dtype}", inputs, T.dot, INTEGERS.replace("TYPE", f"{dtype}_t"), (256,),
                np.dot)  # fmt: skip


CASES = [
    Case("eye_product", arrays(x=(400, 400)), lambda x: T.dot(T.eye(x.shape[0]), x), EYE, (400,),
         lambda x: x.copy()),
    Case("twice_product", arrays(x=(800, 16), y=(16, 800)), lambda x, y: 2 * T.dot(x, y), TWICE,
         (800, 16), lambda x, y: 2 * (x @ y)),
    Case("tanh_plus_product", arrays(c=(800, 800), x=(800, 16), y=(16, 800)),
         lambda c, x, y: T.tanh(c) + T.dot(x, y), TANH_PLUS, (800, 16)),
    Case("einsum_bct_oc", arrays(x=(32, 64, 256), w=(64, 64)),
         lambda x, w: T.einsum("bct,oc->bot", x, w), CHANNELS, (32, 64, 256, 64)),
    Case("einsum_heads", arrays(q=(8, 128, 8, 32), k=(8, 128, 8, 32)),
         lambda q, k: T.einsum("bthd,bshd->bhts", q, k), HEADS, (8, 8, 128, 32)),
    Case("batched_transposed", arrays(x=(32, 64, 128), y=(32, 128, 64)),
         lambda x, y: T.batched_dot(x.transpose(0, 2, 1), y.transpose(0, 2, 1)), BATCHED,
         (32, 128, 64)),
    integers("int64"),
    integers("int32"),
]  # fmt: skip
