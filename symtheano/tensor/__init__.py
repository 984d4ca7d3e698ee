"""Symbolic arrays: NumPy's functions under Theano's names.

Every row of the scalar table is a function of this module, under its name and its aliases.
"""

# Users import from here what is imported here.
# mypy: implicit-reexport

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from symtheano import dtypes as _dtypes
from symtheano.names import MissingName
from symtheano.scalar import table as _table
from symtheano.tensor import nnet
from symtheano.tensor.basic import (
    as_tensor,
    as_tensor_variable,
    cast,
    constant,
    constructors,
    conversions,
    round,
    tensor,
)
from symtheano.tensor.creation.filled import (
    alloc,
    fill,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from symtheano.tensor.creation.identity import eye, identity_like
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import dimshuffle, elemwise as _elemwise
from symtheano.tensor.indexing.subtensor import inc_subtensor, set_subtensor, take
from symtheano.tensor.linalg.batched import batched_dot
from symtheano.tensor.linalg.dot import dot, outer, tensordot
from symtheano.tensor.messages import build_message as _build_message
from symtheano.tensor.nnet.softmax import logsumexp
from symtheano.tensor.reductions.argmax import argmax, argmin, max_and_argmax
from symtheano.tensor.reductions.moments import mean, norm, ptp, std, var
from symtheano.tensor.reductions.reduce import all, any, max, min, prod, sum
from symtheano.tensor.shapes.axes import (
    expand_dims,
    shape_padaxis,
    shape_padleft,
    shape_padright,
    squeeze,
    swapaxes,
    transpose,
)
from symtheano.tensor.shapes.join import concatenate, join, stack
from symtheano.tensor.shapes.reshape import flatten, reshape
from symtheano.tensor.shapes.shape import shape, size
from symtheano.tensor.sharedvar import scalar_constructor, shared
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant, TensorMixin, TensorSharedVariable

# True to mypy, which reads only literals of ``__all__``, so ``import *`` would lack the names of
# the stub. Without the list, it exports all public names.
MYPY = False

if not MYPY:
    __all__ = [
        "Tensor", "TensorConstant", "TensorSharedVariable", "TensorType", "TensorVariable", "all",
        "all_dtypes", "alloc", "any", "arange", "argmax", "argmin", "as_tensor",
        "as_tensor_variable", "batched_dot", "cast", "complex_dtypes", "concatenate", "constant",
        "continuous_dtypes", "dimshuffle", "discrete_dtypes", "dot", "expand_dims", "eye", "fill",
        "flatten", "float_dtypes", "full_like", "identity_like", "inc_subtensor", "int_dtypes",
        "integer_dtypes", "join", "logsumexp", "max", "max_and_argmax", "mean", "min", "nnet",
        "norm", "ones", "ones_like", "outer", "prod", "ptp", "reshape", "round",
        "scalar_constructor", "set_subtensor", "shape", "shape_padaxis", "shape_padleft",
        "shape_padright", "shared", "size", "squeeze", "stack", "std", "sum", "swapaxes", "take",
        "tensor", "tensordot", "transpose", "uint_dtypes", "var", "zeros", "zeros_like",
    ]  # fmt: skip

# Names that few programs need are imported on first access: names by module.
_LATE = {
    "tensor.assertion": "Assert assert_op",
    "tensor.basic": "scalar_from_tensor tensor_from_scalar transfer",
    "tensor.comparison": "allclose array_equal ceil_intdiv divmod isclose isin largest smallest",
    "tensor.constant_values": "default extract_constant get_scalar_constant_value "
    "get_vector_length is_flat setdefault",
    "tensor.creation.diagonals": "AllocDiag ExtractDiag alloc_diag diag diag_indices "
    "diag_indices_from diagflat diagonal extract_diag fill_diagonal fill_diagonal_offset "
    "set_diagonal trace",
    "tensor.creation.filled": "Alloc AllocEmpty empty empty_like full",
    "tensor.creation.identity": "Eye",
    "tensor.creation.ranges": "ARange",
    "tensor.creation.grids": "bartlett blackman geomspace hamming hanning indices ix_ linspace "
    "logspace meshgrid mgrid ogrid",
    "tensor.creation.triangle": "tri tril tril_indices tril_indices_from triu triu_indices "
    "triu_indices_from",
    "tensor.elemwise": "DimShuffle Elemwise",
    "tensor.indexing.advanced": "AdvancedIncSubtensor AdvancedSubtensor",
    "tensor.indexing.nonzeros": "Nonzero flatnonzero nonzero nonzero_values",
    "tensor.indexing.positions": "choose inverse_permutation permute_row_elements put_along_axis "
    "ravel_multi_index take_along_axis unravel_index",
    "tensor.indexing.selection": "argwhere compress count_nonzero extract select where",
    "tensor.indexing.slices": "IncSubtensor Subtensor",
    "tensor.linalg.dot": "Dot",
    "tensor.linalg.einsum": "einsum",
    "tensor.linalg.matmul": "matmul",
    "tensor.linalg.products": "inner kron vdot",
    "tensor.linalg.batched": "batched_tensordot",
    "tensor.linalg.standard": "matrix_transpose",
    "tensor.numerical": "convolve correlate cross cumulative_prod cumulative_sum gradient "
    "iscomplex isneginf isposinf isreal matvec polyfit polyval sinc trapezoid vander vecdot vecmat",
    "tensor.reductions.cumulative": "CumOp cumprod cumsum diff",
    "tensor.reductions.reduce": "CAReduce amax amin makeKeepDims",
    "tensor.reductions.statistics": "average corrcoef cov median nan_to_num nanargmax nanargmin "
    "nancumprod nancumsum nanmax nanmean nanmin nanprod nanstd nansum nanvar percentile quantile",
    "tensor.shapes.arrangement": "append array_split atleast_1d atleast_2d atleast_3d "
    "column_stack dsplit dstack flip fliplr flipud hsplit hstack moveaxis ravel roll rollaxis "
    "rot90 unstack vsplit vstack",
    "tensor.shapes.axes": "permute_dims",
    "tensor.shapes.join": "Join Split concat horizontal_stack split stacklists vertical_stack",
    "tensor.shapes.padding": "pad",
    "tensor.shapes.repetition": "RepeatOp Tile broadcast_arrays broadcast_to repeat tile",
    "tensor.shapes.reshape": "Reshape",
    "tensor.shapes.static_shape": "SpecifyShape addbroadcast patternbroadcast specify_shape "
    "unbroadcast",
    "tensor.sorting.counting": "bincount digitize histogram_counts interp searchsorted to_one_hot",
    "tensor.sorting.distinct": "Unique unique",
    "tensor.sorting.quantiles": "nanmedian nanpercentile nanquantile",
    "tensor.sorting.sort": "argpartition argsort argtopk lexsort partition sort topk "
    "topk_and_argtopk",
    "tensor.special.exponentials": "log_expit logdiffexp",
    "tensor.special.gamma_functions": "factorial multigammaln poch",
    "tensor.vectorize": "vectorize vectorize_graph",
    "graph.op": "Op",
    "graph.type": "DisconnectedType Generic Type",
    "graph.variable": "Apply Constant Variable",
    "errors": "AsTensorError EmptyConstantError NotScalarConstantError ShapeError",
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names.split()}

# Modules that are imported on first access.
_MODULES = (
    "blas", "extra_ops", "fft", "inplace", "linalg", "nlinalg", "opt", "random", "raw_random",
    "shared_randomstreams", "signal", "slinalg", "special", "subtensor", "xlogx",
)  # fmt: skip

Tensor = TensorType
int_dtypes = list(_dtypes.SIGNED)
uint_dtypes = list(_dtypes.UNSIGNED)
integer_dtypes = int_dtypes + uint_dtypes
discrete_dtypes = list(_dtypes.DISCRETE)
float_dtypes = list(_dtypes.FLOAT)
complex_dtypes = list(_dtypes.COMPLEX)
continuous_dtypes = list(_dtypes.CONTINUOUS)
all_dtypes = list(_dtypes.ALL)

_constructors = constructors()
globals().update(_constructors, **conversions())


if TYPE_CHECKING:
    # Functions return a Tensor, because TensorVariable is defined after them; to a type checker
    # both are the same.
    from symtheano.scalar.operand import Tensor as TensorVariable
    from symtheano.tensor import lazy as _lazy
    from symtheano.tensor.lazy import *  # noqa: F403 (written from the tables above)

    # To jedi, submodules come before names from *.
    from symtheano.tensor.lazy import sort as sort, vectorize as vectorize

    if not MYPY:
        __all__ += _lazy.__all__
else:
    from symtheano.tensor.variable import TensorVariable

    __all__ += [*_constructors, *_table.TABLE, *_table.ALIASES, *_MODULE_OF, *_MODULES]

    def __getattr__(name: str) -> Any:
        """Import names on first access, and return rows of the scalar table as functions."""
        if name in _MODULE_OF:
            module = import_module(f"symtheano.{_MODULE_OF[name]}")
            attribute = globals()[name] = getattr(module, name)
            return attribute
        if name in _MODULES:
            return import_module(f"symtheano.tensor.{name}")
        row = _table.TABLE.get(_table.ALIASES.get(name, name))
        if row is None:
            raise MissingName(__name__, name)
        function = globals()[name] = _elemwise(row)
        return function


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(globals()["__all__"])


def lend(module: str, names: str) -> None:
    """Add names from a later layer to this module, where Theano programs use them."""
    _MODULE_OF.update(dict.fromkeys(names.split(), module))
    globals()["__all__"].extend(names.split())


# Functions whose first argument is the array, which are also methods.
_METHODS = """
    arccos arccosh arcsin arcsinh arctan arctanh ceil cos cosh deg2rad exp exp2 expm1 floor log
    log10 log1p log2 rad2deg sin sinh sqrt tan tanh trunc
    argsort argtopk choose compress cumprod cumsum diagonal get_scalar_constant_value nonzero
    nonzero_values ptp repeat searchsorted sort topk trace transfer
""".split()


def _method(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(sys.modules[__name__], name)(self, *args, **kwargs)

    method.__name__, method.__qualname__ = name, f"TensorMixin.{name}"
    method.__code__ = method.__code__.replace(co_name=name)
    method.__doc__ = f"Return ``{name}(self, ...)``; see :func:`symtheano.tensor.{name}`."
    return method


for _name in _METHODS:
    setattr(TensorMixin, _name, _method(_name))


class _Module(ModuleType):
    """Class of this module: a function keeps its name when a submodule of that name is imported."""

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        what = "symtheano.tensor is a module and can't be called"
        hint = "T.constant(value) is a constant, T.tensor(name, dtype, shape) an input"
        raise TypeError(_build_message(what, hint=hint))

    def __setattr__(self, name: str, value: Any) -> None:
        is_function = name in _MODULE_OF or callable(globals().get(name))
        if not (is_function and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Module
