"""The schedule: which nodes share a loop nest, and the order of the nests.

It is made in rounds, each of which is a function of what the rounds before it have found. Nodes are
ordered, each is given a form, and a group or a step of its own; then groups become one, the pair
first that saves most bytes. A nest has *outer* and *inner* axes: reductions over the inner ones
give a value per outer index, which later nodes of the same nest may use (softmax is one nest);
reductions over the outer ones, or over all, are complete after the nest.

Views are resolved here: relabelled axes become index maps, and copies are made if required. The
rounds are those of :mod:`.fusion`; the result does not change any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from symtheano.codegen.plan.epilogue import Refused, with_epilogues
from symtheano.codegen.plan.fusion.choices import Choice, Refusal
from symtheano.codegen.plan.fusion.finish import finished_steps
from symtheano.codegen.plan.fusion.forms import Form, forms_of
from symtheano.codegen.plan.fusion.fuse import fuse, merge_siblings
from symtheano.codegen.plan.fusion.order import Order, ordered
from symtheano.codegen.plan.fusion.placing import place
from symtheano.codegen.plan.fusion.recompute import recompute
from symtheano.codegen.plan.fusion.table import Table
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.shapes import Guard, Shapes
from symtheano.codegen.plan.steps import Step
from symtheano.codegen.plan.views import Views
from symtheano.codegen.targets import COSTS, Costs
from symtheano.dataclass import dataclass, field
from symtheano.graph.final import NOTHING_LATE, Late
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors
from symtheano.loopir import Index
from symtheano.lowering import REDUCTIONS, Length
from symtheano.tensor.variable import Tensor


@dataclass(frozen=True, eq=False)
class Schedule:
    """Steps in execution order, and when values are available.

    Attributes
    ----------
    graph
        The rewritten graph.
    shapes
        Its shapes and guards.
    views
        The views in it.
    operands
        What the steps read.
    steps
        The nests and ops.
    outputs
        The values of outputs: copies of inputs and views have been added.
    entry
        0-d values that the entry point has as scalars, in order.
    ready
        The first step before which each value is in memory or a scalar. Variables without owner are
        there from the beginning.
    guards
        The guards that must be checked before each step; those of position 0 precede any work.
    late
        What is only known after some work of the region around.
    order, forms
        The nodes in order, and what each of them is.
    choices, apart
        Which groups became one, and which did not, and why not, if somebody asks.
    refused
        By the number of a step the nest that did not become its epilogue, and why not.
    """

    graph: FunctionGraph
    shapes: Shapes
    views: Views
    operands: Operands
    steps: tuple[Step, ...]
    outputs: tuple[Tensor, ...]
    entry: Collection[Tensor]
    ready: Mapping[Tensor, int]
    guards: Mapping[int, tuple[Guard, ...]]
    late: Late = NOTHING_LATE
    order: Order = Order(())
    forms: Mapping[Apply, Form] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    apart: tuple[Refusal, ...] = ()
    refused: Mapping[int, Refused] = field(default_factory=dict)

    def at(self, variable: Tensor) -> int:
        """Return the first step before which a variable's value is in memory or a scalar."""
        return 0 if variable.owner is None else self.ready[variable]

    def is_late(self, dims: Iterable[Index]) -> bool:
        """Return whether lengths are only known after some of the work."""
        definitions = self.shapes.definitions
        return any(self.is_late_number(definitions[name]) for dim in dims for name in dim.names())

    def is_late_number(self, number: Tensor) -> bool:
        """Return whether a 0-d value is only known after some of the work.

        The length of a result that Python returns, and nobody reads, is known to no step.
        """
        if number.owner is not None and self.ready.get(number, 1) > 0:
            return True
        if self.late == NOTHING_LATE:
            return False
        late = self.late.inputs | self.late.elements
        return any(
            item in self.late.inputs or not late.isdisjoint(_read_by(item))
            for item in ancestors([number])
        )

    def is_late_output(self, position: int) -> bool:
        """Return whether work must be done before an output can be allocated."""
        shown, held = self.graph.outputs[position], self.outputs[position]
        return self.is_late([*self.shapes.dims(shown), *self.shapes.dims(held)])


def _read_by(variable: Variable) -> Sequence[Variable]:
    """Return the operands whose elements are read to compute a variable, not only their lengths."""
    owner = variable.owner
    return () if owner is None or isinstance(owner.op.lowering, Length) else owner.inputs


def make_schedule(
    graph: FunctionGraph,
    shapes: Shapes,
    lent: Collection[Tensor] = (),
    late: Late = NOTHING_LATE,
    costs: Costs = COSTS,
    listens: bool = False,
) -> Schedule:
    """Return the schedule of a graph.

    Parameters
    ----------
    graph
        The rewritten graph.
    shapes
        Its shapes and guards.
    lent
        Inputs whose memory an output may use.
    late
        What is only known after some work of the region around.
    costs
        What decides which nodes share loops.
    listens
        Whether the reasons are kept: :attr:`Schedule.choices`.
    """
    views = Views(graph, shapes)
    needs = Needs(views)
    order = ordered(views, needs)
    forms = forms_of(order.nodes, views, costs)
    table = place(order, forms, views, needs, lent, costs)
    table = fuse(table, costs, listens)
    table = merge_siblings(table, costs, listens)
    # What is computed again is not read, but what it is computed from.
    table = merge_siblings(recompute(table, costs), costs, listens)
    guards: dict[int, list[Guard]] = {}
    for guard in shapes.guards:
        guards.setdefault(max(map(table.at, guard.needed)), []).append(guard)
    wanted = _read_outside(table, needs, table.outputs)
    finished = finished_steps(table, wanted)
    epilogues = with_epilogues(finished, table, needs, wanted, guards.keys())
    return Schedule(
        graph,
        shapes,
        views,
        table.operands,
        epilogues.steps,
        table.outputs,
        table.entry,
        table.ready,
        MappingProxyType({position: tuple(items) for position, items in guards.items()}),
        late=late,
        order=order,
        forms=forms,
        choices=table.choices,
        apart=table.refused,
        refused=epilogues.refused,
    )


def _read_outside(table: Table, needs: Needs, outputs: Iterable[Tensor]) -> set[Tensor]:
    """Return what outputs and numbers of the entry point are computed from."""
    operands = table.operands
    read = {root for output in outputs for root in operands.roots(output)}
    for scalar in table.entry:
        owner = scalar.owner
        if owner is not None and not isinstance(owner.op.lowering, REDUCTIONS):
            read.update(root for item in needs.of(owner) for root in operands.roots(item))
    return read
