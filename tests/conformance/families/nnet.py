"""Softmax, activations and cross-entropies; products with logarithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.special

from symtheano import dtypes
from tests.conformance.draws import Array, distribution, position, within
from tests.conformance.row import Arg, Row, each

INSIDE = within(0.05, 0.95)


def exact(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function computed in double precision; dtype as functions of integers have it."""

    def computed(*values: Array) -> Array:
        names = [dtypes.upgrade_to_float(value.dtype.name) for value in values]
        return np.asarray(function(*(v.astype("float64") for v in values))).astype(
            dtypes.upcast(*names)
        )

    return computed


def promoted(function: Callable[..., Any], *names: str) -> Callable[..., Any]:
    """Return a function with results in the common dtype of its operands and of some constants."""

    def computed(*values: Array) -> Array:
        common = dtypes.upcast(*(value.dtype.name for value in values), *names)
        return np.asarray(function(*(v.astype("float64") for v in values))).astype(common)

    return computed


def softmax(x: Array, axis: Any) -> Array:
    """Return the softmax; finite numbers next to an infinity give 0, in SciPy NaN."""
    top = x.max(axis, keepdims=True, initial=-np.inf)
    e = np.exp(x - np.where(np.isinf(top), 0, top))
    return np.asarray(e / e.sum(axis, keepdims=True))


def log_softmax(x: Array, axis: Any) -> Array:
    """Return the logarithm of the softmax; of nothing nothing, which is an error in SciPy."""
    return np.asarray(scipy.special.log_softmax(x, axis) if x.size else x)


def along_axes() -> Iterator[Row]:
    """Yield rows of softmax and its logarithm."""
    for name, function in (("softmax", softmax), ("logsoftmax", log_softmax)):
        for arguments, dims, axis in [
            ("x", "n", -1), ("x", "n m", -1), ("x, axis=0", "n m", 0), ("x, axis=1", "n m k", 1),
            ("x, axis=None", "n m", None), ("x, axis=(0, -1)", "n m k", (0, -1)),
        ]:  # fmt: skip
            plain = exact(lambda x, f=function, axis=axis: f(x, axis))
            yield from each([f"T.nnet.{name}({arguments})"], [dims], "biuf", plain=plain)
    far = within(-3000, 3000)
    plain = exact(lambda x: softmax(x, -1))
    yield from each(["T.nnet.softmax(x, -1)"], ["n m"], "f", plain=plain, draw=far, edges=False)
    plain = exact(lambda x: scipy.special.logsumexp(x, 1))
    yield from each(["T.nnet.logsumexp(x, axis=1)"], ["n m"], "f", plain=plain, least={"m": 1})


def activations() -> Iterator[Row]:
    """Yield rows of activation functions; a constant of 0.1 is a double, 0.5 fits any float."""
    dims = ["", "n", "n m"]
    yield from each(["T.nnet.relu(x)"], dims, "biuf", plain="np.maximum(x, x.dtype.type(0))")
    yield from each(
        ["T.nnet.relu(x, alpha=0.5)"], ["n m"], "f",
        plain=promoted(lambda x: relu(x, 0.5), "float32"),
    )  # fmt: skip
    yield from each(
        ["T.nnet.leaky_relu(x)"], ["n"], "f", plain=promoted(lambda x: relu(x, 0.01), "float64")
    )
    yield from each(
        ["T.nnet.leaky_relu(x, 0.25)"], ["n"], "iuf",
        plain=promoted(lambda x: relu(x, 0.25), "float32"),
    )  # fmt: skip
    yield from each(["T.nnet.elu(x)"], dims, "f", plain=promoted(elu))
    yield from each(
        ["T.nnet.elu(x, alpha=0.5)"], ["n"], "F",
        plain=promoted(lambda x: elu(x, 0.5), "float32"),
    )  # fmt: skip
    yield from each(
        ["T.nnet.hard_sigmoid(x)"], dims, "f",
        plain=promoted(lambda x: np.clip(0.2 * x + 0.5, 0, 1)),
    )  # fmt: skip
    yield from each(["T.nnet.selu(x)"], dims, "biuf", plain=exact(selu), slack=4)
    yield from each(["T.nnet.gelu(x)"], dims, "biuf", plain=exact(gelu), slack=4)
    yield from each(
        ["T.nnet.gelu(x, approximate=True)"], ["n"], "f", plain=exact(tanh_gelu), slack=4
    )
    yield from each(
        ["T.nnet.swish(x, 0.7)"], ["n"], "iuf", plain=exact(lambda x: swish(x, 0.7)), slack=4
    )
    yield from each(["T.nnet.silu(x)"], dims, "biuf", plain=exact(swish), slack=4)
    yield from each(["T.nnet.mish(x)"], dims, "biuf", plain=exact(mish), slack=4)
    slopes = {"x": Arg("n m k"), "a": Arg("m")}
    plain = promoted(lambda x, a: np.where(x <= 0, a[:, None] * x, x))
    yield Row("T.nnet.prelu(x, a)", slopes, "f", plain=plain)
    slopes = {"x": Arg("n m"), "a": Arg("n m")}
    yield Row(
        "T.nnet.prelu(x, a)", slopes, "f", plain=promoted(lambda x, a: np.where(x <= 0, a * x, x))
    )
    for name in ("sigmoid", "ultra_fast_sigmoid"):
        yield from each([f"T.nnet.{name}(x)"], ["n"], "biuf", plain=exact(scipy.special.expit))
    plain = exact(lambda x: np.logaddexp(0, x))
    yield from each(["T.nnet.softplus(x)"], ["n"], "biuf", plain=plain)


def relu(x: Array, alpha: float = 0) -> Array:
    """Return the rectifier."""
    return np.where(x <= 0, alpha * x if alpha else 0, x)


def elu(x: Array, alpha: float = 1) -> Array:
    """Return the exponential rectifier."""
    return np.where(x > 0, x, alpha * np.expm1(x))


def selu(x: Array) -> Array:
    """Return the scaled exponential rectifier."""
    return np.asarray(1.0507009873554805 * elu(x, 1.6732632423543772))


def gelu(x: Array) -> Array:
    """Return x times the normal distribution's probability below x."""
    return np.asarray(x * scipy.special.ndtr(x))


def tanh_gelu(x: Array) -> Array:
    """Return the form of gelu with tanh; the sigmoid keeps the digits of large negative x."""
    inner = np.clip(x, -99, 99)
    return np.asarray(x * scipy.special.expit(np.sqrt(8 / np.pi) * (inner + 0.044715 * inner**3)))


def swish(x: Array, beta: float = 1) -> Array:
    """Return x times the sigmoid of its multiple."""
    return np.asarray(x * scipy.special.expit(beta * x))


def mish(x: Array) -> Array:
    """Return x times the hyperbolic tangent of its softplus."""
    return np.asarray(x * np.tanh(np.logaddexp(0, x)))


def simplex(x: Array, axis: int = -1) -> Array:
    """Return the projection onto the probability simplex, by bisection of the threshold."""
    high = x.max(axis, keepdims=True, initial=-np.inf)
    low = high - 1
    for _ in range(80):
        middle = (low + high) / 2
        above = np.maximum(x - middle, 0).sum(axis, keepdims=True) > 1
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(np.maximum(x - high, 0))


def sparse() -> Iterator[Row]:
    """Yield rows of sparsemax and of functions that are softmaxes."""
    options: Any = {"edges": False, "tolerance": 1e-6}
    for axis, dims in ((-1, "n"), (-1, "n m"), (0, "n m"), (1, "n m k")):
        text = "x" if axis == -1 else f"x, axis={axis}"
        plain = exact(lambda x, axis=axis: simplex(x, axis))
        yield from each([f"T.nnet.sparsemax({text})"], [dims], "F", plain=plain, **options)
    yield from each(["T.nnet.sparsemax(x, -1)"], ["n m"], "iuh", plain=exact(simplex), edges=False)
    yield from each(["T.nnet.softmin(x, axis=0)"], ["n m"], "biuf",
                    plain=exact(lambda x: softmax(-x, 0)))  # fmt: skip
    both = {"x": Arg("n m"), "y": Arg("n m", draw=distribution)}
    plain = promoted(lambda x, y: (x - (x * y).sum(-1, keepdims=True)) * y)
    yield Row("T.nnet.softmax_grad(x, y)", both, "f", plain=plain)
    both = {"x": Arg("n m"), "y": Arg("m")}
    plain = exact(lambda x, y: softmax(x + y, -1))
    yield Row("T.nnet.softmax_with_bias(x, y)", both, "f", plain=plain)


def attention() -> Iterator[Row]:
    """Yield rows of products with a softmax of products."""
    args = {"x": Arg("n d"), "y": Arg("m d"), "z": Arg("m k")}
    plain = promoted(lambda x, y, z: softmax(x @ y.T / 2, -1) @ z)
    text = "T.dot(T.nnet.softmax(T.dot(x, y.T) / np.float32(2), axis=-1), z)"
    yield Row(text, args, "F", plain=plain, edges=False, slack=8)
    args = {"x": Arg("b n d"), "y": Arg("b m d"), "z": Arg("b m k"), "t": Arg("n m", "bool")}
    plain = chosen(lambda s, t, z: softmax(np.where(t, s, -1e9), -1) @ z)
    scores = "T.matmul(x, y.dimshuffle(0, 2, 1))"
    text = f"T.matmul(T.nnet.softmax(T.switch(t, {scores}, -1e9)), z)"
    yield Row(text, args, "F", plain=plain, edges=False, slack=8)


def chosen(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of scores, a condition and values, for factors of the scores."""

    def computed(x: Array, y: Array, z: Array, t: Array) -> Array:
        one, two, three = (item.astype("float64") for item in (x, y, z))
        with np.errstate(all="ignore"):
            return np.asarray(function(one @ np.swapaxes(two, 1, 2), t, three)).astype(x.dtype)

    return computed


def picked(p: Array, t: Array) -> Array:
    """Return the element of each row that the label names."""
    return np.asarray(np.take_along_axis(p, t[..., None], -1)[..., 0])


def with_labels() -> Iterator[Row]:
    """Yield rows of Theano's functions of softmax and labels."""
    labels = Arg("n", "int64", position("m", negative=False))
    p = Arg("n m", draw=distribution)
    one = "T.nnet.crossentropy_categorical_1hot"
    least: Any = {"least": {"m": 1}, "edges": False}
    yield Row(f"{one}(p, t)", {"p": p, "t": labels}, "F",
              plain=exact_first(lambda p, t: -np.log(picked(p, t))), **least)  # fmt: skip

    def slope(g: Array, p: Array, t: Array) -> Array:
        full = np.zeros_like(p)
        full[np.arange(len(t)), t] = -g / picked(p, t)
        return full

    given = {"g": Arg("n"), "p": p, "t": labels}
    yield Row(f"{one}_grad(g, p, t)", given, "F", plain=slope, **least)

    def dx(g: Array, p: Array, t: Array) -> Array:
        full = p * g[:, None]
        full[np.arange(len(t)), t] -= g
        return full

    yield Row("T.nnet.crossentropy_softmax_1hot_with_bias_dx(g, p, t)", given, "F", plain=dx,
              **least)  # fmt: skip

    def each_of(*values: Array, parts: str) -> list[Array]:
        x, *bias, t = values
        scores = x + bias[0] if bias else x
        p = softmax(scores, -1)
        found = {"nll": -picked(log_softmax(scores, -1), t), "p": p, "top": p.max(-1),
                 "best": p.argmax(-1)}  # fmt: skip
        return [found[name] for name in parts.split()]

    bare = {"x": Arg("n m"), "t": labels}
    biased = {"x": Arg("n m"), "b": Arg("m"), "t": labels}
    for name, args, parts in (
        ("argmax_1hot_with_bias", biased, "nll p best"),
        ("1hot_with_bias", biased, "nll p"),
        ("1hot", bare, "nll p"),
        ("max_and_argmax_1hot_with_bias", biased, "nll p top best"),
        ("max_and_argmax_1hot", bare, "nll p top best"),
    ):
        text = f"T.nnet.crossentropy_softmax_{name}({', '.join(args)})"
        plain = lambda *v, parts=parts: each_of(*v, parts=parts)  # noqa: E731
        yield Row(text, args, "D", plain=plain, **least)
    three = {"x": Arg("n m k"), "t": Arg("n m", "int64", position("k", negative=False))}
    yield Row("T.nnet.categorical_crossentropy(T.nnet.softmax(x), t)", three, "F",
              plain=exact_first(lambda x, t: -picked(log_softmax(x, -1), t)), edges=False,
              least={"k": 1})  # fmt: skip
    three = {
        "x": Arg("n m k", draw=distribution),
        "t": Arg("n m", "int64", position("k", negative=False)),
    }
    yield Row("T.nnet.categorical_crossentropy(x, t)", three, "F",
              plain=exact_first(lambda x, t: -np.log(picked(x, t))), edges=False,
              least={"k": 1})  # fmt: skip
    # A matrix with one more column.
    for name, plain in (
        ("prepend_0_to_each_row(x)", "np.concatenate([np.zeros((len(x), 1), x.dtype), x], 1)"),
        ("prepend_1_to_each_row(x)", "np.concatenate([np.ones((len(x), 1), x.dtype), x], 1)"),
        (
            "prepend_scalar_to_each_row(2, x)",
            "np.concatenate([np.full((len(x), 1), 2, x.dtype), x], 1)",
        ),
        (
            "Prepend_scalar_constant_to_each_row(3)(x)",
            "np.concatenate([np.full((len(x), 1), 3, x.dtype), x], 1)",
        ),
        (
            "Prepend_scalar_to_each_row()(0, x)",
            "np.concatenate([np.zeros((len(x), 1), x.dtype), x], 1)",
        ),
    ):
        letters = "iufc" if "_0_" in name else "D"
        yield from each([f"T.nnet.{name}"], ["n m"], letters, plain=plain)
    labels = Arg("n", draw=within(-3, 4))
    yield Row("T.nnet.confusion_matrix(x, y)", {"x": labels, "y": labels}, "iu", plain=confusion,
              edges=False)  # fmt: skip


def confusion(x: Array, y: Array) -> list[Array]:
    """Return how often each class was predicted as each class, and the classes."""
    order = np.unique(np.concatenate([x, y]))
    found = (x[:, None] == order).astype("int64").T @ (y[:, None] == order).astype("int64")
    return [found, order]


def exact_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function computed in double precision, in the dtype of its first operand."""
    return lambda x, *rest: np.asarray(function(x.astype("float64"), *rest)).astype(x.dtype)


def divergences() -> Iterator[Row]:
    """Yield rows of losses that are no cross-entropies."""
    both = {"x": Arg("n m"), "y": Arg("n m")}
    plain = promoted(lambda x, y: scipy.special.huber(1, x - y))
    yield Row("T.nnet.huber_loss(x, y)", both, "F", plain=plain, edges=False)
    plain = promoted(lambda x, y: scipy.special.huber(0.3, x - y))
    yield Row("T.nnet.huber_loss(x, y, 0.3)", both, "F", plain=plain)
    both = {"x": Arg("n m"), "t": Arg("n m", "int8", within(0, 2))}
    plain = exact_first(lambda x, t: np.maximum(0, 1 - (2.0 * t - 1) * x))
    yield Row("T.nnet.binary_hinge_loss(x, t)", both, "f", plain=plain)
    both = {"x": Arg("n m"), "t": Arg("m", "int64", within(-1, 2))}
    plain = exact_first(lambda x, t: np.maximum(0, 0.4 - t * x))
    yield Row("T.nnet.binary_hinge_loss(x, t, 0.4, binary=False)", both, "f", plain=plain)

    def hinge(x: Array, t: Array) -> Array:
        chosen = np.arange(x.shape[1]) == t[:, None] % x.shape[1]
        best = np.where(chosen, -np.inf, x).max(1)
        return np.maximum(0, 1 + best - np.where(chosen, x, 0).sum(1))

    both = {"x": Arg("n m"), "t": Arg("n", "int64", position("m", negative=False))}
    yield Row("T.nnet.multiclass_hinge_loss(x, t)", both, "F", plain=exact_first(hinge),
              least={"m": 1}, edges=False)  # fmt: skip
    text = "T.nnet.multiclass_hinge_loss(x, T.eq(T.arange(x.shape[1]), t[:, None]))"
    yield Row(text, both, "D", plain=exact_first(hinge), least={"m": 1}, edges=False)
    both = {"x": Arg("n m", draw=distribution), "y": Arg("n m", draw=distribution)}
    plain = promoted(lambda x, y: scipy.special.rel_entr(x, y).sum(-1))
    yield Row("T.nnet.kl_divergence(x, y)", both, "f", plain=plain, edges=False, slack=4)
    both = {"x": Arg("n m k", draw=distribution), "y": Arg("n m k")}
    plain = promoted(lambda x, y: scipy.special.rel_entr(x, softmax(y, 1)).sum(1))
    text = "T.nnet.kl_divergence(x, T.nnet.softmax(y, axis=1), axis=1)"
    yield Row(text, both, "D", plain=plain, edges=False)


def crossentropies() -> Iterator[Row]:
    """Yield rows of losses."""
    coding, true = Arg("n m", draw=distribution), Arg("n m", draw=distribution)
    labels = Arg("n", "int64", position("m", negative=False))
    loss = "T.nnet.categorical_crossentropy"
    plain = exact(lambda p, t: -(t * np.log(p)).sum(-1))
    yield Row(f"{loss}(p, t)", {"p": coding, "t": true}, "f", plain=plain)
    plain = exact(lambda p, t: -(t * np.log(p)).sum(-1))
    three = {"p": Arg("n m k", draw=distribution), "t": Arg("n m k", draw=distribution)}
    yield Row(f"{loss}(p, t)", three, "f", plain=plain)
    yield Row(
        f"{loss}(p, t)", {"p": coding, "t": labels}, "f",
        plain="-np.log(p)[np.arange(len(t)), t]",
    )  # fmt: skip
    plain = exact(lambda x, t: -(t * log_softmax(x, -1)).sum(-1))
    yield Row(f"{loss}(T.nnet.softmax(x), t)", {"x": Arg("n m"), "t": true}, "D", plain=plain,
              edges=False)  # fmt: skip
    yield Row(
        f"{loss}(T.nnet.softmax(x), t)", {"x": Arg("n m"), "t": labels}, "f",
        plain="-np.log(T.nnet.softmax(x))[np.arange(len(t)), t]", edges=False, least={"m": 1},
    )  # fmt: skip
    both = {"x": Arg("n m", draw=INSIDE), "t": Arg("n m", draw=within(0, 1))}
    plain = exact(lambda x, t: -(t * np.log(x) + (1 - t) * np.log(1 - x)))
    yield Row("T.nnet.binary_crossentropy(x, t)", both, "F", plain=plain)
    mixed = {"x": Arg("n", draw=INSIDE), "t": Arg("n", "int8", within(0, 2))}
    plain = promoted(lambda x, t: -(t * np.log(x) + (1 - t) * np.log(1 - x)), "float32")
    yield Row("T.nnet.binary_crossentropy(x, t)", mixed, "F", plain=plain, edges=False)
    both = {"x": Arg("n m"), "t": Arg("n m", draw=within(0, 1))}
    plain = promoted(lambda x, t: np.logaddexp(0, x) - t * x)
    yield Row("T.nnet.sigmoid_binary_crossentropy(x, t)", both, "F", plain=plain, edges=False)


def centered(x: Array, over: Any, epsilon: float) -> Array:
    """Return an array with mean zero and variance one over some axes."""
    spread = np.sqrt(x.var(over, keepdims=True) + epsilon)
    return np.asarray((x - x.mean(over, keepdims=True)) / spread)


def trained(x: Array, gamma: Array, beta: Array, over: Any, *running: Array) -> list[Array]:
    """Return what batch normalization of a matrix or images returns, in double precision."""
    kept = [axis for axis in range(x.ndim) if axis not in over]
    shape = [x.shape[axis] if axis in kept else 1 for axis in range(x.ndim)]
    mean, var = x.mean(over, keepdims=True), x.var(over, keepdims=True)
    found = [centered(x, over, 1e-4) * gamma.reshape(shape) + beta.reshape(shape)]
    statistics = [mean, 1 / np.sqrt(var + 1e-4)]
    if running:
        m = x.size / max(mean.size, 1)
        statistics.append(running[0].reshape(shape) * 0.9 + 0.1 * mean)
        statistics.append(running[1].reshape(shape) * 0.9 + 0.1 * var * m / (m - 1))
    return found + [item.reshape(gamma.shape) for item in statistics]


def normalizations() -> Iterator[Row]:
    """Yield rows of batch normalization and of norms of single items."""
    loose: Any = {"edges": False, "slack": 100}
    v, more = Arg("m"), {"least": {"n": 2}}
    args = {"x": Arg("n m"), "a": v, "b": v}
    name = "T.nnet.batch_normalization_train"
    yield Row(f"{name}(x, a, b)", args, "D", plain=lambda *o: trained(*o, (0,)), **loose, **more)
    args = {"x": Arg("n m k"), "a": v, "b": v, "u": v, "w": v}
    text = f"{name}(x, a, b, 'spatial', running_mean=u, running_var=w)"
    plain: Any = lambda x, a, b, *r: trained(x, a, b, (0, 2), *r)  # noqa: E731
    yield Row(text, args, "D", plain=plain, **loose, least={"n": 2, "k": 1})
    args = {"x": Arg("n m k"), "a": Arg("1 m k"), "b": Arg("1 m k")}
    yield Row(f"{name}(x, a, b, axes=0)", args, "D", plain=lambda *o: trained(*o, (0,)), **loose,
              **more)  # fmt: skip
    positive_ = Arg("m", draw=within(0.5, 2))
    args = {"x": Arg("n m k"), "a": v, "b": v, "u": v, "w": positive_}

    def tested(x: Array, a: Array, b: Array, u: Array, w: Array) -> Array:
        a, b, u, w = (item[:, None] for item in (a, b, u, w))
        return (x - u) * a / np.sqrt(w + 1e-4) + b

    text = "T.nnet.batch_normalization_test(x, a, b, u, w, (0, 2))"
    yield Row(text, args, "F", plain=promoted(tested), **loose)
    args = {"x": Arg("n m"), "a": v, "b": v, "u": v, "w": positive_}
    for mode in ("low_mem", "high_mem"):
        plain = promoted(lambda x, a, b, u, w: (x - u) * a / w + b)
        text = f"T.nnet.batch_normalization(x, a, b, u, w, mode={mode!r})"
        yield Row(text, args, "F", plain=plain, **loose)
    args = {"x": Arg("n m"), "a": v, "b": v}
    plain = promoted(lambda x, a, b: a * centered(x, -1, 1e-5) + b)
    yield Row("T.nnet.layer_normalization(x, a, b)", args, "F", plain=plain, **loose,
              least={"m": 1})  # fmt: skip
    plain = promoted(lambda x: centered(x, (1, 2), 0.1))
    yield Row("T.nnet.layer_normalization(x, axes=(1, 2), epsilon=0.1)", {"x": Arg("n m k")}, "F",
              plain=plain, **loose, least={"m": 1, "k": 1})  # fmt: skip
    plain = promoted(lambda x, a: a * x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6))
    yield Row("T.nnet.rms_normalization(x, a)", {"x": Arg("n m"), "a": v}, "F", plain=plain,
              **loose, least={"m": 1})  # fmt: skip
    plain = promoted(lambda x, a: a[:, None] * centered(x, (2,), 1e-5))
    yield Row("T.nnet.instance_normalization(x, a)", {"x": Arg("n m k"), "a": v}, "F", plain=plain,
              **loose, least={"k": 1})  # fmt: skip

    def grouped(x: Array, a: Array, b: Array) -> Array:
        apart = x.reshape(len(x), 2, 3, -1)
        return a[:, None] * centered(apart, (2, 3), 1e-5).reshape(x.shape) + b[:, None]

    args = {"x": Arg("n 6 k"), "a": Arg("6"), "b": Arg("6")}
    yield Row("T.nnet.group_normalization(x, 2, a, b)", args, "F", plain=promoted(grouped),
              **loose, least={"k": 1, "n": 1})  # fmt: skip

    def responses(x: Array) -> Array:
        near = [np.square(x[:, max(c - 2, 0) : c + 3]).sum(1) for c in range(x.shape[1])]
        return np.asarray(x / (2 + 1e-4 * np.array(near).transpose(1, 0, 2)) ** 0.75)

    yield Row("T.nnet.local_response_normalization(x)", {"x": Arg("n m k")}, "F",
              plain=promoted(responses), **loose, least={"m": 1})  # fmt: skip


def logarithms() -> Iterator[Row]:
    """Yield rows of products with logarithms that are zero at zero."""
    yield from each(["T.xlogx.xlogx(x)"], ["", "n"], "F", draw=within(0.1, 4),
                    plain=exact(lambda x: scipy.special.xlogy(x, x)))  # fmt: skip
    args = {"x": Arg("n m", draw=within(0, 3)), "y": Arg("m", draw=within(1, 4))}
    plain = exact(scipy.special.xlogy)
    yield Row("T.xlogx.xlogy0(x, y)", args, "F", plain=plain, edges=False)
    args = {"x": Arg("n", draw=within(0, 3)), "y": Arg("n", draw=within(0, 3))}
    yield Row("T.xlogx.xlogy0(x, y)", args, "iu", plain=plain, edges=False)


ROWS: list[Row] = [
    *along_axes(), *sparse(), *activations(), *crossentropies(), *with_labels(), *divergences(),
    *normalizations(), *logarithms(), *attention(),
]  # fmt: skip
