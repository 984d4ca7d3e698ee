"""``theano.tensor.nnet.neighbours``."""

from __future__ import annotations

from symtheano.tensor.nnet.neighbours import *
