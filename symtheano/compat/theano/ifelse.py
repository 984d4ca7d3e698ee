"""``theano.ifelse``."""

from symtheano.ifelse import IfElse, ifelse

__all__ = ["IfElse", "ifelse"]
