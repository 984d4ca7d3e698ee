"""``theano.scalar.sharedvar``."""

from __future__ import annotations

from symtheano.tensor.sharedvar import scalar_constructor as shared
from symtheano.tensor.variable import TensorSharedVariable as ScalarSharedVariable
