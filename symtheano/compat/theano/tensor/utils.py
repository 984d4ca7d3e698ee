"""``theano.tensor.utils``."""

from __future__ import annotations
