"""``theano.tensor.nnet.bn``."""

from __future__ import annotations

from symtheano.tensor.nnet.bn import *
