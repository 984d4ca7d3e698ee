"""``theano.tensor.fft``."""

from __future__ import annotations

from symtheano.tensor.fft import *
