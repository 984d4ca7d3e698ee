"""Points: elementwise nodes in the nests of what they read."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group
from tests.support.plans import home_of, nests_of, ops_of, placed, scheduled

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def test_a_chain_is_one_nest() -> None:
    placing = placed([x, y], [T.exp(T.sin(x)) * y])
    (nest,) = (step for step in placing.nests.placed().steps if isinstance(step, Group))
    assert [str(m.node.op) for m in nest.members] == [
        str(T.sin(x).owner.op), str(T.exp(x).owner.op), str((x * y).owner.op),
    ]  # fmt: skip
    assert placing.nests.memory == set()


def test_a_product_of_rows_and_columns_has_two_axes() -> None:
    w = T.vector("w")
    placing = placed([v, w], [T.exp(v)[:, None] * T.sin(w)])
    out = placing.views.graph.outputs[0]
    nest = home_of(placing, out)
    assert nest.results[out] == (0, 1)
    assert list(map(str, nest.space)) == ["v_d0", "w_d0"]


def test_values_at_two_indices_are_loaded_from_another_nest() -> None:
    slow = T.exp(T.sin(x))
    placing = placed([x], [slow + slow.T])
    (out,) = placing.views.graph.outputs
    (value,) = (n.outputs[0] for n in placing.views.graph.nodes if n.op == T.exp(x).owner.op)
    assert home_of(placing, out) is not home_of(placing, value)
    first, _ = nests_of(scheduled([x], [slow + slow.T]))
    assert first.stores == (first.members[-1].result,)
    assert ops_of(home_of(placing, out)) == [f"point {out.owner.op}"]


def test_cheap_values_at_two_indices_are_computed_again_or_loaded_but_right() -> None:
    placing = placed([x, v], [(x * 2) + (x * 2).T])
    (out,) = placing.views.graph.outputs
    nest = home_of(placing, out)
    assert nest.results[out] == (0, 1)
    computed = [member.result for member in nest.members]
    assert len(computed) == len(set(computed)), "one place for each value of a nest"
