"""``theano.tensor.raw_random``."""

from __future__ import annotations

from symtheano.tensor.raw_random import *
