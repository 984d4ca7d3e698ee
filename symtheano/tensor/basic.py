"""Symbolic arrays: constants, conversion, casts, and constructors of inputs."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import ArgumentError, AsTensorError, MisfitError, describe_value
from symtheano.graph.type import checked_name
from symtheano.graph.variable import Apply, Variable
from symtheano.scalar import table as scalar
from symtheano.tensor.arrays import as_array, holds, is_array_like
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.messages import build_message, called
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant, TensorMixin, TensorVariable


def constant(x: Any, name: str | None = None, ndim: int | None = None, dtype: Any = None) -> Any:
    """Return a constant.

    Parameters
    ----------
    x
        Number, list or array. ``config.cast_policy`` determines the dtype of Python numbers.
    name
        Label for printing.
    ndim
        Number of dimensions; missing ones are added in front.
    dtype
        Dtype to convert to.

    Examples
    --------
    >>> constant(2), constant([1.5, 2.5]).type
    (TensorConstant{2}, TensorType(float32, (2)))
    """
    if ndim is None and dtype is None and x.__class__ in (bool, int, float):
        return TensorConstant(*_number(x), checked_name(name))
    if dtype is not None:
        data = _converted(x, dtypes.canonical(dtype))
    elif isinstance(x, bool | int | float | complex) and not isinstance(x, np.generic):
        data = np.asarray(x, dtype=dtypes.constant_dtype(x))
    else:
        data = _array_of_numbers(x)
    if ndim is not None:
        if data.ndim > ndim:
            raise ValueError(
                build_message(f"constant: {data.ndim} dims given where ndim={ndim} is wanted")
            )
        data = data.reshape((1,) * (ndim - data.ndim) + data.shape)
    dtypes.canonical(data.dtype)
    fixed = np.array(data, dtype=data.dtype.newbyteorder("="), order="C")
    fixed.flags.writeable = False
    return TensorConstant(TensorType(fixed.dtype.name, fixed.shape), fixed, checked_name(name))


def _number(x: bool | int | float) -> tuple[TensorType, np.ndarray[Any, Any]]:
    """Return type and value of a Python number; cached, because they are used very often."""
    key = (x.__class__, x, str(x) if x == 0 else "", config.cast_policy, config.floatX)
    known = _numbers.get(key)
    if known is None:
        data = np.asarray(x, dtype=dtypes.constant_dtype(x))
        data.flags.writeable = False
        if len(_numbers) > _REMEMBERED:
            _numbers.clear()
        known = _numbers[key] = (TensorType(data.dtype.name, ()), data)
    return known


_PYTHON = (bool, int, float, complex)
_CONSTANTS = (list, tuple, np.ndarray, np.generic, *_PYTHON)
_REMEMBERED = 10_000
_numbers: dict[tuple[Any, ...], tuple[TensorType, np.ndarray[Any, Any]]] = {}


def _converted(x: Any, dtype: str) -> np.ndarray[Any, Any]:
    """Return numbers as an array of a dtype."""
    data = np.asarray(x) if x.__class__ in _PYTHON else _as_array(x)
    if data.dtype.kind == "O" and not all(isinstance(item, int) for item in data.flat):
        raise _no_number(x)
    try:
        return dtypes.convert(data, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise AsTensorError(
            build_message(f"{called()}: {describe_value(x)} can't become {dtype}: {error}")
        ) from None


def _array_of_numbers(x: Any) -> np.ndarray[Any, Any]:
    """Convert arrays, and nested lists whose Python numbers are typed by the cast policy."""
    data = _as_array(x)
    if data.dtype.kind not in "biufc":
        raise _no_number(x)
    numbers = isinstance(x, list | tuple) and data.dtype.kind in "if"
    if numbers and config.cast_policy == "custom":
        flat = data.reshape(-1)
        names = {dtypes.constant_dtype(value.item()) for value in flat} or {config.floatX}
        data = data.astype(dtypes.upcast(*names))
    return data


def _as_array(x: Any) -> np.ndarray[Any, Any]:
    """Return a value as an array, or raise an error for the call."""
    try:
        return as_array(x)
    except MisfitError as error:
        what = f"{called()}: {describe_value(x)}: {error.what}"
        raise AsTensorError(build_message(what, hint=error.hint)) from None
    except ValueError:
        raise ValueError(
            build_message(
                f"{called()}: {describe_value(x)}: a ragged list can't become a symbolic array",
                hint="give rows of equal lengths",
            )
        ) from None


def _no_number(x: Any) -> AsTensorError:
    hint = "give a variable, a number, an array of numbers, or a list of these"
    if hasattr(x, "toarray"):
        hint = _SPARSE
    return AsTensorError(
        build_message(f"{called()}: {describe_value(x)} can't become a symbolic array", hint=hint)
    )


_SPARSE = "make it dense: x.toarray(), or use the functions of symtheano.sparse"


def as_tensor_variable(x: Any, name: str | None = None, ndim: int | None = None) -> Any:
    """Return ``x`` as a symbolic array: variables unchanged, numbers and arrays as constants.

    Lists and tuples that contain variables are stacked along a new first axis.

    Raises
    ------
    AsTensorError
        If ``x`` can't be an array.
    ValueError
        If it is a list of rows of unequal lengths, or has more than ``ndim`` dimensions.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> x = T.dscalar("x")
    >>> as_tensor_variable(x) is x, as_tensor_variable([x, x]).type
    (True, TensorType(float64, (2)))
    """
    if isinstance(x, TensorMixin):
        variable: Any = x
    elif isinstance(x, Variable):
        raise AsTensorError(
            build_message(
                f"{called()}: {x} of type {x.type} is not a symbolic array",
                x,
                hint=_SPARSE if hasattr(x, "toarray") else None,
            )
        )
    elif isinstance(x, Apply):
        return as_tensor_variable(_only_output(x), name, ndim)
    elif isinstance(x, list | tuple) and holds(x, Variable):
        from symtheano.tensor.shapes.join import stack

        variable = stack(x)
    elif isinstance(x, _CONSTANTS) or is_array_like(x):
        return constant(x, name=name, ndim=ndim)
    else:
        raise _no_number(x)
    if ndim is not None and variable.ndim != ndim:
        if variable.ndim > ndim:
            raise ValueError(
                build_message(f"{variable.ndim} dims where at most {ndim} are wanted", variable)
            )
        missing = ndim - variable.ndim
        variable = variable.dimshuffle(*["x"] * missing, *builtins.range(variable.ndim))
    return variable


def _only_output(node: Apply) -> Any:
    """Return the output of a node that stands for it."""
    place = node.op.default_output
    if place is None and len(node.outputs) != 1:
        counted = f"{node.op} has {len(node.outputs)} outputs: which of them is not known"
        raise ArgumentError(build_message(f"as_tensor_variable: {counted}", *node.inputs))
    return node.outputs[place or 0]


as_tensor = as_tensor_variable


def cast(x: Any, dtype: Any) -> Any:
    """Return ``x`` converted to ``dtype``, or ``x`` itself if it has this dtype.

    Raises
    ------
    TypeError
        If a complex array is cast to a real dtype; use ``real`` or ``abs`` first.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> T.cast(T.vector("v"), "int32").dtype
    'int32'
    """
    if dtype is None:
        raise TypeError(build_message("cast: the dtype is None", hint="give one, such as 'int32'"))
    x, dtype = as_tensor_variable(x), dtypes.canonical(dtype)
    if x.dtype == dtype:
        return x
    if dtypes.is_complex(x.dtype) and not dtypes.is_complex(dtype):
        raise TypeError(
            build_message(
                f"cast: {dtype} would lose the imaginary part of {x.dtype}",
                x,
                hint="take real(x) or abs(x) first",
            )
        )
    if isinstance(x, TensorConstant):
        return constant(x.data, dtype=dtype)
    return elemwise(scalar.scalar_op(f"cast{{{dtype}}}"))(x)


def round(x: Any, mode: str | None = None) -> Any:
    """Return ``x`` rounded to integers, in its own dtype.

    ``mode`` is ``half_to_even`` (default) or ``half_away_from_zero``.

    Examples
    --------
    >>> round([0.5, 1.5]).eval().tolist()
    [0.0, 2.0]
    """
    rows = {
        None: "round_half_to_even",
        "half_to_even": "round_half_to_even",
        "half_away_from_zero": "round_half_away_from_zero",
    }
    if mode not in rows:
        raise ValueError(
            build_message(f"round: mode {mode!r} is neither half_to_even nor half_away_from_zero")
        )
    return elemwise(scalar.scalar_op(rows[mode]))(x)


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
                    "makes two variables; a dtype is written out, such as 'int8'",
                )
            )
        return TensorType(dtype or config.floatX, dims)(name, shape=shape)

    _rename(make, name)
    make.__doc__ = f"""Return a symbolic {name} of dtype floatX, or of the dtype given."""
    return make


def _plural(name: str, single: Callable[..., Any]) -> Callable[..., Any]:
    def make(*names: Any, **kwargs: Any) -> Any:
        if names and isinstance(names[0], int | np.integer):
            return [single(None, **kwargs) for _ in builtins.range(names[0])]
        if len(names) == 1:  # 'xy' as in Theano: one variable for each letter
            names = tuple(names[0])
        made = [single(item, **kwargs) for item in names]
        return made[0] if len(made) == 1 else made

    _rename(make, name)
    make.__doc__ = f"""Return several variables as by ``{single.__name__}``, one for each name.

    Names are given one by one, as a list, or as the letters of one string; a number asks for so
    many variables without a name.
    """
    return make


def _rename(function: Any, name: str) -> None:
    """Give a function another name, also in tracebacks."""
    function.__name__ = function.__qualname__ = name
    function.__code__ = function.__code__.replace(co_name=name)


def constructors() -> dict[str, Any]:
    """Return the input constructors by name: ``matrix``, ``fmatrix``, ``imatrices`` and so on."""
    made: dict[str, Any] = {}
    for label, shape in _SHAPES.items():
        plural = _PLURALS.get(label, f"{label}s")
        made[label] = _constructor(label, shape)
        made[plural] = _plural(plural, made[label])
        for letter, dtype in _LETTERS.items():
            kind = made[letter + label] = TensorType(dtype, shape)
            made[letter + plural] = _plural(letter + plural, _named(kind, letter + label))
    return made


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
) -> TensorVariable:
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
    if isinstance(dtype, list | tuple) and shape is None and broadcastable is None:
        dtype, shape = None, dtype
    if dtype is None and first in (*dtypes.ALL, "floatX"):
        dtype = first
    elif first is not None:
        name = first
    kind = TensorType(dtype or config.floatX, shape=shape, broadcastable=broadcastable)
    return kind(name)  # type: ignore[no-any-return]


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


def tensor_from_scalar(s: Any) -> Any:
    """Return a number as a 0-d array, the only kind of symbolic number.

    Examples
    --------
    >>> tensor_from_scalar(2.5).type
    TensorType(float32, scalar)
    """
    s = as_tensor_variable(s)
    if s.ndim:
        raise TypeError(build_message(f"tensor_from_scalar: an array of {s.ndim} dims", s))
    return s


scalar_from_tensor = tensor_from_scalar


def transfer(var: Any, target: str) -> Any:
    """Return a variable on another device; only ``cpu`` is supported, which returns it unchanged.

    Examples
    --------
    >>> transfer(tensor("x", "float32", (2,)), "cpu").type
    TensorType(float32, (2))
    """
    if target != "cpu":
        raise NotImplementedError(
            build_message(f"transfer: there is no device {target!r}", var, hint="use 'cpu'")
        )
    return as_tensor_variable(var)
