"""Plans of small graphs, and what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.placing import Placing
from symtheano.codegen.plan.naming import shapes_of
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.regions import PlanContext, RegionPlan, plan_region
from symtheano.codegen.plan.schedule import Schedule, make_schedule
from symtheano.codegen.plan.steps import Nest
from symtheano.codegen.plan.views import Views
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
) -> Placing:
    """Return all nodes of outputs in steps that are not finished."""
    views = viewed(inputs, outputs, rewritten)
    placing = Placing(views, Needs(views), lent)
    placing.place_all(views.graph.nodes)
    return placing


def home_of(placing: Placing, variable: Any) -> Group:
    """Return the group that computes a variable."""
    nests = placing.nests
    return nests.groups[nests.number[variable]]


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
