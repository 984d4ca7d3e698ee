"""Jacobians and Hessians, with one pullback for all rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, overload

from symtheano import dtypes
from symtheano.errors import format_error
from symtheano.gradient.forward import Rop
from symtheano.gradient.reverse import Lop, as_list, format_like, grad
from symtheano.graph.eager import quietly
from symtheano.graph.origin import current_origin
from symtheano.graph.sources import made_from
from symtheano.graph.walk import replace
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, constant
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.creation.identity import eye
from symtheano.tensor.messages import build_message, label
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, shape_of
from symtheano.tensor.vectorize import vectorize_graph

S = TypeVar("S", bound=Tensor)


@overload
def jacobian(
    expression: Any,
    wrt: Tensor,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Tensor: ...


@overload
def jacobian(
    expression: Any,
    wrt: list[S],
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> list[Tensor]: ...


@overload
def jacobian(
    expression: Any,
    wrt: tuple[S, ...],
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> tuple[Tensor, ...]: ...


@overload
def jacobian(
    expression: Any,
    wrt: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Any: ...


@quietly
def jacobian(
    expression: Any,
    wrt: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Any:
    """Return the derivatives of all elements of an array.

    The pullback is computed once, for all rows of an identity matrix. If an op does not support
    batches, the pullback is computed row by row. This requires that the number of rows is known
    when the graph is built.

    Parameters
    ----------
    expression
        Array of a real float dtype with any number of dimensions; in Theano, only vectors.
    wrt
        A variable, or a list or tuple of variables.
    consider_constant, disconnected_inputs
        As for :func:`grad`.

    Returns
    -------
    For each variable, an array of shape ``(*expression.shape, *variable.shape)``; a list for a
    list.

    Raises
    ------
    TypeError
        If the expression is not real and continuous.
    NotImplementedError
        If an op does not support batches, and the number of elements of ``expression`` is not
        known.

    Examples
    --------
    >>> x = T.vector("x")
    >>> jacobian(x**2 + x.sum(), x).eval({x: [1.0, 2.0]})
    array([[3., 1.],
           [1., 5.]])
    """
    y = as_tensor_variable(expression)
    if y.dtype not in dtypes.FLOAT:
        raise TypeError(
            build_message(
                f"jacobian: the expression is {y.dtype} and must be a real float",
                y,
                hint="take the Jacobian of its real() and imag()"
                if dtypes.is_complex(y.dtype)
                else "integers have no gradient; start from float inputs",
            )
        )
    if y.ndim == 0:
        return grad(y, wrt, consider_constant, disconnected_inputs)
    variables = as_list(wrt)
    flat = y if y.ndim == 1 else y.flatten()
    weights = flat.type.make_variable("weights")
    pulled = Lop(flat, variables, weights, consider_constant, disconnected_inputs)
    rows = _for_all_rows(pulled, weights, flat)
    results = [_unflattened(row, y, x) for row, x in zip(rows, variables, strict=True)]
    return format_like(wrt, [made_from(item, [y]) for item in results])


def _for_all_rows(pulled: Sequence[Any], weights: Any, flat: Any) -> list[Any]:
    """Return gradients, which are linear in ``weights``, for each unit vector."""
    (count,) = shape_of(flat)
    try:
        batched = vectorize_graph(pulled, {weights: eye(count, count, dtype=flat.dtype)})
    except NotImplementedError as error:
        if not isinstance(count, int):
            raise NotImplementedError(_not_batched(flat, error)) from error
        units = [constant([float(i == k) for i in range(count)], dtype=flat.dtype)
                 for k in range(count)]  # fmt: skip
        each = [replace(pulled, {weights: unit}) for unit in units]
        if not each:
            return [alloc(g.zeros_like(), *as_dims((0, *shape_of(g)))) for g in pulled]
        return [stack(rows) for rows in zip(*each, strict=True)]
    return [
        row if row.ndim > g.ndim else alloc(g, *as_dims((count, *shape_of(g))))
        for row, g in zip(batched, pulled, strict=True)
    ]


def _not_batched(flat: Any, error: Exception) -> str:
    return format_error(
        "jacobian: the rows can't be computed together: " + str(error).partition("\n")[0],
        operands=[("expression", str(flat.type))],
        places=[current_origin(), flat.origin],
        hint="declare the shape of the expression with specify_shape, so that its elements can be "
        "differentiated one by one; or define vectorize in the op",
    )


def _unflattened(rows: Any, y: Any, x: Any) -> Any:
    if y.ndim == 1:
        return rows
    return reshape_op(rows, *as_dims((*shape_of(y), *shape_of(x))))


@overload
def hessian(
    cost: Any,
    wrt: Tensor,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Tensor: ...


@overload
def hessian(
    cost: Any,
    wrt: list[S],
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> list[Tensor]: ...


@overload
def hessian(
    cost: Any,
    wrt: tuple[S, ...],
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> tuple[Tensor, ...]: ...


@overload
def hessian(
    cost: Any,
    wrt: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Any: ...


def hessian(
    cost: Any,
    wrt: Any,
    consider_constant: Iterable[Any] | None = None,
    disconnected_inputs: str = "raise",
) -> Any:
    """Return the second derivatives of a scalar cost with respect to each variable.

    Parameters
    ----------
    cost
        0-d variable of a float dtype.
    wrt
        A variable, or a list or tuple of variables; in Theano, only vectors.
    consider_constant, disconnected_inputs
        As for :func:`grad`.

    Returns
    -------
    For each variable an array of shape ``(*variable.shape, *variable.shape)``; a list for a list.
    Mixed derivatives with respect to two variables are not included; use the :func:`jacobian` of a
    gradient.

    Examples
    --------
    >>> x = T.vector("x")
    >>> hessian((x**3).sum() + x.sum() ** 2, x).eval({x: [1.0, 2.0]})
    array([[ 8.,  2.],
           [ 2., 14.]])
    """
    variables = as_list(wrt)
    constants = None if consider_constant is None else list(as_list(consider_constant))
    hessians = []
    for x in variables:
        slope = grad(cost, x, constants, disconnected_inputs)
        hessians.append(jacobian(slope, x, constants, disconnected_inputs="ignore"))
    return format_like(wrt, hessians)


def hessian_times_vector(gradient: Any, parameter: Any, vector: Any, r_op: bool = False) -> Any:
    """Return the product of the Hessian of a cost and a vector, without computing the Hessian.

    Parameters
    ----------
    gradient
        Gradient of the cost with respect to ``parameter``; or a list of gradients.
    parameter
        A variable, or a list of them.
    vector
        Array of the parameter's shape, or a list of them.
    r_op
        Use :func:`Rop` of the gradient instead of the gradient of its product with the vector. The
        result is the same. Which of the two is faster depends on the cost.

    Returns
    -------
    An array of the parameter's shape; a list for a list.

    Raises
    ------
    ValueError
        If a gradient or a vector does not have the number of dimensions of its parameter.

    Examples
    --------
    >>> from symtheano import grad
    >>> x, v = T.vectors("x", "v")
    >>> slope = grad((x**3).sum(), x)
    >>> hessian_times_vector(slope, x, v).eval({x: [1.0, 2.0], v: [1.0, 10.0]})
    array([  6., 120.])
    """
    slopes, parameters, vectors = as_list(gradient), as_list(parameter), as_list(vector)
    if not len(slopes) == len(parameters) == len(vectors):
        raise ValueError(
            build_message(
                f"hessian_times_vector: {len(slopes)} gradients and {len(vectors)} vectors for "
                f"{len(parameters)} parameters"
            )
        )
    for slope, variable, direction in zip(slopes, parameters, vectors, strict=True):
        _check_product(as_tensor_variable(slope), variable, as_tensor_variable(direction))
    if r_op:
        return Rop(gradient, parameter, vector)
    along = [scalar.mul(g, v).sum() for g, v in zip(slopes, vectors, strict=True)]
    total = along[0]
    for term in along[1:]:
        total = total + term
    return grad(total, parameter)


def _check_product(slope: Any, variable: Any, direction: Any) -> None:
    """Reject a cost in place of the gradient, and vectors that would be broadcast."""
    if slope.ndim == variable.ndim == direction.ndim:
        return
    is_cost = slope.ndim == 0 and variable.ndim == direction.ndim
    raise ValueError(
        build_message(
            "hessian_times_vector: the gradient, the parameter and the vector have "
            f"{slope.ndim}, {variable.ndim} and {direction.ndim} dims",
            slope,
            variable,
            direction,
            hint="the first argument is the gradient of the cost: "
            f"hessian_times_vector(grad(cost, {label(variable)}), {label(variable)}, vector)"
            if is_cost
            else "give all three the parameter's shape",
        )
    )
