"""Loops of strips: the same bits as one iteration after the other, for any length and dtype."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, config, function, grad, scan
from symtheano.codegen.passes.strip_loops import Layout, Strips, uses_only_states
from symtheano.loopir import (
    Assign,
    Buffer,
    Declare,
    For,
    Index,
    Leave,
    Let,
    Literal,
    Load,
    Store,
    Value,
)  # fmt: skip
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.text import statements_text
from tests.support.compare import compiled
from tests.support.loops import Machine
from tests.support.seeds import seeds

LENGTHS = (0, 1, 3, 15, 16, 17, 63, 64, 65, 130)
n = T.lscalar("n")

ARRAY = Buffer("x", "float64", "output", Index.symbol("x_d0"), 0)
ROW, STEP = Value("i", "int64"), Value("step", "int64")
FIRST, STATE, NEW = (Value(name, "float64") for name in ("first", "state", "new"))


def loop_of(op: str, operand: Any, times: int = 40) -> tuple[For, For]:
    """Return a loop over elements, and the one over iterations in it."""
    body = (Let(NEW, op, (STATE, operand)), Assign(STATE, NEW))
    inner = For(STEP, Index.of(0), Index.of(times), body)
    around = (Load(FIRST, ARRAY, ROW.index), Declare(STATE, FIRST), inner)
    stored = Store(ARRAY, ROW.index, STATE)
    return For(ROW, Index.of(0), Index.symbol("x_d0"), (*around, stored), "independent"), inner


def run(statements: Sequence[Any], values: Any) -> Any:
    """Return the array after statements."""
    machine = Machine({"x_d0": len(values)}, {"x": values.copy()})
    machine.run(statements)
    return machine.arrays["x"]


@pytest.mark.parametrize("layout", [Layout(4, 2, 0), Layout(4, 2, 3), Layout(5, 1, 3)])
def test_values(layout: Layout) -> None:
    loop, inner = loop_of("maximum", Literal(0.25, "float64"))
    made = Strips(loop, inner, layout, Names()).write()
    leaves = any(isinstance(s, Leave) for s in walk(made))
    assert leaves == (layout.settled > 0)
    for length in (0, 1, 5, 8, 11, 16):
        values = np.random.default_rng(length).normal(size=length)
        np.testing.assert_array_equal(run(made, values), run([loop], values))


def test_iterations_end_when_nothing_changes() -> None:
    loop, inner = loop_of("maximum", Literal(0.25, "float64"), 1_000)
    made = Strips(loop, inner, Layout(4, 2, 8), Names()).write()
    counted = Machine({"x_d0": 8}, {"x": np.zeros(8)})
    count = 0

    def counting(s: Any) -> None:
        nonlocal count
        count += 1
        Machine._let(counted, s)

    counted._let = counting  # type: ignore[method-assign]
    counted.run(made)
    assert count < 300, "it ran all iterations"


def test_whole_strips_are_unrolled_vectors() -> None:
    loop, inner = loop_of("add", Literal(1.0, "float64"))
    text = statements_text(Strips(loop, inner, Layout(4, 2, 0), Names()).write())
    assert text.count("for vector") == 3
    assert text.count("step 4, unrolled") == 3
    assert "if whole:" in text


def test_what_depends_on_states_alone() -> None:
    assert uses_only_states(loop_of("add", Literal(1.0, "float64"))[1])
    number = Value("number", "float64")
    body = (Let(number, "cast", (STEP,)), Let(NEW, "add", (STATE, number)), Assign(STATE, NEW))
    assert not uses_only_states(For(STEP, Index.of(0), Index.of(9), body))
    row = (Load(number, ARRAY, STEP.index), *body[1:])
    assert not uses_only_states(For(STEP, Index.of(0), Index.of(9), row))


# -- whole programs --------------------------------------------------------------------------------


def same_bits(one: Any, other: Any) -> None:
    """Fail unless two arrays have the same bits; one NaN is as good as another."""
    assert one.dtype == other.dtype
    np.testing.assert_array_equal(one, other)
    if one.dtype.kind == "f":
        there = ~np.isnan(one)
        np.testing.assert_array_equal(np.signbit(one[there]), np.signbit(other[there]))


def compare(step: Any, starts: Sequence[Any], times: Sequence[int], others: Sequence[Any]) -> None:
    """Compare scans of known and unknown lengths with the interpreter, on the same graph."""
    kinds = [T.TensorType(each.dtype, (None,))() for each in (*starts, *others)]
    first, fixed = kinds[: len(starts)], kinds[len(starts) :]

    def last(count: Any) -> list[Any]:
        results, _ = scan(step, None, list(first), list(fixed), count, return_list=True)
        return [result[-1] for result in results]

    plain = function([n, *kinds], last(n), mode=Mode("interpret"), on_unused_input="ignore")
    unknown = compiled([n, *kinds], last(n))
    for count in times:
        known = compiled(kinds, last(count))
        for length in LENGTHS if count == times[-1] else LENGTHS[-3:]:
            values = [np.resize(each, length) for each in (*starts, *others)]
            wanted = plain(count, *values)
            for found in (unknown(count, *values), known(*values)):
                for one, other in zip(found, wanted, strict=True):
                    same_bits(one, other)


SPECIAL = [0.0, -0.0, 1.0, -1.5, 0.3, np.inf, -np.inf, np.nan, 1e-310, 3.0, 0.999, -0.25, 1e308]


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_frozen_floats(dtype: str) -> None:
    """Elements freeze at different times, become NaN, or never settle."""

    def step(a: Any, count: Any, c: Any) -> list[Any]:
        inside = a * a < 4
        return [T.cast(T.switch(inside, a * a + c, a), dtype), count + inside]

    with np.errstate(over="ignore"):
        values = np.array(SPECIAL).astype(dtype)
    others = np.linspace(-2, 0.3, 29).astype(dtype)
    compare(step, [values, np.zeros(7, "int64")], [1, 17, 50], [others])


@pytest.mark.needs_cc
def test_signs_of_zeros_and_nans() -> None:
    """A zero with another sign is a change; a NaN that stays is none."""
    values = np.array(SPECIAL)
    compare(lambda a, b: [T.switch(T.eq(a, 0), -a, a), 1 / a], [values, values], [73, 74], [])
    compare(lambda a: a * a, [values], [80], [])


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "bool", "complex128"])
def test_other_dtypes(dtype: str) -> None:
    values = np.arange(40).astype(dtype)
    if dtype == "bool":
        compare(lambda a, c: a ^ c, [values], [1, 30], [values[::-1].copy()])
        return
    big = np.dtype(dtype).type(7)
    compare(
        lambda a, c: T.cast(T.switch(T.lt(abs(a), 90), a * c - big, a), dtype),
        [values], [1, 30], [values[::-1].copy()],
    )  # fmt: skip


@pytest.mark.needs_cc
def test_a_period_of_two() -> None:
    compare(lambda a, b: [b, a], [np.arange(5.0), np.ones(5)], [71, 72], [])


class RandomStep:
    """A random step of elementwise operations that are exact in any order of loops."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        chance = random.Random(seed)
        self.states = chance.randint(1, 5)
        self.dtypes = [
            chance.choice(["float64", "float64", "float32", "int64", "int32"])
            for _ in range(self.states)
        ]
        self.times = sorted(chance.sample(range(1, 160), 2))

    def __call__(self, *read: Any) -> list[Any]:
        chance = random.Random(self.seed + 1)
        made = []
        for dtype, before in zip(self.dtypes, read, strict=False):
            value = self.expression(chance, read, 3)
            if dtype[0] == "i":
                value = T.cast(T.clip(T.switch(T.isnan(value), 0, value), -50, 50), dtype)
            value = T.cast(value, dtype)
            if chance.random() < 0.6:  # it freezes
                limit = chance.choice([0.5, 2.0, 8.0])
                value = T.switch(abs(self.expression(chance, read, 1)) < limit, value, before)
            made.append(value)
        return made

    def expression(self, chance: random.Random, read: Sequence[Any], depth: int) -> Any:
        if depth == 0 or chance.random() < 0.15:
            return T.cast(chance.choice(list(read)), "float64")
        parts = [self.expression(chance, read, depth - 1) for _ in range(2)]
        kind = chance.randrange(7)
        if kind == 0:
            return parts[0] + parts[1]
        if kind == 1:
            return parts[0] * parts[1] * 0.7
        if kind == 2:
            return parts[0] - 0.5 * parts[1]
        if kind == 3:
            return T.maximum(*parts)
        if kind == 4:
            return T.switch(parts[0] < parts[1], parts[0], parts[1] * 0.5)
        if kind == 5:
            return T.sqrt(abs(parts[0])) - parts[1]
        return parts[0] / (parts[1] * parts[1] + 1)


def check_step(seed: int) -> None:
    """Compare a random step with the interpreter."""
    step = RandomStep(seed)
    rng = np.random.default_rng(seed)
    starts = [rng.uniform(-3, 3, 40).astype(dtype) for dtype in step.dtypes]
    compare(step, starts, step.times, [rng.uniform(-2, 2, 37)])


@pytest.mark.needs_cc
@pytest.mark.parametrize("seed", seeds(range(8)))
def test_random_steps(seed: int) -> None:
    check_step(seed)


@pytest.mark.needs_cc
def test_threads_compute_the_same() -> None:
    v, w = T.dvectors("v", "w")
    step = scan(lambda a: T.switch(a < 2, a * a + w, a), None, v, n_steps=40)[0][-1]
    data = np.random.default_rng(0).uniform(-1, 1, (2, 100_003))
    found = []
    for threads in (1, 2, 3):
        with config.change_flags(threads=threads):
            found.append(function([v, w], step)(*data))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.needs_cc
def test_gradients_of_frozen_states() -> None:
    v, w = T.dvectors("v", "w")
    cost = T.sqr(scan(lambda a: T.switch(a < 2, a * a + w, a), None, v, n_steps=30)[0][-1]).sum()
    f = function([v, w], [cost, grad(cost, w)])
    data = np.random.default_rng(1).uniform(-0.5, 0.6, (2, 21))
    _, slope = f(*data)
    for k in range(21):
        moved = [data[1] + sign * 1e-7 * (np.arange(21) == k) for sign in (1, -1)]
        wanted = (f(data[0], moved[0])[0] - f(data[0], moved[1])[0]) / 2e-7
        np.testing.assert_allclose(slope[k], wanted, 1e-4, 1e-4)
