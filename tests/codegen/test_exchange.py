"""Exchange: each element of nests goes through all iterations of the loop around them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, scan
from symtheano.codegen.exchange import Iterations, assigned, parted
from symtheano.loopir import (
    Assign,
    Buffer,
    Declare,
    For,
    Index,
    Kernel,
    Let,
    Literal,
    Load,
    Statement,
    Store,
    Tick,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.text import statements_text
from symtheano.loopir.verify import verify
from symtheano.loops.scan_op import Scan
from tests.support.compare import check

v, w, x, s, n = T.dvector("v"), T.dvector("w"), T.dmatrix("x"), T.dscalar("s"), T.lscalar("n")
number, a, b = T.lscalar("number"), T.dvector("a"), T.dscalar("b")

Z, Y = (Buffer(name, "float64", "output", Index.symbol("n"), k) for k, name in enumerate("zy"))
ROW, OTHER, STEP = (Value(name, "int64") for name in ("i", "j", "step"))
OLD, NEW, TOTAL = (Value(name, "float64") for name in ("old", "new", "total"))


def nest(buffer: Buffer, counter: Value, *inside: Any) -> Kernel:
    """Return a nest that computes one array from itself."""
    body = (Load(OLD, buffer, counter.index), *inside, Store(buffer, counter.index, NEW))
    loop = For(counter, Index.of(0), Index.symbol("n"), body, "independent")
    return Kernel("k", "title", (loop,))


def test_an_element_is_a_scalar_in_all_iterations() -> None:
    names = Names()
    loop = Iterations(STEP, Index.of(3), [], {}, set(), [], brief=True)
    made = loop.inside([nest(Z, ROW, Let(NEW, "sqr", (OLD,)))], names)
    assert statements_text(made.body).splitlines() == [
        "for i = 0 .. n, independent:",
        "  initial = z[i] : float64",
        "  var state = initial : float64",
        "  for step = 0 .. 3:",
        "    new = sqr(state) : float64",
        "    state := new",
        "  z[i] = state",
    ]
    assert made.title == "title, 3 times"


def test_nests_over_the_same_axes_are_one() -> None:
    other = Value("other", "float64")
    second = nest(Y, OTHER, Let(other, "exp", (OLD,)), Let(NEW, "neg", (other,)))
    loop = Iterations(STEP, Index.of(3), [], {"y": Literal(2.0, "float64")}, {"z"}, [], brief=False)
    made = loop.inside([nest(Z, ROW, Let(NEW, "sqr", (OLD,))), second], Names())
    text = statements_text(made.body)
    assert "[j]" not in text
    assert "var state_2 = 2.0:float64" in text, "the initial value is known"
    assert "z[i] = " not in text, "nothing reads the last value"
    assert "y[i] = state_2" in text
    assert made.iterates, "the host may end it"


def test_numbers_are_changed_in_the_nest_and_alone() -> None:
    names = Names()
    scalars = [Let(names_value := Value("next_total", "float64"), "sqr", (TOTAL,))]
    loop = Iterations(STEP, Index.of(3), scalars, {}, set(), [(TOTAL, names_value)], brief=False)
    made = loop.inside([nest(Z, ROW, Let(NEW, "mul", (OLD, TOTAL)))], names)
    targets = {s.target.name for s in walk(made.body) if isinstance(s, Assign)}
    assert targets == {"total", "state"} or targets == {"total_2", "state"}
    (alone,) = loop.alone(names)
    assert isinstance(alone, For)
    assert [type(s) for s in alone.body] == [Let, Assign]


def test_values_are_assigned_at_once() -> None:
    statements = assigned({OLD: NEW, NEW: OLD, TOTAL: TOTAL}, Names())
    assert [type(s) for s in statements] == [Declare, Declare, Assign, Assign]
    assert not assigned({OLD: OLD}, Names())


def test_parts_of_an_iteration() -> None:
    scalar, kernel = Let(NEW, "sqr", (OLD,)), nest(Z, ROW)
    assert parted([Tick(0), scalar, kernel]) == ([scalar], [kernel])


# -- whole programs --------------------------------------------------------------------------------

LENGTHS = (0, 1, 2, 63, 64, 65, 200)


def statements_of(inputs: list[Any], outputs: Any) -> list[Statement]:
    """Return the statements of a function, whose LoopIR is in order."""
    made = function(inputs, outputs, mode="INTERPRET", on_unused_input="ignore")
    verify(made.lowered.program)
    return list(made.lowered.program.statements())


def test_a_number_needs_no_memory() -> None:
    start = T.zeros_like(v)
    statements = statements_of([v], scan(lambda a: a * v + 1, None, start, n_steps=9)[0][-1])
    assert not any(isinstance(s, Load) and s.buffer.space == "output" for s in statements)


def test_states_that_nothing_reads_are_not_stored() -> None:
    results, _ = scan(lambda a, b: [a * b, a + b], None, [v, T.exp(v)], n_steps=9)
    statements = statements_of([v], results[1][-1])
    stored = {s.buffer.name for s in statements if isinstance(s, Store)}
    assert len([name for name in stored if not re.match("state", name)]) == 1


@pytest.mark.needs_cc
@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_arrays_and_numbers(steps: int) -> None:
    """Numbers of iterations, elements of sequences, and numbers that change, in one loop."""
    row = T.dscalar("row")
    new = [T.switch(a > row, a * b - number, a + w), b * 0.5 + row]
    loop = Scan(number, new, sequences=[row], states=[a, b], others=[w])
    calls = [
        [np.array(steps), np.linspace(-1, 1, steps), *np.random.default_rng(k).normal(size=(2, k)),
         np.array(1.5)]
        for k in LENGTHS
    ]  # fmt: skip

    def expected(count: Any, rows: Any, first: Any, other: Any, total: Any) -> list[Any]:
        for step in range(int(count)):
            first = np.where(first > rows[step], first * total - step, first + other)
            total = total * 0.5 + rows[step]
        return [first, np.array(total)]

    outputs = loop(n, x[0], v, s, w, return_list=True)
    whole = [[call[0], call[1][None], *call[2:]] for call in calls]
    check([n, x, v, w, s], outputs, whole, lambda k, r, *rest: expected(k, r[0], *rest))


@pytest.mark.needs_cc
def test_states_are_exchanged() -> None:
    results, _ = scan(lambda a, b: [b, a * 0.5], None, [v, T.exp(v)], n_steps=5)
    calls = [[np.random.default_rng(k).normal(size=k)] for k in LENGTHS]

    def expected(one: Any) -> list[Any]:
        two = np.exp(one)
        for _ in range(5):
            one, two = two, one * 0.5
        return [one, two]

    check([v], [results[0][-1], results[1][-1]], calls, expected)


@pytest.mark.needs_cc
def test_initial_values_that_are_outputs_too() -> None:
    start = T.exp(v)
    result = scan(lambda a: a * v + 1, None, start, n_steps=3)[0][-1]
    calls = [[np.random.default_rng(k).normal(size=k)] for k in LENGTHS]

    def expected(first: Any) -> list[Any]:
        value = np.exp(first)
        for _ in range(3):
            value = value * first + 1
        return [np.exp(first), value]

    check([v], [start, result], calls, expected)


@pytest.mark.needs_cc
def test_threads_compute_the_same() -> None:
    result = scan(lambda a: a * a * 0.9 + w, None, v * 0.5, n_steps=40)[0][-1]
    data = np.random.default_rng(0).uniform(-0.3, 0.3, (2, 100_003))
    found = []
    for threads in (1, 2, 3):
        with config.change_flags(threads=threads):
            found.append(function([v, w], result)(*data))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.needs_cc
def test_lengths_are_compared_before() -> None:
    f = function([v, w], scan(lambda a: a * w, None, v, n_steps=3)[0][-1])
    with pytest.raises(ValueError, match="mul: operands of different length along axis 0"):
        f(np.ones(3), np.ones(4))
