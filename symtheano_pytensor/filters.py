"""Convolutions."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano_pytensor.registry import converts


@converts("Convolve1d")
def _convolve(op: Any, node: Any, x: Any, filtered: Any, full: Any) -> Any:
    if not isinstance(full, T.TensorConstant):
        raise NotImplementedError("a convolution whose mode is known only in the call")
    return T.convolve(x, filtered, mode="full" if full.data else "valid")
