"""Computations row by row: logsumexp, layer normalization, softmax with cross-entropy."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"


class Rows(Workload):
    """The rows of a matrix of normal numbers."""

    shape = (4096, 1024)
    variants = ({"dtype": F},)

    def make(self, case, rs):
        return {"x": rs.randn(*self.shape).astype(F)}

    def bytes(self, case):
        return self.shape[0] * self.shape[1] * 4


@workload
class LogSumExp(Rows):
    name = "red_logsumexp1"

    def functions(self, case):
        return {"exp": self.shape[0] * self.shape[1]}

    def ref(self, case, data):
        x = data["x"]
        m = x.max(1, keepdims=True)
        return [np.log(np.exp(x - m).sum(1)) + m[:, 0]]

    def numpy(self, lib, case, data):
        x = data["x"]

        def call():
            m = x.max(1, keepdims=True)
            return np.log(np.exp(x - m).sum(1)) + m[:, 0]

        return call

    def sym(self, lib, case, data):
        x = lib.var("x", data["x"])
        return lib.caller([x], [data["x"]], lib.logsumexp(x, 1))

    def torch(self, lib, case, data):
        f, x = lib.compile(lambda x: lib.torch.logsumexp(x, 1)), lib.arr(data, "x")
        return lambda: f(x)

    def jax(self, lib, case, data):
        return lib.caller(lambda x: lib.jax.nn.logsumexp(x, axis=1), lib.arr(data, "x"))

    def numba(self, lib, case, data):
        par, x = lib.nb.prange, data["x"]

        def f(x):
            o = np.empty(x.shape[0], x.dtype)
            for i in par(x.shape[0]):
                m = x[i, 0]
                for j in range(x.shape[1]):
                    m = max(m, x[i, j])
                a = x.dtype.type(0)
                for j in range(x.shape[1]):
                    a += np.exp(x[i, j] - m)
                o[i] = np.log(a) + m
            return o

        g = lib.jit(f)
        return lambda: g(x)


@workload
class LayerNorm(Rows):
    """Each row minus its mean, over its deviation, times g plus b."""

    name = "layernorm_fwd"
    with_grad = False

    def make(self, case, rs):
        n = self.shape[1]
        return {
            "x": rs.randn(*self.shape).astype(F),
            "g": rs.rand(n).astype(F) + np.float32(0.5),
            "b": rs.randn(n).astype(F),
            "c": rs.randn(*self.shape).astype(F),
        }

    def bytes(self, case):
        return self.shape[0] * self.shape[1] * 4 * (3 if self.with_grad else 2)

    def ref(self, case, data):
        x, g, b, c = data["x"], data["g"], data["b"], data["c"]
        mu = x.mean(1, keepdims=True)
        r = 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)
        xh = (x - mu) * r
        y = xh * g + b
        if not self.with_grad:
            return [y]
        dxh = c * g
        dx = r * (dxh - dxh.mean(1, keepdims=True) - xh * (dxh * xh).mean(1, keepdims=True))
        return [(y * c).sum(), dx, (c * xh).sum(0), c.sum(0)]

    def ln(self, m, x, g, b, kd):
        mu = x.mean(1, **kd)
        xc = x - mu
        v = (xc * xc).mean(1, **kd)
        return xc / m.sqrt(v + 1e-5) * g + b

    def numpy(self, lib, case, data):
        x, g, b, c = data["x"], data["g"], data["b"], data["c"]
        kd = {"keepdims": True}
        if not self.with_grad:
            return lambda: self.ln(np, x, g, b, kd)

        def call():
            mu = x.mean(1, keepdims=True)
            xc = x - mu
            r = 1 / np.sqrt((xc * xc).mean(1, keepdims=True) + np.float32(1e-5))
            xh = xc * r
            y = xh * g + b
            dxh = c * g
            dx = r * (dxh - dxh.mean(1, keepdims=True) - xh * (dxh * xh).mean(1, keepdims=True))
            return [(y * c).sum(), dx, (c * xh).sum(0), c.sum(0)]

        return call

    def sym(self, lib, case, data):
        v = {k: lib.var(k, data[k]) for k in "xgbc"}
        x = v["x"]
        mu = x.mean(axis=1, keepdims=True)
        xc = x - mu
        y = (
            xc / lib.T.sqrt((xc * xc).mean(axis=1, keepdims=True) + np.float32(1e-5)) * v["g"]
            + v["b"]
        )
        outs = y
        if self.with_grad:
            cost = (y * v["c"]).sum()
            outs = [cost, *list(lib.grad(cost, [v["x"], v["g"], v["b"]]))]
        return lib.caller([v[k] for k in "xgbc"], [data[k] for k in "xgbc"], outs)

    def torch(self, lib, case, data):
        ln = lib.torch.nn.functional.layer_norm
        x, g, b, c = lib.arr(data, "x", "g", "b", "c")
        n = (self.shape[1],)
        if not self.with_grad:
            f = lib.compile(lambda x, g, b: ln(x, n, g, b, 1e-5))
            return lambda: f(x, g, b)
        return lib.value_and_grad(lambda x, g, b: (ln(x, n, g, b, 1e-5) * c).sum(), [x, g, b])

    def jax(self, lib, case, data):
        kd = {"keepdims": True}
        x, g, b, c = lib.arr(data, "x", "g", "b", "c")
        if not self.with_grad:
            return lib.caller(lambda x, g, b: self.ln(lib.jnp, x, g, b, kd), x, g, b)
        vg = lib.jax.value_and_grad(
            lambda x, g, b, c: (self.ln(lib.jnp, x, g, b, kd) * c).sum(), argnums=(0, 1, 2)
        )

        def f(*a):
            v, gr = vg(*a)
            return (v, *tuple(gr))

        return lib.caller(f, x, g, b, c)


@workload
class LayerNormGrad(LayerNorm):
    """The sum weighted with c, and its gradient in x, g and b."""

    name = "layernorm_grad"
    with_grad = True
    tolerance = 5e-3


@workload
class SoftmaxXent(Workload):
    """Mean cross-entropy of 1024 rows of 1000 logits, and its gradient."""

    name = "softmax_xent_grad"
    variants = ({"dtype": F, "m": 1024, "k": 1000},)

    def make(self, case, rs):
        return {
            "z": rs.randn(case["m"], case["k"]).astype(F),
            "y": rs.randint(0, case["k"], case["m"]),
        }

    def bytes(self, case):
        return 2 * case["m"] * case["k"] * 4

    def functions(self, case):
        return {"exp": case["m"] * case["k"]}

    def ref(self, case, data):
        z, y = data["z"], data["y"]
        m = z.max(1, keepdims=True)
        e = np.exp(z - m)
        s = e.sum(1, keepdims=True)
        i = np.arange(len(y))
        v = (np.log(s[:, 0]) + m[:, 0] - z[i, y]).mean()
        g = e / s
        g[i, y] -= 1
        return [v, g / len(y)]

    def numpy(self, lib, case, data):
        z, y = data["z"], data["y"]
        i = np.arange(len(y))

        def call():
            m = z.max(1, keepdims=True)
            e = np.exp(z - m)
            s = e.sum(1, keepdims=True)
            v = (np.log(s[:, 0]) + m[:, 0] - z[i, y]).mean()
            e /= s
            e[i, y] -= 1
            e *= np.float32(1.0 / len(y))
            return v, e

        return call

    def sym(self, lib, case, data):
        z, y = lib.var("z", data["z"]), lib.var("y", data["y"])
        c = lib.xent(lib.softmax(z), y)
        return lib.caller([z, y], [data["z"], data["y"]], [c, lib.grad(c, z)])

    def torch(self, lib, case, data):
        z, y = lib.arr(data, "z", "y")
        return lib.value_and_grad(lambda z: lib.torch.nn.functional.cross_entropy(z, y), [z])

    def jax(self, lib, case, data):
        j = lib.jnp
        z, y = lib.arr(data, "z", "y")

        def loss(z, y):
            return -lib.jax.nn.log_softmax(z)[j.arange(y.shape[0]), y].mean()

        return lib.caller(lib.jax.value_and_grad(loss), z, y)

    def numba(self, lib, case, data):
        par = lib.nb.prange
        z, y = data["z"], data["y"]

        def f(z, y):
            m, k = z.shape
            g = np.empty_like(z)
            acc = 0.0
            im = np.float32(1.0 / m)
            for i in par(m):
                mx = z[i, 0]
                for j in range(k):
                    mx = max(mx, z[i, j])
                s = np.float32(0)
                for j in range(k):
                    e = np.exp(z[i, j] - mx)
                    g[i, j] = e
                    s += e
                r = im / s
                for j in range(k):
                    g[i, j] *= r
                g[i, y[i]] -= im
                acc += np.log(s) + mx - z[i, y[i]]
            return acc / m, g

        q = lib.jit(f)
        return lambda: q(z, y)
