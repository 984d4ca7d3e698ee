"""``theano.tensor.type``."""

from __future__ import annotations

from symtheano.tensor.type import TensorType, values_eq_approx
