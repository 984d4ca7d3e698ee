"""``theano.tensor.nnet.ctc``."""

from __future__ import annotations

from symtheano.tensor.nnet.ctc import *
