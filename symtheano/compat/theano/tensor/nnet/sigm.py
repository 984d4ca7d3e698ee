"""``theano.tensor.nnet.sigm``."""

from __future__ import annotations

from symtheano.compat.writing import Writing as _Writing
from symtheano.tensor.nnet.sigm import *

sigmoid_inplace = _Writing(sigmoid, "sigmoid_inplace")
ultra_fast_sigmoid_inplace = _Writing(ultra_fast_sigmoid, "ultra_fast_sigmoid_inplace")
