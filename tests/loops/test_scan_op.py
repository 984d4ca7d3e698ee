"""Loops over a graph: in C, with NumPy, and on the interpreter of LoopIR."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function, shared
from symtheano.compile import as_op
from symtheano.errors import BoundsError, ShapeError
from symtheano.loopir import Alias, Choose, For, Poll, Swap
from symtheano.loopir.verify import verify
from symtheano.loops.scan_op import Scan
from tests.support.programs import ProgramMachine

i, n = T.lscalar("i"), T.lscalar("n")
a, b = T.dscalar("a"), T.dscalar("b")
h, g, x = T.dvector("h"), T.dvector("g"), T.dvector("x")
w = T.dmatrix("w")
a0, b0, h0, g0, x0, w0 = (
    item.type(f"{item.name}0") for item in (a, b, h, g, x, w)
)  # fmt: skip


def loop(
    step: Any, states: Sequence[Any], results: Sequence[Any], others: Sequence[Any] = ()
) -> Scan:
    """Return an op that runs expressions of states a number of times."""
    return Scan(step, results, states=states, others=others)


def _nested() -> list[Any]:
    """A loop whose number of iterations is that of the one around it, twice."""
    inner = loop(i, [a, h], [a + h.sum(), h * 0.5 + x], [x])
    total, state = inner(i + 1, a, h, x)
    middle = loop(i, [a, h], [total * 0.5, state - 1], [x])
    total, state = middle(T.constant(2, dtype="int64"), b, g, x)
    outer = loop(i, [b, g], [total, state[::-1]], [x])
    return list(outer(n, b0, g0, x0))


def _results(results: Any) -> list[Any]:
    return list(results) if isinstance(results, list | tuple) else [results]


PROGRAMS: dict[str, Any] = {
    "in place": lambda: loop(i, [h], [T.tanh(h * 1.5 + i)])(n, h0),
    "from a temporary": lambda: loop(i, [h], [T.tanh(h * 1.5)])(n, h0 * 2 + 1),
    "two arrays": lambda: loop(i, [h], [h[::-1] + 1])(n, h0),
    "two arrays, from a temporary": lambda: loop(i, [h], [h - h[::-1] / 2])(n, h0 * 2),
    "exchanged": lambda: loop(i, [a, b, h, g], [b, a + b, g, h + g])(n, a0, b0, h0, g0),
    "one state from another": lambda: loop(i, [h, g], [g * 2, T.exp(-h)])(n, h0, g0),
    "scalars of elements": lambda: loop(i, [a], [a * 0.5 + x[i % 3]], [x])(n, a0, x0),
    "a sum and its terms": lambda: loop(i, [a, h], [a + h.sum(), h * 0.5])(n, a0, h0),
    "a matrix": lambda: loop(i, [w], [T.tanh(w * w.T + x)], [x])(n, w0, x0),
    "rows": lambda: loop(i, [w], [T.nnet.softmax(w - w.mean(0))])(n, w0),
    "no array": lambda: loop(i, [a], [T.cos(a)])(n, a0),
    "unchanged": lambda: loop(i, [h, a], [h, a])(n, h0, a0),
    "used afterwards": lambda: [r := loop(i, [h], [h * 2])(n, h0), r + h0, r.sum()],
    "two loops": lambda: loop(i, [g], [g[::-1] * 2])(n, loop(i, [h], [h[::-1] + 1])(n + 1, h0)),
    "a known number of times": lambda: [
        loop(i, [h], [h[::-1] + 1])(T.constant(steps, dtype="int64"), h0 * 2) for steps in (3, 4)
    ],
    "until the sum is large": lambda: Scan(
        i, [h[::-1] + 1, a * 2, h.sum() > 8], states=[h, a], until=True
    )(n, h0 * 2, a0),
    "nested": _nested,
    "scatter": lambda: loop(i, [h], [T.set_subtensor(h[i % 3], h.sum())])(n, h0),
}
INPUTS = [n, a0, b0, h0, g0, x0, w0]


def _values(steps: int, length: int = 3) -> list[Any]:
    rng = np.random.default_rng(steps)
    vectors = [rng.standard_normal(length) for _ in range(3)]
    matrix = rng.standard_normal((length, length))
    return [np.int64(steps), np.float64(0.3), np.float64(-0.7), *vectors, matrix]


@cache
def compiled(name: str, mode: str | None = None) -> Any:
    outputs = _results(PROGRAMS[name]())
    return function(INPUTS, outputs, mode=mode, on_unused_input="ignore")


def _assert_close(found: Sequence[Any], expected: Sequence[Any]) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.ravel(one), np.ravel(other), 1e-12, 1e-12)


@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name: str) -> None:
    program = compiled(name).lowered.program
    verify(program)
    for steps in (0, 1, 2, 5):
        values = _values(steps)
        before = [np.copy(value) for value in values]
        expected = compiled(name, "INTERPRET")(*values)
        _assert_close(compiled(name)(*values), expected)
        _assert_close(values, before)
        arrays = [np.array(value) for value in before]
        _assert_close(ProgramMachine(program, arrays).outputs(), expected)


@pytest.mark.parametrize("name", ["in place", "two arrays", "a sum and its terms"])
def test_empty_states(name: str) -> None:
    values = _values(3, 0)
    _assert_close(compiled(name)(*values), compiled(name, "INTERPRET")(*values))


def test_a_negative_number_of_iterations_is_none() -> None:
    values = _values(3)
    for steps in (-1, -2):
        values[0] = np.int64(steps)
        np.testing.assert_array_equal(compiled("two arrays")(*values)[0], values[3])
        np.testing.assert_array_equal(compiled("two arrays, from a temporary")(*values)[0],
                                      values[3] * 2)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arrays"),
    [
        ("in place", 0), ("from a temporary", 0), ("a sum and its terms", 0), ("two arrays", 1),
        ("exchanged", 0), ("a matrix", 1), ("scatter", 0),
    ],
)  # fmt: skip
def test_states_in_place(name: str, arrays: int) -> None:
    """The workspace holds a second array of each state that is not changed in place."""
    buffers = [b for slot in compiled(name).lowered.program.arena for b in slot.buffers]
    assert sum(buffer.name.startswith("spare") for buffer in buffers) == arrays
    assert len(buffers) == arrays


def test_pointers_are_exchanged_at_the_end_of_an_iteration() -> None:
    (after,) = (s for s in compiled("two arrays").lowered.program.body if isinstance(s, For))
    assert [type(s) for s in after.body[-2:]] == [Swap, Poll]
    assert not any(isinstance(s, Choose | Alias) for s in after.body)
    known = compiled("a known number of times").lowered.program.body
    assert not any(isinstance(s, Choose) for s in known)
    kinds = [type(s) for s in known if isinstance(s, Swap | Alias | For)]
    assert kinds == [Alias, Alias, For] * 2


@pytest.mark.parametrize("steps", range(12))
def test_a_condition_may_end_a_loop_after_an_odd_number_of_iterations(steps: int) -> None:
    """The last state is copied to its place if it is not there."""
    values = _values(steps)
    for start in range(1, 8):
        values[3] = np.arange(start) / 4
        found, wanted = (
            compiled("until the sum is large", m)(*values) for m in (None, "INTERPRET")
        )
        _assert_close(found, wanted)


def test_arguments_that_are_changed_by_a_loop() -> None:
    """They get other memory: the call can be left between two loops, and in both."""
    one, two = (shared(np.arange(3.0), name) for name in "pq")
    updates = {item: loop(i, [h], [h[::-1] + 1])(n, item) for item in (one, two)}
    made = function([n], [], updates=updates)
    assert list(made.lowered.donors) == [None, None]
    text = made.c_source[made.c_source.index("/* function") :]
    assert "const double *p" in text
    first, second = text.split("for (")[1:]
    for loop_and_rest in (first, second):
        assert "ST_LEAVE_IF_ENDED" in loop_and_rest
        assert "ST_POLL" in loop_and_rest
    made(3)
    for item in (one, two):
        np.testing.assert_array_equal(item.get_value(), [5.0, 4.0, 3.0])


def test_a_later_loop_uses_the_memory_of_an_earlier_one() -> None:
    slots = compiled("two loops").lowered.program.arena
    spares = [[b.name for b in slot.buffers if b.name.startswith("spare")] for slot in slots]
    assert max(map(len, spares)) == 2 or len([s for s in spares if s]) == 2


def test_text_of_nested_loops(golden: Any) -> None:
    text = str(compiled("nested").lowered.program)
    golden(text.replace(__file__, "test_scan_op.py"), "loopir/nested_loops.txt")


def test_an_update_in_place() -> None:
    state = symtheano.shared(np.ones(3))
    grow = function([n], [], updates=[(state, loop(i, [h], [h * 2])(n, state))])
    grow(3)
    np.testing.assert_array_equal(state.get_value(), np.full(3, 8.0))
    assert grow.lowered.donors == [None], "an interrupt may end the loop"
    few, state_of_few = symtheano.shared(np.ones(3), shape=(3,)), T.TensorType("float64", (3,))("h")
    twice = loop(i, [state_of_few], [state_of_few * 2])
    short = function([], [], updates=[(few, twice(T.constant(3, dtype="int64"), few))])
    short()
    np.testing.assert_array_equal(few.get_value(), np.full(3, 8.0))
    assert short.lowered.donors == [0], "it is known to be short"


def test_an_index_is_checked_in_each_iteration() -> None:
    state = symtheano.shared(np.zeros(2))
    sums = loop(i, [h], [h + x[i]], [x])
    add = function([n, x0], [], updates=[(state, sums(n, state, x0))])
    add(3, np.arange(3.0))
    with pytest.raises(BoundsError, match="3 is outside axis 0 of length 3"):
        add(4, np.arange(3.0))
    np.testing.assert_array_equal(state.get_value(), [3.0, 3.0])  # nothing of the failed call


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_states_keep_their_shapes(mode: str | None) -> None:
    shrink = function([n, h0], loop(i, [h], [h[1:]])(n, h0), mode=mode)
    with pytest.raises(ShapeError, match="length 5 along axis 0 has length 4 after one iteration"):
        shrink(2, np.ones(5))


def test_states_keep_their_types() -> None:
    with pytest.raises(TypeError, match=r"has type .* after an iteration"):
        loop(i, [a], [T.cast(a, "float32")])


def test_python_runs_in_a_loop() -> None:
    @as_op([T.dvector], [T.dvector], infer_shape=lambda node, shapes: shapes)
    def next_one(array: Any) -> Any:
        return array + 1

    count = function([n, h0], loop(i, [h], [next_one(h)])(n, h0))
    np.testing.assert_array_equal(count(4, np.zeros(3)), np.full(3, 4.0))


def test_a_state_whose_lengths_python_makes() -> None:
    @as_op([T.dvector], [T.dvector])
    def next_one(array: Any) -> Any:
        return array[: 4 if array[0] > 1 else 3] + 1

    step = function([n, h0], loop(i, [h], [next_one(h)])(n, h0))
    np.testing.assert_array_equal(step(2, np.zeros(3)), np.full(3, 2.0))
    with pytest.raises(ShapeError, match="has length 3"):
        step(2, np.zeros(4))


def test_what_is_not_supported() -> None:
    with pytest.raises(NotImplementedError, match="depend on values"):
        function([n, h0], loop(i, [h], [h * 2])(n, h0[h0 > 0]))


def test_operands_of_any_layout() -> None:
    powers = loop(i, [h], [T.dot(w, h)], [w])
    step = function([n, h0, w0], powers(n, h0[::-1], w0.T))
    matrix, start = np.arange(9.0).reshape(3, 3) / 5, np.arange(3.0)
    expected = np.linalg.matrix_power(matrix.T, 3) @ start[::-1]
    np.testing.assert_allclose(step(3, start, matrix), expected)
