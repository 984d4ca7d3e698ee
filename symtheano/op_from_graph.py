"""OpFromGraph: a graph as one op, optionally with custom derivatives."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.errors import (
    InconsistencyError,
    MissingInputError,
    UnusedInputError,
    describe_value,
    format_error,
    printable_name,
)
from symtheano.gradient.backward import backward
from symtheano.gradient.forward import Rop
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.lazy import lazy
from symtheano.graph.origin import current_origin, user_stacklevel
from symtheano.graph.shared import SharedVariable
from symtheano.graph.type import DisconnectedType, NullType
from symtheano.graph.variable import Apply, Constant, Op, Variable
from symtheano.graph.walk import ancestors, free_inputs, replace, toposort
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import shape_of
from symtheano.tensor.shapes.static_shape import specify_shape
from symtheano.tensor.vectorize import vectorize_graph


class OpFromGraph(Op):
    """An op that computes what a graph computes.

    Compiled functions contain the graph itself, so the op has no overhead. A graph that is used
    several times may become one C function. Use it to replace the derivatives of a graph, or to
    name a part that is used often.

    Parameters
    ----------
    inputs
        Input variables of the graph; the op takes one argument for each.
    outputs
        Expressions that the op returns. They may contain shared variables, which can't be inputs.
    inline
        Whether ``function`` always replaces the op by its graph before rewriting, so that the graph
        is fused with other operations. If false, a graph becomes one C function if it is used
        several times and contains products, loops or other costly operations. There is one
        exception: the graph is inlined if something else, such as a gradient, needs a value inside
        of it. Derivatives are computed before that, so overrides work with either value. (Theano
        compiles the graph separately and calls it, unless ``inline`` is true.)
    lop_overrides
        The gradient: ``"default"`` for the graph's own; a function
        ``f(inputs, outputs, output_grads)`` (an OpFromGraph as well) that returns a list with one
        gradient per input; or a list with one item per input, each ``"default"``, a function that
        returns this gradient, or None for zero. A variable of :class:`NullType` or
        :class:`DisconnectedType`, in a list or alone, is an undefined or missing gradient.
    grad_overrides
        As ``lop_overrides``, but with functions ``f(inputs, output_grads)``. Only one of the two
        may be given.
    rop_overrides
        The forward derivative: ``"default"``, a function ``f(inputs, eval_points)`` that returns a
        list with one derivative per output, or a list with one item per output. Missing points are
        None. Overriding the gradient does not affect the forward derivative, and vice versa.
    connection_pattern
        ``pattern[input][output]``: whether the output depends differentiably on the input. By
        default determined by the graph.
    name
        Name for printing.
    on_unused_input
        What to do if no output needs an input: ``"ignore"``, ``"warn"`` or ``"raise"``.

    Raises
    ------
    MissingInputError
        If the outputs need a variable that is not among the inputs.
    UnusedInputError
        If no output needs an input, and ``on_unused_input`` is ``"raise"``.
    TypeError, ValueError
        If inputs, outputs or overrides are invalid.

    Examples
    --------
    >>> from symtheano import grad
    >>> x, y = T.scalars("x", "y")
    >>> op = OpFromGraph([x, y], [x * y + x], grad_overrides=["default", lambda inputs, g: -g[0]])
    >>> a, b = T.scalars("a", "b")
    >>> float(op(a, b).eval({a: 2.0, b: 3.0}))
    8.0
    >>> float(grad(op(a, b), a).eval({b: 3.0})), float(grad(op(a, b), b).eval())
    (4.0, -1.0)
    """

    takes = "**..."

    def __init__(
        self,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        inline: bool = False,
        lop_overrides: Any = "default",
        grad_overrides: Any = "default",
        rop_overrides: Any = "default",
        connection_pattern: Sequence[Sequence[bool]] | None = None,
        name: str | None = None,
        on_unused_input: str = "ignore",
    ) -> None:
        self.inputs, self.outputs = _checked_inputs(inputs), _checked_outputs(outputs)
        _check_used(self.inputs, self.outputs, on_unused_input)
        self.is_inline, self.name = inline, name
        free = free_inputs(self.outputs, self.inputs)
        self.shared: list[Any] = [item for item in free if isinstance(item, SharedVariable)]
        self._refuse_missing([item for item in free if not isinstance(item, SharedVariable)])
        if not _is_default(lop_overrides) and not _is_default(grad_overrides):
            raise ValueError(
                build_message(
                    "OpFromGraph: lop_overrides and grad_overrides can't both be given",
                    hint="give one of them",
                )
            )
        self._takes_outputs = not _is_default(lop_overrides)
        self._backward = _overrides(
            "grad_overrides" if _is_default(lop_overrides) else "lop_overrides",
            grad_overrides if _is_default(lop_overrides) else lop_overrides,
            len(self.inputs),
        )
        self._forward = _overrides("rop_overrides", rop_overrides, len(self.outputs))
        self.keeps_graph = not inline or not all(
            isinstance(overrides, list) and all(map(_is_default, overrides))
            for overrides in (self._backward, self._forward)
        )
        self._pattern = _pattern(connection_pattern, len(self.inputs), len(self.outputs))

    def _refuse_missing(self, free: Sequence[Any]) -> None:
        inputs = {*self.inputs}
        for item in free:
            if item not in inputs:
                raise MissingInputError(
                    build_message(
                        f"OpFromGraph: {item.describe()} is needed but is not an input",
                        item,
                        hint="add it to the inputs",
                    )
                )

    @property
    def _all_inputs(self) -> list[Any]:
        return [*self.inputs, *self.shared]

    # -- building ---------------------------------------------------------------------------

    def make_node(self, *inputs: Any) -> Apply:
        """Apply to ``inputs``; the shared variables of the graph become inputs after them."""
        arguments = [*inputs, *self.shared] if len(inputs) == len(self.inputs) else inputs
        if len(arguments) != len(self._all_inputs):
            raise TypeError(
                build_message(f"{self} takes {len(self.inputs)} inputs, got {len(inputs)}")
            )
        fitted = [
            self._fitted(wanted, as_tensor_variable(item))
            for wanted, item in zip(self._all_inputs, arguments, strict=True)
        ]
        return Apply(self, fitted, [item.type for item in self.outputs])

    def _fitted(self, wanted: Any, argument: Any) -> Any:
        """Return an input converted to the type of the graph's variable."""
        if wanted.type.accepts(argument.type):
            return argument
        if argument.dtype != wanted.dtype or argument.ndim != wanted.ndim:
            raise TypeError(
                format_error(
                    f"{self}: {wanted.describe()} can't be {argument.describe()}",
                    operands=[
                        (wanted.describe(), str(wanted.type)),
                        (argument.describe(), str(argument.type)),
                    ],
                    places=[current_origin(), argument.origin],
                    hint="cast it, or make the op from a graph of this type",
                )
            )
        return specify_shape(argument, wanted.type.shape)

    def arguments(self, inputs: Sequence[Any]) -> dict[Variable, Any]:
        """Return the inputs of a node by the variables of the graph that stand for them.

        Raises
        ------
        InconsistencyError
            If the graph contains the op itself.
        """
        self._refuse_recursion()
        return dict(zip(self._all_inputs, inputs, strict=True))

    def inlined(self, inputs: Sequence[Any]) -> list[Any]:
        """Return the graph's outputs, computed from ``inputs``."""
        return replace(self.outputs, self.arguments(inputs))

    def _refuse_recursion(self) -> None:
        """Refuse a graph that contains the op itself, directly or through others.

        Raises
        ------
        InconsistencyError
            If it does.
        """
        waiting, seen = [self], {self}
        while waiting:
            for node in toposort(waiting.pop().outputs):
                if node.op is self:
                    raise InconsistencyError(
                        format_error(
                            f"{self}: its graph contains the op itself, so it would never end",
                            places=[node.origin],
                            hint="use scan to repeat a computation, and until to end the loop",
                        )
                    )
                if isinstance(node.op, OpFromGraph) and node.op not in seen:
                    seen.add(node.op)
                    waiting.append(node.op)

    # -- meaning ----------------------------------------------------------------------------

    @lazy
    def _graph(self) -> FunctionGraph:
        self._refuse_recursion()
        return FunctionGraph(self._all_inputs, self.outputs)

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute the graph node by node, with NumPy."""
        values: dict[Variable, Any] = dict(zip(self._graph.inputs, inputs, strict=True))

        def value_of(item: Any) -> Any:
            return item.data if isinstance(item, Constant) else values[item]

        for inner in self._graph.nodes:
            cells: list[list[Any]] = [[None] for _ in inner.outputs]
            inner.op.perform(inner, [value_of(item) for item in inner.inputs], cells)
            for output, cell in zip(inner.outputs, cells, strict=True):
                values[output] = output.type.filter(cell[0], allow_downcast=True)
        for cell, output in zip(output_storage, self._graph.outputs, strict=True):
            cell[0] = value_of(output)

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the shapes inferred by the ops of the graph."""
        computed = self.inlined(node.inputs)
        return [shape_of(item) for item in computed]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Return the graph for batches."""
        self._refuse_recursion()
        replacements = dict(zip(self._all_inputs, batch.inputs, strict=True))
        return list(vectorize_graph(self.outputs, replacements))

    # -- derivatives ------------------------------------------------------------------------

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Return the given pattern, or the graph's; shared variables always use the graph's."""
        pattern = self._found_pattern
        return pattern if self._pattern is None else [*self._pattern, *pattern[len(self.inputs) :]]

    @lazy
    def _found_pattern(self) -> list[list[bool]]:
        self._refuse_recursion()
        nodes = toposort(self.outputs, set(self._all_inputs))
        rows = []
        for source in self._all_inputs:
            reached = {source}
            for node in nodes:
                pattern = node.op.connection_pattern(node)
                for item, row in zip(node.inputs, pattern, strict=True):
                    if item in reached:
                        pairs = zip(node.outputs, row, strict=True)
                        reached.update(output for output, flag in pairs if flag)
            rows.append([output in reached for output in self.outputs])
        return rows

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return the overriding gradients, and those of the graph for the other inputs."""
        count = len(self.inputs)
        own: list[Any] | None = None
        arguments = [inputs[:count], *([outputs] if self._takes_outputs else []), output_grads]
        self._refuse_recursion()
        overriding = _called(self, "gradients", self._backward, arguments, count)
        results = []
        for position in range(len(inputs)):
            item = overriding[position] if position < count else "default"
            if _is_default(item):
                own = own or self._own_gradients(inputs, outputs, output_grads)
                item = own[position]
            results.append(item)
        return results

    def _own_gradients(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> list[Any]:
        wanted = self._all_inputs
        weights = [item.type.make_variable() for item in self.outputs]
        start: dict[Variable, Any] = {}
        for output, weight, output_grad in zip(self.outputs, weights, output_grads, strict=True):
            if not _is_zeros(output_grad):
                start[output] = start[output] + weight if output in start else weight
        grads = backward(start, wanted)
        values = dict(zip([*self.outputs, *wanted, *weights],
                          [*outputs, *inputs, *output_grads], strict=True))  # fmt: skip
        return [
            _replaced(grads[item], values) if item in grads else Variable(DisconnectedType())
            for item in wanted
        ]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Return the overriding derivatives, and those of the graph for the other outputs."""
        count = len(self.inputs)
        arguments = [inputs[:count], eval_points[:count]]
        self._refuse_recursion()
        overriding = _called(self, "derivatives", self._forward, arguments, len(self.outputs))
        if not any(_is_default(item) for item in overriding):
            return overriding
        sources = [i for i, point in zip(self._all_inputs, eval_points, strict=True)
                   if point is not None]  # fmt: skip
        points = [item.type.make_variable() for item in sources]
        directions = [point for point in eval_points if point is not None]
        own = Rop(self.outputs, sources, points, "ignore", return_disconnected="none")
        values = dict(zip([*self._all_inputs, *points], [*inputs, *directions], strict=True))
        return [
            _replaced(mine, values) if _is_default(item) else item
            for item, mine in zip(overriding, own, strict=True)
        ]

    # -- identity ---------------------------------------------------------------------------

    def __str__(self) -> str:
        return f"OpFromGraph{{{printable_name(self.name)}}}" if self.name else "OpFromGraph"


def _is_zeros(gradient: Any) -> bool:
    """Return whether a gradient is the zeros that represent an unused one."""
    owner = gradient.owner
    value = owner.inputs[0] if owner is not None and isinstance(owner.op, Alloc) else gradient
    return isinstance(value, Constant) and not np.any(value.data)


def _replaced(expression: Any, values: dict[Any, Any]) -> Any:
    if expression is None or isinstance(expression.type, NullType | DisconnectedType):
        return expression
    return replace([expression], values)[0]


# -- arguments -----------------------------------------------------------------------------------


def _check_used(inputs: Sequence[Any], outputs: Sequence[Any], choice: str) -> None:
    """Do what ``on_unused_input`` says about inputs that no output needs."""
    if choice not in ("raise", "warn", "ignore"):
        raise ValueError(
            build_message(
                f"OpFromGraph: on_unused_input={choice!r} is not one of raise, warn, ignore"
            )
        )
    used = set(ancestors(outputs, inputs)) if choice != "ignore" else ()
    for item in inputs if choice != "ignore" else ():
        if item in used:
            continue
        message = build_message(
            f"OpFromGraph: input {item.describe()} is not used",
            item,
            hint="leave it out, or pass on_unused_input='ignore'",
        )
        if choice == "raise":
            raise UnusedInputError(message)
        warnings.warn(message, stacklevel=user_stacklevel())


def _checked_inputs(inputs: Any) -> list[Any]:
    if not isinstance(inputs, list | tuple):
        raise TypeError(
            build_message(f"OpFromGraph: inputs is {describe_value(inputs)} and must be a list")
        )
    for item in inputs:
        if not isinstance(item, Variable) or isinstance(item, SharedVariable | Constant):
            raise TypeError(
                build_message(
                    f"OpFromGraph: input {describe_value(item)} can't be passed in a call",
                    hint="omit shared variables and constants: the op finds them itself",
                )
            )
    if len(set(inputs)) != len(inputs):
        raise ValueError(build_message("OpFromGraph: one variable is an input twice", *inputs))
    return list(inputs)


def _checked_outputs(outputs: Any) -> list[Any]:
    if not isinstance(outputs, list | tuple):
        raise TypeError(
            build_message(f"OpFromGraph: outputs is {describe_value(outputs)} and must be a list")
        )
    return [as_tensor_variable(item) for item in outputs]


def _is_default(override: Any) -> bool:
    return isinstance(override, str) and override == "default"


def _is_nothing(override: Any) -> bool:
    """Return whether an override is a derivative that does not exist or is undefined."""
    return isinstance(getattr(override, "type", None), NullType | DisconnectedType)


def _overrides(argument: str, override: Any, count: int) -> Any:
    """Check an override: a callable, or a list with one item per derivative."""
    if _is_default(override) or _is_nothing(override):
        return [override] * count
    if isinstance(override, list | tuple):
        if len(override) != count:
            raise ValueError(
                build_message(f"OpFromGraph: {argument} has {len(override)} items, wanted {count}")
            )
        for item in override:
            if not (item is None or _is_default(item) or _is_nothing(item) or callable(item)):
                raise TypeError(_no_override(argument, item))
        return list(override)
    if not callable(override):
        raise TypeError(_no_override(argument, override))
    return override


def _no_override(argument: str, item: Any) -> str:
    return build_message(
        f"OpFromGraph: {argument} is or contains {describe_value(item)}",
        hint="give 'default', a function, or a list of these",
    )


def _called(op: Any, what: str, override: Any, arguments: list[list[Any]], count: int) -> list[Any]:
    """Return the result of an override for each derivative, or ``"default"``."""
    if isinstance(override, list):
        return [
            item
            if item is None or _is_default(item) or _is_nothing(item)
            else _only(_tried(op, what, item, arguments))
            for item in override
        ]
    result = _tried(op, what, override, arguments)
    results = list(result) if isinstance(result, list | tuple) else [result]
    if len(results) != count:
        raise ValueError(
            build_message(
                f"{op}: the override returned {len(results)} {what}, wanted {count}",
                hint="return a list of them; with 'default' for those that are the graph's own",
            )
        )
    return results


def _tried(op: Any, what: str, override: Any, arguments: list[list[Any]]) -> Any:
    """Call an override that must not need the derivative that it defines."""
    try:
        return _call(override, arguments)
    except RecursionError:
        raise InconsistencyError(
            build_message(
                f"{op}: the override of its {what} needs the {what} of the op itself",
                hint=f"use other ops in the override, or 'default' for the {what} of the graph",
            )
        ) from None


def _call(override: Any, arguments: list[list[Any]]) -> Any:
    if isinstance(override, OpFromGraph):
        return override(*(item for group in arguments for item in group))
    return override(*arguments)


def _only(result: Any) -> Any:
    return result[0] if isinstance(result, list | tuple) and len(result) == 1 else result


def _pattern(connection_pattern: Any, rows: int, columns: int) -> list[list[bool]] | None:
    if connection_pattern is None:
        return None
    pattern = [list(row) for row in connection_pattern]
    if len(pattern) != rows or any(len(row) != columns for row in pattern):
        raise ValueError(
            build_message(
                f"OpFromGraph: connection_pattern has {[len(row) for row in pattern]} entries for "
                f"{rows} inputs and {columns} outputs"
            )
        )
    return pattern
