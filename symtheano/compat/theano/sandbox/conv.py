"""``theano.sandbox.conv``."""

from ..tensor.nnet.conv import *
