"""Forward-mode differentiation: Rop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from symtheano import dtypes
from symtheano.errors import NullTypeGradError, format_error
from symtheano.gradient.backward import (
    as_variable,
    backward,
    check_whole,
    is_missing,
    pull,
    zeros_for,
)
from symtheano.gradient.reverse import (
    as_list,
    check_choice,
    format_like,
    report_disconnected,
    stand_in,
)
from symtheano.graph.eager import quietly
from symtheano.graph.op import Op
from symtheano.graph.origin import origin_scope
from symtheano.graph.sources import expressed_by, made_from
from symtheano.graph.type import NullType
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.scalar.operand import Tensor
from symtheano.tensor.messages import build_message, label

S = TypeVar("S", bound=Tensor)


@overload
def Rop(
    f: Tensor,
    wrt: Any,
    eval_points: Any,
    disconnected_outputs: str = "raise",
    return_disconnected: str = "zero",
) -> Tensor: ...


@overload
def Rop(
    f: list[S],
    wrt: Any,
    eval_points: Any,
    disconnected_outputs: str = "raise",
    return_disconnected: str = "zero",
) -> list[Tensor]: ...


@overload
def Rop(
    f: tuple[S, ...],
    wrt: Any,
    eval_points: Any,
    disconnected_outputs: str = "raise",
    return_disconnected: str = "zero",
) -> tuple[Tensor, ...]: ...


@overload
def Rop(
    f: Any,
    wrt: Any,
    eval_points: Any,
    disconnected_outputs: str = "raise",
    return_disconnected: str = "zero",
) -> Any: ...


@quietly
def Rop(
    f: Any,
    wrt: Any,
    eval_points: Any,
    disconnected_outputs: str = "raise",
    return_disconnected: str = "zero",
) -> Any:
    """Return the Jacobian-vector product ``df/dwrt @ eval_points``.

    An op with an ``R_op`` uses it; for other ops, the pullback is applied twice.

    Parameters
    ----------
    f
        A variable, or a list or tuple of them.
    wrt, eval_points
        Variables and directions of the same shapes, or lists of them.
    disconnected_outputs
        What to do about an output that is computed from none of ``wrt``: ``raise``, ``warn`` or
        ``ignore``.
    return_disconnected
        How to represent a derivative that does not exist: ``zero``, ``None`` or ``Disconnected``.

    Returns
    -------
    A variable for a variable, a list for a list; each has the shape of its output. It is zero if
    the output is a float and depends on ``wrt`` only through lengths, as ``ones_like(x)`` does, or
    through integers.

    Raises
    ------
    DisconnectedInputError
        If an output is computed from none of ``wrt``, or is an integer.
    NullTypeGradError
        If an op on a path has neither an R_op nor a gradient.
    ValueError
        If ``wrt`` and ``eval_points`` do not match.

    Examples
    --------
    >>> x, v = T.vectors("x", "v")
    >>> Rop(x**2, x, v).eval({x: [1.0, 2.0], v: [10.0, 1.0]})
    array([20.,  4.])
    """
    check_choice("Rop", "disconnected_outputs", disconnected_outputs, ("raise", "warn", "ignore"))
    outputs = [as_variable(item) for item in as_list(f)]
    tangents = _directions(as_list(wrt), as_list(eval_points))
    wanted, points = set(tangents), list(tangents.values())
    for node in toposort(outputs, tangents.keys()):
        directions = [tangents.get(item) for item in node.inputs]
        if _passes(node, directions):
            with origin_scope(node.origin):
                pushed = _push(node, directions)
            for output, tangent in zip(node.outputs, pushed, strict=True):
                if not is_missing(tangent):
                    tangents.setdefault(output, tangent)
    results = []
    for output in outputs:
        tangent = tangents.get(output)
        if tangent is None:
            whole = dtypes.is_discrete(getattr(output, "dtype", ""))
            if whole or wanted.isdisjoint(expressed_by([output])):
                what = f"Rop: {label(output)} depends on none of the variables of wrt"
                report_disconnected(what, output, disconnected_outputs)
                tangent = stand_in(output, return_disconnected)
            else:
                tangent = stand_in(output, "zero")
        results.append(None if tangent is None else made_from(tangent, [output, *points]))
    return format_like(f, results)


def _directions(sources: Sequence[Any], points: Sequence[Any]) -> dict[Variable, Any]:
    if len(sources) != len(points):
        raise ValueError(
            build_message(f"Rop: {len(sources)} variables, but {len(points)} evaluation points")
        )
    check_whole("Rop: wrt", sources)
    tangents: dict[Variable, Any] = {}
    for source, point in zip(sources, points, strict=True):
        if point is None:
            continue
        direction = as_variable(point)
        if direction.ndim != source.ndim:
            raise ValueError(
                build_message(
                    f"Rop: an evaluation point has {direction.ndim} dims, but its variable has "
                    f"{source.ndim}",
                    source,
                    direction,
                    hint="give each evaluation point the shape of its variable",
                )
            )
        tangents[source] = direction
    return tangents


def _passes(node: Apply, directions: Sequence[Any]) -> bool:
    """Return whether any of a node's results has a derivative along ``directions``."""
    pattern = node.op.connection_pattern(node)
    return any(
        direction is not None
        and any(
            connected and not dtypes.is_discrete(getattr(output, "dtype", ""))
            for connected, output in zip(row, node.outputs, strict=True)
        )
        for row, direction in zip(pattern, directions, strict=True)
    )


def _push(node: Apply, directions: list[Any]) -> list[Any]:
    """Call one node's R_op; if there is none, apply the pullback twice."""
    if type(node.op).R_op is not Op.R_op:
        try:
            pushed: Any = node.op.R_op(list(node.inputs), directions)
        except NotImplementedError:
            return _pulled_twice(node, directions)
        if not isinstance(pushed, list | tuple) or len(pushed) != len(node.outputs):
            count = len(pushed) if isinstance(pushed, list | tuple) else type(pushed).__name__
            raise ValueError(
                format_error(
                    f"{node.op}: R_op returned {count} for {len(node.outputs)} outputs",
                    places=[node.origin],
                    hint="return a list with one item per output",
                )
            )
        return [_checked(node, *pair) for pair in zip(node.outputs, pushed, strict=True)]
    return _pulled_twice(node, directions)


def _checked(node: Apply, output: Any, tangent: Any) -> Any:
    if is_missing(tangent):
        return None
    if isinstance(tangent.type, NullType):
        raise _undefined(node, tangent.type.why)
    if tangent.ndim != output.ndim:
        raise ValueError(
            format_error(
                f"{node.op}: R_op returned a derivative of {tangent.ndim} dims for an output of "
                f"{output.ndim}",
                operands=[(output.describe(), str(output.type))],
                places=[node.origin],
            )
        )
    return tangent


def _undefined(node: Apply, why: str) -> NullTypeGradError:
    return NullTypeGradError(
        format_error(
            f"Rop: the derivative through {node.op} is undefined: {why}",
            places=[node.origin],
            hint="define R_op or grad in the op",
        )
    )


def _pulled_twice(node: Apply, directions: list[Any]) -> list[Any]:
    """Return the forward derivative by the transpose of the transpose.

    The pullback is linear in the outputs' gradients, so its pullback with respect to these is the
    forward derivative, independent of their values.
    """
    smooth = [not dtypes.is_discrete(getattr(item, "dtype", "bool")) for item in node.outputs]
    weights = [
        output.type.make_variable() if flag else zeros_for(output)
        for output, flag in zip(node.outputs, smooth, strict=True)
    ]
    ends: list[Any] = []
    points: list[Any] = []
    for gradient, direction in zip(pull(node, weights), directions, strict=True):
        if direction is None or is_missing(gradient):
            continue
        if isinstance(gradient.type, NullType):
            raise _undefined(node, gradient.type.why)
        ends.append(gradient)
        points.append(direction)
    free = [weight for weight, flag in zip(weights, smooth, strict=True) if flag]
    if not ends:
        return [None] * len(weights)
    start: dict[Variable, Any] = {}
    for end, point in zip(ends, points, strict=True):
        start[end] = start[end] + point if end in start else point
    pushed = backward(start, free)
    reached = [weight for weight in free if pushed.get(weight) is not None]
    values = dict(zip(weights, node.outputs, strict=True))
    results = dict(
        zip(reached, replace([pushed[weight] for weight in reached], values), strict=True)
    )
    for weight in reached:
        if isinstance(pushed[weight].type, NullType):
            raise _undefined(node, pushed[weight].type.why)
    return [results.get(weight) for weight in weights]
