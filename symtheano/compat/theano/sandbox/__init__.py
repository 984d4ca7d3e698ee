"""``theano.sandbox``."""

from __future__ import annotations
