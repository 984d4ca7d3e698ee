"""TensorVariable: a symbolic array with NumPy's operators and methods.

The methods are functions of other modules, so this module is imported after them. Modules that come
before reach functions of later ones through the methods of the variables that they have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from symtheano.dtypes import is_complex
from symtheano.errors import MisfitError, format_misfit, printable_name
from symtheano.graph.claims import exclusively
from symtheano.graph.lifted import Lifted
from symtheano.graph.origin import current_origin
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Constant
from symtheano.keywords import OF_REDUCTIONS, explained
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor as Tensor
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.basic import cast, constant, round as round_
from symtheano.tensor.creation.filled import fill, ones_like, zeros_like
from symtheano.tensor.elemwise import dimshuffle, elemwise
from symtheano.tensor.indexing.subtensor import take
from symtheano.tensor.linalg.dot import dot
from symtheano.tensor.messages import label
from symtheano.tensor.operators import NumPyProtocols, Operators, Scalar
from symtheano.tensor.reductions import argmax as argmax_of, moments, reduce
from symtheano.tensor.shapes.axes import squeeze, swapaxes, transpose
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.reshape import flatten, reshape
from symtheano.tensor.shapes.shape import shape, size
from symtheano.tensor.type import StaticShape, TensorType


class TensorMixin(Operators, NumPyProtocols):
    """Attributes, operators and methods of symbolic arrays."""

    __slots__ = ()

    def apply_scalar(self, op: ScalarOp, operands: Sequence[Any]) -> Any:
        """Apply a row of the scalar table elementwise; used when a row is called."""
        if op is scalar.conj and not is_complex(self.dtype):
            return self
        return elemwise(op)(*operands)

    def stack_with(self, items: Sequence[Any]) -> Tensor:
        """Return nested lists of arrays as one array; used when a list becomes an array."""
        return stack(items)

    def with_lengths(self, shape: Sequence[int | None]) -> Tensor:
        """Return the array with declared lengths; used when it is converted to another type."""
        from symtheano.tensor.shapes.static_shape import specify_shape

        return specify_shape(self, shape)

    def requiring(self, others: Sequence[Any]) -> Tensor:
        """Return the array, requiring what the nodes of other arrays require of lengths."""
        from symtheano.tensor.assertion import keep_required

        return keep_required(self, others)

    # -- attributes ---------------------------------------------------------------------------

    @property
    def dtype(self) -> str:
        """Dtype of the elements."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.type.ndim

    @property
    def broadcastable(self) -> tuple[bool, ...]:
        """For each axis, whether its length is known to be 1."""
        return self.type.broadcastable

    @property
    def static_shape(self) -> StaticShape:
        """The lengths that are known when the graph is built; None for the others."""
        return self.type.shape

    @property
    def shape(self) -> Tensor:
        """The shape as a symbolic int64 vector."""
        return shape(self)

    @property
    def size(self) -> Tensor:
        """Number of elements, symbolic."""
        return size(self)

    @property
    def T(self) -> Tensor:
        """The array with its axes reversed."""
        return self.transpose()

    @property
    def real(self) -> Tensor:
        """Real part."""
        return scalar.real(self)

    @property
    def imag(self) -> Tensor:
        """Imaginary part."""
        return scalar.imag(self)

    # -- methods ------------------------------------------------------------------------------

    def astype(self, dtype: Any) -> Tensor:
        """Return the array converted to another dtype."""
        return cast(self, dtype)

    def constant_like(self, value: Scalar) -> Tensor:
        """Return a number as a 0-d constant of this array's dtype."""
        return constant(value, dtype=self.dtype)

    def dimshuffle(self, *pattern: Any) -> Tensor:
        """Return the array with reordered axes; ``"x"`` inserts an axis of length 1.

        Axes that are omitted must have static length 1.
        """
        return dimshuffle(self, *pattern)

    def transpose(self, *axes: Any) -> Tensor:
        """Return the array with permuted axes; by default, the axes are reversed."""
        order: Any = axes
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], list | tuple | np.ndarray)):
            order = axes[0]
        return transpose(self, None if order is None or len(order) == 0 else order)

    def reshape(self, *shape: Any, ndim: int | None = None) -> Tensor:
        """Return the array with another shape; one length may be -1."""
        return reshape(self, shape[0] if len(shape) == 1 else shape, ndim)

    def flatten(self, ndim: int = 1) -> Tensor:
        """Return the array with its last axes merged, so that it has ``ndim`` axes."""
        return flatten(self, ndim)

    def ravel(self) -> Tensor:
        """Return the array as a vector."""
        return self.flatten()

    def squeeze(self, axis: Any = None) -> Tensor:
        """Return the array without its axes of static length 1."""
        return squeeze(self, axis)

    def swapaxes(self, axis1: int, axis2: int) -> Tensor:
        """Return the array with two axes exchanged."""
        return swapaxes(self, axis1, axis2)

    def zeros_like(self, dtype: Any = None) -> Tensor:
        """Return zeros of this array's shape."""
        return zeros_like(self, dtype)

    def ones_like(self, dtype: Any = None) -> Tensor:
        """Return ones of this array's shape."""
        return ones_like(self, dtype)

    def fill(self, value: Any) -> Tensor:
        """Return ``value`` broadcast to this array's shape."""
        return fill(self, value)

    def copy(self, name: str | None = None) -> Tensor:
        """Return a new variable with the same value."""
        twin = scalar.identity(self)
        twin.name = name
        return twin

    def dot(self, other: Any) -> Tensor:
        """Return the product ``dot(self, other)``."""
        return dot(self, other)

    @explained(OF_REDUCTIONS)
    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
            acc_dtype: Any = None) -> Tensor:  # fmt: skip
        """Sum over ``axis`` (all axes by default)."""
        return reduce.sum(self, axis, dtype, keepdims, acc_dtype)

    @explained(OF_REDUCTIONS)
    def prod(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
             acc_dtype: Any = None) -> Tensor:  # fmt: skip
        """Product over ``axis``."""
        return reduce.prod(self, axis, dtype, keepdims, acc_dtype)

    @explained(OF_REDUCTIONS)
    def mean(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
             acc_dtype: Any = None) -> Tensor:  # fmt: skip
        """Arithmetic mean over ``axis``."""
        return moments.mean(self, axis, dtype, keepdims=keepdims, acc_dtype=acc_dtype)

    @explained(OF_REDUCTIONS)
    def var(self, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
        """Variance over ``axis``."""
        return moments.var(self, axis, ddof, keepdims)

    @explained(OF_REDUCTIONS)
    def std(self, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
        """Standard deviation over ``axis``."""
        return moments.std(self, axis, ddof, keepdims)

    @explained(OF_REDUCTIONS)
    def max(self, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
        """Maximum over ``axis``; NaN if an element is NaN."""
        return reduce.max(self, axis, keepdims, initial)

    @explained(OF_REDUCTIONS)
    def min(self, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
        """Minimum over ``axis``; NaN if an element is NaN."""
        return reduce.min(self, axis, keepdims, initial)

    @explained(OF_REDUCTIONS)
    def any(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """Whether any element along ``axis`` is true."""
        return reduce.any(self, axis, keepdims)

    @explained(OF_REDUCTIONS)
    def all(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """Whether all elements along ``axis`` are true."""
        return reduce.all(self, axis, keepdims)

    @explained(OF_REDUCTIONS)
    def argmax(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """Position of the first maximum along ``axis``."""
        return argmax_of.argmax(self, axis, keepdims)

    @explained(OF_REDUCTIONS)
    def argmin(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """Position of the first minimum along ``axis``."""
        return argmax_of.argmin(self, axis, keepdims)

    @explained(OF_REDUCTIONS)
    def norm(self, L: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
        """Return the norm of order ``L`` over ``axis``."""
        return moments.norm(self, L, axis, keepdims)

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> Tensor:
        """Return the items at ``indices`` along ``axis``."""
        return take(self, indices, axis, mode)

    def clip(self, a_min: Any, a_max: Any) -> Tensor:
        """Return the elements limited to an interval."""
        return scalar.clip(self, a_min, a_max)

    def conj(self) -> Tensor:
        """Return the complex conjugate; the array itself if it is real."""
        return scalar.conj(self)

    def round(self, mode: str | int | None = None) -> Tensor:
        """Return the elements rounded to integers, halves to even by default, or to decimals."""
        return round_(self, mode)

    def __round__(self, ndigits: int | None = None) -> Tensor:
        return round_(self, ndigits)


TensorMixin.conjugate = TensorMixin.conj  # type: ignore[attr-defined]


class TensorVariable(TensorMixin, Tensor):
    """A symbolic array."""

    __slots__ = ()


class TensorConstant(TensorMixin, Tensor, Constant):
    """An array whose value is known when the graph is built."""

    __slots__ = ("_signature",)

    def __init__(self, type: Any, data: Any, name: str | None = None) -> None:
        super().__init__(type, data, name)
        self._signature: tuple[Any, ...] | None = None

    def signature(self) -> tuple[Any, ...]:
        """Return type and bytes, a key that distinguishes 0.0 from -0.0 and supports NaN."""
        if self._signature is None:
            self._signature = (self.type, self.data.tobytes())
        return self._signature

    def __repr__(self) -> str:
        if self.name is not None:
            return printable_name(self.name)
        if self.data.ndim and self.data.size > 1:
            flat = self.data.reshape(-1)
            if (flat == flat[0]).all():
                return f"TensorConstant{{{self.data.shape} of {flat[0]}}}"
            if self.data.size > 6:
                return f"TensorConstant{{array of shape {self.data.shape}}}"
            return f"TensorConstant{{{self.data.tolist()}}}"
        if self.data.ndim and self.data.size == 1:
            return f"TensorConstant{{{self.data.shape} of {self.data.item()}}}"
        return f"TensorConstant{{{self.data.item() if self.data.size else '[]'}}}"


class LiftedConstant(TensorMixin, Tensor, Lifted):
    """An array of :class:`Lifted` constants, with the operators that rules use."""

    __slots__ = ()


class TensorSharedVariable(TensorMixin, Tensor, SharedVariable):
    """A symbolic array that keeps its value between calls."""

    __slots__ = ()

    type: TensorType

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Any:
        """Return the value.

        Parameters
        ----------
        borrow
            Whether to return the array itself, and not a copy.
        return_internal_type
            Whether to return a value on a device as the array there, and not as a NumPy array.
        """
        value: Any = self.container.value if borrow else self.container.read()
        if not (return_internal_type or isinstance(value, np.ndarray)):
            return np.asarray(value)
        return value if borrow else value.copy()

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Set the value. It is copied, unless ``borrow`` is true and the array needs no conversion.

        Raises
        ------
        MisfitError
            If dtype, number of dimensions or a static length does not match. The old value is kept.
        """
        try:
            value = self.type.filter(
                new_value, strict=self.strict, allow_downcast=self.allow_downcast
            )
        except MisfitError as error:
            name = label(self)
            raise MisfitError(
                format_misfit(
                    f"set_value: bad value for {name}",
                    error,
                    new_value,
                    wanted=(name, str(self.type)),
                    places=[current_origin(), self.origin],
                )
            ) from None
        self.container.put(owned(value, borrow))

    def zero(self, borrow: bool = False) -> None:
        """Set all elements to zero."""
        storage = self.container.storage

        def clear() -> None:
            storage[0] = np.zeros_like(storage[0])

        exclusively([storage], clear)


Dim: TypeAlias = int | Tensor
"""The length of an axis: a number, or a 0-d int64 variable."""


def owned(value: np.ndarray[Any, Any], borrow: bool) -> np.ndarray[Any, Any]:
    """Return an array that a shared variable may keep: C-contiguous, aligned and writable."""
    usable = value.flags.c_contiguous and value.flags.aligned and value.flags.writeable
    return value if borrow and usable else np.array(value, order="C", copy=True)


# Types and functions are defined before their variables, which have them as methods.
TensorType.variable_class = TensorVariable
TensorType.constant_class = TensorConstant
