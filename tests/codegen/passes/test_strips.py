"""Strips: elements that go through iterations by themselves do so side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import scan
from symtheano.codegen.passes import CPU_PASSES
from symtheano.codegen.passes.strips import strips
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
    kernels, names = naive_kernels([v], last(lambda a: a * v + T.exp(v), v), changed=False)
    found = changed(strips, kernels[-1], names, before(strips))
    golden(found.text, "passes/strips.txt")


def test_few_elements_are_one_strip() -> None:
    few = T.TensorType("float64", (7,))("few")
    found = change(strips, [few], last(lambda a: a * a - 1, few))
    assert found.reasons == ("i: its elements run side by side in step, 64 at a time",)
    assert found.kinds == ["independent", "serial", "independent", "independent"]


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
    assert before(strips)[-1].__name__ == "hoist"
    assert strips in CPU_PASSES
