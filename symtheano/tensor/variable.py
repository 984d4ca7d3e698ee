"""TensorVariable: a symbolic array with NumPy's operators and methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from symtheano.dtypes import is_complex
from symtheano.errors import MisfitError, format_misfit
from symtheano.graph.claims import exclusively
from symtheano.graph.origin import current_origin
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Constant, Variable
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.messages import label
from symtheano.tensor.operators import Operators, Scalar
from symtheano.tensor.type import StaticShape


class TensorMixin(Operators):
    """Attributes, operators and methods of symbolic arrays."""

    __slots__ = ()

    def apply_scalar(self, op: ScalarOp, operands: Sequence[Any]) -> Any:
        """Apply a row of the scalar table elementwise; used when a row is called."""
        from symtheano.tensor.elemwise import elemwise

        if op is scalar.conj and not is_complex(self.dtype):
            return self
        return elemwise(op)(*operands)

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
    def shape(self) -> Any:
        """The shape as a symbolic int64 vector."""
        from symtheano.tensor.shapes.shape import shape

        return shape(self)

    @property
    def size(self) -> Any:
        """Number of elements, symbolic."""
        from symtheano.tensor.shapes.shape import size

        return size(self)

    @property
    def T(self) -> Any:
        """The array with its axes reversed."""
        return self.transpose()

    @property
    def real(self) -> Any:
        """Real part."""
        return scalar.real(self)

    @property
    def imag(self) -> Any:
        """Imaginary part."""
        return scalar.imag(self)

    # -- methods ------------------------------------------------------------------------------

    def astype(self, dtype: Any) -> Any:
        """Return the array converted to another dtype."""
        from symtheano.tensor.basic import cast

        return cast(self, dtype)

    def constant_like(self, value: Scalar) -> Any:
        """Return a number as a 0-d constant of this array's dtype."""
        from symtheano.tensor.basic import constant

        return constant(value, dtype=self.dtype)

    def dimshuffle(self, *pattern: Any) -> Any:
        """Return the array with reordered axes; ``"x"`` inserts an axis of length 1.

        Axes that are omitted must have static length 1.
        """
        from symtheano.tensor.elemwise import dimshuffle

        return dimshuffle(self, *pattern)

    def transpose(self, *axes: Any) -> Any:
        """Return the array with permuted axes; by default, the axes are reversed."""
        from symtheano.tensor.shapes.axes import transpose

        given: Any = axes
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], list | tuple | np.ndarray)):
            given = axes[0]
        return transpose(self, None if given is None or len(given) == 0 else given)

    def reshape(self, *shape: Any, ndim: int | None = None) -> Any:
        """Return the array with another shape; one length may be -1."""
        from symtheano.tensor.shapes.shape import reshape

        return reshape(self, shape[0] if len(shape) == 1 else shape, ndim)

    def flatten(self, ndim: int = 1) -> Any:
        """Return the array with its last axes combined, so that it has ``ndim`` axes."""
        from symtheano.tensor.shapes.shape import flatten

        return flatten(self, ndim)

    def ravel(self) -> Any:
        """Return the array as a vector."""
        return self.flatten()

    def squeeze(self, axis: Any = None) -> Any:
        """Return the array without its axes of static length 1."""
        from symtheano.tensor.shapes.axes import squeeze

        return squeeze(self, axis)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Return the array with two axes exchanged."""
        from symtheano.tensor.shapes.axes import swapaxes

        return swapaxes(self, axis1, axis2)

    def zeros_like(self, dtype: Any = None) -> Any:
        """Return zeros of this array's shape."""
        from symtheano.tensor.creation.filled import zeros_like

        return zeros_like(self, dtype)

    def ones_like(self, dtype: Any = None) -> Any:
        """Return ones of this array's shape."""
        from symtheano.tensor.creation.filled import ones_like

        return ones_like(self, dtype)

    def fill(self, value: Any) -> Any:
        """Return ``value`` broadcast to this array's shape."""
        from symtheano.tensor.creation.filled import fill

        return fill(self, value)

    def copy(self, name: str | None = None) -> Any:
        """Return a new variable with the same value."""
        twin = scalar.identity(self)
        twin.name = name
        return twin

    def dot(self, other: Any) -> Any:
        """Return the product ``dot(self, other)``."""
        from symtheano.tensor.linalg.dot import dot

        return dot(self, other)

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
            acc_dtype: Any = None) -> Any:  # fmt: skip
        """Sum over ``axis`` (all axes by default)."""
        from symtheano.tensor.reductions import reduce

        return reduce.sum(self, axis, dtype, keepdims, acc_dtype)

    def prod(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
             acc_dtype: Any = None) -> Any:  # fmt: skip
        """Product over ``axis``."""
        from symtheano.tensor.reductions import reduce

        return reduce.prod(self, axis, dtype, keepdims, acc_dtype)

    def mean(self, axis: Any = None, dtype: Any = None, keepdims: bool = False,
             acc_dtype: Any = None) -> Any:  # fmt: skip
        """Arithmetic mean over ``axis``."""
        from symtheano.tensor.reductions import reduce

        return reduce.mean(self, axis, dtype, keepdims=keepdims, acc_dtype=acc_dtype)

    def var(self, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
        """Variance over ``axis``."""
        from symtheano.tensor.reductions import reduce

        return reduce.var(self, axis, ddof, keepdims)

    def std(self, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
        """Standard deviation over ``axis``."""
        from symtheano.tensor.reductions import reduce

        return reduce.std(self, axis, ddof, keepdims)

    def max(self, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
        """Maximum over ``axis``; NaN if there is one."""
        from symtheano.tensor.reductions import reduce

        return reduce.max(self, axis, keepdims, initial)

    def min(self, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
        """Minimum over ``axis``; NaN if there is one."""
        from symtheano.tensor.reductions import reduce

        return reduce.min(self, axis, keepdims, initial)

    def any(self, axis: Any = None, keepdims: bool = False) -> Any:
        """Whether any element along ``axis`` is true."""
        from symtheano.tensor.reductions import reduce

        return reduce.any(self, axis, keepdims)

    def all(self, axis: Any = None, keepdims: bool = False) -> Any:
        """Whether all elements along ``axis`` are true."""
        from symtheano.tensor.reductions import reduce

        return reduce.all(self, axis, keepdims)

    def argmax(self, axis: Any = None, keepdims: bool = False) -> Any:
        """Position of the first maximum along ``axis``."""
        from symtheano.tensor.reductions import reduce

        return reduce.argmax(self, axis, keepdims)

    def argmin(self, axis: Any = None, keepdims: bool = False) -> Any:
        """Position of the first minimum along ``axis``."""
        from symtheano.tensor.reductions import reduce

        return reduce.argmin(self, axis, keepdims)

    def norm(self, L: Any, axis: Any = None, keepdims: bool = False) -> Any:
        """Return the L-norm over ``axis``."""
        from symtheano.tensor.reductions import reduce

        return reduce.norm(self, L, axis, keepdims)

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
        """Return the items at ``indices`` along ``axis``."""
        from symtheano.tensor.indexing.subtensor import take

        return take(self, indices, axis, mode)

    def clip(self, a_min: Any, a_max: Any) -> Any:
        """Return the elements limited to an interval."""
        return scalar.clip(self, a_min, a_max)

    def conj(self) -> Any:
        """Return the complex conjugate; the array itself if it is real."""
        return scalar.conj(self)

    def round(self, mode: str | None = None) -> Any:
        """Return the elements rounded to integers, halves to even by default."""
        from symtheano.tensor.basic import round as round_

        return round_(self, mode)


# Functions whose first argument is the array, which are also methods.
_FUNCTIONS = """
    arccos arccosh arcsin arcsinh arctan arctanh ceil cos cosh deg2rad exp exp2 expm1 floor log
    log10 log1p log2 rad2deg sin sinh sqrt tan tanh trunc
    argsort argtopk choose compress cumprod cumsum diagonal get_scalar_constant_value nonzero
    nonzero_values ptp repeat searchsorted sort topk trace transfer
""".split()


def _method(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        import symtheano.tensor as functions

        return getattr(functions, name)(self, *args, **kwargs)

    method.__name__, method.__qualname__ = name, f"TensorMixin.{name}"
    method.__code__ = method.__code__.replace(co_name=name)
    method.__doc__ = f"Return ``{name}(self, ...)``; see :func:`symtheano.tensor.{name}`."
    return method


for _name in _FUNCTIONS:
    setattr(TensorMixin, _name, _method(_name))
TensorMixin.conjugate = TensorMixin.conj  # type: ignore[attr-defined]


class TensorVariable(TensorMixin, Variable):
    """A symbolic array."""

    __slots__ = ()


class TensorConstant(TensorMixin, Constant):
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
            return str(self.name)
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


class LiftedConstant(TensorVariable):
    """An input of compiled code in the place of a large constant, whose numbers no code holds.

    Attributes
    ----------
    data
        The constant's array.
    """

    __slots__ = ("data",)

    def __init__(self, constant: TensorConstant) -> None:
        super().__init__(constant.type, name=constant.name or "table")
        self.data = constant.data


class TensorSharedVariable(TensorMixin, SharedVariable):
    """A symbolic array that keeps its value between calls."""

    __slots__ = ()

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Any:
        """Return the value; a copy, unless ``borrow`` is true."""
        if borrow:
            return self.container.value
        return self.container.read().copy()

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Set the value; it is copied, unless ``borrow`` is true and the array fits as it is.

        Raises
        ------
        MisfitError
            If dtype, number of dimensions or a static length does not match; the old value is kept.
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


Tensor: TypeAlias = TensorVariable | TensorConstant | TensorSharedVariable
"""Any symbolic array."""
Dim: TypeAlias = int | Tensor
"""The length of an axis: a number, or a 0-d int64 variable."""


def owned(value: np.ndarray[Any, Any], borrow: bool) -> np.ndarray[Any, Any]:
    """Return an array that a shared variable may keep: C-contiguous, aligned and writable."""
    usable = value.flags.c_contiguous and value.flags.aligned and value.flags.writeable
    return value if borrow and usable else np.array(value, order="C", copy=True)
