"""The messages of tensor ops: the user's line, then the operands with their types."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from symtheano.errors import format_error
from symtheano.graph.origin import current_origin, outermost_call
from symtheano.graph.variable import Apply, Constant


def described(*variables: Any) -> list[tuple[str, str]]:
    """Return label and type of each variable, as operands for :func:`format_error`."""
    return [(label(item), str(item.type)) for item in variables]


def label(variable: Any) -> str:
    """Return a variable's name, a constant's value, or the name of its op, ignoring DimShuffle.

    Examples
    --------
    >>> x = T.vector("x")
    >>> label(x), label(T.exp(x)), label(T.constant(2.0).dimshuffle("x"))
    ('x', 'exp', '2.0')
    """
    shown = variable
    while shown.name is None and shown.owner is not None:
        if shown.owner.op.lowering.axis_map(shown.owner) is None:
            break
        shown = shown.owner.inputs[0]
    if isinstance(shown, Constant) and shown.name is None:
        return str(shown.data) if np.size(shown.data) == 1 else "constant"
    if shown.name is not None or shown.owner is None:
        return str(shown.describe())
    index = f".{shown.index}" if len(shown.owner.outputs) > 1 else ""
    return op_name(shown.owner.op) + index


def op_name(op: Any) -> str:
    """Return the user's name of an op: the name of the scalar function if it is elementwise."""
    scalar_op = getattr(op, "scalar_op", None)
    return str(op if scalar_op is None else scalar_op.name)


def called() -> str:
    """Return the name of the function that the user called: ``sum``, ``add``, ``exp``."""
    frame = outermost_call()
    if frame is None:
        return "symtheano"
    if frame.f_code.co_name == "__call__":
        return op_name(frame.f_locals.get("self"))
    if frame.f_code.co_name == "__init__":
        return type(frame.f_locals.get("self")).__name__
    numpys = frame.f_locals.get(_NUMPY_CALLS.get(frame.f_code.co_name, ""))
    if numpys is not None:
        return f"np.{numpys.__name__}"
    name = frame.f_code.co_name.strip("_<>")
    return name[1:] if name.startswith("r") and hasattr(operator, f"__{name[1:]}__") else name


_NUMPY_CALLS = {"__array_function__": "function", "__array_ufunc__": "ufunc"}


def build_message(what: str, *operands: Any, hint: str | None = None) -> str:
    """Format the message for an expression that can't be built from ``operands``.

    The line that builds it comes first, then those that made the operands.

    Examples
    --------
    >>> from symtheano.graph.origin import origin_scope
    >>> with origin_scope(None):
    ...     print(build_message("sum: no axis 3", T.vector("x")))
    sum: no axis 3
      x: TensorType(float64, vector)
    """
    places = [current_origin(), *(item.origin for item in operands)]
    return format_error(what, operands=described(*operands), places=places, hint=hint)


def call_message(what: str, node: Apply, *operands: Any, hint: str | None = None) -> str:
    """Format the message for a node that can't be computed with the values of a call."""
    return format_error(what, operands=described(*operands), places=[node.origin], hint=hint)
