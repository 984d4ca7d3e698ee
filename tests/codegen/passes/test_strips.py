"""Strips: elements that go through iterations by themselves do so side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import scan
from symtheano.codegen.passes.strips import strips
from symtheano.codegen.processors import CPU
from symtheano.loopir import Assign, Declare, For, Index, Kernel, Let, Literal, Load, Store, Value
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Buffer
from symtheano.loops.scan_op import Scan
from tests.codegen.passes.change import Golden, before, change, changed
from tests.codegen.passes.kernels import naive_kernels
from tests.support.compare import check

v, w, x = T.dvector("v"), T.dvector("w"), T.dmatrix("x")
n = T.lscalar("n")


def last(step: Any, start: Any, steps: Any = 5, sequences: Any = None) -> Any:
    """Return the last value of a scan."""
    return scan(step, sequences, start, n_steps=steps)[0][-1]


def test_states_of_a_strip_are_kept(golden: Golden) -> None:
    kernels, names = naive_kernels([v], last(lambda a: a * v + T.exp(v), v))
    found = changed(strips, kernels[-1], names, before(strips))
    golden(found.text, "passes/strips.txt")


def test_few_elements_are_one_strip() -> None:
    few = T.TensorType("float64", (7,))("few")
    found = change(strips, [few], last(lambda a: a * a - 1, few))
    assert found.reasons == ("i: its elements run side by side in step, 32 at a time",)
    assert found.kinds == ["independent", "serial", "independent", "independent"]


def test_a_strip_ends_when_its_states_do_not_change(golden: Golden) -> None:
    kernels, names = naive_kernels([v], last(freezing, v, 50))
    found = changed(strips, kernels[-1], names, before(strips))
    golden(found.text, "passes/strips_settled.txt")


def freezing(a: Any) -> Any:
    """Return the next state, which stays the same when it is large."""
    return T.switch(a < 2, a * a + v, a)


f, s8, zc, small = (
    T.vector("f", dtype="float32"), T.vector("s8", dtype="int8"), T.zvector("zc"),
    T.vector("half", dtype="float16"),
)  # fmt: skip

# An initial value, a step, how many elements run side by side, and whether a strip ends early.
LAYOUTS: dict[str, tuple[Any, Any, int, bool]] = {
    "one state": (v, lambda a: a * a - 1, 32, True),
    "two states": ([v, w], lambda a, b: [a * b, a - b], 28, True),
    "five states": ([v] * 5, lambda *a: [a[-1] - 1, *a[:-1]], 8, True),
    "nine states": ([v] * 9, lambda *a: [a[-1] - 1, *a[:-1]], 64, True),
    "float32": (f, lambda a: a * a - 1, 64, True),
    "float32 and float64": ([f, v], lambda a, b: [a * a, b - a], 32, True),
    "int8": (s8, lambda a: T.cast(a * a, "int8"), 64, True),
    "complex": (zc, lambda a: a * a - 1, 64, False),
    "float16": (small, lambda a: T.cast(a * a, "float16"), 64, False),
    "a function of the C library": (v, lambda a: T.exp(-a), 64, True),
    "five operations": (v, lambda a: T.sqrt(abs(a * a * v + w) - a), 64, True),
    "a state that may freeze": (v, lambda a: T.switch(a < 2, abs(a * a * v + w) - a, a), 32, True),
    "many operations": (v, lambda a: sum(a**k * k for k in range(3, 40)), 64, True),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name: str) -> None:
    start, step, width, settled = LAYOUTS[name]
    results, _ = scan(step, None, start, n_steps=99, return_list=True)
    found = change(strips, [v, w, f, s8, zc, small], [result[-1] for result in results])
    (reason,) = {item for item in found.reasons if "side by side" in item}
    assert f", {width} at a time" in reason
    assert reason.endswith("until their states do not change") == settled


@pytest.mark.parametrize(
    ("step", "sequences", "steps"),
    [
        (lambda i, a: a * T.cast(i, "float64"), [T.arange(99)], 99),
        (lambda r, a: a * r, [w[:99]], 99),
        (lambda a: a * v, None, 64),
        (lambda a: T.switch(a < 2, a * v, a), None, 16),
        (lambda a, t: [a * t, t * 0.5], None, 99),
    ],
    ids=[
        "number of the iteration",
        "row of a sequence",
        "few iterations",
        "few frozen ones",
        "a number as state",
    ],
)
def test_what_goes_through_all_iterations(step: Any, sequences: Any, steps: int) -> None:
    start = [v, x[0, 0]] if step.__code__.co_varnames == ("a", "t") else v
    result = scan(step, sequences, start, n_steps=steps, return_list=True)[0][0][-1]
    found = change(
        strips, [v, w, x], result, shapes=[(99, 5), (120, 1)]
    )  # w has a row for each step
    assert any("side by side" in reason for reason in found.reasons)
    assert not any("until" in reason for reason in found.reasons)


def test_other_loops_are_left_alone() -> None:
    change(strips, [x], x.sum(1)).assert_refused(
        "not, no element goes through iterations by itself"
    )


def loop_over_iterations(*inside: Any) -> Kernel:
    """Return a kernel in which each element of an array goes through iterations."""
    array = Buffer("x", "float64", "input", Index.symbol("x_d0"), 0)
    i, step = Value("i", "int64"), Value("step", "int64")
    first, state = Value("first", "float64"), Value("state", "float64")
    loop = For(step, Index.of(0), Index.of(3), inside)
    body = (Load(first, array, i.index), Declare(state, first), loop, Store(array, i.index, state))
    return Kernel("k", "", (For(i, Index.of(0), Index.symbol("x_d0"), body, "independent"),))


def test_a_state_that_is_read_after_it_was_assigned() -> None:
    state, value, late = (Value(name, "float64") for name in ("state", "value", "late"))
    new = Let(value, "add", (state, Literal(1.0, "float64")))
    after = Let(late, "mul", (state, state))
    kernel = loop_over_iterations(new, Assign(state, value), after, Assign(state, late))
    found = changed(strips, kernel, Names())
    found.assert_refused("not, no element goes through iterations by itself")
    good = changed(strips, loop_over_iterations(new, Assign(state, value)), Names())
    assert good.after != good.before


LENGTHS = (0, 1, 63, 64, 65, 130)


@pytest.mark.needs_cc
@pytest.mark.parametrize("steps", [0, 1, 4])
def test_lengths(steps: int) -> None:
    random = np.random.default_rng(0)
    calls = [[np.array(steps), *random.normal(size=(2, k))] for k in LENGTHS]

    def expected(count: Any, a: Any, b: Any) -> list[Any]:
        for step in range(int(count)):
            a = np.where(a > 0, a * b - step, a + 1)
        return [a]

    number, state, same = T.lscalar("number"), T.dvector("state"), T.dvector("same")
    new = T.switch(state > 0, state * same - number, state + 1)
    loop = Scan(number, [new], states=[state], others=[same])
    check([n, v, w], [loop(n, v, w)], calls, expected, kind="strips")


def test_passes_before_are_those_for_all_loops() -> None:
    assert [each.__name__ for each in before(strips)[-2:]] == ["hoist", "rotate"]
    assert strips in CPU.passes
