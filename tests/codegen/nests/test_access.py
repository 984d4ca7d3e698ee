"""Access: elements that a nest reads, each once in a scope."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.codegen.nests.access import Access
from symtheano.codegen.plan.regions import RegionPlan
from symtheano.codegen.plan.schedule import Schedule
from symtheano.loopir import Builder, For, Index, Let, Literal, Load, View
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Operand
from symtheano.lowering import Element
from tests.support.plans import planned

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


class Around:
    """Arrays in the memory of a plan; 0-d values are 7."""

    def __init__(self, plan: RegionPlan) -> None:
        self.plan = plan
        self.needed: list[str] = []

    @property
    def schedule(self) -> Schedule:
        return self.plan.schedule

    def scalar(self, variable: Any) -> Operand:
        return Literal(7.0, variable.dtype)

    def view(self, variable: Any) -> View:
        views = self.schedule.views
        root = views.source(variable).variable
        whole = View.contiguous(self.plan.memory.buffers[root], views.dims(root))
        return views.over(variable, whole)

    def need(self, *indices: Index) -> None:
        self.needed += [name for index in indices for name in index.names()]


def access(inputs: list[Any], output: Any) -> tuple[Access, Builder]:
    plan = planned(inputs, [output])
    *_, nest = plan.nests
    b = Builder()
    return Access(plan.nests[nest], Around(plan), b), b


def test_an_element_is_loaded_once_in_a_scope_and_again_in_the_next() -> None:
    made, b = access([x, y], T.exp(x) + x * y)
    readers = [m for m in made.nest.members if x in m.node.inputs]
    assert len(readers) == 2
    for _ in range(2):
        with made.loops((0, 1), "independent"):
            for member in readers:
                made.read(member, member.node.inputs.index(x))
    loads = [s for s in walk(b.statements()) if isinstance(s, Load)]
    assert len(loads) == 2
    assert {str(load.index) for load in loads} == {"i*x_d1 + j", "i_2*x_d1 + j_2"}


def test_loops_over_reduced_axes_have_their_own_kind() -> None:
    made, b = access([x], T.exp(x))
    with made.loops((0, 1), "independent", {1}):
        pass
    assert [s.kind for s in walk(b.statements()) if isinstance(s, For)] == ["independent", "reduce"]


def test_members_are_computed_from_values_in_registers() -> None:
    made, b = access([x, y], T.exp(x) * y)
    made.prepare()
    with made.loops((0, 1), "independent"):
        for member in made.nest.members:
            made.compute(member)
        value = made.values[made.nest.stores[0]]
        made.store(made.stored(made.nest.stores[0]), value)
    lets = [s.op for s in walk(b.statements()) if isinstance(s, Let)]
    assert lets == ["exp", "mul"]


def test_inline_elements_are_computed_from_their_index() -> None:
    made, b = access([v], v * T.arange(v.shape[0]))
    positions = next(
        item for item in made.nest.inline if isinstance(item.owner.op.lowering, Element)
    )
    with made.loops((0,), "independent"):
        one = made.read_at(positions, [Index.of(3)])
        again = made.read_at(positions, [Index.of(3)])
    assert one == again
    assert not any(isinstance(s, Load) for s in walk(b.statements()))
