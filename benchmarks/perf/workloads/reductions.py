"""Sums of a matrix over all, the first or the last axis, and argmax."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"


class Red(Workload):
    shape = (4096, 4096)
    variants = ({"dtype": F},)
    axis = None

    def make(self, case, rs):
        return {"x": rs.randn(*self.shape).astype(case["dtype"])}

    def bytes(self, case):
        return self.shape[0] * self.shape[1] * 4


class SumBase(Red):
    tolerance = 1e-3

    def make(self, case, rs):
        return {"x": rs.rand(*self.shape).astype(case["dtype"])}

    def ref(self, case, data):
        return [data["x"].sum(axis=self.axis)]

    def numpy(self, lib, case, data):
        x, ax = data["x"], self.axis
        return lambda: x.sum(axis=ax)

    def sym(self, lib, case, data):
        x = lib.var("x", data["x"])
        return lib.caller([x], [data["x"]], x.sum(axis=self.axis))

    def torch(self, lib, case, data):
        ax = self.axis
        f = lib.compile((lambda x: x.sum()) if ax is None else (lambda x: x.sum(ax)))
        x = lib.arr(data, "x")
        return lambda: f(x)

    def jax(self, lib, case, data):
        return lib.caller(lambda x: x.sum(axis=self.axis), lib.arr(data, "x"))

    def numba(self, lib, case, data):
        par, x = lib.nb.prange, data["x"]
        ax = self.axis

        def rows(x):
            o = np.empty(x.shape[0], x.dtype)
            for i in par(x.shape[0]):
                a = x.dtype.type(0)
                for j in range(x.shape[1]):
                    a += x[i, j]
                o[i] = a
            return o

        def all_(x):
            acc = 0.0
            for i in par(x.shape[0]):
                a = x.dtype.type(0)
                for j in range(x.shape[1]):
                    a += x[i, j]
                acc += a
            return acc

        def cols(x):
            n = x.shape[1]
            o = np.zeros(n, x.dtype)
            for b in par(8):
                lo, hi = b * n // 8, (b + 1) * n // 8
                for i in range(x.shape[0]):
                    for j in range(lo, hi):
                        o[j] += x[i, j]
            return o

        g = lib.jit({None: all_, 0: cols, 1: rows}[ax])
        return lambda: g(x)


@workload
class SumAll(SumBase):
    name = "red_sum_all"


@workload
class Sum0(SumBase):
    name, axis = "red_sum_axis0", 0


@workload
class Sum1(SumBase):
    name, axis = "red_sum_axis1", 1


@workload
class ArgMax(Red):
    name = "red_argmax1"
    variants = ({"dtype": F},)

    def ref(self, case, data):
        return [data["x"].argmax(1)]

    def numpy(self, lib, case, data):
        x = data["x"]
        return lambda: x.argmax(1)

    def sym(self, lib, case, data):
        x = lib.var("x", data["x"])
        return lib.caller([x], [data["x"]], lib.T.argmax(x, axis=1))

    def torch(self, lib, case, data):
        f, x = lib.compile(lambda x: x.argmax(1)), lib.arr(data, "x")
        return lambda: f(x)

    def jax(self, lib, case, data):
        return lib.caller(lambda x: lib.jnp.argmax(x, axis=1), lib.arr(data, "x"))

    def numba(self, lib, case, data):
        par, x = lib.nb.prange, data["x"]

        def f(x):
            o = np.empty(x.shape[0], np.int64)
            for i in par(x.shape[0]):
                b = 0
                for j in range(1, x.shape[1]):
                    if x[i, j] > x[i, b]:
                        b = j
                o[i] = b
            return o

        g = lib.jit(f)
        return lambda: g(x)
