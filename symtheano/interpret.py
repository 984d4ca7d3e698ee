"""The NumPy interpreter: it runs any graph node by node, and is the reference for the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtheano.errors import MisfitError, describe_value, format_error
from symtheano.graph.arms import arms_of, has_arms
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.stacks import require_stack
from symtheano.graph.type import Type
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.tensor.messages import label, op_name


def interpret(
    graph: FunctionGraph,
    values: Sequence[Any],
    run: Callable[[Apply, list[Any]], list[Any]] | None = None,
) -> list[Any]:
    """Return the values of ``graph.outputs`` for the values of ``graph.inputs``.

    A value is released when the last node that needs it has run. ``run`` is called instead of
    :func:`perform` for each node, for example to inspect the values. If a node chooses between its
    inputs, the others are not computed.

    Raises
    ------
    ShapeError, IndexError, ValueError
        If an op rejects its operands; the message contains the user's lines.
    """
    storage: dict[Variable, Any] = dict(zip(graph.inputs, values, strict=True))
    nodes = graph.nodes
    if graph.required:
        _check_required(graph, storage, run or perform)
        nodes = tuple(node for node in nodes if node.outputs[0] not in storage)
    if has_arms(nodes):
        _compute(graph.outputs, storage, run or perform)
        return [value_of(item, storage) for item in graph.outputs]
    last = last_uses(nodes, graph.outputs)
    for position, node in enumerate(nodes):
        evaluate_node(node, storage, run or perform)
        for item in last.get(position, ()):
            storage.pop(item, None)
    return [value_of(item, storage) for item in graph.outputs]


def _check_required(
    graph: FunctionGraph,
    storage: dict[Variable, Any],
    run: Callable[[Apply, list[Any]], list[Any]],
) -> None:
    """Check what a graph requires beside its nodes; values that these need remain."""
    own = set(graph.nodes)
    for _, requirement in graph.required:
        for node in toposort(requirement.needed, storage.keys()):
            evaluate_node(node, storage, run if node in own else perform)
        needed = [value_of(item, storage) if isinstance(item, Variable) else item
                  for item in (requirement.condition, *requirement.values)]  # fmt: skip
        if not needed[0]:
            raise requirement.exception([int(value) for value in needed[1:]])
    used = {item for node in own for item in node.inputs}
    for item in storage.keys() - used - set(graph.outputs):
        del storage[item]


def _compute(
    outputs: Sequence[Variable],
    storage: dict[Variable, Any],
    run: Callable[[Apply, list[Any]], list[Any]],
) -> None:
    """Compute variables and what they need, but only the arm that is chosen."""
    stack = [item.owner for item in reversed(outputs) if item.owner is not None]
    while stack:
        node = stack[-1]
        if node.outputs[0] in storage:
            stack.pop()
            continue
        chosen: list[Variable] = []
        waiting = _missing(node.inputs[:1] if node.op.has_arms else node.inputs, storage)
        if node.op.has_arms and not waiting:
            chosen = arms_of(node)[0 if value_of(node.inputs[0], storage) else 1]
            waiting = _missing(chosen, storage)
        if waiting:
            stack.extend(reversed(waiting))
            continue
        stack.pop()
        if node.op.has_arms:
            values = [value_of(item, storage) for item in chosen]
            storage.update(zip(node.outputs, values, strict=True))
        else:
            evaluate_node(node, storage, run)


def _missing(items: Sequence[Variable], storage: Mapping[Variable, Any]) -> list[Apply]:
    return [item.owner for item in items if item.owner is not None and item not in storage]


def last_uses(nodes: Sequence[Apply], outputs: Sequence[Any]) -> dict[int, list[Variable]]:
    """Return for each node's position the variables that no later node needs."""
    keep = set(outputs)
    where: dict[Variable, int] = {}
    for position, node in enumerate(nodes):
        for item in (*node.inputs, *node.outputs):
            where[item] = position
    result: dict[int, list[Variable]] = {}
    for item, position in where.items():
        if item not in keep:
            result.setdefault(position, []).append(item)
    return result


def value_of(variable: Variable, storage: Mapping[Variable, Any]) -> Any:
    """Return a constant's value, or the one in ``storage``."""
    return variable.data if isinstance(variable, Constant) else storage[variable]


def evaluate_node(
    node: Apply,
    storage: dict[Variable, Any],
    run: Callable[[Apply, list[Any]], list[Any]],
) -> None:
    """Run one node on the values in ``storage`` and put its results there."""
    results = run(node, [value_of(item, storage) for item in node.inputs])
    storage.update(zip(node.outputs, results, strict=True))


def perform(node: Apply, values: list[Any]) -> list[Any]:
    """Run one node's ``perform``, and return its results converted to the types of the outputs.

    Raises
    ------
    MemoryError
        If there is not enough memory; the message has the shapes of the operands.
    RuntimeError
        If this thread's stack is too small for the libraries that ``perform`` calls.
    BaseException
        Whatever ``perform`` raises, with a note that names the node and the user's line.
    """
    require_stack(node.op.stack_needed(values))
    for position in _destroyed(node.op):
        values[position] = values[position].copy()
    cells: list[list[Any]] = [[None] for _ in node.outputs]
    try:
        node.op.run_node(node, values, cells)
    except MemoryError as error:
        if _tells_place(error, node):
            raise
        raise MemoryError(_memory_message(node, values, error)) from None
    except Exception as error:
        if _is_too_large(error):
            raise MemoryError(_memory_message(node, values, error)) from None
        _note(error, node, values)
        raise
    return [conform(node, o, cell[0]) for o, cell in zip(node.outputs, cells, strict=True)]


def _destroyed(op: Op) -> set[int]:
    """Return the inputs which an op of a user's says it writes into."""
    destroyed = getattr(op, "destroy_map", None) or {}
    return {position for inputs in destroyed.values() for position in inputs}


def _operands(node: Apply, values: Sequence[Any]) -> list[tuple[str, str]]:
    descriptions = {
        label(item): f"{item.type}, given {describe_value(value)}"
        for item, value in zip(node.inputs, values, strict=True)
    }
    return list(descriptions.items())


# What NumPy says, as ValueError, if the size of an array does not fit into its integers.
_TOO_LARGE = (
    "array is too big",
    "array is too large",
    "iterator is too large",
    "maximum allowed",
    "maximum supported",
)


def _is_too_large(error: Exception) -> bool:
    """Return whether NumPy could not describe an array because of its size."""
    return isinstance(error, ValueError) and any(
        phrase in str(error).lower() for phrase in _TOO_LARGE
    )


def _memory_message(node: Apply, values: Sequence[Any], error: Exception) -> str:
    return format_error(
        f"{op_name(node.op)}: there is not enough memory: {error}",
        operands=_operands(node, values),
        places=[node.origin],
        hint="use smaller inputs, or compute in parts",
    )


def _tells_place(error: Exception, node: Apply) -> bool:
    return node.origin is not None and node.origin.describe() in str(error)


def _note(error: Exception, node: Apply, values: Sequence[Any]) -> None:
    """Tell where an error comes from, unless its message does."""
    if _tells_place(error, node):
        return
    text = format_error(
        f"raised by perform of {node.op}", operands=_operands(node, values), places=[node.origin]
    )
    # Python 3.11 shows notes; older versions only store them.
    error.__notes__ = [*getattr(error, "__notes__", ()), text]


def conform(node: Apply, output: Variable, value: Any) -> Any:
    """Return a result converted to its variable's type; errors name the op.

    Arrays of another dtype are converted if NumPy's rule ``same_kind`` allows it. Precision and
    range may be lost, but not fractions and signs. Numbers and lists are accepted if nothing is
    lost.

    Raises
    ------
    TypeError
        If dtype, number of dims or a static length is not the declared one.
    """
    try:
        return output.type.filter(value, allow_downcast=_may_round(output.type, value))
    except TypeError as error:
        place = f"output_storage[{node.outputs.index(output)}][0]"
        hint = f"perform must store the result in {place}" if value is None else None
        raise TypeError(
            format_error(
                f"{node.op} computed a value that does not fit its type: "
                f"{error.what if isinstance(error, MisfitError) else error}",
                operands=[("declared", str(output.type)), ("computed", describe_value(value))],
                places=[node.origin],
                hint=hint or f"make_node declares the type, perform sets {place}",
            )
        ) from None


def _may_round(kind: Type, value: Any) -> bool | None:
    """Return whether a value may be rounded to a type's dtype; None if it has to fit exactly.

    Raises
    ------
    MisfitError
        For an array that neither fits nor is of the same kind.
    """
    wanted, dtype = getattr(kind, "dtype", None), getattr(value, "dtype", None)
    if wanted is None or dtype == wanted:
        return True
    if isinstance(dtype, np.dtype):
        if dtype.kind in "biuf" and not np.can_cast(dtype, wanted, "same_kind"):
            raise MisfitError(
                f"{dtype} can't become {wanted}: values, not only precision, could be lost"
            )
        return True
    try:
        return np.can_cast(np.asarray(value).dtype, wanted, "same_kind") or None
    except ValueError:
        return None


def make_interpreted(graph: FunctionGraph) -> Callable[[Sequence[Any]], list[Any]]:
    """Return a callable that runs ``graph``."""
    return lambda values: interpret(graph, values)
