"""Casts, rounding, and constructors of inputs."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.graph.type import checked_name
from symtheano.graph.variable import Constant
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.conversion import (
    as_tensor as as_tensor,
    as_tensor_variable as as_tensor_variable,
    constant as constant,
)
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.messages import build_message
from symtheano.tensor.type import TensorType


def cast(x: Any, dtype: Any) -> Tensor:
    """Return ``x`` converted to ``dtype``, or ``x`` itself if it already has this dtype.

    Raises
    ------
    TypeError
        If a complex array is cast to a real dtype; use ``real`` or ``abs`` first.

    Examples
    --------
    >>> T.cast(T.vector("v"), "int32").dtype
    'int32'
    """
    if dtype is None:
        raise TypeError(build_message("cast: the dtype is None", hint="give one, such as 'int32'"))
    array, dtype = as_tensor_variable(x), dtypes.canonical(dtype)
    if array.dtype == dtype:
        return array
    if dtypes.is_complex(array.dtype) and not dtypes.is_complex(dtype):
        raise TypeError(
            build_message(
                f"cast: {dtype} would lose the imaginary part of {array.dtype}",
                array,
                hint="take real(x) or abs(x) first",
            )
        )
    if isinstance(array, Constant):
        return constant(array.data, dtype=dtype)
    return elemwise(scalar.scalar_op(f"cast{{{dtype}}}"))(array)


def round(x: Any, mode: str | int | None = None) -> Tensor:
    """Return ``x`` rounded to integers, in its own dtype.

    ``mode`` is ``half_to_even`` (default) or ``half_away_from_zero``. An integer is a number of
    decimals, as in NumPy; negative ones round to tens, hundreds and so on.

    Examples
    --------
    >>> round([0.5, 1.5]).eval().tolist(), round([0.125, 0.375], 1).eval().tolist()
    ([0.0, 2.0], [0.1..., 0.4...])
    """
    if isinstance(mode, int) and not isinstance(mode, bool):
        return _round_to(as_tensor_variable(x), mode)
    rows = {
        None: "round_half_to_even",
        "half_to_even": "round_half_to_even",
        "half_away_from_zero": "round_half_away_from_zero",
    }
    if mode not in rows:
        raise ValueError(
            build_message(f"round: mode {mode!r} must be half_to_even or half_away_from_zero")
        )
    return elemwise(scalar.scalar_op(rows[mode]))(x)


def _round_to(x: Tensor, decimals: int) -> Tensor:
    """Return ``x`` rounded to decimals: multiplied, rounded and divided, as NumPy does."""
    if decimals == 0 or (decimals > 0 and dtypes.is_discrete(x.dtype)):
        return round(x)
    power = x.constant_like(10 ** abs(decimals))
    rounded: Tensor = round(x * power) / power if decimals > 0 else round(x / power) * power
    return cast(rounded, x.dtype)


# -- constructors of inputs --------------------------------------------------------------------

_LETTERS = {
    "b": "int8", "w": "int16", "i": "int32", "l": "int64", "f": "float32", "d": "float64",
    "c": "complex64", "z": "complex128",
}  # fmt: skip
_SHAPES: dict[str, tuple[int | None, ...]] = {
    "scalar": (),
    "vector": (None,),
    "row": (1, None),
    "col": (None, 1),
    "matrix": (None, None),
    **{f"tensor{ndim}": (None,) * ndim for ndim in builtins.range(3, 8)},
}
_PLURALS = {"scalar": "scalars", "vector": "vectors", "row": "rows", "col": "cols",
            "matrix": "matrices"}  # fmt: skip


def _constructor(name: str, dims: tuple[int | None, ...]) -> Callable[..., Any]:
    def make(name: str | None = None, dtype: Any = None, shape: Any = None) -> Any:
        if isinstance(dtype, str) and len(dtype) == 1:
            raise TypeError(
                build_message(
                    f"{make.__name__}({name!r}, {dtype!r}): the second argument is the dtype",
                    hint=f"{_PLURALS.get(make.__name__, make.__name__ + 's')}({name!r}, {dtype!r}) "
                    "makes two variables; write a dtype as in 'int8'",
                )
            )
        name = checked_name(name)  # first, as matrix(3, 3) means no dtype
        return TensorType(dtype or config.floatX, dims)(name, shape=shape)

    _rename(make, name)
    make.__doc__ = f"""Return a symbolic {name}; dtype floatX by default."""
    return make


def _plural(name: str, single: Callable[..., Any]) -> Callable[..., Any]:
    def make(*names: Any, **kwargs: Any) -> Any:
        if names and isinstance(names[0], int | np.integer):
            return [single(None, **kwargs) for _ in builtins.range(names[0])]
        if len(names) == 1:  # 'xy' as in Theano: one variable for each letter
            names = tuple(names[0])
        variables = [single(item, **kwargs) for item in names]
        return variables[0] if len(variables) == 1 else variables

    _rename(make, name)
    make.__doc__ = f"""Return several variables, one for each name; see ``{single.__name__}``.

    Names are given one by one, as a list, or as the letters of one string. A number ``n`` makes
    ``n`` variables without a name.
    """
    return make


def _rename(function: Any, name: str) -> None:
    """Give a function another name, also in tracebacks and in pickles, which look it up."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__.rpartition(".")[0]
    function.__code__ = function.__code__.replace(co_name=name)


def constructors() -> dict[str, Any]:
    """Return the input constructors by name: ``matrix``, ``fmatrix``, ``imatrices`` and so on."""
    by_name: dict[str, Any] = {}
    for label, shape in _SHAPES.items():
        plural = _PLURALS.get(label, f"{label}s")
        by_name[label] = _constructor(label, shape)
        by_name[plural] = _plural(plural, by_name[label])
        for letter, dtype in _LETTERS.items():
            kind = by_name[letter + label] = TensorType(dtype, shape)
            by_name[letter + plural] = _plural(letter + plural, _named(kind, letter + label))
    return by_name


def _named(kind: TensorType, name: str) -> Callable[..., Any]:
    def make(item: str | None = None, shape: Any = None) -> Any:
        return kind(item, shape=shape)

    make.__name__ = name
    return make


def tensor(
    first: str | None = None,
    /,
    dtype: Any = None,
    shape: Any = None,
    broadcastable: Any = None,
    *,
    name: str | None = None,
) -> Tensor:
    """Return a symbolic array of any dtype and static shape.

    The first argument is the name or, as in Theano, the dtype:
    ``tensor(dtype, broadcastable, name=...)``.

    Examples
    --------
    >>> tensor("x", "float64", (None, 3)).type
    TensorType(float64, (?, 3))
    >>> tensor("float32", (False, True)).type
    TensorType(float32, col)
    """
    if isinstance(first, list | tuple | np.ndarray | np.number | int | float):
        raise TypeError(
            build_message(
                f"tensor: the first argument is a name or a dtype, not {type(first).__name__}",
                hint="T.constant(value) is a constant, symtheano.shared(value) a shared variable",
            )
        )
    if isinstance(dtype, list | tuple) and shape is None and broadcastable is None:
        dtype, shape = None, dtype
    if dtype is None and first in (*dtypes.ALL, "floatX"):
        dtype = first
    elif first is not None:
        name = first
    kind = TensorType(dtype or config.floatX, shape=shape, broadcastable=broadcastable)
    return kind(name)


# -- Theano's older names ------------------------------------------------------------------------


def _conversion(dtype: str) -> Callable[[Any], Any]:
    def convert(x: Any) -> Any:
        return cast(x, dtype)

    convert.__name__ = convert.__qualname__ = f"_convert_to_{dtype}"
    convert.__doc__ = f"Return ``x`` converted to {dtype}."
    return convert


def conversions() -> dict[str, Any]:
    """Return Theano's conversion functions: ``_convert_to_int8`` and so on.

    Examples
    --------
    >>> conversions()["_convert_to_int8"](2.5).dtype
    'int8'
    """
    return {f"_convert_to_{dtype}": _conversion(dtype) for dtype in dtypes.ALL}


def tensor_from_scalar(s: TensorLike) -> Tensor:
    """Return a number as a 0-d array; all symbolic numbers are 0-d arrays.

    Examples
    --------
    >>> tensor_from_scalar(2.5).type
    TensorType(float32, scalar)
    """
    s = as_tensor_variable(s)
    if s.ndim:
        raise TypeError(build_message(f"tensor_from_scalar takes 0-d arrays, got {s.ndim} dims", s))
    return s


scalar_from_tensor = tensor_from_scalar


def transfer(var: TensorLike, target: str | None) -> Tensor:
    """Return a variable on another device. Only ``cpu`` is supported: it returns ``var`` unchanged.

    In programs of Theano, None is the default device.

    Examples
    --------
    >>> transfer(tensor("x", "float32", (2,)), "cpu").type
    TensorType(float32, (2))
    """
    if target not in ("cpu", None):
        raise NotImplementedError(
            build_message(f"transfer: there is no device {target!r}", var, hint="use 'cpu'")
        )
    return as_tensor_variable(var)
