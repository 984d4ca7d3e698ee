"""Reductions along one axis or several, and what is computed with their results."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from benchmarks.byhand.case import Array, Case


def normal(*shape: int, dtype: str = "float32") -> Any:
    """Return a function that makes one array ``x``."""
    return lambda rng: {"x": rng.standard_normal(shape).astype(dtype)}


SUM_MIDDLE = """
void f(const float *x, float *out, int64_t a, int64_t b, int64_t c) {
    for (int64_t i = 0; i < a; i++) {
        float *o = out + i * c;
        memset(o, 0, c * sizeof(float));
        for (int64_t j = 0; j < b; j++)
            #pragma omp simd
            for (int64_t k = 0; k < c; k++) o[k] += x[(i * b + j) * c + k];
    }
}
"""
MAX_MIDDLE = """
void f(const float *x, float *out, int64_t a, int64_t b, int64_t c) {
    for (int64_t i = 0; i < a; i++) {
        float *o = out + i * c;
        memcpy(o, x + i * b * c, c * sizeof(float));
        for (int64_t j = 1; j < b; j++)
            #pragma omp simd
            for (int64_t k = 0; k < c; k++) {
                const float v = x[(i * b + j) * c + k];
                o[k] = v > o[k] || v != v ? v : o[k];
            }
    }
}
"""
SOFTMAX_MIDDLE = """
void f(const float *x, float *out, int64_t a, int64_t b, int64_t c) {
    float *top = malloc(c * sizeof(float)), *sum = malloc(c * sizeof(float));
    for (int64_t i = 0; i < a; i++) {
        const float *p = x + i * b * c;
        float *o = out + i * b * c;
        memcpy(top, p, c * sizeof(float));
        memset(sum, 0, c * sizeof(float));
        for (int64_t j = 1; j < b; j++)
            #pragma omp simd
            for (int64_t k = 0; k < c; k++) {
                const float v = p[j * c + k];
                top[k] = v > top[k] || v != v ? v : top[k];
            }
        for (int64_t j = 0; j < b; j++)
            #pragma omp simd
            for (int64_t k = 0; k < c; k++) {
                const float e = expf(p[j * c + k] - top[k]);
                o[j * c + k] = e;
                sum[k] += e;
            }
        for (int64_t k = 0; k < c; k++) sum[k] = 1 / sum[k];
        for (int64_t j = 0; j < b; j++)
            #pragma omp simd
            for (int64_t k = 0; k < c; k++) o[j * c + k] *= sum[k];
    }
    free(top);
    free(sum);
}
"""
SOFTMAX_FIRST = """
void f(const float *x, float *out, int64_t n, int64_t c, int64_t block) {
    float *largest = malloc(block * sizeof(float)), *scale = malloc(block * sizeof(float));
    double *sum = malloc(block * sizeof(double));
    for (int64_t k = 0; k < c; k += block) {
        const int64_t m = c - k < block ? c - k : block;
        for (int64_t j = 0; j < m; j++) {
            largest[j] = x[k + j];
            sum[j] = 0;
        }
        for (int64_t i = 1; i < n; i++)
            #pragma omp simd
            for (int64_t j = 0; j < m; j++) {
                const float value = x[i * c + k + j];
                largest[j] = value > largest[j] ? value : largest[j];
            }
        for (int64_t i = 0; i < n; i++)
            #pragma omp simd
            for (int64_t j = 0; j < m; j++) {
                const float value = expf(x[i * c + k + j] - largest[j]);
                sum[j] += value;
                out[i * c + k + j] = value;
            }
        for (int64_t j = 0; j < m; j++) scale[j] = 1 / (float)sum[j];
        for (int64_t i = 0; i < n; i++)
            #pragma omp simd
            for (int64_t j = 0; j < m; j++) out[i * c + k + j] *= scale[j];
    }
    free(largest);
    free(scale);
    free(sum);
}
"""

EMBEDDING_MEAN = """
void f(const float *e, const int64_t *ids, float *out, int64_t n, int64_t length, int64_t d) {
    for (int64_t i = 0; i < n; i++) {
        float *o = out + i * d;
        memset(o, 0, d * sizeof(float));
        for (int64_t j = 0; j < length; j++) {
            const float *row = e + ids[i * length + j] * d;
            #pragma omp simd
            for (int64_t k = 0; k < d; k++) o[k] += row[k];
        }
        #pragma omp simd
        for (int64_t k = 0; k < d; k++) o[k] /= length;
    }
}
"""
BATCH_NORM = """
void f(const float *x, const float *g, const float *b, float *out, int64_t n, int64_t c,
       int64_t m) {
    for (int64_t j = 0; j < c; j++) {
        float sum = 0, squares = 0;
        for (int64_t i = 0; i < n; i++) {
            const float *p = x + (i * c + j) * m;
            #pragma omp simd reduction(+ : sum)
            for (int64_t k = 0; k < m; k++) sum += p[k];
        }
        const float mean = sum / (n * m);
        for (int64_t i = 0; i < n; i++) {
            const float *p = x + (i * c + j) * m;
            #pragma omp simd reduction(+ : squares)
            for (int64_t k = 0; k < m; k++) squares += (p[k] - mean) * (p[k] - mean);
        }
        const float scale = g[j] / sqrtf(squares / (n * m) + 1e-5f), shift = b[j];
        for (int64_t i = 0; i < n; i++) {
            const float *p = x + (i * c + j) * m;
            float *o = out + (i * c + j) * m;
            #pragma omp simd
            for (int64_t k = 0; k < m; k++) o[k] = (p[k] - mean) * scale + shift;
        }
    }
}
"""
BATCH_NORM_GRADIENT = """
void f(const float *x, const float *dy, float *dx, int64_t n, int64_t c) {
    float *mean = calloc(4 * c, sizeof(float)), *scale = mean + c, *s = mean + 2 * c,
          *t = mean + 3 * c;
    for (int64_t i = 0; i < n; i++)
        #pragma omp simd
        for (int64_t j = 0; j < c; j++) mean[j] += x[i * c + j];
    for (int64_t j = 0; j < c; j++) mean[j] /= n;
    for (int64_t i = 0; i < n; i++)
        #pragma omp simd
        for (int64_t j = 0; j < c; j++) {
            const float v = x[i * c + j] - mean[j], d = dy[i * c + j];
            scale[j] += v * v;
            s[j] += d;
            t[j] += d * v;
        }
    for (int64_t j = 0; j < c; j++) {
        scale[j] = 1 / sqrtf(scale[j] / n + 1e-5f);
        s[j] /= n;
        t[j] *= scale[j] * scale[j] / n;
    }
    for (int64_t i = 0; i < n; i++)
        #pragma omp simd
        for (int64_t j = 0; j < c; j++)
            dx[i * c + j] = scale[j] * (dy[i * c + j] - s[j] - (x[i * c + j] - mean[j]) * t[j]);
    free(mean);
}
"""
ROW_SUMS = """
void f(const float *x, float *out, int64_t n, int64_t m) {
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        #pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < m; j++) sum += x[i * m + j];
        out[i] = sum;
    }
}
"""
SCALED_COLUMNS = """
void f(const double *x, const double *v, double *out, int64_t n, int64_t m) {
    memset(out, 0, m * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        #pragma omp simd
        for (int64_t j = 0; j < m; j++) out[j] += x[i * m + j];
    for (int64_t j = 0; j < m; j++) out[j] *= 2 * v[j];
}
"""
SCALED_ROWS = """
void f(const double *x, const double *v, double *out, int64_t n, int64_t m) {
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        #pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < m; j++) sum += x[i * m + j];
        out[i] = sum * v[i];
    }
}
"""
MIXTURE = """
void f(const double *x, const double *mu, const double *s, double *weight, double *total,
       int64_t n) {
    double w[8] = {0}, t[8] = {0};
    for (int64_t i = 0; i < n; i++) {
        double z[8], top = -INFINITY, sum = 0;
        #pragma omp simd
        for (int k = 0; k < 8; k++) z[k] = -0.5 * (x[i] - mu[k]) * (x[i] - mu[k]) * s[k];
        #pragma omp simd reduction(max : top)
        for (int k = 0; k < 8; k++) top = z[k] > top ? z[k] : top;
        #pragma omp simd reduction(+ : sum)
        for (int k = 0; k < 8; k++) sum += z[k] = exp(z[k] - top);
        sum = 1 / sum;
        #pragma omp simd
        for (int k = 0; k < 8; k++) {
            w[k] += z[k] * sum;
            t[k] += z[k] * sum * x[i];
        }
    }
    memcpy(weight, w, sizeof w);
    memcpy(total, t, sizeof t);
}
"""
TRANSPOSED_PRODUCT = """
void f(const double *x, double *out, int64_t n) {
    double sum = 0;
    for (int64_t a = 0; a < n; a += 16)
        for (int64_t b = 0; b < n; b += 16)
            for (int64_t i = a; i < a + 16; i++)
                for (int64_t j = b; j < b + 16; j++) sum += x[i * n + j] * x[j * n + i];
    *out = sum;
}
"""
DISTANCE_GRADIENTS = """
void f(const double *a, const double *b, const double *w, double *ga, double *gb, int64_t n,
       int64_t m, int64_t d) {
    memset(ga, 0, n * d * sizeof(double));
    memset(gb, 0, m * d * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            #pragma omp simd reduction(+ : sum)
            for (int64_t k = 0; k < d; k++)
                sum += (a[i * d + k] - b[j * d + k]) * (a[i * d + k] - b[j * d + k]);
            const double s = w[i * m + j] / sqrt(sum);
            #pragma omp simd
            for (int64_t k = 0; k < d; k++) {
                const double g = s * (a[i * d + k] - b[j * d + k]);
                ga[i * d + k] += g;
                gb[j * d + k] -= g;
            }
        }
}
"""


def batch_norm(x: Any, g: Any, b: Any) -> Any:
    """Normalize each channel of images."""
    mean = x.mean((0, 2, 3), keepdims=True)
    variance = ((x - mean) ** 2).mean((0, 2, 3), keepdims=True)
    scale, shift = (v.dimshuffle("x", 0, "x", "x") for v in (g, b))
    return (x - mean) / T.sqrt(variance + np.float32(1e-5)) * scale + shift


def batch_norm_gradient(x: Any, dy: Any) -> Any:
    """Return the gradient of normalized columns."""
    centered = x - x.mean(0)
    y = centered / T.sqrt((centered**2).mean(0) + np.float32(1e-5))
    return symtheano.grad((y * dy).sum(), x)


def mixture(x: Any, mu: Any, s: Any) -> list[Any]:
    """Return the sums of responsibilities, and of observations weighted with them."""
    p = T.nnet.softmax(-0.5 * (x[:, None] - mu) ** 2 * s, axis=1)
    return [p.sum(0), (p * x[:, None]).sum(0)]


def distance_gradients(a: Any, b: Any, w: Any) -> Any:
    """Return the gradients of a weighted sum of distances."""
    distances = T.sqrt(((a[:, None] - b) ** 2).sum(2))
    return symtheano.grad((distances * w).sum(), [a, b])


def scaled_inputs(axis: int) -> Any:
    """Return a function that makes a matrix and a vector along one of its axes."""
    return lambda rng: {
        "x": rng.standard_normal((2000, 500)),
        "v": rng.standard_normal((2000, 500)[axis]),
    }


def images(rng: np.random.Generator) -> dict[str, Array]:
    """Return images, and a scale and a shift for each channel."""
    return {
        "x": rng.standard_normal((16, 64, 28, 28)).astype("float32"),
        "g": rng.standard_normal(64).astype("float32"),
        "b": rng.standard_normal(64).astype("float32"),
    }


CASES = [
    Case("sum_middle", normal(64, 256, 512), lambda x: x.sum(1), SUM_MIDDLE, (64, 256, 512),
         lambda x: x.sum(1), tolerance=1e-5),
    Case("max_middle", normal(64, 256, 512), lambda x: x.max(1), MAX_MIDDLE, (64, 256, 512),
         lambda x: x.max(1)),
    Case("softmax_middle", normal(16, 64, 512), lambda x: T.nnet.softmax(x, axis=1),
         SOFTMAX_MIDDLE, (16, 64, 512), tolerance=1e-5),
    *(
        Case(name, normal(n, c), lambda x: T.nnet.softmax(x, axis=0), SOFTMAX_FIRST,
             (n, c, block), tolerance=1e-5)
        for name, n, c, block in (
            ("softmax_first", 4096, 512, 512), ("softmax_first_small", 1024, 64, 64),
            ("softmax_first_short", 64, 100_000, 1024),
        )
    ),
    Case(
        "embedding_mean",
        lambda rng: {"e": rng.standard_normal((10000, 64)).astype("float32"),
                     "ids": rng.integers(0, 10000, (512, 32))},
        lambda e, ids: e[ids].mean(1), EMBEDDING_MEAN, (512, 32, 64),
        lambda e, ids: e[ids].mean(1), tolerance=1e-5,
    ),
    Case("batch_norm_images", images, batch_norm, BATCH_NORM, (16, 64, 784), tolerance=1e-4),
    Case(
        "batch_norm_gradient",
        lambda rng: {name: rng.standard_normal((4096, 256)).astype("float32")
                     for name in ("x", "dy")},
        batch_norm_gradient, BATCH_NORM_GRADIENT, (4096, 256), tolerance=1e-4,
    ),
    Case("row_sums_1mb", normal(512, 512), lambda x: x.sum(1), ROW_SUMS, (512, 512),
         lambda x: x.sum(1), tolerance=1e-5),
    Case("row_sums_4mb", normal(1024, 1024), lambda x: x.sum(1), ROW_SUMS, (1024, 1024),
         lambda x: x.sum(1), tolerance=1e-5),
    Case("scaled_columns", scaled_inputs(1), lambda x, v: (x * v * 2).sum(0), SCALED_COLUMNS,
         (2000, 500)),
    Case("scaled_rows", scaled_inputs(0), lambda x, v: (x * v[:, None]).sum(1), SCALED_ROWS,
         (2000, 500)),
    Case(
        "mixture",
        lambda rng: {"x": rng.standard_normal(200_000), "mu": rng.standard_normal(8),
                     "s": rng.uniform(0.5, 2, 8)},
        mixture, MIXTURE, (200_000,), static={"mu": (8,), "s": (8,)},
    ),
    Case("transposed_sum", normal(2048, 2048, dtype="float64"), lambda x: (x * x.T).sum(),
         TRANSPOSED_PRODUCT, (2048,)),
    Case(
        "distance_gradients",
        lambda rng: {"a": rng.standard_normal((400, 32)), "b": rng.standard_normal((500, 32)),
                     "w": rng.standard_normal((400, 500))},
        distance_gradients, DISTANCE_GRADIENTS, (400, 500, 32),
    ),
]  # fmt: skip
