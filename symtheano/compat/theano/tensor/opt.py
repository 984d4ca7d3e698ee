"""``theano.tensor.opt``."""

from __future__ import annotations

from typing import Any

from symtheano.dtypes import upcast as _upcast
from symtheano.errors import NotScalarConstantError
from symtheano.tensor import get_scalar_constant_value
from symtheano.tensor.opt import *
from symtheano.tensor import as_tensor_variable as _as_tensor_variable

from ..compile.registry import (
    register_canonicalize,
    register_specialize,
    register_specialize_device,
    register_stabilize,
    register_uncanonicalize,
    register_useless,
)
from ..gof.opt import (
    Optimizer,
    PatternSub,
    TopoOptimizer,
    in2out,
    local_optimizer,
    out2in,
)

assert_ = assert_op


def make_vector(*numbers: Any) -> Any:
    """Return a vector of numbers, in a dtype that can hold all."""
    variables = [_as_tensor_variable(each) for each in numbers]
    return MakeVector(_upcast(*[each.dtype for each in variables]))(*variables)
