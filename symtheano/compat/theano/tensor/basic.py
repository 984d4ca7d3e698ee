"""``theano.tensor.basic``: constructors, elementwise functions, reductions, joins."""

from __future__ import annotations

import builtins as _builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

import symtheano.tensor as _T
from symtheano import Apply, Constant, Op, Variable, config
from symtheano.compat.op_classes import op_class
from symtheano.errors import AsTensorError, EmptyConstantError, NotScalarConstantError, ShapeError
from symtheano.gradient import DisconnectedType, grad_not_implemented, grad_undefined
from symtheano.graph.type import Generic
from symtheano.tensor import *
from symtheano.tensor import tensor as tensor
from symtheano.tensor.creation.ranges import arange as arange
from symtheano.tensor.reductions.argmax import ArgReduce as _ArgReduce
from symtheano.tensor.variable import TensorMixin as _tensor_py_operators

from .elemwise import CAReduce, DimShuffle, Elemwise, Sum
from .type_other import NoneConst

# Submodules of theano.tensor have these names.
for _name in """
    blas extra_ops fft inplace linalg nlinalg nnet opt random raw_random shared_randomstreams signal
    slinalg special subtensor xlogx
""".split():
    del globals()[_name]

python_complex, python_any, python_all = _builtins.complex, _builtins.any, _builtins.all

int_types, float_types, complex_types = (
    tuple(getattr(_T, f"{kind}scalar") for kind in letters) for letters in ("bwil", "fd", "cz")
)
int_scalar_types, float_scalar_types, complex_scalar_types = int_types, float_types, complex_types
int_vector_types, float_vector_types, complex_vector_types = (
    tuple(getattr(_T, f"{kind}vector") for kind in letters) for letters in ("bwil", "fd", "cz")
)
int_matrix_types, float_matrix_types, complex_matrix_types = (
    tuple(getattr(_T, f"{kind}matrix") for kind in letters) for letters in ("bwil", "fd", "cz")
)

# -- comparison of values --

float16_atol, float16_rtol = 5e-3, 1e-2
float32_atol, float32_rtol = 1e-5, 1e-5
float64_atol, float64_rtol = 1e-8, 1.0001e-5


def _get_atol_rtol(a: Any, b: Any) -> tuple[float, float]:
    dtypes = {str(a.dtype), str(b.dtype)}
    if "float16" in dtypes:
        return float16_atol, float16_rtol
    if dtypes & {"float32", "complex64"}:
        return float32_atol, float32_rtol
    return float64_atol, float64_rtol


def _allclose(a: Any, b: Any, rtol: float | None = None, atol: float | None = None) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    absolute, relative = _get_atol_rtol(a, b)
    return np.allclose(a, b, relative if rtol is None else rtol, absolute if atol is None else atol)


def check_equal_numpy(x: Any, y: Any) -> bool:
    """Return whether two values are equal, of one dtype and shape."""
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return (
            x.dtype == y.dtype and x.shape == y.shape and _builtins.bool((abs(x - y) < 1e-10).all())
        )
    return _builtins.bool(x == y)


# -- classes of ops --

Argmax = op_class("Argmax", _ArgReduce, lambda axis: (lambda x: _T.argmax(x, axis), {"axis": axis}))
MaxAndArgmax = op_class(
    "MaxAndArgmax",
    lambda op: False,
    lambda axis: (lambda x, *_: _T.max_and_argmax(x, axis), {"axis": axis}),
)
Mean = op_class("Mean", lambda op: False, lambda axis=None: (lambda x: _T.mean(x, axis), {}))
Default = op_class("Default", lambda op: False, lambda: (_T.default, {}))
Flatten = op_class(
    "Flatten",
    lambda op: False,
    lambda outdim=1: (lambda x: _T.flatten(x, outdim), {"ndim": outdim}),
)
Tri = op_class(
    "Tri",
    lambda op: False,
    lambda dtype=None: (lambda n, m, k: _T.tri(n, m, k, dtype), {"dtype": dtype}),
)
PermuteRowElements = op_class(
    "PermuteRowElements",
    lambda op: False,
    lambda: (lambda x, y, inverse=0: _T.permute_row_elements(x, y, inverse), {}),
)
Choose = op_class(
    "Choose",
    lambda op: False,
    lambda mode: (lambda a, choices: _T.choose(a, choices, mode=mode), {"mode": mode}),
)
TensorFromScalar = op_class(
    "TensorFromScalar", lambda op: False, lambda: (_T.as_tensor_variable, {})
)
ScalarFromTensor = op_class(
    "ScalarFromTensor", lambda op: False, lambda: (_T.as_tensor_variable, {})
)
Shape = op_class("Shape", lambda op: False, lambda: (_T.shape, {}))
Rebroadcast = op_class(
    "Rebroadcast",
    _T.SpecifyShape,
    lambda *axes: (
        lambda x: _T.patternbroadcast(
            x, [dict(axes).get(axis, one) for axis, one in enumerate(x.broadcastable)]
        ),
        {"axis": axes},
    ),
)


Join = op_class(
    "Join", _T.Join, lambda view=-1: (lambda axis, *xs: _T.join(axis, *xs), {"view": view})
)
Eye = op_class(
    "Eye",
    _T.Eye,
    lambda dtype=None: (lambda n, m, k: _T.eye(n, m, k, dtype or config.floatX), {"dtype": dtype}),
)
Reshape = op_class(
    "Reshape",
    _T.Reshape,
    lambda ndim=None, name=None: (lambda x, shape: _T.reshape(x, shape, ndim), {"ndim": ndim}),
)
Split = op_class(
    "Split",
    _T.Split,
    lambda len_splits: (
        lambda x, axis, sizes: _T.split(x, sizes, len_splits, axis),
        {"len_splits": len_splits},
    ),
)
Tile = op_class(
    "Tile", _T.Tile, lambda ndim: (lambda x, reps: _T.tile(x, reps, ndim), {"ndim": ndim})
)
ARange = op_class(
    "ARange",
    _T.ARange,
    lambda dtype: (lambda *bounds: _T.arange(*bounds, dtype=dtype), {"dtype": dtype}),
)

join_ = Join()
_max_and_argmax = MaxAndArgmax
_shape = Shape()
_dot = _T.Dot()
_nonzero = _T.Nonzero()
_permute_row_elements = PermuteRowElements()
_arange: dict[str, Any] = {}
div_proxy = true_div
_as_tensor_variable = as_tensor_variable


def _conversion(dtype: str) -> Any:
    def convert(x: Any) -> Any:
        return cast(x, dtype)

    convert.__name__ = f"Cast{{{dtype}}}"
    return convert


_cast_mapping = {dtype: _conversion(dtype) for dtype in all_dtypes}
globals().update({f"_convert_to_{dtype}": function for dtype, function in _cast_mapping.items()})


def mod_check(x: Any, y: Any) -> Any:
    """Return x % y."""
    return mod(x, y)


def check_and_normalize_axes(x: Any, axis: Any) -> list[int]:
    """Return axes of an array as a list of numbers that are not negative; None as [].

    Raises
    ------
    ValueError
        If there is no such axis.
    TypeError
        If an axis is not an integer.
    """
    x = as_tensor_variable(x)
    if isinstance(axis, Variable):
        if axis.type == NoneConst.type:
            axis = None
        else:
            axis = get_scalar_constant_value(axis).tolist()
    if axis is None:
        return []
    axes = list(axis) if isinstance(axis, Sequence | np.ndarray) else [axis]
    found = []
    for each in axes:
        number = each
        if isinstance(each, Variable):
            number = get_scalar_constant_value(each)
        if int(number) != number:
            raise TypeError(f"an axis must be an integer, got {each}")
        if not -x.ndim <= number < x.ndim:
            raise ValueError(f"axis {number} of an array with {x.ndim} axes")
        found.append(int(number) % x.ndim)
    return sorted(found)


def numpy_scalar(data: Any) -> Any:
    """Return a number from an array without axes.

    Raises
    ------
    NotScalarConstantError
        If it has axes or is no number.
    """
    if getattr(data, "ndim", 0) > 0 and np.size(data) == 0:
        raise EmptyConstantError(data)
    try:
        np.complex128(data)
    except Exception:
        raise NotScalarConstantError(data) from None
    return data


def _pack(*lists: Any) -> list[Any]:
    return [as_tensor_variable(each) for each in lists]


def register_transfer(function: Any) -> None:
    """Raise an error, as values are transferred by functions that run on a device."""
    raise NotImplementedError("register_transfer: there are no types of GPU arrays")


def alloc_validate_shape(shape: Any) -> tuple[list[Any], tuple[bool, ...]]:
    """Return lengths as variables, and which are known to be one."""
    lengths = [as_tensor_variable(each) for each in shape]
    for each in lengths:
        if each.dtype not in discrete_dtypes or each.ndim:
            raise TypeError(f"a length must be an integer, got {each.type}")
    ones = tuple(isinstance(each, Constant) and each.data == 1 for each in lengths)
    return lengths, ones
