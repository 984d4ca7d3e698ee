"""``theano.scalar.sharedvar``."""

from __future__ import annotations
