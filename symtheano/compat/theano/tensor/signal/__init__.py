"""``theano.tensor.signal``."""

from __future__ import annotations

from . import conv, downsample, pool
