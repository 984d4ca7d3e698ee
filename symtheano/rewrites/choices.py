"""Choices between computations: numbers are chosen by a switch, expensive work by a branch."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symtheano.graph.arms import arms_of, needed
from symtheano.graph.fields import is_own
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.ifelse import IfElse
from symtheano.loops.branch import Branch
from symtheano.lowering import CALLS
from symtheano.rewrites.branches import with_branches
from symtheano.rewrites.lengths import Lengths
from symtheano.rewrites.match import as_scalar
from symtheano.rewrites.rule import OfStep, Replacement, graph_rule, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.as_op import FromFunctionOp
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.shapes.same_shape import SameShape
from symtheano.tensor.shapes.shape import Shape_i, as_dims
from symtheano.tensor.variable import Dim, Tensor, TensorConstant

# The work of numbers, in additions, that takes as long as a branch that is predicted wrongly.
_CHEAP = 64


@rule("canonicalize", tracks=[Branch], operands=[TensorConstant])
def branch_of_known_condition(node: Apply) -> Replacement:
    """If the condition is known, the selected graph becomes part of the surrounding graph."""
    condition, *inputs = node.inputs
    if not isinstance(condition, TensorConstant):
        return None
    graph = node.op.branches[0 if condition.data else 1]
    return replace(graph.outputs, dict(zip(graph.inputs, inputs, strict=True)))


@rule("canonicalize", tracks=[Branch])
def choose_numbers(node: Apply) -> Replacement:
    """Both results of a choice of numbers are computed if this takes less time than a branch.

    Elementwise functions of numbers raise no errors.
    """
    if any(output.ndim for output in node.outputs):
        return None
    condition, *inputs = node.inputs
    work, chosen = 0, list[Sequence[Variable]]()
    for graph in node.op.branches:
        if not all(_is_number(inner) for inner in graph.nodes):
            return None
        work += sum(map(_cost, graph.nodes))
        chosen.append(replace(graph.outputs, dict(zip(graph.inputs, inputs, strict=True))))
    if work > _CHEAP:
        return None
    return [scalar.switch(condition, *pair) for pair in zip(*chosen, strict=True)]


def _is_number(node: Apply) -> bool:
    plain = isinstance(node.op, Elemwise) and node.outputs[0].ndim == 0
    return plain or isinstance(node.op, Shape_i)


def _cost(node: Apply) -> int:
    return node.op.scalar_op.cost if isinstance(node.op, Elemwise) else 0


@graph_rule("specialize", numerics="exact", tracks=[scalar.switch])
def branch_of_switch(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """A switch by a number becomes a branch if products, loops or decompositions are saved.

    Lengths are required as before; conditions on elements are those of what is computed.
    """
    if not any(map(_is_candidate, nodes)) or not any(map(_is_expensive, nodes)):
        return {}
    roots = [output for output in outputs if output.owner is not None]
    graph = FunctionGraph((), roots)
    lengths = Lengths(graph.interner)
    for node in graph.nodes:
        lengths.infer(node)
    candidates = {node for node in graph.nodes if _is_candidate(node)}
    flat, choices = _with_choices(graph, lengths, candidates)
    outside = needed(flat)
    saving = {node for node, choice in choices.items() if _saves(choice, outside)}
    if not saving:
        return {}
    flat, _ = _with_choices(graph, lengths, saving)
    moved = with_branches(FunctionGraph((), flat))
    return dict(zip(roots, moved.outputs, strict=True))


def _is_candidate(node: Apply) -> bool:
    """Return whether a node is a switch by a number that is not known."""
    if not isinstance(node.op, Elemwise) or node.op.scalar_op is not scalar.switch:
        return False
    condition = as_scalar(node.inputs[0])
    return condition is not None and not isinstance(condition, TensorConstant)


def _is_expensive(node: Apply) -> bool:
    # Products have no loops yet in this phase.
    return isinstance(node.op.lowering, CALLS) and _is_own(node)


def _is_own(node: Apply) -> bool:
    cls: type = type(node.op)
    return is_own(cls) and not isinstance(node.op, FromFunctionOp)


def _saves(choice: Apply, outside: Collection[Variable]) -> bool:
    """Return whether expensive work is done in one arm only, and nothing that may not move."""
    both = [toposort(arm, outside) for arm in arms_of(choice)]
    if any(node.op.unconditional for alone in both for node in alone):
        return False
    for alone in both:
        if any(map(_is_expensive, alone)):
            return all(map(_is_own, alone))
    return False


def _with_choices(
    graph: FunctionGraph, lengths: Lengths, switches: Collection[Apply]
) -> tuple[list[Variable], dict[Apply, Apply]]:
    """Return the outputs with choices in the place of switches, and the choice for each of them."""
    memo: dict[Variable, Variable] = {}
    choice_of: dict[Apply, Apply] = {}
    for node in graph.nodes:
        inputs = [memo.get(item, item) for item in node.inputs]
        if node in switches:
            dims = lengths.of(node.outputs[0])
            memo[node.outputs[0]], choice_of[node] = _choice(node, inputs, dims)
        elif inputs != node.inputs:
            memo.update(zip(node.outputs, node.clone_with_new_inputs(inputs).outputs, strict=True))
    return [memo.get(root, root) for root in graph.outputs], choice_of


def _choice(node: Apply, inputs: Sequence[Tensor], dims: Sequence[Dim]) -> tuple[Tensor, Apply]:
    """Return what a switch is, as a choice, and the choice itself."""
    condition, output = as_scalar(inputs[0]), node.outputs[0]
    with origin_scope(node.origin):
        arms = [_spread(cast(item, output.dtype), output, dims) for item in inputs[1:]]
        choice = IfElse(1).make_node(condition, *arms)
        result: Tensor = choice.outputs[0]
        return (SameShape()(result, *as_dims(dims)) if output.ndim else result), choice


def _spread(item: Tensor, output: Tensor, dims: Sequence[Dim]) -> Tensor:
    """Return an operand of a switch in the shape of the result."""
    lengths = zip(item.type.shape, output.type.shape, strict=True)
    if any(length == 1 and whole != 1 for length, whole in lengths):
        return alloc(item, *as_dims(dims))
    return item.with_lengths(output.type.shape)
