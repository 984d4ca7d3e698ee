"""``theano.tensor.type_other``."""

from __future__ import annotations

from symtheano.graph.type import Generic
from symtheano.gradient import DisconnectedType
