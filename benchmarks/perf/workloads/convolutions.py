"""A training step of LeNet, and one convolution of 3×3 with its gradients."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"
LR = np.float32(0.01)


def im2col(x, k):
    s = np.lib.stride_tricks.as_strided
    B, C, H, W = x.shape
    st = x.strides
    v = s(x, (B, H - k + 1, W - k + 1, C, k, k), (st[0], st[2], st[3], st[1], st[2], st[3]))
    return v.reshape(B * (H - k + 1) * (W - k + 1), C * k * k)


def np_conv(x, w):
    B, _C, H, W = x.shape
    k = w.shape[2]
    cols = im2col(x, k)
    o = cols.dot(w.reshape(w.shape[0], -1).T)
    return np.ascontiguousarray(o.reshape(B, H - k + 1, W - k + 1, -1).transpose(0, 3, 1, 2)), cols


def np_conv_grads(x, w, cols, g):
    k = w.shape[2]
    g2 = g.transpose(0, 2, 3, 1).reshape(-1, w.shape[0])
    gw = g2.T.dot(cols).reshape(w.shape)
    gp = np.pad(g, ((0, 0), (0, 0), (k - 1, k - 1), (k - 1, k - 1)), "constant")
    gx, _ = np_conv(gp, np.ascontiguousarray(w[:, :, ::-1, ::-1].transpose(1, 0, 2, 3)))
    return gx, gw


def np_pool(x):
    B, C, H, W = x.shape
    v = x.reshape(B, C, H // 2, 2, W // 2, 2)
    o = v.max((3, 5))
    m = v == o[:, :, :, None, :, None]
    return o, m


@workload
class LeNet(Workload):
    """Two convolutions with pooling, two dense layers; one step in place."""

    name = "lenet_step"
    variants = ({"B": 32, "dtype": F}, {"B": 500, "dtype": F})
    check_calls = 2
    tolerance = 5e-3

    def make(self, case, rs):
        data = {"x": rs.rand(case["B"], 1, 28, 28).astype(F), "y": rs.randint(0, 10, case["B"])}
        for n, s in (
            ("W0", (20, 1, 5, 5)),
            ("W1", (50, 20, 5, 5)),
            ("W2", (800, 500)),
            ("W3", (500, 10)),
        ):
            fan = np.prod(s[1:]) if len(s) == 4 else s[0]
            data[n] = (rs.uniform(-1, 1, s) / np.sqrt(fan)).astype(F)
            data["b" + n[1]] = np.zeros(s[0] if len(s) == 4 else s[1], F)
        return data

    N = ("W0", "b0", "W1", "b1", "W2", "b2", "W3", "b3")

    def flops(self, case):
        c0, c1 = 24 * 24 * 20 * 25, 8 * 8 * 50 * 20 * 25
        fc = 800 * 500 + 500 * 10
        return 2.0 * case["B"] * (2 * c0 + 3 * c1 + 3 * fc)

    def np_step(self, P, x, y, lr):
        W0, b0, W1, b1, W2, b2, W3, b3 = P
        c0, k0 = np_conv(x, W0)
        q0, m0 = np_pool(c0)
        h0 = np.tanh(q0 + b0[:, None, None])
        c1, k1 = np_conv(h0, W1)
        q1, m1 = np_pool(c1)
        h1 = np.tanh(q1 + b1[:, None, None])
        f = h1.reshape(len(y), -1)
        h2 = np.tanh(f.dot(W2) + b2)
        z = h2.dot(W3) + b3
        z -= z.max(1, keepdims=True)
        g = np.exp(z)
        g /= g.sum(1, keepdims=True)
        i = np.arange(len(y))
        v = -np.log(g[i, y]).mean()
        g[i, y] -= 1
        g /= len(y)
        gW3, gb3 = h2.T.dot(g), g.sum(0)
        g = g.dot(W3.T) * (1 - h2 * h2)
        gW2, gb2 = f.T.dot(g), g.sum(0)
        g = g.dot(W2.T).reshape(h1.shape) * (1 - h1 * h1)
        gb1 = g.sum((0, 2, 3))
        g = (m1 * g[:, :, :, None, :, None]).reshape(c1.shape)
        g, gW1 = np_conv_grads(h0, W1, k1, g)
        g = g * (1 - h0 * h0)
        gb0 = g.sum((0, 2, 3))
        g = (m0 * g[:, :, :, None, :, None]).reshape(c0.shape)
        gW0 = g.transpose(0, 2, 3, 1).reshape(-1, 20).T.dot(k0).reshape(W0.shape)
        for q, r in zip(P, (gW0, gb0, gW1, gb1, gW2, gb2, gW3, gb3), strict=True):
            q -= lr * r
        return v

    def ref(self, case, data):
        P = [data[n].copy() for n in self.N]
        for _ in range(2):
            self.np_step(P, data["x"], data["y"], float(LR))
        return P

    def numpy(self, lib, case, data):
        P = [data[n].copy() for n in self.N]
        return (lambda: self.np_step(P, data["x"], data["y"], LR)), (lambda: P)

    def sym(self, lib, case, data):
        T = lib.T
        P = [lib.shared(data[n]) for n in self.N]
        W0, b0, W1, b1, W2, b2, W3, b3 = P
        x, y = lib.var("x", data["x"]), lib.var("y", data["y"])
        B = case["B"]
        h = lib.pool2(lib.conv2d(x, W0, "valid", (B, 1, 28, 28), (20, 1, 5, 5)))
        h = T.tanh(h + b0.dimshuffle("x", 0, "x", "x"))
        h = lib.pool2(lib.conv2d(h, W1, "valid", (B, 20, 12, 12), (50, 20, 5, 5)))
        h = T.tanh(h + b1.dimshuffle("x", 0, "x", "x"))
        h = T.tanh(T.dot(h.flatten(2), W2) + b2)
        c = lib.xent(lib.softmax(T.dot(h, W3) + b3), y)
        f = lib.function(
            [x, y], c, updates=[(q, q - LR * g) for q, g in zip(P, lib.grad(c, P), strict=True)]
        )
        return (lambda: f(data["x"], data["y"])), (lambda: [q.get_value() for q in P])

    def torch(self, lib, case, data):
        t = lib.torch
        fn = t.nn.functional
        x, y = lib.arr(data, "x", "y")
        lr = float(LR)

        def loss(W0, b0, W1, b1, W2, b2, W3, b3):
            h = t.tanh(fn.max_pool2d(fn.conv2d(x, W0), 2) + b0[:, None, None])
            h = t.tanh(fn.max_pool2d(fn.conv2d(h, W1), 2) + b1[:, None, None])
            h = t.tanh(t.addmm(b2, h.flatten(1), W2))
            return fn.cross_entropy(t.addmm(b3, h, W3), y)

        def update(ps, gs):
            for q, g in zip(ps, gs, strict=True):
                q.sub_(g, alpha=lr)

        call, ps = lib.train(loss, [lib.arr(data, n) for n in self.N], update)
        return call, (lambda: ps)

    def jax(self, lib, case, data):
        j, lax = lib.jnp, lib.lax
        x, y = lib.arr(data, "x", "y")

        def pool(h):
            return lax.reduce_window(
                h, np.float32(-np.inf), lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"
            )

        def conv(h, w):
            return lax.conv_general_dilated(h, w, (1, 1), "VALID")

        def loss(P, x, y):
            W0, b0, W1, b1, W2, b2, W3, b3 = P
            h = j.tanh(pool(conv(x, W0)) + b0[:, None, None])
            h = j.tanh(pool(conv(h, W1)) + b1[:, None, None])
            h = j.tanh(h.reshape(h.shape[0], -1) @ W2 + b2)
            return -lib.jax.nn.log_softmax(h @ W3 + b3)[j.arange(y.shape[0]), y].mean()

        def step(st, x, y):
            v, g = lib.jax.value_and_grad(loss)(st[0], x, y)
            return [q - LR * r for q, r in zip(st[0], g, strict=True)], v

        call, box = lib.stepper(step, ([lib.arr(data, n) for n in self.N], j.zeros((), F)), x, y)
        return call, (lambda: box[0][0])


@workload
class Conv3(Workload):
    """3x3 convolution, 64 -> 64 channels, 56x56, batch 8, 'same' padding."""

    name = "conv3x3_fwd"
    variants = ({"dtype": F},)
    back = False

    def make(self, case, rs):
        return {
            "x": rs.randn(8, 64, 56, 56).astype(F),
            "w": (rs.randn(64, 64, 3, 3) / 24).astype(F),
            "c": rs.randn(8, 64, 56, 56).astype(F),
        }

    def flops(self, case):
        return 2.0 * 8 * 64 * 64 * 9 * 56 * 56 * (3 if self.back else 1)

    def run(self, x, w, c):
        xp = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), "constant")
        o, cols = np_conv(xp, w)
        if not self.back:
            return [o]
        gx, gw = np_conv_grads(xp, w, cols, c)
        return [gx[:, :, 1:-1, 1:-1], gw]

    def ref(self, case, data):
        return self.run(data["x"], data["w"], data["c"])

    def numpy(self, lib, case, data):
        return lambda: self.run(data["x"], data["w"], data["c"])

    def sym(self, lib, case, data):
        x, w, c = [lib.var(k, data[k]) for k in "xwc"]
        o = lib.conv2d(x, w, "half", (8, 64, 56, 56), (64, 64, 3, 3))
        outs = list(lib.grad((o * c).sum(), [x, w])) if self.back else o
        return lib.caller([x, w, c], [data[k] for k in "xwc"], outs)

    def torch(self, lib, case, data):
        x, w, c = lib.arr(data, "x", "w", "c")
        conv = lib.torch.nn.functional.conv2d
        if not self.back:
            f = lib.compile(lambda x, w: conv(x, w, padding=1))
            return lambda: f(x, w)
        g = lib.value_and_grad(lambda x, w: (conv(x, w, padding=1) * c).sum(), [x, w])
        return lambda: g()[1:]

    def jax(self, lib, case, data):
        x, w, c = lib.arr(data, "x", "w", "c")

        def conv(x, w):
            return lib.lax.conv_general_dilated(x, w, (1, 1), "SAME")

        if not self.back:
            return lib.caller(conv, x, w)
        return lib.caller(
            lib.jax.grad(lambda x, w, c: (conv(x, w) * c).sum(), argnums=(0, 1)), x, w, c
        )


@workload
class Conv3Grad(Conv3):
    """The gradients in image and kernels."""

    name = "conv3x3_grads"
    back = True
