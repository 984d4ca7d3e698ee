"""The round that decides what each node is: a view, a number, a part of a loop, or a step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Literal

from symtheano import dtypes
from symtheano.codegen.plan.steps import VALUE, is_unit
from symtheano.codegen.plan.views import Views
from symtheano.codegen.targets import Costs
from symtheano.graph.variable import Apply
from symtheano.lowering import PUTS, REDUCTIONS, Element, Elementwise, Length, Parts, Scatter
from symtheano.tensor.variable import Tensor

Form = Literal["view", "inline", "scalar", "reduction", "point", "op"]
"""What a node is.

A *view* shows elements of another array. Elements of an *inline* array, such as ``arange``, gathers
from arrays in memory, and cheap elementwise operations on such elements, are computed wherever they
are read, unless something needs them in memory. A *scalar* is computed by straight-line code
between steps. A *reduction* or a *point* is a member of a nest. An *op* works on whole arrays, and
is a step.
"""

# Forms of ops that read elements where they are computed, at any index.
_AT_ANY_INDEX = (Element, Elementwise, Length, *REDUCTIONS)


def forms_of(nodes: Iterable[Apply], views: Views, costs: Costs) -> Mapping[Apply, Form]:
    """Return what each of some nodes is, those that it needs coming before it."""
    forms: dict[Apply, Form] = {}
    for node in nodes:
        forms[node] = form_of(node, forms, views, costs)
    return MappingProxyType(forms)


def form_of(node: Apply, forms: Mapping[Apply, Form], views: Views, costs: Costs) -> Form:
    """Return what a node is; what the nodes before it are is known."""
    lowering = node.op.lowering
    if views.is_view(node):
        return "view"
    output = node.outputs[0]
    if _is_inline(output, forms, views, costs) and not _is_stored(output, views):
        return "inline"
    if _is_moved_index(output, views):
        return "inline"
    if _is_scalar(node):
        return "scalar"
    if isinstance(lowering, REDUCTIONS):
        return "reduction"
    is_array = len(node.outputs) == 1 and node.outputs[0].ndim > 0
    return "point" if isinstance(lowering, (Elementwise, Element)) and is_array else "op"


def _is_scalar(node: Apply) -> bool:
    """Return whether a node is computed by straight-line code of the entry point."""
    if isinstance(node.op.lowering, Length):
        return True
    units = len(node.outputs) == 1 and is_unit(node.outputs[0])
    if isinstance(node.op.lowering, Element):
        return units and all(item.ndim == 0 or item.owner is None for item in node.inputs[1:])
    return units and isinstance(node.op.lowering, Elementwise)


def _is_inline(variable: Tensor, forms: Mapping[Apply, Form], views: Views, costs: Costs) -> bool:
    """Return whether elements may be computed wherever they are read: this is cheap."""
    total = 0
    stack = [variable]
    while stack:
        item = stack.pop()
        owner = item.owner
        if owner is None or is_unit(item):
            return False
        lowering = owner.op.lowering
        if not isinstance(lowering, (Element, Elementwise)):
            return False
        total += lowering.row.cost if isinstance(lowering, Elementwise) else 1
        if total > costs.inline:
            return False
        for part in owner.inputs:
            source = views.source(part).variable
            if is_unit(source):
                continue
            if isinstance(lowering, Element) and _is_in_memory(source, forms, views):
                continue
            if _is_computed_apart(source, forms):
                return False
            if not _is_moved_index(source, views):
                stack.append(source)
    return True


def _is_moved_index(variable: Tensor, views: Views) -> bool:
    """Return whether an array is ``i + 1``, or as simple, and only read for indices, as ``i`` is.

    As ``i`` is in memory, there is no need to store it.
    """
    owner = variable.owner
    if owner is None or variable.dtype not in dtypes.INTEGER:
        return False
    if not isinstance(owner.op.lowering, Elementwise) or owner.op.lowering.row.cost > 1:
        return False
    arrays = [source for x in owner.inputs if not is_unit(source := views.source(x).variable)]
    if len(arrays) != 1 or not _is_stored(arrays[0], views):
        return False
    clients = views.clients.get(variable, ())  # none of what only lengths and checks are made of
    return bool(clients) and all(
        isinstance(client, Apply)
        and (isinstance(client.op.lowering, Element) or number in selecting_inputs(client))
        for client, number in clients
    )


def _is_computed_apart(source: Tensor, forms: Mapping[Apply, Form]) -> bool:
    return source.owner is not None and forms[source.owner] in ("reduction", "point", "op")


def _is_in_memory(source: Tensor, forms: Mapping[Apply, Form], views: Views) -> bool:
    """Return whether an array, or what it shows, is an input, or computed by loops of its own."""
    while source.owner is not None and forms[source.owner] == "view":
        if source.owner.op.lowering.alternative is not None:
            return True
        source = views.source(source.owner.inputs[0]).variable
    return source.owner is None or _is_computed_apart(source, forms)


def _is_stored(variable: Tensor, views: Views) -> bool:
    """Return whether something needs an array in memory, although its elements are cheap."""
    stack = [variable]
    while stack:
        for client, number in views.clients.get(stack.pop(), ()):
            if not isinstance(client, Apply):
                return True
            lowering = client.op.lowering
            if views.axis_map(client) is not None:
                stack += client.outputs
            elif isinstance(lowering, PUTS):
                if number not in puts_of(client):
                    return True
            elif not isinstance(lowering, _AT_ANY_INDEX):
                return True
    return False


def selecting_inputs(node: Apply) -> Collection[int]:
    """Return the numbers of the inputs that tell where a scatter puts rows."""
    scatters = isinstance(node.op.lowering, Scatter)
    return range(VALUE + 1, node.nin) if scatters else ()


def puts_of(node: Apply) -> Collection[int]:
    """Return the numbers of the inputs that an op puts into its result, element by element."""
    lowering = node.op.lowering
    if isinstance(lowering, Scatter):
        return (VALUE,)
    return lowering.put_inputs(node.op, node) if isinstance(lowering, Parts) else ()
