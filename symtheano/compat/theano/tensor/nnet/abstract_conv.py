"""``theano.tensor.nnet.abstract_conv``."""

from __future__ import annotations

from symtheano.tensor.nnet.abstract_conv import *
