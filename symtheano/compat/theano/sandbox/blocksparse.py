"""``theano.sandbox.blocksparse``."""

from ..tensor.nnet.blocksparse import *
