"""Loops: an LSTM and a plain network with gradients through time, and a scalar recurrence."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Unsupported, Workload, workload

F = "float32"
LR = np.float32(0.01)


def sig(x):
    return 1 / (1 + np.exp(-x))


@workload
class LSTM(Workload):
    """One step of gradient descent; the cost is the mean square of the last state.

    The product of the input is outside the loop, one for all steps.
    """

    name = "lstm_step"
    variants = ({"dtype": F, "T": 100, "B": 32, "D": 64, "H": 128},)
    check_calls = 2
    tolerance = 5e-3

    def make(self, case, rs):
        H, D = case["H"], case["D"]
        return {
            "x": rs.randn(case["T"], case["B"], D).astype(F),
            "W": (rs.randn(D, 4 * H) / np.sqrt(D)).astype(F),
            "U": (rs.randn(H, 4 * H) / np.sqrt(H)).astype(F),
            "b": np.zeros(4 * H, F),
        }

    def flops(self, case):
        return 2.0 * case["T"] * case["B"] * 4 * case["H"] * (2 * case["D"] + 3 * case["H"])

    def np_step(self, P, x, lr):
        W, U, b = P
        T, B, D = x.shape
        H = U.shape[0]
        xw = (x.reshape(T * B, D).dot(W) + b).reshape(T, B, 4 * H)
        h = np.zeros((B, H), x.dtype)
        c = np.zeros((B, H), x.dtype)
        tape = []
        for t in range(T):
            z = h.dot(U)
            z += xw[t]
            s = sig(z[:, : 3 * H])
            g = np.tanh(z[:, 3 * H :])
            c2 = s[:, H : 2 * H] * c + s[:, :H] * g
            tc = np.tanh(c2)
            tape.append((h, c, s, g, tc))
            h, c = s[:, 2 * H :] * tc, c2
        v = (h * h).mean()
        dh = h * np.asarray(2.0 / h.size, x.dtype)
        dc = np.zeros_like(c)
        dz = np.empty((T, B, 4 * H), x.dtype)
        for t in range(T - 1, -1, -1):
            _h0, c0, s, g, tc = tape[t]
            i, f, o = s[:, :H], s[:, H : 2 * H], s[:, 2 * H :]
            dc = dc + dh * o * (1 - tc * tc)
            q = dz[t]
            q[:, :H] = dc * g * i * (1 - i)
            q[:, H : 2 * H] = dc * c0 * f * (1 - f)
            q[:, 2 * H : 3 * H] = dh * tc * o * (1 - o)
            q[:, 3 * H :] = dc * i * (1 - g * g)
            dh = q.dot(U.T)
            dc = dc * f
        z2 = dz.reshape(T * B, -1)
        W -= lr * x.reshape(T * B, D).T.dot(z2)
        U -= lr * np.concatenate([a[0] for a in tape]).T.dot(z2)
        b -= lr * z2.sum(0)
        return v

    def ref(self, case, data):
        P = [data[k].copy() for k in "WUb"]
        for _ in range(2):
            self.np_step(P, data["x"], float(LR))
        return P

    def numpy(self, lib, case, data):
        P = [data[k].copy() for k in "WUb"]
        return (lambda: self.np_step(P, data["x"], LR)), (lambda: P)

    def sym(self, lib, case, data):
        T, H, B = lib.T, case["H"], case["B"]
        W, U, b = P = [lib.shared(data[k]) for k in "WUb"]
        x = lib.var("x", data["x"])
        xw = T.dot(x, W) + b

        def step(xt, h, c, U):
            z = xt + T.dot(h, U)
            s = lib.sigmoid(z[:, : 3 * H])
            g = T.tanh(z[:, 3 * H :])
            c2 = s[:, H : 2 * H] * c + s[:, :H] * g
            return s[:, 2 * H :] * T.tanh(c2), c2

        z = T.zeros((B, H), dtype=F)
        hs, _cs = lib.scan(step, sequences=[xw], outputs_info=[z, z], non_sequences=[U])
        cost = (hs[-1] ** 2).mean()
        f = lib.function(
            [x], cost, updates=[(q, q - LR * g) for q, g in zip(P, lib.grad(cost, P), strict=True)]
        )
        return (lambda: f(data["x"])), (lambda: [q.get_value() for q in P])

    def torch(self, lib, case, data):
        t, H, B, T = lib.torch, case["H"], case["B"], case["T"]
        x = lib.arr(data, "x")

        def loss(W, U, b):
            xw = (t.addmm(b, x.reshape(T * B, -1), W)).reshape(T, B, 4 * H)
            h = t.zeros(B, H)
            c = t.zeros(B, H)
            for k in range(T):
                z = t.addmm(xw[k], h, U)
                s = t.sigmoid(z[:, : 3 * H])
                c = s[:, H : 2 * H] * c + s[:, :H] * t.tanh(z[:, 3 * H :])
                h = s[:, 2 * H :] * t.tanh(c)
            return (h * h).mean()

        lr = float(LR)

        def update(ps, gs):
            for q, g in zip(ps, gs, strict=True):
                q.sub_(g, alpha=lr)

        call, ps = lib.train(loss, [lib.arr(data, k) for k in "WUb"], update)
        return call, (lambda: ps)

    def jax(self, lib, case, data):
        j, H, B, _T = lib.jnp, case["H"], case["B"], case["T"]
        x = lib.arr(data, "x")

        def loss(P, x):
            W, U, b = P
            xw = x @ W + b

            def step(hc, xt):
                h, c = hc
                z = xt + h @ U
                s = lib.jax.nn.sigmoid(z[:, : 3 * H])
                c = s[:, H : 2 * H] * c + s[:, :H] * j.tanh(z[:, 3 * H :])
                return (s[:, 2 * H :] * j.tanh(c), c), None

            z = j.zeros((B, H), F)
            (h, _c), _ = lib.lax.scan(step, (z, z), xw)
            return (h * h).mean()

        def step(st, x):
            v, g = lib.jax.value_and_grad(loss)(st[0], x)
            return [q - LR * r for q, r in zip(st[0], g, strict=True)], v

        call, box = lib.stepper(step, ([lib.arr(data, k) for k in "WUb"], j.zeros((), F)), x)
        return call, (lambda: box[0][0])


@workload
class LSTMnn(LSTM):
    """The same through the module of PyTorch, whose gates have another order."""

    name = "lstm_step_nnmodule"

    numpy = sym = jax = None

    def torch(self, lib, case, data):
        if lib.compiled:
            raise Unsupported("same as eager: torch.compile graph-breaks around nn.LSTM")
        t, H = lib.torch, case["H"]
        m = t.nn.LSTM(case["D"], H)
        perm = np.concatenate(
            [np.arange(0, 2 * H), np.arange(3 * H, 4 * H), np.arange(2 * H, 3 * H)]
        )  # i f o g -> i f g o
        inv = np.argsort(perm)
        with t.no_grad():
            m.weight_ih_l0.copy_(t.from_numpy(data["W"].T[perm].copy()))
            m.weight_hh_l0.copy_(t.from_numpy(data["U"].T[perm].copy()))
            m.bias_ih_l0.copy_(t.from_numpy(data["b"][perm].copy()))
            m.bias_hh_l0.zero_()
        ps = [m.weight_ih_l0, m.weight_hh_l0, m.bias_ih_l0]
        m.bias_hh_l0.requires_grad_(False)
        x, lr = lib.arr(data, "x"), float(LR)

        def call():
            _, (h, _c) = m(x)
            v = (h[0] * h[0]).mean()
            gs = t.autograd.grad(v, ps)
            with t.no_grad():
                for q, g in zip(ps, gs, strict=True):
                    q.sub_(g, alpha=lr)
            return v

        def state():
            return [
                ps[0].detach().numpy()[inv].T,
                ps[1].detach().numpy()[inv].T,
                ps[2].detach().numpy()[inv],
            ]

        return call, state


@workload
class RNN(Workload):
    """Value and gradient of a tanh network, bound by the overhead of an iteration."""

    name = "rnn_grad"
    variants = ({"dtype": F, "T": 200, "H": 32},)
    tolerance = 5e-3

    def make(self, case, rs):
        H = case["H"]
        return {"x": rs.randn(case["T"], H).astype(F), "U": (rs.randn(H, H) / np.sqrt(H)).astype(F)}

    def run(self, x, U):
        T, H = x.shape
        hs = np.zeros((T + 1, H), x.dtype)
        for t in range(T):
            np.tanh(x[t] + hs[t].dot(U), out=hs[t + 1])
        v = (hs[1:] ** 2).sum()
        dz = np.empty_like(x)
        back = np.zeros(H, x.dtype)
        Ut = U.T
        for t in range(T - 1, -1, -1):
            h = hs[t + 1]
            dz[t] = (2 * h + back) * (1 - h * h)
            back = dz[t].dot(Ut)
        return v, hs[:-1].T.dot(dz)

    def ref(self, case, data):
        return list(self.run(data["x"], data["U"]))

    def numpy(self, lib, case, data):
        return lambda: self.run(data["x"], data["U"])

    def sym(self, lib, case, data):
        T = lib.T
        x, U = lib.var("x", data["x"]), lib.var("U", data["U"])
        hs = lib.scan(
            lambda xt, h, U: T.tanh(xt + T.dot(h, U)),
            sequences=[x],
            outputs_info=[T.zeros((case["H"],), dtype=F)],
            non_sequences=[U],
        )
        v = (hs**2).sum()
        return lib.caller([x, U], [data["x"], data["U"]], [v, lib.grad(v, U)])

    def torch(self, lib, case, data):
        t = lib.torch
        x, U = lib.arr(data, "x", "U")

        def loss(U):
            h = t.zeros(1, case["H"])
            v = 0
            for k in range(case["T"]):
                h = t.tanh(t.addmm(x[k], h, U))
                v = v + (h * h).sum()
            return v

        return lib.value_and_grad(loss, [U])

    def jax(self, lib, case, data):
        j = lib.jnp
        x, U = lib.arr(data, "x", "U")

        def loss(U, x):
            def step(h, xt):
                h = j.tanh(xt + h @ U)
                return h, (h * h).sum()

            return lib.lax.scan(step, j.zeros(case["H"], F), x)[1].sum()

        return lib.caller(lib.jax.value_and_grad(loss), U, x)

    def numba(self, lib, case, data):
        x, U = data["x"], data["U"]

        def f(x, U):
            T, H = x.shape
            hs = np.zeros((T + 1, H), x.dtype)
            Ut = np.ascontiguousarray(U.T)
            for t in range(T):
                z = np.dot(hs[t], U)
                for i in range(H):
                    hs[t + 1, i] = np.tanh(z[i] + x[t, i])
            v = np.float32(0)
            dz = np.empty_like(x)
            back = np.zeros(H, x.dtype)
            for t in range(T - 1, -1, -1):
                for i in range(H):
                    h = hs[t + 1, i]
                    v += h * h
                    dz[t, i] = (np.float32(2) * h + back[i]) * (np.float32(1) - h * h)
                back = np.dot(dz[t], Ut)
            return v, np.dot(np.ascontiguousarray(hs[:-1].T), dz)

        g = lib.jit(f, parallel=False)
        return lambda: g(x, U)


@workload
class ScalarScan(Workload):
    """x <- 0.5*(x + a/x) + 1e-3*x: the overhead of the loop itself."""

    name = "scalar_scan"
    variants = ({"dtype": "float64", "n": 100000},)
    tolerance = 1e-9

    def make(self, case, rs):
        return {"x": np.asarray(3.0), "a": np.asarray(2.0)}

    @staticmethod
    def loop(x, a, n):
        for _ in range(n):
            x = 0.5 * (x + a / x) + 1e-3 * x
        return x

    def ref(self, case, data):
        return [self.loop(float(data["x"]), float(data["a"]), case["n"])]

    def numpy(self, lib, case, data):
        lib.remark("plain Python floats")
        return lambda: self.loop(float(data["x"]), float(data["a"]), case["n"])

    def sym(self, lib, case, data):
        x, a = lib.var("x", data["x"]), lib.var("a", data["a"])
        xs = lib.scan(
            lambda x, a: 0.5 * (x + a / x) + 1e-3 * x,
            outputs_info=[x],
            non_sequences=[a],
            n_steps=case["n"],
        )
        return lib.caller([x, a], [data["x"], data["a"]], xs[-1])

    def torch(self, lib, case, data):
        if lib.compiled:
            raise Unsupported("inductor unrolls Python loops; 1e5 steps cannot be traced")
        x, a = lib.arr(data, "x", "a")
        return lambda: self.loop(x, a, case["n"])

    def jax(self, lib, case, data):
        x, a = lib.arr(data, "x", "a")
        return lib.caller(
            lambda x, a: lib.lax.fori_loop(
                0, case["n"], lambda i, x: 0.5 * (x + a / x) + 1e-3 * x, x
            ),
            x,
            a,
        )

    def numba(self, lib, case, data):
        g = lib.jit(self.loop, parallel=False)
        return lambda: g(3.0, 2.0, case["n"])
