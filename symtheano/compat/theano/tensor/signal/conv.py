"""``theano.tensor.signal.conv``."""

from __future__ import annotations

from symtheano.tensor.signal.conv import *
