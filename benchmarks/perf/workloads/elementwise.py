"""Elementwise expressions: one pass over memory where a compiler fuses them."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

ISZ = {"float32": 4, "float64": 8}
F, D = "float32", "float64"
SIZES = tuple({"n": n, "dtype": F} for n in (1000, 10**6, 10**7))


@workload
class Poly(Workload):
    """a*a + b*b + 2*a*b."""

    name = "ew_poly"
    variants = (*SIZES, {"n": 10**6, "dtype": D})

    def make(self, case, rs):
        return {k: rs.randn(case["n"]).astype(case["dtype"]) for k in "ab"}

    def ref(self, case, data):
        a, b = data["a"], data["b"]
        return [a * a + b * b + 2 * a * b]

    def bytes(self, case):
        return 3 * case["n"] * ISZ[case["dtype"]]

    def numpy(self, lib, case, data):
        a, b = data["a"], data["b"]
        return lambda: a * a + b * b + 2 * a * b

    def sym(self, lib, case, data):
        a, b = lib.var("a", data["a"]), lib.var("b", data["b"])
        return lib.caller([a, b], [data["a"], data["b"]], a * a + b * b + 2 * a * b)

    def torch(self, lib, case, data):
        a, b = lib.arr(data, "a", "b")
        f = lib.compile(lambda a, b: a * a + b * b + 2 * a * b)
        return lambda: f(a, b)

    def jax(self, lib, case, data):
        return lib.caller(lambda a, b: a * a + b * b + 2 * a * b, *lib.arr(data, "a", "b"))

    def numexpr(self, lib, case, data):
        a, b = data["a"], data["b"]
        return lambda: lib.ne.evaluate("a*a + b*b + 2*a*b", {"a": a, "b": b})

    def numba(self, lib, case, data):
        a, b = data["a"], data["b"]
        two = a.dtype.type(2)
        par = lib.nb.prange

        def f(a, b):
            o = np.empty_like(a)
            for i in par(a.size):
                o[i] = a[i] * a[i] + b[i] * b[i] + two * a[i] * b[i]
            return o

        g = lib.jit(f)
        return lambda: g(a, b)


@workload
class Trans(Workload):
    """exp(-x*x)*sin(y) + tanh(z)."""

    name = "ew_trans"
    variants = (*SIZES, {"n": 10**6, "dtype": D}, {"n": 10**7, "dtype": D})

    def make(self, case, rs):
        return {k: rs.randn(case["n"]).astype(case["dtype"]) for k in "xyz"}

    def ref(self, case, data):
        return [np.exp(-data["x"] * data["x"]) * np.sin(data["y"]) + np.tanh(data["z"])]

    def functions(self, case):
        return dict.fromkeys(("exp", "sin", "tanh"), case["n"])

    def bytes(self, case):
        return 4 * case["n"] * ISZ[case["dtype"]]

    def numpy(self, lib, case, data):
        x, y, z = data["x"], data["y"], data["z"]
        return lambda: np.exp(-x * x) * np.sin(y) + np.tanh(z)

    def sym(self, lib, case, data):
        x, y, z = [lib.var(k, data[k]) for k in "xyz"]
        T = lib.T
        return lib.caller([x, y, z], [data[k] for k in "xyz"], T.exp(-x * x) * T.sin(y) + T.tanh(z))

    def torch(self, lib, case, data):
        t = lib.torch
        x, y, z = lib.arr(data, "x", "y", "z")
        f = lib.compile(lambda x, y, z: t.exp(-x * x) * t.sin(y) + t.tanh(z))
        return lambda: f(x, y, z)

    def jax(self, lib, case, data):
        j = lib.jnp
        return lib.caller(
            lambda x, y, z: j.exp(-x * x) * j.sin(y) + j.tanh(z), *lib.arr(data, "x", "y", "z")
        )

    def numexpr(self, lib, case, data):
        return lambda: lib.ne.evaluate("exp(-x*x)*sin(y) + tanh(z)", data)

    def numba(self, lib, case, data):
        x, y, z = data["x"], data["y"], data["z"]
        par = lib.nb.prange

        def f(x, y, z):
            o = np.empty_like(x)
            for i in par(x.size):
                o[i] = np.exp(-x[i] * x[i]) * np.sin(y[i]) + np.tanh(z[i])
            return o

        g = lib.jit(f)
        return lambda: g(x, y, z)


R, V = 0.02, 0.3


@workload
class BlackScholes(Workload):
    """Call and put prices; erf, log, sqrt, exp; float64."""

    name = "ew_blackscholes"
    variants = tuple({"n": n, "dtype": D} for n in (1000, 10**6))

    def make(self, case, rs):
        def u(a, b):
            return rs.uniform(a, b, case["n"]).astype(case["dtype"])

        return {"s": u(10, 50), "k": u(10, 50), "t": u(0.5, 2)}

    def functions(self, case):
        return {"log": case["n"], "exp": case["n"], "erf": 2 * case["n"]}

    def bytes(self, case):
        return 5 * case["n"] * ISZ[case["dtype"]]

    def form(self, s, k, t, m, erf):
        st = V * m.sqrt(t)
        d1 = (m.log(s / k) + (R + 0.5 * V * V) * t) / st
        d2 = d1 - st
        c1 = 0.5 + 0.5 * erf(d1 * 0.7071067811865476)
        c2 = 0.5 + 0.5 * erf(d2 * 0.7071067811865476)
        ke = k * m.exp(-R * t)
        call = s * c1 - ke * c2
        return call, call - s + ke

    def ref(self, case, data):
        from math import erf

        return self.form(data["s"], data["k"], data["t"], np, np.vectorize(erf))

    def numpy(self, lib, case, data):
        from scipy.special import erf

        return lambda: self.form(data["s"], data["k"], data["t"], np, erf)

    def sym(self, lib, case, data):
        v = [lib.var(k, data[k]) for k in "skt"]
        return lib.caller(
            v, [data[k] for k in "skt"], list(self.form(v[0], v[1], v[2], lib.T, lib.erf))
        )

    def torch(self, lib, case, data):
        v = lib.arr(data, "s", "k", "t")
        f = lib.compile(lambda s, k, t: self.form(s, k, t, lib.torch, lib.torch.erf))
        return lambda: f(*v)

    def jax(self, lib, case, data):
        from jax.scipy.special import erf

        return lib.caller(
            lambda s, k, t: self.form(s, k, t, lib.jnp, erf), *lib.arr(data, "s", "k", "t")
        )

    def numba(self, lib, case, data):
        import math

        par = lib.nb.prange

        def f(s, k, t):
            a = np.empty_like(s)
            b = np.empty_like(s)
            for i in par(s.size):
                st = V * math.sqrt(t[i])
                d1 = (math.log(s[i] / k[i]) + (R + 0.5 * V * V) * t[i]) / st
                d2 = d1 - st
                ke = k[i] * math.exp(-R * t[i])
                a[i] = s[i] * (0.5 + 0.5 * math.erf(d1 * 0.7071067811865476)) - ke * (
                    0.5 + 0.5 * math.erf(d2 * 0.7071067811865476)
                )
                b[i] = a[i] - s[i] + ke
            return a, b

        g = lib.jit(f)
        return lambda: g(data["s"], data["k"], data["t"])


@workload
class ChainGrad(Workload):
    """mean(softplus(x)*sigmoid(w*x) + log1p(x*x)) and its gradient in x and w."""

    name = "ew_chain_grad"
    variants = SIZES
    tolerance = 2e-3

    def make(self, case, rs):
        return {k: rs.randn(case["n"]).astype(case["dtype"]) for k in "xw"}

    def functions(self, case):
        return {"exp": 2 * case["n"], "log": 2 * case["n"]}

    def bytes(self, case):
        return 4 * case["n"] * ISZ[case["dtype"]]

    def ref(self, case, data):
        x, w = data["x"], data["w"]
        n = x.size
        sp, sx = np.logaddexp(0, x), 1 / (1 + np.exp(-x))
        s = 1 / (1 + np.exp(-w * x))
        ds = s * (1 - s)
        return [
            np.mean(sp * s + np.log1p(x * x)),
            (sx * s + sp * ds * w + 2 * x / (1 + x * x)) / n,
            sp * ds * x / n,
        ]

    def numpy(self, lib, case, data):
        n1 = np.float32(1) / np.float32(case["n"])
        x, w = data["x"], data["w"]
        one = np.float32(1)

        def call():
            e = np.exp(-np.abs(x))
            sp = np.maximum(x, 0) + np.log1p(e)
            sx = one / (one + np.exp(-x))
            s = one / (one + np.exp(-w * x))
            ds = s * (one - s)
            xx = x * x
            return (
                np.mean(sp * s + np.log1p(xx)),
                (sx * s + sp * ds * w + 2 * x / (one + xx)) * n1,
                sp * ds * x * n1,
            )

        return call

    def sym(self, lib, case, data):
        x, w = lib.var("x", data["x"]), lib.var("w", data["w"])
        y = (lib.softplus(x) * lib.sigmoid(w * x) + lib.T.log1p(x * x)).mean()
        return lib.caller([x, w], [data["x"], data["w"]], [y, *list(lib.grad(y, [x, w]))])

    def torch(self, lib, case, data):
        t = lib.torch

        def f(x, w):
            return (t.nn.functional.softplus(x) * t.sigmoid(w * x) + t.log1p(x * x)).mean()

        return lib.value_and_grad(f, lib.arr(data, "x", "w"))

    def jax(self, lib, case, data):
        def f(x, w):
            return (
                lib.jax.nn.softplus(x) * lib.jax.nn.sigmoid(w * x) + lib.jnp.log1p(x * x)
            ).mean()

        return lib.caller(
            self.flat(lib.jax.value_and_grad(f, argnums=(0, 1))), *lib.arr(data, "x", "w")
        )

    @staticmethod
    def flat(g):
        def h(*a):
            v, gr = g(*a)
            return (v, *tuple(gr))

        return h

    def numba(self, lib, case, data):
        par = lib.nb.prange
        x, w = data["x"], data["w"]
        one, two = np.float32(1), np.float32(2)

        def f(x, w):
            n = x.size
            gx = np.empty_like(x)
            gw = np.empty_like(x)
            acc = 0.0
            n1 = np.float32(1.0 / n)
            for i in par(n):
                a = x[i]
                e = np.exp(-abs(a))
                sp = max(a, np.float32(0)) + np.log1p(e)
                sx = one / (one + np.exp(-a))
                s = one / (one + np.exp(-w[i] * a))
                q = sp * s * (one - s)
                acc += sp * s + np.log1p(a * a)
                gx[i] = (sx * s + q * w[i] + two * a / (one + a * a)) * n1
                gw[i] = q * a * n1
            return acc / n, gx, gw

        g = lib.jit(f)
        return lambda: g(x, w)
