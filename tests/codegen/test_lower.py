"""Lowering: a rewritten graph becomes a valid program whose values NumPy computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.frame import Lowered
from symtheano.codegen.lower import lower
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir.host import Tick
from symtheano.loopir.verify import verify

x, y = T.dmatrix("x"), T.dmatrix("y")
RESULTS: Any = [T.exp(x).sum(1), x * y + 1]


def lowered(outputs: Any = RESULTS, **options: Any) -> Lowered:
    """Lower a function of x and y."""
    stages = function([x, y], outputs, mode="INTERPRET", on_unused_input="ignore").stages
    found = lower(stages.final, **options)
    verify(found.program)
    return found


def test_inputs_and_outputs_are_those_of_the_graph() -> None:
    program = lowered(name="scale", title="a title").program
    assert (program.name, program.title) == ("scale", "a title")
    assert [b.name for b in program.inputs] == ["x", "y"]
    assert [len(dims) for dims in program.input_dims] == [2, 2]
    assert [(b.space, b.dtype, b.position) for b in program.outputs] == [
        ("output", "float64", 0), ("output", "float64", 1)
    ]  # fmt: skip


def test_the_same_graph_has_the_same_text() -> None:
    assert str(lowered().program) == str(lowered().program)


def test_checks_have_their_messages() -> None:
    found = lowered()
    assert [(site.code, site.count) for site in found.sites] == [("shape", 2)] * 2
    for axis, site in enumerate(found.sites):
        assert f"operands of different length along axis {axis}" in site.message((2, 3))


def test_an_output_in_the_memory_of_an_input() -> None:
    assert lowered(x * 2, donors=[0]).donors == [0]
    assert lowered(x * 2).donors == [None]
    assert lowered(x[::-1] * 2, donors=[0]).donors == [None]  # it is read backwards


def test_a_measured_program_tells_its_steps() -> None:
    found = lowered(measured=True)
    ticks = [s.step for s in found.program.body if isinstance(s, Tick)]
    assert ticks == [*range(len(found.steps)), -1]
    assert not [s for s in lowered().program.body if isinstance(s, Tick)]


def test_passes_are_those_that_are_given() -> None:
    trace = Trace()
    plain = lowered(target=replace(CPU, passes=()), trace=trace)
    assert [[step.name for step in steps] for steps in trace.kernels] == [["naive"]] * len(
        plain.program.functions
    )
    assert "simd" not in str(plain.program)
    assert "simd" in str(lowered().program)


@pytest.mark.needs_cc
def test_values() -> None:
    made = function([x, y], RESULTS)
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 4))
    sums, combined = made(a, b)
    np.testing.assert_allclose(sums, np.exp(a).sum(1))
    np.testing.assert_array_equal(combined, a * b + 1)


def test_costs_of_the_target_decide_which_nodes_share_loops() -> None:
    total = x
    for _ in range(6):
        total = T.tanh(total + y)
    final = function([x, y], total, mode="INTERPRET").stages.final
    few = replace(CPU, costs=replace(CPU.costs, ahead=0, members=3, at_a_time=0))
    kernels = [
        [each for each in lower(final, target=target).program.functions if not each.range]
        for target in (CPU, few)
    ]
    assert len(kernels[0]) == 1
    assert len(kernels[1]) > 1
