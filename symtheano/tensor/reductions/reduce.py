"""Reductions: sum, prod, max, min, any, all over axes; mean, var, std, norm; argmax, argmin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.keywords import OF_REDUCTIONS, explained
from symtheano.lowering import Reduction
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.checks import check_axes, some_axes
from symtheano.tensor.messages import build_message, call_message, op_name
from symtheano.tensor.reductions.accumulators import (
    ACCUMULATE,
    WIDE_INTEGERS,
    accumulated_dtype,
)
from symtheano.tensor.reductions.others import ProductOfOthers
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.type import TensorType


class CAReduce(Op):
    """An associative scalar op accumulated over axes, which are removed.

    Attributes
    ----------
    scalar_name
        Row of the scalar table.
    axis
        The axes, ascending.
    dtype
        Dtype of the result.
    acc_dtype
        Dtype of the accumulator.
    of_nothing
        Whether maxima and minima of empty axes are the smallest and the largest number of the
        dtype, their neutral elements, instead of an error.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("scalar_name", "axis", "dtype", "acc_dtype", "of_nothing")
    takes = "**"

    def __init__(
        self,
        scalar_name: str,
        axis: tuple[int, ...],
        dtype: str,
        acc_dtype: str,
        of_nothing: bool = False,
    ) -> None:
        row = scalar.TABLE.get(scalar_name)
        if row is None or row.identity is None:
            raise ValueError(build_message(f"there is no reduction by {scalar_name!r}"))
        if of_nothing and scalar_name not in ("maximum", "minimum"):
            raise ValueError(build_message("of_nothing is for maximum and minimum"))
        self.scalar_name = scalar_name
        self.axis = some_axes("axis", axis)
        self.dtype = dtypes.canonical(dtype)
        self.acc_dtype = dtypes.canonical(acc_dtype)
        self.of_nothing = of_nothing

    def over(self, axes: Sequence[int]) -> CAReduce:
        """Return the same reduction over other axes."""
        ordered = tuple(sorted(axes))
        return CAReduce(self.scalar_name, ordered, self.dtype, self.acc_dtype, self.of_nothing)

    @property
    def row(self) -> ScalarOp:
        """The scalar op."""
        return scalar.scalar_op(self.scalar_name)

    @lazy
    def lowering(self) -> Reduction:
        """The row over the axes."""
        return Reduction(self.row, self.axis, self.acc_dtype)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Drop the axes."""
        check_axes(self, inputs[0], self.axis)
        shape = [d for axis, d in enumerate(inputs[0].type.shape) if axis not in self.axis]
        return [TensorType(self.dtype, shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(d for axis, d in enumerate(shapes[0]) if axis not in self.axis)]

    @property
    def needs_elements(self) -> bool:
        """Whether reducing an empty axis is an error, as for maxima."""
        return self.scalar_name in ("maximum", "minimum") and not self.of_nothing

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The reduced axes are not empty, if the op has no neutral element."""
        if not self.needs_elements:
            return []
        return [
            Requirement(
                condition=shapes[0][axis] > 0,
                values=(shapes[0][axis],),
                message=partial(empty_message, node, axis),
                code="value",
            )
            for axis in self.axis
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with the reduce method of the NumPy ufunc."""
        (x,) = inputs
        for axis in self.axis:
            if self.needs_elements and x.shape[axis] == 0:
                raise ValueError(empty_message(node, axis, [0]))
        with np.errstate(all="ignore"):
            options: dict[str, Any] = {"axis": self.axis}
            if self.of_nothing:
                options["initial"] = _least(self.row.identity, self.acc_dtype)
            result = _UFUNCS[self.scalar_name].reduce(dtypes.convert(x, self.acc_dtype), **options)
            output_storage[0][0] = dtypes.convert(np.asarray(result), self.dtype)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Broadcast the gradient along the reduced axes."""
        (x,), (y,), (g,) = inputs, outputs, output_grads
        if not dtypes.is_continuous(self.dtype):
            return [None]
        if dtypes.is_discrete(x.dtype):
            x = cast(x, self.acc_dtype if dtypes.is_continuous(self.acc_dtype) else self.dtype)
        spread = cast(restore_axes(g, self.axis, x.ndim), x.dtype)
        if self.scalar_name == "add":
            return [scalar.second(x, spread)]
        if self.scalar_name in ("maximum", "minimum"):
            return [self._shares(x, y, g)]
        if self.scalar_name == "mul":
            wide = cast(x, dtypes.upcast(x.dtype, self.acc_dtype))
            others = cast(ProductOfOthers(self.axis)(wide), x.dtype)
            return [spread * scalar.conj(others)]
        return super().pullback(inputs, outputs, output_grads)

    def _shares(self, x: Any, y: Any, g: Any) -> Any:
        """Divide the gradient equally among the elements that equal the extremum.

        The sum of the parts is the gradient, as required if the same variable occurs several times.
        With ``config.theano_semantics``, each of them gets the whole.
        """
        ties = scalar.eq(x, restore_axes(y, self.axis, x.ndim))
        if config.theano_semantics:
            whole = cast(restore_axes(g, self.axis, x.ndim), x.dtype)
            return scalar.switch(ties, whole, x.constant_like(0))
        share = cast(g / sum(ties, self.axis, dtype=g.dtype), x.dtype)
        return scalar.switch(ties, restore_axes(share, self.axis, x.ndim), x.constant_like(0))

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """A sum is linear; the others follow from the pullback."""
        (x,), (point,) = inputs, eval_points
        if point is None:
            return [None]
        if self.scalar_name == "add":
            return [self(point)]
        y = self(x)
        (partials,) = self.pullback([x], [y], [y.ones_like()])
        return [None if partials is None else sum(partials * point, self.axis, dtype=y.dtype)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [self.over(batch.shifted(self.axis))(batch.inputs[0])]

    def __str__(self) -> str:
        label = _LABELS.get(self.scalar_name, f"CAReduce{{{self.scalar_name}}}")
        parts = [f"axis=[{', '.join(map(str, self.axis))}]"]
        if self.scalar_name in ("add", "mul"):
            parts.append(f"acc_dtype={self.acc_dtype}")
        return f"{label}{{{', '.join(parts)}}}"


def _least(which: Any, dtype: str) -> Any:
    """Return the smallest number of a dtype for maxima, or the largest one for minima."""
    if dtypes.is_continuous(dtype):
        infinity = -np.inf if which == "min" else np.inf
        return complex(infinity, infinity) if dtypes.is_complex(dtype) else infinity
    if dtype == "bool":
        return which == "max"
    return getattr(np.iinfo(dtype), which)


_UFUNCS: dict[str, Any] = {
    "add": np.add,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor": np.bitwise_xor,
    "logaddexp": np.logaddexp,
}
_LABELS = {
    "add": "Sum",
    "mul": "Prod",
    "maximum": "Max",
    "minimum": "Min",
    "logical_and": "All",
    "logical_or": "Any",
}


def empty_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for the extremum of an empty axis."""
    return call_message(
        f"{op_name(node.op)}: axis {axis} has length {values[0]}, so there is no maximum or "
        "minimum",
        node,
        node.inputs[0],
    )


def restore_axes(reduced: Any, axes: Sequence[int], ndim: int) -> Tensor:
    """Insert axes of length 1 where a reduction removed them."""
    kept = iter(range(reduced.ndim))
    restored: Tensor = reduced.dimshuffle(
        *["x" if axis in axes else next(kept) for axis in range(ndim)]
    )
    return restored


def makeKeepDims(x: TensorLike, y: TensorLike, axis: Any = None) -> Tensor:
    """Return ``y``, a reduction of ``x`` over ``axis``, with these axes restored with length 1.

    Examples
    --------
    >>> x = T.zeros((2, 3))
    >>> makeKeepDims(x, x.sum(axis=0), 0).type.shape
    (1, 3)
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    return restore_axes(y, normalize_axis(axis, x.ndim), x.ndim)


def _reduce(
    row: str, x: Any, axis: Any, dtype: str, acc_dtype: str, keepdims: bool, initial: Any = None
) -> Tensor:
    axes = normalize_axis(axis, x.ndim)
    extremum = row in ("maximum", "minimum")
    result = cast(x, dtype)
    if axes:
        of_nothing = extremum and initial is not None
        result = CAReduce(row, axes, dtype, acc_dtype, of_nothing)(x)
    if axes and keepdims:
        result = restore_axes(result, axes, x.ndim)
    if initial is None:
        return result
    start = cast(as_tensor_variable(initial), dtype)
    return scalar.scalar_op(row)(result, start)


def extremum_or_least(row: str, x: Any, axes: tuple[int, ...]) -> Any:
    """Return the extrema over axes, which are kept; for empty axes, the neutral element."""
    return restore_axes(CAReduce(row, axes, x.dtype, x.dtype, True)(x), axes, x.ndim)


def _accumulating(
    row: str, x: Any, axis: Any, dtype: Any, keepdims: bool, acc_dtype: Any, initial: Any
) -> Tensor:
    x = as_tensor_variable(x)
    result = dtypes.canonical(dtype) if dtype is not None else accumulated_dtype(x.dtype)
    default = WIDE_INTEGERS.get(result, ACCUMULATE.get(result, result))
    inner = dtypes.canonical(acc_dtype) if acc_dtype is not None else default
    if acc_dtype is not None and dtypes.is_continuous(x.dtype) and dtypes.is_discrete(inner):
        raise TypeError(
            build_message(f"sum, prod: acc_dtype {inner} can't hold {x.dtype} numbers", x)
        )
    return _reduce(row, x, axis, result, dtypes.upcast(inner), keepdims, initial)


@explained(OF_REDUCTIONS)
def sum(input: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False,
        acc_dtype: Any = None, initial: Any = None) -> Tensor:  # fmt: skip
    """Return the sum over ``axis``.

    Parameters
    ----------
    input
        Array of any shape and dtype.
    axis
        Axis or axes; None for all.
    dtype
        Dtype of the result; by default that of the operand, or (u)int64 for integers and bool.
    keepdims
        Whether to keep the axes with length 1.
    acc_dtype
        Dtype of the accumulator. For float results, the default is one step wider, so that the
        error of float32 sums does not grow with their length. Compiled code may add up to eight
        float32 elements by pairs before that, but not if ``dtype`` is wider as well.
    initial
        A number that is added to each sum.

    Examples
    --------
    >>> T.matrix("x").sum(axis=0).type
    TensorType(float64, vector)
    """
    return _accumulating("add", input, axis, dtype, keepdims, acc_dtype, initial)


@explained(OF_REDUCTIONS)
def prod(input: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False,
         acc_dtype: Any = None, no_zeros_in_input: bool = False,
         initial: Any = None) -> Tensor:  # fmt: skip
    """Return the product over ``axis``, times ``initial``; other arguments as for :func:`sum`.

    Examples
    --------
    >>> int(prod([2, 3, 4]).eval())
    24
    """
    return _accumulating("mul", input, axis, dtype, keepdims, acc_dtype, initial)


@explained(OF_REDUCTIONS)
def max(x: TensorLike, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """Return the maximum over ``axis`` and of ``initial``; NaN if an element is NaN.

    Without ``initial``, a call with an empty axis raises ``ValueError``. Equal extrema share the
    gradient.

    Examples
    --------
    >>> max([[1, 4], [3, 2]], axis=0).eval().tolist()
    [3, 4]
    """
    x = as_tensor_variable(x)
    return _reduce("maximum", x, axis, x.dtype, x.dtype, keepdims, initial)


@explained(OF_REDUCTIONS)
def min(x: TensorLike, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """Return the minimum over ``axis`` and of ``initial``; NaN if an element is NaN.

    Without ``initial``, a call with an empty axis raises ``ValueError``. Equal extrema share the
    gradient.

    Examples
    --------
    >>> min([[1, 4], [3, 2]], axis=0).eval().tolist()
    [1, 2]
    """
    x = as_tensor_variable(x)
    return _reduce("minimum", x, axis, x.dtype, x.dtype, keepdims, initial)


amax, amin = max, min


@explained(OF_REDUCTIONS)
def any(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return whether any element along ``axis`` is true.

    Examples
    --------
    >>> any([[True, False], [False, False]], axis=1).eval().tolist()
    [True, False]
    """
    truth = scalar.neq(as_tensor_variable(x), 0) if as_tensor_variable(x).dtype != "bool" else x
    return _reduce("logical_or", as_tensor_variable(truth), axis, "bool", "bool", keepdims)


@explained(OF_REDUCTIONS)
def all(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return whether all elements along ``axis`` are true.

    Examples
    --------
    >>> all([[True, False], [True, True]], axis=1).eval().tolist()
    [False, True]
    """
    truth = scalar.neq(as_tensor_variable(x), 0) if as_tensor_variable(x).dtype != "bool" else x
    return _reduce("logical_and", as_tensor_variable(truth), axis, "bool", "bool", keepdims)


ROUNDED_LAST = ("float16", "complex64")
"""Dtypes whose sums are divided before rounding, because sums and counts may be out of range."""


# -- argmax -------------------------------------------------------------------------------------
