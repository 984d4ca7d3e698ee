"""Random elementwise scans: elements that go through all iterations agree with the interpreter."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from tests.support.seeds import seeds

DTYPES = ("float64", "float64", "float32", "int64", "int32", "int8", "bool", "complex128")
SHAPES = [(), (0,), (1,), (3,), (63,), (64,), (65,), (130,), (2, 65), (70, 3), (5, 0), (2, 3, 40)]


class RandomElements:
    """A random step of arrays of one shape, what it reads, and which last rows are used.

    Parameters
    ----------
    seed
        What decides.
    """

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.shape = chance.choice(SHAPES)
        self.count = chance.choice([0, 1, 2, 3, 5, 8])
        self.symbolic = chance.random() < 0.4
        self.states = [
            (chance.choice(DTYPES), chance.choice([1, 1, 1, 2]))
            for _ in range(chance.randint(1, 3))
        ]
        self.numbers = [chance.choice(DTYPES) for _ in range(chance.choice([0, 0, 1, 2]))]
        self.rows = [chance.choice(DTYPES) for _ in range(chance.choice([0, 0, 1]))]
        self.fixed = [
            (chance.choice(DTYPES), chance.choice(["whole", "whole", "row", "column", "number"]))
            for _ in range(chance.randint(0, 3))
        ]
        self.counts = chance.random() < 0.4
        self.wide = chance.random() < 0.1
        self.decisions = chance.getrandbits(32)
        self.inputs: list[Any] = []
        self.values: list[Any] = []

    def array(self, dtype: str, shape: tuple[int, ...], static: tuple[int | None, ...] = ()) -> Any:
        """Return a new input, and note its value."""
        made = T.TensorType(dtype, static or (None,) * len(shape))(f"v{len(self.inputs)}")
        value = self.rng.integers(-3, 4, shape) + (0.5 if dtype[0] in "fc" else 0)
        value = np.asarray(value * (1 + 0.5j) if dtype[0] == "c" else value)
        self.inputs.append(made)
        self.values.append(value.astype(dtype))
        return made

    def other(self, dtype: str, kind: str) -> Any:
        """Return an array that is broadcast along some axes, or a number."""
        if kind == "number" or not self.shape:
            return self.array(dtype, ())
        if kind == "row":
            return self.array(dtype, self.shape[-1:])
        if kind == "column":
            return self.array(dtype, (*self.shape[:-1], 1), (*[None] * (len(self.shape) - 1), 1))
        return self.array(dtype, self.shape)

    def outputs(self) -> list[Any]:
        """Return what is used of the results."""
        infos: list[Any] = []
        for dtype, taps in self.states:
            start = self.array(dtype, (*([2] if taps == 2 else []), *self.shape))
            infos.append({"initial": start, "taps": [-1, -2]} if taps == 2 else start)
        infos += [self.array(dtype, ()) for dtype in self.numbers]
        rows = [self.array(dtype, (self.count,)) for dtype in self.rows]
        rows += [self.array("float64", (self.count, *self.shape))] if self.wide else []
        rows += [T.arange(self.count)] if self.counts else []
        others = [self.other(dtype, kind) for dtype, kind in self.fixed]
        count: Any = self.count
        if self.symbolic:
            count = T.lscalar("count")
            self.inputs.append(count)
            self.values.append(np.int64(self.count))
        histories, _ = scan(
            self.step, rows, infos, others, n_steps=count, return_list=True, strict=True
        )
        chance, used = random.Random(self.decisions + 1), []
        for number, history in enumerate(histories):
            if self.count == 0:  # there is no last row, unless there are initial ones
                history = T.concatenate([history, history])[: self.count]
                used.append(history.sum(0) if history.ndim else history)
            elif self.count > 1 and number < len(self.states) and chance.random() < 0.2:
                used.append(history[-2] * 1)
            elif number == 0 or chance.random() < 0.7:
                used.append(history[-1])
        return used

    def step(self, *read: Any) -> list[Any]:
        """Return the next values; the same expressions at each call."""
        chance = random.Random(self.decisions)
        first = len(self.rows) + self.wide + self.counts
        before = list(read[first:])
        results = []
        for dtype, taps in self.states:
            own = before[0]
            del before[:taps]
            value = expression(chance, read, 3) + T.zeros_like(own) if self.shape else own
            if not self.shape:
                value = expression(chance, [v for v in read if v.ndim == 0], 2)
            results.append(converted(T.switch(T.abs(value) < 1e6, value, own), dtype))
        numbers = [item for item in read if item.ndim == 0]
        return results + [
            converted(expression(chance, numbers, 2), dtype) for dtype in self.numbers
        ]


def expression(chance: random.Random, known: Any, depth: int) -> Any:
    """Return an elementwise expression."""
    if depth == 0 or chance.random() < 0.1:
        return chance.choice(list(known))
    one, two = (expression(chance, known, depth - 1) for _ in range(2))
    real = not (one.dtype.startswith("complex") or two.dtype.startswith("complex"))
    kind = chance.randrange(7 if real else 3)
    if kind == 0:
        return one + two if one.dtype != "bool" or two.dtype != "bool" else T.or_(one, two)
    if kind == 1:
        return one * two
    if kind == 2:
        return one * 2 - two * 3 if one.dtype != "bool" else one * two
    if kind == 3:
        return T.switch(one < two, one, two * 0.5)
    if kind == 4:
        return T.maximum(one, two) - 1
    if kind == 5:
        return T.sqrt(T.abs(one * 1.0)) / (two * 1.0)
    return T.switch(T.le(one, 0), two, one)


def converted(value: Any, dtype: str) -> Any:
    """Return a value of a dtype, for which floats have to be in its range."""
    if dtype[0] == "c":
        return T.cast(value, dtype)
    value = T.real(value) if value.dtype[0] == "c" else value
    if dtype == "bool":
        return T.gt(value, 0)
    if value.dtype[0] == "f" and dtype[0] == "i":
        value = T.switch(T.abs(value) < 100, value, 7.0)
    return T.cast(value, dtype)


@pytest.mark.needs_cc
@pytest.mark.parametrize("seed", seeds(range(12)))
def test_random_elements(seed: int) -> None:
    check(seed)


def check(seed: int) -> bool:
    """Compare values with those of the interpreter."""
    made = RandomElements(seed)
    outputs = made.outputs()
    compiled = function(made.inputs, outputs, on_unused_input="ignore")
    plain = function(made.inputs, outputs, mode="INTERPRET", on_unused_input="ignore")
    with np.errstate(all="ignore"):
        expected = plain(*made.values)
        for found, wanted in zip(compiled(*made.values), expected, strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, 1e-12 if found.dtype != "float32" else 1e-5)
    return True
