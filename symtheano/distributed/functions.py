"""Functions of users: operations on the arrays of all ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.codegen.routines.mpi import OPERATIONS
from symtheano.distributed.collective import rank, size
from symtheano.distributed.ops import AllReduce, Broadcast, Scatter, gather_rows
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import dim_value, shape_of


def allreduce(x: Any, op: str = "sum") -> Tensor:
    """Return a sum, mean, product, maximum or minimum over ranks, for each element.

    Each rank gets the same bits. The gradient is that of the sum of all ranks' costs: the gradient
    of a sum over ranks is the sum of the gradients of all ranks. Ranks whose element is the largest
    one all get the gradient of a maximum.

    Parameters
    ----------
    x
        An array with the same shape and dtype on all ranks. float16 is reduced in float32; bools
        have a maximum and a minimum only, complex numbers neither of them.
    op
        ``"sum"``, ``"mean"``, ``"max"``, ``"min"`` or ``"prod"``. Sums of integers may overflow in
        their dtype; means of integers are float64.

    Raises
    ------
    TypeError
        If the dtype does not have the operation.
    ValueError
        If the operation is unknown.
    DistributedError
        In a call, if the ranks do not do the same, or MPI fails.

    Examples
    --------
    >>> x = T.vector("x")
    >>> allreduce(x, "mean").eval({x: [1.0, 2.0]})
    array([1., 2.])
    """
    variable = as_tensor_variable(x)
    if op not in ("mean", *OPERATIONS):
        raise ValueError(
            build_message(f"allreduce: op={op!r} is not one of sum, mean, max, min, prod", variable)
        )
    dtype = str(variable.dtype)
    refused = op in ("max", "min") if dtypes.is_complex(dtype) else op not in ("max", "min")
    if refused and (dtypes.is_complex(dtype) or dtype == "bool"):
        raise TypeError(
            build_message(f"allreduce: {dtype} has no {op}", variable, hint="cast it first")
        )
    if op == "mean":
        wide = cast(variable, "float64") if dtypes.is_discrete(dtype) else variable
        whole = "float32" if dtype == "float16" else str(wide.dtype)
        total = AllReduce("sum")(cast(wide, whole))
        mean = total / cast(size(), dtypes.real_of(whole))
        return cast(mean, "float16") if dtype == "float16" else mean
    if dtype == "float16":
        return cast(AllReduce(op)(cast(variable, "float32")), "float16")
    return AllReduce(op)(variable)


def broadcast(x: Any, root: int = 0) -> Tensor:
    """Return the array of one rank on all ranks.

    The gradient on the root is the sum of the gradients of all ranks, and zero on the others.

    Parameters
    ----------
    x
        An array with the same shape and dtype on all ranks.
    root
        The rank.

    Raises
    ------
    DistributedError
        In a call, if the ranks do not do the same, there is no such rank, or MPI fails.

    Examples
    --------
    >>> x = T.vector("x")
    >>> broadcast(x).eval({x: [1.0, 2.0]})
    array([1., 2.])
    """
    return Broadcast(_root("broadcast", root))(as_tensor_variable(x))


def allgather(x: Any, axis: int = 0) -> Tensor:
    """Return the arrays of all ranks, joined along an axis, on all ranks.

    The gradient is this rank's part of the sum of the gradients of all ranks.

    Parameters
    ----------
    x
        An array with the same dtype on all ranks. Lengths may differ along the axis only. Numbers
        (0-d arrays) become a vector.
    axis
        The axis.

    Raises
    ------
    DistributedError
        In a call, if the ranks do not do the same, or MPI fails.

    Examples
    --------
    >>> x = T.vector("x")
    >>> allgather(x).eval({x: [1.0, 2.0]})
    array([1., 2.])
    """
    variable = as_tensor_variable(x)
    if variable.ndim == 0:
        variable = variable.dimshuffle("x")
    if not -variable.ndim <= axis < variable.ndim:
        raise ValueError(build_message(f"allgather: there is no axis {axis}", variable))
    axis %= variable.ndim
    if axis:
        order = [axis, *(k for k in range(variable.ndim) if k != axis)]
        back = [order.index(k) for k in range(variable.ndim)]
        return allgather(variable.dimshuffle(*order)).dimshuffle(*back)
    rows: Tensor = gather_rows(variable)
    return rows


def scatter(x: Any, root: int = 0) -> Tensor:
    """Return a part of the rows of one rank's array, another one on each rank.

    With n rows and k ranks, the first ``n % k`` ranks get ``n // k + 1`` rows, the others
    ``n // k``, as from ``numpy.array_split``. The gradient on the root consists of the gradients of
    all ranks, and is zero on the others.

    Parameters
    ----------
    x
        An array of one or more dims, with the same dtype and, but for the first axis, the same
        shape on all ranks. Its elements and its number of rows matter on the root only.
    root
        The rank.

    Raises
    ------
    TypeError
        If it has no axis.
    DistributedError
        In a call, if the ranks do not do the same, there is no such rank, or MPI fails.

    Examples
    --------
    >>> x = T.vector("x")
    >>> scatter(x).eval({x: [1.0, 2.0]})
    array([1., 2.])
    """
    variable = as_tensor_variable(x)
    if variable.ndim == 0:
        raise TypeError(build_message("scatter: a number has no rows", variable))
    rows = as_tensor_variable(dim_value(shape_of(variable)[0]))
    rows = broadcast(cast(rows, "int64"), root)
    own = rows // size() + cast(scalar.lt(rank(), rows % size()), "int64")
    return Scatter(_root("scatter", root))(variable, rows, own)


def _root(name: str, root: Any) -> int:
    if isinstance(root, bool) or not isinstance(root, int | np.integer) or root < 0:
        raise ValueError(build_message(f"{name}: root={root!r} is not the number of a rank"))
    return int(root)
