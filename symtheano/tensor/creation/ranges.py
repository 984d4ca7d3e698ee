"""arange: evenly spaced numbers with a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import Element
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.elemwise import gradient_like
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS, interval
from symtheano.tensor.shapes.shape import (
    is_length,
)
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.operands import Operand


class ARange(Op):
    """Evenly spaced integers or floats; inputs are 0-d start, stop and step."""

    __call__: Callable[..., Tensor]
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
        static_length = node.outputs[0].type.shape[0]
        if static_length is not None:
            return [(static_length,)]
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
        requirements = []
        if not isinstance(step, Constant):
            message = partial(_no_step, node)
            requirements.append(Requirement(scalar.neq(step, 0), (), message, code="value"))
        if node.outputs[0].type.shape[0] is not None:
            return requirements
        if all(dtypes.is_discrete(item.dtype) for item in node.inputs):
            if not _is_ahead(start, step):
                numbers = tuple(cast(item, "int64") for item in node.inputs)
                count = _wide_length(start, stop, step)
                fits = scalar.le(count, constant(MOST_ELEMENTS, dtype="uint64"))
                requirements.append(
                    Requirement(fits, numbers, partial(_too_far, node), error=MemoryError)
                )
        else:
            count = _float_length(start, stop, step)
            message = partial(_no_length, node)
            requirements.append(Requirement(count < MOST_ELEMENTS, (), message, code="value"))
        return requirements

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

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
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

    def vectorize(self, node: Apply, batch: Any) -> Any:
        return batch.refuse(node, "its length would differ from item to item")

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """``stop`` only affects the length."""
        return [[True], [False], [True]]

    @Element
    def lowering(
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


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
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
