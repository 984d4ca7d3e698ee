"""Small matrices of known lengths: steps of filters, poses of arms, a product of quaternions."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from benchmarks.byhand.case import Array, Case
from symtheano.gradient import jacobian

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
TURNED = """
static void turned(double m[4][4], double q) {
    const double c = cos(q), s = sin(q);
    const double t[4][4] = {{c, -0.6 * s, 0.8 * s, 0.3 * c}, {s, 0.6 * c, -0.8 * c, 0.3 * s},
                            {0, 0.8, 0.6, 0.2}, {0, 0, 0, 1}};
    double out[4][4] = {{0}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 4; j++) out[i][j] += m[i][k] * t[k][j];
    memcpy(m, out, sizeof out);
}
"""
ARM = """
__attribute__((visibility("default")))
void f(const double *q, double *out) {
    double m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) turned(m, q[i]);
    memcpy(out, m, sizeof m);
}
"""
# The derivative of a position by an angle is the joint's axis times the lever arm.
SLOPES = """
__attribute__((visibility("default")))
void f(const double *q, double *out, double *slopes) {
    double m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    double axis[6][3], from[6][3];
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) axis[i][k] = m[k][2], from[i][k] = m[k][3];
        turned(m, q[i]);
    }
    for (int i = 0; i < 6; i++) {
        double r[3];
        for (int k = 0; k < 3; k++) r[k] = m[k][3] - from[i][k];
        slopes[i] = axis[i][1] * r[2] - axis[i][2] * r[1];
        slopes[6 + i] = axis[i][2] * r[0] - axis[i][0] * r[2];
        slopes[12 + i] = axis[i][0] * r[1] - axis[i][1] * r[0];
    }
    memcpy(out, m, sizeof m);
}
"""
QUATERNIONS = """
void f(const double *p, const double *q, double *out) {
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}
"""
# The prediction and its derivative, products of the sizes 6 and 3, and a division by a matrix of
# 3 x 3 with its adjugate.
EXTENDED = """
void f(double *x, double *P, const double *Q, const double *z) {
    double F[6][6] = {{0}}, A[6][6], C[6][6], y[6], H[3][6] = {{0}}, g[6][3], S[3][3], e[3];
    double N[3][3], K[6][3], v = 1;
    for (int i = 3; i < 6; i++) v += x[i] * x[i];
    v = sqrt(v);
    for (int i = 0; i < 3; i++) {
        y[i] = x[i] + 0.1 * x[3 + i];
        y[3 + i] = x[3 + i] - 0.01 * v * x[3 + i];
        F[i][i] = 1, F[i][3 + i] = 0.1;
        for (int j = 0; j < 3; j++)
            F[3 + i][3 + j] = (i == j ? 1 - 0.01 * v : 0) - 0.01 * x[3 + i] * x[3 + j] / v;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            A[i][j] = 0;
            for (int k = 0; k < 6; k++) A[i][j] += F[i][k] * P[6 * k + j];
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            C[i][j] = Q[6 * i + j];
            for (int k = 0; k < 6; k++) C[i][j] += A[i][k] * F[j][k];
        }
    double flat = y[0] * y[0] + y[1] * y[1], r = sqrt(flat + y[2] * y[2]);
    for (int k = 0; k < 3; k++) H[0][k] = y[k] / r, H[2][k] = -y[2] * y[k] / (r * r * r);
    H[2][2] += 1 / r;
    H[1][0] = -y[1] / flat, H[1][1] = y[0] / flat;
    e[0] = z[0] - r, e[1] = z[1] - atan2(y[1], y[0]), e[2] = z[2] - y[2] / r;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++) {
            g[i][j] = 0;
            for (int k = 0; k < 3; k++) g[i][j] += C[i][k] * H[j][k];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            S[i][j] = i == j ? 0.5 : 0;
            for (int k = 0; k < 3; k++) S[i][j] += H[i][k] * g[k][j];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            N[j][i] = S[a][c] * S[b][d] - S[a][d] * S[b][c];
        }
    double det = S[0][0] * N[0][0] + S[0][1] * N[1][0] + S[0][2] * N[2][0];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++) {
            K[i][j] = 0;
            for (int k = 0; k < 3; k++) K[i][j] += g[i][k] * N[k][j] / det;
        }
    for (int i = 0; i < 6; i++) {
        x[i] = y[i];
        for (int k = 0; k < 3; k++) x[i] += K[i][k] * e[k];
        for (int j = 0; j < 6; j++) {
            P[6 * i + j] = C[i][j];
            for (int k = 0; k < 3; k++) P[6 * i + j] -= K[i][k] * g[j][k];
        }
    }
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


def extended_inputs(rng: np.random.Generator) -> dict[str, Array]:
    """Return a position and a velocity, noise, and a distance with two directions."""
    spread = rng.standard_normal((6, 6))
    return {"x": np.array([1.5, 0.9, 0.7, 0.1, -0.1, 0.2]), "P": np.eye(6) + spread @ spread.T / 6,
            "Q": 0.01 * np.eye(6), "z": np.array([2.0, 0.5, 0.3])}  # fmt: skip


def observed(y: Any) -> Any:
    """Return the distance, the azimuth, and the sine of the height."""
    distance = T.sqrt(T.sqr(y[:3]).sum())
    return T.stack([distance, T.arctan2(y[1], y[0]), y[2] / distance])


def extended(x: Any, P: Any, Q: Any, z: Any) -> list[Any]:
    """Return the next state and covariance, linearized by ``jacobian``."""
    speed = T.sqrt(T.sqr(x[3:]).sum() + 1)
    after = T.concatenate([x[:3] + 0.1 * x[3:], x[3:] - 0.01 * speed * x[3:]])
    move = jacobian(after, x)
    spread = T.dot(T.dot(move, P), move.T) + Q
    seen = observed(after)
    view = jacobian(seen, after)
    cross = T.dot(spread, view.T)
    inverse = T.nlinalg.matrix_inverse(T.dot(view, cross) + 0.5 * T.eye(3))
    gain = T.dot(cross, inverse)
    return [after + T.dot(gain, z - seen), spread - T.dot(gain, cross.T)]


def quaternions(p: Any, q: Any) -> Any:
    """Return the product."""
    (a, b, c, d), (e, f, g, h) = [[v[k] for k in range(4)] for v in (p, q)]
    return T.stack([a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
                    a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e])  # fmt: skip


def arm_with_slopes(q: Any) -> list[Any]:
    """Return the pose of the hand, and the derivatives of its position."""
    pose = arm(q, 6)
    return [pose, jacobian(pose[:3, 3], q)]


def arm(q: Any, joints: int = 3) -> Any:
    """Return the pose of the hand."""
    pose: Any = T.eye(4)
    for joint in range(joints):
        c, s = T.cos(q[joint]), T.sin(q[joint])
        rows = [[c, -0.6 * s, 0.8 * s, 0.3 * c], [s, 0.6 * c, -0.8 * c, 0.3 * s],
                [0.0, 0.8, 0.6, 0.2], [0.0, 0.0, 0.0, 1.0]]  # fmt: skip
        pose = T.dot(pose, T.stack([T.stack(row) for row in rows]))
    return pose


CASES = [
    Case("kalman_4", filter_inputs, kalman, KALMAN, updates=2,
         static={"x": (4,), "P": (4, 4), "F": (4, 4), "h": (4,), "z": (1,)}),
    Case("arm_3", lambda rng: {"q": rng.standard_normal(3)}, arm, TURNED + ARM, static={"q": (3,)}),
    Case("arm_6_slopes", lambda rng: {"q": rng.standard_normal(6)}, arm_with_slopes,
         TURNED + SLOPES, static={"q": (6,)}),
    Case("ekf_6_3", extended_inputs, extended, EXTENDED, updates=2,
         static={"x": (6,), "P": (6, 6), "Q": (6, 6), "z": (3,)}),
    Case("quaternions", lambda rng: {"p": rng.standard_normal(4), "q": rng.standard_normal(4)},
         quaternions, QUATERNIONS, static={"p": (4,), "q": (4,)}),
]  # fmt: skip
