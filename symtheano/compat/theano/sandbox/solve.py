"""``theano.sandbox.solve``."""

from symtheano.tensor.slinalg import Solve, solve

__all__ = ["Solve", "solve"]
