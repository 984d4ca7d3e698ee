"""``theano.tensor``."""

from __future__ import annotations

from typing import Any

from symtheano.names import MissingName

# Before the names of basic, of which var is the function.
from .var import AsTensorError, TensorConstant, TensorVariable, _tensor_py_operators
from . import basic
from .basic import *
from .subtensor import *
from .type_other import *
from .type import TensorType

from . import blas, nlinalg, opt, xlogx
from .elemwise import CAReduce, DimShuffle, Elemwise
from . import sharedvar
from .sharedvar import tensor_constructor as _shared

shared = _shared
from . import nnet
from symtheano.gradient import (
    Lop,
    Rop,
    consider_constant,
    grad,
    hessian,
    jacobian,
    numeric_grad,
    verify_grad,
)
from .sort import argsort, argtopk, sort, topk, topk_and_argtopk
from .extra_ops import (
    bartlett,
    bincount,
    cumprod,
    cumsum,
    fill_diagonal,
    fill_diagonal_offset,
    ravel_multi_index,
    repeat,
    squeeze,
    unravel_index,
)
from .io import load
from . import fft, inplace, raw_random, shared_randomstreams, signal, slinalg, utils

var = basic.var  # the function; the module has the same name


def __getattr__(name: str) -> Any:
    raise MissingName(__name__, name)
