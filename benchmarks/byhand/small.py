"""Small matrices of known lengths: a step of a filter, and the pose of an arm with three joints."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from benchmarks.byhand.case import Array, Case

KALMAN = """
void f(double *x, double *P, const double *F, const double *h, const double *z) {
    double m[4], A[4][4], C[4][4], g[4], r[4], s = 0.5, e = z[0];
    for (int i = 0; i < 4; i++) {
        m[i] = 0;
        for (int k = 0; k < 4; k++) m[i] += F[4 * i + k] * x[k];
        for (int j = 0; j < 4; j++) {
            A[i][j] = 0;
            for (int k = 0; k < 4; k++) A[i][j] += F[4 * i + k] * P[4 * k + j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            C[i][j] = i == j ? 0.1 : 0;
            for (int k = 0; k < 4; k++) C[i][j] += A[i][k] * F[4 * j + k];
        }
    for (int i = 0; i < 4; i++) {
        g[i] = r[i] = 0;
        for (int k = 0; k < 4; k++) g[i] += C[i][k] * h[k], r[i] += h[k] * C[k][i];
        s += h[i] * g[i], e -= h[i] * m[i];
    }
    for (int i = 0; i < 4; i++) {
        x[i] = m[i] + g[i] / s * e;
        for (int j = 0; j < 4; j++) P[4 * i + j] = C[i][j] - g[i] / s * r[j];
    }
}
"""
ARM = """
static void turned(double m[4][4], double q) {
    const double c = cos(q), s = sin(q);
    const double t[4][4] = {{c, -0.5 * s, 0.8 * s, 0.3 * c}, {s, 0.5 * c, -0.8 * c, 0.3 * s},
                            {0, 0.8, 0.5, 0.2}, {0, 0, 0, 1}};
    double out[4][4] = {{0}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 4; j++) out[i][j] += m[i][k] * t[k][j];
    memcpy(m, out, sizeof out);
}
__attribute__((visibility("default")))
void f(const double *q, double *out) {
    double m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) turned(m, q[i]);
    memcpy(out, m, sizeof m);
}
"""


def filter_inputs(rng: np.random.Generator) -> dict[str, Array]:
    """Return states, a stable transition, and what is observed."""
    turn = 0.9 * np.linalg.qr(rng.standard_normal((4, 4)))[0]
    return {"x": rng.standard_normal(4), "P": np.eye(4), "F": turn,
            "h": rng.standard_normal(4), "z": rng.standard_normal(1)}  # fmt: skip


def kalman(x: Any, P: Any, F: Any, h: Any, z: Any) -> list[Any]:
    """Return the next state and covariance."""
    mean, spread = T.dot(F, x), T.dot(T.dot(F, P), F.T) + 0.1 * T.eye(4)
    gain = T.dot(spread, h)
    gain = gain / (T.dot(h, gain) + 0.5)
    after = mean + gain * (z[0] - T.dot(h, mean))
    return [after, spread - gain[:, None] * T.dot(h, spread)]


def arm(q: Any) -> Any:
    """Return the pose of the hand."""
    pose: Any = T.eye(4)
    for joint in range(3):
        c, s = T.cos(q[joint]), T.sin(q[joint])
        rows = [[c, -0.5 * s, 0.8 * s, 0.3 * c], [s, 0.5 * c, -0.8 * c, 0.3 * s],
                [0.0 * c, 0.8, 0.5, 0.2], [0.0 * c, 0.0, 0.0, 1.0]]  # fmt: skip
        pose = T.dot(pose, T.stack([T.stack(row) for row in rows]))
    return pose


CASES = [
    Case("kalman_4", filter_inputs, kalman, KALMAN, updates=2,
         static={"x": (4,), "P": (4, 4), "F": (4, 4), "h": (4,), "z": (1,)}),
    Case("arm_3", lambda rng: {"q": rng.standard_normal(3)}, arm, ARM, static={"q": (3,)}),
]  # fmt: skip
