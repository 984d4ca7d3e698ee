"""``theano.tensor.opt``."""

from __future__ import annotations

from symtheano.errors import NotScalarConstantError
from symtheano.tensor import get_scalar_constant_value
from symtheano.tensor.opt import *

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
