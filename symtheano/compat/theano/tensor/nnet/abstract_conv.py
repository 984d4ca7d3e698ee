"""``theano.tensor.nnet.abstract_conv``."""

from __future__ import annotations

from symtheano.tensor.nnet.abstract_conv import *

try:
    import scipy.signal
except ImportError:
    imported_scipy_signal = False
else:
    imported_scipy_signal = True
