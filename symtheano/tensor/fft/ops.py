"""The transforms along one axis: of complex numbers, of real ones, and back to real ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message, call_message, op_name
from symtheano.tensor.shapes.shape import as_dim, dim_value, shape_of, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays, View

FACTORS = ("1", "1/sqrt(n)", "1/n")
"""Factors of a transform of n numbers."""

# NumPy's names for them.
_FORWARD: dict[str, Any] = dict(zip(FACTORS, ("backward", "ortho", "forward"), strict=True))
_INVERSE: dict[str, Any] = dict(zip(FACTORS, ("forward", "ortho", "backward"), strict=True))
_FLOATS = ("float32", "float64")
_CONTINUOUS = (*_FLOATS, "complex64", "complex128")


class AlongAxis(Op):
    """Base class of the transforms, which are linear maps along one axis.

    Attributes
    ----------
    factor
        One of :data:`FACTORS`.
    axis
        The axis, relative to the last one: -1.
    """

    takes = "**..."

    factor: str
    axis: int

    def _set(self, factor: str, axis: int) -> None:
        if factor not in FACTORS or axis >= 0:
            raise ValueError(build_message(f"no transform has factor={factor!r}, axis={axis}"))
        self.factor, self.axis = factor, int(axis)

    def _check_axis(self, ndim: int, a: Any) -> None:
        if ndim + self.axis < 0:
            raise TypeError(build_message(f"{op_name(self)}: no axis {self.axis}", a))

    def _call(
        self, b: Builder, node: Apply, name: str, core: View, length: Any, *arguments: Any
    ) -> None:
        """Call a routine for an array with the axes of ``core``."""
        from symtheano.loopir.index import product

        place = core.ndim + self.axis
        outer, inner = product(core.shape[:place]), product(core.shape[place + 1 :])
        status = b.call(name, outer, length, inner, *arguments)
        assert status is not None
        tables = length * 4 * np.dtype(dtypes.complex_of(core.dtype)).itemsize
        b.check(b.is_zero(status), "memory", partial(_no_memory, node), [tables])

    def _number(self) -> int:
        return FACTORS.index(self.factor)

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """A linear map."""
        point = eval_points[0]
        return [None if point is None else self(point, *inputs[1:])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """The axis is relative to the last one."""
        if any(batch.batched[1:]):
            raise NotImplementedError(
                build_message(
                    f"{op_name(self)}: all transforms of a batch must have the same length"
                )
            )
        return [self(*batch.inputs)]


class FFTOp(AlongAxis):
    """The transform of complex or real numbers.

    Attributes
    ----------
    inverse
        Whether the sign of the exponent is positive.
    """

    __props__ = ("inverse", "factor", "axis")

    def __init__(self, inverse: bool = False, factor: str = "1", axis: int = -1) -> None:
        self.inverse = bool(inverse)
        self._set(factor, axis)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        (a,) = inputs
        if a.dtype not in _CONTINUOUS:
            raise TypeError(build_message("fft takes arrays of float32, float64 or complex", a))
        self._check_axis(a.ndim, a)
        return [TensorType(dtypes.complex_of(a.dtype), a.type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The axis is not empty."""
        return _filled(node, shapes[0][self.axis])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        if a.shape[self.axis] == 0:
            raise ShapeError(_nothing(node, [0]))
        norms, function = (_INVERSE, np.fft.ifft) if self.inverse else (_FORWARD, np.fft.fft)
        with np.errstate(all="ignore"):
            transform = function(a, axis=self.axis, norm=norms[self.factor])
        output_storage[0][0] = transform.astype(node.outputs[0].dtype, copy=False)

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (a,), (z,) = arrays.inputs, arrays.outputs
        arguments = (int(self.inverse), self._number(), a.address, z.address)
        self._call(b, node, "fft", a, a.shape[self.axis], *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The adjoint has the other sign."""
        adjoint = FFTOp(not self.inverse, self.factor, self.axis)(output_grads[0])
        return [adjoint if dtypes.is_complex(inputs[0].dtype) else scalar.real(adjoint)]


class RFFTOp(AlongAxis):
    """The transform of real numbers; only the nonredundant half is computed.

    Attributes
    ----------
    pairs
        Whether real and imaginary part are an additional axis of length 2, instead of a complex
        dtype. ``axis`` refers to the axes before it.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("factor", "axis", "pairs")

    def __init__(self, factor: str = "1", axis: int = -1, pairs: bool = False) -> None:
        self.pairs = bool(pairs)
        self._set(factor, axis)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Half of the axis."""
        (a,) = inputs
        if a.dtype not in _FLOATS:
            raise TypeError(build_message("rfft takes arrays of float32 or float64", a))
        self._check_axis(a.ndim, a)
        shape = _with_length(a.type.shape, self.axis, _half(a.type.shape[self.axis]))
        if self.pairs:
            return [TensorType(a.dtype, (*shape, 2))]
        return [TensorType(dtypes.complex_of(a.dtype), shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        shape = _with_length(shapes[0], self.axis, _half(shapes[0][self.axis]))
        return [(*shape, 2) if self.pairs else shape]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The axis is not empty."""
        return _filled(node, shapes[0][self.axis])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        if a.shape[self.axis] == 0:
            raise ShapeError(_nothing(node, [0]))
        with np.errstate(all="ignore"):
            half = np.fft.rfft(a, axis=self.axis, norm=_FORWARD[self.factor])
        if self.pairs:
            half = np.stack([half.real, half.imag], -1)
        output_storage[0][0] = half.astype(node.outputs[0].dtype, copy=False)

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (a,), (result,) = arrays.inputs, arrays.outputs
        arguments = (self._number(), a.address, result.address)
        self._call(b, node, "rfft", a, a.shape[self.axis], *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The adjoint: the inverse transform, in which most numbers occur twice."""
        (a,), (g,) = inputs, output_grads
        length = shape_of(a)[self.axis]
        back = IRFFTOp(self.factor, self.axis, self.pairs)
        return [back(g / _times_seen(length, a, -self.axis - 1 + self.pairs), as_dim(length))]


class IRFFTOp(AlongAxis):
    """Real numbers computed from half of their transform.

    Inputs are the array and the number of results along the axis: 0-d.

    Attributes
    ----------
    pairs
        As for :class:`RFFTOp`.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("factor", "axis", "pairs")
    takes = "*1+ l0"
    differentiable_inputs = 1

    def __init__(self, factor: str = "1", axis: int = -1, pairs: bool = False) -> None:
        self.pairs = bool(pairs)
        self._set(factor, axis)

    def _core(self, shape: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(shape[:-1]) if self.pairs else tuple(shape)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The requested number of results."""
        a, length = inputs
        if a.dtype not in (_FLOATS if self.pairs else _CONTINUOUS[2:]):
            wanted = "two parts of float32 or float64" if self.pairs else "complex numbers"
            raise TypeError(build_message(f"irfft takes arrays of {wanted}", a))
        if self.pairs and (a.ndim < 1 or a.type.shape[-1] not in (None, 2)):
            raise ShapeError(build_message("irfft: the last axis holds two parts", a))
        shape = self._core(a.type.shape)
        self._check_axis(len(shape), a)
        (static,) = static_dims([length])
        return [TensorType(dtypes.real_of(a.dtype), _with_length(shape, self.axis, static))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [_with_length(self._core(shapes[0]), self.axis, dim_value(node.inputs[1]))]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The length of the half matches the number of results."""
        length = dim_value(node.inputs[1])
        requirements = _filled(node, length)
        for got, wanted in self._lengths(shapes[0], length):
            if not (isinstance(got, int) and isinstance(wanted, int) and got == wanted):
                requirements.append(
                    Requirement(
                        scalar.eq(as_tensor_variable(got), wanted),
                        (got, wanted),
                        partial(_wrong_half, node),
                    )
                )
        return requirements

    def _lengths(self, shape: Sequence[Any], length: Any) -> list[tuple[Any, Any]]:
        """Return lengths of the array and the required lengths."""
        half = (self._core(shape)[self.axis], _half(length))
        return [half, (shape[-1], 2)] if self.pairs else [half]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        a, length = inputs[0], int(inputs[1])
        if length <= 0:
            raise ShapeError(_nothing(node, [length]))
        for got, wanted in self._lengths(a.shape, length):
            if got != wanted:
                raise ShapeError(_wrong_half(node, [got, wanted]))
        z = a[..., 0] + 1j * a[..., 1] if self.pairs else a
        with np.errstate(all="ignore"):
            signal = np.fft.irfft(z, length, self.axis, _INVERSE[self.factor])
        output_storage[0][0] = signal.astype(node.outputs[0].dtype, copy=False)

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        result = arrays.outputs[0]
        arguments = (self._number(), arrays.inputs[0].address, result.address)
        self._call(b, node, "irfft", result, result.shape[self.axis], *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The adjoint: the transform, most elements of which are doubled."""
        (g,) = output_grads
        there = RFFTOp(self.factor, self.axis, self.pairs)(g)
        return [there * _times_seen(dim_value(inputs[1]), g, -self.axis - 1 + self.pairs), None]


def _with_length(shape: Sequence[Any], axis: int, length: Any) -> tuple[Any, ...]:
    """Return a shape with another length along an axis."""
    place = len(shape) + axis
    return (*shape[:place], length, *shape[place + 1 :])


def _half(length: Any) -> Any:
    return None if length is None else length // 2 + 1


def _filled(node: Apply, length: Any) -> list[Requirement]:
    if isinstance(length, int) and length > 0:
        return []
    return [Requirement(as_tensor_variable(length) > 0, (length,), partial(_nothing, node))]


def _nothing(node: Apply, values: Sequence[int]) -> str:
    return call_message(f"{op_name(node.op)}: the length {values[0]} is less than 1", node,
                        node.inputs[0])  # fmt: skip


def _no_memory(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"{op_name(node.op)}: there is not enough memory for {values[0]} bytes of roots of one",
        node,
        node.inputs[0],
        hint="use smaller inputs, or transforms of other lengths",
    )


def _wrong_half(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"irfft: an axis has length {values[0]}, but must have length {values[1]}",
        node,
        node.inputs[0],
        hint="pass is_odd=True if the result has an odd number of elements",
    )


def _times_seen(length: Any, model: Any, after: int) -> Any:
    """Return how often each element of the half occurs in the full transform.

    ``after`` axes follow the one that is transformed.
    """
    place = arange(_half(length))
    once = scalar.or_(scalar.eq(place, 0), scalar.eq(place * 2, length))
    times = scalar.switch(once, model.constant_like(1), model.constant_like(2))
    return times.dimshuffle(0, *["x"] * after)
