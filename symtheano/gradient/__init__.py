"""Differentiation of expressions: backward, forward, whole matrices, and what steers gradients.

`backward.py` walks a graph from results to inputs, for `grad` and `Lop` in `reverse.py`;
`forward.py` walks from inputs to results (`Rop`). `matrices.py` makes Jacobians and Hessians of
them, and `steering.py` holds the ops that are the identity with another gradient.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from symtheano.errors import DisconnectedInputError, GradientError, NullTypeGradError
from symtheano.gradient.forward import Rop
from symtheano.gradient.reverse import Lop, format_as, grad, subgraph_grad
from symtheano.gradient.steering import (
    ConsiderConstant,
    DisconnectedGrad,
    GradClip,
    GradScale,
    PassThrough,
    UndefinedGrad,
    ZeroGrad,
    consider_constant,
    consider_constant_,
    disconnected_grad,
    disconnected_grad_,
    disconnected_type,
    grad_clip,
    grad_not_implemented,
    grad_scale,
    grad_undefined,
    null_type,
    undefined_grad,
    undefined_grad_,
    zero_grad,
    zero_grad_,
)
from symtheano.graph.type import DisconnectedType, NullType

if TYPE_CHECKING:
    from symtheano.gradient.matrices import hessian, hessian_times_vector, jacobian

__all__ = [
    "ConsiderConstant", "DisconnectedGrad", "DisconnectedInputError", "DisconnectedType",
    "GradClip", "GradScale", "GradientError", "Lop", "NullType", "NullTypeGradError",
    "PassThrough", "Rop", "UndefinedGrad", "ZeroGrad", "consider_constant", "consider_constant_",
    "disconnected_grad", "disconnected_grad_", "disconnected_type", "format_as", "grad",
    "grad_clip", "grad_not_implemented", "grad_scale", "grad_undefined", "hessian",
    "hessian_times_vector", "jacobian", "null_type", "subgraph_grad", "undefined_grad",
    "undefined_grad_", "zero_grad", "zero_grad_",
]  # fmt: skip

_LATE = ("hessian", "hessian_times_vector", "jacobian")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import what few programs need when it is first asked for."""
        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("symtheano.gradient.matrices"), name)
