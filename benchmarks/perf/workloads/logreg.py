"""Logistic regression training step, batch 600, 784 -> 10, in-place parameter updates."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"
LR = np.float32(0.05)
BSZ, NIN, NOUT = 600, 784, 10


def np_step(W, b, x, y, lr):
    z = x.dot(W) + b
    z -= z.max(1, keepdims=True)
    g = np.exp(z)
    g /= g.sum(1, keepdims=True)
    i = np.arange(len(y))
    v = -np.log(g[i, y]).mean()
    g[i, y] -= 1
    g /= len(y)
    W -= lr * x.T.dot(g)
    b -= lr * g.sum(0)
    return v


@workload
class LogReg(Workload):
    """Value, gradient and update, with the data in shared variables."""

    family = "training"
    name = "logreg_step"
    variants = ({"dtype": F},)
    check_calls = 3

    def make(self, case, rs):
        return {
            "x": rs.rand(BSZ, NIN).astype(F),
            "y": rs.randint(0, NOUT, BSZ),
            "W": (rs.randn(NIN, NOUT) * 0.01).astype(F),
            "b": np.zeros(NOUT, F),
        }

    def flops(self, case):
        return 4.0 * BSZ * NIN * NOUT

    def bytes(self, case):
        return 2 * BSZ * NIN * 4

    def ref(self, case, data):
        W, b = data["W"].copy(), data["b"].copy()
        for _ in range(3):
            np_step(W, b, data["x"], data["y"], float(LR))
        return [W, b]

    def numpy(self, lib, case, data):
        W, b = data["W"].copy(), data["b"].copy()
        return (lambda: np_step(W, b, data["x"], data["y"], LR)), (lambda: [W, b])

    def sym(self, lib, case, data):
        T = lib.T
        W, b = lib.shared(data["W"]), lib.shared(data["b"])
        xs, ys = (
            lib.shared(data["x"]),
            lib.shared(data["y"]),
        )  # data in shared variables, as the tutorials do
        c = lib.xent(lib.softmax(T.dot(xs, W) + b), ys)
        gW, gb = lib.grad(c, [W, b])
        f = lib.function([], c, updates=[(W, W - LR * gW), (b, b - LR * gb)])
        return (lambda: f()), (lambda: [W.get_value(), b.get_value()])

    def torch(self, lib, case, data):
        x, y, W, b = lib.arr(data, "x", "y", "W", "b")
        lr = float(LR)

        def update(ps, gs):
            for q, g in zip(ps, gs, strict=True):
                q.sub_(g, alpha=lr)

        call, ps = lib.train(
            lambda W, b: lib.torch.nn.functional.cross_entropy(lib.torch.addmm(b, x, W), y),
            [W, b],
            update,
        )
        return call, (lambda: ps)

    def jax(self, lib, case, data):
        j = lib.jnp
        x, y, W, b = lib.arr(data, "x", "y", "W", "b")

        def loss(ps, x, y):
            z = x @ ps[0] + ps[1]
            return -lib.jax.nn.log_softmax(z)[j.arange(y.shape[0]), y].mean()

        def step(st, x, y):
            v, g = lib.jax.value_and_grad(loss)(st[0], x, y)
            return [q - LR * h for q, h in zip(st[0], g, strict=True)], v

        call, box = lib.stepper(step, ([W, b], j.zeros((), F)), x, y)
        return call, (lambda: box[0][0])
