"""``theano.sandbox``."""
