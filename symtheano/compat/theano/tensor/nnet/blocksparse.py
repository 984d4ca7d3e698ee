"""``theano.tensor.nnet.blocksparse``."""

from __future__ import annotations

from symtheano.tensor.nnet.blocksparse import *
