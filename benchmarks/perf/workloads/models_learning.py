"""Models that learn, as their users write them."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.expression import Gradient
from benchmarks.perf.workload import workload

F, D = "float32", "float64"


@workload
class FactorizationMachine(Gradient):
    """Products of pairs of features by factors of low rank, with the logistic loss."""

    name = "factorization_machine"
    family = "models"
    variants = ({"n": 5_000, "p": 100, "k": 8, "dtype": F},)
    inputs = ("w", "V", "X", "y")
    wrt = 2

    def make(self, case, rs):
        n, p, k = case["n"], case["p"], case["k"]
        return {
            "w": (rs.randn(p) * 0.1).astype(F),
            "V": (rs.randn(p, k) * 0.1).astype(F),
            "X": (rs.rand(n, p) < 0.1).astype(F),
            "y": np.where(rs.rand(n) < 0.5, -1, 1).astype(F),
        }

    def output(self, w, V, X):
        XV = X @ V
        return X @ w + 0.5 * (XV**2 - (X**2) @ (V**2)).sum(1)

    def expression(self, lib, case, w, V, X, y):
        return lib.softplus(-y * self.output(w, V, X)).mean()

    def by_hand(self, lib, case, w, V, X, y):
        z = -y * self.output(w, V, X)
        r = -y * lib.sigmoid(z) / len(y)
        by_V = X.T @ (r[:, None] * (X @ V)) - ((X**2).T @ r)[:, None] * V
        return [lib.softplus(z).mean(), r @ X, by_V]


@workload
class PolicyGradient(Gradient):
    """Generalized advantages of 32 games, and the clipped loss of their 4,096 moves."""

    name = "ppo"
    family = "models"
    variants = ({"T": 128, "B": 32, "A": 6, "dtype": F},)
    inputs = ("logits", "v", "act", "old", "reward", "v_old")
    wrt = 2
    DISCOUNT, DECAY = 0.99, 0.95

    def make(self, case, rs):
        T, B, A = case["T"], case["B"], case["A"]
        logits = rs.randn(T, B, A)
        act = rs.randint(0, A, (T, B))
        old = logits + 0.2 * rs.randn(T, B, A)
        old = old - np.log(np.exp(old).sum(2, keepdims=True))
        return {
            "logits": logits.astype(F),
            "v": rs.randn(T, B).astype(F),
            "act": act,
            "old": np.take_along_axis(old, act[:, :, None], 2)[:, :, 0].astype(F),
            "reward": rs.rand(T, B).astype(F),
            "v_old": rs.randn(T + 1, B).astype(F),
        }

    def advantages(self, lib, reward, v_old):
        surprise = reward + self.DISCOUNT * v_old[1:] - v_old[:-1]

        def step(now, later):
            return [now + self.DISCOUNT * self.DECAY * later]

        late = lib.histories(step, [lib.m.zeros_like(v_old[0])], [lib.flip(surprise)])
        return lib.flip(late[0])

    def expression(self, lib, case, logits, v, act, old, reward, v_old):
        m = lib.m
        a = self.advantages(lib, reward, v_old)
        returns = a + v_old[:-1]
        a = (a - a.mean()) / m.sqrt(((a - a.mean()) ** 2).mean() + 1e-8)
        logp = logits - lib.logsumexp(logits, 2)[:, :, None]
        time, game = m.arange(act.shape[0])[:, None], m.arange(act.shape[1])
        ratio = m.exp(logp[time, game, act] - old)
        policy = -m.minimum(ratio * a, m.clip(ratio, 0.8, 1.2) * a).mean()
        entropy = -(m.exp(logp) * logp).sum(2).mean()
        return policy + 0.5 * ((v - returns) ** 2).mean() - 0.01 * entropy

    def by_hand(self, lib, case, logits, v, act, old, reward, v_old):
        a = self.advantages(lib, reward, v_old)
        returns = a + v_old[:-1]
        a = (a - a.mean()) / np.sqrt(((a - a.mean()) ** 2).mean() + 1e-8)
        logp = logits - lib.logsumexp(logits, 2)[:, :, None]
        p = np.exp(logp)
        time, game = np.arange(act.shape[0])[:, None], np.arange(act.shape[1])
        ratio = np.exp(logp[time, game, act] - old)
        policy = -np.minimum(ratio * a, np.clip(ratio, 0.8, 1.2) * a).mean()
        inner = (p * logp).sum(2, keepdims=True)
        value = policy + 0.5 * ((v - returns) ** 2).mean() + 0.01 * inner.mean()
        outside = ((a > 0) & (ratio > 1.2)) | ((a < 0) & (ratio < 0.8))
        slope = np.where(outside, 0, -ratio * a) / a.size
        by_logits = -slope[:, :, None] * p + 0.01 / a.size * p * (logp - inner)
        by_logits[time, game, act] += slope
        return [value, by_logits, (v - returns) / a.size]


@workload
class VariationalAutoencoder(Gradient):
    """The bound of a dense autoencoder, 784-400-20, batch 128, with gradients of all weights."""

    name = "vae"
    family = "models"
    variants = ({"B": 128, "dtype": F},)
    inputs = ("W", "b", "M", "m", "S", "s", "V", "c", "U", "d", "x", "noise")
    wrt = 10
    tolerance = 5e-3

    def make(self, case, rs):
        def dense(rows, columns):
            weights = (rs.randn(rows, columns) / np.sqrt(rows)).astype(F)
            return weights, np.zeros(columns, F)

        layers = [dense(784, 400), dense(400, 20), dense(400, 20), dense(20, 400), dense(400, 784)]
        arrays = [array for layer in layers for array in layer]
        data = dict(zip(self.inputs, arrays, strict=False))
        data["x"] = rs.rand(case["B"], 784).astype(F)
        data["noise"] = rs.randn(case["B"], 20).astype(F)
        return data

    def expression(self, lib, case, W, b, M, m, S, s, V, c, U, d, x, noise):
        h = lib.relu(x @ W + b)
        mean, logvar = h @ M + m, h @ S + s
        z = mean + lib.m.exp(0.5 * logvar) * noise
        o = lib.relu(z @ V + c) @ U + d
        error = (lib.softplus(o) - x * o).sum(1).mean()
        return error - 0.5 * (1 + logvar - mean**2 - lib.m.exp(logvar)).sum(1).mean()

    def by_hand(self, lib, case, W, b, M, m, S, s, V, c, U, d, x, noise):
        n = len(x)
        h = lib.relu(x @ W + b)
        mean, logvar = h @ M + m, h @ S + s
        sigma = np.exp(0.5 * logvar)
        z = mean + sigma * noise
        k = lib.relu(z @ V + c)
        o = k @ U + d
        error = (lib.softplus(o) - x * o).sum(1).mean()
        value = error - 0.5 * (1 + logvar - mean**2 - sigma**2).sum(1).mean()
        do = (lib.sigmoid(o) - x) / n
        dk = (do @ U.T) * (k > 0)
        dz = dk @ V.T
        dmean = dz + mean / n
        dlogvar = dz * noise * sigma * 0.5 - 0.5 * (1 - sigma**2) / n
        dh = (dmean @ M.T + dlogvar @ S.T) * (h > 0)
        pairs = [(x, dh), (h, dmean), (h, dlogvar), (z, dk), (k, do)]
        return [value, *(g for left, right in pairs for g in (left.T @ right, right.sum(0)))]


@workload
class Embedding(Gradient):
    """t-SNE: divergence of the similarities in the plane, with the gradient of all positions."""

    name = "tsne"
    family = "models"
    variants = ({"n": 500, "dtype": D},)
    inputs = ("Y", "P")

    def make(self, case, rs):
        n = case["n"]
        x = rs.randn(n, 8)
        P = np.exp(-((x[:, None] - x) ** 2).sum(2) / 8) * (1 - np.eye(n))
        return {"Y": rs.randn(n, 2), "P": P / P.sum()}

    def expression(self, lib, case, Y, P):
        m = lib.m
        distances = ((Y[:, None] - Y[None, :]) ** 2).sum(2)
        near = 1 / (1 + distances)
        near = near * (1 - m.eye(case["n"]))
        Q = m.maximum(near / near.sum(), 1e-12)
        return (P * m.log(m.maximum(P, 1e-12) / Q)).sum()

    def torch(self, lib, case, data):
        Y, P = lib.arr(data, "Y", "P")
        least = lib.torch.tensor(1e-12, dtype=lib.torch.float64)
        others = 1 - lib.torch.eye(case["n"], dtype=lib.torch.float64)

        def cost(Y):
            near = others / (1 + ((Y[:, None] - Y[None, :]) ** 2).sum(2))
            Q = lib.torch.maximum(near / near.sum(), least)
            return (P * lib.torch.log(lib.torch.maximum(P, least) / Q)).sum()

        return lib.value_and_grad(cost, [Y])

    def by_hand(self, lib, case, Y, P):
        apart = Y[:, None] - Y[None, :]
        near = 1 / (1 + (apart**2).sum(2))
        np.fill_diagonal(near, 0)
        Q = np.maximum(near / near.sum(), 1e-12)
        value = (P * np.log(np.maximum(P, 1e-12) / Q)).sum()
        return [value, 4 * (((P - Q) * near)[:, :, None] * apart).sum(1)]


@workload
class SkipGram(Gradient):
    """Word vectors by negative samples: the gradients are those of two whole tables."""

    name = "skipgram"
    family = "models"
    variants = ({"words": 5_000, "d": 64, "B": 1_024, "k": 5, "dtype": F},)
    inputs = ("U", "V", "word", "near", "other")
    wrt = 2

    def make(self, case, rs):
        words, d, B = case["words"], case["d"], case["B"]
        return {
            "U": (rs.randn(words, d) * 0.1).astype(F),
            "V": (rs.randn(words, d) * 0.1).astype(F),
            "word": rs.randint(0, words, B),
            "near": rs.randint(0, words, B),
            "other": rs.randint(0, words, (B, case["k"])),
        }

    def expression(self, lib, case, U, V, word, near, other):
        u = U[word]
        right = (u * V[near]).sum(1)
        wrong = (V[other] * u[:, None]).sum(2)
        return lib.softplus(-right).mean() + lib.softplus(wrong).sum(1).mean()

    def by_hand(self, lib, case, U, V, word, near, other):
        u, v, w = U[word], V[near], V[other]
        right, wrong = (u * v).sum(1), (w * u[:, None]).sum(2)
        value = lib.softplus(-right).mean() + lib.softplus(wrong).sum(1).mean()
        r = (-lib.sigmoid(-right) / len(word))[:, None]
        s = (lib.sigmoid(wrong) / len(word))[:, :, None]
        by_U, by_V = np.zeros_like(U), np.zeros_like(V)
        np.add.at(by_U, word, r * v + (s * w).sum(1))
        np.add.at(by_V, near, r * u)
        np.add.at(by_V, other, s * u[:, None])
        return [value, by_U, by_V]
