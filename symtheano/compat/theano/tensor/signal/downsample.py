"""``theano.tensor.signal.downsample``."""

from __future__ import annotations

from symtheano.tensor.signal.downsample import *
