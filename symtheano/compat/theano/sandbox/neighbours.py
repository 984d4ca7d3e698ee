"""``theano.sandbox.neighbours``."""

from ..tensor.nnet.neighbours import *
