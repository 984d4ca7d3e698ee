"""``theano.tensor.sharedvar``."""

from __future__ import annotations

from symtheano.graph.shared import SharedVariable
from symtheano.tensor.sharedvar import scalar_constructor, shared as tensor_constructor
from symtheano.tensor.variable import TensorSharedVariable

ScalarSharedVariable = TensorSharedVariable
