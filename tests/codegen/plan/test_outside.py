"""What graphs of loops and branches have from outside."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.outside import named_outside, rows_of
from symtheano.graph.intern import FunctionGraph
from symtheano.loops.scan_op import Scan
from tests.support.plans import planned, scheduled

x, v, n = T.matrix("x"), T.vector("v"), T.lscalar("n")
number, row, state = T.lscalar("number"), T.vector("row"), T.vector("state")


def test_rows_and_states_have_the_lengths_around_the_loop() -> None:
    loop = Scan(number, [T.tanh(state) * row], sequences=[row], states=[state])
    plan = planned([n, x, v], [loop(n, x, v)])
    (body,) = plan.loops.values()
    shown = [[str(length) for length in dims] for dims in rows_of(body.node, plan.schedule)]
    assert shown == [[], ["x_d1"], ["v_d0"]]


def test_names_and_numbers_are_passed_on_but_no_sums_or_late_lengths() -> None:
    around = scheduled([x, v], [T.concatenate([x, x]), T.exp(v[v > 0]), T.zeros((3,)) + v[0]])
    joined, selected, three = around.graph.outputs
    inner = FunctionGraph([T.matrix("a"), row, state, T.vector("b")], [])
    dims = [around.shapes.dims(item) for item in (joined, selected, three, v)]
    shown = {
        (variable.name, axis): str(length)
        for (variable, axis), length in named_outside(inner, dims, around).items()
    }
    assert shown == {("a", 1): "x_d1", ("state", 0): "3", ("b", 0): "v_d0"}
