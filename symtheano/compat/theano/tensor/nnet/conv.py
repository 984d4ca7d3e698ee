"""``theano.tensor.nnet.conv``."""

from __future__ import annotations

from symtheano.tensor.nnet.conv import *
