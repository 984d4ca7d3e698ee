"""``theano.sandbox.softsign``."""

from symtheano.tensor.nnet import softsign

__all__ = ["softsign"]
