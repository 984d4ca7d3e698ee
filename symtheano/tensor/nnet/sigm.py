"""Theano's module of the same name: sigmoids and softplus, and their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.nnet.activations import hard_sigmoid, ultra_fast_sigmoid

__all__ = [
    "ScalarSigmoid", "ScalarSoftplus", "UltraFastScalarSigmoid", "hard_sigmoid", "scalar_sigmoid",
    "scalar_softplus", "sigmoid", "sigmoid_inplace", "softplus", "ultra_fast_scalar_sigmoid",
    "ultra_fast_sigmoid", "ultra_fast_sigmoid_inplace",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

sigmoid = sigmoid_inplace = elemwise(scalar.sigmoid)
softplus = elemwise(scalar.softplus)
scalar_sigmoid = ultra_fast_scalar_sigmoid = scalar.sigmoid
scalar_softplus = scalar.softplus
ultra_fast_sigmoid_inplace = ultra_fast_sigmoid


def ScalarSigmoid(output_types_preference: Any = None, name: str | None = None) -> ScalarOp:
    """Return the row of the sigmoid, for ``Elemwise``; the arguments have no effect.

    Examples
    --------
    >>> from symtheano.tensor.elemwise import Elemwise
    >>> Elemwise(ScalarSigmoid())([0.0]).eval().tolist()
    [0.5]
    """
    return scalar.sigmoid


def ScalarSoftplus(output_types_preference: Any = None, name: str | None = None) -> ScalarOp:
    """Return the row of softplus, for ``Elemwise``; the arguments have no effect.

    Examples
    --------
    >>> from symtheano.tensor.elemwise import Elemwise
    >>> Elemwise(ScalarSoftplus())([1000.0]).eval().tolist()
    [1000.0]
    """
    return scalar.softplus


UltraFastScalarSigmoid = ScalarSigmoid
