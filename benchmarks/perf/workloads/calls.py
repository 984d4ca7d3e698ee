"""The overhead of a call with almost nothing to compute."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

D = "float64"


@workload
class Plus1(Workload):
    """f(x) = x + 1 on a scalar or a 10-vector."""

    name = "call_plus1"
    variants = ({"n": 0, "dtype": D}, {"n": 10, "dtype": D})

    def make(self, case, rs):
        return {"x": np.asarray(rs.rand()) if case["n"] == 0 else rs.rand(case["n"])}

    def ref(self, case, data):
        return [data["x"] + 1]

    def numpy(self, lib, case, data):
        x = data["x"]
        return lambda: x + 1

    def sym(self, lib, case, data):
        x = lib.var("x", data["x"])
        f = lib.function([x], x + 1)
        v = data["x"]
        return lambda: f(v)

    def torch(self, lib, case, data):
        x = lib.arr(data, "x")
        f = lib.compile(lambda x: x + 1)
        return lambda: f(x)

    def jax(self, lib, case, data):
        return lib.caller(lambda x: x + 1, lib.arr(data, "x"))

    def numba(self, lib, case, data):
        x = data["x"] if case["n"] else float(data["x"])
        f = lib.jit(lambda x: x + 1, parallel=False)
        return lambda: f(x)

    def numexpr(self, lib, case, data):
        x = data["x"]
        return lambda: lib.ne.evaluate("x + 1", {"x": x})


@workload
class Plus1Trust(Plus1):
    """The same without checks, where a library offers that."""

    name = "call_plus1_trusted"
    numpy = torch = jax = numba = numexpr = None

    def sym(self, lib, case, data):
        x = lib.var("x", data["x"])
        f = lib.function([x], x + 1)
        f.trust_input = True
        v = data["x"]
        return lambda: f(v)


@workload
class Plus1FromNumpy(Plus1):
    """NumPy array in and out, with the conversions: what an optimizer or a sampler pays."""

    name = "call_plus1_numpy_io"
    numba = numexpr = None

    def torch(self, lib, case, data):
        t, v = lib.torch, data["x"]
        f = lib.compile(lambda x: x + 1)
        if case["n"] == 0:
            return lambda: f(t.as_tensor(v)).numpy()
        return lambda: f(t.from_numpy(v)).numpy()

    def jax(self, lib, case, data):
        v = data["x"]
        f = lib.jax.jit(lambda x: x + 1)
        return lambda: np.asarray(f(v))


@workload
class TenFive(Workload):
    """Ten vectors of ten numbers in, five out."""

    name = "call_10in_5out"
    variants = ({"dtype": D},)

    def make(self, case, rs):
        return {f"x{i}": rs.rand(10) for i in range(10)}

    def form(self, *x):
        return [x[2 * i] + x[2 * i + 1] * 2.0 for i in range(5)]

    def vals(self, data):
        return [data[f"x{i}"] for i in range(10)]

    def ref(self, case, data):
        return self.form(*self.vals(data))

    def numpy(self, lib, case, data):
        v = self.vals(data)
        return lambda: self.form(*v)

    def sym(self, lib, case, data):
        v = self.vals(data)
        xs = [lib.var("x", q) for q in v]
        f = lib.function(xs, self.form(*xs))
        return lambda: f(*v)

    def torch(self, lib, case, data):
        v = [lib.arr(data, f"x{i}") for i in range(10)]
        f = lib.compile(self.form)
        return lambda: f(*v)

    def jax(self, lib, case, data):
        return lib.caller(self.form, *[lib.arr(data, f"x{i}") for i in range(10)])

    def numba(self, lib, case, data):
        v = self.vals(data)
        f = lib.jit(
            lambda a, b, c, d, e, f, g, h, i, j: (
                a + b * 2.0,
                c + d * 2.0,
                e + f * 2.0,
                g + h * 2.0,
                i + j * 2.0,
            ),
            parallel=False,
        )
        return lambda: f(*v)


@workload
class SharedUpdate(Workload):
    """No inputs, no outputs: s <- s*0.5 + 1 in place."""

    name = "call_shared_update"
    variants = ({"dtype": D},)
    check_calls = 3

    def make(self, case, rs):
        return {"s": rs.rand(10)}

    def ref(self, case, data):
        s = data["s"]
        for _ in range(3):
            s = s * 0.5 + 1
        return [s]

    def numpy(self, lib, case, data):
        s = data["s"].copy()

        def call():
            np.multiply(s, 0.5, out=s)
            np.add(s, 1, out=s)

        return call, (lambda: [s])

    def sym(self, lib, case, data):
        s = lib.shared(data["s"])
        f = lib.function([], [], updates=[(s, s * 0.5 + 1)])
        return f, (lambda: [s.get_value()])

    def torch(self, lib, case, data):
        s = lib.arr(data, "s").clone()

        def step(s):
            s.mul_(0.5).add_(1)

        f = lib.compile(step)
        return (lambda: f(s)), (lambda: [s])

    def jax(self, lib, case, data):
        call, box = lib.stepper(lambda s: s * 0.5 + 1, lib.arr(data, "s"))
        return call, (lambda: [box[0]])
