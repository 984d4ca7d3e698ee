"""Reverse-mode differentiation: grad, Lop, subgraph_grad."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import (
    DisconnectedInputError,
    NullTypeGradError,
    describe_value,
    format_error,
)
from symtheano.gradient.backward import as_variable, backward, check_whole
from symtheano.graph.eager import quietly
from symtheano.graph.origin import current_origin, user_stacklevel
from symtheano.graph.sources import gradient_by, made_from
from symtheano.graph.type import DisconnectedType, NullType
from symtheano.graph.variable import Variable
from symtheano.scalar.operand import Tensor
from symtheano.tensor.conversion import standing_for
from symtheano.tensor.elemwise import gradient_like
from symtheano.tensor.messages import build_message, described, label
from symtheano.tensor.variable import TensorMixin

S = TypeVar("S", bound=Tensor)


@overload
def grad(
    cost: Any,
    wrt: Tensor,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Mapping[Any, Any] | None = None,
    return_disconnected: str = "zero",
    null_gradients: str = "raise",
) -> Tensor: ...


@overload
def grad(
    cost: Any,
    wrt: list[S],
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Mapping[Any, Any] | None = None,
    return_disconnected: str = "zero",
    null_gradients: str = "raise",
) -> list[Tensor]: ...


@overload
def grad(
    cost: Any,
    wrt: tuple[S, ...],
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Mapping[Any, Any] | None = None,
    return_disconnected: str = "zero",
    null_gradients: str = "raise",
) -> tuple[Tensor, ...]: ...


@overload
def grad(
    cost: Any,
    wrt: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Mapping[Any, Any] | None = None,
    return_disconnected: str = "zero",
    null_gradients: str = "raise",
) -> Any: ...


@quietly
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
        0-d variable of a float dtype. It may be None if ``known_grads`` is given.
    wrt
        A variable, or a list or tuple of variables.
    consider_constant
        Variables to treat as constants: gradients are not propagated through them.
    disconnected_inputs
        What to do about variables on which the cost does not depend: ``raise``, ``warn`` or
        ``ignore``.
    add_names
        Whether to name gradients after the cost and the variable, if both have names.
    known_grads
        A dict from intermediate variables to the gradients of the cost with respect to them. They
        are used instead of the computed gradients.
    return_disconnected
        How to represent a gradient that does not exist: ``zero``, ``None`` or ``Disconnected``.
    null_gradients
        What to do about undefined gradients: ``raise`` or ``return``.

    Returns
    -------
    A variable for a variable, a list for a list; each has the shape and dtype of its variable.
    Gradients with respect to integers are floats. They are zero if every path contains an operation
    with an integer or bool result. The gradient with respect to a complex ``a + ib`` is
    ``dC/da + i dC/db``.

    Raises
    ------
    TypeError
        If the cost is not a float scalar.
    DisconnectedInputError
        If the cost does not depend on a variable.
    NullTypeGradError
        If an op on a path has no gradient.

    Examples
    --------
    >>> x = T.scalar("x")
    >>> float(grad(x**2, x).eval({x: 3.0}))
    6.0
    """
    cost = _float_cost(standing_for(cost))
    variables = _variables("grad", "wrt", [standing_for(item) for item in as_list(wrt)])
    check_whole("grad: wrt", variables)
    check_choice("grad", "disconnected_inputs", disconnected_inputs, ("raise", "warn", "ignore"))
    check_choice("grad", "null_gradients", null_gradients, ("raise", "return"))
    start = _start(cost, known_grads)
    constants = _constants(consider_constant)
    grads = backward(start, variables, constants, set(known_grads or ()))
    results = []
    for variable in variables:
        result = _finish(variable, grads, disconnected_inputs, return_disconnected, null_gradients)
        if add_names and cost is not None:
            _add_name(result, cost, variable)
        if result is not None:
            gradient_by(result, variable, cost)
        results.append(_made_from(result, [cost, *(known_grads or {}).values()]))
    return format_like(wrt, results)


def _add_name(gradient: Any, cost: Any, variable: Any) -> None:
    if gradient is None or gradient.name is not None or gradient.owner is None:
        return
    if cost.name is not None and variable.name is not None:
        gradient.name = f"(d{cost.name}/d{variable.name})"


def _made_from(gradient: Any, sources: Iterable[Any]) -> Any:
    """Record from what a gradient was made; see :mod:`symtheano.graph.sources`."""
    if gradient is None:
        return None
    return made_from(gradient, [item for item in sources if isinstance(item, Variable)])


@overload
def Lop(
    f: Any,
    wrt: Tensor,
    eval_points: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Tensor: ...


@overload
def Lop(
    f: Any,
    wrt: list[S],
    eval_points: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> list[Tensor]: ...


@overload
def Lop(
    f: Any,
    wrt: tuple[S, ...],
    eval_points: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> tuple[Tensor, ...]: ...


@overload
def Lop(
    f: Any,
    wrt: Any,
    eval_points: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Any: ...


@quietly
def Lop(
    f: Any,
    wrt: Any,
    eval_points: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Any:
    """Return the vector-Jacobian product ``eval_points @ df/dwrt``.

    Parameters
    ----------
    f, eval_points
        Variables of equal shape, or lists of them.
    wrt
        A variable, or a list or tuple of them.
    consider_constant, disconnected_inputs
        As for :func:`grad`.

    Returns
    -------
    A variable for a variable, a list for a list; each has the shape of its variable of ``wrt``.

    Examples
    --------
    >>> x, v = T.vectors("x", "v")
    >>> Lop(x**2, x, v).eval({x: [1.0, 2.0], v: [10.0, 1.0]})
    array([20.,  4.])
    """
    outputs, points = _variables("Lop", "f", as_list(f)), as_list(eval_points)
    if len(outputs) != len(points):
        raise ValueError(
            build_message(f"Lop: {len(outputs)} outputs, but {len(points)} evaluation points")
        )
    variables = _variables("Lop", "wrt", as_list(wrt))
    check_whole("Lop: wrt", variables)
    check_choice("Lop", "disconnected_inputs", disconnected_inputs, ("raise", "warn", "ignore"))
    start: dict[Variable, Any] = {}
    for output, point in zip(outputs, points, strict=True):
        gradient = _known_grad("Lop", output, point)
        start[output] = start[output] + gradient if output in start else gradient
    grads = backward(start, variables, _constants(consider_constant))
    results = [_finish(item, grads, disconnected_inputs, "zero", "raise") for item in variables]
    return format_like(wrt, [made_from(item, [*outputs, *start.values()]) for item in results])


def subgraph_grad(
    wrt: Any,
    end: Any,
    start: Mapping[Any, Any] | None = None,
    cost: Any = None,
    details: bool = False,
) -> tuple[Any, ...]:
    """Return gradients of a part of a graph, between ``start`` or a cost and ``end``.

    Several calls can perform backpropagation in steps. The variables ``end`` of one call and their
    gradients are ``start`` of the next call.

    Parameters
    ----------
    wrt
        Variables (parameters) in the part whose gradients are required.
    end
        Variables at which to stop.
    start
        Known gradients of variables at the end of the part.
    cost
        A scalar cost. Its gradients are added to those from ``start``.
    details
        Whether to also return the gradients from ``start`` and those from ``cost`` separately.

    Returns
    -------
    Two lists: the gradients with respect to ``wrt`` and to ``end``. With ``details``, two more
    lists: the gradients from ``start`` and from ``cost``, each for ``wrt`` and ``end`` together. A
    list is None if its argument is not given.

    Examples
    --------
    >>> x, w = T.scalars("x", "w")
    >>> hidden = x * 2
    >>> cost = (w * hidden) ** 2
    >>> (dw,), (dhidden,) = subgraph_grad([w], [hidden], cost=cost)
    >>> float(dw.eval({x: 1.0, w: 3.0})), float(dhidden.eval({x: 1.0, w: 3.0}))
    (24.0, 36.0)
    """
    parameters, borders = as_list(wrt), as_list(end)
    if start is None and cost is None:
        raise ValueError(build_message("subgraph_grad: neither a cost nor start is given"))
    wanted = list(dict.fromkeys([*parameters, *borders]))
    options: dict[str, Any] = {"consider_constant": borders, "disconnected_inputs": "ignore"}
    summands = [
        grad(None, wanted, known_grads=start, **options) if start is not None else None,
        grad(cost, wanted, **options) if cost is not None else None,
    ]
    terms = [item for item in summands if item is not None]
    totals = [a if not rest else a + rest[0] for a, *rest in zip(*terms, strict=True)]
    by_variable = dict(zip(wanted, totals, strict=True))
    gradients = ([by_variable[v] for v in parameters], [by_variable[v] for v in borders])
    return (*gradients, *summands) if details else gradients


# -- arguments and results -----------------------------------------------------------------------


def as_list(value: Any) -> list[Any]:
    """Return a list or tuple as a list, anything else as a list with one item."""
    return list(value) if isinstance(value, list | tuple) else [value]


def format_as(use_list: bool, use_tuple: bool, outputs: Any) -> Any:
    """Return ``outputs`` as a list or as a tuple, or return the only output.

    Examples
    --------
    >>> format_as(False, True, [1, 2]), format_as(False, False, [1]), format_as(True, False, 1)
    ((1, 2), 1, [1])
    """
    if use_list and use_tuple:
        raise ValueError("format_as: use_list and use_tuple can't both be true")
    listed = as_list(outputs)
    if use_list or use_tuple:
        return listed if use_list else tuple(listed)
    if len(listed) != 1:
        raise ValueError(f"format_as: {len(listed)} outputs are neither a list nor a tuple")
    return listed[0]


def format_like(model: Any, results: Sequence[Any]) -> Any:
    """Return results in the form of an argument: a list, a tuple, or the only item."""
    return format_as(isinstance(model, list), isinstance(model, tuple), results)


def _variables(name: str, argument: str, listed: list[Any]) -> list[Any]:
    for item in listed:
        if not isinstance(item, Variable):
            raise TypeError(
                build_message(
                    f"{name}: {argument} contains {describe_value(item)}, which is not a symbolic "
                    "variable",
                    hint="give the variables (or shared variables) to differentiate by"
                    if argument == "wrt"
                    else "give symbolic variables",
                )
            )
    return listed


def check_choice(name: str, argument: str, value: str, choices: Sequence[str]) -> None:
    """Raise ValueError unless an argument is one of the allowed strings."""
    if value not in choices:
        raise ValueError(
            build_message(f"{name}: {argument}={value!r} is not one of {', '.join(choices)}")
        )


def _constants(argument: Any) -> list[Any]:
    listed = [argument] if isinstance(argument, Variable) else list(argument or ())
    check_whole("grad: consider_constant", _variables("grad", "consider_constant", listed))
    return listed


def _start(cost: Any, known_grads: Mapping[Any, Any] | None) -> dict[Variable, Any]:
    start: dict[Variable, Any] = {}
    if cost is None and not known_grads:
        raise ValueError(build_message("grad: neither a cost nor known_grads is given"))
    if cost is not None:
        _check_cost(cost)
        start[cost] = cost.constant_like(1)
    _variables("grad", "known_grads", list(known_grads or ()))
    for variable, gradient in (known_grads or {}).items():
        start[variable] = _known_grad("grad", variable, gradient)
    return start


def _float_cost(cost: Any) -> Any:
    """Return an integer cost as a float, whose gradients are zero, as Theano's programs expect."""
    if config.theano_semantics and dtypes.is_discrete(getattr(cost, "dtype", "float64")):
        return cost.astype("floatX")
    return cost


def _check_cost(cost: Any) -> None:
    if isinstance(getattr(cost, "type", None), NullType):
        raise NullTypeGradError(
            build_message(f"grad: the cost is undefined: {cost.type.why}", cost)
        )
    if not isinstance(cost, TensorMixin):
        raise TypeError(
            build_message(f"grad: the cost {describe_value(cost)} is not a symbolic array")
        )
    if cost.ndim != 0:
        raise TypeError(
            build_message(
                f"grad: the cost has {cost.ndim} dim{'' if cost.ndim == 1 else 's'} and must "
                "be a scalar",
                cost,
                hint="take the sum or mean first, or use jacobian",
            )
        )
    if cost.dtype not in dtypes.FLOAT:
        raise TypeError(
            build_message(
                f"grad: the cost is {cost.dtype} and must be a real float",
                cost,
                hint="take real() or abs() of it"
                if dtypes.is_complex(cost.dtype)
                else "integers have no gradient; start from float inputs",
            )
        )


def _known_grad(name: str, variable: Any, gradient: Any) -> Any:
    """Return a given gradient as a variable of the type of its variable's gradient."""
    if isinstance(getattr(gradient, "type", None), NullType | DisconnectedType):
        return gradient
    converted = as_variable(gradient)
    if converted.ndim != variable.ndim and not config.theano_semantics:
        raise ValueError(
            build_message(
                f"{name}: the given gradient has {converted.ndim} dims, but its variable has "
                f"{variable.ndim}",
                variable,
                converted,
                hint="give a gradient with the shape of its variable",
            )
        )
    return gradient_like(converted, variable) if dtypes.is_discrete(converted.dtype) else converted


# -- missing gradients ---------------------------------------------------------------------------


def _finish(
    variable: Any,
    grads: Mapping[Variable, Any],
    disconnected_inputs: str,
    return_disconnected: str,
    null_gradients: str,
) -> Any:
    if variable not in grads:
        what = f"grad: the cost does not depend on {label(variable)}"
        report_disconnected(what, variable, disconnected_inputs)
        return stand_in(variable, return_disconnected)
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
                hint="define grad in the op, or list its output in consider_constant",
            )
        )
    return result


def stand_in(variable: Any, return_disconnected: str) -> Any:
    """Return the representation of a derivative that does not exist.

    Raises
    ------
    ValueError
        If the requested representation is unknown.
    """
    match return_disconnected.lower():
        case "zero":
            return _zeros(variable)
        case "none":
            return None
        case "disconnected":
            return Variable(DisconnectedType())
    raise ValueError(
        build_message(
            f"return_disconnected={return_disconnected!r} is not one of zero, None, Disconnected"
        )
    )


def _zeros(variable: Any) -> Any:
    if not hasattr(variable, "zeros_like"):
        return Variable(DisconnectedType())
    if dtypes.is_discrete(variable.dtype):
        return variable.zeros_like("floatX")
    return variable.zeros_like()


def report_disconnected(what: str, variable: Any, mode: str) -> None:
    """Raise an error or warn about a derivative that does not exist, according to ``mode``.

    Raises
    ------
    DisconnectedInputError
        If the mode is ``raise``.
    """
    if mode == "ignore":
        return
    argument = f"disconnected_{'outputs' if what.startswith('Rop') else 'inputs'}"
    message = build_message(
        what, variable, hint=f"pass {argument}='ignore' to get zero as the gradient"
    )
    if mode == "raise":
        raise DisconnectedInputError(message)
    warnings.warn(message, stacklevel=user_stacklevel())
