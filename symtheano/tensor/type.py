"""TensorType: dtype and static shape of an array."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, NoReturn

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import MisfitError, describe_value, format_error, printable_name
from symtheano.graph.origin import current_origin
from symtheano.graph.type import Type, checked_name
from symtheano.graph.variable import Variable
from symtheano.scalar.operand import Tensor
from symtheano.tensor.arrays import as_array, refuse_masked

StaticShape = tuple[int | None, ...]

_NAMES = {0: "scalar", 1: "vector", 2: "matrix"}
_DOWNCAST = "cast it, or pass allow_input_downcast=True (of shared(): allow_downcast=True)"


class TensorType(Type):
    """The type of arrays with a dtype and a number of dimensions.

    Parameters
    ----------
    dtype
        Any of NumPy's spellings, or ``"floatX"``.
    shape
        Static shape: the length of each axis, with None for lengths that are only known in a call.
        Booleans are interpreted as ``broadcastable``.
    broadcastable
        Theano's form: True for an axis of length 1, False for any other.
    name
        Name for printing.

    Examples
    --------
    >>> TensorType("float32", shape=(None, 1))
    TensorType(float32, col)
    >>> TensorType("float64", broadcastable=(True, False)).shape
    (1, None)
    """

    __slots__ = ("_hash", "_ndim", "dtype", "name", "shape")

    variable_class: ClassVar[type[Tensor]]
    """The class of variables of this type; set by ``tensor/variable.py``."""
    constant_class: ClassVar[type[Any]]
    """The class of constants of this type; set by ``tensor/variable.py``."""

    def __init__(
        self,
        dtype: Any,
        shape: Sequence[int | bool | None] | None = None,
        name: str | None = None,
        broadcastable: Sequence[bool] | None = None,
    ) -> None:
        if (shape is None) == (broadcastable is None):
            hint = "give shape=(None, 3), with None for a length that only calls know"
            if isinstance(dtype, int | float | list | tuple | np.ndarray):
                hint = "T.constant(value) is a constant, symtheano.shared(value) a shared variable"
            what = "TensorType takes a dtype, and either shape or broadcastable"
            raise TypeError(format_error(what, places=[current_origin()], hint=hint))
        self.dtype = dtypes.canonical(dtype)
        self.shape: StaticShape = _static_shape(shape if shape is not None else broadcastable)
        self.name = name
        self._hash = hash((self.dtype, self.shape))
        self._ndim = len(self.shape)

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(dtype: str, shape: StaticShape) -> TensorType:
        """Return the type with a dtype and a static shape, which consists of ints and None.

        Nodes of a graph have few types, so each is made once.
        """
        return TensorType(dtype, shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._ndim

    @property
    def broadcastable(self) -> tuple[bool, ...]:
        """For each axis, whether its length is known to be 1."""
        return tuple(dim == 1 for dim in self.shape)

    @property
    def numpy_dtype(self) -> np.dtype[Any]:
        """The dtype as a NumPy object."""
        return np.dtype(self.dtype)

    def clone(
        self,
        dtype: str | None = None,
        shape: Sequence[int | None] | None = None,
        broadcastable: Sequence[bool] | None = None,
    ) -> TensorType:
        """Return this type with another dtype or static shape."""
        if broadcastable is not None:
            return TensorType(dtype or self.dtype, broadcastable=broadcastable)
        return TensorType(dtype or self.dtype, self.shape if shape is None else shape)

    def make_variable(self, name: str | None = None) -> Tensor:
        """Return a symbolic array of this type."""
        variable: Tensor = self.variable_class(self, name=name)
        return variable

    def __call__(self, name: str | None = None, *more: NoReturn, shape: Any = None) -> Tensor:
        """Return a new variable of this type, or with its dtype and another static shape.

        Examples
        --------
        >>> T.fmatrix("x", shape=(None, 3)).type
        TensorType(float32, (?, 3))
        """
        if more:
            raise TypeError(
                format_error(
                    f"a variable of {self} takes one name, got {1 + len(more)} values: "
                    f"{', '.join(map(describe_value, (name, *more)))}",
                    places=[current_origin()],
                    hint="the plural makes several variables: matrices('a', 'b')",
                )
            )
        kind = self if shape is None else self.clone(shape=shape)
        if kind.ndim != self.ndim:
            raise ValueError(
                format_error(
                    f"{self} has {self.ndim} dims, and the shape {shape} has {kind.ndim}",
                    places=[current_origin()],
                    hint="tensor(name, dtype, shape) makes a variable of any shape",
                )
            )
        return kind.make_variable(checked_name(name))

    def accepts(self, other: Type) -> bool:
        """Return whether every array of the type ``other`` also has this type."""
        return self is other or (
            isinstance(other, TensorType)
            and self.dtype == other.dtype
            and self._ndim == other._ndim
            and all(mine in (None, its) for mine, its in zip(self.shape, other.shape, strict=True))
        )

    def filter(
        self, value: Any, strict: bool = False, allow_downcast: bool | None = None
    ) -> np.ndarray[Any, Any]:
        """Return ``value`` as an array of this type.

        Arrays are converted if their dtype can be cast safely. Numbers and lists are converted if
        their values can be represented; Python floats are also converted to floatX.
        ``allow_downcast=True`` allows any conversion, ``strict`` none.

        Raises
        ------
        MisfitError
            If dtype, number of dimensions or a static length does not match.
        """
        array = self._converted(value, strict, allow_downcast)
        if array.ndim != self.ndim:
            raise MisfitError(
                f"wrong number of dims: {self} takes {self.ndim}, got {array.ndim} "
                f"with shape {array.shape}",
                f"reshape it to {self.ndim} dim{'s' * (self.ndim != 1)}, or declare a variable "
                f"with {array.ndim}",
            )
        for axis, (want, got) in enumerate(zip(self.shape, array.shape, strict=True)):
            if want is not None and want != got:
                raise MisfitError(
                    f"{self}: axis {axis} has static length {want}, got shape {array.shape}"
                )
        return array

    def filter_variable(self, other: Any, allow_convert: bool = True) -> Any:
        """Return a variable of this type: ``other``, or a constant for a number or array.

        With ``allow_convert``, a variable with a less specific static shape is converted, and a
        call checks the lengths.

        Raises
        ------
        TypeError
            If ``other`` can't be a variable of this type.

        Examples
        --------
        >>> T.drow.filter_variable(T.dmatrix("x")).type
        TensorType(float64, row)
        """
        if not isinstance(other, Variable):
            return self.make_constant(other)
        converted = self.convert_variable(other) if allow_convert or self == other.type else None
        if converted is None:
            raise TypeError(
                format_error(
                    f"{other.describe()} of type {other.type} can't become a {self}",
                    places=[other.origin],
                    hint="cast it, or change its dims with dimshuffle",
                )
            )
        return converted

    def convert_variable(self, var: Any) -> Any:
        """Return a variable converted to this type if only lengths must be checked, else None."""
        if self.accepts(var.type):
            return var
        fits = isinstance(var.type, TensorType) and (var.dtype, var.ndim) == (self.dtype, self.ndim)
        pairs = zip(self.shape, var.type.shape, strict=True) if fits else []
        if not fits or any(None not in pair and pair[0] != pair[1] for pair in pairs):
            return None
        return var.with_lengths(self.shape)

    def keep_required(self, variable: Any, others: Sequence[Any]) -> Any:
        """Return an array, and require what the nodes of ``others`` require of lengths."""
        return variable.requiring(others)

    def make_constant(self, value: Any, name: str | None = None) -> Any:
        """Return a constant of this type.

        Examples
        --------
        >>> TensorType("int8", (None,)).make_constant([1, 2]).data.dtype.name
        'int8'
        """
        data = np.array(self.filter(value), order="C")
        data.flags.writeable = False
        return self.constant_class(self, data, name)

    def dtype_specs(self) -> tuple[type, str, str]:
        """Return NumPy's type of an element, its C type, and NumPy's name of it in C.

        Examples
        --------
        >>> T.fmatrix.dtype_specs()
        (<class 'numpy.float32'>, 'npy_float32', 'NPY_FLOAT32')
        """
        return self.numpy_dtype.type, f"npy_{self.dtype}", f"NPY_{self.dtype.upper()}"

    def c_element_type(self) -> str:
        """Return the C type of an element.

        Examples
        --------
        >>> T.fmatrix.c_element_type()
        'npy_float32'
        """
        return self.dtype_specs()[1]

    def value_zeros(self, shape: Any) -> np.ndarray[Any, Any]:
        """Return zeros of this dtype."""
        return np.zeros(shape, self.dtype)

    @staticmethod
    def values_eq(a: Any, b: Any, force_same_dtype: bool = True) -> bool:
        """Return whether two arrays are equal, including their dtypes; NaN equals NaN."""
        a, b = np.asarray(a), np.asarray(b)
        if force_same_dtype and a.dtype != b.dtype:
            return False
        inexact = a.dtype.kind in "fc" and b.dtype.kind in "fc"
        return bool(np.array_equal(a, b, equal_nan=inexact))

    @staticmethod
    def values_eq_approx(
        a: Any,
        b: Any,
        allow_remove_inf: bool = False,
        allow_remove_nan: bool = False,
        rtol: float | None = None,
        atol: float | None = None,
    ) -> bool:
        """Return whether two arrays are equal within tolerances; see :func:`values_eq_approx`."""
        return values_eq_approx(a, b, allow_remove_inf, allow_remove_nan, rtol, atol)

    @staticmethod
    def may_share_memory(a: Any, b: Any) -> bool:
        """Return whether two arrays may overlap in memory; False for other objects."""
        both = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        return both and np.may_share_memory(a, b)

    def get_shape_info(self, obj: Any) -> tuple[int, ...]:
        """Return the shape of a value, for :meth:`get_size`."""
        return tuple(obj.shape)

    def get_size(self, shape_info: Sequence[int] | None) -> int:
        """Return the number of bytes of a value with this shape."""
        return math.prod(shape_info or ()) * self.numpy_dtype.itemsize

    def _converted(
        self, value: Any, strict: bool, allow_downcast: bool | None
    ) -> np.ndarray[Any, Any]:
        wanted = self.numpy_dtype
        if isinstance(value, np.ndarray):
            if value.__class__ is not np.ndarray:
                refuse_masked(value)
            if value.dtype == wanted:
                return value if value.dtype.isnative else value.astype(wanted)
            if strict:
                raise MisfitError(f"strict {self} takes {self.dtype} arrays, got {value.dtype}")
            if value.dtype.kind not in "biufc":
                raise MisfitError(f"{self} can't take an array of dtype {value.dtype}")
            self._refuse_complex(value.dtype)
            if allow_downcast or np.can_cast(value.dtype, wanted, "safe"):
                return dtypes.convert(value, self.dtype)
            raise MisfitError(
                f"{self} can't take an array of dtype {value.dtype} without losing precision",
                _DOWNCAST,
            )
        if strict:
            raise MisfitError(f"strict {self} takes NumPy arrays, got {type(value).__name__}")
        natural = self._natural(value)
        self._refuse_complex(natural.dtype)
        converted = dtypes.convert(natural, self.dtype)
        lossless = np.array_equal(converted, natural, equal_nan=natural.dtype.kind in "fc")
        floatx = allow_downcast is None and type(value) is float and self.dtype == config.floatX
        if allow_downcast or lossless or floatx:
            return converted
        if dtypes.is_discrete(self.dtype) and natural.dtype.kind in "iu":
            least, most = _range(self.dtype)
            raise MisfitError(f"{self} holds {least} to {most}", _DOWNCAST)
        raise MisfitError(f"{self} can't take this value without losing precision", _DOWNCAST)

    def _natural(self, value: Any) -> np.ndarray[Any, Any]:
        """Return numbers and lists as an array with the dtype chosen by NumPy."""
        if isinstance(value, Variable):
            raise MisfitError(
                f"{self} takes numbers, not symbolic variables",
                "compute it first (its eval()), or replace the input in the graph (givens)",
            )
        try:
            natural = as_array(value)
        except ValueError:
            raise MisfitError(
                f"{self} can't take a ragged list", "give rows of equal lengths"
            ) from None
        if natural.dtype.kind in "biufc":
            return natural
        if isinstance(value, int):
            raise MisfitError(f"{self} can't take an integer of {value.bit_length()} bits")
        sparse = hasattr(value, "toarray")
        raise MisfitError(
            f"{self} can't take a value of type {type(value).__name__}",
            "make it dense: value.toarray(), or declare the input with sparse.csr_matrix()"
            if sparse
            else None,
        )

    def _refuse_complex(self, dtype: np.dtype[Any]) -> None:
        if dtype.kind == "c" and not dtypes.is_complex(self.dtype):
            raise MisfitError(f"{self} can't take complex numbers", "take real(x) or abs(x)")

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, TensorType)
            and self.dtype == other.dtype
            and self.shape == other.shape
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        label = self.name or _NAMES.get(self.ndim)
        if self.broadcastable == (True, False):
            label = "row"
        elif self.broadcastable == (False, True):
            label = "col"
        elif label is None or any(dim is not None for dim in self.shape):
            label = f"({', '.join('?' if dim is None else str(dim) for dim in self.shape)})"
        return f"TensorType({self.dtype}, {printable_name(label)})"


def _range(dtype: str) -> tuple[int, int]:
    """Return the smallest and the largest number of a discrete dtype."""
    if dtype == "bool":
        return 0, 1
    limits = np.iinfo(dtype)
    return limits.min, limits.max


def _static_shape(dims: Any) -> StaticShape:
    if isinstance(dims, list | tuple | np.ndarray):
        return tuple([_static_dim(dim) for dim in dims])
    raise TypeError(
        format_error(
            f"TensorType: the shape must be a tuple, got {describe_value(dims)}",
            places=[current_origin()],
            hint="give a tuple with one item per dim: a length, or None if it is not known"
            + (f", here (None,) * {dims}" if isinstance(dims, int) else ""),
        )
    )


def _static_dim(dim: Any) -> int | None:
    if isinstance(dim, bool | np.bool_):
        return 1 if dim else None
    if dim is None:
        return None
    if not isinstance(dim, int | np.integer):
        raise TypeError(
            format_error(
                f"TensorType: a static length is an integer or None, not {describe_value(dim)}",
                places=[current_origin()],
            )
        )
    if not 0 <= dim < 1 << 63:
        raise ValueError(
            format_error(
                f"TensorType: a static length must be at least 0 and less than 2**63, got {dim}",
                places=[current_origin()],
            )
        )
    return int(dim)


# Relative and absolute tolerance of values_eq_approx.
_TOLERANCE = {"float16": (1e-2, 5e-3), "float32": (1e-5, 1e-5), "float64": (1e-5, 1e-8)}


def values_eq_approx(
    a: Any,
    b: Any,
    allow_remove_inf: bool = False,
    allow_remove_nan: bool = False,
    rtol: float | None = None,
    atol: float | None = None,
) -> bool:
    """Return whether two arrays are equal within tolerances; NaN equals NaN, and inf equals inf.

    Parameters
    ----------
    a, b
        Arrays. If their shapes or dtypes differ, they are not equal.
    allow_remove_inf, allow_remove_nan
        Whether an infinity, or NaN, in one array matches any value in the other.
    rtol, atol
        Relative and absolute tolerance, instead of those of the dtype. Integers are compared
        exactly.

    Examples
    --------
    >>> values_eq_approx(np.array([1.0, np.nan]), np.array([1.0 + 1e-9, np.nan]))
    True
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    relative, absolute = _TOLERANCE[dtypes.real_of(a.dtype.name)]
    with np.errstate(all="ignore"):
        same = np.isclose(
            a,
            b,
            relative if rtol is None else rtol,
            absolute if atol is None else atol,
            equal_nan=True,
        )
    if allow_remove_inf:
        same |= np.isinf(a) | np.isinf(b)
    if allow_remove_nan:
        same |= np.isnan(a) | np.isnan(b)
    return bool(same.all())
