"""Slices of one array, their gradients, and storing into a part of an array."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from benchmarks.byhand.case import Case

LAPLACIAN_GRADIENT = """
void f(const double *u, double *g, int64_t n, int64_t m) {
    double *l = calloc(n * m, sizeof(double));
    for (int64_t i = 1; i < n - 1; i++)
        #pragma omp simd
        for (int64_t j = 1; j < m - 1; j++) {
            const double *p = u + i * m + j;
            l[i * m + j] = 2 * (p[-m] + p[m] + p[-1] + p[1] - 4 * p[0]);
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            const double *p = l + i * m + j;
            if (i > 0 && i < n - 1 && j > 0 && j < m - 1) continue;
            g[i * m + j] = (i > 0 ? p[-m] : 0) + (i < n - 1 ? p[m] : 0) + (j > 0 ? p[-1] : 0)
                           + (j < m - 1 ? p[1] : 0) - 4 * p[0];
        }
    for (int64_t i = 1; i < n - 1; i++)
        #pragma omp simd
        for (int64_t j = 1; j < m - 1; j++) {
            const double *p = l + i * m + j;
            g[i * m + j] = p[-m] + p[m] + p[-1] + p[1] - 4 * p[0];
        }
    free(l);
}
"""
SEVEN_TAPS = """
void f(const double *x, const double *w, double *g, int64_t n) {
    double *y = calloc(n + 6, sizeof(double));
    #pragma omp simd
    for (int64_t i = 0; i < n - 6; i++) {
        double s = 0;
        for (int k = 0; k < 7; k++) s += w[k] * x[i + k];
        y[i + 6] = 2 * s;
    }
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 7; k++) s += w[k] * y[i + 6 - k];
        g[i] = s;
    }
    free(y);
}
"""
SET_INTERIOR = """
void f(const double *x, const double *v, double *out, int64_t n, int64_t m) {
    memcpy(out, x, m * sizeof(double));
    for (int64_t i = 1; i < n - 1; i++) {
        out[i * m] = x[i * m];
        memcpy(out + i * m + 1, v + (i - 1) * (m - 2), (m - 2) * sizeof(double));
        out[i * m + m - 1] = x[i * m + m - 1];
    }
    memcpy(out + (n - 1) * m, x + (n - 1) * m, m * sizeof(double));
}
"""
JACOBI = """
void f(const double *x, double *out, int64_t n, int64_t m) {
    memcpy(out, x, m * sizeof(double));
    for (int64_t i = 1; i < n - 1; i++) {
        out[i * m] = x[i * m];
        #pragma omp simd
        for (int64_t j = 1; j < m - 1; j++) {
            const double *p = x + i * m + j;
            out[i * m + j] = 0.25 * (p[-m] + p[m] + p[-1] + p[1]);
        }
        out[i * m + m - 1] = x[i * m + m - 1];
    }
    memcpy(out + (n - 1) * m, x + (n - 1) * m, m * sizeof(double));
}
"""


def laplacian_gradient(u: Any) -> Any:
    """Return the gradient of the squared Laplacian of the interior."""
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    return symtheano.grad(((around - 4 * u[1:-1, 1:-1]) ** 2).sum(), u)


def seven_taps(x: Any, w: Any) -> Any:
    """Return the gradient of a squared filtered signal."""
    y = sum(w[k] * x[k : x.shape[0] - 6 + k] for k in range(7))
    return symtheano.grad((y**2).sum(), x)


def jacobi(x: Any) -> Any:
    """Replace the interior by means of neighbours."""
    means = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return T.set_subtensor(x[1:-1, 1:-1], means)


def grid(rng: np.random.Generator) -> dict[str, Any]:
    """Return one array of 8 MB."""
    return {"x": rng.standard_normal((1024, 1024))}


CASES = [
    Case("laplacian_gradient", grid, laplacian_gradient, LAPLACIAN_GRADIENT, (1024, 1024)),
    Case(
        "seven_taps_gradient",
        lambda rng: {"x": rng.standard_normal(1_000_000), "w": rng.standard_normal(7)},
        seven_taps, SEVEN_TAPS, (1_000_000,),
    ),
    Case(
        "set_interior",
        lambda rng: {"x": rng.standard_normal((1024, 1024)),
                     "v": rng.standard_normal((1022, 1022))},
        lambda x, v: T.set_subtensor(x[1:-1, 1:-1], v), SET_INTERIOR, (1024, 1024),
    ),
    Case("jacobi_step", grid, jacobi, JACOBI, (1024, 1024)),
]  # fmt: skip
