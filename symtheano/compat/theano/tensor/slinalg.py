"""``theano.tensor.slinalg``."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.tensor.slinalg import *
from symtheano.tensor.slinalg import eigvalsh as _eigvalsh

from .type_other import NoneConst


def eigvalsh(a: Any, b: Any = None, lower: bool = True) -> Any:
    """Return :func:`symtheano.tensor.slinalg.eigvalsh`; ``b`` may be the constant ``None``."""
    return _eigvalsh(a, None if b is NoneConst else b, lower)


imported_scipy = find_spec("scipy") is not None

CholeskyGrad = op_class("CholeskyGrad")
EigvalshGrad = op_class("EigvalshGrad")
