"""``theano.tensor.var``."""

from __future__ import annotations

from symtheano.errors import AsTensorError
from symtheano.tensor.variable import TensorConstant, TensorVariable
from symtheano.tensor.variable import TensorMixin as _tensor_py_operators
