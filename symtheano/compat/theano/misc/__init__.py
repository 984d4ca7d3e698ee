"""``theano.misc``."""

from __future__ import annotations
