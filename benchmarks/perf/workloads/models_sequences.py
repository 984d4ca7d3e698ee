"""Filters, paths, ranks and splines, as their users write them."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.expression import Expression, Gradient
from benchmarks.perf.workload import workload

F, D = "float32", "float64"


@workload
class Viterbi(Expression):
    """The best path through the states of a hidden Markov model: a search and the way back."""

    name = "viterbi"
    family = "models"
    variants = ({"T": 300, "S": 32, "dtype": D},)
    inputs = ("A", "e")

    def make(self, case, rs):
        return {"A": rs.randn(case["S"], case["S"]), "e": rs.randn(case["T"], case["S"])}

    def expression(self, lib, case, A, e):
        def forward(e, best, A):
            scores = best[:, None] + A
            return [lib.largest(scores, 0) + e, scores.argmax(0)]

        best, came_from = lib.histories(forward, [e[0]], [e[1:]], [A])
        last = best[-1].argmax(0)
        (path,) = lib.histories(lambda row, state: [row[state]], [last], [lib.flip(came_from)])
        return [lib.largest(best[-1], 0), lib.flip(path), last]

    def numba(self, lib, case, data):
        def run(A, e):
            T, S = e.shape
            came_from = np.empty((T, S), np.int64)
            best, new = e[0].copy(), np.empty(S)
            for t in range(1, T):
                for j in range(S):
                    top, at = best[0] + A[0, j], 0
                    for i in range(1, S):
                        score = best[i] + A[i, j]
                        if score > top:
                            top, at = score, i
                    new[j], came_from[t, j] = top + e[t, j], at
                best, new = new, best
            path = np.empty(T - 1, np.int64)
            state = last = np.argmax(best)
            for t in range(T - 1, 0, -1):
                state = came_from[t, state]
                path[t - 1] = state
            return best[last], path, last

        f = lib.jit(run, parallel=False)
        return lambda: f(data["A"], data["e"])


@workload
class ParticleFilter(Expression):
    """Log-likelihood of a nonlinear series by 1,000 particles, resampled in each of 100 steps."""

    name = "particle_filter"
    family = "models"
    variants = ({"T": 100, "N": 1_000, "dtype": D},)
    inputs = ("y", "noise", "start", "u")

    def make(self, case, rs):
        T, N = case["T"], case["N"]
        return {
            "y": rs.randn(T) ** 2,
            "noise": rs.randn(T, N),
            "start": rs.randn(N),
            "u": rs.rand(T),
        }

    def expression(self, lib, case, y, noise, start, u):
        m, N = lib.m, case["N"]

        def step(y, noise, u, x, places):
            x = 0.5 * x + 25 * x / (1 + x**2) + 3 * noise
            logw = -0.5 * (y - x**2 / 20) ** 2
            top = lib.largest(logw, 0)
            w = m.exp(logw - top)
            total = w.sum()
            chosen = m.searchsorted(m.cumsum(w, 0) / total, (places + u) / N)
            return [x[m.clip(chosen, 0, N - 1)], top + m.log(total / N)]

        places = lib.cast(m.arange(N), D)
        return lib.histories(step, [start], [y, noise, u], [places])[1].sum()

    def numba(self, lib, case, data):
        def run(y, noise, start, u):
            N = len(start)
            x, new, w = start.copy(), np.empty(N), np.empty(N)
            value = 0.0
            for t in range(len(y)):
                top = -np.inf
                for i in range(N):
                    x[i] = 0.5 * x[i] + 25 * x[i] / (1 + x[i] ** 2) + 3 * noise[t, i]
                    w[i] = -0.5 * (y[t] - x[i] ** 2 / 20) ** 2
                    top = max(top, w[i])
                total = 0.0
                for i in range(N):
                    w[i] = np.exp(w[i] - top)
                    total += w[i]
                value += top + np.log(total / N)
                reached, i = w[0] / total, 0
                for k in range(N):
                    while reached < (k + u[t]) / N and i < N - 1:
                        i += 1
                        reached += w[i] / total
                    new[k] = x[i]
                x, new = new, x
            return value

        f = lib.jit(run, parallel=False)
        return lambda: f(data["y"], data["noise"], data["start"], data["u"])


@workload
class Heston(Expression):
    """Price of an option by 10,000 paths of a price and its volatility."""

    name = "heston"
    family = "models"
    variants = ({"T": 50, "N": 10_000, "dtype": D},)
    inputs = ("a", "b")

    def make(self, case, rs):
        return {"a": rs.randn(case["T"], case["N"]), "b": rs.randn(case["T"], case["N"])}

    def expression(self, lib, case, a, b):
        m, dt = lib.m, 1 / case["T"]

        def step(a, b, x, v):
            positive = lib.relu(v)
            spread = m.sqrt(positive * dt)
            x = x - 0.5 * positive * dt + spread * a
            v = v + 1.5 * (0.04 - positive) * dt + 0.3 * spread * (0.8 * b - 0.6 * a)
            return [x, v]

        zero = m.zeros_like(a[0])
        x, _ = lib.last_states(step, [zero, zero + 0.04], [a, b])
        return lib.relu(m.exp(x) - 1).mean()

    def numba(self, lib, case, data):
        dt = 1 / case["T"]

        prange = lib.nb.prange

        def run(a, b):
            T, N = a.shape
            total = 0.0
            for i in prange(N):
                x, v = 0.0, 0.04
                for t in range(T):
                    positive = max(v, 0.0)
                    spread = np.sqrt(positive * dt)
                    x += spread * a[t, i] - 0.5 * positive * dt
                    v += 1.5 * (0.04 - positive) * dt
                    v += 0.3 * spread * (0.8 * b[t, i] - 0.6 * a[t, i])
                total += max(np.exp(x) - 1, 0.0)
            return total / N

        f = lib.jit(run)
        return lambda: f(data["a"], data["b"])


@workload
class PageRank(Expression):
    """Ranks of 2,000 pages with 40,000 links, by fifty iterations."""

    name = "pagerank"
    family = "models"
    variants = ({"pages": 2_000, "links": 40_000, "dtype": D},)
    inputs = ("source", "target", "rank")

    def make(self, case, rs):
        pages, links = case["pages"], case["links"]
        source = np.concatenate([np.arange(pages), rs.randint(0, pages, links - pages)])
        return {
            "source": source,
            "target": rs.randint(0, pages, links),
            "rank": np.full(pages, 1 / pages),
        }

    def expression(self, lib, case, source, target, rank):
        zero = lib.m.zeros_like(rank)
        degree = lib.scattered(zero, source, lib.m.ones_like(rank)[source])

        def step(rank, source, target, degree, zero):
            share = (rank / degree)[source]
            return [0.15 / case["pages"] + 0.85 * lib.scattered(zero, target, share)]

        return lib.last_states(step, [rank], (), [source, target, degree, zero], 50)[0]

    def numba(self, lib, case, data):
        def run(source, target, rank):
            pages = len(rank)
            degree = np.zeros(pages)
            for s in source:
                degree[s] += 1
            for _ in range(50):
                new = np.zeros(pages)
                for k in range(len(source)):
                    new[target[k]] += rank[source[k]] / degree[source[k]]
                rank = 0.15 / pages + 0.85 * new
            return rank

        f = lib.jit(run, parallel=False)
        return lambda: f(data["source"], data["target"], data["rank"])


@workload
class Spline(Gradient):
    """Cubic B-splines at 100,000 points, with the gradient of the values at the knots."""

    name = "spline_fit"
    family = "models"
    variants = ({"n": 100_000, "knots": 24, "dtype": D},)
    inputs = ("c", "t", "z")

    def make(self, case, rs):
        n, knots = case["n"], case["knots"]
        return {"c": rs.randn(knots), "t": rs.rand(n) * (knots - 3), "z": rs.randn(n)}

    def weights(self, u):
        v = 1 - u
        return [v**3 / 6, (3 * u**3 - 6 * u**2 + 4) / 6, (3 * v**3 - 6 * v**2 + 4) / 6, u**3 / 6]

    def expression(self, lib, case, c, t, z):
        left = lib.m.floor(t)
        i = lib.cast(left, "int64")
        w = self.weights(t - left)
        y = w[0] * c[i] + w[1] * c[i + 1] + w[2] * c[i + 2] + w[3] * c[i + 3]
        return ((y - z) ** 2).mean()

    def by_hand(self, lib, case, c, t, z):
        left = np.floor(t)
        i = left.astype("int64")
        w = self.weights(t - left)
        e = sum(part * c[i + k] for k, part in enumerate(w)) - z
        slope = 2 / len(t) * e
        n = len(c)
        return [
            (e**2).mean(),
            sum(np.bincount(i + k, slope * part, n) for k, part in enumerate(w)),
        ]

    def numba(self, lib, case, data):
        def run(c, t, z):
            value, slope = 0.0, np.zeros(len(c))
            for k in range(len(t)):
                i = int(t[k])
                u = t[k] - i
                v = 1 - u
                a, d = v * v * v / 6, u * u * u / 6
                b = (3 * u * u * u - 6 * u * u + 4) / 6
                g = (3 * v * v * v - 6 * v * v + 4) / 6
                e = a * c[i] + b * c[i + 1] + g * c[i + 2] + d * c[i + 3] - z[k]
                value += e * e
                slope[i] += a * e
                slope[i + 1] += b * e
                slope[i + 2] += g * e
                slope[i + 3] += d * e
            return value / len(t), slope * (2 / len(t))

        f = lib.jit(run, parallel=False)
        return lambda: f(data["c"], data["t"], data["z"])
