"""``theano.tensor.nnet.sigm``."""

from __future__ import annotations

from symtheano.tensor.nnet.sigm import *
