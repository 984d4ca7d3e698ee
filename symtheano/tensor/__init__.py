"""Symbolic arrays: NumPy's functions under Theano's names.

Every row of the scalar table is a function of this module, by its name and its aliases.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symtheano.scalar import table as _table
from symtheano.tensor import nnet
from symtheano.tensor.basic import (
    as_tensor,
    as_tensor_variable,
    cast,
    constant,
    constructors,
    round,
    tensor,
)
from symtheano.tensor.blas import (
    batched_dot,
    dot,
    matmul,
    outer,
    tensordot,
)
from symtheano.tensor.creation import (
    alloc,
    arange,
    eye,
    fill,
    full_like,
    identity_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from symtheano.tensor.elemwise import dimshuffle, elemwise
from symtheano.tensor.join import concatenate, join, stack
from symtheano.tensor.nnet.softmax import logsumexp
from symtheano.tensor.reduce import (
    all,
    any,
    argmax,
    argmin,
    max,
    max_and_argmax,
    mean,
    min,
    norm,
    prod,
    ptp,
    std,
    sum,
    var,
)
from symtheano.tensor.shape import (
    addbroadcast,
    expand_dims,
    flatten,
    patternbroadcast,
    reshape,
    shape,
    shape_padaxis,
    shape_padleft,
    shape_padright,
    size,
    specify_shape,
    squeeze,
    swapaxes,
    transpose,
    unbroadcast,
)
from symtheano.tensor.sharedvar import scalar_constructor, shared
from symtheano.tensor.subtensor import inc_subtensor, set_subtensor, take
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant, TensorSharedVariable, TensorVariable

__all__ = [
    "TensorConstant", "TensorSharedVariable", "TensorType", "TensorVariable", "addbroadcast",
    "all", "alloc", "any", "arange", "argmax", "argmin", "as_tensor", "as_tensor_variable",
    "batched_dot", "cast", "concatenate", "constant", "dimshuffle", "dot", "expand_dims", "eye",
    "fill", "flatten", "full_like", "identity_like", "inc_subtensor", "join", "logsumexp",
    "matmul", "max", "max_and_argmax", "mean", "min", "nnet", "norm", "ones", "ones_like",
    "outer", "patternbroadcast", "prod", "ptp", "reshape", "round", "scalar_constructor",
    "set_subtensor", "shape", "shape_padaxis", "shape_padleft", "shape_padright", "shared",
    "size", "specify_shape", "squeeze", "stack", "std", "sum", "swapaxes", "take", "tensor",
    "tensordot", "transpose", "unbroadcast", "var", "zeros", "zeros_like",
]  # fmt: skip

# What few programs need is imported when it is first asked for: the modules, with their functions.
_LATE = {
    "nonzeros": "flatnonzero nonzero nonzero_values",
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names.split()}

_constructors = constructors()
globals().update(_constructors)
__all__ += [*_constructors, *_table.TABLE, *_table.ALIASES, *_MODULE_OF]


def __getattr__(name: str) -> Any:
    """Give what is imported late, and every row of the scalar table as a function."""
    if name in _MODULE_OF:
        module = import_module(f"symtheano.tensor.{_MODULE_OF[name]}")
        found = globals()[name] = getattr(module, name)
        return found
    row = _table.TABLE.get(_table.ALIASES.get(name, name))
    if row is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = globals()[name] = elemwise(row)
    return function


def __dir__() -> list[str]:
    """Name the rows too, for completion."""
    return sorted({*globals(), *_table.TABLE, *_table.ALIASES, *_MODULE_OF})
