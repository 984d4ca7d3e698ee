"""Elementwise programs: everything fits one loop."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from benchmarks.byhand.case import Array, Case

TWO_TERMS = """
void f(const double *a, const double *b, double *out, int64_t n) {
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = sin(a[i]) + exp(cos(b[i]));
}
"""
LSTM = """
static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }
__attribute__((visibility("default")))
void f(const float *z, const float *c, float *hidden, float *cell, int64_t n, int64_t h) {
    for (int64_t i = 0; i < n; i++) {
        const float *p = z + 4 * i * h, *q = c + i * h;
        float *u = hidden + i * h, *v = cell + i * h;
        #pragma omp simd
        for (int64_t j = 0; j < h; j++) {
            const float next = sigmoid(p[j + h]) * q[j] + sigmoid(p[j]) * tanhf(p[j + 2 * h]);
            v[j] = next;
            u[j] = sigmoid(p[j + 3 * h]) * tanhf(next);
        }
    }
}
"""
ADAM = """
void f(float *p, float *m, float *v, const float *g, int64_t n) {
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        m[i] = 0.9f * m[i] + 0.1f * g[i];
        v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
        p[i] -= 0.01f * m[i] / (sqrtf(v[i]) + 1e-8f);
    }
}
"""
TWELVE_STEPS = """
void f(const double *x, double *out, int64_t n) {
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double y = x[i];
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        y = 2.5 * y * (1 - y);
        out[i] = y;
    }
}
"""


def lstm(z: Any, c: Any) -> list[Any]:
    """Return the hidden state and the cell state of an LSTM from its four gates."""
    h = c.shape[1]
    i, f, g, o = (z[:, k * h : (k + 1) * h] for k in range(4))
    cell = T.nnet.sigmoid(f) * c + T.nnet.sigmoid(i) * T.tanh(g)
    return [T.nnet.sigmoid(o) * T.tanh(cell), cell]


def adam(p: Any, m: Any, v: Any, g: Any) -> list[Any]:
    """Return new parameters and moments."""
    f = np.float32
    m1 = f(0.9) * m + f(0.1) * g
    v1 = f(0.999) * v + f(0.001) * g**2
    return [p - f(0.01) * m1 / (T.sqrt(v1) + f(1e-8)), m1, v1]


def adam_inputs(rng: np.random.Generator) -> dict[str, Array]:
    """Return parameters, moments and a gradient."""
    made = {name: rng.standard_normal(5_000_000).astype("float32") for name in "pmvg"}
    made["v"] **= 2
    return made


def twelve_steps(x: Any) -> Any:
    """Apply a polynomial twelve times."""
    for _ in range(12):
        x = 2.5 * x * (1 - x)
    return x


CASES = [
    Case(
        "two_terms",
        lambda rng: {"a": rng.standard_normal(1_000_000), "b": rng.standard_normal(1_000_000)},
        lambda a, b: T.sin(a) + T.exp(T.cos(b)), TWO_TERMS, (1_000_000,),
    ),
    Case(
        "lstm_cell",
        lambda rng: {"z": rng.standard_normal((256, 2048)).astype("float32"),
                     "c": rng.standard_normal((256, 512)).astype("float32")},
        lstm, LSTM, (256, 512), tolerance=1e-5,
    ),
    Case("adam", adam_inputs, adam, ADAM, (5_000_000,), updates=3, tolerance=1e-5),
    Case("twelve_steps", lambda rng: {"x": rng.uniform(0, 1, 5_000_000)}, twelve_steps,
         TWELVE_STEPS, (5_000_000,)),
]  # fmt: skip
