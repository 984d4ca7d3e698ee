"""symtheano: symbolic tensor expressions, compiled to C.

Build expressions with :mod:`symtheano.tensor`, differentiate them with :func:`grad`, and turn the
whole graph into one compiled C function with :func:`function`.
"""

from importlib import import_module
from typing import Any

from symtheano import gradient, tensor
from symtheano.config import config
from symtheano.function import Function, evaluate, function
from symtheano.gradient import Lop, Rop, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.type import Generic, Type, generic
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import replace as clone_replace
from symtheano.modes import Mode
from symtheano.request import In, Out
from symtheano.tensor.sharedvar import shared
from symtheano.tensor.variable import TensorMixin
from symtheano.verify import verify_grad

__version__ = "0.1.0"

__all__ = [
    "Apply", "Constant", "Function", "FunctionGraph", "Generic", "In", "Lop", "Mode", "Op",
    "OrderedUpdates", "Out", "Rop", "Type", "Variable", "clone_replace", "config", "debugprint",
    "explain", "function", "generic", "grad", "gradient", "pp", "printing", "profile", "shared",
    "tensor", "updates",
]  # fmt: skip

_LATE = {
    "OrderedUpdates": "updates", "debugprint": "printing", "explain": "printing", "pp": "printing",
    "printing": "", "profile": "", "updates": "",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import what few programs need when it is first asked for."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = import_module(f"symtheano.{_LATE[name] or name}")
    return getattr(room, name) if _LATE[name] else room


# Theano's programs find these on the tensor module and on variables; they belong to rooms further
# right, so the package's face hands them over.
for _name, _value in {"grad": grad, "Lop": Lop, "Rop": Rop, "verify_grad": verify_grad}.items():
    setattr(tensor, _name, _value)
gradient.verify_grad = verify_grad  # type: ignore[attr-defined]
TensorMixin.eval = evaluate  # type: ignore[attr-defined]
