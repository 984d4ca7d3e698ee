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


def crossentropies() -> Iterator[Row]:
    """Yield rows of losses."""
    coding, true = Arg("n m", draw=distribution), Arg("n m", draw=distribution)
    labels = Arg("n", "int64", position("m"))
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


def logarithms() -> Iterator[Row]:
    """Yield rows of products with logarithms that are zero at zero."""
    yield from each(["T.xlogx.xlogx(x)"], ["", "n"], "F", draw=within(0.1, 4),
                    plain=exact(lambda x: scipy.special.xlogy(x, x)))  # fmt: skip
    args = {"x": Arg("n m", draw=within(0, 3)), "y": Arg("m", draw=within(1, 4))}
    plain = exact(scipy.special.xlogy)
    yield Row("T.xlogx.xlogy0(x, y)", args, "F", plain=plain, edges=False)
    args = {"x": Arg("n", draw=within(0, 3)), "y": Arg("n", draw=within(0, 3))}
    yield Row("T.xlogx.xlogy0(x, y)", args, "iu", plain=plain, edges=False)


ROWS: list[Row] = [*along_axes(), *activations(), *crossentropies(), *logarithms()]
