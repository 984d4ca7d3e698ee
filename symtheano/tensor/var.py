"""Theano's module of the same name: the classes of symbolic arrays."""

from __future__ import annotations

from symtheano.errors import AsTensorError
from symtheano.graph.variable import Constant, Variable
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import (
    TensorConstant,
    TensorMixin,
    TensorSharedVariable,
    TensorVariable,
)

_tensor_py_operators = TensorMixin

__all__ = [
    "AsTensorError", "Constant", "TensorConstant", "TensorSharedVariable", "TensorType",
    "TensorVariable", "Variable",
]  # fmt: skip
