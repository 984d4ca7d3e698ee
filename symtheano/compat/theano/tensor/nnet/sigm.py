"""``theano.tensor.nnet.sigm``."""

from __future__ import annotations

from symtheano.compat.writing import writing as _writing
from symtheano.tensor.nnet.sigm import *

sigmoid_inplace, ultra_fast_sigmoid_inplace = _writing(sigmoid), _writing(ultra_fast_sigmoid)
