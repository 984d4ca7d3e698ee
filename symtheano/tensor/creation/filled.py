"""Arrays made from shapes and numbers: alloc, zeros, ones, fill, arange, eye."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import ArgumentError, ShapeError
from symtheano.graph.op import Requirement
from symtheano.graph.sources import made_from
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.elemwise import TensorOp, fit_grad, gradient_like, same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS, interval
from symtheano.tensor.shapes.shape import (
    as_dims,
    dim_value,
    is_length,
    join_dims,
    possible_size,
    shape_of,
    static_dims,
)
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.nodes import Operand


class Alloc(TensorOp):
    """A value repeated to a shape: inputs are the value and one 0-d integer per dim."""

    __props__ = ()
    takes = "** l0..."

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the value's dtype and the static shape of the dims."""
        value, *dims = inputs
        for axis, dim in enumerate(dims):
            if isinstance(dim, Constant) and int(dim.data) < 0:
                raise ValueError(build_message(f"alloc: axis {axis} can't have length {dim.data}"))
        if value.ndim > len(dims):
            raise ArgumentError(
                build_message(f"alloc: a value of {value.ndim} dims has no place in {len(dims)}")
            )
        shape = list(static_dims(dims))
        for axis in range(1, value.ndim + 1):
            known = value.type.shape[-axis]
            if known not in (None, 1):
                if shape[-axis] not in (None, known):
                    raise ValueError(
                        build_message(
                            f"alloc: a value of static shape {value.type.shape} has no place in "
                            f"{tuple(shape)}",
                            value,
                        )
                    )
                shape[-axis] = known
        return [TensorType(value.dtype, shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The lengths are inputs."""
        return [join_dims(node.outputs[0], node.inputs[1:])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy's broadcasting."""
        value, *dims = inputs
        shape = [int(dim) for dim in dims]
        for axis, dim in enumerate(shape):
            if dim < 0:
                raise ValueError(_negative_dim(node, axis, [dim]))
        for axis in range(1, value.ndim + 1):
            if node.inputs[0].type.shape[-axis] != 1 and value.shape[-axis] != shape[-axis]:
                raise ShapeError(_misfit(node, axis, [value.shape[-axis], shape[-axis]]))
        result = np.empty(shape, value.dtype)
        result[...] = value
        output_storage[0][0] = result

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Sum over what was repeated."""
        value, *dims = inputs
        (g,) = output_grads
        extra = g.ndim - value.ndim
        if extra:
            g = g.sum(axis=list(range(extra)))
        return [fit_grad(g, value), *[None] * len(dims)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Broadcast the direction like the value."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """The lengths have no gradient."""
        return [[True], *[[False]] * (len(node.inputs) - 1)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No length is negative, and the value can be broadcast."""
        value, *dims = node.inputs
        found = [
            Requirement(
                condition=dim_value(dim) >= 0,
                values=(dim_value(dim),),
                message=partial(_negative_dim, node, axis),
                code="value",
            )
            for axis, dim in enumerate(dims)
            if not is_length(dim)
        ]
        shape = join_dims(node.outputs[0], dims)
        size = possible_size(node, shape)
        if size is not None:
            found.append(size)
        for axis in range(1, value.ndim + 1):
            mine, wanted = shapes[0][-axis], shape[-axis]
            if value.type.shape[-axis] != 1:
                found += same_length(mine, wanted, partial(_misfit, node, axis))
        return found

    def axis_map(self, node: Apply) -> tuple[int | None, ...]:
        """Align the axes of the value to the right; those of length 1 are broadcast."""
        value = node.inputs[0]
        missing = len(node.inputs) - 1 - value.ndim
        kept = (None if dim == 1 else axis for axis, dim in enumerate(value.type.shape))
        return (*[None] * missing, *kept)

    def __str__(self) -> str:
        return "Alloc"


def _negative_dim(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(
        f"alloc: axis {axis} can't have length {values[0]}", node, node.inputs[1 + axis]
    )


def _misfit(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(
        f"alloc: a value of length {values[0]} along axis -{axis} has no place in length "
        f"{values[1]}",
        node,
        node.inputs[0],
    )


alloc_op = Alloc()


def alloc(value: Any, *shape: Any) -> Any:
    """Return ``value`` repeated to ``shape`` (ints or 0-d integer variables).

    Examples
    --------
    >>> alloc([1, 2], 2, 2).eval().tolist()
    [[1, 2], [1, 2]]
    """
    return alloc_op(as_tensor_variable(value), *as_dims(shape))


def zeros(shape: Any, dtype: Any = None) -> Any:
    """Return zeros of a shape; dtype floatX by default.

    Examples
    --------
    >>> zeros((2,), dtype="int8").eval().tolist()
    [0, 0]
    """
    return _full(0, shape, dtype)


def ones(shape: Any, dtype: Any = None) -> Any:
    """Return ones of a shape; dtype floatX by default.

    Examples
    --------
    >>> ones((2,), dtype="int8").eval().tolist()
    [1, 1]
    """
    return _full(1, shape, dtype)


def _full(value: float, shape: Any, dtype: Any) -> Any:
    return _repeated(constant(value, dtype=dtype or config.floatX), shape)


def _repeated(value: Any, shape: Any) -> Any:
    """Return a value broadcast to a shape, which may be symbolic."""
    made = alloc_op(value, *as_dims(shape))
    return made_from(made, [shape]) if isinstance(shape, Variable) else made


def zeros_like(model: Any, dtype: Any = None, opt: bool = False, shape: Any = None) -> Any:
    """Return zeros of ``model``'s shape and its dtype, unless others are given.

    Examples
    --------
    >>> zeros_like([3, 4]).eval().tolist()
    [0, 0]
    """
    return _full_like(0, model, dtype, shape)


def ones_like(model: Any, dtype: Any = None, opt: bool = False, shape: Any = None) -> Any:
    """Return ones of ``model``'s shape and its dtype, unless others are given.

    Examples
    --------
    >>> ones_like([3, 4]).eval().tolist()
    [1, 1]
    """
    return _full_like(1, model, dtype, shape)


def _full_like(value: float, model: Any, dtype: Any, shape: Any) -> Any:
    model = as_tensor_variable(model)
    item = constant(value, dtype=dtype or model.dtype)
    if shape is not None:
        return _repeated(item, shape)
    return _shaped_as(model, item)


def _shaped_as(model: Any, value: Any) -> Any:
    """Return a 0-d value broadcast to the shape of ``model``."""
    made = value if model.ndim == 0 else alloc_op(value, *as_dims(shape_of(model)))
    return made_from(made, [model] if None not in model.type.shape else [])


def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    """Return ``fill_value`` repeated to the shape of ``a`` in its dtype, unless others are given.

    Examples
    --------
    >>> full_like([1, 2], 7).eval().tolist()
    [7, 7]
    """
    a = as_tensor_variable(a)
    value = cast(fill_value, dtype or a.dtype)
    if shape is not None:
        return _repeated(value, shape)
    return made_from(alloc_op(value, *as_dims(shape_of(a))), [a])


def fill(a: Any, b: Any) -> Any:
    """Return ``b`` repeated to the shape of ``a``; dtype of ``b``.

    Examples
    --------
    >>> fill([1, 2], 7).eval().tolist()
    [7, 7]
    """
    return scalar.second(as_tensor_variable(a), b)


class ARange(TensorOp):
    """Evenly spaced integers or floats; inputs are 0-d start, stop and step."""

    takes = "r0 r0 r0"

    def __init__(self, dtype: str) -> None:
        self.dtype = dtypes.canonical(dtype)

    __props__ = ("dtype",)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector, of static length if all three are constants."""
        length = None
        if all(isinstance(item, Constant) for item in inputs):
            length = _arange_length(*(item.data.item() for item in inputs))
        return [TensorType(self.dtype, (length,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return ``max(ceil((stop - start) / step), 0)``."""
        start, stop, step = node.inputs
        known = node.outputs[0].type.shape[0]
        if known is not None:
            return [(known,)]
        if _is_number(start, 0) and _is_number(step, 1) and dtypes.is_discrete(stop.dtype):
            length = cast(stop, "int64")
            return [(length if is_length(length) else scalar.maximum(length, 0),)]
        if not all(dtypes.is_discrete(item.dtype) for item in node.inputs):
            return [(cast(scalar.maximum(_float_length(start, stop, step), 0), "int64"),)]
        if not _is_ahead(start, step):
            return [(cast(_wide_length(start, stop, step), "int64"),)]
        first, last, by = (cast(item, "int64") for item in (start, stop, step))
        span = scalar.maximum(last, first) - first
        return [(span if _is_number(step, 1) else -((-span) // by),)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The step is not zero, and the length is a finite number without overflow."""
        start, stop, step = node.inputs
        found = []
        if not isinstance(step, Constant):
            message = partial(_no_step, node)
            found.append(Requirement(scalar.neq(step, 0), (), message, code="value"))
        if node.outputs[0].type.shape[0] is not None:
            return found
        if all(dtypes.is_discrete(item.dtype) for item in node.inputs):
            if not _is_ahead(start, step):
                numbers = tuple(cast(item, "int64") for item in node.inputs)
                count = _wide_length(start, stop, step)
                fits = scalar.le(count, constant(MOST_ELEMENTS, dtype="uint64"))
                found.append(Requirement(fits, numbers, partial(_too_far, node), error=MemoryError))
        else:
            count = _float_length(start, stop, step)
            message = partial(_no_length, node)
            found.append(Requirement(count < MOST_ELEMENTS, (), message, code="value"))
        return found

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute ``start + k * step`` in the result's dtype."""
        start, stop, step = (item.item() for item in inputs)
        if step == 0:
            raise ValueError(_no_step(node, []))
        try:
            length = _arange_length(start, stop, step)
        except (ValueError, OverflowError):
            raise ValueError(_no_length(node, [])) from None
        if length > MOST_ELEMENTS:
            if not isinstance(length, int):
                raise ValueError(_no_length(node, []))
            raise MemoryError(_too_far(node, [start, stop, step]))
        count, step = np.arange(length), 0 if abs(step) == np.inf else step
        item = np.dtype(self.dtype).type
        output_storage[0][0] = (item(start) + count.astype(self.dtype) * item(step)).astype(
            self.dtype
        )

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Differentiate ``start + k * step``; the length has no gradient."""
        start, _, step = inputs
        (g,) = output_grads
        if dtypes.is_discrete(self.dtype):
            return [None, None, None]
        count = arange(g.shape[0], dtype=self.dtype)
        return [
            gradient_like(g.sum(), start),
            None,
            gradient_like((g * count).sum(), step),
        ]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """``stop`` only affects the length."""
        return [[True], [False], [True]]

    def element(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Compute ``start + k * step``; after an infinite step there is no number."""
        start, step = b.cast(read(0, ()), self.dtype), read(2, ())
        if dtypes.is_float(step.dtype) and not _is_finite(node.inputs[2]):
            zero = b.literal(0.0, step.dtype)
            step = b.let("switch", step.dtype, [b.let("isinf", "bool", [step]), zero, step])
        step = b.cast(step, self.dtype)
        count = b.cast(b.operand(index[0]), self.dtype)
        if step != b.literal(_typed(1, self.dtype), self.dtype):
            count = b.let("mul", self.dtype, [count, step])
        if start == b.literal(_typed(0, self.dtype), self.dtype):
            return count
        return b.let("add", self.dtype, [start, count])


def _is_finite(step: Any) -> bool:
    return isinstance(step, Constant) and bool(np.isfinite(step.data).all())


def _no_step(node: Apply, values: Sequence[int]) -> str:
    return call_message("arange: the step is zero", node)


def _typed(number: int, dtype: str) -> int | float:
    return float(number) if dtypes.is_float(dtype) else number


def _is_number(variable: Any, number: float) -> bool:
    return isinstance(variable, Constant) and bool((variable.data == number).all())


def _arange_length(start: Any, stop: Any, step: Any) -> Any:
    """Return the length of a range of numbers: an int, or a float if it is too large for one."""
    if step == 0:
        raise ValueError("arange: the step is zero")
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int):
        return max(-((start - stop) // step), 0)
    with np.errstate(all="ignore"):
        span = np.float64(stop) - np.float64(start)
        ahead = span != 0 and (span > 0) == (step > 0)
        length = np.maximum(np.ceil(span / np.float64(step)), float(ahead))
    if not length < MOST_ELEMENTS:
        raise ValueError("arange: the length is not finite or too large")
    return int(max(length, 0))


def _is_positive(step: Any) -> bool:
    return isinstance(step, Constant) and bool((step.data > 0).all())


def _is_ahead(start: Any, step: Any) -> bool:
    """Return whether the start is not negative and the step positive: no distance overflows."""
    return interval(cast(start, "int64"))[0] >= 0 and _is_positive(step)


def _wide_length(start: Any, stop: Any, step: Any) -> Any:
    """Return the number of integers in a range as uint64, into which every distance fits."""
    first, last, by = (cast(item, "int64") for item in (start, stop, step))

    def distance(high: Any, low: Any) -> Any:
        return cast(high, "uint64") - cast(low, "uint64")

    up = distance(scalar.maximum(last, first), first)
    if _is_positive(step):
        span, stride = up, cast(by, "uint64")
    else:
        zero = constant(0, dtype="int64")
        down = distance(first, scalar.minimum(last, first))
        span = scalar.switch(by > 0, up, down)
        stride = distance(scalar.maximum(by, zero), scalar.minimum(by, zero))
    if _is_number(step, 1):
        return span
    one = constant(1, dtype="uint64")
    return scalar.switch(span > 0, (span - one) // stride + one, constant(0, dtype="uint64"))


def _float_length(start: Any, stop: Any, step: Any) -> Any:
    """Return the quotient, rounded up; at least 1 if the first number is before the end."""
    wide = dtypes.upgrade_to_float(step.dtype)
    span, by = stop - start, cast(step, wide)
    ahead = scalar.and_(scalar.neq(span, 0), scalar.eq(span > 0, by > 0))
    length = scalar.ceil(span / by)
    return scalar.maximum(length, cast(ahead, length.dtype))


def _too_far(node: Apply, values: Sequence[int]) -> str:
    start, stop, step = values
    return call_message(
        f"arange: from {start} to {stop} in steps of {step} there are too many numbers",
        node,
        *node.inputs,
    )


def _no_length(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        "arange: the number of steps is not finite, or too large", node, *node.inputs
    )


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Return ``start, start + step, …`` up to ``stop``, which is not included.

    Integers are int64 by default; floats have the promoted dtype of the arguments (floatX for
    Python floats under floatX=float32).

    Examples
    --------
    >>> arange(1, 6, 2).eval().tolist()
    [1, 3, 5]
    """
    if stop is None:
        start, stop = 0, start
    items = [as_tensor_variable(item) for item in (start, stop, step)]
    for item in items:
        if item.ndim:
            raise TypeError(build_message(f"arange takes scalars, got {item.ndim} dims", item))
    if dtype is None:
        dtype = dtypes.upcast(*(item.dtype for item in items))
        if dtypes.is_discrete(dtype):
            dtype = "int64"
        elif (
            config.floatX == "float32"
            and dtype == "float64"
            and not any(item.dtype == "float64" for item in items)
        ):
            dtype = "float32"
    return ARange(dtypes.canonical(dtype))(*items)


class Eye(TensorOp):
    """Ones on a diagonal; inputs are 0-d rows, columns and the diagonal's number."""

    takes = "l0 l0 l0"

    def __init__(self, dtype: str) -> None:
        self.dtype = dtypes.canonical(dtype)

    __props__ = ("dtype",)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a matrix."""
        return [TensorType(self.dtype, static_dims(inputs[:2]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The lengths are inputs."""
        return [tuple(dim_value(item) for item in node.inputs[:2])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        n, m, k = (int(item) for item in inputs)
        for axis, length in enumerate((n, m)):
            if length < 0:
                raise ValueError(_negative_side(node, axis, [length]))
        output_storage[0][0] = np.eye(n, m, k, dtype=self.dtype)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """There are no gradients."""
        return [None, None, None]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """There are no gradients."""
        return [[False], [False], [False]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Neither length is negative."""
        dims = (dim_value(item) for item in node.inputs[:2])
        return [
            Requirement(dim >= 0, (dim,), partial(_negative_side, node, axis), code="value")
            for axis, dim in enumerate(dims)
            if not isinstance(dim, int) and not is_length(dim)
        ]

    def element(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Compare column and row."""
        diagonal = b.let("add", "int64", [b.operand(index[0]), b.cast(read(2, ()), "int64")])
        on = b.let("eq", "bool", [b.operand(index[1]), diagonal])
        return b.cast(on, self.dtype)


def _negative_side(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(f"eye: axis {axis} can't have length {values[0]}", node, node.inputs[axis])


def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """Return a matrix of ``n`` rows and ``m`` columns with ones on the ``k``-th diagonal.

    Examples
    --------
    >>> eye(2, dtype="int8").eval().tolist()
    [[1, 0], [0, 1]]
    """
    rows, columns = as_dims((n, n if m is None else m))
    for dim in static_dims((rows, columns)):
        if dim is not None and dim < 0:
            raise ValueError(build_message(f"eye: a length can't be {dim}"))
    return Eye(dtypes.canonical(dtype or config.floatX))(rows, columns, cast(k, "int64"))


def identity_like(x: Any, dtype: Any = None) -> Any:
    """Return an identity matrix of the shape and dtype of the matrix ``x``.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> identity_like(T.as_tensor([[3, 4], [5, 6]])).eval().tolist()
    [[1, 0], [0, 1]]
    """
    x = as_tensor_variable(x)
    return eye(x.shape[0], x.shape[1], 0, dtype or x.dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """Return ``fill_value`` repeated to a shape; its own dtype unless one is given.

    Examples
    --------
    >>> full((2, 2), 7).eval().tolist()
    [[7, 7], [7, 7]]
    """
    value = as_tensor_variable(fill_value)
    return _repeated(value if dtype is None else cast(value, dtype), shape)


def empty(shape: Any, dtype: Any = None) -> Any:
    """Return an array whose elements are arbitrary; they are currently zeros.

    Examples
    --------
    >>> empty((2, 3)).type
    TensorType(float64, (2, 3))
    """
    return zeros(shape, dtype)


def empty_like(model: Any, dtype: Any = None, shape: Any = None) -> Any:
    """Return an array like ``model`` whose elements are arbitrary; see :func:`empty`.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> empty_like(T.fmatrix("x")).type
    TensorType(float32, matrix)
    """
    return zeros_like(model, dtype, shape=shape)


class AllocEmpty:
    """Theano's form of :func:`empty`: made with a dtype, then called with the lengths.

    Examples
    --------
    >>> AllocEmpty("float32")(2, 3).type
    TensorType(float32, (2, 3))
    """

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtypes.canonical(dtype)

    def __call__(self, *shape: Any) -> Any:
        """Return an array of these lengths."""
        return zeros(shape, self.dtype)
