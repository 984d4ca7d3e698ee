"""``theano.tensor.subtensor``."""

from __future__ import annotations

from symtheano.tensor import IncSubtensor, Subtensor, inc_subtensor, set_subtensor, take
from symtheano.tensor import AdvancedIncSubtensor, AdvancedSubtensor
