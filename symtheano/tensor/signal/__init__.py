"""Signals and images without channels."""

from typing import TYPE_CHECKING

from symtheano.names import public

__all__ = ["conv", "downsample", "pool"]

if TYPE_CHECKING:
    from symtheano.tensor.signal import conv, downsample, pool
else:
    __getattr__, __dir__ = public(__name__, __all__)
