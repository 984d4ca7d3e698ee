"""Signals and images without channels."""

from typing import TYPE_CHECKING

from symtheano.names import public

_MODULES = ("conv", "downsample", "pool")
__all__ = [*_MODULES]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__, _MODULES)
