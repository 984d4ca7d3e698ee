"""Random programs: compiled and interpreted, they have the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import symtheano.tensor as T
from symtheano import grad, pp
from tests.support.compare import Array, check

pytestmark = pytest.mark.needs_cc

LENGTHS = st.sampled_from([3, 2, 5, 4, 1, 0, 7])
Draw = Callable[[st.SearchStrategy[Any]], Any]

# All of them bounded by a small multiple of their operand, so that programs do not overflow.
UNARY: list[Callable[[Any], Any]] = [
    T.tanh, T.nnet.sigmoid, T.cos, T.abs, lambda x: -x, lambda x: x * 0.5, lambda x: x + 1,
    lambda x: T.clip(x, -1.0, 0.5), T.nnet.softplus, lambda x: 1 / (1 + T.sqr(x)), T.nnet.relu,
]  # fmt: skip
BINARY: list[Callable[[Any, Any], Any]] = [
    T.add, T.sub, T.mul, T.maximum, T.minimum, lambda a, b: T.switch(T.lt(a, b), a, b * 0.5),
    lambda a, b: a / (2 + T.cos(b)),
]  # fmt: skip


class Program:
    """Variables made so far, each with the shape that it has for the inputs at hand.

    Parameters
    ----------
    draw
        Draws from a strategy of hypothesis.
    """

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        n, m = draw(LENGTHS), draw(LENGTHS)
        self.inputs = [*T.matrices("x", "y"), T.vector("v"), T.scalar("s"), T.row("r")]
        shapes = [(n, m), (m, n), (m,), (), (1, m)]
        self.known: list[tuple[Any, tuple[int, ...]]] = list(zip(self.inputs, shapes, strict=True))
        random = np.random.default_rng(draw(st.integers(0, 5)))
        self.values: list[Array] = [random.uniform(-1, 1, shape) for shape in shapes]

    def __repr__(self) -> str:
        shapes = ", ".join(f"{v}: {shape}" for v, shape in self.known[:5])
        return "\n".join([shapes, *(pp(variable) for variable, _ in self.known[5:])])

    def pick(self) -> tuple[Any, tuple[int, ...]]:
        """Return one of the variables, later ones more often."""
        late = range(len(self.known))[-3:]
        return self.known[self.draw(st.sampled_from([*range(len(self.known)), *late]))]

    def add(self, variable: Any, shape: tuple[int, ...]) -> None:
        """Remember a variable, unless it would be large."""
        if variable.ndim <= 4 and int(np.prod(shape)) <= 2000:
            self.known.append((variable, shape))

    def step(self) -> None:
        """Make one more variable from those there are."""
        kinds = [self.unary, self.binary, self.binary, self.reduce, self.shuffle, self.slice,
                 self.dot, self.flatten, self.join, self.softmax, self.increment,
                 self.gather]  # fmt: skip
        self.draw(st.sampled_from(kinds))()

    def unary(self) -> None:
        x, shape = self.pick()
        self.add(self.draw(st.sampled_from(UNARY))(x), shape)

    def binary(self) -> None:
        (a, one), (b, two) = self.pick(), self.pick()
        ndim = max(a.ndim, b.ndim)
        left = ((1,) * (ndim - len(one)) + one, (1,) * (ndim - len(one)) + a.type.shape)
        right = ((1,) * (ndim - len(two)) + two, (1,) * (ndim - len(two)) + b.type.shape)
        shape = []
        for n, fixed, m, set_ in zip(*left, *right, strict=True):
            if n != m and fixed != 1 and set_ != 1:
                return
            shape.append(m if fixed == 1 else n)
        self.add(self.draw(st.sampled_from(BINARY))(a, b), tuple(shape))

    def reduce(self) -> None:
        x, shape = self.pick()
        axes = tuple(a for a in range(x.ndim) if self.draw(st.booleans()))
        empty = any(shape[a] == 0 for a in axes)
        ops = [T.sum] if empty else [T.sum, T.max, T.mean, T.min]
        keep = self.draw(st.booleans())
        y = self.draw(st.sampled_from(ops))(x, axis=list(axes), keepdims=keep)
        left = [1 if a in axes else n for a, n in enumerate(shape) if keep or a not in axes]
        self.add(y * 0.3, tuple(left))

    def shuffle(self) -> None:
        x, shape = self.pick()
        order: list[Any] = list(self.draw(st.permutations(range(x.ndim))))
        if x.ndim < 3 and self.draw(st.booleans()):
            order.insert(self.draw(st.integers(0, x.ndim)), "x")
        self.add(x.dimshuffle(*order), tuple(1 if a == "x" else shape[a] for a in order))

    def slice(self) -> None:
        x, shape = self.pick()
        key: list[Any] = []
        for n in shape:
            bound = st.one_of(st.none(), st.integers(-3, 3))
            step = self.draw(st.sampled_from([None, 1, 2, -1, -2]))
            whole = slice(self.draw(bound), self.draw(bound), step)
            single = n and self.draw(st.booleans()) and self.draw(st.booleans())
            key.append(self.draw(st.integers(-n, n - 1)) if single else whole)
        self.add(x[tuple(key)], np.zeros(shape)[tuple(key)].shape)

    def dot(self) -> None:
        (a, one), (b, two) = self.pick(), self.pick()
        if 1 <= a.ndim <= 2 and 1 <= b.ndim <= 2 and one[-1] == two[0]:
            self.add(T.dot(a, b) * 0.3, one[:-1] + two[1:])

    def flatten(self) -> None:
        x, shape = self.pick()
        if x.ndim > 1:
            ndim = self.draw(st.integers(1, x.ndim - 1))
            self.add(x.flatten(ndim), (*shape[: ndim - 1], int(np.prod(shape[ndim - 1 :]))))
        elif x.ndim:
            self.add(x.reshape((-1, 1)), (shape[0], 1))

    def join(self) -> None:
        x, shape = self.pick()
        if x.ndim:
            axis = self.draw(st.integers(0, x.ndim - 1))
            other = self.draw(st.sampled_from(UNARY))(x)
            longer = tuple(2 * n if a == axis else n for a, n in enumerate(shape))
            self.add(T.concatenate([x, other], axis), longer)

    def softmax(self) -> None:
        x, shape = self.pick()
        if x.ndim:
            axis = self.draw(st.integers(0, x.ndim - 1))
            if shape[axis]:
                op = self.draw(st.sampled_from([T.nnet.softmax, T.nnet.logsoftmax]))
                self.add(op(x, axis), shape)

    def increment(self) -> None:
        x, shape = self.pick()
        if x.ndim:
            start = self.draw(st.sampled_from([None, 1, -2]))
            key = slice(start, None, self.draw(st.sampled_from([1, 2, -1])))
            op = self.draw(st.sampled_from([T.set_subtensor, T.inc_subtensor]))
            value = self.draw(st.sampled_from([x[key] * 0.5, 0.25, self.inputs[3]]))
            self.add(op(x[key], value), shape)

    def gather(self) -> None:
        x, shape = self.pick()
        if x.ndim and shape[0]:
            index = self.draw(st.lists(st.integers(-shape[0], shape[0] - 1), max_size=4))
            self.add(x[np.array(index, "int64")], (len(index), *shape[1:]))


@st.composite
def programs(draw: Any) -> Program:
    """Return a program of two to ten steps."""
    program = Program(draw)
    for _ in range(draw(st.integers(2, 10))):
        program.step()
    return program


COMMON: dict[str, Any] = {
    "derandomize": True,
    "suppress_health_check": list(HealthCheck),
    "database": None,
}


@settings(max_examples=30, **COMMON)
@given(programs())
def test_programs(program: Program) -> None:
    outputs = [variable for variable, _ in program.known[5:]][-5:]
    if outputs:
        check(program.inputs, outputs, [program.values], kind="programs", tolerance=1e-11)


@settings(max_examples=15, **COMMON)
@given(programs())
def test_gradients_of_programs(program: Program) -> None:
    outputs = [variable for variable, _ in program.known[5:]][-3:]
    if outputs:
        cost = sum(((y * y).sum() for y in outputs), T.constant(0.0))
        slopes = grad(cost, program.inputs, disconnected_inputs="ignore")
        check(program.inputs, [cost, *slopes], [program.values], kind="programs", tolerance=1e-9)
