"""``theano.misc.may_share_memory``."""

from __future__ import annotations

from typing import Any

from symtheano.tensor.type import TensorType


def may_share_memory(a: Any, b: Any, raise_other_type: bool = True) -> bool:
    """Return whether two arrays may overlap in memory."""
    return TensorType.may_share_memory(a, b)
