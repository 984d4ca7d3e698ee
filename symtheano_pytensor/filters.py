"""Convolutions."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano_pytensor.registry import converts


@converts("Convolve1d")
def _convolve(op: Any, node: Any, x: Any, filtered: Any, full: Any) -> Any:
    whole = T.convolve(x, filtered, mode="full")
    shorter = T.minimum(x.shape[0], filtered.shape[0])
    longer = T.maximum(x.shape[0], filtered.shape[0])
    if isinstance(full, T.TensorConstant):
        return whole if full.data else whole[shorter - 1 : longer]
    return whole[T.switch(full, 0, shorter - 1) : T.switch(full, whole.shape[0], longer)]
