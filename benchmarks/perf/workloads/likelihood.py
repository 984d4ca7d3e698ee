"""Log-likelihoods of data with their gradients in the parameters: what samplers call all day."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.expression import Gradient
from benchmarks.perf.workload import workload

D = "float64"
HALF_LOG_2PI = 0.9189385332046727


@workload
class Gaussian(Gradient):
    """Normal data, location and log scale."""

    name = "lik_gaussian"
    variants = tuple({"n": n, "dtype": D} for n in (100, 10_000, 1_000_000))
    inputs = ("mu", "s", "x")
    wrt = 2

    def make(self, case, rs):
        return {"mu": np.asarray(0.3), "s": np.asarray(0.2), "x": rs.randn(case["n"])}

    def bytes(self, case):
        return case["n"] * 8

    def expression(self, lib, case, mu, s, x):
        z = (x - mu) * lib.m.exp(-s)
        return -(0.5 * z * z + s + HALF_LOG_2PI).sum()

    def by_hand(self, lib, case, mu, s, x):
        scale = np.exp(-s)
        z = (x - mu) * scale
        squares = z.dot(z)
        n = x.size
        return [-0.5 * squares - n * (s + HALF_LOG_2PI), z.sum() * scale, squares - n]

    def numba(self, lib, case, data):
        par, x = lib.nb.prange, data["x"]

        def f(mu, s, x):
            scale = np.exp(-s)
            squares = total = 0.0
            for i in par(x.size):
                z = (x[i] - mu) * scale
                squares += z * z
                total += z
            n = x.size
            return -0.5 * squares - n * (s + HALF_LOG_2PI), total * scale, squares - n

        g = lib.jit(f)
        return lambda: g(0.3, 0.2, x)


class Regression(Gradient):
    """Rows of 20 features."""

    variants = tuple({"n": n, "dtype": D} for n in (200, 20_000))
    features = 20

    def make(self, case, rs):
        n, k = case["n"], self.features
        return {
            "w": rs.randn(k) * 0.3,
            "s": np.asarray(0.1),
            "X": rs.randn(n, k),
            "y": rs.randint(0, 2, n).astype(D),
        }

    def flops(self, case):
        return 4.0 * case["n"] * self.features


@workload
class Linear(Regression):
    """Normal errors around a linear predictor; gradient in weights and log scale."""

    name = "lik_linear"
    inputs = ("w", "s", "X", "y")
    wrt = 2

    def expression(self, lib, case, w, s, X, y):
        z = (y - lib.m.matmul(X, w)) * lib.m.exp(-s)
        return -(0.5 * z * z + s + HALF_LOG_2PI).sum()

    def by_hand(self, lib, case, w, s, X, y):
        scale = np.exp(-s)
        z = (y - X.dot(w)) * scale
        squares, n = z.dot(z), len(y)
        return [-0.5 * squares - n * (s + HALF_LOG_2PI), z.dot(X) * scale, squares - n]


@workload
class Logistic(Regression):
    """Bernoulli outcomes of a linear predictor; gradient in the weights."""

    name = "lik_logistic"
    inputs = ("w", "X", "y")

    def functions(self, case):
        return {"exp": case["n"], "log": case["n"]}

    def expression(self, lib, case, w, X, y):
        eta = lib.m.matmul(X, w)
        return (y * eta - lib.softplus(eta)).sum()

    def by_hand(self, lib, case, w, X, y):
        eta = X.dot(w)
        return [y.dot(eta) - lib.softplus(eta).sum(), (y - lib.sigmoid(eta)).dot(X)]
