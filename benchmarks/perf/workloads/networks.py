"""Layers of networks, with their gradients: convolution, pooling, normalization, attention."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Unsupported, Workload, workload

F = "float32"
SHAPES = {
    # Channels, filters, length of an image, of a filter, border, stride, groups.
    "3x3-64-56": (64, 64, 56, 3, 1, 1, 1),
    "3x3-128-28": (128, 128, 28, 3, 1, 1, 1),
    "3x3-256-14": (256, 256, 14, 3, 1, 1, 1),
    "3x3-512-7": (512, 512, 7, 3, 1, 1, 1),
    "1x1-64-256-56": (64, 256, 56, 1, 0, 1, 1),
    "5x5-1-20-28": (1, 20, 28, 5, 0, 1, 1),
    "5x5-20-50-12": (20, 50, 12, 5, 0, 1, 1),
    "depthwise-64-56": (64, 64, 56, 3, 1, 1, 64),
    "7x7s2-3-64-224": (3, 64, 224, 7, 3, 2, 1),
}
BATCHES = {
    "3x3-64-56": (1, 8, 32),
    "5x5-1-20-28": (1, 32, 500),
    "5x5-20-50-12": (32, 500),
    "7x7s2-3-64-224": (2,),
}


class Convolution(Workload):
    """The result of a convolution, or one of its gradients.

    A subclass says which one by the name of a method: ``taps(case, x, w, g)``, the same with NumPy,
    element by element of the filter.
    """

    family = "networks"
    variants = tuple(
        {"of": name, "B": n, "dtype": F} for name in SHAPES for n in BATCHES.get(name, (8,))
    )
    wanted = ""

    def make(self, case, rs):
        c, o, i, k, p, s, g = SHAPES[case["of"]]
        t = (i + 2 * p - k) // s + 1
        return {
            "x": rs.randn(case["B"], c, i, i).astype(F),
            "w": (rs.randn(o, c // g, k, k) / k / np.sqrt(c // g)).astype(F),
            "g": rs.randn(case["B"], o, t, t).astype(F),
        }

    def flops(self, case):
        c, o, i, k, p, s, g = SHAPES[case["of"]]
        return 2.0 * case["B"] * c // g * o * (k * ((i + 2 * p - k) // s + 1)) ** 2

    def each_tap(self, case, x, g):
        """Yield row and column of each element of the filter, and the part of x that it meets."""
        _, _, _, k, p, s, _ = SHAPES[case["of"]]
        t = g.shape[2]
        padded = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
        for a in range(k):
            for b in range(k):
                yield a, b, padded[:, :, a : a + s * t : s, b : b + s * t : s]

    def taps(self, case, x, w, g):
        raise NotImplementedError

    def ref(self, case, data):
        return [self.taps(case, data["x"], data["w"], data["g"])]

    def numpy(self, lib, case, data):
        return lambda: self.taps(case, data["x"], data["w"], data["g"])

    def sym(self, lib, case, data):
        if not hasattr(lib, "pool"):
            raise Unsupported("no convolution with groups")
        _, _, _, _, p, s, groups = SHAPES[case["of"]]
        x, w, g = (lib.var(name, data[name]) for name in "xwg")
        y = lib.T.nnet.conv2d(
            x, w, border_mode=p, subsample=(s, s), filter_flip=False, num_groups=groups
        )
        made = y if not self.wanted else lib.grad((y * g).sum(), {"x": x, "w": w}[self.wanted])
        return lib.caller([x, w, g], [data[name] for name in "xwg"], made)

    def torch(self, lib, case, data):
        _, _, _, _, p, s, groups = SHAPES[case["of"]]
        x, w, g = lib.arr(data, "x", "w", "g")
        if not self.wanted:
            f = lib.compile(
                lambda x, w: lib.torch.nn.functional.conv2d(x, w, None, s, p, 1, groups)
            )
            return lambda: f(x, w)
        which, back = "xw".index(self.wanted), lib.torch.ops.aten.convolution_backward
        mask = [self.wanted == "x", self.wanted == "w", False]
        fixed = (None, [s, s], [p, p], [1, 1], False, [0, 0], groups, mask)
        f = lib.compile(lambda g, x, w: back(g, x, w, *fixed)[which])
        return lambda: f(g, x, w)

    def jax(self, lib, case, data):
        _, _, _, _, p, s, groups = SHAPES[case["of"]]
        x, w, g = lib.arr(data, "x", "w", "g")

        def conv(x, w):
            return lib.lax.conv_general_dilated(
                x, w, (s, s), [(p, p), (p, p)], feature_group_count=groups
            )

        if not self.wanted:
            return lib.caller(conv, x, w)
        if self.wanted == "x":
            return lib.caller(lambda x, w, g: lib.jax.vjp(lambda u: conv(u, w), x)[1](g), x, w, g)
        return lib.caller(lambda x, w, g: lib.jax.vjp(lambda u: conv(x, u), w)[1](g), x, w, g)


@workload
class Result(Convolution):
    """The result."""

    name = "conv_result"

    def taps(self, case, x, w, g):
        y = np.zeros_like(g)
        for a, b, part in self.each_tap(case, x, g):
            if w.shape[1] < x.shape[1]:
                y += part * w[:, 0, a, b][:, None, None]
            else:
                flat = part.reshape(*part.shape[:2], -1)
                y += np.matmul(w[:, :, a, b], flat).reshape(y.shape)
        return y


@workload
class ImageGradient(Convolution):
    """The gradient of the image."""

    name = "conv_image"
    wanted = "x"

    def taps(self, case, x, w, g):
        _, _, i, k, p, s, _ = SHAPES[case["of"]]
        t = g.shape[2]
        made = np.zeros((*x.shape[:2], i + 2 * p, i + 2 * p), x.dtype)
        flat = g.reshape(*g.shape[:2], -1)
        for a in range(k):
            for b in range(k):
                if w.shape[1] < x.shape[1]:
                    part = g * w[:, 0, a, b][:, None, None]
                else:
                    part = np.matmul(w[:, :, a, b].T, flat).reshape(*x.shape[:2], t, t)
                made[:, :, a : a + s * t : s, b : b + s * t : s] += part
        return np.ascontiguousarray(made[:, :, p : p + i, p : p + i])


@workload
class FilterGradient(Convolution):
    """The gradient of the filters."""

    name = "conv_filters"
    wanted = "w"

    def taps(self, case, x, w, g):
        made = np.zeros_like(w)
        flat = g.reshape(*g.shape[:2], -1)
        for a, b, part in self.each_tap(case, x, g):
            if w.shape[1] < x.shape[1]:
                made[:, 0, a, b] = (part * g).sum((0, 2, 3))
            else:
                columns = part.reshape(*part.shape[:2], -1).transpose(0, 2, 1)
                made[:, :, a, b] = np.matmul(flat, columns).sum(0)
        return made


class Pool(Workload):
    """The largest elements of windows of 32 images of 64 channels, 56 x 56."""

    family = "networks"
    variants = tuple({"k": k, "s": s, "p": p, "dtype": F} for k, s, p in ((2, 2, 0), (3, 2, 1)))
    back = False

    def make(self, case, rs):
        t = (56 + 2 * case["p"] - case["k"]) // case["s"] + 1
        # No two elements are equal: libraries differ in the gradients of those.
        return {
            "x": rs.permutation(32 * 64 * 56 * 56).reshape(32, 64, 56, 56).astype(F),
            "g": rs.randn(32, 64, t, t).astype(F),
        }

    def bytes(self, case):
        t = (56 + 2 * case["p"] - case["k"]) // case["s"] + 1
        return 4.0 * 32 * 64 * (56**2 * (2 if self.back else 1) + t * t)

    def ref(self, case, data):
        k, s, p = case["k"], case["s"], case["p"]
        x, g = data["x"], data["g"]
        t = g.shape[2]
        padded = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)), constant_values=-np.inf)
        parts = [
            (slice(None), slice(None), slice(a, a + s * t, s), slice(b, b + s * t, s))
            for a in range(k)
            for b in range(k)
        ]
        y = np.full_like(g, -np.inf)
        for part in parts:
            np.maximum(y, padded[part], out=y)
        if not self.back:
            return [y]
        made = np.zeros_like(padded)
        for part in parts:
            made[part] += g * (padded[part] == y)
        return [np.ascontiguousarray(made[:, :, p : p + 56, p : p + 56])]

    def numpy(self, lib, case, data):
        return lambda: self.ref(case, data)

    def sym(self, lib, case, data):
        if not hasattr(lib, "pool"):
            raise Unsupported("no pooling")
        x, g = (lib.var(name, data[name]) for name in "xg")
        y = lib.pool(x, case["k"], case["s"], case["p"])
        made = lib.grad((y * g).sum(), x) if self.back else y
        return lib.caller([x, g], [data["x"], data["g"]], made)

    def torch(self, lib, case, data):
        x, g = lib.arr(data, "x", "g")
        k, s, p = case["k"], case["s"], case["p"]
        pool = lib.torch.nn.functional.max_pool2d
        if not self.back:
            f = lib.compile(lambda x: pool(x, k, s, p))
            return lambda: f(x)
        both = lib.value_and_grad(lambda x: (pool(x, k, s, p) * g).sum(), [x])
        return lambda: both()[1:]

    def jax(self, lib, case, data):
        x, g = lib.arr(data, "x", "g")
        k, s, p = case["k"], case["s"], case["p"]

        def pool(x):
            border = ((0, 0), (0, 0), (p, p), (p, p))
            low = np.float32(-np.inf)
            return lib.lax.reduce_window(x, low, lib.lax.max, (1, 1, k, k), (1, 1, s, s), border)

        if not self.back:
            return lib.caller(pool, x)
        return lib.caller(lambda x, g: lib.jax.vjp(pool, x)[1](g), x, g)


@workload
class PoolResult(Pool):
    """The result."""

    name = "pool_result"


@workload
class PoolGradient(Pool):
    """The gradient of the images; libraries compute the result as well."""

    name = "pool_gradient"
    back = True


@workload
class BatchNormalization(Workload):
    """Result and gradients of batch normalization in training, 32 x 64 images of 56 x 56."""

    family = "networks"
    name = "batch_norm_train"
    variants = ({"dtype": F},)
    axes = (0, 2, 3)

    def make(self, case, rs):
        return {
            "x": rs.randn(32, 64, 56, 56).astype(F),
            "gamma": rs.rand(64).astype(F),
            "beta": rs.rand(64).astype(F),
            "g": rs.randn(32, 64, 56, 56).astype(F),
        }

    def bytes(self, case):
        return 4.0 * 32 * 64 * 56**2 * 4

    def ref(self, case, data):
        x, g, gamma = data["x"], data["g"], data["gamma"][:, None, None]
        centered = x - x.mean(self.axes, keepdims=True)
        scale = 1 / np.sqrt((centered**2).mean(self.axes, keepdims=True) + 1e-4)
        unit = centered * scale
        into_beta, into_gamma = g.sum(self.axes), (g * unit).sum(self.axes)
        count = x.size // 64
        rest = (into_beta[:, None, None] + unit * into_gamma[:, None, None]) / count
        return [
            unit * gamma + data["beta"][:, None, None],
            gamma * scale * (g - rest),
            into_gamma,
            into_beta,
        ]

    def numpy(self, lib, case, data):
        return lambda: self.ref(case, data)

    def sym(self, lib, case, data):
        if not hasattr(lib, "pool"):
            raise Unsupported("no batch normalization")
        names = ("x", "gamma", "beta", "g")
        x, gamma, beta, g = variables = [lib.var(name, data[name]) for name in names]
        y = lib.T.nnet.bn.batch_normalization_train(x, gamma, beta, axes="spatial")[0]
        made = [y, *lib.grad((y * g).sum(), [x, gamma, beta])]
        return lib.caller(variables, [data[name] for name in names], made)

    def torch(self, lib, case, data):
        x, gamma, beta, g = lib.arr(data, "x", "gamma", "beta", "g")
        leaves = [v.clone().requires_grad_(True) for v in (x, gamma, beta)]
        norm = lib.compile(
            lambda x, a, b: lib.torch.nn.functional.batch_norm(x, None, None, a, b, True, 0.1, 1e-4)
        )

        def call():
            y = norm(*leaves)
            return y.detach(), *lib.torch.autograd.grad(y, leaves, g)

        return call

    def jax(self, lib, case, data):
        x, gamma, beta, g = lib.arr(data, "x", "gamma", "beta", "g")

        def norm(x, gamma, beta):
            centered = x - x.mean(self.axes, keepdims=True)
            scale = lib.lax.rsqrt((centered**2).mean(self.axes, keepdims=True) + 1e-4)
            return centered * scale * gamma[:, None, None] + beta[:, None, None]

        def both(x, gamma, beta, g):
            y, back = lib.jax.vjp(norm, x, gamma, beta)
            return (y, *back(g))

        return lib.caller(both, x, gamma, beta, g)


class Attention(Workload):
    """Attention in plain operations, with heads of 64 features."""

    family = "networks"
    variants = tuple({"T": t, "B": b, "dtype": F} for t, b in ((128, 8), (1024, 8), (4096, 2)))
    back = False

    def make(self, case, rs):
        return {name: rs.randn(case["B"], case["T"], 64).astype(F) for name in "qkvg"}

    def flops(self, case):
        return 4.0 * case["B"] * case["T"] ** 2 * 64 * (3.5 if self.back else 1)

    def one(self, q, k, v, g):
        """Return the result for one head, and the gradients."""
        scores = q @ k.T / 8
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        y = shares @ v
        if not self.back:
            return [y]
        into_shares = g @ v.T
        into = shares * (into_shares - (into_shares * shares).sum(1, keepdims=True)) / 8
        return [y, into @ k, into.T @ q, shares.T @ g]

    def ref(self, case, data):
        heads = [self.one(*arrays) for arrays in zip(*(data[n] for n in "qkvg"), strict=True)]
        return [np.stack(made) for made in zip(*heads, strict=True)]

    def numpy(self, lib, case, data):
        return lambda: self.ref(case, data)

    def sym(self, lib, case, data):
        q, k, v, g = variables = [lib.var(name, data[name]) for name in "qkvg"]
        if not hasattr(lib, "pool"):
            raise Unsupported("no softmax of a batch")
        scores = lib.batched_dot(q, k.dimshuffle(0, 2, 1)) * np.float32(1 / 8)
        y = lib.batched_dot(lib.T.nnet.softmax(scores, axis=-1), v)
        made = [y, *lib.grad((y * g).sum(), [q, k, v])] if self.back else y
        return lib.caller(variables, [data[name] for name in "qkvg"], made)

    def torch(self, lib, case, data):
        *given, g = lib.arr(data, "q", "k", "v", "g")
        attend = lib.compile(
            lambda *a: lib.torch.nn.functional.scaled_dot_product_attention(*(x[None] for x in a))
        )
        if not self.back:
            return lambda: attend(*given)
        leaves = [x.clone().requires_grad_(True) for x in given]

        def call():
            y = attend(*leaves)
            return y.detach(), *lib.torch.autograd.grad(y, leaves, g[None])

        return call

    def jax(self, lib, case, data):
        *given, g = lib.arr(data, "q", "k", "v", "g")

        def attend(q, k, v):
            return lib.jax.nn.softmax(q @ k.transpose(0, 2, 1) / np.float32(8)) @ v

        def both(q, k, v, g):
            y, back = lib.jax.vjp(attend, q, k, v)
            return (y, *back(g))

        return lib.caller(both, *given, g) if self.back else lib.caller(attend, *given)


@workload
class AttentionResult(Attention):
    """The result."""

    name = "attention"


@workload
class AttentionGradients(Attention):
    """The result and the gradients."""

    name = "attention_grads"
    back = True
