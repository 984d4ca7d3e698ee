"""``theano.scalar.basic_scipy``."""

from __future__ import annotations
