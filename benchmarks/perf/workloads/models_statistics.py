"""Statistical models with gradients, as their users write them."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma

from benchmarks.perf.expression import Gradient
from benchmarks.perf.workload import workload

F, D = "float32", "float64"


@workload
class Survival(Gradient):
    """Partial likelihood of Cox's proportional hazards; rows are in order of falling times."""

    name = "survival_cox"
    family = "models"
    variants = ({"n": 20_000, "p": 20, "dtype": D},)
    inputs = ("b", "X", "died")

    def make(self, case, rs):
        n, p = case["n"], case["p"]
        return {
            "b": rs.randn(p) * 0.1,
            "X": rs.randn(n, p),
            "died": (rs.rand(n) < 0.6).astype(D),
        }

    def expression(self, lib, case, b, X, died):
        eta = X @ b
        at_risk = lib.m.cumsum(lib.m.exp(eta), 0)
        return -(died * (eta - lib.m.log(at_risk))).sum()

    def by_hand(self, lib, case, b, X, died):
        eta = X @ b
        e = np.exp(eta)
        at_risk = np.cumsum(e)
        share = np.cumsum((died / at_risk)[::-1])[::-1]
        return [-(died * (eta - np.log(at_risk))).sum(), (e * share - died) @ X]


@workload
class QuantileRegression(Gradient):
    """Nine quantiles at once, by the pinball loss."""

    name = "quantile_regression"
    family = "models"
    variants = ({"n": 20_000, "p": 20, "q": 9, "dtype": D},)
    inputs = ("W", "X", "y", "q")

    def make(self, case, rs):
        n, p, q = case["n"], case["p"], case["q"]
        return {
            "W": rs.randn(p, q),
            "X": rs.randn(n, p),
            "y": rs.randn(n),
            "q": np.linspace(0.1, 0.9, q),
        }

    def expression(self, lib, case, W, X, y, q):
        e = y[:, None] - X @ W
        return lib.m.maximum(q * e, (q - 1) * e).mean()

    def by_hand(self, lib, case, W, X, y, q):
        e = y[:, None] - X @ W
        slope = np.where(e > 0, q, q - 1)
        return [(slope * e).mean(), X.T @ slope * (-1.0 / e.size)]


@workload
class NegativeBinomial(Gradient):
    """Regression of counts with overdispersion."""

    name = "negative_binomial"
    family = "models"
    variants = ({"n": 20_000, "p": 10, "dtype": D},)
    inputs = ("b", "size", "X", "y")
    wrt = 2

    def make(self, case, rs):
        n, p = case["n"], case["p"]
        return {
            "b": rs.randn(p) * 0.3,
            "size": np.array([0.4]),
            "X": rs.randn(n, p),
            "y": rs.poisson(3.0, n).astype(D),
        }

    def expression(self, lib, case, b, size, X, y):
        m, g = lib.m, lib.gammaln
        mu, r = m.exp(X @ b), m.exp(size[0])
        counts = g(y + r) - g(r) - g(y + 1)
        return -(counts + r * m.log(r / (r + mu)) + y * m.log(mu / (r + mu))).sum()

    def by_hand(self, lib, case, b, size, X, y):
        mu, r = np.exp(X @ b), np.exp(size[0])
        g = lib.gammaln
        p = r / (r + mu)
        counts = g(y + r) - g(r) - g(y + 1)
        value = -(counts + r * np.log(p) + y * np.log(mu / (r + mu))).sum()
        slope = digamma(y + r) - digamma(r) + np.log(p) + 1 - (r + y) / (r + mu)
        return [value, -((y - mu) * p) @ X, np.array([-r * slope.sum()])]


@workload
class Hawkes(Gradient):
    """Events that excite others, with an exponential kernel: a recursion of numbers."""

    name = "hawkes"
    family = "models"
    variants = ({"n": 10_000, "dtype": D},)
    inputs = ("p", "gap", "rest")

    def make(self, case, rs):
        gap = rs.exponential(1.0, case["n"])
        time = np.cumsum(gap)
        return {"p": np.array([-0.7, -0.6, 0.3]), "gap": gap, "rest": time[-1] + 1 - time}

    def expression(self, lib, case, p, gap, rest):
        m = lib.m
        mu, a, b = m.exp(p[0]), m.exp(p[1]), m.exp(p[2])

        def step(gap, r, b):
            return [m.exp(-b * gap) * (1 + r)]

        (r,) = lib.histories(step, [m.zeros_like(p[0])], [gap[1:]], [b])
        excited = m.log(mu + a * b * r).sum() + m.log(mu)
        return -(excited - mu * (gap.sum() + 1) - a * (1 - m.exp(-b * rest)).sum())

    def by_hand(self, lib, case, p, gap, rest):
        mu, a, b = np.exp(p)
        decay = np.exp(-b * gap)
        r, s = np.zeros(len(gap)), np.zeros(len(gap))
        for k in range(1, len(gap)):
            r[k] = decay[k] * (1 + r[k - 1])
            s[k] = decay[k] * s[k - 1] - gap[k] * r[k]
        rate = mu + a * b * r
        whole, left = gap.sum() + 1, np.exp(-b * rest)
        value = np.log(rate).sum() - mu * whole - a * (1 - left).sum()
        by_mu = (1 / rate).sum() - whole
        by_a = (b * r / rate).sum() - (1 - left).sum()
        by_b = (a * (r + b * s) / rate).sum() - a * (rest * left).sum()
        return [-value, -np.array([mu * by_mu, a * by_a, b * by_b])]

    def numba(self, lib, case, data):
        def run(p, gap, rest):
            mu, a, b = np.exp(p[0]), np.exp(p[1]), np.exp(p[2])
            r = s = 0.0
            value, by_mu, by_a, by_b, whole = np.log(mu), 1 / mu, 0.0, 0.0, gap[0] + 1
            for k in range(len(gap)):
                if k:
                    decay = np.exp(-b * gap[k])
                    s = decay * s
                    r = decay * (1 + r)
                    s -= gap[k] * r
                    rate = mu + a * b * r
                    value += np.log(rate)
                    by_mu += 1 / rate
                    by_a += b * r / rate
                    by_b += a * (r + b * s) / rate
                    whole += gap[k]
                left = np.exp(-b * rest[k])
                value -= a * (1 - left)
                by_a -= 1 - left
                by_b -= a * rest[k] * left
            value -= mu * whole
            by_mu -= whole
            return -value, np.array([-mu * by_mu, -a * by_a, -b * by_b])

        f = lib.jit(run, parallel=False)
        return lambda: f(data["p"], data["gap"], data["rest"])


@workload
class LinearChain(Gradient):
    """A conditional random field of chains: log-likelihood with gradients of all scores."""

    name = "crf"
    family = "models"
    variants = ({"T": 50, "B": 32, "K": 12, "dtype": D},)
    inputs = ("A", "e", "y")
    wrt = 2

    def make(self, case, rs):
        T, B, K = case["T"], case["B"], case["K"]
        return {"A": rs.randn(K, K), "e": rs.randn(T, B, K), "y": rs.randint(0, K, (T, B))}

    def expression(self, lib, case, A, e, y):
        def step(e, a, A):
            return [lib.logsumexp(a[:, :, None] + A, 1) + e]

        (a,) = lib.last_states(step, [e[0]], [e[1:]], [A])
        time = lib.m.arange(e.shape[0])[:, None]
        chain = lib.m.arange(e.shape[1])
        score = e[time, chain, y].sum() + A[y[:-1], y[1:]].sum()
        return lib.logsumexp(a, 1).sum() - score

    def by_hand(self, lib, case, A, e, y):
        T, B, _ = e.shape
        forward, backward = [e[0]], [np.zeros_like(e[0])]
        for t in range(1, T):
            forward.append(lib.logsumexp(forward[-1][:, :, None] + A, 1) + e[t])
            late = (e[T - t] + backward[-1])[:, None, :]
            backward.append(lib.logsumexp(A + late, 2))
        a, b = np.stack(forward), np.stack(backward[::-1])
        z = lib.logsumexp(a[-1], 1)
        pairs = a[:-1, :, :, None] + A + (e[1:] + b[1:])[:, :, None, :] - z[:, None, None]
        by_A, by_e = np.exp(pairs).sum((0, 1)), np.exp(a + b - z[:, None])
        time, chain = np.arange(T)[:, None], np.arange(B)
        score = e[time, chain, y].sum() + A[y[:-1], y[1:]].sum()
        np.subtract.at(by_A, (y[:-1], y[1:]), 1)
        by_e[time, chain, y] -= 1
        return [z.sum() - score, by_A, by_e]
