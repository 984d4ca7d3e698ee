"""Training steps of two multilayer perceptrons.

The small one is 784-500-10 with tanh, batches of 20 and plain gradient descent, the big one
784-1024-1024-10 with relu, batches of 128 and momentum.
"""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"
LR, MU = np.float32(0.01), np.float32(0.9)
CONF = {
    "small": ([784, 500, 10], 20, "tanh", False),
    "big": ([784, 1024, 1024, 10], 128, "relu", True),
}


@workload
class MLP(Workload):
    """One training step in place."""

    family = "training"
    name = "mlp_step"
    variants = ({"size": "small", "dtype": F}, {"size": "big", "dtype": F})
    check_calls = 3
    tolerance = 1e-2  # after three steps of the big net rounding is 2.6e-3 of the largest bias

    def make(self, case, rs):
        dims, B, _act, _mom = CONF[case["size"]]
        data = {"x": rs.rand(B, dims[0]).astype(F), "y": rs.randint(0, dims[-1], B)}
        for i in range(len(dims) - 1):
            s = np.sqrt(6.0 / (dims[i] + dims[i + 1]))
            data[f"W{i}"] = rs.uniform(-s, s, (dims[i], dims[i + 1])).astype(F)
            data[f"b{i}"] = np.zeros(dims[i + 1], F)
        return data

    def names(self, case):
        k = len(CONF[case["size"]][0]) - 1
        return [f"{letter}{i}" for i in range(k) for letter in "Wb"]

    def flops(self, case):
        dims, B, _, _ = CONF[case["size"]]
        s = sum(dims[i] * dims[i + 1] for i in range(len(dims) - 1))
        return 2.0 * B * (3 * s - dims[0] * dims[1])

    def np_step(self, P, V, x, y, act, mom, lr, mu):
        k = len(P) // 2
        hs = [x]
        for i in range(k):
            z = hs[-1].dot(P[2 * i]) + P[2 * i + 1]
            if i < k - 1:
                z = np.tanh(z) if act == "tanh" else np.maximum(z, 0)
            hs.append(z)
        z = hs.pop()
        z -= z.max(1, keepdims=True)
        g = np.exp(z)
        g /= g.sum(1, keepdims=True)
        i = np.arange(len(y))
        v = -np.log(g[i, y]).mean()
        g[i, y] -= 1
        g /= len(y)
        for i in range(k - 1, -1, -1):
            gW, gb = hs[i].T.dot(g), g.sum(0)
            if i:
                g = g.dot(P[2 * i].T)
                g *= (1 - hs[i] ** 2) if act == "tanh" else (hs[i] > 0)
            for q, gr in ((2 * i, gW), (2 * i + 1, gb)):
                gr *= lr
                if mom:
                    V[q] *= mu
                    V[q] -= gr
                    P[q] += V[q]
                else:
                    P[q] -= gr
        return v

    def ref(self, case, data):
        _, _, act, mom = CONF[case["size"]]
        P = [data[n].copy() for n in self.names(case)]
        V = [np.zeros_like(q) for q in P]
        for _ in range(3):
            self.np_step(P, V, data["x"], data["y"], act, mom, float(LR), float(MU))
        return P

    def numpy(self, lib, case, data):
        _, _, act, mom = CONF[case["size"]]
        P = [data[n].copy() for n in self.names(case)]
        V = [np.zeros_like(q) for q in P]
        return (lambda: self.np_step(P, V, data["x"], data["y"], act, mom, LR, MU)), (lambda: P)

    def sym(self, lib, case, data):
        T = lib.T
        _, _, act, mom = CONF[case["size"]]
        P = [lib.shared(data[n]) for n in self.names(case)]
        xs, ys = lib.var("x", data["x"]), lib.var("y", data["y"])
        h = xs
        k = len(P) // 2
        for i in range(k):
            h = T.dot(h, P[2 * i]) + P[2 * i + 1]
            if i < k - 1:
                h = T.tanh(h) if act == "tanh" else lib.relu(h)
        c = lib.xent(lib.softmax(h), ys)
        ups = []
        for q, g in zip(P, lib.grad(c, P), strict=True):
            if mom:
                v = lib.shared(np.zeros_like(q.get_value()))
                nv = MU * v - LR * g
                ups += [(v, nv), (q, q + nv)]
            else:
                ups.append((q, q - LR * g))
        f = lib.function([xs, ys], c, updates=ups)
        return (lambda: f(data["x"], data["y"])), (lambda: [q.get_value() for q in P])

    def torch(self, lib, case, data):
        t = lib.torch
        _, _, act, mom = CONF[case["size"]]
        P = [lib.arr(data, n) for n in self.names(case)]
        x, y = lib.arr(data, "x", "y")
        k = len(P) // 2
        lr, mu = float(LR), float(MU)
        V = [t.zeros_like(q) for q in P]

        def loss(*P):
            h = x
            for i in range(k):
                h = t.addmm(P[2 * i + 1], h, P[2 * i])
                if i < k - 1:
                    h = t.tanh(h) if act == "tanh" else t.relu(h)
            return t.nn.functional.cross_entropy(h, y)

        def update(ps, gs):
            for q, g, v in zip(ps, gs, V, strict=True):
                if mom:
                    v.mul_(mu).sub_(g, alpha=lr)
                    q.add_(v)
                else:
                    q.sub_(g, alpha=lr)

        call, ps = lib.train(loss, P, update)
        return call, (lambda: ps)

    def jax(self, lib, case, data):
        j = lib.jnp
        _, _, act, mom = CONF[case["size"]]
        P = [lib.arr(data, n) for n in self.names(case)]
        x, y = lib.arr(data, "x", "y")
        k = len(P) // 2

        def loss(P, x, y):
            h = x
            for i in range(k):
                h = h @ P[2 * i] + P[2 * i + 1]
                if i < k - 1:
                    h = j.tanh(h) if act == "tanh" else lib.jax.nn.relu(h)
            return -lib.jax.nn.log_softmax(h)[j.arange(y.shape[0]), y].mean()

        def step(st, x, y):
            P, V, _ = st
            v, g = lib.jax.value_and_grad(loss)(P, x, y)
            if mom:
                V = [MU * q - LR * r for q, r in zip(V, g, strict=True)]
                return [q + r for q, r in zip(P, V, strict=True)], V, v
            return [q - LR * r for q, r in zip(P, g, strict=True)], V, v

        call, box = lib.stepper(
            step, (P, [j.zeros_like(q) for q in P] if mom else [], j.zeros((), F)), x, y
        )
        return call, (lambda: box[0][0])
