"""Random programs over the tensor language, each a text that NumPy can run as well.

A step is one line of Python. Where it says ``T``, the module is Symtheano's for the variables and
:data:`PLAIN` for the values; so every step has its reference, and a failing program reads as
what a user would write.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.special
from hypothesis import strategies as st

import symtheano.tensor as T

Array = np.ndarray[Any, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

LENGTHS = st.sampled_from([3, 2, 4, 5, 1, 0])
LARGEST = 10.0
NEAR = 1e-6


def _softmax(x: Array, axis: int) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return np.asarray(e / e.sum(axis, keepdims=True))


def _dimshuffle(x: Array, *order: Any) -> Array:
    kept = x.transpose([a for a in order if a != "x"])
    return kept[tuple(None if a == "x" else slice(None) for a in order)]


def _split(x: Array, sizes: Sequence[int], n: int, axis: int) -> list[Array]:
    return np.split(x, np.cumsum(sizes)[: n - 1], axis)


def _rfft(x: Array, norm: Any = None) -> Array:
    z = np.fft.rfft(x, norm=norm or "backward")
    return np.stack([z.real, z.imag], -1)


def _irfft(x: Array, norm: Any = None, is_odd: bool = False) -> Array:
    z = x[..., 0] + 1j * x[..., 1]
    n = 2 * (z.shape[-1] - 1) + is_odd
    return np.fft.irfft(z, n) * (1 if norm is None else n if norm == "no_norm" else np.sqrt(n))


class _Plain:
    """NumPy under the names of ``symtheano.tensor``."""

    def __getattr__(self, name: str) -> Any:
        return _OWN[name] if name in _OWN else getattr(np, name)


_OWN: dict[str, Any] = {
    "sqr": np.square,
    "sgn": np.sign,
    "cast": lambda x, dtype: x.astype(dtype),
    "eq": np.equal,
    "neq": np.not_equal,
    "xor": np.bitwise_xor,
    "switch": np.where,
    "erf": scipy.special.erf,
    "gammaln": scipy.special.gammaln,
    "alloc": lambda value, *shape: np.full(shape, value),
    "flatten": lambda x, n: x.reshape((*x.shape[: n - 1], math.prod(x.shape[n - 1 :]))),
    "logsumexp": scipy.special.logsumexp,
    "batched_dot": np.matmul,
    "dimshuffle": _dimshuffle,
    "split": _split,
    "fft": SimpleNamespace(rfft=_rfft, irfft=_irfft),
    "nnet": SimpleNamespace(
        softmax=_softmax,
        logsoftmax=lambda x, axis: np.log(_softmax(x, axis)),
        sigmoid=scipy.special.expit,
        softplus=lambda x: np.logaddexp(x, 0),
        relu=lambda x: np.maximum(x, 0),
    ),
    "nlinalg": np.linalg,
    "slinalg": SimpleNamespace(cholesky=np.linalg.cholesky, solve=np.linalg.solve),
}
PLAIN: Any = _Plain()
"""What stands for ``symtheano.tensor`` where a program is run with values."""


def _put(x: Array, key: Any, value: Any) -> Array:
    y = x.copy()
    y[key] = value
    return y


def _put_more(x: Array, key: Any, value: Any) -> Array:
    y = x.copy()
    np.add.at(y, key, value)
    return y


SYMBOLIC: dict[str, Any] = {
    "T": T,
    "np": np,
    "put": lambda x, key, value: T.set_subtensor(x[key], value),
    "put_more": lambda x, key, value: T.inc_subtensor(x[key], value),
}
NUMERIC: dict[str, Any] = {"T": PLAIN, "np": np, "put": _put, "put_more": _put_more}


class Program:
    """Lines that make one variable each, and what they are for the inputs at hand.

    Parameters
    ----------
    draw
        Draws from a strategy of hypothesis.
    smooth
        Whether the program shall be differentiable where it is evaluated, in double precision.
    """

    def __init__(self, draw: Draw, smooth: bool = False) -> None:
        self.draw, self.smooth = draw, smooth
        self.variables: dict[str, Any] = {}
        self.values: dict[str, Array] = {}
        self.inputs: list[str] = []
        self.lines: dict[str, str] = {}

    def __repr__(self) -> str:
        def described(name: str) -> str:
            return f"{self.values[name].dtype}{self.values[name].shape}"

        made = [
            f"{name} = T.TensorType({self.values[name].dtype.name!r}, "
            f"{self.variables[name].type.shape})({name!r})  # {self.values[name]!r}"
            for name in self.used()
        ]
        steps = [f"{name} = {text}  # {described(name)}" for name, text in self.lines.items()]
        return "\n".join(["", *made, *steps])

    def used(self) -> list[str]:
        """Return the names of the inputs that the lines mention."""
        words = {
            word for text in self.lines.values() for word in compile(text, "", "eval").co_names
        }
        return [name for name in self.inputs if name in words]

    def input(self, name: str, value: Array, shape: Sequence[int | None] | None = None) -> None:
        """Add an input; ``shape`` says which lengths are static."""
        shape = [None] * value.ndim if shape is None else shape
        self.variables[name] = T.TensorType(value.dtype.name, tuple(shape))(name)
        self.values[name] = value
        self.inputs.append(name)

    def run(self, values: dict[str, Array]) -> dict[str, Array]:
        """Return the value of every line as NumPy computes it."""
        found = dict(values)
        with np.errstate(all="ignore"):
            for name, text in self.lines.items():
                found[name] = np.asarray(eval(text, {**NUMERIC, **found}))
        return found

    def results(self, most: int) -> list[str]:
        """Return the names of the last lines."""
        return [*self.lines][-most:]

    def differentiable(self, most: int) -> tuple[list[str], list[str]]:
        """Return the used inputs and the last lines that are real and of double precision."""
        real = {name for name, value in self.values.items() if value.dtype == "float64"}
        return (
            [name for name in self.used() if name in real],
            [name for name in self.results(most) if name in real],
        )

    def magnitude(self) -> float:
        """Return the largest number among the values, at least one."""
        real = [value for value in self.values.values() if value.dtype.kind in "fc"]
        return max(float(np.abs(value).max(initial=1)) for value in real)

    def precision(self) -> float:
        """Return how far results may be off, relative to the magnitude."""
        dtypes = {self.values[name].dtype.name for name in (*self.used(), *self.lines)}
        return 1e-4 if dtypes & {"float32", "complex64"} else 1e-9

    def changes(
        self, inputs: Sequence[str], names: Sequence[str], step: float
    ) -> tuple[dict[str, Array], list[Array]]:
        """Return a direction, and how lines change along it by NumPy's central differences."""
        random = np.random.default_rng(1)
        direction = {
            name: np.asarray(random.uniform(-1, 1, self.values[name].shape)) for name in inputs
        }
        given = {name: self.values[name] for name in self.inputs}
        ahead, behind = (
            self.run(given | {name: given[name] + h * direction[name] for name in inputs})
            for h in (step, -step)
        )
        return direction, [(ahead[name] - behind[name]) / (2 * step) for name in names]

    def number(self, text: str) -> Array:
        """Return what a line is for the values at hand."""
        with np.errstate(all="ignore"):
            return np.asarray(eval(text, {**NUMERIC, **self.values}))

    def add(self, text: str, jump: str = "", kink: str = "") -> bool:
        """Add a line, unless its value would be large, infinite or uncertain.

        Parameters
        ----------
        text
            The line's right-hand side.
        jump, kink
            The line jumps, or has a kink, where this is zero.
        """
        guard = jump or (kink if self.smooth else "")
        if guard and (np.abs(self.number(guard)) < NEAR).any():
            return False
        value = self.number(text)
        if value.ndim > 4 or value.size > 600 or not np.isfinite(value).all():
            return False
        if self.smooth and value.dtype in ("float32", "complex64"):
            return False
        if value.dtype.kind in "fc" and np.abs(value).max(initial=0) > LARGEST:
            text = (
                f"T.tanh(({text}) * 0.125)" if value.dtype.kind == "f" else f"({text}) * 0.0078125"
            )
            value = self.number(text)
            if np.abs(value).max(initial=0) > LARGEST:
                return False
        name = f"v{len(self.lines) + 1}"
        try:
            self.variables[name] = eval(text, {**SYMBOLIC, **self.variables})
        except Exception as error:
            raise AssertionError(f"{self!r}\n{name} = {text}\n{error}") from error
        self.values[name], self.lines[name] = value, text
        return True

    def pick(self, allowed: Callable[[Array], bool] = lambda value: True) -> str | None:
        """Return the name of a variable whose value is allowed, later ones more often."""
        names = [name for name, value in self.values.items() if allowed(value)]
        late = [name for name in names if name in self.lines][-3:]
        return self.draw(st.sampled_from([*names, *late, *late])) if names else None

    def pick_of(self, kinds: str, ndim: int = 0, most: int = 4) -> str | None:
        """Return the name of a variable with a dtype kind out of ``kinds`` and some axes."""
        return self.pick(lambda value: value.dtype.kind in kinds and ndim <= value.ndim <= most)

    def beside(self, x: str, kinds: str) -> str | None:
        """Return the name of a variable that broadcasts with another, by static ones only."""

        def fits(name: str) -> bool:
            one, two = self.values[x].shape[::-1], self.values[name].shape[::-1]
            mine, its = (self.variables[n].type.shape[::-1] for n in (x, name))
            return all(
                n == m or 1 in (fixed, other)
                for n, m, fixed, other in zip(one, two, mine, its, strict=False)
            )

        names = [n for n, v in self.values.items() if v.dtype.kind in kinds and fits(n)]
        return self.draw(st.sampled_from(names)) if names else None

    def axis(self, x: str) -> int:
        """Draw an axis of a variable, counted from either end."""
        ndim = self.values[x].ndim
        return int(self.draw(st.integers(-ndim, ndim - 1)))

    def one_of(self, *choices: Any) -> Any:
        """Draw one of some values."""
        return self.draw(st.sampled_from(choices))


def start(draw: Draw, smooth: bool) -> Program:
    """Return a program without steps: its inputs have all kinds of dtypes."""
    program = Program(draw, smooth)
    n, m = draw(LENGTHS), draw(LENGTHS)
    random = np.random.default_rng(draw(st.integers(0, 5)))

    def uniform(*shape: int) -> Array:
        return np.asarray(random.uniform(-1, 1, shape))

    program.input("x", uniform(n, m))
    program.input("y", uniform(n, m))
    program.input("v", uniform(m))
    program.input("w", uniform(n))
    program.input("s", uniform())
    program.input("row", uniform(1, m), (1, None))
    program.input("column", uniform(n, 1), (None, 1))
    program.input("t", uniform(2, m, n))
    program.input("k", np.asarray(random.integers(-3, 4, m)))
    program.input("j", np.asarray(random.integers(0, 4)))
    program.input("a", random.integers(-100, 100, (n, m), "int8"))
    program.input("u", random.integers(0, 256, m, "uint8"))
    program.input("b", random.integers(0, 2, (n, m)).astype("bool"))
    program.input("z", uniform(n, m) + 1j * uniform(n, m))
    if not smooth:
        program.input("f", uniform(n, m).astype("float32"))
    return program
