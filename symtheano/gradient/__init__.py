"""Differentiation: reverse mode, forward mode, Jacobians, and ops that change gradients.

`backward.py` traverses a graph from results to inputs, for `grad` and `Lop` in `reverse.py`;
`forward.py` traverses it from inputs to results (`Rop`). `matrices.py` computes Jacobians and
Hessians with them, and `steering.py` contains ops that are the identity with another gradient.
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
from symtheano.names import MissingName

if TYPE_CHECKING:
    from symtheano.gradient.matrices import hessian, hessian_times_vector, jacobian

__all__ = [
    "ConsiderConstant", "DisconnectedGrad", "DisconnectedInputError", "DisconnectedType",
    "GradClip", "GradScale", "GradientError", "Lop", "NullType", "NullTypeGradError",
    "PassThrough", "Rop", "UndefinedGrad", "ZeroGrad", "consider_constant", "consider_constant_",
    "disconnected_grad", "disconnected_grad_", "disconnected_type", "format_as", "grad",
    "grad_clip", "grad_not_implemented", "grad_scale", "grad_undefined", "hessian",
    "hessian_times_vector", "jacobian", "null_type", "numeric_grad", "subgraph_grad",
    "undefined_grad", "undefined_grad_", "verify_grad", "zero_grad", "zero_grad_",
]  # fmt: skip

_LATE = ("hessian", "hessian_times_vector", "jacobian")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import names that few programs need on first access."""
        if name not in _LATE:
            raise MissingName(__name__, name)
        return getattr(import_module("symtheano.gradient.matrices"), name)

    def __dir__() -> list[str]:
        """Return the public names."""
        return sorted(__all__)
