"""Reverse-mode differentiation of expressions: grad, Lop, Rop, and what steers them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symtheano import dtypes
from symtheano.errors import (
    DisconnectedInputError,
    NullTypeGradError,
    describe_value,
    format_error,
)
from symtheano.graph.op import Op
from symtheano.graph.origin import current_origin, origin_scope
from symtheano.graph.type import DisconnectedType, NullType
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.elemwise import TensorOp
from symtheano.tensor.messages import build_message, described, label
from symtheano.tensor.variable import TensorMixin


def grad(
    cost: Any,
    wrt: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Mapping[Any, Any] | None = None,
    return_disconnected: str = "zero",
    null_gradients: str = "raise",
) -> Any:
    """Return the gradient of a scalar cost.

    Parameters
    ----------
    cost
        0-d variable of a float dtype; None where ``known_grads`` says where to start.
    wrt
        A variable or a list of variables.
    consider_constant
        Variables through which no gradient flows.
    disconnected_inputs
        What to do about a variable the cost does not depend on: ``raise``, ``warn``, ``ignore``.
    add_names
        Name gradients after cost and variable, where both have names.
    known_grads
        Gradients of the cost with respect to intermediate variables.
    return_disconnected
        What stands for a gradient that does not exist: ``zero``, ``None``, ``Disconnected``.
    null_gradients
        What to do about an undefined gradient: ``raise`` or ``return``.

    Returns
    -------
    A variable for a variable, a list for a list; each has shape and dtype of its variable.
    Gradients of integers are zeros of dtype floatX. The gradient with respect to a complex
    ``a + ib`` is ``dC/da + i dC/db``.

    Raises
    ------
    TypeError
        If the cost is not a float scalar.
    DisconnectedInputError
        If the cost does not depend on a variable.
    NullTypeGradError
        If an op on the way has no gradient.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> x = T.scalar("x")
    >>> float(grad(x**2, x).eval({x: 3.0}))
    6.0
    """
    variables = list(wrt) if isinstance(wrt, list | tuple) else [wrt]
    for variable in variables:
        if not isinstance(variable, Variable):
            raise TypeError(
                build_message(
                    f"grad: wrt holds {describe_value(variable)}, which is no symbolic variable",
                    hint="give the variables (or shared variables) to differentiate by",
                )
            )
    start = _start(cost, known_grads)
    grads = _propagate(start, variables, consider_constant or (), set(known_grads or ()))
    results = []
    for variable in variables:
        result = _finish(variable, grads, disconnected_inputs, return_disconnected, null_gradients)
        if add_names and result is not None and result.name is None and cost is not None:
            named = cost.name is not None and variable.name is not None
            if named and result.owner is not None:
                result.name = f"(d{cost.name}/d{variable.name})"
        results.append(result)
    if isinstance(wrt, tuple):
        return tuple(results)
    return results if isinstance(wrt, list) else results[0]


def _start(cost: Any, known_grads: Mapping[Any, Any] | None) -> dict[Variable, Any]:
    start: dict[Variable, Any] = {}
    if cost is None and not known_grads:
        raise ValueError("grad: neither a cost nor known_grads is given")
    if cost is not None:
        if isinstance(getattr(cost, "type", None), NullType):
            raise NullTypeGradError(
                build_message(f"grad: the cost is undefined: {cost.type.why}", cost)
            )
        if not isinstance(cost, TensorMixin):
            raise TypeError(
                build_message(f"grad: the cost {describe_value(cost)} is not a symbolic array")
            )
        cost_: Any = cost
        if cost.ndim != 0:
            raise TypeError(
                build_message(
                    f"grad: the cost has {cost.ndim} dim{'' if cost.ndim == 1 else 's'} and must "
                    "be a scalar",
                    cost_,
                    hint="take the sum or mean first, or use jacobian",
                )
            )
        if cost.dtype not in dtypes.FLOAT:
            raise TypeError(
                build_message(
                    f"grad: the cost is {cost.dtype} and must be a real float",
                    cost_,
                    hint="take real() or abs() of it"
                    if dtypes.is_complex(cost.dtype)
                    else "integers have no gradient; start from float inputs",
                )
            )
        start[cost_] = cost.constant_like(1)
    for variable, gradient in (known_grads or {}).items():
        start[variable] = as_tensor_variable(gradient)
    return start


def _reaches(roots: Sequence[Variable], wrt: Sequence[Variable], stop: set[Variable]) -> set[Apply]:
    """Return the nodes that lie on a smooth path from ``wrt`` to ``roots``."""
    live: set[Variable] = set(wrt)
    on_path: set[Apply] = set()
    for node in toposort(roots):
        if any(item in live and item not in stop for item in node.inputs):
            on_path.add(node)
            live.update(item for item in node.outputs if item not in stop)
    return on_path


def _propagate(
    start: dict[Variable, Any],
    wrt: Sequence[Variable],
    constants: Iterable[Variable],
    known: set[Variable],
) -> dict[Variable, Any]:
    """Return the gradient of every variable on the way; None stands for zero."""
    stop = set(constants)
    roots = list(start)
    on_path = _reaches(roots, wrt, stop)
    sums: dict[Variable, Any] = dict(start)
    for node in reversed(toposort(roots)):
        if node not in on_path:
            continue
        given = [sums.get(output) if output in sums else _MISSING for output in node.outputs]
        if all(item is _MISSING for item in given):
            continue
        with origin_scope(node.origin):
            contributions = _pull(node, given)
        for item, contribution in zip(node.inputs, contributions, strict=True):
            if contribution is _MISSING or item in stop or item in known:
                continue
            _accumulate(sums, item, contribution, node)
    return sums


_MISSING: Any = object()


def _accumulate(sums: dict[Variable, Any], item: Variable, new: Any, node: Apply) -> None:
    old = sums.get(item)
    if old is None:
        sums[item] = new
    elif new is None:
        return
    elif isinstance(old.type, NullType) or isinstance(new.type, NullType):
        sums[item] = old if isinstance(old.type, NullType) else new
    else:
        with origin_scope(node.origin):
            sums[item] = old + new


def _pull(node: Apply, given: list[Any]) -> list[Any]:
    """Run one node's pullback; missing gradients in, missing or None (zero) gradients out."""
    pattern = node.op.connection_pattern(node)
    live = [item is not _MISSING for item in given]
    if all(item is None or item is _MISSING for item in given):
        return [None if _connected(row, live) else _MISSING for row in pattern]
    known = [g for g in given if g is not None and g is not _MISSING]
    broken = next((g for g in known if isinstance(g.type, NullType)), None)
    if broken is not None:
        return [broken if _connected(row, live) else _MISSING for row in pattern]
    if all(dtypes.is_discrete(getattr(item, "dtype", "")) for item in node.outputs):
        return [None if _connected(row, live) else _MISSING for row in pattern]
    grads = [
        output.zeros_like() if g is None or g is _MISSING else g
        for output, g in zip(node.outputs, given, strict=True)
    ]
    try:
        pulled = node.op.pullback(list(node.inputs), list(node.outputs), grads)
    except NotImplementedError as error:
        why = str(error)
        if type(node.op).__name__ not in why:
            why = f"{node.op}: {why or 'it has no gradient'}"
        null = Variable(NullType(why))
        pulled = [null] * len(node.inputs)
    if len(pulled) != len(node.inputs):
        raise ValueError(
            format_error(
                f"{node.op}: the gradient has {len(pulled)} items for {len(node.inputs)} inputs",
                places=[node.origin],
            )
        )
    return [
        _checked(node, item, g) if _connected(row, live) else _MISSING
        for item, g, row in zip(node.inputs, pulled, pattern, strict=True)
    ]


def _connected(row: Sequence[bool], live: Sequence[bool]) -> bool:
    return any(a and b for a, b in zip(row, live, strict=True))


def _checked(node: Apply, item: Any, gradient: Any) -> Any:
    if gradient is None:
        return None
    if isinstance(gradient.type, DisconnectedType):
        return _MISSING
    if isinstance(gradient.type, NullType):
        return gradient
    if gradient.ndim != item.ndim:
        raise ValueError(
            format_error(
                f"{node.op}: the gradient of an input has {gradient.ndim} dims, the input "
                f"{item.ndim}",
                operands=[(item.describe(), str(item.type))],
                places=[node.origin],
            )
        )
    if dtypes.is_discrete(item.dtype):
        return None
    return gradient if gradient.dtype == item.dtype else gradient.astype(item.dtype)


def _finish(
    variable: Any,
    grads: Mapping[Variable, Any],
    disconnected_inputs: str,
    return_disconnected: str,
    null_gradients: str,
) -> Any:
    if variable not in grads:
        _report_disconnected(variable, disconnected_inputs)
        if return_disconnected.lower() == "none":
            return None
        if return_disconnected.lower() == "disconnected":
            return Variable(DisconnectedType())
        return _zeros(variable)
    result = grads[variable]
    if result is None:
        return _zeros(variable)
    if isinstance(result.type, NullType):
        if null_gradients == "return":
            return result
        raise NullTypeGradError(
            format_error(
                f"grad: the gradient with respect to {label(variable)} is undefined: "
                f"{result.type.why}",
                operands=described(variable),
                places=[result.origin, current_origin(), variable.origin],
                hint="define grad in the op, or list what it computes in consider_constant",
            )
        )
    return result


def _zeros(variable: Any) -> Any:
    if dtypes.is_discrete(variable.dtype):
        return variable.zeros_like("floatX")
    return variable.zeros_like()


def _report_disconnected(variable: Any, mode: str) -> None:
    message = build_message(
        f"grad: the cost does not depend on {label(variable)}",
        variable,
        hint="pass disconnected_inputs='ignore' if its gradient is to be zero",
    )
    if mode == "raise":
        raise DisconnectedInputError(message)
    if mode == "warn":
        warnings.warn(message, stacklevel=4)
    elif mode != "ignore":
        raise ValueError(
            build_message(f"grad: disconnected_inputs={mode!r} is none of raise, warn, ignore")
        )


def Lop(
    f: Any,
    wrt: Any,
    eval_points: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Any:
    """Return the vector-Jacobian product ``eval_points @ df/dwrt``.

    ``f`` and ``eval_points`` are variables of equal shape, or lists of them.
    """
    outputs = list(f) if isinstance(f, list | tuple) else [f]
    points = list(eval_points) if isinstance(eval_points, list | tuple) else [eval_points]
    if len(outputs) != len(points):
        raise ValueError(f"Lop: {len(outputs)} outputs, {len(points)} evaluation points")
    known: dict[Any, Any] = {}
    for output, point in zip(outputs, points, strict=True):
        known[output] = known[output] + point if output in known else as_tensor_variable(point)
    return grad(None, wrt, consider_constant, disconnected_inputs, known_grads=known)


def Rop(f: Any, wrt: Any, eval_points: Any, disconnected_outputs: str = "raise") -> Any:
    """Return the Jacobian-vector product ``df/dwrt @ eval_points``.

    ``wrt`` and ``eval_points`` are variables of equal shape, or lists of them.
    """
    outputs = list(f) if isinstance(f, list | tuple) else [f]
    sources = list(wrt) if isinstance(wrt, list | tuple) else [wrt]
    points = list(eval_points) if isinstance(eval_points, list | tuple) else [eval_points]
    if len(sources) != len(points):
        raise ValueError(f"Rop: {len(sources)} variables, {len(points)} evaluation points")
    tangents: dict[Variable, Any] = {
        source: as_tensor_variable(point) for source, point in zip(sources, points, strict=True)
    }
    for node in toposort(outputs, tangents.keys()):
        directions = [tangents.get(item) for item in node.inputs]
        if _passes(node, directions):
            with origin_scope(node.origin):
                pushed = _push(node, directions)
            for output, tangent in zip(node.outputs, pushed, strict=True):
                if tangent is not None:
                    tangents.setdefault(output, tangent)
    results = []
    for output in outputs:
        tangent = tangents.get(output)
        if tangent is None:
            _report_disconnected(output, disconnected_outputs)
            tangent = _zeros(output)
        results.append(tangent)
    return results if isinstance(f, list | tuple) else results[0]


def _passes(node: Apply, directions: Sequence[Any]) -> bool:
    """Tell whether a change along ``directions`` changes any of a node's results smoothly."""
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
    """Run one node's R_op; an op that has none is pulled back twice.

    The pullback is linear in the outputs' gradients, so its own pullback with respect to these is
    the forward derivative, whatever their values are.
    """
    if type(node.op).R_op is not Op.R_op:
        return node.op.R_op(list(node.inputs), directions)
    dummies = [output.type.make_variable() for output in node.outputs]
    pulled = node.op.pullback(list(node.inputs), list(node.outputs), dummies)
    known = {
        gradient: direction
        for gradient, direction in zip(pulled, directions, strict=True)
        if gradient is not None
        and direction is not None
        and not isinstance(gradient.type, DisconnectedType | NullType)
    }
    if not known:
        return [None] * len(dummies)
    pushed = grad(None, dummies, disconnected_inputs="ignore", known_grads=known)
    values = dict(zip(dummies, node.outputs, strict=True))
    return list(replace(pushed, values))


# -- steering ----------------------------------------------------------------------------------


class PassThrough(TensorOp):
    """The identity, with another gradient than its own: a view."""

    __props__: tuple[str, ...] = ()

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the operand's type."""
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The operand's shape."""
        return [shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Pass on."""
        output_storage[0][0] = inputs[0]

    def axis_map(self, node: Apply) -> tuple[int | None, ...]:
        """The operand's own axes."""
        return tuple(range(node.inputs[0].ndim))


class DisconnectedGrad(PassThrough):
    """No gradient flows, and the path counts as not existing."""

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Return a disconnected gradient."""
        return [Variable(DisconnectedType())]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Nothing passes."""
        return [None]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Not connected."""
        return [[False]]


class ZeroGrad(PassThrough):
    """The gradient is zero."""

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Return zero."""
        return [None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Nothing passes."""
        return [None]


class GradClip(PassThrough):
    """The gradient is limited to an interval."""

    __props__ = ("lower_bound", "upper_bound")

    def __init__(self, lower_bound: float, upper_bound: float) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Clip."""
        (g,) = output_grads
        low, high = g.constant_like(self.lower_bound), g.constant_like(self.upper_bound)
        return [scalar.clip(g, low, high)]


class GradScale(PassThrough):
    """The gradient is multiplied by a number."""

    __props__ = ("multiplier",)

    def __init__(self, multiplier: float) -> None:
        self.multiplier = multiplier

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Scale."""
        (g,) = output_grads
        return [g * g.constant_like(self.multiplier)]


def disconnected_grad(x: Any) -> Any:
    """Return ``x``, through which no gradient flows: it counts as not depending on anything."""
    return DisconnectedGrad()(x)


def zero_grad(x: Any) -> Any:
    """Return ``x``, through which a gradient of zero flows."""
    return ZeroGrad()(x)


consider_constant = zero_grad


def grad_clip(x: Any, lower_bound: float, upper_bound: float) -> Any:
    """Return ``x``; gradients that pass are limited to the interval."""
    return GradClip(lower_bound, upper_bound)(x)


def grad_scale(x: Any, multiplier: float) -> Any:
    """Return ``x``; gradients that pass are multiplied by ``multiplier``."""
    return GradScale(multiplier)(x)


def grad_undefined(op: Op, position: int, variable: Any, comment: str = "") -> Variable:
    """Return the gradient of an input for which none is defined."""
    return Variable(NullType(f"undefined for input {position} of {op}. {comment}".strip()))


def grad_not_implemented(op: Op, position: int, variable: Any, comment: str = "") -> Variable:
    """Return the gradient of an input for which none is implemented."""
    return Variable(NullType(f"not implemented for input {position} of {op}. {comment}".strip()))
