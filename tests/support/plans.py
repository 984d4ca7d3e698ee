"""Plans of small graphs, and what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from symtheano.codegen.plan.fusion.forms import forms_of
from symtheano.codegen.plan.fusion.fuse import fuse, merge_siblings
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.order import ordered
from symtheano.codegen.plan.fusion.placing import place
from symtheano.codegen.plan.fusion.table import Table
from symtheano.codegen.plan.naming import shapes_of
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.regions import PlanContext, RegionPlan, plan_region
from symtheano.codegen.plan.schedule import Schedule, make_schedule
from symtheano.codegen.plan.steps import Nest
from symtheano.codegen.plan.views import Views
from symtheano.codegen.targets import COSTS
from symtheano.graph.intern import FunctionGraph
from symtheano.loopir.builder import Names
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.library import default_rules


def planned(
    inputs: Sequence[Any], outputs: Sequence[Any], donors: Sequence[int | None] = ()
) -> RegionPlan:
    """Return the plan of rewritten outputs."""
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph(inputs, outputs))
    context = PlanContext(Names(), count(len(outputs)))
    return plan_region(final_graph(graph, rewriter), context, donors or [None] * len(outputs))


def viewed(inputs: Sequence[Any], outputs: Sequence[Any], rewritten: bool = False) -> Views:
    """Return the views in outputs; its graph has these."""
    rewriter = Rewriter(default_rules())
    graph = FunctionGraph(inputs, outputs)
    graph = rewriter.rewrite(graph) if rewritten else graph
    return Views(graph, shapes_of(final_graph(graph, rewriter), Names()))


def placed(
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    lent: Sequence[Any] = (),
    rewritten: bool = False,
) -> Table:
    """Return the table in which each node of outputs has a step of its own."""
    views = viewed(inputs, outputs, rewritten)
    needs = Needs(views)
    order = ordered(views, needs)
    forms = forms_of(order.nodes, views, COSTS)
    return place(order, forms, views, needs, lent, COSTS)


def fused(inputs: Sequence[Any], outputs: Sequence[Any]) -> Table:
    """Return the table in which groups of outputs that pass on values are one."""
    return fuse(placed(inputs, outputs), COSTS, listens=True)


def siblings(table: Table) -> Table:
    """Return the table in which groups that read the same arrays are one."""
    return merge_siblings(table, COSTS, listens=True)


def graph_of(table: Table) -> FunctionGraph:
    """Return the graph of a table."""
    return table.operands.views.graph


def home_of(table: Table, variable: Any) -> Group:
    """Return the group that computes a variable."""
    group = table.steps[table.number[variable]]
    assert isinstance(group, Group)
    return group


def groups_of(table: Table) -> list[Group]:
    """Return the groups of a table."""
    return [step for step in table.steps if isinstance(step, Group)]


def scheduled(inputs: Sequence[Any], outputs: Sequence[Any]) -> Schedule:
    """Return the schedule of outputs that are not rewritten."""
    views = viewed(inputs, outputs)
    return make_schedule(views.graph, views.shapes)


def nests_of(made: Schedule) -> list[Nest]:
    """Return the nests that do something."""
    return [step for step in made.steps if isinstance(step, Nest) and step.members]


def ops_of(nest: Any) -> list[str]:
    """Return what the members of a nest do, with their roles."""
    return [f"{member.role} {member.node.op}" for member in nest.members]
